"""If, Loop and Scan: taken where what they depend on is constant, else as loops that torch-mlir knows.

Semantics are those of ONNX's operator specification.
"""

from __future__ import annotations

import dataclasses

import numpy as np
from onnx import TensorProto, helper

from hetero.importers.rewrites import counters
from hetero.importers.rewrites.builder import Builder, Node, Value, subgraphs

# Nodes that an unrolled loop may have.
_LIMIT = 512


def rewrite_if(b: Builder, node: Node):
    """An If of a constant condition, or of branches that are constants."""
    condition = node.inputs[0]
    branches = {attribute.name: attribute.g for attribute in node.proto.attribute}
    if condition.array is not None:
        return b.inline(branches["then_branch" if condition.array.item() else "else_branch"], [])
    if any(branch.node for branch in branches.values()):
        return None
    then, other = (b.inline(branches[name], []) for name in ("then_branch", "else_branch"))
    whole = condition.squeeze(0) if condition.rank else condition
    return [b.where(whole, *pair) for pair in zip(then, other)]


def _stays_true(body) -> bool:
    """Whether the condition of a Loop's body is that which it got, or true."""
    name, given = body.output[0].name, body.input[1].name
    makers = {output: node for node in body.node for output in node.output}
    weights = {weight.name: weight for weight in body.initializer}
    while name in makers and makers[name].op_type in ("Identity", "Cast"):
        name = makers[name].input[0]
    if name == given:
        return True
    tensor = weights.get(name)
    if name in makers and makers[name].op_type == "Constant" and makers[name].attribute[0].name == "value":
        tensor = makers[name].attribute[0].t
    return tensor is not None and tensor.ByteSize() > 0 and any(tensor.raw_data or tensor.int32_data)


def _count_nodes(graph) -> int:
    return sum(1 + sum(_count_nodes(inner) for inner in subgraphs(node)) for node in graph.node)


def _is_true(condition: Value | None) -> bool:
    return condition is None or condition.array is not None and bool(condition.array.item())


def _unroll_loop(b: Builder, body, count: int, carried: list) -> list:
    rows: list = [[] for _ in body.output[1 + len(carried) :]]
    always = b.constant(True, TensorProto.BOOL)
    for turn in range(count):
        results = b.inline(body, [b.constant(turn, TensorProto.INT64), always, *carried])
        carried = results[1 : 1 + len(carried)]
        for number, row in enumerate(results[1 + len(carried) :]):
            rows[number].append(row.unsqueeze(0))
    return [*carried, *(b.concat(each, 0) for each in rows)]


def _count_turns(b: Builder, node: Node, body) -> Value | None:
    """How often a Loop turns, a scalar; None where only its body can tell."""
    trips, condition = node.input(0), node.input(1)
    if _stays_true(body):
        if trips is None or _is_true(condition):
            return trips
        return b.where(condition, trips, 0)
    return counters.count_turns(b, node, body)


def _first_shapes(b: Builder, body, carried: list):
    """Sizes of what the body adds to each result in a turn: those of the first turn. None where a rank is not known."""
    zero, always = b.constant(0, TensorProto.INT64), b.constant(True, TensorProto.BOOL)
    rows, shapes, sizes = None, [], []
    for number, value in enumerate(body.output[1 + len(carried) :]):
        kind = value.type.tensor_type
        if not kind.HasField("shape"):
            return None
        sizes = [dim.dim_value if dim.HasField("dim_value") else None for dim in kind.shape.dim]
        if None in sizes:
            rows = rows or b.inline(body, [zero, always, *carried])[1 + len(carried) :]
            shape = b.op("Shape", rows[number])
            sizes = [b.op("Gather", shape, np.array(i, np.int64)) if s is None else s for i, s in enumerate(sizes)]
        shapes.append(sizes)
    return shapes


def rewrite_loop(b: Builder, node: Node):
    """A Loop of few turns, unrolled; one with results by the turn as one that writes them into what it carries."""
    body = next(subgraphs(node.proto))
    carried = node.inputs[2:]
    scanned = len(body.output) - 1 - len(carried)
    length: int | Value | None = _count_turns(b, node, body)
    if length is None:
        return None
    if length.array is not None:
        length = int(length.array.item())
        if length * max(_count_nodes(body), 1) <= _LIMIT and (length or not scanned):
            return _unroll_loop(b, body, length, carried)
    if not scanned or any(value.shape is None for value in carried):
        return None
    shapes = _first_shapes(b, body, carried)
    if shapes is None:
        return None
    always = b.constant(True, TensorProto.BOOL)
    turns = _Turns(length, body.input[2:], carried, shapes, [False] * scanned)
    return turns.make_loop(b, lambda inner, at, states: inner.inline(body, [at[False], always, *states])[1:])


class _Scan:
    """A Scan: its states, and its sequences with their axes and directions."""

    def __init__(self, node: Node):
        self.body = next(subgraphs(node.proto))
        count = node.get("num_scan_inputs")
        self.states, self.sequences = node.inputs[: len(node.inputs) - count], node.inputs[len(node.inputs) - count :]
        results = len(self.body.output) - len(self.states)
        self.axes = node.get("scan_input_axes", [0] * count)
        self.backward = node.get("scan_input_directions", [0] * count)
        self.result_axes = node.get("scan_output_axes", [0] * results)
        self.results_backward = node.get("scan_output_directions", [0] * results)

    @property
    def length(self):
        """The number of turns, a scalar where it is known only at run time; None where no sequence has a rank."""
        known = [(sequence, axis) for sequence, axis in zip(self.sequences, self.axes) if sequence.shape is not None]
        sizes = [sequence.shape[axis] for sequence, axis in known if sequence.shape[axis] is not None]
        return sizes[0] if sizes else known[0][0].size(known[0][1]) if known else None

    def row(self, number: int, turn: int) -> Value:
        """What the body reads of a sequence in a turn."""
        axis = self.axes[number]
        place = self.length - 1 - turn if self.backward[number] else turn
        return self.sequences[number].slice(axis, place, place + 1).squeeze(axis)


def _unroll(b: Builder, scan: _Scan) -> list:
    states: list = scan.states
    rows: list = [[] for _ in scan.result_axes]
    for turn in range(scan.length):
        results = b.inline(scan.body, [*states, *(scan.row(i, turn) for i in range(len(scan.sequences)))])
        states = results[: len(states)]
        for number, row in enumerate(results[len(states) :]):
            rows[number].append(row.unsqueeze(scan.result_axes[number]))
    joined = [
        b.concat(each[::-1] if backward else each, axis)
        for each, axis, backward in zip(rows, scan.result_axes, scan.results_backward)
    ]
    return [*states, *joined]


def _find_size(scan: _Scan, name: str):
    """A size that has this name in what the body reads."""
    for position, (value, given) in enumerate(zip(scan.body.input, [*scan.states, *scan.sequences])):
        for axis, dim in enumerate(value.type.tensor_type.shape.dim):
            if dim.dim_param != name or given.shape is None:
                continue
            if position >= len(scan.states):
                axis += axis >= scan.axes[position - len(scan.states)] % given.rank
            return given.size(axis)
    return None


def _result_shapes(scan: _Scan):
    """Sizes of what the body adds to each result in a turn, numbers or scalars; None where they are not known."""
    shapes = []
    for value in scan.body.output[len(scan.states) :]:
        kind = value.type.tensor_type
        if not kind.HasField("shape"):
            return None
        shapes.append([d.dim_value if d.HasField("dim_value") else _find_size(scan, d.dim_param) for d in kind.shape.dim])
        if None in shapes[-1]:
            return None
    return shapes


def _carried_shape(declared, given: Value) -> list:
    """Sizes of what is carried, as far as they stay."""
    kind = declared.type.tensor_type
    if not kind.HasField("shape"):
        return given.shape
    return [size if dim.dim_value in (0, size) else None for dim, size in zip(kind.shape.dim, given.shape)]


@dataclasses.dataclass
class _Turns:
    """A loop with results by the turn.

    length: the number of turns, a number or a scalar. declared, states: what it carries, in its body and before it.
    shapes: sizes of what a turn adds to each result; backward: whether it is written from its end.
    """

    length: int | Value
    declared: list
    states: list
    shapes: list
    backward: list

    def make_loop(self, b: Builder, step) -> list:
        """A Loop that writes rows of results that it carries. step(builder, places, states) has the states and
        rows of a turn; the places are its number from the beginning and from the end."""
        inner = Builder(b.node, b.opset)
        inner.stem = f"{b.stem}/body"
        turn, going = (Value(inner, f"{inner.stem}/{name}", kind, []) for name, kind in (("turn", TensorProto.INT64), ("going", TensorProto.BOOL)))
        pairs = zip(self.declared, self.states)
        states = [Value(inner, value.name, given.dtype, _carried_shape(value, given)) for value, given in pairs]
        last = self.length - 1
        at = [turn, inner.op("Sub", last, turn)]
        results = step(inner, at, states)
        tables, written = [], []
        for number, (row, shape) in enumerate(zip(results[len(states) :], self.shapes)):
            sizes = [None if isinstance(size, Value) else size for size in (self.length, *shape)]
            tables.append(Value(inner, f"{inner.stem}/table{number}", row.dtype, sizes))
            place = at[bool(self.backward[number])].reshape(1, 1)
            written.append(inner.op("ScatterND", tables[-1], place, row.unsqueeze(0)))
        carried, kept = [*states, *tables], inner.op("Identity", going)
        sizes = [value.shape for value in carried]
        body = helper.make_graph(
            inner.nodes,
            inner.stem,
            _declare([turn, going, *carried], [[], [], *sizes]),
            _declare([kept, *results[: len(states)], *written], [[], *sizes]),
            inner.initializers,
        )
        zeros = [b.zeros([self.length, *shape], table.dtype) for table, shape in zip(tables, self.shapes)]
        trips = self.length if isinstance(self.length, Value) else b.constant(self.length, TensorProto.INT64)
        always = b.constant(True, TensorProto.BOOL)
        return b.ops("Loop", len(carried), trips, always, *self.states, *zeros, body=body)


def _declare(values, sizes) -> list:
    return [helper.make_tensor_value_info(value.name, value.dtype, size) for value, size in zip(values, sizes)]


def _make_loop(b: Builder, scan: _Scan, shapes) -> list:
    """A Loop that reads rows by the turn."""

    def step(inner, at, states):
        rows = [
            inner.op("Gather", sequence, at[bool(backward)], axis=axis)
            for sequence, axis, backward in zip(scan.sequences, scan.axes, scan.backward)
        ]
        return inner.inline(scan.body, [*states, *rows])

    turns = _Turns(scan.length, scan.body.input, scan.states, shapes, scan.results_backward)
    results = turns.make_loop(b, step)
    for number, axis in enumerate(scan.result_axes):
        rank = len(shapes[number]) + 1
        order = list(range(1, rank))
        order.insert(axis % rank, 0)
        place = len(scan.states) + number
        results[place] = results[place] if order == sorted(order) else results[place].transpose(*order)
    return results


def rewrite_scan(b: Builder, node: Node):
    """A Scan: unrolled if it is known to be short, else a Loop. Opset 9 and later."""
    scan = _Scan(node)
    length = scan.length
    if length is None or length == 0:
        return None
    if not isinstance(length, Value) and length * _count_nodes(scan.body) <= _LIMIT:
        return _unroll(b, scan)
    shapes = _result_shapes(scan)
    return None if shapes is None else _make_loop(b, scan, shapes)
