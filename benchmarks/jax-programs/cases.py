"""Cases: a function, a kind (its value, its gradient, its vmap) and a dtype."""

import dataclasses
import zlib

import jax
import jax.numpy as jnp
import numpy as np

import functions_lax
import functions_networks
import functions_numpy
import functions_products
import functions_random
from draws import WIDE, dtype_of
from table import ROWS

try:
    from jax import enable_x64
except ImportError:  # Before JAX 0.8.
    from jax.experimental import enable_x64

assert functions_lax and functions_networks and functions_numpy and functions_products and functions_random  # They fill the table.

# Results that are floats have gradients; of these dtypes one is enough.
GRADIENTS = ("float32", "complex64", "float16")
VMAPS = ("bool", "uint8", "int32", "float32", "complex64")
BATCH = 2


@dataclasses.dataclass
class Case:
    """What is compared: a function and its arguments; `reference` has the numbers that are right."""

    name: str
    function: object
    reference: object
    arguments: tuple
    is_wide: bool


def differentiate(function):
    """The gradient of a weighted sum of the function's results that are floats, by its arguments that are."""

    def total(*arguments):
        leaves = [leaf for leaf in jax.tree_util.tree_leaves(function(*arguments)) if jnp.issubdtype(leaf.dtype, jnp.inexact)]
        if not leaves:
            raise TypeError("no result is a float")
        weights = [1 + jnp.arange(leaf.size).reshape(leaf.shape) % 3 for leaf in leaves]
        return sum((jnp.real(leaf) + jnp.imag(leaf)).astype(jnp.float32).ravel() @ w.ravel().astype(jnp.float32) for leaf, w in zip(leaves, weights))

    def gradient(*arguments):
        numbers = tuple(i for i, argument in enumerate(arguments) if jnp.issubdtype(argument.dtype, jnp.inexact))
        return jax.grad(total, numbers)(*arguments)

    return gradient


WRAPPERS = {"value": lambda function: function, "gradient": differentiate, "vmap": jax.vmap}


def draw(row, kind, name):
    """The arguments of a case, which are the same in each run."""
    dtype = dtype_of(name)
    rng = np.random.default_rng(zlib.crc32(f"{row.name}/{kind}/{name}".encode()))
    count = BATCH if kind == "vmap" else 1
    made = [[value.make(rng, dtype) for value in row.draws] for _ in range(count)]
    return tuple(np.stack(values) if kind == "vmap" else values[0] for values in zip(*made))


def dtypes_of(row, kind):
    if kind == "value":
        return row.dtypes
    return [name for name in row.dtypes if name in (GRADIENTS if kind == "gradient" else VMAPS)]


def make(row, kind, name):
    """The case, or None where JAX refuses the dtype."""
    function = WRAPPERS[kind](row.function)
    reference = WRAPPERS[kind](row.reference or row.function)
    case = Case(f"{row.name} {kind} {name}", function, reference, draw(row, kind, name), name in WIDE + ("complex128",))
    try:
        with enable_x64(case.is_wide):
            shapes = jax.eval_shape(function, *case.arguments)
    except Exception:  # JAX's rules of types raise what they like.
        return None
    return case if jax.tree_util.tree_leaves(shapes) else None


def groups():
    """Pairs of a row and a kind: their cases differ by their dtypes."""
    seen, found = set(), []
    for row in ROWS:
        for kind in row.kinds:
            if dtypes_of(row, kind) and (row.name, kind) not in seen:
                seen.add((row.name, kind))
                found.append((f"{row.name} {kind}", row, kind))
    return found


def of_group(row, kind, dtypes=None):
    """The cases of a group, of these dtypes only if some are given."""
    wanted = [name for name in dtypes_of(row, kind) if not dtypes or name in dtypes]
    made = [make(row, kind, name) for name in wanted]
    return [case for case in made if case]


def join(cases):
    """One case that is all of them."""
    if len(cases) == 1:
        return cases[0]
    sizes = np.cumsum([0] + [len(case.arguments) for case in cases])

    def join_all(functions):
        return lambda *arguments: [function(*arguments[a:b]) for function, a, b in zip(functions, sizes, sizes[1:])]

    functions, references = join_all([case.function for case in cases]), join_all([case.reference for case in cases])
    return Case("joined", functions, references, sum((case.arguments for case in cases), ()), cases[0].is_wide)
