"""PyTorch's decompositions of matrices, by those of hetero's domain (lib/Import/ONNX/Frameworks/LinearAlgebra.cpp).

What is not positive definite or has no inverse gives nan or infinities here, where PyTorch raises an error.
"""

from __future__ import annotations

import torch

from hetero.importers.decompositions import decomposes, make_node


def _no_errors(x):
    return torch.zeros(x.shape[:-2], dtype=torch.int32)


def _transpose(x, is_transposed=True):
    return x.transpose(-2, -1) if is_transposed else x


def _cholesky_of(x, upper=False):
    if x.is_complex():
        return NotImplemented
    lower = make_node("hetero::Cholesky", (_transpose(x, upper),), {}, x)
    return _transpose(lower, upper)


@decomposes("cholesky")
def _cholesky(x, upper=False):
    return _cholesky_of(x, upper)


@decomposes("linalg_cholesky_ex")
def _cholesky_ex(x, *, upper=False, check_errors=False):
    made = _cholesky_of(x, upper)
    return made if made is NotImplemented else (made, _no_errors(x))


def _solve_triangular(a, b, upper, unit=False):
    """x with a x = b; both are broadcast."""
    outer = torch.broadcast_shapes(a.shape[:-2], b.shape[:-2])
    a, b = a.expand(*outer, *a.shape[-2:]), b.expand(*outer, *b.shape[-2:])
    return make_node("hetero::TriangularSolve", (a, b), {"upper": int(upper), "unit": int(unit)}, b)


@decomposes("linalg_solve_triangular")
def _linalg_solve_triangular(a, b, *, upper, left=True, unitriangular=False):
    if a.is_complex():
        return NotImplemented
    if left:
        return _solve_triangular(a, b, upper, unitriangular)
    return _transpose(_solve_triangular(_transpose(a), _transpose(b), not upper, unitriangular))


@decomposes("triangular_solve")
def _triangular_solve(b, a, upper=True, transpose=False, unitriangular=False):
    if a.is_complex():
        return NotImplemented
    outer = torch.broadcast_shapes(a.shape[:-2], b.shape[:-2])
    found = _solve_triangular(_transpose(a, transpose), b, upper != transpose, unitriangular)
    return found, a.expand(*outer, *a.shape[-2:]).clone()


@decomposes("cholesky_solve")
def _cholesky_solve(b, factor, upper=False):
    if b.is_complex():
        return NotImplemented
    lower = _transpose(factor, upper)
    return _solve_triangular(_transpose(lower), _solve_triangular(lower, b, False), True)


@decomposes("cholesky_inverse")
def _cholesky_inverse(factor, upper=False):
    return _cholesky_solve(torch.eye(factor.shape[-1], dtype=factor.dtype).expand(factor.shape), factor, upper)


def _factorize(x):
    """L and U in one matrix, the rows that were exchanged, and the sign of their order."""
    shapes = [[*x.shape], [*x.shape[:-2], min(x.shape[-2:])], [*x.shape[:-2]]]
    return torch.onnx.ops.symbolic_multi_out(
        "hetero::LU", (x,), dtypes=(x.dtype, torch.int32, x.dtype), shapes=shapes, version=1
    )


def _order(pivots, count: int):
    """Which row of the matrix each row of L U is."""
    shape = [*pivots.shape[:-1], count]
    return torch.onnx.ops.symbolic("hetero::Rows", (pivots,), {"count": count}, dtype=torch.int64, shape=shape, version=1)


def _lower(factors):
    size = min(factors.shape[-2:])
    left = factors[..., :size].tril(-1)
    return left + torch.eye(factors.shape[-2], size, dtype=factors.dtype)


def _upper(factors):
    return factors[..., : min(factors.shape[-2:]), :].triu()


def _permutation(rows, dtype):
    """P, where x = P L U: column i is of row i of the product."""
    return (torch.arange(rows.shape[-1]).unsqueeze(-1) == rows.unsqueeze(-2)).to(dtype)


def _unpack(factors, pivots):
    return _permutation(_order(pivots, factors.shape[-2]), factors.dtype), _lower(factors), _upper(factors)


@decomposes("linalg_lu")
def _linalg_lu(x, *, pivot=True):
    if x.is_complex() or not pivot:
        return NotImplemented
    factors, pivots, _ = _factorize(x)
    return _unpack(factors, pivots)


@decomposes("linalg_lu_factor_ex")
def _linalg_lu_factor_ex(x, *, pivot=True, check_errors=False):
    if x.is_complex() or not pivot:
        return NotImplemented
    factors, pivots, _ = _factorize(x)
    return factors, pivots, _no_errors(x)


@decomposes("lu_unpack")
def _lu_unpack(factors, pivots, unpack_data=True, unpack_pivots=True):
    if factors.is_complex():
        return NotImplemented
    found, unused = _unpack(factors, pivots), factors.new_empty((0,))
    return found[0] if unpack_pivots else unused, *(found[1:] if unpack_data else (unused, unused))


def _solve_factors(factors, pivots, b):
    """x with P L U x = b."""
    outer = torch.broadcast_shapes(factors.shape[:-2], b.shape[:-2])
    b = b.expand(*outer, *b.shape[-2:])
    places = _order(pivots, factors.shape[-2]).unsqueeze(-1).expand(*outer, *b.shape[-2:])
    return _solve_triangular(factors, _solve_triangular(factors, b.gather(-2, places), False, True), True)


@decomposes("linalg_lu_solve")
def _linalg_lu_solve(factors, pivots, b, *, left=True, adjoint=False):
    if factors.is_complex():
        return NotImplemented
    if not left:
        return _transpose(_linalg_lu_solve(factors, pivots, _transpose(b), adjoint=not adjoint))
    if not adjoint:
        return _solve_factors(factors, pivots, b)
    # (P L U)^T x = b: U^T, then L^T, and then the rows go back.
    half = _solve_triangular(_transpose(factors), b, False)
    found = _solve_triangular(_transpose(factors), half, True, True)
    return _permutation(_order(pivots, factors.shape[-2]), b.dtype) @ found


def _solve(x, b):
    return _solve_factors(*_factorize(x)[:2], b)


def _is_vector(a, b):
    """Whether b has one vector for each matrix, as linalg.solve decides it."""
    return b.dim() == 1 or (a.dim() - 1 == b.dim() and b.shape == a.shape[:-1])


@decomposes("_linalg_solve_ex")
def _linalg_solve_ex(a, b, *, left=True, check_errors=False):
    if a.is_complex():
        return NotImplemented
    is_vector = _is_vector(a, b)
    b = b.unsqueeze(-1) if is_vector else b
    factors, pivots, _ = _factorize(a)
    found = _linalg_lu_solve(factors, pivots, b, left=left)
    return found.squeeze(-1) if is_vector else found, factors, pivots, _no_errors(a)


@decomposes("linalg_inv_ex")
def _linalg_inv_ex(x, *, check_errors=False):
    if x.is_complex():
        return NotImplemented
    return _solve(x, torch.eye(x.shape[-1], dtype=x.dtype).expand(x.shape)), _no_errors(x)


def _without_check(name: str, function, count: int = 1) -> None:
    """Of functions that raise errors, which newer versions keep as operations with effects."""

    def decompose(*operands, **options):
        found = function(*operands, **options)
        return found if found is NotImplemented else found[0] if count == 1 else found[:count]

    decomposes(name)(decompose)


_without_check("linalg_solve", _linalg_solve_ex)
_without_check("linalg_inv", _linalg_inv_ex)
_without_check("linalg_cholesky", _cholesky_ex)
_without_check("linalg_lu_factor", _linalg_lu_factor_ex, 2)


@decomposes("_linalg_slogdet")
def _linalg_slogdet(x):
    if x.is_complex():
        return NotImplemented
    factors, pivots, sign = _factorize(x)
    diagonal = factors.diagonal(0, -2, -1)
    return sign * diagonal.sign().prod(-1), diagonal.abs().log().sum(-1), factors, pivots


@decomposes("_linalg_det")
def _linalg_det(x):
    if x.is_complex():
        return NotImplemented
    factors, pivots, sign = _factorize(x)
    return sign * factors.diagonal(0, -2, -1).prod(-1), factors, pivots


def _reflect(x):
    """R with reflectors below it, and their scales."""
    shapes = [[*x.shape], [*x.shape[:-2], min(x.shape[-2:])]]
    return torch.onnx.ops.symbolic_multi_out("hetero::Householder", (x,), dtypes=(x.dtype, x.dtype), shapes=shapes, version=1)


@decomposes("geqrf")
def _geqrf(x):
    return NotImplemented if x.is_complex() else _reflect(x)


@decomposes("linalg_householder_product")
def _householder_product(x, scales):
    return NotImplemented if x.is_complex() else make_node("hetero::HouseholderProduct", (x, scales), {}, x)


def _widen(x, columns):
    """As many columns; those that are added are 0."""
    return torch.nn.functional.pad(x, (0, columns - x.shape[-1]))


@decomposes("linalg_qr")
def _linalg_qr(x, mode="reduced"):
    if x.is_complex():
        return NotImplemented
    factors, scales = _reflect(x)
    rows, columns = x.shape[-2:]
    count = rows if mode == "complete" else min(rows, columns)
    if mode == "r":
        return x.new_empty((0,)), factors[..., :count, :].triu()
    reflectors = _widen(factors, count) if count > columns else factors[..., :count]
    return _householder_product(reflectors.contiguous(), scales), factors[..., :count, :].triu()


@decomposes("ormqr")
def _ormqr(x, scales, other, left=True, transpose=False):
    if x.is_complex():
        return NotImplemented
    rows, columns = x.shape[-2:]
    q = _householder_product(_widen(x, rows) if rows > columns else x[..., :rows].contiguous(), scales)
    q = _transpose(q, transpose)
    return q @ other if left else other @ q


@decomposes("linalg_matrix_exp")
def _matrix_exp(x):
    """Of a part that is small, by its series, and squared again: Moler and Van Loan, method 3."""
    if x.is_complex() or not x.numel():
        return NotImplemented if x.is_complex() else x.clone()
    dtype, x, count = x.dtype, x.double(), 16
    norm = x.abs().sum(-1).amax(-1)
    halvings = torch.where(norm > 0.5, (norm / 0.5).log2().ceil(), 0.0).clamp(0, count)[..., None, None]
    small = x * torch.exp2(-halvings)
    term = made = torch.eye(x.shape[-1], dtype=x.dtype).expand(x.shape)
    for number in range(1, 15):
        term = term @ small / number
        made = made + term
    for number in range(count):
        made = torch.where(halvings > number, made @ made, made)
    return made.to(dtype)
