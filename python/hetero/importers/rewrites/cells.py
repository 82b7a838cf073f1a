"""LSTM, GRU and RNN with what torch-mlir's lack, as a Scan over their cell.

Peepholes, other activations, clipping, coupled gates and sequences of their own
lengths, forward. The equations are those of ONNX's operator specification.
"""

from __future__ import annotations

import numpy as np
from onnx import TensorProto, helper

from hetero.importers.rewrites.builder import Builder, Node, Value

_GATES = {"LSTM": 4, "GRU": 3, "RNN": 1}
_DEFAULTS = {"LSTM": ["Sigmoid", "Tanh", "Tanh"], "GRU": ["Sigmoid", "Tanh"], "RNN": ["Tanh"]}
_PLAIN = ("Elu", "HardSigmoid", "LeakyRelu", "Relu", "Sigmoid", "Softplus", "Softsign", "Tanh", "ThresholdedRelu")
_WITH_BETA = ("HardSigmoid",)
_WITH_ALPHA = ("Elu", "HardSigmoid", "LeakyRelu", "ThresholdedRelu")


class _Cell:
    """One step of a forward operation. is_quantized: the state is rounded as ONNX Runtime's DynamicQuantizeLSTM does."""

    def __init__(self, b: Builder, node: Node, is_quantized: bool = False):
        self.b = b
        self.is_quantized = is_quantized
        self.node = node
        self.kind = node.proto.op_type
        self.hidden = node.get("hidden_size")
        names = node.get("activations") or _DEFAULTS[self.kind]
        alphas, betas = list(node.get("activation_alpha") or []), list(node.get("activation_beta") or [])
        self.activations = []
        for name in names:
            how = {}
            if name in _WITH_ALPHA and alphas:
                how["alpha"] = alphas.pop(0)
            if name in _WITH_BETA and betas:
                how["beta"] = betas.pop(0)
            self.activations.append((name, how))
        self.weight, self.recurrent = (self._take(position) for position in (1, 2))
        self.bias = self._split(self._take(3), 2 * _GATES[self.kind])
        self.peepholes = self._split(self._take(7), 3)

    def _take(self, position: int) -> Value | None:
        """An input without its axis of directions."""
        value = self.node.input(position)
        return None if value is None else value.squeeze(0)

    def _split(self, value: Value | None, parts: int) -> list | None:
        """A vector as parts of the hidden size."""
        return value and [value.slice(0, i * self.hidden, (i + 1) * self.hidden) for i in range(parts)]

    def _part(self, matrix: Value, gate: int) -> Value:
        """The transposed matrix of a gate."""
        return matrix.slice(0, gate * self.hidden, (gate + 1) * self.hidden).transpose(1, 0)

    def _input(self, b: Builder, x: Value, gate: int) -> Value:
        product = b.op("MatMul", x, self._part(self.weight, gate))
        return product + self.bias[gate] if self.bias else product

    def _state(self, b: Builder, h: Value, gate: int) -> Value:
        product = b.op("MatMul", h, self._part(self.recurrent, gate))
        return product + self.bias[_GATES[self.kind] + gate] if self.bias else product

    def _activate(self, b: Builder, number: int, value: Value) -> Value:
        clip = self.node.get("clip")
        if clip:
            value = b.op("Max", b.op("Min", value, float(clip)), -float(clip))
        name, how = self.activations[number]
        return b.op(name, value, **how)

    def step(self, b: Builder, x: Value, states: list) -> list:
        """The states after a step."""
        if self.is_quantized:
            states = [round_to_bytes(b, states[0]), *states[1:]]
        return {"LSTM": self._step_lstm, "GRU": self._step_gru, "RNN": self._step_rnn}[self.kind](b, x, *states)

    def _step_lstm(self, b: Builder, x: Value, h: Value, c: Value) -> list:
        gate_i, gate_o, gate_f, gate_c = (self._input(b, x, gate) + self._state(b, h, gate) for gate in range(4))
        if self.peepholes:
            gate_i, gate_f = gate_i + c * self.peepholes[0], gate_f + c * self.peepholes[2]
        opened = self._activate(b, 0, gate_i)
        kept = 1.0 - opened if self.node.get("input_forget", 0) else self._activate(b, 0, gate_f)
        new_c = kept * c + opened * self._activate(b, 1, gate_c)
        if self.peepholes:
            gate_o = gate_o + new_c * self.peepholes[1]
        return [self._activate(b, 0, gate_o) * self._activate(b, 2, new_c), new_c]

    def _step_gru(self, b: Builder, x: Value, h: Value) -> list:
        update, reset = (self._activate(b, 0, self._input(b, x, gate) + self._state(b, h, gate)) for gate in (0, 1))
        if self.node.get("linear_before_reset", 0):
            state = reset * self._state(b, h, 2)
        else:
            state = self._state(b, reset * h, 2)
        new = self._activate(b, 1, self._input(b, x, 2) + state)
        return [(1.0 - update) * new + update * h]

    def _step_rnn(self, b: Builder, x: Value, h: Value) -> list:
        return [self._activate(b, 0, self._input(b, x, 0) + self._state(b, h, 0))]


def _needs_scan(node: Node) -> bool:
    kind = node.proto.op_type
    activations = node.get("activations") or _DEFAULTS[kind]
    has_other = activations != _DEFAULTS[kind] or any(node.get(name) for name in ("clip", "input_forget", "layout"))
    return has_other or node.input(4) is not None or kind == "LSTM" and node.input(7) is not None


def round_to_bytes(b: Builder, value: Value) -> Value:
    """What is left of a value after quantization by its own range."""
    codes, scale, zero = b.ops("DynamicQuantizeLinear", 3, value)
    rounded = b.op("DequantizeLinear", codes, scale, zero, dtype=value.dtype)
    rounded.shape = value.shape
    return rounded


def rewrite_cell(b: Builder, node: Node, is_quantized: bool = False):
    """A forward operation with something beyond its weights, bias and initial states."""
    names = node.get("activations") or []
    data, lengths = node.inputs[0], node.input(4)
    if not (is_quantized or _needs_scan(node)) or data.rank != 3 or node.get("layout", 0) or set(names) - set(_PLAIN):
        return None
    cell = _Cell(b, node, is_quantized)
    ends = lengths and lengths.cast(TensorProto.INT64)
    count = 2 if cell.kind == "LSTM" else 1
    time, batch = data.size(0), data.size(1)
    given = [node.input(5), node.input(6) if count == 2 else None][:count]
    states = [b.zeros([batch, cell.hidden], data.dtype) if value is None else value.squeeze(0) for value in given]
    body = Builder(b.node, b.opset)
    body.stem = f"{b.stem}/cell"
    turn = Value(body, f"{body.stem}/turn", TensorProto.INT64, [])
    x = Value(body, f"{body.stem}/x", data.dtype, list(data.shape[1:]))
    size = [data.shape[1] or "batch", cell.hidden]
    old = [Value(body, f"{body.stem}/s{i}", data.dtype, size) for i in range(count)]
    new = cell.step(body, x, old)
    shown = new[0]
    if lengths is not None:
        runs = body.op("Less", turn, ends).reshape(-1, 1)
        shown = body.where(runs, new[0], 0.0)
        new = [body.where(runs, after, before) for after, before in zip(new, old)]
    results = [*new, body.op("Identity", shown)]

    def declare(values, sizes):
        return [helper.make_tensor_value_info(v.name, v.dtype, size) for v, size in zip(values, sizes)]

    graph = helper.make_graph(
        body.nodes,
        body.stem,
        declare([*old, turn, x], [*[size] * count, [], x.shape]),
        declare(results, [size] * (count + 1)),
        body.initializers,
    )
    turns = b.op("Range", 0, time, 1) if isinstance(time, Value) else b.constant(np.arange(time, dtype=np.int64))
    results = b.ops("Scan", count + 1, *states, turns, data, body=graph, num_scan_inputs=2, dtype=data.dtype)
    return [results[-1].unsqueeze(1), *(state.unsqueeze(0) for state in results[:-1])][: len(node.proto.output)]
