"""Eigenvalues and singular values by Jacobi's rotations: rules of JAX's primitives, in its own operations.

Half as many rotations as there are columns are done at once, each of two columns; as many such rounds as
there are columns, less one, are a sweep, which has turned each two columns once.
"""

from __future__ import annotations

import jax.numpy as jnp
import numpy as np
from jax import lax

from hetero.importers.jax_rules import matrices

MOST_SWEEPS = 20


def _schedule(size):
    """For each round of a sweep the order of the columns, of which the first half is turned with the second."""
    rounds, circle = [], list(range(size))
    for _ in range(size - 1):
        rounds.append(circle[: size // 2] + circle[: size // 2 - 1 : -1])
        circle = [circle[0], circle[-1], *circle[1:-1]]
    return np.array(rounds, np.int32), np.argsort(np.array(rounds), axis=1).astype(np.int32)


def _find_angles(first, second, both, least):
    """Cosine, sine and phase that make the product of two columns 0, of products of columns; 1 where it is small."""
    size = jnp.abs(both)
    is_done = size <= least
    bounded = jnp.where(is_done, 1, size)
    ratio = (second - first) / (2 * bounded)
    tangent = jnp.where(ratio < 0, -1, 1) / (jnp.abs(ratio) + jnp.sqrt(1 + ratio * ratio))
    tangent = jnp.where(is_done, 0, tangent)
    cosine = 1 / jnp.sqrt(1 + tangent * tangent)
    return cosine, tangent * cosine, jnp.where(is_done, 1, both / bounded)


def _turn(x, cosine, sine, phase):
    """The columns of both halves."""
    half = x.shape[1] // 2
    left, right = x[:, :half], x[:, half:] * phase
    return jnp.concatenate([cosine * left - sine * right, sine * left + cosine * right], 1).astype(x.dtype)


def _repeat(round_, is_left, state, size):
    """Sweeps while something is left to turn."""

    def sweep(carry):
        number, state = carry
        return number + 1, lax.fori_loop(0, size - 1, round_, state)

    return lax.while_loop(lambda carry: (carry[0] < MOST_SWEEPS) & is_left(carry[1]), sweep, (0, state))[1]


def find_eigenvalues(a, *, lower=True, sort_eigenvalues=True, subset_by_index=None, **_):
    """Eigenvectors and eigenvalues of a Hermitian matrix."""
    count = a.shape[0]
    a = jnp.tril(a) + jnp.conj(jnp.tril(a, -1)).T if lower else jnp.triu(a) + jnp.conj(jnp.triu(a, 1)).T
    size = max(2, count + count % 2)
    a = jnp.pad(a, (0, size - count))
    orders, inverses = (jnp.asarray(numbers) for numbers in _schedule(size))
    least = jnp.finfo(a.dtype).eps * jnp.sqrt(jnp.sum(jnp.abs(a) ** 2))

    def round_(number, state):
        a, vectors = state
        order, inverse = orders[number], inverses[number]
        a, half = a[order][:, order], size // 2
        diagonal = jnp.real(jnp.diagonal(a))
        cosine, sine, phase = _find_angles(diagonal[:half], diagonal[half:], jnp.diagonal(a[:half, half:]), least / size)
        a = _turn(a, cosine, sine, jnp.conj(phase))
        a = jnp.conj(_turn(jnp.conj(a.T), cosine, sine, jnp.conj(phase))).T
        vectors = _turn(vectors[:, order], cosine, sine, jnp.conj(phase))
        return a[inverse][:, inverse], vectors[:, inverse]

    def is_left(state):
        return jnp.max(jnp.abs(jnp.where(np.eye(size, dtype=bool), 0, state[0]))) > least

    a, vectors = _repeat(round_, is_left, (a, jnp.eye(size, dtype=a.dtype)), size)
    values, vectors = jnp.real(jnp.diagonal(a))[:count], vectors[:count, :count]
    if sort_eigenvalues or subset_by_index is not None:
        order = jnp.argsort(values)
        values, vectors = values[order], vectors[:, order]
    if subset_by_index is not None:
        values, vectors = values[slice(*subset_by_index)], vectors[:, slice(*subset_by_index)]
    return vectors, values


def _turn_columns(a):
    """Columns that are orthogonal, of a matrix that is not wider than it is high, and what they were multiplied with."""
    size = a.shape[1]
    orders, inverses = (jnp.asarray(numbers) for numbers in _schedule(size))
    least = jnp.finfo(a.dtype).eps * size

    def products(first, second):
        return jnp.sum(jnp.conj(first) * second, 0)

    def round_(number, state):
        a, vectors, worst = state
        order, inverse = orders[number], inverses[number]
        a, half = a[:, order], size // 2
        left, right = a[:, :half], a[:, half:]
        first, second, both = jnp.real(products(left, left)), jnp.real(products(right, right)), products(left, right)
        share = jnp.abs(both) / jnp.where(first * second > 0, jnp.sqrt(first * second), 1)
        cosine, sine, phase = _find_angles(first, second, jnp.where(share > least / size, both, 0), 0)
        a, vectors = (_turn(x, cosine, sine, jnp.conj(phase)) for x in (a, vectors[:, order]))
        worst = jnp.where(number == 0, jnp.max(share), jnp.maximum(worst, jnp.max(share)))
        return a[:, inverse], vectors[:, inverse], worst

    start = a, jnp.eye(size, dtype=a.dtype), jnp.ones((), jnp.finfo(a.dtype).dtype)
    return _repeat(round_, lambda state: state[2] > least, start, size)[:2]


def find_singular_values(a, *, full_matrices, compute_uv, subset_by_index=None, **_):
    """Singular values, and the vectors of both sides."""
    height, width = a.shape
    if height < width:
        settings = {"full_matrices": full_matrices, "compute_uv": compute_uv, "subset_by_index": subset_by_index}
        found = find_singular_values(jnp.conj(a.T), **settings)
        return [found[0], jnp.conj(found[2].T), jnp.conj(found[1].T)] if compute_uv else found
    size = max(2, width + width % 2)
    turned, right = _turn_columns(jnp.pad(a, ((0, size - width), (0, size - width))))
    turned, right = turned[:height, :width], right[:width, :width]
    values = jnp.sqrt(jnp.sum(jnp.real(turned * jnp.conj(turned)), 0))
    order = jnp.argsort(-values)
    values, turned, right = values[order], turned[:, order], right[:, order]
    chosen = slice(*subset_by_index) if subset_by_index is not None else slice(None)
    if not compute_uv:
        return [values[chosen]]
    left = turned / jnp.where(values > 0, values, 1).astype(a.dtype)
    # What is left of columns that depend on others has no direction of its own.
    others, _ = matrices.factorize_qr(left, full_matrices=True)
    is_own = values > jnp.finfo(values.dtype).eps * height * values[0]
    left = jnp.where(is_own, left, others[:, :width])
    left = jnp.concatenate([left, others[:, width:]], 1) if full_matrices else left
    return [values[chosen], left[:, chosen], jnp.conj(right.T)[chosen]]
