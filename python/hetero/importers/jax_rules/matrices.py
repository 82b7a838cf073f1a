"""Factorizations of matrices by loops over columns: rules of JAX's primitives, in its own operations.

Each is of one matrix; batches are vmaps of it.
"""

from __future__ import annotations

import functools
import math

import jax
import jax.numpy as jnp
from jax import lax

HIGHEST = lax.Precision.HIGHEST


def over_batches(function, ranks):
    """A function of arrays of these ranks, for arrays with the same dimensions in front."""

    @functools.wraps(function)
    def batched(*arguments, **settings):
        shape = arguments[0].shape[: arguments[0].ndim - ranks[0]]
        if not shape:
            return function(*arguments, **settings)
        flat = [value.reshape(math.prod(shape), *value.shape[len(shape) :]) for value in arguments]
        found = jax.vmap(functools.partial(function, **settings))(*flat)
        return jax.tree_util.tree_map(lambda value: value.reshape(*shape, *value.shape[1:]), found)

    return batched


def _column(a, k):
    return lax.dynamic_index_in_dim(a, k, 1, keepdims=False)


def _row(a, k):
    return lax.dynamic_index_in_dim(a, k, 0, keepdims=False)


def _times(a, b):
    return jnp.matmul(a, b, precision=HIGHEST)


def adjoint(a):
    return jnp.conj(jnp.swapaxes(a, -1, -2))


def factorize_cholesky(a, **_):
    """Nan where the matrix is not positive."""
    size = a.shape[0]
    rows = jnp.arange(size)

    def step(k, lower):
        column = _column(a, k) - _times(lower, jnp.conj(_row(lower, k)))
        pivot = jnp.sqrt(jnp.real(column[k])).astype(a.dtype)
        column = jnp.where(rows > k, column / pivot, jnp.where(rows == k, pivot, 0))
        return jnp.where(rows == k, column[:, None], lower)

    lower = lax.fori_loop(0, size, step, jnp.zeros_like(a))
    is_positive = jnp.all(jnp.real(jnp.diagonal(lower)) > 0)
    return jnp.where(is_positive, lower, jnp.nan)


def solve_triangular(a, b, *, left_side, lower, transpose_a, conjugate_a, unit_diagonal):
    """Row after row of the result."""
    if not left_side:
        # x a = b is a' x' = b'.
        settings = {"lower": lower, "conjugate_a": conjugate_a, "unit_diagonal": unit_diagonal}
        return solve_triangular(a, b.T, left_side=True, transpose_a=not transpose_a, **settings).T
    if conjugate_a:
        a = jnp.conj(a)
    if transpose_a:
        a, lower = a.T, not lower
    size = a.shape[0]
    rows = jnp.arange(size)
    diagonal = jnp.diagonal(a)
    a = jnp.where(rows[:, None] > rows if lower else rows[:, None] < rows, a, 0)

    def step(number, x):
        k = number if lower else size - 1 - number
        value = _row(b, k) - _times(_row(a, k), x)
        value = value if unit_diagonal else value / diagonal[k]
        return jnp.where((rows == k)[:, None], value, x)

    return lax.fori_loop(0, size, step, jnp.zeros_like(b))


def _size_of(x):
    """What pivots are chosen by: LAPACK's, for complex numbers."""
    return jnp.abs(jnp.real(x)) + jnp.abs(jnp.imag(x)) if jnp.iscomplexobj(x) else jnp.abs(x)


def _swap(x, i, j):
    first, second = x[i], x[j]
    return x.at[i].set(second).at[j].set(first)


def factorize_lu(a, **_):
    """With pivots from rows; the factors, the pivots and the permutation."""
    height, width = a.shape
    rows, columns = jnp.arange(height), jnp.arange(width)

    def step(k, state):
        pivots, order, a = state
        sizes = jnp.where(rows >= k, _size_of(_column(a, k)), -1)
        best = jnp.argmax(sizes).astype(jnp.int32)
        pivots, order, a = pivots.at[k].set(best), _swap(order, k, best), _swap(a, k, best)
        column, pivot = _column(a, k), a[k, k]
        column = jnp.where(rows > k, column / jnp.where(pivot == 0, 1, pivot), column)
        a = jnp.where(columns == k, column[:, None], a)
        rest = jnp.where((rows > k)[:, None] & (columns > k), column[:, None] * _row(a, k), 0)
        return pivots, order, a - rest

    start = jnp.zeros(min(a.shape), jnp.int32), jnp.arange(height, dtype=jnp.int32), a
    pivots, order, a = lax.fori_loop(0, min(a.shape), step, start)
    return a, pivots, order


def _swap_columns(a, i, j):
    return _swap(a.T, i, j).T


def reflect_columns(a, is_pivoted=False):
    """Householder's reflections that make it upper triangular: LAPACK's geqrf, or geqp3; and the columns' order."""
    height, width = a.shape
    rows, columns = jnp.arange(height), jnp.arange(width)

    def step(k, state):
        a, factors, order = state
        if is_pivoted:
            left = jnp.sum(jnp.where((rows >= k)[:, None], jnp.real(a * jnp.conj(a)), 0), 0)
            best = jnp.argmax(jnp.where(columns >= k, left, -1)).astype(jnp.int32)
            a, order = _swap_columns(a, k, best), _swap(order, k, best)
        column = _column(a, k)
        alpha = column[k]
        below = jnp.sum(jnp.where(rows > k, jnp.real(column * jnp.conj(column)), 0))
        is_done = (below == 0) & (jnp.imag(alpha) == 0)
        length = jnp.sqrt(jnp.real(alpha * jnp.conj(alpha)) + below)
        beta = jnp.where(is_done, jnp.real(alpha), jnp.where(jnp.real(alpha) < 0, length, -length)).astype(a.dtype)
        factor = jnp.where(is_done, 0, (beta - alpha) / jnp.where(beta == 0, 1, beta))
        divisor = jnp.where(is_done, 1, alpha - beta)
        v = jnp.where(rows > k, column / divisor, jnp.where(rows == k, 1, 0)).astype(a.dtype)
        changed = a - jnp.conj(factor) * v[:, None] * _times(jnp.conj(v), a)
        last = jnp.where(rows > k, v, jnp.where(rows == k, beta, column))
        a = jnp.where(columns > k, changed, jnp.where(columns == k, last[:, None], a))
        return a, factors.at[k].set(factor.astype(a.dtype)), order

    return lax.fori_loop(0, min(a.shape), step, (a, jnp.zeros(min(a.shape), a.dtype), columns.astype(jnp.int32)))


def multiply_reflections(a, factors):
    """The first columns of the product of reflections: LAPACK's orgqr."""
    height, width = a.shape
    rows = jnp.arange(height)
    count = factors.shape[0]

    def step(number, q):
        k = count - 1 - number
        v = jnp.where(rows > k, _column(a, k), jnp.where(rows == k, 1, 0)).astype(a.dtype)
        return q - factors[k] * v[:, None] * _times(jnp.conj(v), q)

    return lax.fori_loop(0, count, step, jnp.eye(height, width, dtype=a.dtype))


def factorize_qr(a, *, full_matrices, pivoting=False, **_):
    height, width = a.shape
    r, factors, order = reflect_columns(a, pivoting)
    if height < width:
        q = multiply_reflections(r[:, :height], factors)
    elif full_matrices:
        q = multiply_reflections(jnp.pad(r, ((0, 0), (0, height - width))), factors)
    else:
        q, r = multiply_reflections(r, factors), r[:width]
    return (q, jnp.triu(r), order) if pivoting else (q, jnp.triu(r))


def solve_tridiagonal(lower, diagonal, upper, b, **_):
    """Thomas's algorithm: down, and up again."""

    def down(state, row):
        above, solved = state
        low, middle, high, right = row
        pivot = middle - low * above
        made = high / pivot, (right - low * solved) / pivot
        return made, made

    zero = jnp.zeros((), b.dtype), jnp.zeros(b.shape[1:], b.dtype)
    _, (ratios, values) = lax.scan(down, zero, (lower, diagonal, upper, b))

    def up(solved, row):
        ratio, value = row
        found = value - ratio * solved
        return found, found

    return lax.scan(up, zero[1], (ratios, values), reverse=True)[1]
