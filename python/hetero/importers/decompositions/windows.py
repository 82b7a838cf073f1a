"""Pools and pads."""

from __future__ import annotations

import math

import torch

from hetero.importers.decompositions import decomposes


def _find_windows(size: int, count: int):
    """The places of the windows of an adaptive pool, and which are there."""
    length = max((-((i + 1) * size // -count) - i * size // count for i in range(count)), default=1)
    number = torch.arange(count).unsqueeze(1)
    places = (number * size).div(count, rounding_mode="floor") + torch.arange(length)
    ends = ((number + 1) * size + count - 1).div(count, rounding_mode="floor")
    return places.clamp(max=size - 1), places < ends


def _adaptive_max_pool(x, sizes):
    """The largest number of each window, and its place in the image."""
    axes = len(sizes)
    image = x.shape[-axes:]
    if any(isinstance(size, torch.SymInt) for size in image):
        raise NotImplementedError("adaptive_max_pool of images whose size is dynamic")
    places, there = torch.zeros(()).long(), torch.ones(()).bool()
    # Windows of each axis, side by side: count of the first, of the second, ..., places in the first, ...
    for axis, count in enumerate(sizes):
        own, own_there = _find_windows(image[axis], count)
        shape = [1] * (2 * axes)
        shape[axis], shape[axes + axis] = own.shape
        places = places * image[axis] + own.reshape(shape)
        there = there & own_there.reshape(shape)
    places = places.flatten(axes).flatten(0, axes - 1)
    there = there.flatten(axes).flatten(0, axes - 1)
    flat = x.flatten(-axes)
    windows = flat.index_select(-1, places.flatten()).reshape(*flat.shape[:-1], *places.shape)
    least = -math.inf if x.is_floating_point() else torch.iinfo(x.dtype).min
    values, which = torch.where(there, windows, least).max(-1)
    found = places.expand(windows.shape).gather(-1, which.unsqueeze(-1)).squeeze(-1)
    shape = [*x.shape[:-axes], *sizes]
    return values.reshape(shape), found.reshape(shape)


@decomposes("_adaptive_avg_pool3d")
def _adaptive_average_pool(x, output_size):
    """The average along one axis after the other: windows are products of those of the axes."""
    for axis, count in zip((-3, -2, -1), output_size):
        places, there = _find_windows(x.shape[axis], count)
        x = x.movedim(axis, -1)
        windows = x.index_select(-1, places.flatten()).reshape(*x.shape[:-1], *places.shape)
        x = (torch.where(there, windows, 0).sum(-1) / there.sum(-1)).movedim(-1, axis)
    return x


def _per_axis(values, axes: int) -> list:
    """A number for each axis."""
    values = list(values) if isinstance(values, (list, tuple)) else [values]
    return values * axes if len(values) == 1 else values


def _pad_for_windows(size, window, step, pad, ceil_mode):
    """How much is added at both ends so that all windows are whole."""
    count = (size + 2 * pad - window + (step - 1 if ceil_mode else 0)) // step + 1
    # A window that begins after the image is none.
    if ceil_mode and (count - 1) * step >= size + pad:
        count -= 1
    return [pad, max((count - 1) * step + window - size - pad, 0)]


def _average_by(pool, axes: int):
    """The exporter leaves out `divisor_override`: here sums are averages of windows that are whole."""

    def decompose(
        x, kernel_size, stride=(), padding=0, ceil_mode=False, count_include_pad=True, divisor_override=None
    ):
        if divisor_override is None:
            return NotImplemented
        kernel, stride, padding = (_per_axis(v, axes) for v in (kernel_size, stride or kernel_size, padding))
        sizes = zip(x.shape[-axes:], kernel, stride, padding)
        pads = [number for row in reversed(list(sizes)) for number in _pad_for_windows(*row, ceil_mode)]
        return pool(torch.constant_pad_nd(x, pads), kernel, stride) * (math.prod(kernel) / divisor_override)

    return decompose


decomposes("avg_pool2d")(_average_by(torch.nn.functional.avg_pool2d, 2))
decomposes("avg_pool3d")(_average_by(torch.nn.functional.avg_pool3d, 3))


def _replicate(x, padding):
    """Where edges are cut, which the exporter's operator does otherwise."""
    if min(padding) >= 0:
        return NotImplemented
    for axis in range(len(padding) // 2):
        low, high = padding[2 * axis : 2 * axis + 2]
        size = x.shape[-1 - axis]
        x = x.index_select(x.dim() - 1 - axis, (torch.arange(size + low + high) - low).clamp(0, size - 1))
    return x


decomposes("replication_pad1d", "replication_pad2d", "replication_pad3d")(_replicate)


def _wrap(value, dtype):
    """The number that a value is in the type, whose higher bits are gone."""
    if dtype.is_floating_point or dtype == torch.bool:
        return value
    limits = torch.iinfo(dtype)
    return (int(value) - limits.min) % (limits.max - limits.min + 1) + limits.min


@decomposes("constant_pad_nd")
def _constant_pad(x, pad, value=0):
    if x.is_complex():
        return torch.view_as_complex(torch.constant_pad_nd(torch.view_as_real(x), [0, 0, *pad], value))
    wrapped = _wrap(value, x.dtype)
    return NotImplemented if wrapped == value else torch.constant_pad_nd(x, pad, wrapped)


@decomposes("pad")
def _pad(x, pad, mode="constant", value=None):
    if mode == "constant":
        return _constant_pad(x, pad, value or 0)
    return _replicate(x, pad) if mode == "replicate" else NotImplemented


@decomposes("adaptive_max_pool2d", "adaptive_max_pool3d")
def _adaptive_max_pool_of(x, output_size):
    return _adaptive_max_pool(x, list(output_size))


@decomposes("max_pool2d_with_indices_backward")
def _max_pool_backward(gradient, x, kernel_size, stride, padding, dilation, ceil_mode, indices):
    flat = torch.zeros_like(x).flatten(-2)
    return flat.scatter_add(-1, indices.flatten(-2), gradient.flatten(-2)).reshape(x.shape)
