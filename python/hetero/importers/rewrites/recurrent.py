"""LSTM, GRU and RNN backwards and both ways, as forward ones.

The backward one gets the sequence from its end, and what comes out is turned
again; with lengths, each sequence is turned within its own. Semantics are those of
ONNX's operator specification.
"""

from __future__ import annotations

from onnx import TensorProto, helper

from hetero.importers.rewrites import cells
from hetero.importers.rewrites.builder import Builder, Node, Value

# Inputs that have one part a direction, by position: weights, bias, initial states, peepholes.
_BY_DIRECTION = (1, 2, 3, 5, 6, 7)
_ACTIVATIONS = {"LSTM": 3, "GRU": 2, "RNN": 1}


def _reverse(b: Builder, value: Value, lengths: Value | None) -> Value:
    """A sequence of [time, batch, ...] from its end."""
    if lengths is not None:
        return b.op("ReverseSequence", value, lengths, time_axis=0, batch_axis=1)
    return value.slice(0, -1, None, -1)


def _run(b: Builder, node: Node, inputs, direction: int, backward: bool) -> list:
    """The results of one direction, in the layout of time first."""
    own = [
        value.slice(0, direction, direction + 1) if value is not None and position in _BY_DIRECTION else value
        for position, value in enumerate(inputs)
    ]
    lengths = own[4] if len(own) > 4 else None
    if backward:
        own[0] = _reverse(b, own[0], lengths)
    how = {"hidden_size": node.get("hidden_size"), "direction": "forward"}
    for name in ("clip", "linear_before_reset", "input_forget"):
        if node.get(name) is not None:
            how[name] = node.get(name)
    count = _ACTIVATIONS[node.proto.op_type]
    for name in ("activations", "activation_alpha", "activation_beta"):
        if node.get(name):
            how[name] = node.get(name)[direction * count : (direction + 1) * count]
    results = b.ops(node.proto.op_type, 3 if node.proto.op_type == "LSTM" else 2, *own, dtype=own[0].dtype, **how)
    if backward:
        # [time, 1, batch, hidden]
        whole = _reverse(b, results[0].squeeze(1), lengths)
        results[0] = whole.unsqueeze(1)
    return results


def _dequantize(b: Builder, node: Node, position: int, direction: int) -> Value:
    """The weights of a direction in the layout of LSTM."""
    data, scale, zero = (node.input(i).slice(0, direction, direction + 1) for i in (position, *(8, 9, 10, 11)[2 * position - 2 :][:2]))
    codes = data.squeeze(0).cast(TensorProto.INT32) - zero.cast(TensorProto.INT32)
    return (codes.cast(TensorProto.FLOAT) * scale).transpose(1, 0).unsqueeze(0)


def rewrite_quantized(b: Builder, node: Node):
    """DynamicQuantizeLSTM of ONNX Runtime: what a product reads is rounded to bytes by its own range, and the weights are bytes."""
    data = node.inputs[0]
    hidden, lengths = node.get("hidden_size"), node.input(4)
    if data.rank != 3 or hidden is None or node.get("activations") or node.get("clip") or node.get("layout", 0):
        return None
    rounded = cells.round_to_bytes(b, data)
    how = {"hidden_size": hidden, "input_forget": node.get("input_forget", 0)}
    ways = {"forward": [False], "reverse": [True], "bidirectional": [False, True]}[node.get("direction", "forward")]
    runs = []
    for number, backward in enumerate(ways):
        own = [
            value.slice(0, number, number + 1) if value is not None else None
            for value in (node.input(position) for position in (3, 5, 6, 7))
        ]
        first = _reverse(b, rounded, lengths) if backward else rounded
        first.shape = data.shape
        weights = [_dequantize(b, node, position, number) for position in (1, 2)]
        inputs = [first, *weights, own[0], lengths, *own[1:]]
        proto = helper.make_node("LSTM", [f"x{i}" for i in range(len(inputs))], ["y", "h", "c"], **how)
        results = cells.rewrite_cell(b, Node(proto, inputs), is_quantized=True)
        if backward:
            results[0] = _reverse(b, results[0].squeeze(1), lengths).unsqueeze(1)
        runs.append(results)
    results = [b.concat(list(parts), 1 if number == 0 else 0) for number, parts in enumerate(zip(*runs))]
    return results[: len(node.proto.output)]


def rewrite_recurrent(b: Builder, node: Node):
    """A recurrent operation in forward ones with time first, and these as far as torch-mlir knows them."""
    direction = node.get("direction", "forward")
    if node.get("hidden_size") is None:
        return None
    if direction == "forward" and not node.get("layout", 0):
        return cells.rewrite_cell(b, node)
    inputs = list(node.inputs)
    batch_first = bool(node.get("layout", 0))
    if batch_first:
        for position in (0, 5, 6):
            if position < len(inputs) and inputs[position] is not None:
                inputs[position] = inputs[position].transpose(1, 0, 2)
    ways = {"forward": [False], "reverse": [True], "bidirectional": [False, True]}[direction]
    runs = [_run(b, node, inputs, number, backward) for number, backward in enumerate(ways)]
    results = [b.concat(list(parts), 1 if number == 0 else 0) for number, parts in enumerate(zip(*runs))]
    if batch_first:
        results = [results[0].transpose(2, 0, 1, 3), *(state.transpose(1, 0, 2) for state in results[1:])]
    return results[: len(node.proto.output)]
