"""Writes a product and a convolution between quantize and dequantize pairs, the weights with a scale for each channel."""

import sys

import numpy as np
from onnx import TensorProto, helper, numpy_helper, save

r = np.random.default_rng(0)


def constant(name, array):
    return numpy_helper.from_array(np.asarray(array), name)


def make(kind, weights, shape, **attributes):
    scales = np.abs(r.standard_normal(4)).astype(np.float32)
    constants = [constant("w", weights), constant("ws", scales), constant("wz", np.zeros(4, np.int8))]
    constants += [constant("s", np.float32(0.1)), constant("z", np.uint8(120))]
    nodes = [
        helper.make_node("QuantizeLinear", ["x", "s", "z"], ["q"]),
        helper.make_node("DequantizeLinear", ["q", "s", "z"], ["d"]),
        helper.make_node("DequantizeLinear", ["w", "ws", "wz"], ["v"], axis=0 if kind == "Conv" else 1),
        helper.make_node(kind, ["d", "v"], ["p"], name="product", **attributes),
        helper.make_node("QuantizeLinear", ["p", "s", "z"], ["y"]),
    ]
    x = helper.make_tensor_value_info("x", TensorProto.FLOAT, shape)
    y = helper.make_tensor_value_info("y", TensorProto.UINT8, None)
    graph = helper.make_graph(nodes, "g", [x], [y], constants)
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 21)], ir_version=10)


def weights(*sizes):
    return r.integers(-127, 128, sizes).astype(np.int8)


save(make("MatMul", weights(3, 4), [5, 3]), sys.argv[1] + ".matmul.onnx")
save(make("Conv", weights(4, 3, 3, 3), [1, 3, 6, 6], pads=[1, 1, 1, 1]), sys.argv[1] + ".conv.onnx")
