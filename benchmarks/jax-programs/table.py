"""Rows of the table of functions; each module functions_*.py fills it."""

import dataclasses

from draws import ALL, FLOATS


@dataclasses.dataclass(frozen=True)
class Row:
    """A function with draws of its arguments.

    kinds: "value", "gradient" (of floats), "vmap".
    dtypes: names; those that JAX refuses are no cases.
    reference: another function of the same meaning, where XLA does not compute what StableHLO specifies.
    """

    name: str
    function: object
    draws: tuple
    dtypes: tuple
    kinds: tuple
    reference: object = None


ROWS = []


def row(name, function, *draws, dtypes=ALL, kinds=("value",)):
    ROWS.append(Row(name, function, draws, tuple(dtypes), kinds))


def deviating(name, why, function, reference, *draws, dtypes=ALL):
    """A function of which XLA's own result on the host is not the specified one, and why."""
    assert why
    ROWS.append(Row(name, function, draws, tuple(dtypes), ("value",), reference))


def differentiable(name, function, *draws, dtypes=FLOATS):
    row(name, function, *draws, dtypes=dtypes, kinds=("value", "gradient", "vmap"))


def resolve(module, names):
    """Names and functions of a module, of those that this version has."""
    return [(name, getattr(module, name)) for name in names.split() if hasattr(module, name)]
