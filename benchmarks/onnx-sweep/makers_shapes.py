"""Makers of operators that move elements: shapes, axes and indices."""

import math

import numpy as np

import types_of_onnx as types
from makers import maker


def _factors(draft, count):
    """Sizes whose product is `count`."""
    sizes = []
    for factor in (2, 3, 5):
        if count and count % factor == 0 and draft.some():
            sizes.append(factor)
            count //= factor
    sizes.append(count)
    draft.random.shuffle(sizes)
    return sizes


@maker("Reshape")
def _reshape(draft):
    shape = draft.shape()
    draft.data("data", shape)
    sizes = _factors(draft, math.prod(shape))
    if 0 in shape:
        draft.choose("allowzero", 1, 0)
    if draft.some(0.4) and 0 not in sizes:
        sizes[draft.random.randrange(len(sizes))] = -1
    elif draft.some(0.3) and shape:
        sizes = [0, -1]
    if draft.outside():
        sizes = draft.pick([-1, -1], [7, 7, 7], [-2])
    draft.shaping("shape", sizes)


@maker("Expand")
def _expand(draft):
    shape = draft.shape()
    draft.data("input", draft.broadcast(shape))
    draft.shaping("shape", draft.broadcast(shape) if draft.some(0.3) else shape if not draft.outside() else [7, 11])


@maker("Tile")
def _tile(draft):
    shape = draft.shape()
    draft.data("input", shape)
    if draft.has("tiles"):
        draft.shaping("tiles", [2])
        draft.shaping("axis", [0])
        return
    draft.shaping("repeats", [draft.pick(0, 1, 1, 2, 3) for _ in shape] if not draft.outside() else [-1] * (len(shape) + 1))


@maker("Flatten")
def _flatten(draft):
    shape = draft.shape()
    draft.data("input", shape)
    if draft.often():
        draft.attribute("axis", draft.random.randint(-len(shape), len(shape)) if not draft.outside() else 9)


@maker("Transpose")
def _transpose(draft):
    shape = draft.shape()
    draft.data("data", shape)
    if draft.often():
        perm = list(range(len(shape)))
        draft.random.shuffle(perm)
        draft.attribute("perm", perm if not draft.outside() else draft.pick([0] * len(shape), [*perm, 9]))


@maker("Squeeze")
def _squeeze(draft):
    shape = list(draft.shape())
    ones = sorted(draft.random.sample(range(len(shape) + 1), draft.pick(0, 1) if not shape else 1))
    for axis in ones:
        shape.insert(axis, 1)
    draft.data("data", shape)
    if draft.some(0.7):
        axes = [axis - len(shape) if draft.some(0.3) else axis for axis in ones]
        draft.shaping("axes", axes if not draft.outside() else draft.pick([7], [0, 0]))


@maker("Unsqueeze")
def _unsqueeze(draft):
    shape = draft.shape(0, 4)
    draft.data("data", shape)
    rank = len(shape) + draft.pick(1, 1, 2)
    axes = draft.random.sample(range(rank), rank - len(shape))
    can_count_back = draft.schema.since_version >= 11
    axes = [axis - rank if can_count_back and draft.some(0.3) else axis for axis in axes]
    draft.shaping("axes", axes if not draft.outside() else [0, 0])


@maker("Shape")
def _shape(draft):
    shape = draft.shape()
    draft.data("data", shape)
    for name in ("start", "end"):
        if draft.often():
            draft.attribute(name, draft.random.randint(-len(shape) - 2, len(shape) + 2))


@maker("Slice")
def _slice(draft):
    shape = draft.shape(1)
    draft.data("data", shape)
    axes = draft.random.sample(range(len(shape)), draft.random.randint(1, len(shape)))
    far = [2**31 - 1, -(2**31)]
    if draft.has("starts") and draft.type_of("starts") == "tensor(int64)":
        far += [2**63 - 1, -(2**63)]

    def place(axis):
        return draft.pick(*far) if draft.some(0.15) else draft.random.randint(-shape[axis] - 2, shape[axis] + 2)

    draft.shaping("starts", [place(axis) for axis in axes])
    draft.shaping("ends", [place(axis) for axis in axes])
    if draft.some(0.7) or len(axes) < len(shape) or draft.has("steps"):
        back = draft.schema.since_version >= 10
        draft.shaping("axes", [axis - len(shape) if back and draft.some(0.3) else axis for axis in axes])
    if draft.has("steps") and draft.some(0.7):
        draft.shaping("steps", [draft.pick(1, 1, 2, 3, -1, -1, -2, -7) if not draft.outside() else 0 for _ in axes])


@maker("Pad")
def _pad(draft):
    shape = draft.shape(1)
    draft.data("data", shape)
    mode = draft.pick("constant", "reflect", "edge", *(["wrap"] if draft.schema.since_version >= 19 else []))
    draft.choose("mode", mode, "constant")
    used = list(range(len(shape)))
    if draft.has("axes") and draft.some(0.4):
        used = draft.random.sample(used, draft.random.randint(1, len(shape)))
        draft.shaping("axes", [axis - len(shape) if draft.some(0.3) else axis for axis in used])
    limit = {"constant": 3, "edge": 3}.get(mode, 0)
    pads = []
    for _ in range(2):
        pads += [draft.random.randint(-1 if draft.some(0.3) else 0, limit or max(shape[axis] - 1, 0)) for axis in used]
    draft.shaping("pads", pads if not draft.outside() else [-9] * len(pads))
    # A type without a zero has none to pad with.
    if draft.has("constant_value") and (draft.some() or "e8m0" in draft.type_of("data")):
        draft.data("constant_value", ())
    draft.choose("value", 0.0, 1.5, -3.0)


@maker("CenterCropPad")
def _center_crop_pad(draft):
    shape = draft.shape(1)
    draft.data("input_data", shape)
    axes = list(range(len(shape)))
    if draft.often():
        axes = draft.random.sample(axes, draft.random.randint(1, len(shape)))
        draft.attribute("axes", axes)
    draft.shaping("shape", [draft.size(1, 8) for _ in axes])


@maker("Concat")
def _concat(draft):
    shape = list(draft.shape(1))
    axis = draft.axis(len(shape), None if draft.schema.since_version >= 11 else 0)
    arrays = []
    for _ in range(draft.pick(1, 2, 3)):
        if -len(shape) <= axis < len(shape):
            shape[axis] = draft.size(0, 4)
        arrays.append(draft.array("inputs", shape))
    draft.list("inputs", arrays)
    draft.attribute("axis", axis)


@maker("Split", "SplitToSequence")
def _split(draft):
    shape = list(draft.shape(1))
    axis = draft.axis(len(shape)) if draft.often() else 0
    parts = draft.pick(1, 2, 3)
    if draft.often() or not draft.takes("axis"):
        draft.attribute("axis", axis)
    else:
        axis = 0
    if not -len(shape) <= axis < len(shape):
        axis = 0
    shape[axis] = parts * draft.size(1, 3)
    sizes = [shape[axis] // parts] * parts
    draft.outputs = parts if draft.schema.name == "Split" else None
    if draft.takes("num_outputs") and draft.some():
        draft.attribute("num_outputs", parts)
        shape[axis] -= draft.pick(0, 0, 1) if parts > 1 else 0
    elif draft.some(0.7) or draft.takes("num_outputs"):
        if parts > 1 and draft.some():
            sizes[0], sizes[1] = sizes[0] - 1, sizes[1] + 1
        draft.shaping("split", sizes if not draft.outside() else [99] * parts)
    draft.data("input", shape)


@maker("DepthToSpace", "SpaceToDepth")
def _blocks(draft):
    block = draft.pick(1, 2, 3)
    n, c, h, w = (draft.size(1, 3) for _ in range(4))
    shape = (n, c * block * block, h, w) if draft.schema.name == "DepthToSpace" else (n, c, h * block, w * block)
    draft.data("input", shape)
    draft.attribute("blocksize", block if not draft.outside() else draft.pick(0, 7))
    draft.choose("mode", "DCR", "CRD")


@maker("Trilu")
def _trilu(draft):
    draft.data("input", draft.shape(2))
    if draft.maybe("k"):
        draft.shaping("k", draft.pick(0, 1, -1, 3, -9, 2**40))


@maker("ReverseSequence")
def _reverse_sequence(draft):
    shape = draft.shape(2)
    time = draft.pick(0, 1)
    draft.data("input", shape)
    draft.data("sequence_lens", (shape[1 - time],), 1, max(shape[time], 1))
    draft.attribute("time_axis", time)
    draft.attribute("batch_axis", 1 - time)


# --- Indices ---


def _indices(draft, name, shape, size):
    """Indices into an axis; some count from the end."""
    low = -size if draft.schema.since_version >= 11 and draft.some(0.5) else 0
    high = size - 1
    if draft.outside():
        high = size + 5
    draft.data(name, shape, low, high)


@maker("Gather")
def _gather(draft):
    shape = draft.shape(1)
    axis = draft.axis(len(shape)) if draft.often() else 0
    draft.data("data", shape)
    draft.attribute("axis", axis)
    size = shape[axis] if -len(shape) <= axis < len(shape) else 1
    _indices(draft, "indices", draft.shape(0, 3), size)


@maker("GatherElements")
def _gather_elements(draft):
    shape = draft.shape(1)
    axis = draft.axis(len(shape)) if draft.often() else 0
    draft.data("data", shape)
    draft.attribute("axis", axis)
    axis = axis if -len(shape) <= axis < len(shape) else 0
    other = [draft.random.randint(min(1, size), size) for size in shape]
    other[axis] = draft.size(0, 5)
    _indices(draft, "indices", other, shape[axis])


def _tuples(draft, shape, outer, depth, name="indices"):
    """Tuples of indices into the first axes."""
    outside = 5 if draft.outside() else 0
    low = 0 if draft.some() else 1
    columns = [draft.numbers.integers(-size * low, max(size + outside, 1), size=outer) for size in shape[:depth]]
    array = np.stack(columns, -1) if columns else np.zeros((*outer, 0))
    draft.values[name] = array.astype(draft.dtype_of(name))
    if draft.some(0.3):
        draft.constants.add(name)


@maker("GatherND")
def _gather_nd(draft):
    shape = draft.shape(1)
    batch = draft.random.randint(0, len(shape) - 1) if draft.takes("batch_dims") and draft.some(0.4) else 0
    depth = draft.random.randint(1, len(shape) - batch)
    draft.data("data", shape)
    _tuples(draft, shape[batch:], (*shape[:batch], *draft.shape(0, 2)), depth)
    if batch:
        draft.attribute("batch_dims", batch)


@maker("ScatterND")
def _scatter_nd(draft):
    shape = draft.shape(1)
    depth = draft.random.randint(1, len(shape))
    reduction = draft.pick("none", "add", "mul", "max", "min") if draft.takes("reduction") else "none"
    draft.choose("reduction", reduction, "none")
    draft.data("data", shape)
    draft.values["indices"] = None
    count = draft.size(0, 4) if draft.attributes.get("reduction", "none") != "none" else 1
    _tuples(draft, shape, (count,), depth)
    draft.data("updates", (count, *shape[depth:]))


@maker("ScatterElements", "Scatter")
def _scatter_elements(draft):
    """Without a reduction no element is written twice: which one is left is not specified."""
    shape = draft.shape(1)
    axis = draft.axis(len(shape)) if draft.often() else 0
    draft.choose("reduction", "add", "mul", "max", "min", "none")
    draft.data("data", shape)
    draft.attribute("axis", axis)
    axis = axis if -len(shape) <= axis < len(shape) else 0
    other = [draft.random.randint(min(1, size), size) for size in shape]
    if draft.attributes.get("reduction", "none") in ("none", "no_such_value"):
        axis %= len(shape)
        lines = np.broadcast_to(np.arange(shape[axis]), (*other[:axis], *other[axis + 1 :], shape[axis]))
        order = np.moveaxis(draft.numbers.permuted(lines, axis=-1)[..., : other[axis]], -1, axis)
        draft.values["indices"] = np.ascontiguousarray(order).astype(draft.dtype_of("indices"))
    else:
        _indices(draft, "indices", other, shape[axis])
    draft.data("updates", other)


@maker("TensorScatter")
def _tensor_scatter(draft):
    shape = list(draft.shape(3, 4))
    axis = draft.pick(-2, 1, len(shape) - 1)
    draft.data("past_cache", shape)
    draft.attribute("axis", axis)
    update, total = list(shape), shape[axis]
    update[axis] = min(draft.size(1, 3), total)
    draft.data("update", update)
    draft.choose("mode", "linear", "circular")
    if draft.some(0.7):
        draft.data("write_indices", (shape[0],), 0, total - update[axis])


@maker("OneHot")
def _one_hot(draft):
    depth = draft.size(1, 6)
    draft.data("indices", draft.shape(0, 3), -depth - 1, depth + 1)
    draft.shaping("depth", draft.pick(depth, [depth]))
    draft.data("values", (2,))
    rank = draft.values["indices"].ndim + 1
    if draft.often():
        draft.attribute("axis", draft.axis(rank))


@maker("Compress")
def _compress(draft):
    shape = draft.shape(1)
    draft.data("input", shape)
    axis = draft.axis(len(shape)) if draft.some() else None
    size = math.prod(shape) if axis is None or not -len(shape) <= axis < len(shape) else shape[axis]
    draft.data("condition", (draft.random.randint(min(1, size), size),))
    if axis is not None:
        draft.attribute("axis", axis)


@maker("Unique")
def _unique(draft):
    shape = draft.shape(1, 3)
    draft.data("X", shape, 0, 3)
    if draft.often():
        draft.attribute("axis", draft.axis(len(shape)))
    draft.outputs = draft.pick(1, 2, 3, 4)


@maker("TopK")
def _top_k(draft):
    """Elements are different: which of equal ones comes is specified only for sorted results."""
    shape = draft.shape(1)
    axis = draft.axis(len(shape)) if draft.often() else -1
    draft.attribute("axis", axis)
    dtype = draft.dtype_of("X")
    count = math.prod(shape)
    numbers = draft.numbers.permutation(count) - (0 if dtype.kind == "u" else count // 2)
    draft.values["X"] = numbers.reshape(shape).astype(dtype)
    size = shape[axis] if -len(shape) <= axis < len(shape) else 1
    k = draft.random.randint(0, size) if not draft.outside() else size + 2
    draft.shaping("K", [k])
    draft.attribute("k", k)


@maker("CumSum", "CumProd")
def _cumulative(draft):
    shape = draft.shape(1)
    draft.data("x", shape)
    axis = draft.axis(len(shape))
    draft.shaping("axis", draft.pick(axis, [axis]))


@maker("ArgMax", "ArgMin")
def _arg(draft):
    draft.data("data", draft.shape(1))
    draft.clean("data", infinite=True)


REDUCTIONS = ("L1", "L2", "LogSum", "LogSumExp", "Max", "Mean", "Min", "Prod", "Sum", "SumSquare")


@maker(*(f"Reduce{name}" for name in REDUCTIONS))
def _reduce(draft):
    shape = draft.shape()
    if draft.schema.name == "ReduceLogSum":
        draft.data("data", shape, 0, 5)
    elif draft.schema.name == "ReduceProd":
        draft.data("data", shape, -3, 3)
    elif types.is_integer(draft.dtype_of("data")) and draft.schema.name not in ("ReduceMax", "ReduceMin"):
        # Sums that do not fit are not specified.
        draft.data("data", shape, -9, 9)
    else:
        draft.data("data", shape)
    if draft.some(0.75):
        draft.shaping("axes", draft.axes(len(shape)))


@maker("NonZero")
def _non_zero(draft):
    draft.data("X", draft.shape(), 0, 2)
    if draft.dtype_of("X").kind == "b" or types.element_of(draft.type_of("X")) == "string":
        draft.data("X", draft.shape())


@maker("Einsum")
def _einsum(draft):
    equations = (
        ("ij,jk->ik", (2, 2)), ("bij,bjk->bik", (3, 3)), ("ij->ji", (2,)), ("ij,ij->", (2, 2)), ("i,j->ij", (1, 1)),
        ("ii->i", (2,)), ("ii", (2,)), ("ij,jk", (2, 2)), ("...ij,...jk->...ik", (3, 3)), ("ij->i", (2,)),
        ("bij, bkj -> bik", (3, 3)), ("ij,kj,jl->ikl", (2, 2, 2)), ("...i->...", (3,)), ("ba,cb->ac", (2, 2)),
        ("abc,cd->abd", (3, 2)), ("i,i->", (1, 1)), ("...,...->...", (2, 2)), ("ijk->kij", (3,)),
    )  # fmt: skip
    equation, ranks = draft.pick(*equations)
    sizes = {letter: draft.size() for letter in "abcdijklmn"}
    arrays = []
    for term, rank in zip(equation.split("->")[0].replace(" ", "").split(","), ranks):
        letters = term.replace("...", "")
        shape = [2] * (rank - len(letters)) + [sizes[letter] for letter in letters]
        arrays.append(draft.array("Inputs", shape))
    draft.list("Inputs", arrays)
    draft.attribute("equation", equation if not draft.outside() else draft.pick("ij->k", "i..j", ""))
