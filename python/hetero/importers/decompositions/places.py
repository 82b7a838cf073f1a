"""Scatters, histograms, diagonals and distances of rows."""

from __future__ import annotations

import math

import torch

from hetero.importers.decompositions import decomposes


@decomposes("diagonal_scatter")
def _diagonal_scatter(x, source, offset=0, dim1=0, dim2=1):
    moved = x.movedim((dim1, dim2), (-2, -1))
    rows, columns = torch.arange(moved.shape[-2]).unsqueeze(-1), torch.arange(moved.shape[-1])
    place = (rows if offset >= 0 else columns).expand(moved.shape[-2:]).clamp(max=max(source.shape[-1] - 1, 0))
    if not source.shape[-1]:
        return x.clone()
    spread = source.index_select(-1, place.flatten()).reshape(*source.shape[:-1], *place.shape)
    return torch.where(columns - rows == offset, spread, moved).movedim((-2, -1), (dim1, dim2))


@decomposes("_cdist_forward")
def _cdist(x, y, p, compute_mode=None):
    difference = (x.unsqueeze(-2) - y.unsqueeze(-3)).abs()
    if p == 0:
        return (difference != 0).to(x.dtype).sum(-1)
    if math.isinf(p):
        return difference.amax(-1) if difference.shape[-1] else difference.sum(-1)
    if p == 1:
        return difference.sum(-1)
    return difference.pow(p).sum(-1).pow(1 / p)


@decomposes("_pdist_forward")
def _pdist(x, p=2.0):
    rows, columns = torch.triu_indices(x.shape[0], x.shape[0], 1)
    return _cdist(x, x, p)[rows, columns]


@decomposes("take")
def _take(x, index):
    """PyTorch's own reads an index of no dimension as a number of the program."""
    return x.flatten().index_select(0, index.flatten()).reshape(index.shape)


@decomposes("put")
def _put(x, index, source, accumulate=False):
    return x.flatten().index_put((index.flatten(),), source.flatten(), accumulate).reshape(x.shape)


@decomposes("scatter.reduce")
def _scatter_by(x, dim, index, src, *, reduce):
    return x.scatter_reduce(dim, index, src, {"add": "sum", "multiply": "prod"}[reduce])


@decomposes("scatter.value_reduce")
def _scatter_value_by(x, dim, index, value, *, reduce):
    return _scatter_by(x, dim, index, torch.full(index.shape, value, dtype=x.dtype), reduce=reduce)


@decomposes("scatter_reduce.two")
def _scatter_mean(x, dim, index, src, reduce, *, include_self=True):
    """The exporter has the other reductions."""
    if reduce != "mean" or not x.dim():
        return NotImplemented
    ones = torch.ones(index.shape, dtype=torch.int64)
    counts = torch.zeros(x.shape, dtype=torch.int64).scatter_add(dim, index, ones)
    start = x if include_self else torch.where(counts > 0, 0, x)
    counts = (counts + int(include_self)).clamp(min=1).to(x.dtype)
    total = start.scatter_add(dim, index, src)
    return total / counts if x.is_floating_point() else total.div(counts, rounding_mode="floor")


@decomposes("index_reduce")
def _index_reduce(x, dim, index, source, reduce, *, include_self=True):
    if not x.dim():
        return _index_reduce(x.reshape(1), 0, index.reshape(1), source.reshape(1), reduce, include_self=include_self).reshape(())
    shape = [1] * source.dim()
    shape[dim] = index.shape[0]
    places = index.reshape(shape).expand(source.shape)
    return x.scatter_reduce(dim, places, source, reduce, include_self=include_self)


@decomposes("histc")
def _histc(x, bins=100, min=0, max=0):
    x = x.flatten()
    low, high = (x.amin(), x.amax()) if min == max == 0 and x.numel() else (torch.full((), min, dtype=x.dtype), torch.full((), max, dtype=x.dtype))
    is_point = low == high
    low, high = torch.where(is_point, low - 1, low), torch.where(is_point, high + 1, high)
    place = ((x - low) * bins / (high - low)).to(torch.int64).clamp(0, bins - 1)
    ones = ((x >= low) & (x <= high)).to(x.dtype)
    return x.new_zeros((bins,)).index_put((place,), ones, accumulate=True)


@decomposes("squeeze.dims")
def _squeeze(x, dims):
    """Each by itself, the last one first."""
    for dim in sorted({dim % max(x.dim(), 1) for dim in dims}, reverse=True):
        x = x.squeeze(dim)
    return x


@decomposes("bincount")
def _bincount(x, weights=None, minlength=0):
    """Counts are of 64 bits, where PyTorch's own rule of shapes has the type of the numbers."""
    return NotImplemented if x.dtype == torch.int64 else torch.bincount(x.to(torch.int64), weights, minlength)
