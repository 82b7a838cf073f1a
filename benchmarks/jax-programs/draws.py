"""Arguments of functions: small arrays of each dtype, the same in each run."""

import ml_dtypes
import numpy as np

BOOL = ("bool",)
UNSIGNED = ("uint8", "uint16", "uint32")
SIGNED = ("int8", "int16", "int32")
WIDE = ("uint64", "int64", "float64")  # With jax_enable_x64.
FLOATS = ("float32", "float16", "bfloat16")
COMPLEX = ("complex64",)
INTEGERS = UNSIGNED + SIGNED
REAL = INTEGERS + FLOATS
ALL = BOOL + REAL + COMPLEX


def dtype_of(name):
    return np.dtype(ml_dtypes.bfloat16 if name == "bfloat16" else name)


def _integers(rng, shape, dtype):
    """Numbers of the whole range, half of them small, with the ends of the range among them."""
    info = np.iinfo(dtype)
    wide = rng.integers(info.min, info.max, shape, dtype, endpoint=True)
    small = rng.integers(0 if info.min == 0 else -5, 6, shape).astype(dtype)
    drawn = np.where(rng.random(shape) < 0.5, wide, small).astype(dtype)
    ends = np.array([info.max, info.min, info.max // 2 + 1], dtype)[: drawn.size // 3]
    drawn.reshape(-1)[: len(ends)] = ends
    return drawn


class Draw:
    """One argument; `make(rng, dtype)` returns the array."""

    def __init__(self, shape, make):
        self.shape, self.make = shape, make


def any_of(*shape):
    """Numbers of the whole range of an integer, normal ones of a float."""

    def make(rng, dtype):
        if dtype == np.bool_:
            return rng.random(shape) < 0.5
        if dtype.kind in "iu":
            return _integers(rng, shape, dtype)
        drawn = rng.standard_normal(shape) * 2
        return np.asarray(drawn + 1j * rng.standard_normal(shape) if dtype.kind == "c" else drawn, dtype)

    return Draw(shape, make)


def special(*shape):
    """Floats with nan, infinities, both zeros, halves and equal numbers among them; others as any_of()."""
    plain = any_of(*shape)

    def make(rng, dtype):
        drawn = plain.make(rng, dtype)
        if dtype.kind not in "fV":
            return drawn
        some = np.array([np.nan, np.inf, -np.inf, 0.0, -0.0, 0.5, 1.5, -0.5, 1.0, 1.0], dtype)
        flat = drawn.reshape(-1)
        flat[:: max(1, flat.size // 10)] = np.resize(some, len(flat[:: max(1, flat.size // 10)]))
        return drawn

    return Draw(shape, make)


def small(*shape, low=-3, high=4):
    """Small numbers, of which sums and products stay in the range of each type."""

    def make(rng, dtype):
        if dtype == np.bool_:
            return rng.random(shape) < 0.5
        least = max(low, 0) if dtype.kind == "u" else low
        if dtype.kind in "iu":
            return rng.integers(least, high, shape).astype(dtype)
        return np.asarray(rng.uniform(low, high, shape), dtype)

    return Draw(shape, make)


def between(low, high, *shape):
    """Numbers of this range, which is the function's domain."""
    return small(*shape, low=low, high=high)


def of(name, draw):
    """Another dtype than the case's."""
    return Draw(draw.shape, lambda rng, dtype: draw.make(rng, dtype_of(name)))


def index(*shape, below):
    return Draw(shape, lambda rng, dtype: rng.integers(0, below, shape).astype(np.int32))


def beyond(*shape, below):
    """Indices of which some are out of range on both sides."""
    return Draw(shape, lambda rng, dtype: rng.integers(-2 * below, 2 * below, shape).astype(np.int32))


def mask(*shape):
    return of("bool", any_of(*shape))


def fixed(value, name=None):
    """The same numbers for each case."""

    def make(rng, dtype):
        return np.asarray(value, dtype_of(name) if name else dtype)

    return Draw(np.shape(value), make)


def well(*shape):
    """Matrices that are easy to invert."""

    def make(rng, dtype):
        drawn = rng.standard_normal(shape)
        drawn = drawn + 1j * rng.standard_normal(shape) if dtype.kind == "c" else drawn
        return np.asarray(drawn + 4 * np.eye(*shape[-2:]), dtype)

    return Draw(shape, make)


def positive_definite(*shape):
    """Matrices that Cholesky's factorization takes."""

    def make(rng, dtype):
        half = rng.standard_normal(shape)
        half = half + 1j * rng.standard_normal(shape) if dtype.kind == "c" else half
        return np.asarray(half @ np.conj(np.swapaxes(half, -1, -2)) + 3 * np.eye(shape[-1]), dtype)

    return Draw(shape, make)
