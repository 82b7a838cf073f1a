"""Names of operations, which are their locations: "dot_general/scores"."""

from __future__ import annotations

import collections


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
