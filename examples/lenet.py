#!/usr/bin/env python3
"""Writes examples/lenet.onnx, a small network with weights of chance: lenet.py FILE"""

import sys

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper


def make():
    rng = np.random.default_rng(0)

    def weight(name, *shape):
        array = rng.standard_normal(shape) / np.sqrt(np.prod(shape[1:]))
        return numpy_helper.from_array(array.astype(np.float32), name)

    nodes = [
        helper.make_node("Conv", ["image", "w1"], ["a"], name="conv1", pads=[2, 2, 2, 2]),
        helper.make_node("Relu", ["a"], ["b"], name="relu1"),
        helper.make_node("MaxPool", ["b"], ["c"], name="pool1", kernel_shape=[2, 2], strides=[2, 2]),
        helper.make_node("Conv", ["c", "w2"], ["d"], name="conv2"),
        helper.make_node("Relu", ["d"], ["e"], name="relu2"),
        helper.make_node("MaxPool", ["e"], ["f"], name="pool2", kernel_shape=[2, 2], strides=[2, 2]),
        helper.make_node("Flatten", ["f"], ["g"], name="flatten"),
        helper.make_node("Gemm", ["g", "w3"], ["h"], name="digits", transB=1),
        helper.make_node("Softmax", ["h"], ["probabilities"], name="softmax"),
    ]
    image = helper.make_tensor_value_info("image", TensorProto.FLOAT, ["N", 1, 28, 28])
    result = helper.make_tensor_value_info("probabilities", TensorProto.FLOAT, ["N", 10])
    weights = [weight("w1", 6, 1, 5, 5), weight("w2", 16, 6, 5, 5), weight("w3", 10, 400)]
    graph = helper.make_graph(nodes, "lenet", [image], [result], weights)
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)


if __name__ == "__main__":
    onnx.save(make(), sys.argv[1])
