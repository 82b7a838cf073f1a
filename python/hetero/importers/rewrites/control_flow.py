"""If, Loop and Scan: taken where what they depend on is constant, else as loops that torch-mlir knows.

Semantics are those of ONNX's operator specification.
"""

from __future__ import annotations

import numpy as np
from onnx import TensorProto, helper

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


def rewrite_loop(b: Builder, node: Node):
    """A Loop of a constant number of turns, unrolled."""
    trips, condition = node.input(0), node.input(1)
    body = next(subgraphs(node.proto))
    if trips is None or trips.array is None or not _is_true(condition) or not _stays_true(body):
        return None
    count, carried = int(trips.array.item()), node.inputs[2:]
    scanned = len(body.output) - 1 - len(carried)
    if count * max(_count_nodes(body), 1) > _LIMIT or not count and scanned:
        return None
    rows: list = [[] for _ in range(scanned)]
    always = b.constant(True, TensorProto.BOOL)
    for turn in range(count):
        results = b.inline(body, [b.constant(turn, TensorProto.INT64), always, *carried])
        carried = results[1 : 1 + len(carried)]
        for number, row in enumerate(results[1 + len(carried) :]):
            rows[number].append(row.unsqueeze(0))
    return [*carried, *(b.concat(each, 0) for each in rows)]


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


def _make_loop(b: Builder, scan: _Scan, shapes) -> list:
    """A Loop that reads rows by the turn, and writes rows of results that it carries."""
    inner = Builder(b.node, b.opset)
    inner.stem = f"{b.stem}/body"
    turn, going = Value(inner, f"{inner.stem}/turn", TensorProto.INT64, []), f"{inner.stem}/going"
    states = [Value(inner, value.name, kind.dtype, kind.shape) for value, kind in zip(scan.body.input, scan.states)]
    length = scan.length
    last = length - 1
    at = [turn, inner.op("Sub", last, turn)]
    rows = [
        inner.op("Gather", sequence, at[bool(backward)], axis=axis)
        for sequence, axis, backward in zip(scan.sequences, scan.axes, scan.backward)
    ]
    results = inner.inline(scan.body, [*states, *rows])
    tables, written = [], []
    for number, (row, shape) in enumerate(zip(results[len(states) :], shapes)):
        sizes = [None if isinstance(size, Value) else size for size in (length, *shape)]
        table = Value(inner, f"{inner.stem}/table{number}", row.dtype, sizes)
        place = at[bool(scan.results_backward[number])].reshape(1, 1)
        written.append(inner.op("ScatterND", table, place, row.unsqueeze(0)))
        tables.append(table)
    kept = inner.op("Identity", Value(inner, going, TensorProto.BOOL, []))
    carried = [*states, *tables]

    def declare(values, shapes_of):
        return [helper.make_tensor_value_info(v.name, v.dtype, s) for v, s in zip(values, shapes_of)]

    sizes = [value.shape for value in carried]
    body = helper.make_graph(
        inner.nodes,
        inner.stem,
        declare([turn, Value(inner, going, TensorProto.BOOL), *carried], [[], [], *sizes]),
        declare([kept, *results[: len(states)], *written], [[], *sizes]),
        inner.initializers,
    )
    zeros = [b.zeros([length, *shape], table.dtype) for table, shape in zip(tables, shapes)]
    trips = length if isinstance(length, Value) else b.constant(length, TensorProto.INT64)
    always = b.constant(True, TensorProto.BOOL)
    results = b.ops("Loop", len(carried), trips, always, *scan.states, *zeros, body=body)
    for number, axis in enumerate(scan.result_axes):
        rank = len(shapes[number]) + 1
        order = list(range(1, rank))
        order.insert(axis % rank, 0)
        place = len(states) + number
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
