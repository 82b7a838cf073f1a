"""Fourier transforms by products of matrices: the rule of JAX's primitive, in its own operations.

A transform of a * b elements is a of b elements, a turn, and b of a; one of few elements is a product
with its matrix, and one whose size has a large prime factor is a convolution, of a power of two.
Numbers are pairs of real and imaginary parts, so that the products are those of floats.
"""

from __future__ import annotations

import math

import jax.numpy as jnp
import numpy as np
from jax import lax

# Up to so many elements a matrix takes no more time than its factors.
_LARGEST_MATRIX = 64
# A prime factor above is a convolution.
_LARGEST_PRIME = 256


def _roots(exponents, size, sign):
    """Powers of a root of unity, which are exact where they are real or imaginary."""
    found = np.exp(sign * 2j * np.pi * (exponents % size) / size)
    return np.where(abs(found.real) < 1e-15, 0, found.real) + 1j * np.where(abs(found.imag) < 1e-15, 0, found.imag)


def _product(x, matrix):
    return jnp.matmul(x, jnp.asarray(matrix, x.dtype), precision=lax.Precision.HIGHEST)


def _multiply(x, turn):
    """Pairs times complex constants."""
    re, im = x
    c, s = jnp.asarray(turn.real, re.dtype), jnp.asarray(turn.imag, re.dtype)
    return re * c - im * s, re * s + im * c


def _by_matrix(x, size, sign):
    numbers = np.arange(size)
    turn = _roots(np.outer(numbers, numbers), size, sign)
    re, im = x
    if im is None:
        return _product(re, turn.real), _product(re, turn.imag)
    real, imaginary = _product(re, turn.real) - _product(im, turn.imag), _product(re, turn.imag) + _product(im, turn.real)
    return real, imaginary


def _pad(x, size):
    return tuple(jnp.pad(part, [(0, 0)] * (part.ndim - 1) + [(0, size - part.shape[-1])]) for part in x)


def _by_convolution(x, size, sign):
    """Bluestein's: j * k is (j^2 + k^2 - (j - k)^2) / 2."""
    numbers = np.arange(size)
    chirp = _roots(numbers**2, 2 * size, sign)
    length = 1 << (2 * size - 1).bit_length()
    kernel = np.zeros(length, complex)
    kernel[:size] = chirp.conj()
    kernel[length - size + 1 :] = chirp[1:][::-1].conj()
    spectrum = _transform(_pad(_multiply(x, chirp), length), length, -1)
    found = _transform(_multiply(spectrum, np.fft.fft(kernel) / length), length, 1)
    return _multiply(tuple(part[..., :size] for part in found), chirp)


def _largest_prime(size):
    prime, factor = 1, 2
    while size > 1:
        if size % factor == 0:
            prime, size = factor, size // factor
        else:
            factor = factor + 1 if factor * factor <= size else size
    return prime


def _transform(x, size, sign):
    """Along the last dimension; the imaginary part may be None."""
    if size <= _LARGEST_MATRIX:
        return _by_matrix(x, size, sign)
    prime = _largest_prime(size)
    if x[1] is None:
        x = x[0], jnp.zeros_like(x[0])
    if prime > _LARGEST_PRIME:
        return _by_convolution(x, size, sign)
    factors = [i for i in range(2, max(_LARGEST_MATRIX, prime) + 1) if size % i == 0]
    a = max(factors)
    b = size // a
    if b == 1:
        return _by_matrix(x, size, sign)
    # Element a' * b + b' of the input and k * a + k' of the result.
    parts = tuple(jnp.swapaxes(part.reshape(*part.shape[:-1], a, b), -1, -2) for part in x)
    parts = _by_matrix(parts, a, sign)
    turn = _roots(np.outer(np.arange(b), np.arange(a)), size, sign)
    parts = _multiply(parts, turn)
    parts = _transform(tuple(jnp.swapaxes(part, -1, -2) for part in parts), b, sign)
    return tuple(jnp.swapaxes(part, -1, -2).reshape(*part.shape[:-2], size) for part in parts)


def _along(x, axis, size, sign):
    moved = tuple(part if part is None else jnp.moveaxis(part, axis, -1) for part in x)
    return tuple(jnp.moveaxis(part, -1, axis) for part in _transform(moved, size, sign))


def _complete(x, size):
    """The whole spectrum of a real signal, of its first half. The imaginary parts of what is its own partner are 0."""
    re, im = (part[..., : size // 2 + 1] for part in x)
    own = np.zeros(size // 2 + 1, bool)
    own[0] = True
    own[-1] |= size % 2 == 0
    im = jnp.where(own, 0, im)
    rest = slice(1, (size + 1) // 2)
    return jnp.concatenate([re, re[..., rest][..., ::-1]], -1), jnp.concatenate([im, -im[..., rest][..., ::-1]], -1)


def transform(x, *, fft_type, fft_lengths):
    """The rule of fft_p."""
    kind, sizes = fft_type.name, list(fft_lengths)
    parts = (x, None) if kind == "RFFT" else (jnp.real(x), jnp.imag(x))
    first, last = x.ndim - len(sizes), x.ndim - 1
    sign = 1 if kind in ("IFFT", "IRFFT") else -1
    if kind == "RFFT":
        parts = tuple(part[..., : sizes[-1] // 2 + 1] for part in _along(parts, last, sizes[-1], sign))
    for number, size in enumerate(sizes[:-1]):
        parts = _along(parts, first + number, size, sign)
    if kind == "IRFFT":
        parts = _complete(parts, sizes[-1])
    if kind != "RFFT":
        parts = _along(parts, last, sizes[-1], sign)
    if sign == 1:
        scale = np.asarray(1 / math.prod(sizes), parts[0].dtype)
        parts = tuple(part * scale for part in parts)
    return parts[0] if kind == "IRFFT" else lax.complex(*parts)
