"""PyTorch's eigenvalues and singular values, and what is made of them, by rotations (lib/Import/ONNX/Frameworks/Rotations.cpp).

Vectors may have another sign than PyTorch's.
"""

from __future__ import annotations

import torch

from hetero.importers.decompositions import decomposes, matrices


def _take_columns(x, order):
    return x.gather(-1, order.unsqueeze(-2).expand_as(x))


def _make_two(kind, x, shapes):
    return torch.onnx.ops.symbolic_multi_out(kind, (x,), dtypes=(x.dtype, x.dtype), shapes=shapes, version=1)


@decomposes("_linalg_eigh")
def _linalg_eigh(x, uplo="L", compute_v=True):
    if x.is_complex():
        return NotImplemented
    x = x.tril() + x.tril(-1).mT if uplo.upper() == "L" else x.triu() + x.triu(1).mT
    values, vectors = _make_two("hetero::SymmetricEigen", x, [[*x.shape[:-1]], [*x.shape]])
    values, order = values.sort(-1)
    return values, _take_columns(vectors, order) if compute_v else x.new_empty((0,))


def _complete(left, values, count):
    """As many columns; those without a direction of their own, of values that are nothing, are at right angles."""
    rows, columns = left.shape[-2:]
    wide = torch.nn.functional.pad(left, (0, count - columns))
    factors, scales = matrices._reflect(wide)
    others = matrices._householder_product(factors, scales)
    least = torch.finfo(values.dtype).eps * rows * values.amax(-1, keepdim=True)
    is_own = torch.nn.functional.pad(values > least, (0, count - columns))
    return torch.where(is_own.unsqueeze(-2), wide, others)


@decomposes("_linalg_svd")
def _linalg_svd(x, full_matrices=False, compute_uv=True, *, driver=None):
    if x.is_complex():
        return NotImplemented
    rows, columns = x.shape[-2:]
    if rows < columns:
        left, values, right = _linalg_svd(x.mT, full_matrices, compute_uv)
        return (right.mT, values, left.mT) if compute_uv else (left, values, right)
    turned, right = _make_two("hetero::OrthogonalColumns", x, [[*x.shape], [*x.shape[:-2], columns, columns]])
    values, order = turned.square().sum(-2).sqrt().sort(-1, descending=True)
    if not compute_uv:
        return x.new_empty((0,)), values, x.new_empty((0,))
    if not columns:
        left = torch.eye(rows, rows if full_matrices else 0, dtype=x.dtype).expand(*x.shape[:-2], -1, -1)
        return left, values, right
    left = _take_columns(turned, order) / torch.where(values > 0, values, 1.0).unsqueeze(-2)
    left = _complete(left, values, rows if full_matrices else columns)
    return left, values, _take_columns(right, order).mT


def _find_least(values, shape, atol, rtol):
    """How small values are that count as 0, as linalg.pinv has it."""
    if rtol is None:
        default = torch.finfo(values.dtype).eps * max(shape[-2:])
        rtol = torch.full((), default, dtype=values.dtype)
        rtol = rtol if atol is None else torch.where(atol > 0, 0.0, rtol)
    largest = values.abs().amax(-1, keepdim=True)
    least = rtol.unsqueeze(-1) * largest if rtol.dim() else rtol * largest
    if atol is None:
        return least
    return torch.maximum(least, atol.unsqueeze(-1) if atol.dim() else atol)


def _divide(values, right, is_kept, x):
    """right^T / values x, without what belongs to values that are not kept."""
    inverse = torch.where(is_kept, 1 / torch.where(is_kept, values, 1.0), 0.0)
    return right.mT @ (inverse.unsqueeze(-1) * x)


@decomposes("linalg_pinv.atol_rtol_tensor")
def _linalg_pinv(x, *, atol=None, rtol=None, hermitian=False):
    if x.is_complex():
        return NotImplemented
    if not x.numel():
        return x.mT.clone()
    if hermitian:
        values, left = _linalg_eigh(x)
        right = left.mT
    else:
        left, values, right = _linalg_svd(x)
    return _divide(values, right, values.abs() > _find_least(values, x.shape, atol, rtol), left.mT)


@decomposes("linalg_lstsq")
def _linalg_lstsq(x, b, rcond=None, *, driver=None):
    """The residuals are those of matrices of full rank."""
    if x.is_complex() or not x.numel():
        return NotImplemented
    rows, columns = x.shape[-2:]
    is_vector = matrices._is_vector(x, b)
    b = b.unsqueeze(-1) if is_vector else b
    left, values, right = _linalg_svd(x)
    rcond = torch.finfo(x.dtype).eps * max(rows, columns) if rcond is None else rcond
    is_kept = values > rcond * values.amax(-1, keepdim=True)
    found = _divide(values, right, is_kept, left.mT @ b)
    residuals = (x @ found - b).square().sum(-2) if rows > columns else x.new_empty((0,))
    driver = driver or "gelsy"
    rank = is_kept.sum(-1) if driver != "gels" else torch.empty((0,), dtype=torch.int64)
    values = values if driver in ("gelsd", "gelss") else x.new_empty((0,))
    return found.squeeze(-1) if is_vector else found, residuals, rank, values
