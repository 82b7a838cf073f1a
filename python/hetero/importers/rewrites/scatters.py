"""Gathers and scatters of StableHLO in the form that IREE's importer takes.

    scatter(%x: 4x10, %i: 5x1, %u: 4x5) of dimension 1        # x[:, i] += u
      ->
    transpose(scatter(transpose(%x): 10x4, %i, transpose(%u): 5x4) of dimension 0)

Batch dimensions become indices: that is a pass of StableHLO's. What is written at one index, a row
of the operand, is whole and comes last; the elements of other windows get indices of their own. A
window that does not fit is not written, as XLA has it: it is replaced by what changes nothing, or
written to a row that is cut off. One window is a slice that is updated. Gathers move a window that
does not fit, by their indices.
"""

from __future__ import annotations

import dataclasses
import math

from jaxlib.mlir import ir, passmanager
from jaxlib.mlir.dialects import stablehlo

from hetero.importers.rewrites import rewriting
from hetero.importers.rewrites.rewriting import compare, convert, like, transpose, type_of

# The version of StableHLO before there were batch dimensions.
_EXPAND_BATCHES = "builtin.module(stablehlo-compatibility-expander{target=1.0.0})"


def _reshape(value, shape):
    return stablehlo.reshape(rewriting.shaped(shape, type_of(value).element_type), value)


def _slice(value, starts, ends):
    get = ir.DenseI64ArrayAttr.get
    return stablehlo.slice(value, get(list(starts)), get(list(ends)), get([1] * len(starts)))


# --- Gathers ---


def _split_indices(indices, dimension) -> list:
    """The components of index vectors, each with the shape of the others' dimensions."""
    shape = list(type_of(indices).shape)
    if dimension == len(shape):
        return [indices]
    rest = shape[:dimension] + shape[dimension + 1 :]
    parts = []
    for number in range(shape[dimension]):
        starts, ends = [0] * len(shape), list(shape)
        starts[dimension], ends[dimension] = number, number + 1
        parts.append(_reshape(_slice(indices, starts, ends), rest))
    return parts


def _to_int32(indices):
    """Indices of 32 bits: an element of a tensor that fits into memory has no larger one."""
    element = type_of(indices).element_type
    if element.width > 32:
        bound = like(indices, (1 << 31) - 1)
        indices = stablehlo.maximum(stablehlo.minimum(indices, bound), stablehlo.negate(bound))
    return convert(indices, ir.IntegerType.get_signless(32))


def _clamp_gather(op) -> None:
    numbers = stablehlo.GatherDimensionNumbers(op.attributes["dimension_numbers"])
    operand, indices = op.operands
    sizes = list(ir.DenseI64ArrayAttr(op.attributes["slice_sizes"]))
    shape = type_of(operand).shape
    dimension = numbers.index_vector_dim
    with rewriting.before(op):
        parts = _split_indices(_to_int32(indices), dimension)
        bounded = []
        for part, target in zip(parts, numbers.start_index_map):
            most = like(part, shape[target] - sizes[target])
            bounded.append(stablehlo.maximum(stablehlo.minimum(part, most), like(part, 0)))
        op.operands[1] = _join(bounded, dimension)


def _join(parts, dimension):
    """The index vectors of components."""
    shape = list(type_of(parts[0]).shape)
    if len(parts) == 1 and dimension == len(shape):
        return parts[0]
    columns = [_reshape(part, [*shape[:dimension], 1, *shape[dimension:]]) for part in parts]
    return columns[0] if len(columns) == 1 else stablehlo.concatenate(columns, ir.IntegerAttr.get(ir.IntegerType.get_signless(64), dimension))


# --- Scatters ---


@dataclasses.dataclass
class _Scatter:
    """A scatter of one operand.

    starts: by dimension of the operand, where windows start: one number for each window, or None for 0.
    window: sizes of a window, by dimension of the operand.
    places: by dimension of the operand, the update's dimension, or None.
    scattered: the update's other dimensions.
    """

    op: object
    operand: object
    update: object
    starts: list
    window: list
    places: list
    scattered: list

    @property
    def shape(self):
        return list(type_of(self.operand).shape)

    @property
    def count(self):
        return math.prod(type_of(self.update).shape[i] for i in self.scattered)


def _read(op) -> _Scatter:
    numbers = stablehlo.ScatterDimensionNumbers(op.attributes["scatter_dimension_numbers"])
    operand, indices, update = op.operands
    rank = type_of(operand).rank
    windows, inserted = list(numbers.update_window_dims), list(numbers.inserted_window_dims)
    kept = [i for i in range(rank) if i not in inserted]
    places = [windows[kept.index(i)] if i in kept else None for i in range(rank)]
    window = [1 if place is None else type_of(update).shape[place] for place in places]
    scattered = [i for i in range(type_of(update).rank) if i not in windows]
    starts = [None] * rank
    for part, target in zip(_split_indices(_to_int32(indices), numbers.index_vector_dim), numbers.scattered_dims_to_operand_dims):
        starts[target] = part
    return _Scatter(op, operand, update, starts, window, places, scattered)


def _find_fitting(scatter):
    """Whether each window fits; None where all do."""
    fits = None
    for start, size, length in zip(scatter.starts, scatter.window, scatter.shape):
        if start is None:
            continue
        here = stablehlo.and_(compare(start, like(start, 0), "GE"), compare(start, like(start, length - size), "LE"))
        fits = here if fits is None else stablehlo.and_(fits, here)
    return fits


def _order_windows(scatter):
    """The update with its windows' dimensions as the operand has them, after the scattered ones."""
    order = scatter.scattered + [place for place in scatter.places if place is not None]
    return transpose(scatter.update, order)


def _write_one(scatter) -> bool:
    """One window: a slice that is updated, if it fits."""
    kind = ir.IntegerType.get_signless(32)
    scalar = rewriting.shaped([], kind)
    starts = [rewriting.splat(scalar, 0) if start is None else _reshape(start, []) for start in scatter.starts]
    old = stablehlo.dynamic_slice(scatter.operand, starts, ir.DenseI64ArrayAttr.get(scatter.window))
    new = rewriting.combine(scatter.op.regions[0], [old, _reshape(_order_windows(scatter), scatter.window)])
    if new is None:
        return False
    fits = _find_fitting(scatter)
    if fits is not None:
        new = stablehlo.select(rewriting.broadcast(_reshape(fits, []), scatter.window, []), new, old)
    rewriting.replace(scatter.op, [stablehlo.dynamic_update_slice(scatter.operand, new, starts)])
    return True


def _index_elements(scatter, indexed, inner, fits):
    """Index vectors of the rows that are written, and whether each counts.

    indexed: the operand's dimensions that have indices; inner: those of them with windows of more than one.
    """
    sizes = [scatter.count, *(scatter.window[i] for i in inner)]
    rows = math.prod(sizes)
    kind = rewriting.shaped(sizes, ir.IntegerType.get_signless(32))
    columns = []
    for i in indexed:
        start = scatter.starts[i]
        column = rewriting.splat(kind, 0) if start is None else rewriting.broadcast(_reshape(start, [scatter.count]), sizes, [0])
        if i in inner:
            step = stablehlo.iota(kind, ir.IntegerAttr.get(ir.IntegerType.get_signless(64), 1 + inner.index(i)))
            column = stablehlo.add(column, step)
        columns.append(_reshape(column, [rows]))
    if fits is not None:
        fits = _reshape(rewriting.broadcast(_reshape(fits, [scatter.count]), sizes, [0]), [rows])
    return columns, fits


def _order_rows(scatter, indexed, inner, whole):
    """The update as rows: one for each index vector."""
    order = scatter.scattered + [scatter.places[i] for i in (*inner, *whole) if scatter.places[i] is not None]
    # Of windows of one element, the update may have dimensions too.
    rest = [i for i in range(type_of(scatter.update).rank) if i not in order]
    rows = scatter.count * math.prod(scatter.window[i] for i in inner)
    return _reshape(transpose(scatter.update, order + rest), [rows, *(scatter.shape[i] for i in whole)])


def _build(scatter, operand, columns, rows):
    """The scatter of rows."""
    count = len(columns)
    numbers = stablehlo.ScatterDimensionNumbers.get(
        list(range(1, type_of(rows).rank)), list(range(count)), [], [], list(range(count)), 1
    )
    attributes = {"scatter_dimension_numbers": numbers}
    return rewriting.create(scatter.op, [operand, _join(columns, 1), rows], [operand.type], attributes).results[0]


def _write_rows(scatter) -> None:
    rank = type_of(scatter.operand).rank
    whole = [i for i in range(rank) if scatter.starts[i] is None and scatter.window[i] == scatter.shape[i] and scatter.places[i] is not None]
    indexed = [i for i in range(rank) if i not in whole]
    inner = [i for i in indexed if scatter.window[i] != 1]
    columns, fits = _index_elements(scatter, indexed, inner, _find_fitting(scatter))
    rows = _order_rows(scatter, indexed, inner, whole)
    order = indexed + whole
    operand = transpose(scatter.operand, order)
    shape = list(type_of(operand).shape)
    neutral = rewriting.neutral_of(scatter.op.regions[0], type_of(rows).element_type)
    is_cut = False
    if fits is not None:
        is_cut = neutral is None
        if is_cut:
            operand = _add_row(operand)
        else:
            counts = rewriting.broadcast(fits, type_of(rows).shape, [0])
            rows = stablehlo.select(counts, rows, like(rows, neutral))
        outside = [like(column, shape[0] if is_cut and number == 0 else 0) for number, column in enumerate(columns)]
        columns = [stablehlo.select(fits, column, other) for column, other in zip(columns, outside)]
    result = _build(scatter, operand, columns, rows)
    if is_cut:
        result = _slice(result, [0] * rank, shape)
    rewriting.replace(scatter.op, [transpose(result, [order.index(i) for i in range(rank)])])


def _add_row(operand):
    """One more of the first dimension, for what is not to be written."""
    kind = type_of(operand)
    shape = [1, *list(kind.shape)[1:]]
    first = _slice(operand, [0] * kind.rank, shape)
    return stablehlo.concatenate([operand, first], ir.IntegerAttr.get(ir.IntegerType.get_signless(64), 0))


def _is_empty(*values) -> bool:
    return any(0 in type_of(value).shape for value in values)


def normalize_gathers_and_scatters(module) -> None:
    """Gives gathers indices that fit, and scatters the form of rows."""
    stablehlo.register_stablehlo_passes()
    with module.context, ir.Location.unknown():
        passmanager.PassManager.parse(_EXPAND_BATCHES).run(module.operation)
        for op in rewriting.find_operations(module, lambda op: op.name == "stablehlo.gather"):
            if not _is_empty(*op.operands):
                _clamp_gather(op)
        for op in rewriting.find_operations(module, lambda op: op.name == "stablehlo.scatter"):
            if len(op.operands) != 3:
                continue
            with rewriting.before(op):
                if _is_empty(op.operands[0], op.operands[2]):
                    rewriting.replace(op, [op.operands[0]])
                    continue
                scatter = _read(op)
                if scatter.count != 1 or not _write_one(scatter):
                    _write_rows(scatter)
