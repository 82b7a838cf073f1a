"""Operations that move, choose and combine elements, in forms that torch-mlir imports.

Semantics are those of ONNX's operator specification.
"""

from __future__ import annotations

import math

import numpy as np
from onnx import TensorProto

from hetero.importers.rewrites.builder import Builder, Node, Value


def rewrite_cumulative_product(b: Builder, node: Node):
    """CumProd along an axis of a known size, by products of ever longer pieces."""
    data, axis = node.inputs[:2]
    if data.rank is None or axis.array is None:
        return None
    place = int(axis.array.item()) % data.rank
    size = data.shape[place]
    if size is None:
        return None
    backward = bool(node.get("reverse", 0))

    def shift(value, steps: int):
        """The value moved on along the axis, with ones where it came from."""
        kept = value.slice(place, steps) if backward else value.slice(place, 0, size - steps)
        pads = np.zeros([2, data.rank], np.int64)
        pads[1 if backward else 0, place] = steps
        return b.op("Pad", kept, pads.reshape(-1), b.constant(1, data.dtype))

    result = shift(data, 1) if node.get("exclusive", 0) else data
    steps = 1
    while steps < size:
        result = result * shift(result, steps)
        steps *= 2
    return result if result is not data else b.op("Identity", data)


def rewrite_compress(b: Builder, node: Node):
    """Compress by a condition that is constant."""
    data, condition = node.inputs[:2]
    if condition.array is None:
        return None
    places = np.flatnonzero(condition.array).astype(np.int64)
    axis = node.get("axis")
    if axis is None:
        data, axis = data.reshape(-1), 0
    return b.op("Gather", data, places, axis=axis)


def rewrite_tensor_scatter(b: Builder, node: Node):
    """TensorScatter as ScatterElements at places that start at each batch's index."""
    cache, update, starts = (node.input(position) for position in range(3))
    if not cache.is_static or not update.is_static:
        return None
    axis = node.get("axis", -2) % cache.rank
    shape = [1] * cache.rank
    shape[axis] = update.shape[axis]
    places = b.constant(np.arange(update.shape[axis], dtype=np.int64).reshape(shape))
    if starts is not None:
        places = starts.cast(TensorProto.INT64).reshape(-1, *[1] * (cache.rank - 1)) + places
    if node.get("mode", "linear") == "circular":
        places = b.op("Mod", places, cache.shape[axis])
    everywhere = b.op("Expand", places, np.array(update.shape, np.int64))
    return b.op("ScatterElements", cache, everywhere, update, axis=axis)


def rewrite_product(b: Builder, node: Node):
    """MatMul of a vector and something of a higher rank than two, as one of a matrix."""
    left, right = node.inputs[:2]
    if None in (left.rank, right.rank) or 1 not in (left.rank, right.rank) or max(left.rank, right.rank) < 3:
        return None
    if left.rank == 1:
        return (left.unsqueeze(0) @ right).squeeze(-2)
    return (left @ right.unsqueeze(-1)).squeeze(-1)


def rewrite_reduce_product(b: Builder, node: Node):
    """ReduceProd that drops its axes, as one that keeps them."""
    data, axes = node.inputs[0], node.input(1)
    if node.get("keepdims", 1) or node.get("noop_with_empty_axes", 0) or data.rank is None:
        return None
    if axes is not None and axes.array is None:
        return None
    places = list(node.get("axes") or ([] if axes is None else axes.array.tolist()) or range(data.rank))
    return b.reduce("ReduceProd", data, places, keepdims=True).squeeze(*places)


def rewrite_reduce_extreme(b: Builder, node: Node):
    """ReduceMin and ReduceMax of conditions, as those of integers: torch-mlir compares i1 with sign."""
    if node.inputs[0].dtype != TensorProto.BOOL:
        return None
    how = {name: node.get(name) for name in ("axes", "keepdims", "noop_with_empty_axes") if node.get(name) is not None}
    numbers = node.inputs[0].cast(TensorProto.INT32)
    return b.op(node.proto.op_type, numbers, *node.inputs[1:], **how).cast(TensorProto.BOOL)


def rewrite_lp_normalization(b: Builder, node: Node):
    """LpNormalization, with 0 where the norm is."""
    data, axis = node.inputs[0], node.get("axis", -1)
    if node.get("p", 2) == 1:
        norm = b.reduce("ReduceSum", b.op("Abs", data), [axis], keepdims=True)
    else:
        norm = b.op("Sqrt", b.reduce("ReduceSum", data * data, [axis], keepdims=True))
    is_zero = b.op("Equal", norm, 0.0)
    return b.where(is_zero, 0.0, data / b.where(is_zero, 1.0, norm))


def rewrite_gelu(b: Builder, node: Node):
    """Gelu by the hyperbolic tangent: torch-mlir's constant is wrong in the fourth digit."""
    if node.get("approximate", "none") != "tanh":
        return None
    x = node.inputs[0]
    return x * 0.5 * (b.op("Tanh", (x + x * x * x * 0.044715) * math.sqrt(2 / math.pi)) + 1.0)


def order_corners(b: Builder, node: Node):
    """NonMaxSuppression of boxes whose corners are any two opposite ones, with the lower one first."""
    mark = order_corners.__name__
    if node.get("center_point_box", 0) or node.proto.doc_string == mark:
        return None
    first, second = node.inputs[0].slice(2, 0, 2), node.inputs[0].slice(2, 2, 4)
    boxes = b.concat([b.op("Min", first, second), b.op("Max", first, second)], 2)
    return b.op("NonMaxSuppression", boxes, *node.inputs[1:], dtype=TensorProto.INT64, doc_string=mark)


def rewrite_space_to_depth(b: Builder, node: Node):
    """SpaceToDepth whose channels are the slower index (mode CRD)."""
    data, size = node.inputs[0], node.get("blocksize")
    if node.get("mode", "DCR") != "CRD" or not data.is_static:
        return None
    batch, channels, rows, columns = data.shape
    blocks = data.reshape(batch, channels, rows // size, size, columns // size, size).transpose(0, 1, 3, 5, 2, 4)
    return blocks.reshape(batch, channels * size * size, rows // size, columns // size)


def rewrite_feature_extractor(b: Builder, node: Node):
    """ArrayFeatureExtractor: columns of the last axis."""
    data, places = node.inputs[:2]
    columns = b.op("Gather", data, places.reshape(-1), axis=-1)
    return columns.unsqueeze(0) if data.rank == 1 else columns


def rewrite_binarizer(b: Builder, node: Node):
    """Binarizer: 1 above the threshold, else 0."""
    return (node.inputs[0] > float(node.get("threshold", 0.0))).cast(node.inputs[0].dtype)


def rewrite_scatter_extreme(b: Builder, node: Node):
    """ScatterElements that keeps the larger or the smaller: one scatter for each place along the axis, in turn."""
    data, places, updates = node.inputs[:3]
    kind = {"max": "Max", "min": "Min"}.get(node.get("reduction", "none"))
    if kind is None or not data.is_static or not places.is_static or places.shape != updates.shape:
        return None
    axis = node.get("axis", 0) % data.rank
    if places.shape[axis] > 64:
        return None
    result, place_shape = data, list(places.shape)
    place_shape[axis] = data.shape[axis]
    for turn in range(places.shape[axis]):
        place, update = places.slice(axis, turn, turn + 1), updates.slice(axis, turn, turn + 1)
        place = b.where(place < 0, place + data.shape[axis], place)
        # Lines of the data beside those that the places name stay as they are.
        missing = [whole - part for whole, part in zip(data.shape, place_shape)]
        pads = [0] * data.rank + missing
        if any(pads):
            place = b.op("Pad", place, np.array(pads, np.int64), b.constant(0, TensorProto.INT64))
            update = b.op("Pad", update, np.array(pads, np.int64), b.constant(_neutral(data.dtype, kind), data.dtype))
        old = b.op("GatherElements", result, place, axis=axis)
        result = b.op("ScatterElements", result, place, b.op(kind, old, update), axis=axis)
    return result


def _neutral(dtype: int, kind: str):
    """What a maximum or minimum with leaves a number as it is."""
    from onnx import helper

    own = np.dtype(helper.tensor_dtype_to_np_dtype(dtype))
    if own.kind in "iu":
        return np.iinfo(own).min if kind == "Max" else np.iinfo(own).max
    return -np.inf if kind == "Max" else np.inf


def rewrite_reverse_sequence(b: Builder, node: Node):
    """The beginnings of sequences of dynamic sizes, turned round: torch-mlir leaves them as they are."""
    data, lengths = node.inputs
    if data.rank is None or data.is_static:
        return None
    time = node.get("time_axis", 0)
    row = (-1, 1) if time == 0 else (1, -1)
    size = data.size(time)
    turns = b.op("Range", b.constant(0, TensorProto.INT64), size, 1).reshape(*row)
    lengths = lengths.cast(TensorProto.INT64).reshape(*reversed(row))
    places = b.where(turns < lengths, lengths - 1 - turns, turns)
    if data.rank > 2:
        places = places.unsqueeze(*range(2, data.rank))
    return b.op("GatherElements", data, b.op("Expand", places, b.op("Shape", data)), axis=time)


def _find_group(shape, sizes):
    """The dimensions that a -1 stands for, as (first, after the last); None where the others are not at its sides."""
    place = sizes.index(-1)
    if any(size not in (0, shape[axis]) for axis, size in enumerate(sizes[:place])) or 0 in sizes[place:]:
        return None
    rest, last = math.prod(sizes[place + 1 :]), len(shape)
    product = 1
    while product < rest and last > place and shape[last - 1] is not None:
        last -= 1
        product *= shape[last]
    return (place, last) if product == rest else None


def rewrite_reshape(b: Builder, node: Node):
    """A -1 for several dynamic dimensions: torch-mlir takes it for the first one, and the others for ones."""
    data, target = node.inputs
    sizes = [] if target.array is None or data.shape is None else target.array.tolist()
    if sizes.count(-1) != 1 or node.get("allowzero", 0) or sizes.index(-1) > len(data.shape):
        return None
    group = _find_group(data.shape, sizes)
    if group is None or data.shape[slice(*group)].count(None) < 2:
        return None
    first, last = group
    if first == 0:
        flat = b.op("Flatten", data, axis=last)
        return flat if len(sizes) == 2 else flat.reshape(*sizes)
    shape = b.op("Shape", data)
    product = b.reduce("ReduceProd", shape.slice(0, first, last), [0], keepdims=True)
    tail = [b.constant(np.array(sizes[first + 1 :], np.int64))] if sizes[first + 1 :] else []
    return b.op("Reshape", data, b.concat([shape.slice(0, 0, first), product, *tail], 0))


def _has_large_zero(value: Value, zero: Value | None) -> bool:
    """Whether the zero point of unsigned numbers may be none of signed ones."""
    if value.dtype != TensorProto.UINT8 or zero is None:
        return False
    return zero.array is None or bool((zero.array > 127).any())


def rewrite_integer_product(b: Builder, node: Node):
    """A MatMulInteger of unsigned numbers: torch-mlir takes their zero points for signed ones."""
    factors, zeros = node.inputs[:2], [node.input(2), node.input(3)]
    if not any(map(_has_large_zero, factors, zeros)):
        return None
    wide = [value.cast(TensorProto.INT32) for value in factors]
    for number, zero in enumerate(zeros):
        if zero is None:
            continue
        zero_of_rows = number == 0 and zero.rank == 1
        zero = zero.cast(TensorProto.INT32)
        wide[number] = wide[number] - (zero.reshape(-1, 1) if zero_of_rows else zero)
    return wide[0] @ wide[1]
