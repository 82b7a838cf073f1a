"""LiteRT models against LiteRT's interpreter."""

import pathlib
import tempfile
import unittest

import flatbuffers
import numpy as np
from ai_edge_litert import schema_py_generated as schema
from ai_edge_litert.interpreter import Interpreter

import hetero
import placements

PRODUCTS = {"rules": "rules: [{name: '(conv2d|depthwise_conv2d|matmul)/.*', device: 'gpu:0'}]\ndefault: cpu"}
TYPES = {"float32": schema.TensorType.FLOAT32, "int32": schema.TensorType.INT32, "int8": schema.TensorType.INT8}


class Graph:
    """A model of one graph, as its file has it."""

    def __init__(self):
        self.model = schema.ModelT()
        self.model.version = 3
        self.model.buffers = [schema.BufferT()]
        self.model.operatorCodes = []
        self.graph = schema.SubGraphT()
        self.graph.tensors, self.graph.operators = [], []
        self.graph.inputs, self.graph.outputs = [], []
        self.model.subgraphs = [self.graph]

    def tensor(self, shape, kind="float32", scales=None, zero=0, axis=0):
        tensor = schema.TensorT()
        tensor.shape, tensor.type, tensor.buffer = list(shape), TYPES[kind], 0
        tensor.name = f"tensor{len(self.graph.tensors)}"
        if scales is not None:
            tensor.quantization = schema.QuantizationParametersT()
            tensor.quantization.scale = list(np.atleast_1d(scales).astype(float))
            tensor.quantization.zeroPoint = [zero] * len(tensor.quantization.scale)
            tensor.quantization.quantizedDimension = axis
        self.graph.tensors.append(tensor)
        return len(self.graph.tensors) - 1

    def input(self, *shape, **options):
        self.graph.inputs.append(self.tensor(shape, **options))
        return self.graph.inputs[-1]

    def weight(self, array, **options):
        array = np.ascontiguousarray(array)
        index = self.tensor(array.shape, array.dtype.name, **options)
        self.graph.tensors[index].buffer = len(self.model.buffers)
        self.model.buffers.append(schema.BufferT())
        self.model.buffers[-1].data = np.frombuffer(array.tobytes(), np.uint8)
        return index

    def add(self, name, inputs, shape, options=None, fields=None, **tensor):
        """An operator with one result; `options` names its table of options."""
        code = schema.OperatorCodeT()
        code.builtinCode = getattr(schema.BuiltinOperator, name)
        code.deprecatedBuiltinCode = min(code.builtinCode, 127)
        # Int8 came with a later version of what computes.
        is_quantized = "scales" in tensor and name != "RESHAPE"
        code.version = (3 if name == "CONV_2D" else 4) if is_quantized else 1
        self.model.operatorCodes.append(code)
        operator = schema.OperatorT()
        operator.opcodeIndex = len(self.model.operatorCodes) - 1
        operator.inputs, operator.outputs = inputs, [self.tensor(shape, **tensor)]
        if options:
            operator.builtinOptionsType = getattr(schema.BuiltinOptions, options)
            operator.builtinOptions = getattr(schema, options + "T")()
            for field, value in (fields or {}).items():
                setattr(operator.builtinOptions, field, value)
        self.graph.operators.append(operator)
        return operator.outputs[0]

    def write(self, path, *outputs):
        self.graph.outputs = list(outputs)
        builder = flatbuffers.Builder(1024)
        builder.Finish(self.model.Pack(builder), b"TFL3")
        pathlib.Path(path).write_bytes(builder.Output())


def f32(rng, *shape):
    return rng.standard_normal(shape).astype(np.float32)


RELU = schema.ActivationFunctionType.RELU
STRIDES = {"strideH": 1, "strideW": 1, "dilationHFactor": 1, "dilationWFactor": 1}


def convolutions(path, rng):
    g = Graph()
    x = g.input(1, 8, 8, 3)
    a = g.add(
        "CONV_2D", [x, g.weight(f32(rng, 8, 3, 3, 3)), g.weight(f32(rng, 8))], (1, 8, 8, 8),
        "Conv2DOptions", {**STRIDES, "fusedActivationFunction": RELU},
    )
    b = g.add(
        "DEPTHWISE_CONV_2D", [a, g.weight(f32(rng, 1, 3, 3, 8)), g.weight(f32(rng, 8))], (1, 8, 8, 8),
        "DepthwiseConv2DOptions", {**STRIDES, "depthMultiplier": 1},
    )
    pool = {"strideH": 2, "strideW": 2, "filterHeight": 2, "filterWidth": 2}
    c = g.add("AVERAGE_POOL_2D", [b], (1, 4, 4, 8), "Pool2DOptions", pool)
    d = g.add("RESHAPE", [c, g.weight(np.array([1, 128], np.int32))], (1, 128), "ReshapeOptions", {"newShape": [1, 128]})
    e = g.add("FULLY_CONNECTED", [d, g.weight(f32(rng, 5, 128)), g.weight(f32(rng, 5))], (1, 5), "FullyConnectedOptions")
    g.write(path, g.add("SOFTMAX", [e], (1, 5), "SoftmaxOptions", {"beta": 1.0}))


def attention(path, rng):
    g = Graph()
    q, k, v = (g.input(2, 6, 8) for _ in range(3))
    s = g.add("BATCH_MATMUL", [q, k], (2, 6, 6), "BatchMatMulOptions", {"adjY": True})
    d = g.add("MUL", [s, g.weight(np.float32([0.35]))], (2, 6, 6), "MulOptions")
    p = g.add("SOFTMAX", [d], (2, 6, 6), "SoftmaxOptions", {"beta": 1.0})
    y = g.add("BATCH_MATMUL", [p, v], (2, 6, 8), "BatchMatMulOptions")
    g.write(path, y, g.add("TRANSPOSE", [y, g.weight(np.array([1, 0, 2], np.int32))], (6, 2, 8), "TransposeOptions"))


def resize(path, rng):
    g = Graph()
    x = g.input(1, 4, 5, 2)
    big = g.add(
        "RESIZE_BILINEAR", [x, g.weight(np.array([8, 10], np.int32))], (1, 8, 10, 2),
        "ResizeBilinearOptions", {"halfPixelCenters": True},
    )
    pads = g.weight(np.array([[0, 0], [2, 2], [2, 3], [0, 0]], np.int32))
    padded = g.add("PAD", [x, pads], (1, 8, 10, 2), "PadOptions")
    both = g.add("CONCATENATION", [big, padded], (1, 8, 10, 4), "ConcatenationOptions", {"axis": 3})
    mean = g.add("MEAN", [both, g.weight(np.array([1, 2], np.int32))], (1, 4), "ReducerOptions")
    g.write(path, both, g.add("LOGISTIC", [mean], (1, 4)))


def embeddings(path, rng):
    g = Graph()
    ids = g.input(3, 4, kind="int32")
    rows = g.add("GATHER", [g.weight(f32(rng, 20, 6)), ids], (3, 4, 6), "GatherOptions", {"axis": 0})
    mean = g.add("MEAN", [rows, g.weight(np.array([1], np.int32))], (3, 6), "ReducerOptions")
    zero = g.add("MAXIMUM", [mean, g.weight(np.float32([0]))], (3, 6), "MaximumMinimumOptions")
    best = g.add("ARG_MAX", [mean, g.weight(np.array([1], np.int32))], (3,), "ArgMaxOptions", {"outputType": TYPES["int32"]}, kind="int32")
    g.write(path, g.add("TANH", [zero], (3, 6)), best)


def quantized(path, rng):
    g = Graph()
    x = g.input(1, 6, 6, 4, kind="int8", scales=0.05, zero=3)
    scales = 0.01 + rng.random(8) * 0.01
    w = g.weight(rng.integers(-127, 128, (8, 3, 3, 4)).astype(np.int8), scales=scales)
    b = g.weight(rng.integers(-500, 500, 8).astype(np.int32), scales=scales * 0.05)
    a = g.add(
        "CONV_2D", [x, w, b], (1, 6, 6, 8), "Conv2DOptions", {**STRIDES, "fusedActivationFunction": RELU},
        kind="int8", scales=0.1, zero=-128,
    )
    f = g.add("RESHAPE", [a, g.weight(np.array([1, 288], np.int32))], (1, 288), "ReshapeOptions", {"newShape": [1, 288]}, kind="int8", scales=0.1, zero=-128)
    v = g.weight(rng.integers(-127, 128, (5, 288)).astype(np.int8), scales=0.02)
    c = g.weight(rng.integers(-500, 500, 5).astype(np.int32), scales=0.002)
    g.write(path, g.add("FULLY_CONNECTED", [f, v, c], (1, 5), "FullyConnectedOptions", kind="int8", scales=0.9, zero=5))


MODELS = (convolutions, attention, resize, embeddings, quantized)


def make_inputs(details, rng):
    for detail in details:
        kind = np.dtype(detail["dtype"])
        yield f32(rng, *detail["shape"]) if kind.kind == "f" else rng.integers(0, 20, detail["shape"]).astype(kind)


class ModelTest(unittest.TestCase):
    def test_models(self):
        with tempfile.TemporaryDirectory() as folder:
            for make in MODELS:
                path = pathlib.Path(folder) / f"{make.__name__}.tflite"
                rng = np.random.default_rng(4)
                make(path, rng)
                reference = Interpreter(str(path))
                reference.allocate_tensors()
                inputs = list(make_inputs(reference.get_input_details(), rng))
                for detail, array in zip(reference.get_input_details(), inputs):
                    reference.set_tensor(detail["index"], array)
                reference.invoke()
                want = [reference.get_tensor(detail["index"]) for detail in reference.get_output_details()]
                network = hetero.importers.import_model(path)
                for placement, program in placements.compile_each(network):
                    with self.subTest(name=make.__name__, placement=placement):
                        self.compare(program(*inputs), want)

    def compare(self, got, want):
        got = got if isinstance(got, list) else [got]
        self.assertEqual(len(got), len(want))
        for a, b in zip(got, want):
            self.assertEqual((a.dtype, a.shape), (b.dtype, b.shape))
            if b.dtype == np.float32:
                np.testing.assert_allclose(a, b, rtol=1e-4, atol=1e-4)
            else:  # LiteRT rounds the scales of quantized products elsewhere.
                np.testing.assert_allclose(a.astype(int), b.astype(int), atol=1 if b.dtype == np.int8 else 0)

    def test_names(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "convolutions.tflite"
            convolutions(path, np.random.default_rng(4))
            program = hetero.compile(path, **PRODUCTS)
            places = {op["device"] for op in program.placement.operations if op["name"].startswith("conv2d/tensor")}
            self.assertEqual(places, {"gpu:0"})
            with self.assertRaisesRegex(hetero.ImportFailure, "takes no `dims`"):
                hetero.compile(path, dims={"N": 1})

    def test_custom_operators(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "custom.tflite"
            g = Graph()
            y = g.add("CUSTOM", [g.input(2, 3)], (2, 3))
            g.model.operatorCodes[0].customCode = "Mine"
            g.write(path, y)
            with self.assertRaisesRegex(hetero.ImportFailure, r"no form in TOSA: Mine \(1\)"):
                hetero.compile(path)


if __name__ == "__main__":
    unittest.main()
