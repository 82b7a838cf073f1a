"""Attention, losses, batch norm and bags of embeddings."""

from __future__ import annotations

import math

import torch

from hetero.importers.decompositions import decomposes, make_node


@decomposes("scaled_dot_product_attention")
def _attention(q, k, v, attn_mask=None, dropout_p=0.0, is_causal=False, *, scale=None, enable_gqa=False):
    """The exporter has that of four dimensions and known masks."""
    if q.dim() == k.dim() == v.dim() == 4 and not is_causal:
        return NotImplemented
    mask = torch.ones(q.shape[-2], k.shape[-2], dtype=torch.bool).tril() if is_causal else attn_mask
    if enable_gqa:
        k, v = (t.repeat_interleave(q.shape[-3] // t.shape[-3], -3) for t in (k, v))
    scores = q @ k.transpose(-2, -1) * (1 / math.sqrt(q.shape[-1]) if scale is None else scale)
    if mask is not None:
        scores = torch.where(mask, scores, -math.inf) if mask.dtype == torch.bool else scores + mask
    return scores.softmax(-1) @ v


@decomposes("cross_entropy_loss")
def _cross_entropy(x, target, weight=None, reduction=1, ignore_index=-100, label_smoothing=0.0):
    """The exporter leaves out `label_smoothing`, and takes no probabilities for targets."""
    if label_smoothing == 0 and not target.is_floating_point():
        return NotImplemented
    classes = 1 if x.dim() > 1 else 0
    scores = x.log_softmax(classes)
    shape = [1] * x.dim()
    shape[classes] = x.shape[classes]
    weights = torch.ones_like(x) if weight is None else weight.reshape(shape).expand(x.shape)
    if target.is_floating_point():
        target = target * (1 - label_smoothing) + label_smoothing / x.shape[classes]
        losses = -(scores * target * weights).sum(classes)
        total = losses.numel()
    else:
        is_kept = target != ignore_index
        places = torch.where(is_kept, target, 0).unsqueeze(classes)
        own = -(scores * weights).gather(classes, places).squeeze(classes)
        smooth = -(scores * weights).sum(classes) / x.shape[classes]
        losses = torch.where(is_kept, own * (1 - label_smoothing) + smooth * label_smoothing, 0.0)
        total = torch.where(is_kept, weights.gather(classes, places).squeeze(classes), 0.0).sum()
    if reduction == 0:
        return losses
    return losses.sum() / total if reduction == 1 else losses.sum()


def _normalize_batch(x, weight, bias, mean, variance, eps):
    """The result, and the mean and the scale that it is of."""
    shape = [1, -1] + [1] * (x.dim() - 2)
    scale = (variance + eps).rsqrt()
    y = (x - mean.reshape(shape)) * scale.reshape(shape)
    y = y if weight is None else y * weight.reshape(shape)
    y = y if bias is None else y + bias.reshape(shape)
    return y.to(x.dtype), mean, scale


def _batch_norm(x, weight, bias, running_mean, running_var, training, momentum, eps):
    """The three results, and the statistics that come next."""
    if not training:
        made = _batch_norm_of_inference(x, weight, bias, running_mean, running_var, momentum, eps)
        return *made, running_mean, running_var
    dims = [0, *range(2, x.dim())]
    wide = x.float() if x.dtype in (torch.float16, torch.bfloat16) else x
    variance, mean = torch.var_mean(wide, dims, correction=0)
    made = _normalize_batch(x, weight, bias, mean, variance, eps)
    if running_mean is None:
        return *made, None, None
    count = x.numel() / x.shape[1]
    next_mean = momentum * mean + (1 - momentum) * running_mean
    next_var = momentum * variance * (count / (count - 1)) + (1 - momentum) * running_var
    return *made, next_mean.to(running_mean.dtype), next_var.to(running_var.dtype)


@decomposes("_native_batch_norm_legit_no_training")
def _batch_norm_of_inference(x, weight, bias, running_mean, running_var, momentum, eps):
    unused = x.new_empty((0,))
    weight = torch.ones_like(running_mean) if weight is None else weight
    bias = torch.zeros_like(running_mean) if bias is None else bias
    y = make_node("BatchNormalization", (x, weight, bias, running_mean, running_var), {"epsilon": eps}, x)
    return y, unused, unused


@decomposes("_native_batch_norm_legit_functional")
def _batch_norm_functional(x, weight, bias, running_mean, running_var, training, momentum, eps):
    return _batch_norm(x, weight, bias, running_mean, running_var, training, momentum, eps)


@decomposes("_native_batch_norm_legit.no_stats")
def _batch_norm_without_statistics(x, weight, bias, training, momentum, eps):
    return _batch_norm(x, weight, bias, None, None, True, momentum, eps)[:3]


@decomposes("native_batch_norm", "_native_batch_norm_legit")
def _native_batch_norm(x, weight, bias, running_mean, running_var, training, momentum, eps):
    """Writes the statistics, which a program without state refuses."""
    *made, next_mean, next_var = _batch_norm(x, weight, bias, running_mean, running_var, training, momentum, eps)
    if training and running_mean is not None:
        running_mean.copy_(next_mean)
        running_var.copy_(next_var)
    return tuple(made)


@decomposes("_embedding_bag", "_embedding_bag_forward_only", "embedding_bag", "embedding_bag.padding_idx")
def _embedding_bag(
    weight, indices, offsets, scale_grad_by_freq=False, mode=0, sparse=False, per_sample_weights=None,
    include_last_offset=False, padding_idx=None,
):
    """Rows are added to the bag that their position lies in; bags of modes sum (0), mean (1) and max (2)."""
    rows = weight.index_select(0, indices)
    if per_sample_weights is not None:
        rows = rows * per_sample_weights.unsqueeze(1)
    starts = offsets[:-1] if include_last_offset else offsets
    bags = (torch.arange(indices.shape[0]).unsqueeze(1) >= starts.unsqueeze(0)).sum(1) - 1
    counts = indices != (-1 if padding_idx is None else padding_idx % weight.shape[0])
    ones = torch.where(counts, 1.0, 0.0).to(rows.dtype)
    sizes = rows.new_zeros((starts.shape[0],)).index_put((bags,), ones, accumulate=True)
    if mode == 2:
        masked = torch.where(counts.unsqueeze(1), rows, -math.inf)
        result = rows.new_full((starts.shape[0], weight.shape[1]), -math.inf)
        result = result.scatter_reduce(0, bags.unsqueeze(1).expand(rows.shape), masked, "amax")
        result = torch.where(sizes.unsqueeze(1) > 0, result, 0.0)
    else:
        rows = rows * ones.unsqueeze(1)
        result = rows.new_zeros((starts.shape[0], weight.shape[1])).index_put((bags,), rows, accumulate=True)
    if mode == 1:
        result = result / sizes.clamp(min=1).unsqueeze(1)
    unused = offsets.new_empty((0,))
    return result, unused, unused, unused
