"""Operations that read between elements: GridSample, RoiAlign, DeformConv.

Positions of static shapes; each corner of a position's cell is one Gather from the
data, whose spatial axes are one. Semantics are those of ONNX's operator
specification.
"""

from __future__ import annotations

import itertools
import math

import numpy as np
from onnx import TensorProto

from hetero.importers.rewrites.builder import Builder, Node, Value


class _Field:
    """Data of [batch, channels, *spatial], read at positions of [batch or 1, points].

    Groups of channels may be images of their own.
    """

    def __init__(self, b: Builder, data: Value, groups: int = 1):
        self.b = b
        self.sizes = data.shape[2:]
        self.batch, self.channels = data.shape[0] * groups, data.shape[1] // groups
        self.count = math.prod(self.sizes)
        planes = data.reshape(self.batch, self.channels, *self.sizes) if groups > 1 else data
        axes = [0, *range(2, len(data.shape)), 1]
        self._rows = planes.transpose(*axes).reshape(self.batch * self.count, self.channels)
        self._first_rows = b.constant(np.arange(self.batch, dtype=np.int64).reshape(-1, 1) * self.count)

    def read(self, positions, first_rows: Value | None = None) -> Value:
        """The elements at whole positions, one value an axis, which lie within: [batch, points, channels]."""
        index = first_rows or self._first_rows
        for position, stride in zip(positions, self._strides()):
            index = position.cast(TensorProto.INT64) * stride + index
        return self.b.op("Gather", self._rows, index, axis=0, dtype=self._rows.dtype)

    def _strides(self):
        return [math.prod(self.sizes[axis + 1 :]) for axis in range(len(self.sizes))]


def _clamp(b: Builder, value: Value, low: float, high: float) -> Value:
    return b.op("Min", b.op("Max", value, low), high)


def _reflect(b: Builder, value: Value, low: float, high: float) -> Value:
    """The position with the borders as mirrors."""
    span = high - low
    if span <= 0:
        return b.op("Add", b.zeros_like(value), low)
    distance = b.op("Abs", value - low)
    turns = b.op("Floor", distance / span)
    rest = distance - turns * span
    is_even = b.op("Equal", turns - b.op("Floor", turns / 2.0) * 2.0, 0.0)
    return b.where(is_even, rest + low, high - rest)


def _weights(b: Builder, fraction: Value, mode: str):
    """Offsets from the position's cell, each with its weight."""
    if mode == "linear":
        return [(0, 1.0 - fraction), (1, fraction)]
    a = -0.75
    near = [fraction, 1.0 - fraction]
    far = [fraction + 1.0, 2.0 - fraction]
    inner = [((x * (a + 2)) - (a + 3)) * x * x + 1.0 for x in near]
    outer = [(((x * a) - 5 * a) * x + 8 * a) * x - 4 * a for x in far]
    return [(-1, outer[0]), (0, inner[0]), (1, inner[1]), (2, outer[1])]


def _place(b: Builder, position: Value, size: int, padding: str, corners: bool):
    """A whole position that lies within the axis, and whether it did before (None: it counts)."""
    if padding == "border":
        return _clamp(b, position, 0.0, size - 1.0), None
    if padding == "reflection":
        low, high = (0.0, size - 1.0) if corners else (-0.5, size - 0.5)
        return _clamp(b, b.op("Round", _reflect(b, position, low, high)), 0.0, size - 1.0), None
    within = (position >= 0.0) & (position <= size - 1.0)
    return _clamp(b, position, 0.0, size - 1.0), within


def sample(b: Builder, field: _Field, positions, mode: str, padding: str, corners: bool) -> Value:
    """The data at positions of [batch, points], one value an axis, in elements: [batch, points, channels]."""
    choices = []
    for position, size in zip(positions, field.sizes):
        if mode == "nearest":
            choices.append([(*_place(b, position, size, padding, corners), None)])
            continue
        cell = b.op("Floor", position)
        taps = _weights(b, position - cell, mode)
        choices.append([(*_place(b, cell + float(tap), size, padding, corners), weight) for tap, weight in taps])
    total = None
    for corner in itertools.product(*choices):
        value = field.read([place for place, _, _ in corner])
        for _, within, weight in corner:
            if within is not None:
                value = b.where(within.unsqueeze(-1), value, 0.0)
            if weight is not None:
                value = value * weight.unsqueeze(-1).cast(value.dtype)
        total = value if total is None else total + value
    return total


def _denormalize(number: Value, size: int, corners: bool) -> Value:
    """A position in [-1, 1] in elements."""
    if corners:
        return (number + 1.0) * ((size - 1) / 2.0)
    return ((number + 1.0) * float(size) - 1.0) / 2.0


def rewrite_grid_sample(b: Builder, node: Node):
    """GridSample of any rank, mode and padding; the last axis of the grid is the first of the position."""
    data, grid = node.inputs[:2]
    if not data.is_static or not grid.is_static:
        return None
    mode = {"bilinear": "linear", "bicubic": "cubic"}.get(node.get("mode", "linear"), node.get("mode", "linear"))
    padding, corners = node.get("padding_mode", "zeros"), bool(node.get("align_corners", 0))
    field = _Field(b, data)
    rank, points = len(field.sizes), math.prod(grid.shape[1:-1])
    flat = grid.reshape(grid.shape[0], points, rank)
    positions = []
    for axis, size in enumerate(field.sizes):
        position = _denormalize(flat.slice(2, rank - 1 - axis, rank - axis).squeeze(2), size, corners)
        if mode == "nearest":
            position = b.op("Round", position)
        if padding == "border":
            position = _clamp(b, position, 0.0, size - 1.0)
        elif padding == "reflection":
            position = _reflect(b, position, *((0.0, size - 1.0) if corners else (-0.5, size - 0.5)))
        positions.append(position)
    result = sample(b, field, positions, mode, padding, corners)
    return result.transpose(0, 2, 1).reshape(data.shape[0], data.shape[1], *grid.shape[1:-1])


def _bin_positions(start: Value, size: Value, bins: int, samples: int) -> Value:
    """Samples of each bin of an axis: [rois, bins * samples]."""
    steps = np.array([i + (j + 0.5) / samples for i in range(bins) for j in range(samples)])
    return start + size * steps.reshape(1, -1).astype(np.float32)


def rewrite_roi_align(b: Builder, node: Node):
    """RoiAlign with a number of samples that does not depend on the regions."""
    data, rois, batches = node.inputs[:3]
    samples = node.get("sampling_ratio", 0)
    if not data.is_static or not rois.is_static or samples < 1:
        return None
    default = "half_pixel" if b.opset >= 16 else "output_half_pixel"
    half = node.get("coordinate_transformation_mode", default) == "half_pixel"
    scale, count = float(node.get("spatial_scale", 1.0)), rois.shape[0]
    bounds = [rois.slice(1, i, i + 1) * scale - (0.5 if half else 0.0) for i in range(4)]
    axes = []
    for axis, bins in enumerate((node.get("output_height", 1), node.get("output_width", 1))):
        extent = bounds[3 - axis] - bounds[1 - axis]
        if not half:
            extent = b.op("Max", extent, 1.0)
        axes.append((_bin_positions(bounds[1 - axis], extent / float(bins), bins, samples), bins))
    rows, columns = axes[0][1] * samples, axes[1][1] * samples
    field = _Field(b, data)
    first = batches.cast(TensorProto.INT64).reshape(count, 1, 1) * field.count
    corners, within = [], None
    for axis, size in enumerate(field.sizes):
        position = axes[axis][0].reshape(*((count, rows, 1), (count, 1, columns))[axis])
        is_in = (position >= -1.0) & (position <= float(size))
        within = is_in if within is None else within & is_in
        position = _clamp(b, position, 0.0, size - 1.0)
        low = b.op("Floor", position)
        high = b.op("Min", low + 1.0, size - 1.0)
        corners.append([(low, 1.0 - (position - low)), (high, position - low)])
    terms = []
    for (y, weight_y), (x, weight_x) in itertools.product(*corners):
        weight = b.where(within, weight_y * weight_x, 0.0)
        terms.append(field.read((y, x), first) * weight.unsqueeze(-1).cast(data.dtype))
    is_max = node.get("mode", "avg") == "max"
    total = terms[0]
    for term in terms[1:]:
        total = b.op("Max", total, term) if is_max else total + term
    boxes = total.reshape(count, axes[0][1], samples, axes[1][1], samples, field.channels)
    pooled = b.reduce("ReduceMax" if is_max else "ReduceMean", boxes, [2, 4])
    return pooled.transpose(0, 3, 1, 2)


def _kernel_starts(node: Node, outputs, kernel):
    """The positions without offsets, one array an axis: [1, 1, *kernel, *outputs]."""
    strides, dilations, pads = (node.get(name) for name in ("strides", "dilations", "pads"))
    rank = len(kernel)
    starts = []
    for axis in range(rank):
        step = np.arange(outputs[axis]) * (strides[axis] if strides else 1) - (pads[axis] if pads else 0)
        tap = np.arange(kernel[axis]) * (dilations[axis] if dilations else 1)
        shape = [1] * (2 + 2 * rank)
        shape[2 + axis], shape[2 + rank + axis] = kernel[axis], outputs[axis]
        starts.append((tap[:, None] + step[None, :]).reshape(shape).astype(np.float32))
    return starts


def rewrite_deform_conv(b: Builder, node: Node):
    """DeformConv: its data is sampled at all positions of the kernel, the rest is a grouped 1x1 convolution."""
    data, weight, offset, bias, mask = (node.input(position) for position in range(5))
    if not all(value.is_static for value in (data, weight, offset)):
        return None
    kernel, outputs = list(weight.shape[2:]), list(offset.shape[2:])
    batch, channels = data.shape[:2]
    groups, taps = node.get("offset_group", 1), math.prod(kernel)
    rank, points = len(kernel), math.prod(outputs)
    moved = offset.reshape(batch, groups, *kernel, rank, *outputs)
    field = _Field(b, data, groups)
    positions = []
    for axis, start in enumerate(_kernel_starts(node, outputs, kernel)):
        own = moved.slice(2 + rank, axis, axis + 1).squeeze(2 + rank)
        positions.append((own + b.constant(start).cast(offset.dtype)).reshape(batch * groups, taps * points))
    read = sample(b, field, positions, "linear", "zeros", True)
    if mask is not None:
        read = read * mask.reshape(batch * groups, taps * points, 1)
    columns = read.reshape(batch, groups, taps, points, channels // groups).transpose(0, 1, 4, 2, 3)
    columns = columns.reshape(batch, channels * taps, 1, points)
    flat = weight.reshape(weight.shape[0], weight.shape[1] * taps, 1, 1)
    result = b.op("Conv", columns, flat, bias, group=node.get("group", 1), kernel_shape=[1, 1], dtype=data.dtype)
    return result.reshape(batch, weight.shape[0], *outputs)
