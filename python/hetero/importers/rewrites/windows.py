"""Convolutions and pooling with attributes that torch-mlir lacks.

Semantics are those of ONNX's operator specification.
"""

from __future__ import annotations

import math

import numpy as np
from onnx import TensorProto, helper

from hetero.importers.rewrites.builder import Builder, Node


def _ones(node: Node, name: str, rank: int):
    return list(node.get(name) or [1] * rank)


def _split_same(total: int, auto_pad: str) -> tuple:
    """Padding before and after; the odd one is at the end for SAME_UPPER."""
    return (total // 2, total - total // 2) if auto_pad == "SAME_UPPER" else (total - total // 2, total // 2)


def _find_pads(node: Node, sizes, kernel, strides, dilations):
    """Padding before all axes and after all axes, with what auto_pad and ceil_mode ask for."""
    rank, auto_pad = len(kernel), node.get("auto_pad", "NOTSET")
    pads = list(node.get("pads") or [0] * (2 * rank))
    for axis in range(rank):
        extent = (kernel[axis] - 1) * dilations[axis] + 1
        if auto_pad.startswith("SAME"):
            count = -(-sizes[axis] // strides[axis])
            total = max((count - 1) * strides[axis] + extent - sizes[axis], 0)
            pads[axis], pads[axis + rank] = _split_same(total, auto_pad)
        elif node.get("ceil_mode", 0):
            pads[axis + rank] += -(sizes[axis] + pads[axis] + pads[axis + rank] - extent) % strides[axis]
    return pads


def rewrite_lp_pool(b: Builder, node: Node):
    """LpPool as the root of sums of powers: a convolution with ones."""
    data, kernel = node.inputs[0], node.get("kernel_shape")
    if not data.is_static:
        return None
    rank = len(kernel)
    strides, dilations = _ones(node, "strides", rank), _ones(node, "dilations", rank)
    pads = _find_pads(node, data.shape[2:], kernel, strides, dilations)
    exponent = float(node.get("p", 2))
    planes = data.reshape(data.shape[0] * data.shape[1], 1, *data.shape[2:])
    powers = b.op("Pow", b.op("Abs", planes), exponent)
    ones = b.constant(np.ones([1, 1, *kernel]), data.dtype)
    sums = b.op("Conv", powers, ones, kernel_shape=kernel, strides=strides, dilations=dilations, pads=pads)
    counts = [
        (size + pads[i] + pads[i + rank] - (kernel[i] - 1) * dilations[i] - 1) // strides[i] + 1
        for i, size in enumerate(data.shape[2:])
    ]
    return b.op("Pow", sums, 1 / exponent).reshape(data.shape[0], data.shape[1], *counts)


def _count_windows(size, before, after, extent, stride) -> int:
    """The windows along an axis where the last may be cut, none of which starts after the data."""
    count = -(-(size + before + after - extent) // stride) + 1
    return count - 1 if (count - 1) * stride >= size + before else count


def rewrite_average_pool(b: Builder, node: Node):
    """AveragePool whose last windows may be cut: sums, over how many elements each has."""
    data, kernel = node.inputs[0], node.get("kernel_shape")
    rank, sizes = len(kernel), (data.shape or [])[2:]
    strides, dilations = _ones(node, "strides", rank), _ones(node, "dilations", rank)
    pads_count = bool(node.get("count_include_pad", 0))
    if not node.get("ceil_mode", 0) or not data.is_static or not pads_count and max(dilations) == 1:
        return None
    if node.get("auto_pad", "NOTSET") != "NOTSET":
        return None
    pads = list(node.get("pads") or [0] * (2 * rank))
    shares, counts = np.ones([1] * rank), []
    for axis in range(rank):
        before, after, extent = pads[axis], pads[axis + rank], (kernel[axis] - 1) * dilations[axis] + 1
        count = _count_windows(sizes[axis], before, after, extent, strides[axis])
        taps = np.arange(count)[:, None] * strides[axis] + np.arange(kernel[axis]) * dilations[axis]
        low, high = (0, sizes[axis] + before + after) if pads_count else (before, before + sizes[axis])
        own = ((taps >= low) & (taps < high)).sum(1)
        shares = shares * own.reshape([-1 if i == axis else 1 for i in range(rank)])
        counts.append(count)
        pads[axis + rank] = (count - 1) * strides[axis] + extent - sizes[axis] - before
    planes = data.reshape(data.shape[0] * data.shape[1], 1, *sizes)
    planes = _cut(b, planes, [0] * rank + [max(-after, 0) for after in pads[rank:]], sizes)
    how = {"kernel_shape": kernel, "strides": strides, "dilations": dilations}
    how["pads"] = pads[:rank] + [max(after, 0) for after in pads[rank:]]
    sums = b.op("Conv", planes, b.constant(np.ones([1, 1, *kernel]), data.dtype), **how)
    means = sums / b.constant(shares[None, None], data.dtype)
    return means.reshape(data.shape[0], data.shape[1], *counts)


def _transposed_pads(node: Node, full, wanted):
    """What a ConvTranspose cuts off the full result before all axes and after all; less than 0 where it adds zeros."""
    rank = len(full)
    if wanted is None:
        return list(node.get("pads") or [0] * (2 * rank))
    pairs = [_split_same(have - want, node.get("auto_pad", "NOTSET")) for have, want in zip(full, wanted)]
    # What is too short is longer at the end.
    pairs = [pair if sum(pair) >= 0 else (0, sum(pair)) for pair in pairs]
    return [before for before, _ in pairs] + [after for _, after in pairs]


def _cut(b: Builder, value, pads, full):
    """The value without these margins of its spatial axes."""
    rank = len(full)
    for axis in range(rank):
        before, after = pads[axis], pads[axis + rank]
        if before or after > 0:
            value = value.slice(axis + 2, before, full[axis] - max(after, 0))
    missing = [max(-after, 0) for after in pads[rank:]]
    if any(missing):
        value = b.op("Pad", value, np.array([0] * (rank + 4) + missing, np.int64))
    return value


def rewrite_conv_transpose(b: Builder, node: Node):
    """ConvTranspose of several groups as one each, and with padding that is not the same on both sides."""
    data, weight, bias = (node.input(position) for position in range(3))
    if not data.is_static or not weight.is_static:
        return None
    groups, kernel, sizes = node.get("group", 1), list(weight.shape[2:]), data.shape[2:]
    rank = len(kernel)
    strides, dilations = _ones(node, "strides", rank), _ones(node, "dilations", rank)
    extra = list(node.get("output_padding") or [0] * rank)
    full = [
        strides[i] * (sizes[i] - 1) + extra[i] + (kernel[i] - 1) * dilations[i] + 1 for i in range(rank)
    ]
    wanted = node.get("output_shape")
    if wanted is None and node.get("auto_pad", "NOTSET").startswith("SAME"):
        wanted = [size * stride for size, stride in zip(sizes, strides)]
    pads = _transposed_pads(node, full, wanted and list(wanted)[-rank:])
    is_even = pads[:rank] == pads[rank:] and min(pads) >= 0
    if groups == 1 and is_even and wanted is None:
        return None
    how = {"kernel_shape": kernel, "strides": strides, "dilations": dilations, "output_padding": extra}
    how["pads"] = pads if is_even else [0] * (2 * rank)
    size, count = data.shape[1] // groups, weight.shape[1]
    parts = []
    for group in range(groups):
        inputs = [data, weight, bias] if groups == 1 else [
            data.slice(1, group * size, (group + 1) * size),
            weight.slice(0, group * size, (group + 1) * size),
            bias.slice(0, group * count, (group + 1) * count) if bias else None,
        ]
        parts.append(b.op("ConvTranspose", *inputs, **how))
    result = b.concat(parts, 1)
    return result if is_even else _cut(b, result, pads, full)


def rewrite_conv_integer(b: Builder, node: Node):
    """ConvInteger as a convolution of 32-bit numbers without their zero points."""
    data, weight, zero, weight_zero = (node.input(position) for position in range(4))
    if not data.is_static or not weight.is_static:
        return None
    kernel, rank = list(weight.shape[2:]), data.rank - 2
    strides, dilations = _ones(node, "strides", rank), _ones(node, "dilations", rank)
    pads = _find_pads(node, data.shape[2:], kernel, strides, dilations)
    wide = data.cast(TensorProto.INT32)
    if zero is not None:
        wide = wide - zero.cast(TensorProto.INT32)
    if any(pads):
        wide = b.op("Pad", wide, np.array([0, 0, *pads[:rank], 0, 0, *pads[rank:]], np.int64))
    taps = weight.cast(TensorProto.INT32)
    if weight_zero is not None:
        offset = weight_zero.cast(TensorProto.INT32)
        taps = taps - (offset if weight_zero.rank == 0 else offset.reshape(-1, *[1] * (weight.rank - 1)))
    how = {"kernel_shape": kernel, "strides": strides, "dilations": dilations, "group": node.get("group", 1)}
    return b.op("Conv", wide, taps, **how)


def rewrite_col2im(b: Builder, node: Node):
    """Col2Im as a transposed convolution that puts each row of a block at its place."""
    columns, image, block = node.inputs[:3]
    if not columns.is_static or image.array is None or block.array is None:
        return None
    sizes, kernel = image.array.tolist(), block.array.tolist()
    rank, taps = len(kernel), math.prod(kernel)
    strides, dilations = _ones(node, "strides", rank), _ones(node, "dilations", rank)
    pads = list(node.get("pads") or [0] * (2 * rank))
    reach = [
        sizes[i] + pads[i] + pads[i + rank] - (kernel[i] - 1) * dilations[i] - 1 for i in range(rank)
    ]
    blocks = [room // stride + 1 for room, stride in zip(reach, strides)]
    batch, channels = columns.shape[0], columns.shape[1] // taps
    weight = np.eye(taps, dtype=helper.tensor_dtype_to_np_dtype(columns.dtype)).reshape(taps, 1, *kernel)
    extra = [room % stride for room, stride in zip(reach, strides)]
    how = {"kernel_shape": kernel, "strides": strides, "dilations": dilations, "pads": pads, "output_padding": extra}
    data = columns.reshape(batch * channels, taps, *blocks)
    return b.op("ConvTranspose", data, weight, **how).reshape(batch, channels, *sizes)


def rewrite_max_unpool(b: Builder, node: Node):
    """MaxUnpool as a scatter into zeros of the size that the window tells, and more zeros up to output_shape."""
    data, places, wanted = (node.input(position) for position in range(3))
    kernel = node.get("kernel_shape")
    if not data.is_static or wanted is not None and wanted.array is None:
        return None
    rank = len(kernel)
    strides, pads = _ones(node, "strides", rank), list(node.get("pads") or [0] * (2 * rank))
    sizes = list(data.shape[:2]) + [
        (data.shape[i + 2] - 1) * strides[i] - pads[i] - pads[i + rank] + kernel[i] for i in range(rank)
    ]
    zeros = b.constant(np.zeros(math.prod(sizes)), data.dtype)
    filled = b.op("ScatterElements", zeros, places.reshape(-1), data.reshape(-1), axis=0).reshape(*sizes)
    if wanted is None or wanted.array.tolist() == sizes:
        return filled
    return b.op("Pad", filled, np.array([0] * len(sizes) + [w - s for w, s in zip(wanted.array, sizes)], np.int64))
