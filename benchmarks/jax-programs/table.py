"""Rows of the table of functions; each module functions_*.py fills it."""

import dataclasses

from draws import ALL, FLOATS


@dataclasses.dataclass(frozen=True)
class Row:
    """A function with draws of its arguments.

    kinds: "value", "gradient" (of floats), "vmap".
    dtypes: names; those that JAX refuses are no cases.
    """

    name: str
    function: object
    draws: tuple
    dtypes: tuple
    kinds: tuple


ROWS = []


def row(name, function, *draws, dtypes=ALL, kinds=("value",)):
    ROWS.append(Row(name, function, draws, tuple(dtypes), kinds))


def differentiable(name, function, *draws, dtypes=FLOATS):
    row(name, function, *draws, dtypes=dtypes, kinds=("value", "gradient", "vmap"))


def resolve(module, names):
    """Names and functions of a module, of those that this version has."""
    return [(name, getattr(module, name)) for name in names.split() if hasattr(module, name)]
