"""Placements that every network is tried with."""

from __future__ import annotations

import re

# Everything on the host, what a person would write, and by cost.
HOST = {"default": "cpu"}
CONTRACTIONS = {"rules": 'rules: [{group: contractions, device: "gpu:0"}]\ndefault: cpu'}
COST: dict = {}


def pipeline(program) -> dict:
    """The operations of a compiled program in two halves, the first on gpu:0 and the second on gpu:1."""
    work = [op for op in program.placement.operations if op["name"] and op["op"] != "arith.constant"]
    names = list(dict.fromkeys(op["name"] for op in work))
    last = names[len(names) // 2 :]
    pattern = "|".join(re.sub(r"([][().*+?{}|^$\\])", r"\\\1", name) for name in last)
    quoted = pattern.replace("'", "''")
    rules = f"{{name: '{quoted}', device: 'gpu:1'}}" if last else ""
    return {"rules": f"rules: [{rules}]\ndefault: 'gpu:0'"}


def compile_each(network, *others):
    """Name and program on the host, by rule, by cost, in a pipeline, and of other placements."""
    import hetero

    host = hetero.compile(network, **HOST)
    yield "host", host
    yield "pipeline", hetero.compile(network, **pipeline(host))
    for options in (CONTRACTIONS, COST, *others):
        yield next(iter(options.values()), "cost"), hetero.compile(network, **options)
