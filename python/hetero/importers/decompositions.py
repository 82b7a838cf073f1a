"""What PyTorch's operations are made of, where torch-mlir lacks them."""

import torch
from torch._decomp import get_decompositions

# What torch-mlir's dialect has and its pipelines do not lower.
_DECOMPOSED = ("upsample_bilinear2d.vec", "upsample_nearest2d.vec", "embedding_dense_backward.default")
# What it lowers as it is: the name stays, and the transposed weight beside the product.
_KEPT = ("linear.default", "conv1d.default", "conv2d.default", "conv3d.default")
# What torch-mlir adds up in the type of the elements, in which sums of f16 may be infinite.
_SUMS = (
    *("mean.default", "mean.dim", "sum.default", "sum.dim_IntList", "cumsum.default", "linalg_vector_norm.default"),
    *("avg_pool1d.default", "avg_pool2d.default", "avg_pool3d.default", "_adaptive_avg_pool2d.default"),
    *("native_layer_norm.default", "native_group_norm.default"),
)


def _get_overload(name: str):
    """The function of an operation's name, "aten.squeeze.dims"; None if there is none."""
    space, packet, *overload = name.split(".")
    packet = getattr(getattr(torch.ops, space), packet, None)
    return getattr(packet, overload[0] if overload else "default", None)


def _add_in_f32(overload, otherwise):
    """Of f16 and bf16, the operation in f32, rounded once, as PyTorch computes it; of others, `otherwise`."""

    def decompose(*arguments, **options):
        narrow = arguments[0].dtype
        if narrow not in (torch.float16, torch.bfloat16) or options.get("dtype"):
            return otherwise(*arguments, **options) if otherwise else NotImplemented

        def widen(value):
            return value.float() if isinstance(value, torch.Tensor) and value.dtype == narrow else value

        results = overload(*map(widen, arguments), **{name: widen(value) for name, value in options.items()})
        return results.to(narrow) if isinstance(results, torch.Tensor) else (results[0].to(narrow), *results[1:])

    return decompose


def _any(x, dim, keepdim=False):
    """Of softmax over rows that may be masked whole."""
    return (x != 0).int().amax(dim, keepdim) != 0


def _batch_norm(x, weight, bias, mean, variance, momentum, epsilon):
    """Scale and shift are vectors of constants, which fold."""
    scale = (variance + epsilon).rsqrt()
    scale = scale if weight is None else scale * weight
    shift = -mean * scale if bias is None else bias - mean * scale
    shape = (1, -1) + (1,) * (x.dim() - 2)
    unused = x.new_empty((0,))
    return (x * scale.view(shape) + shift.view(shape)).to(x.dtype), unused, unused


def _embedding_bag(
    weight, indices, offsets, scale_grad_by_freq=False, mode=0, sparse=False, per_sample_weights=None,
    include_last_offset=False, padding_idx=-1,
):
    """Rows are added to the bag that their position lies in; bags of modes sum (0) and mean (1)."""
    if mode > 1 or padding_idx >= 0:
        raise NotImplementedError("embedding_bag with mode='max' or with padding_idx")
    rows = weight.index_select(0, indices)
    if per_sample_weights is not None:
        rows = rows * per_sample_weights.unsqueeze(1)
    starts = offsets[:-1] if include_last_offset else offsets
    bags = (torch.arange(indices.shape[0]).unsqueeze(1) >= starts.unsqueeze(0)).sum(1) - 1
    result = rows.new_zeros((starts.shape[0], weight.shape[1])).index_put((bags,), rows, accumulate=True)
    if mode == 1:
        ones = rows.new_ones((indices.shape[0],))
        counts = rows.new_zeros((starts.shape[0],)).index_put((bags,), ones, accumulate=True)
        result = result / counts.clamp(min=1).unsqueeze(1)
    unused = offsets.new_empty((0,))
    return result, unused, unused, unused


def get_table() -> dict:
    """The decompositions that every program goes through."""
    table = torch.export.default_decompositions()
    for name in _KEPT:
        table.pop(_get_overload(f"aten.{name}"), None)
    table.update(get_decompositions([_get_overload(f"aten.{name}") for name in _DECOMPOSED]))
    for overload in [_get_overload(f"aten.{name}") for name in _SUMS]:
        table[overload] = _add_in_f32(overload, table.get(overload))
    aten = torch.ops.aten
    table[aten.any.dim] = _any
    table[aten._native_batch_norm_legit_no_training.default] = _batch_norm
    table[aten._embedding_bag.default] = _embedding_bag
    table[aten._embedding_bag_forward_only.default] = _embedding_bag
    return table


def get_further(names) -> dict:
    """The decompositions that PyTorch has for operations of these names, "torch.aten.squeeze.dims"."""
    overloads = [_get_overload(name.removeprefix("torch.")) for name in names]
    return get_decompositions([overload for overload in overloads if overload])
