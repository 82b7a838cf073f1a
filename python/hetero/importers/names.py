"""Names of operations, which are their locations: "dot_general/scores"; names of types."""

from __future__ import annotations

import collections
import re


def number_repeated(names: dict) -> dict:
    """Names by key, where those that several keys have are followed by the key: "mul/block.mul_3"."""
    counts = collections.Counter(names.values())
    return {key: name if counts[name] == 1 else f"{name}.{key}" for key, name in names.items()}


def is_location(location, kind: str) -> bool:
    """Whether a location is a "name", a "callsite" or a "file": they are classes in new versions of the bindings."""
    ask = getattr(location, f"is_a_{kind}", None)
    if ask:
        return ask()
    return type(location).__name__ == {"name": "NameLoc", "callsite": "CallSiteLoc", "file": "FileLineColLoc"}[kind]


# NumPy's and ml_dtypes' names of element types that are not integers.
_DTYPES = {"i1": "bool", "f16": "float16", "bf16": "bfloat16", "f32": "float32", "f64": "float64", "complex<f32>": "complex64", "complex<f64>": "complex128"}


def dtype_of(element) -> str:
    """The dtype's name of an element type: "uint8" of ui8, "float8_e4m3fn" of f8E4M3FN."""
    name = str(element)
    if name in _DTYPES:
        return _DTYPES[name]
    kind, width, rest = re.fullmatch(r"(u?i|f)(\d+)(\w*)", name).groups()
    kind = {"i": "int", "ui": "uint", "f": "float"}[kind]
    return f"{kind}{width}{'_' if rest else ''}{rest.lower()}"


def read_location(location) -> tuple[str, str] | None:
    """Primitive and scopes of "jit(step)/jit(main)/attention/dot_general", which JAX writes; "sort" in its own functions."""
    if not is_location(location, "name"):
        return None
    *scopes, primitive = location.name_str.split("/")
    return primitive.rstrip(":"), ".".join(scope for scope in scopes if not scope.startswith("jit("))
