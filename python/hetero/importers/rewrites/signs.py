"""Unsigned integers and truths of StableHLO as integers without a sign.

    maximum %x, %y : tensor<4xui8>
      ->
    xor(maximum(xor(%x, -128), xor(%y, -128)), -128) : tensor<4xi8>

IREE's importer loses the sign of element types on its way: in comparators, widened operands of
products, initial values. After this pass no type has a sign, and what reads numbers as unsigned
says so in operations: an order is that of numbers whose first bit is flipped, a wider number has
zeros in front. Sums of truths are disjunctions, products of them conjunctions.
"""

from __future__ import annotations

import numpy as np
from jaxlib.mlir import ir
from jaxlib.mlir.dialects import stablehlo

from hetero.importers import child
from hetero.importers.rewrites import rewriting
from hetero.importers.rewrites.rewriting import compare, convert, like, type_of

# On the maximum of a fold whose numbers are flipped outside.
_KEPT = "hetero.kept"
_PRODUCTS = ("stablehlo.dot_general", "stablehlo.dot", "stablehlo.convolution")
_FOLDS = ("stablehlo.reduce", "stablehlo.reduce_window", "stablehlo.scatter")
# Operands that are places, from the first of them.
_PLACES = {"stablehlo.dynamic_slice": 1, "stablehlo.dynamic_update_slice": 2, "stablehlo.gather": 1}


def _element(type_):
    """The element type of a tensor, else None."""
    return type_.element_type if isinstance(type_, ir.RankedTensorType) else None


def _is_unsigned(type_) -> bool:
    element = _element(type_)
    return isinstance(element, ir.IntegerType) and element.is_unsigned


def _is_truth(type_) -> bool:
    element = _element(type_)
    return isinstance(element, ir.IntegerType) and element.width == 1


def _signless(type_):
    if isinstance(type_, ir.TupleType):
        return ir.TupleType.get_tuple([_signless(type_.get_type(i)) for i in range(type_.num_types)])
    if not _is_unsigned(type_):
        return type_
    return rewriting.shaped(type_.shape, ir.IntegerType.get_signless(type_.element_type.width))


def _integer(width):
    return ir.IntegerType.get_signless(width)


def _is_float(element) -> bool:
    return not isinstance(element, (ir.IntegerType, ir.ComplexType))


def flip(value):
    """The order of the results as signed numbers is that of the values as unsigned ones."""
    return stablehlo.xor(value, like(value, 1 << (type_of(value).element_type.width - 1)))


def widen(value, width):
    """Zeros in front."""
    old = type_of(value).element_type.width
    if old == width:
        return value
    wide = convert(value, _integer(width))
    return stablehlo.and_(wide, like(wide, (1 << old) - 1))


def _choose(truth, element):
    """1 and 0 for truths."""
    kind = rewriting.with_element(truth, element)
    return stablehlo.select(truth, rewriting.splat(kind, 1), rewriting.splat(kind, 0))


def _to_float(value, element):
    """Of an unsigned number; an integer as wide as the float comes first, which no product takes for its operand."""
    width = type_of(value).element_type.width
    if width < 64:
        return convert(widen(value, max(width * 2 if width > 16 else 32, element.width)), element)
    half = stablehlo.or_(stablehlo.shift_right_logical(value, like(value, 1)), stablehlo.and_(value, like(value, 1)))
    large = convert(half, element)
    return stablehlo.select(compare(value, like(value, 0), "LT"), stablehlo.add(large, large), convert(value, element))


def _bound(value, low, high):
    return stablehlo.minimum(stablehlo.maximum(value, like(value, low)), like(value, high))


def _from_float(value, element, is_unsigned):
    """To a number of less than 64 bits, of which the nearest one stands for what it does not have; 0 for nan."""
    low, high = (0, (1 << element.width) - 1) if is_unsigned else (-(1 << (element.width - 1)), (1 << (element.width - 1)) - 1)
    is_wide = element.width >= 32 or isinstance(type_of(value).element_type, ir.F64Type)
    wide = convert(value, ir.F64Type.get() if is_wide else ir.F32Type.get())
    return convert(convert(_bound(wide, low, high), _integer(64 if element.width == 32 else 32)), element)


def _from_float_to_widest(value, element):
    """To an unsigned number of 64 bits: the first bit is that of a number from the middle on."""
    wide = stablehlo.maximum(convert(value, ir.F64Type.get()), like(convert(value, ir.F64Type.get()), 0))
    half = like(wide, 1 << 63)
    low = convert(stablehlo.minimum(wide, like(wide, (1 << 63) - 1024)), element)
    return stablehlo.select(compare(wide, half, "GE", "FLOAT"), flip(convert(stablehlo.subtract(wide, half), element)), low)


def _convert_unsigned(value, target):
    """A value of an unsigned number of another type."""
    if isinstance(target, ir.IntegerType):
        width = type_of(value).element_type.width
        return widen(value, target.width) if target.width > width else convert(value, target)
    if isinstance(target, ir.ComplexType):
        real = _to_float(value, target.element_type)
        return stablehlo.complex(real, like(real, 0))
    return _to_float(value, target)


def _rewrite_convert(op, signs):
    value, target = op.operands[0], type_of(op.results[0]).element_type
    source = type_of(value).element_type
    if _is_truth(value.type):
        return None if isinstance(target, ir.ComplexType) else [_choose(value, target)]
    if signs.reads_unsigned(op):
        return [_convert_unsigned(value, target)]
    if isinstance(source, ir.IntegerType) and _is_float(target) and source.width < target.width:
        return [convert(convert(value, _integer(target.width)), target)]
    is_unsigned = signs.makes_unsigned(op)
    if not _is_float(source) or not isinstance(target, ir.IntegerType) or target.width == 1:
        return None
    if target.width == 64:
        return [_from_float_to_widest(value, target)] if is_unsigned else None
    return [_from_float(value, target, is_unsigned)] if is_unsigned or target.width < 32 else None


def _rewrite_compare(op, signs):
    left, right = op.operands
    direction = stablehlo.ComparisonDirectionAttr(op.attributes["comparison_direction"]).value
    if direction not in ("EQ", "NE"):
        if _is_truth(left.type):
            left, right = (_choose(value, _integer(8)) for value in (left, right))
        else:
            left, right = flip(left), flip(right)
    return [compare(left, right, direction)]


def _rewrite_extremum(op, signs):
    left, right = op.operands
    is_most = op.name == "stablehlo.maximum"
    if _is_truth(left.type):
        return [stablehlo.or_(left, right) if is_most else stablehlo.and_(left, right)]
    build = stablehlo.maximum if is_most else stablehlo.minimum
    return [flip(build(flip(left), flip(right)))]


def _rewrite_clamp(op, signs):
    low, value, high = op.operands
    kind = type_of(value)
    low, high = (rewriting.broadcast_scalar(v, kind) if type_of(v).rank < kind.rank else v for v in (low, high))
    return [flip(stablehlo.minimum(stablehlo.maximum(flip(value), flip(low)), flip(high)))]


def _divide_widest(left, right):
    """Quotients of 64 bits: of halves, and one more where the rest is as large as the divisor."""
    one = like(left, 1)
    quotient = stablehlo.shift_left(stablehlo.divide(stablehlo.shift_right_logical(left, one), right), one)
    rest = stablehlo.subtract(left, stablehlo.multiply(quotient, right))
    usual = stablehlo.select(compare(flip(rest), flip(right), "GE"), stablehlo.add(quotient, one), quotient)
    is_small = compare(flip(left), flip(right), "LT")
    large = stablehlo.select(is_small, like(left, 0), one)
    found = stablehlo.select(compare(right, like(right, 0), "LT"), large, usual)
    return stablehlo.select(compare(right, like(right, 0), "EQ"), like(left, -1), found)


def _rewrite_division(op, signs):
    left, right = op.operands
    width = type_of(left).element_type.width
    if width < 64:
        wide = [widen(value, 2 * width if width > 16 else 32) for value in (left, right)]
        build = stablehlo.divide if op.name == "stablehlo.divide" else stablehlo.remainder
        return [convert(build(*wide), _integer(width))]
    quotient = _divide_widest(left, right)
    if op.name == "stablehlo.divide":
        return [quotient]
    rest = stablehlo.subtract(left, stablehlo.multiply(quotient, right))
    return [stablehlo.select(compare(right, like(right, 0), "EQ"), left, rest)]


def _rewrite_sum(op, signs):
    build = stablehlo.or_ if op.name == "stablehlo.add" else stablehlo.and_
    return [build(*op.operands)]


def _rewrite_product(op, signs):
    """Operands become the result's type where their signs count."""
    target = type_of(op.results[0]).element_type
    if isinstance(target, ir.IntegerType) and target.width == 1:
        inner = _integer(32)
    else:
        inner = target

    def prepare(value, number):
        element = type_of(value).element_type
        if _is_truth(value.type):
            return _choose(value, inner)
        if signs.reads_unsigned(op, number):
            return value if element == inner else _convert_unsigned(value, inner)
        if isinstance(element, ir.IntegerType) and _is_float(inner):
            return convert(convert(value, _integer(max(inner.width, element.width))), inner)
        return value

    operands = [prepare(value, number) for number, value in enumerate(op.operands)]
    if inner == target:
        return list(rewriting.create(op, operands).results)
    made = rewriting.create(op, operands, [rewriting.with_element(op.results[0], inner)]).results[0]
    return [compare(made, like(made, 0), "NE")]


def _rewrite_places(op, signs):
    """Places as signed numbers of 32 bits, of which the largest stands for all that are larger."""
    first = _PLACES[op.name]

    def prepare(value, number):
        if number < first or not signs.reads_unsigned(op, number):
            return value
        width = type_of(value).element_type.width
        if width < 32:
            return widen(value, 32)
        most = like(value, (1 << (width - 1)) - 1)
        return flip(stablehlo.minimum(flip(value), flip(most)))

    return list(rewriting.create(op, [prepare(value, number) for number, value in enumerate(op.operands)]).results)


def _rewrite_top_k(op, signs):
    made = rewriting.create(op, [flip(op.operands[0])])
    return [flip(made.results[0]), made.results[1]]


def _extremum_of(op):
    """The operation of a fold's region, where it is a maximum or a minimum of both."""
    operations = list(op.regions[0].blocks[0].operations)
    if len(operations) == 2 and operations[0].operation.name in ("stablehlo.maximum", "stablehlo.minimum"):
        return operations[0].operation
    return None


def _rewrite_fold(op, signs):
    """The numbers are flipped before and after, so that the region stays a maximum."""
    is_place = [op.name == "stablehlo.scatter" and number == 1 for number in range(len(op.operands))]
    made = rewriting.create(op, [value if place else flip(value) for value, place in zip(op.operands, is_place)])
    return [flip(made.results[0])]


class _Signs:
    """Which operands and results of operations were unsigned when the types had signs."""

    def __init__(self, module):
        self.operations = rewriting.find_operations(module, lambda op: True)
        # By objects of Python: whether operations have hashes differs between versions of the bindings.
        self._operands = {id(op): [_is_unsigned(value.type) for value in op.operands] for op in self.operations}
        self._results = {id(op): [_is_unsigned(value.type) for value in op.results] for op in self.operations}

    def reads_unsigned(self, op, number=0) -> bool:
        return self._operands[id(op)][number]

    def makes_unsigned(self, op) -> bool:
        return self._results[id(op)][0]

    def remove(self):
        for op in self.operations:
            blocks = [block for region in op.regions for block in region.blocks]
            for value in [*op.results, *(value for block in blocks for value in block.arguments)]:
                value.set_type(_signless(value.type))


_REWRITES = {
    "stablehlo.compare": _rewrite_compare,
    "stablehlo.maximum": _rewrite_extremum,
    "stablehlo.minimum": _rewrite_extremum,
    "stablehlo.clamp": _rewrite_clamp,
    "stablehlo.divide": _rewrite_division,
    "stablehlo.remainder": _rewrite_division,
    "chlo.top_k": _rewrite_top_k,
}


def _choose_rewrite(op, signs):
    """How the operation is written without signs, or None where it is the same."""
    name = op.name
    if name == "stablehlo.convert":
        return _rewrite_convert
    if name in _PRODUCTS:
        return _rewrite_product
    if name in _PLACES:
        return _rewrite_places if any(signs.reads_unsigned(op, i) for i in range(_PLACES[name], len(op.operands))) else None
    if not op.operands:
        return None
    if name in _FOLDS and len(op.results) == 1 and signs.reads_unsigned(op):
        return _rewrite_fold if _extremum_of(op) else None
    if _is_truth(op.operands[0].type):
        if name in ("stablehlo.add", "stablehlo.multiply"):
            return _rewrite_sum
        return _REWRITES.get(name) if name in ("stablehlo.compare", "stablehlo.maximum", "stablehlo.minimum") else None
    return _REWRITES.get(name) if signs.reads_unsigned(op) else None


def _remove_from_constant(op) -> None:
    attribute = op.attributes["value"]
    kind = _signless(op.results[0].type)
    if kind.element_type.width < 8:
        raise child.Failure(f"constants of {attribute.type.element_type} are not imported")
    if attribute.is_splat:
        number = int(np.asarray(attribute).reshape(-1)[0]) if 0 not in kind.shape else 0
        width = kind.element_type.width
        signed = number - (1 << width) if number >> (width - 1) else number
        new = ir.DenseElementsAttr.get_splat(kind, ir.IntegerAttr.get(kind.element_type, signed))
    else:
        array = np.asarray(attribute)
        new = ir.DenseElementsAttr.get(np.ascontiguousarray(array.view(f"int{array.itemsize * 8}")), type=kind)
    op.attributes["value"] = new


def _remove_from_types(operations) -> None:
    """Of constants and functions, which have types beside those of their values."""
    for op in operations:
        if op.name == "stablehlo.constant" and _is_unsigned(op.results[0].type):
            _remove_from_constant(op)
        elif op.name == "func.func":
            old = ir.FunctionType(ir.TypeAttr(op.attributes["function_type"]).value)
            new = ir.FunctionType.get([_signless(t) for t in old.inputs], [_signless(t) for t in old.results])
            op.attributes["function_type"] = ir.TypeAttr.get(new)


def remove_signs(module) -> None:
    """Leaves no unsigned type, nor truths in other than logical operations."""
    with module.context, ir.Location.unknown():
        signs = _Signs(module)
        chosen = [(op, _choose_rewrite(op, signs)) for op in signs.operations]
        for op, rewrite in chosen:
            if rewrite is _rewrite_fold:
                _extremum_of(op).attributes[_KEPT] = ir.UnitAttr.get()
        _remove_from_types(signs.operations)
        signs.remove()
        for op, rewrite in chosen:
            if _KEPT in op.attributes:
                del op.attributes[_KEPT]
                continue
            if not rewrite:
                continue
            with rewriting.before(op):
                values = rewrite(op, signs)
            if values:
                rewriting.replace(op, values)
