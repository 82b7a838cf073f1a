"""What the rewrites of StableHLO have in common: finding operations, small ones to build with.

Builders insert where ir.InsertionPoint is; element types are MLIR's, without signs.
"""

from __future__ import annotations

import contextlib
import math

from jaxlib.mlir import ir
from jaxlib.mlir.dialects import stablehlo


def find_operations(module, is_wanted) -> list:
    """The operations for which `is_wanted` holds; those in regions of others come before them."""
    found = []

    def visit(op):
        if is_wanted(op):
            found.append(op)
        return ir.WalkResult.ADVANCE

    module.operation.walk(visit)
    return found


@contextlib.contextmanager
def before(op):
    """What is built stands before the operation, at its location."""
    with ir.InsertionPoint(op), op.location:
        yield


def replace(op, values) -> None:
    """Gives the operation's results to others."""
    for old, new in zip(op.results, values):
        old.replace_all_uses_with(new)
    op.erase()


def attributes_of(op) -> dict:
    """Attributes by name; what iterates over op.attributes differs between versions."""
    named = (op.attributes[number] for number in range(len(op.attributes)))
    return {attribute.name: attribute.attr for attribute in named}


def type_of(value):
    return ir.RankedTensorType(value.type)


def shaped(shape, element):
    return ir.RankedTensorType.get(list(shape), element)


def with_element(value, element):
    """The value's type with other elements."""
    return shaped(type_of(value).shape, element)


def splat(tensor_type, number):
    """A constant, all elements of which are this number."""
    element = tensor_type.element_type
    if isinstance(element, ir.IntegerType):
        bits = number % (1 << element.width)
        # IntegerAttr takes numbers as signed ones.
        signed = bits - (1 << element.width) if element.width > 1 and bits >> (element.width - 1) else bits
        attribute = ir.IntegerAttr.get(element, signed)
    else:
        attribute = ir.FloatAttr.get(element, float(number))
    return stablehlo.constant(ir.DenseElementsAttr.get_splat(tensor_type, attribute))


def like(value, number):
    """A constant of the value's type."""
    return splat(type_of(value), number)


def convert(value, element):
    return value if type_of(value).element_type == element else stablehlo.convert(with_element(value, element), value)


def compare(left, right, direction, kind="SIGNED"):
    return stablehlo.compare(
        left,
        right,
        stablehlo.ComparisonDirectionAttr.get(direction),
        compare_type=stablehlo.ComparisonTypeAttr.get(kind),
    )


def transpose(value, order):
    return stablehlo.TransposeOp(value, ir.DenseI64ArrayAttr.get(list(order))).result


def reverse(value, dimensions):
    return stablehlo.reverse(value, ir.DenseI64ArrayAttr.get(list(dimensions)))


def broadcast(value, shape, dimensions):
    kind = shaped(shape, type_of(value).element_type)
    return stablehlo.broadcast_in_dim(kind, value, ir.DenseI64ArrayAttr.get(list(dimensions)))


def broadcast_scalar(value, tensor_type):
    """A scalar in each element."""
    return stablehlo.broadcast_in_dim(shaped(tensor_type.shape, type_of(value).element_type), value, ir.DenseI64ArrayAttr.get([]))


def create(op, operands, results=None, attributes=None):
    """An operation like another one, whose regions it takes."""
    kept = attributes_of(op) | (attributes or {})
    new = ir.Operation.create(
        op.name,
        results=results or [value.type for value in op.results],
        operands=operands,
        attributes=kept,
        regions=len(op.regions),
    )
    for old, region in zip(op.regions, new.regions):
        while len(old.blocks):
            old.blocks[0].append_to(region)
    return new


def combine(region, operands):
    """What the region makes of scalars, of tensors; None where it has more than elementwise operations."""
    block = region.blocks[0]
    values = dict(zip(block.arguments, operands))
    shape = type_of(operands[0]).shape
    for op in block.operations:
        op = op.operation
        if op.name == "stablehlo.return":
            return values[op.operands[0]]
        if len(op.regions) or any(type_of(result).rank for result in op.results) or any(v not in values for v in op.operands):
            return None
        if op.name == "stablehlo.constant":
            made = broadcast(op.clone().results[0], shape, [])
            values[op.results[0]] = made
            continue
        kinds = [with_element(operands[0], type_of(result).element_type) for result in op.results]
        attributes = attributes_of(op)
        made = ir.Operation.create(op.name, results=kinds, operands=[values[v] for v in op.operands], attributes=attributes)
        values.update(zip(op.results, made.results))
    return None


def neutral_of(region, element):
    """The number of which the region makes nothing, else None."""
    block = region.blocks[0]
    operations = [inner.operation for inner in block.operations]
    if len(operations) != 2 or set(operations[0].operands) != set(block.arguments):
        return None
    name, is_integer = operations[0].name.split(".")[1], isinstance(element, ir.IntegerType)
    if isinstance(element, ir.ComplexType):
        return None
    if name == "add":
        return 0 if is_integer else -0.0
    if name in ("maximum", "minimum"):
        sign = -1 if name == "maximum" else 1
        if not is_integer:
            return sign * math.inf
        return -(1 << (element.width - 1)) if sign < 0 else (1 << (element.width - 1)) - 1
    return {"multiply": 1, "or": 0, "xor": 0, "and": -1}.get(name)
