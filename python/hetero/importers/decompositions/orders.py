"""Selections, sorts, medians and scans."""

from __future__ import annotations

import torch

from hetero.importers.decompositions import decomposes, make_node


@decomposes("masked_select")
def _masked_select(x, mask):
    x, mask = torch.broadcast_tensors(x, mask)
    return torch.ops.aten.index.Tensor(x, [mask])


@decomposes("flip")
def _flip_of_one(x, dims):
    return NotImplemented if x.dim() else x.clone()


@decomposes("sort.stable")
def _sort(x, *, stable=True, dim=-1, descending=False):
    """TopK of ONNX is stable."""
    if x.dtype == torch.bool:
        values, places = x.to(torch.uint8).sort(dim, descending)
        return values.to(torch.bool), places
    return x.sort(dim, descending)


@decomposes("multinomial")
def _multinomial(chances, num_samples, replacement=False, *, generator=None):
    """Without replacement, which the exporter does not know: those that come first if each waits for a random time."""
    if replacement:
        return NotImplemented
    times = -torch.rand_like(chances).log()
    return (chances / times).topk(num_samples).indices


@decomposes("sort")
def _sort_truths(x, dim=-1, descending=False):
    return _sort(x, dim=dim, descending=descending) if x.dtype == torch.bool else NotImplemented


@decomposes("topk")
def _topk_of_one(x, k, dim=-1, largest=True, sorted=True):
    return NotImplemented if x.dim() else (x.clone(), torch.zeros_like(x, dtype=torch.int64))


def _scan(kind, x, dim):
    return make_node(f"hetero::{kind}", (x,), {"axis": dim % max(x.dim(), 1)}, x) if x.dim() else x.clone()


@decomposes("cumprod")
def _cumprod(x, dim, dtype=None):
    dtype = dtype or (x.dtype if x.is_floating_point() or x.is_complex() else torch.int64)
    return _scan("CumProd", x.to(dtype), dim)


def _scan_with_places(kind, x, dim, is_ahead):
    """Values, and where each was seen last."""
    values = _scan(kind, x, dim)
    shape = [1] * x.dim()
    if x.dim():
        shape[dim % x.dim()] = x.shape[dim]
    places = torch.arange(x.shape[dim] if x.dim() else 1).reshape(shape).expand(x.shape)
    seen = is_ahead(x, values) | x.isnan()
    return values, _scan("CumMax", torch.where(seen, places, 0), dim)


@decomposes("cummax")
def _cummax(x, dim):
    return _scan_with_places("CumMax", x, dim, torch.ge)


@decomposes("cummin")
def _cummin(x, dim):
    return _scan_with_places("CumMin", x, dim, torch.le)


@decomposes("logcumsumexp")
def _logcumsumexp(x, dim):
    """Of what is left when the largest number so far is taken out."""
    if not x.dim() or not x.numel():
        return x.clone()
    largest = _scan("CumMax", x, dim)
    top = x.amax(dim, keepdim=True)
    top = torch.where(top.isfinite(), top, 0.0)
    near = (x - top).exp().cumsum(dim).log() + top
    # Sums that are 0 beside the largest number of all: no more than that one of those so far.
    return torch.where(near.isneginf(), largest, near)


@decomposes("kthvalue")
def _kthvalue(x, k, dim=-1, keepdim=False):
    if not x.dim():
        return x.clone(), torch.zeros_like(x, dtype=torch.int64)
    values, places = x.sort(dim=dim, stable=True)
    values, places = values.narrow(dim, k - 1, 1), places.narrow(dim, k - 1, 1)
    return (values, places) if keepdim else (values.squeeze(dim), places.squeeze(dim))


def _median_of(x, dim, keepdim, skips_nan):
    """The lower one of the two in the middle. Numbers that are none come last."""
    if not x.dim():
        return x.clone(), torch.zeros_like(x, dtype=torch.int64)
    values, places = x.sort(dim=dim, stable=True)
    count = x.shape[dim] - x.isnan().sum(dim, keepdim=True)
    middle = (count - 1).clamp(min=0) // 2
    if not skips_nan:
        middle = torch.where(count < x.shape[dim], count, middle)
    values, places = values.gather(dim, middle), places.gather(dim, middle)
    return (values, places) if keepdim else (values.squeeze(dim), places.squeeze(dim))


@decomposes("median.dim")
def _median_along(x, dim, keepdim=False):
    return _median_of(x, dim, keepdim, False)


@decomposes("nanmedian.dim")
def _nanmedian_along(x, dim, keepdim=False):
    return _median_of(x, dim, keepdim, True)


@decomposes("median")
def _median(x):
    return _median_of(x.flatten(), 0, False, False)[0]


@decomposes("nanmedian")
def _nanmedian(x):
    return _median_of(x.flatten(), 0, False, True)[0]


@decomposes("mode")
def _mode(x, dim=-1, keepdim=False):
    """The smallest of the numbers that are there most often, and where it is last."""
    if not x.dim():
        return x.clone(), torch.zeros_like(x, dtype=torch.int64)
    x = x.movedim(dim, -1)
    same = x.unsqueeze(-1) == x.unsqueeze(-2)
    counts = same.sum(-1)
    often = counts == counts.amax(-1, keepdim=True)
    largest = torch.finfo(x.dtype).max if x.is_floating_point() else torch.iinfo(x.dtype).max
    values = torch.where(often, x, largest).amin(-1, keepdim=True)
    places = torch.where(x == values, torch.arange(x.shape[-1]), -1).amax(-1, keepdim=True)
    if not keepdim:
        return values.squeeze(-1), places.squeeze(-1)
    return values.movedim(-1, dim), places.movedim(-1, dim)


def _count_before(ordered, values, right):
    """How many of the ordered numbers are before each value. Numbers that are none come last."""
    ordered, values = ordered.unsqueeze(-2), values.unsqueeze(-1)
    before = ordered <= values if right else ordered < values
    if values.is_floating_point():
        before = before | (values.isnan() & (ordered.isnan().logical_not() | right))
    return before.sum(-1)


@decomposes("searchsorted.Tensor")
def _searchsorted(ordered, values, *, out_int32=False, right=False, side=None, sorter=None):
    if sorter is not None:
        ordered = ordered.gather(-1, sorter)
    is_scalar = not values.dim()
    values = values.reshape(1) if is_scalar else values
    found = _count_before(ordered, values, right or side == "right").to(torch.int32 if out_int32 else torch.int64)
    return found.reshape(()) if is_scalar else found


@decomposes("searchsorted.Scalar")
def _searchsorted_scalar(ordered, value, **options):
    return _searchsorted(ordered, torch.full((), value, dtype=ordered.dtype), **options)


@decomposes("bucketize.Tensor")
def _bucketize(values, boundaries, *, out_int32=False, right=False):
    return _searchsorted(boundaries, values, out_int32=out_int32, right=right)
