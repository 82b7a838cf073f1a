"""Resize as products with one matrix an axis, which has the weights of the specification's formulas."""

from __future__ import annotations

import math

import numpy as np
from onnx import TensorProto

from hetero.importers.rewrites.builder import Builder, Node

# Elements of a matrix that is made.
_LIMIT = 1 << 22


def _positions(size: int, scale: float, count: int, mode: str, roi) -> np.ndarray:
    """Where each of `count` results reads, in elements of the axis."""
    x, length = np.arange(count, dtype=np.float64), scale * size
    if mode == "align_corners":
        return x * 0 if length == 1 else x * (size - 1) / (length - 1)
    if mode == "asymmetric":
        return x / scale
    if mode == "tf_crop_and_resize":
        start, end = roi
        step = x * 0 + (end - start) * (size - 1) / 2 if length == 1 else x * (end - start) * (size - 1) / (length - 1)
        return start * (size - 1) + step
    if mode == "tf_half_pixel_for_nn":
        return (x + 0.5) / scale
    if mode == "pytorch_half_pixel" and length == 1:
        return x * 0 - 0.5
    shift = size / 2 * (1 - count / length) if mode == "half_pixel_symmetric" else 0
    return shift + (x + 0.5) / scale - 0.5


def _nearest(position: float, mode: str) -> int:
    low = math.floor(position)
    if position == low:
        return low
    rest = position - low
    up = {"round_prefer_floor": rest > 0.5, "round_prefer_ceil": rest >= 0.5, "floor": False, "ceil": True}[mode]
    return low + up


def _kernel(distance: np.ndarray, mode: str, a: float) -> np.ndarray:
    x = np.abs(distance)
    if mode == "linear":
        return np.clip(1 - x, 0, None)
    inner = ((a + 2) * x - (a + 3)) * x * x + 1
    outer = ((a * x - 5 * a) * x + 8 * a) * x - 4 * a
    return np.where(x <= 1, inner, np.where(x < 2, outer, 0))


def _make_matrix(size: int, scale: float, count: int, node: Node, roi) -> tuple:
    """Weights of the axis' elements in each result, and which results lie outside."""
    mode, transformation = node.get("mode", "nearest"), node.get("coordinate_transformation_mode", "half_pixel")
    positions = _positions(size, scale, count, transformation, roi)
    matrix = np.zeros((count, size))
    outside = np.zeros(count, bool)
    if transformation == "tf_crop_and_resize":
        outside = (positions < 0) | (positions > size - 1)
    squeeze = min(scale, 1.0) if node.get("antialias", 0) else 1.0
    reach = math.ceil((1 if mode == "linear" else 2) / squeeze)
    for row, position in enumerate(positions):
        if mode == "nearest":
            taps, weights = np.array([_nearest(position, node.get("nearest_mode", "round_prefer_floor"))]), np.ones(1)
        else:
            taps = math.floor(position) + np.arange(-reach, reach + 2)
            weights = _kernel((taps - position) * squeeze, mode, node.get("cubic_coeff_a", -0.75))
        if node.get("exclude_outside", 0):
            weights = np.where((taps >= 0) & (taps < size), weights, 0)
        if mode != "nearest":
            weights = weights / weights.sum()
        np.add.at(matrix[row], np.clip(taps, 0, size - 1), weights)
    return matrix, outside


def _find_sizes(data, axes, scales, sizes, policy: str) -> tuple:
    """The scale and the number of results of each axis; the latter may be None for a dynamic one that stays."""
    if scales is not None and scales.size:
        factors = [float(scale) for scale in scales]
        return factors, [math.floor(data.shape[axis] * factor) for axis, factor in zip(axes, factors)]
    counts = [int(size) for size in sizes]
    factors = [count / data.shape[axis] for axis, count in zip(axes, counts)]
    if policy != "stretch":
        factor = min(factors) if policy == "not_larger" else max(factors)
        factors = [factor] * len(factors)
        counts = [math.floor(factor * data.shape[axis] + 0.5) for axis in axes]
    return factors, counts


def rewrite_resize(b: Builder, node: Node):
    """Resize of static sizes by constant scales or sizes."""
    data, roi, scales, sizes = (node.input(position) for position in range(4))
    arrays = [value.array if value else None for value in (roi, scales, sizes)]
    if not data or not data.is_static or all(array is None or not array.size for array in arrays[1:]):
        return None
    axes = [axis % data.rank for axis in node.get("axes", range(data.rank))]
    factors, counts = _find_sizes(data, axes, *arrays[1:], node.get("keep_aspect_ratio_policy", "stretch"))
    if node.get("coordinate_transformation_mode") == "tf_crop_and_resize" and arrays[0] is None:
        return None
    result = data.cast(TensorProto.FLOAT)
    for number, (axis, factor, count) in enumerate(zip(axes, factors, counts)):
        region = (0.0, 1.0)
        if arrays[0] is not None and arrays[0].size:
            region = (arrays[0][number], arrays[0][number + len(axes)])
        size = data.shape[axis]
        if count == size and factor == 1.0 and tuple(region) == (0.0, 1.0):
            continue
        if size * count > _LIMIT:
            return None
        matrix, outside = _make_matrix(size, factor, count, node, region)
        # The axis last, times the matrix, and back.
        order = [other for other in range(data.rank) if other != axis] + [axis]
        product = result.transpose(*order) @ matrix.T.astype(np.float32)
        if outside.any():
            product = b.where(b.constant(outside), float(node.get("extrapolation_value", 0.0)), product)
        result = product.transpose(*np.argsort(order).tolist())
    if data.dtype in (TensorProto.UINT8, TensorProto.INT8):
        low, high = (0.0, 255.0) if data.dtype == TensorProto.UINT8 else (-128.0, 127.0)
        result = b.op("Min", b.op("Max", b.op("Round", result), low), high).cast(TensorProto.INT32)
    return result.cast(data.dtype)


def rewrite_unusual_resize(b: Builder, node: Node):
    """Resize by cubic pieces, or to a size that its scales do not divide."""
    data, scales = node.inputs[0], node.input(2)
    lengths = []
    if scales is not None and scales.array is not None and data.is_static and not node.get("axes"):
        lengths = [size * float(scale) for size, scale in zip(data.shape, scales.array)]
    is_unusual = node.get("mode", "nearest") == "cubic" or any(length != int(length) for length in lengths)
    return rewrite_resize(b, node) if is_unusual else None
