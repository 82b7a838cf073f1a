"""Quantized numbers of less than their type's range, of which the exporter makes the whole one."""

from __future__ import annotations

import torch
from torch.ao.quantization.fx import _decomposed  # noqa: F401  Registers the operations.

from hetero.importers.decompositions import decomposes


def _clamp(overload):
    def decompose(x, scale, zero_point, quant_min, quant_max, dtype):
        limits = torch.iinfo(dtype)
        if (quant_min, quant_max) == (limits.min, limits.max):
            return NotImplemented
        return overload(x, scale, zero_point, limits.min, limits.max, dtype).clamp(quant_min, quant_max)

    return decompose


def _add() -> None:
    for name in ("default", "tensor"):
        overload = getattr(torch.ops.quantized_decomposed.quantize_per_tensor, name)
        decomposes(f"quantize_per_tensor.{name}", space="quantized_decomposed")(_clamp(overload))


_add()
