"""What PyTorch's operations are made of, where its exporter has no form of them in ONNX, or a wrong one.

hetero.importers.pytorch joins these with PyTorch's own decompositions.
"""

from __future__ import annotations

import torch
from torch._decomp import get_decompositions

_TABLE = {}

# What PyTorch itself has, and the exporter has otherwise, and wrong.
_OF_PYTORCH = ("im2col",)


def _find(name: str):
    """The function of an operation's name, "aten.squeeze.dims", if this version of PyTorch has it."""
    space, packet, *overload = name.split(".", 2)
    return getattr(getattr(getattr(torch.ops, space), packet, None), overload[0] if overload else "default", None)


def decomposes(*names: str, space: str = "aten"):
    """Puts a function into the table for operations. It may return NotImplemented, and the operation stays."""

    def add(function):
        _TABLE.update({found: function for found in map(_find, (f"{space}.{name}" for name in names)) if found})
        return function

    return add


def make_node(kind: str, inputs, attributes, like: torch.Tensor) -> torch.Tensor:
    """One operator of ONNX or of hetero's domain ("hetero::CumMax"), whose result is as `like`."""
    version = 1 if "::" in kind else 18
    return torch.onnx.ops.symbolic(kind, inputs, attributes, dtype=like.dtype, shape=like.shape, version=version)


def to_tensor(value, dtype: torch.dtype) -> torch.Tensor:
    """A tensor or a number as a tensor. Constants that PyTorch makes of numbers would have no place in the program."""
    if isinstance(value, torch.Tensor):
        return value.to(dtype)
    # A negative number of an unsigned type is one of its upper half.
    return torch.full((), value, dtype=torch.int64).to(dtype) if isinstance(value, int) else torch.full((), value, dtype=dtype)


def get_own() -> dict:
    """The decompositions of this file and its neighbours."""
    from hetero.importers.decompositions import (  # noqa: F401
        elements, images, layers, matrices, orders, places, quantized, special, spectra, windows,
    )

    return get_decompositions([_find(f"aten.{name}") for name in _OF_PYTORCH]) | _TABLE
