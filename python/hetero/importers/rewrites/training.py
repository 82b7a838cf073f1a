"""Optimizers of ONNX's training domain (ai.onnx.preview.training), by their specification's formulas."""

from __future__ import annotations

from onnx import TensorProto

from hetero.importers.rewrites.builder import Builder, Node, Value


def _groups(node: Node, kinds: int):
    """The rate, the step, and for each weight its `kinds` tensors."""
    count = (len(node.inputs) - 2) // kinds
    tensors = node.inputs[2:]
    return node.inputs[0], node.inputs[1], [tensors[i::count] for i in range(count)]


def _interleave(results):
    """All weights, then all of the first state, and so on."""
    return [result for kind in zip(*results) for result in kind]


def _power(b: Builder, base: float, exponent: Value) -> Value:
    return b.op("Pow", b.constant(base, TensorProto.FLOAT), exponent.cast(TensorProto.FLOAT))


def rewrite_adagrad(b: Builder, node: Node):
    rate, step, groups = _groups(node, 3)
    rate = rate / (step.cast(rate.dtype) * node.get("decay_factor", 0.0) + 1.0)
    results = []
    for weight, gradient, squares in groups:
        regular = weight * node.get("norm_coefficient", 0.0) + gradient
        total = squares + regular * regular
        results.append((weight - rate * regular / (b.op("Sqrt", total) + node.get("epsilon", 0.0)), total))
    return _interleave(results)


def rewrite_adam(b: Builder, node: Node):
    rate, step, groups = _groups(node, 4)
    alpha, beta = node.get("alpha", 0.9), node.get("beta", 0.999)
    corrected = rate * b.op("Sqrt", 1.0 - _power(b, beta, step)) / (1.0 - _power(b, alpha, step))
    rate = b.where(step > 0, corrected, rate)
    results = []
    for weight, gradient, mean, squares in groups:
        regular = weight * node.get("norm_coefficient", 0.0) + gradient
        mean = mean * alpha + regular * (1 - alpha)
        squares = squares * beta + regular * regular * (1 - beta)
        moved = weight - rate * (mean / (b.op("Sqrt", squares) + node.get("epsilon", 0.0)))
        results.append((moved * (1.0 - node.get("norm_coefficient_post", 0.0)), mean, squares))
    return _interleave(results)


def rewrite_momentum(b: Builder, node: Node):
    rate, step, groups = _groups(node, 3)
    beta = b.where(step > 0, b.constant(node.get("beta"), TensorProto.FLOAT), b.constant(1.0, TensorProto.FLOAT))
    results = []
    for weight, gradient, momentum in groups:
        regular = weight * node.get("norm_coefficient") + gradient
        momentum = momentum * node.get("alpha") + beta * regular
        change = momentum if node.get("mode") == "standard" else regular + momentum * node.get("alpha")
        results.append((weight - rate * change, momentum))
    return _interleave(results)
