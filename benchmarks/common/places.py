"""Options of hetero.compile that say where a program runs."""

import random

DIALECTS = ("linalg", "tensor", "arith", "math", "scf", "tm_tensor")


def split(name, count):
    """Each of the first operations of a dialect on cpu or gpu:0, by chance, which the name decides."""
    rng = random.Random(name)
    rules = [
        f"{{op: '{dialect}*', nth: {i}, device: '{rng.choice(('cpu', 'gpu:0'))}'}}" for dialect in DIALECTS for i in range(count)
    ]
    return {"rules": f"rules: [{', '.join(rules)}]\ndefault: cpu"}


def options(place, name, count=40):
    """A device, or "split"."""
    return split(name, count) if place == "split" else {"rules": f'default: "{place}"'}
