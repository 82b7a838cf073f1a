"""Loops that go on while a counter is below a limit: what `while i < n` becomes.

The number of their turns is known before them, though the operation does not say it.
"""

from __future__ import annotations

from onnx import TensorProto, numpy_helper

from hetero.importers.rewrites.builder import Builder, Node, Value

_COPIES = ("Identity", "Cast")


class _Body:
    """Where the values of a Loop's body come from."""

    def __init__(self, body):
        self.makers = {output: node for node in body.node for output in node.output}
        self.weights = {weight.name: weight for weight in body.initializer}
        self.carried = [value.name for value in body.input[2:]]
        self.next = [self.trace(value.name) for value in body.output[1 : 1 + len(self.carried)]]
        self.condition = self.trace(body.output[0].name)

    def trace(self, name: str) -> str:
        """The value of which this one is a copy."""
        while name in self.makers and self.makers[name].op_type in _COPIES:
            name = self.makers[name].input[0]
        return name

    def read(self, name: str, op_type: str) -> list:
        """What an operation of this type reads that makes the value."""
        maker = self.makers.get(name)
        return [self.trace(each) for each in maker.input] if maker is not None and maker.op_type == op_type else []

    def is_one(self, name: str) -> bool:
        tensor = self.weights.get(name)
        maker = self.makers.get(name)
        if maker is not None and maker.op_type == "Constant" and maker.attribute[0].name == "value":
            tensor = maker.attribute[0].t
        return tensor is not None and bool((numpy_helper.to_array(tensor) == 1).all())

    def find_counter(self, after: str) -> int | None:
        """The position of what is carried and one more after each turn, which this is."""
        terms = self.read(after, "Add")
        for counter, step in (terms, terms[::-1]) if len(terms) == 2 else ():
            if counter in self.carried and self.is_one(step) and self.next[self.carried.index(counter)] == after:
                return self.carried.index(counter)
        return None

    def find_limit(self, name: str) -> int | None:
        """The position of what is carried and never changes."""
        if name not in self.carried or self.next[self.carried.index(name)] != name:
            return None
        return self.carried.index(name)


def _as_count(value: Value) -> Value:
    count = value.cast(TensorProto.INT64)
    return count if value.rank == 0 else count.squeeze(0)


def count_turns(b: Builder, node: Node, body) -> Value | None:
    """The number of turns of a Loop whose condition is that a counter is below a limit, a scalar; None of another."""
    found = _Body(body)
    sides = found.read(found.condition, "Less")
    if len(sides) != 2:
        return None
    counter, limit = found.find_counter(sides[0]), found.find_limit(sides[1])
    if counter is None or limit is None:
        return None
    start, end = (node.inputs[2 + position] for position in (counter, limit))
    if any(value.rank not in (0, 1) for value in (start, end)):
        return None
    # The condition is that of the next turn: the first one depends on what is given.
    turns = b.op("Max", _as_count(end) - _as_count(start), 1)
    if node.input(1) is not None:
        turns = b.where(node.input(1), turns, 0)
    return turns if node.input(0) is None else b.op("Min", turns, node.input(0))
