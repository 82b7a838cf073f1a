"""Scatters of StableHLO in the form that IREE's importer takes.

    scatter(%x: 4x10, %i: 5x1, %u: 4x5) of dimension 1        # x[:, i] += u
      ->
    transpose(scatter(transpose(%x): 10x4, %i, transpose(%u): 5x4) of dimension 0)

Batch dimensions become indices: that is a pass of StableHLO's. What is written at
one index, a row of the operand, comes last in the operand and in the updates.
"""

from __future__ import annotations

from jaxlib.mlir import ir, passmanager
from jaxlib.mlir.dialects import stablehlo

# The version of StableHLO before there were batch dimensions.
_EXPAND_BATCHES = "builtin.module(stablehlo-compatibility-expander{target=1.0.0})"


def _transpose(value, order):
    return stablehlo.TransposeOp(value, ir.DenseI64ArrayAttr.get(order)).result


def _invert(order) -> list[int]:
    return [order.index(i) for i in range(len(order))]


def _rebuild(op, numbers, first: list[int]) -> None:
    """The scatter with these dimensions of the operand first, which the indices are of."""
    count = (len(op.operands) - 1) // 2
    operands, indices, updates = op.operands[:count], op.operands[count], op.operands[count + 1 :]
    rank = ir.RankedTensorType(operands[0].type).rank
    order = first + [i for i in range(rank) if i not in first]
    windows = list(numbers.update_window_dims)
    update_rank = ir.RankedTensorType(updates[0].type).rank
    update_order = [i for i in range(update_rank) if i not in windows] + windows
    with ir.InsertionPoint(op), op.location:
        inputs = [_transpose(value, order) for value in operands]
        rows = [_transpose(value, update_order) for value in updates]
        new_numbers = stablehlo.ScatterDimensionNumbers.get(
            list(range(update_rank - len(windows), update_rank)),
            list(range(len(first))),
            [],
            [],
            list(range(len(first))),
            numbers.index_vector_dim,
        )
        attributes = {name.name: name.attr for name in op.attributes}
        attributes["scatter_dimension_numbers"] = new_numbers
        new = ir.Operation.create(
            "stablehlo.scatter",
            results=[value.type for value in inputs],
            operands=[*inputs, indices, *rows],
            attributes=attributes,
            regions=1,
        )
        op.regions[0].blocks[0].append_to(new.regions[0])
        for old, result in zip(op.results, new.results):
            old.replace_all_uses_with(_transpose(result, _invert(order)))
    op.erase()


def _find_scatters(module) -> list:
    found = []

    def visit(op):
        if op.name == "stablehlo.scatter":
            found.append(op)
        return ir.WalkResult.ADVANCE

    module.operation.walk(visit)
    return found


def normalize_scatters(module) -> None:
    """Makes the dimensions that the indices are of the first ones, in their order."""
    stablehlo.register_stablehlo_passes()
    with module.context:
        passmanager.PassManager.parse(_EXPAND_BATCHES).run(module.operation)
        for op in _find_scatters(module):
            numbers = stablehlo.ScatterDimensionNumbers(op.attributes["scatter_dimension_numbers"])
            first = list(numbers.scattered_dims_to_operand_dims)
            windows = list(numbers.update_window_dims)
            update_rank = ir.RankedTensorType(op.operands[-1].type).rank
            is_last = windows == list(range(update_rank - len(windows), update_rank))
            # Where an index is the start of several elements of its dimension, IREE knows the form.
            if sorted(first) == sorted(numbers.inserted_window_dims) and (first != list(range(len(first))) or not is_last):
                _rebuild(op, numbers, first)
