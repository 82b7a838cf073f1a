"""Random programs: some operations on bytes, integers, truths and floats, each of which reads what others make."""

import jax.numpy as jnp
import numpy as np
from jax import lax

from draws import any_of, of
from table import row

PROGRAMS = 250
OPERATIONS = 8
SHAPE = (4, 6)
ARGUMENTS = ("uint8", "int8", "uint16", "int16", "uint32", "int32", "bool", "float32")
INTEGERS = ARGUMENTS[:6]
BINARY = (
    jnp.add, jnp.subtract, jnp.multiply, jnp.maximum, jnp.minimum, jnp.floor_divide, jnp.remainder, lax.div, lax.rem,
    jnp.bitwise_and, jnp.bitwise_xor, jnp.bitwise_or,
)  # fmt: skip
COMPARISONS = (jnp.less, jnp.greater_equal, jnp.equal, jnp.not_equal, jnp.greater)


def _is_integer(x):
    return jnp.issubdtype(x.dtype, jnp.integer)


def _rows(function):
    """A number for each row, for each element of it."""
    return lambda x: jnp.broadcast_to(function(x)[:, None], SHAPE)


UNARY = (
    lambda x: jnp.sort(x, 1),
    lambda x: jnp.argsort(x, 0),
    lambda x: jnp.flip(x, 1),
    lambda x: jnp.cumsum(x, 1),
    lambda x: lax.cummax(x, 1, reverse=True),
    lambda x: jnp.roll(x, 2, 1),
    lambda x: jnp.pad(x, ((1, 0), (0, 2)), constant_values=1)[:4, 2:],
    lambda x: lax.top_k(x, 6)[0],
    _rows(lambda x: x.max(1)),
    _rows(lambda x: x.min(1)),
    _rows(lambda x: x.sum(1)),
    _rows(lambda x: jnp.argmax(x, 1)),
    lambda x: jnp.clip(x, 1, 100),
    lambda x: jnp.sign(x) * jnp.abs(x),
    lambda x: x >> 1,
    lambda x: x << 2,
    lambda x: ~x,
    lambda x: -x,
    lambda x: lax.population_count(x),
    lambda x: x.at[1:3, 2].set(7),
    lambda x: x.at[jnp.array([0, 3, 9])].max(x[1]),
    lambda x: x[jnp.abs(x[:, 0].astype(jnp.int32)) % 4],
    lambda x: lax.dynamic_slice(jnp.tile(x, 2), (jnp.zeros_like(x[0, 0]), x[0, 0]), SHAPE),
)


def _multiply(x, y):
    """A product of matrices, whose numbers a float has all of."""
    small = (x.astype(jnp.float32) / 256).round().clip(-300, 300), (y.astype(jnp.float32) / 256).round().clip(-300, 300)
    return (small[0] @ small[1].T)[:, :1] + jnp.zeros(SHAPE, jnp.float32) if x.dtype != y.dtype else _multiply_exactly(x, y)


def _multiply_exactly(x, y):
    dimensions = (((1,), (1,)), ((), ()))
    made = lax.dot_general(x, y, dimensions, preferred_element_type=jnp.int32 if _is_integer(x) else jnp.float32)
    return jnp.tile(made[:, :3], (1, 2))


def _draw_cast(rng, values):
    x = values[rng.integers(len(values))]
    target = ARGUMENTS[rng.integers(len(ARGUMENTS))]
    return x.astype(target)


def _draw_binary(rng, values):
    x, y = (values[i] for i in rng.integers(len(values), size=2))
    choice = rng.integers(4)
    if choice == 0:
        return COMPARISONS[rng.integers(len(COMPARISONS))](x, y.astype(x.dtype))
    if choice == 1:
        return jnp.where(x > 1 if x.dtype != bool else x, y, y[::-1])
    if choice == 2:
        return _multiply(x, y)
    x = x if _is_integer(x) else x.astype(INTEGERS[rng.integers(len(INTEGERS))])
    return BINARY[rng.integers(len(BINARY))](x, y.astype(x.dtype))


def _draw_unary(rng, values):
    x = values[rng.integers(len(values))]
    x = x if _is_integer(x) else x.astype(INTEGERS[rng.integers(len(INTEGERS))])
    return UNARY[rng.integers(len(UNARY))](x)


def _make(seed):
    def program(*arguments):
        rng = np.random.default_rng(seed)
        values = list(arguments)
        for _ in range(OPERATIONS):
            draw = (_draw_cast, _draw_binary, _draw_binary, _draw_unary, _draw_unary)[rng.integers(5)]
            values.append(draw(rng, values))
        return [jnp.asarray(value) for value in values[len(arguments) :]]

    return program


for seed in range(PROGRAMS):
    row(f"random program {seed}", _make(seed), *(of(name, any_of(*SHAPE)) for name in ARGUMENTS), dtypes=("float32",))
