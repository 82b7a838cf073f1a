"""Nodes through hetero.backend, against the reference evaluator of the onnx package."""

import unittest

import ml_dtypes
import numpy as np
from onnx import TensorProto, helper, numpy_helper
from onnx.reference import ReferenceEvaluator

import hetero.backend

RNG = np.random.default_rng(5)
OPSET = 22


def f32(*shape):
    return RNG.standard_normal(shape).astype(np.float32)


def positive(*shape):
    return np.abs(f32(*shape)) + np.float32(0.1)


def one(op, inputs, outputs=1, weights=(), opset=OPSET, domain="", dynamic=(), **attributes):
    """A model of one node: arrays as inputs, None for those left out; weights are constants, by position.

    `dynamic` has the sizes that the model does not know.
    """
    names = [f"x{i}" if array is not None else "" for i, array in enumerate(inputs)]
    results = [f"y{i}" for i in range(outputs)]
    node = helper.make_node(op, names, results, domain=domain, **attributes)
    given = [(name, array) for name, array in zip(names, inputs) if name]
    kept = [numpy_helper.from_array(array, name) for name, array in given if int(name[1:]) in weights]
    free = [(name, array) for name, array in given if int(name[1:]) not in weights]
    return _finish([node], free, results, kept, opset, domain, dynamic)


def _finish(nodes, inputs, results, weights, opset=OPSET, domain="", dynamic=()):
    def declare(name, array):
        sizes = [f"size{size}" if size in dynamic else size for size in array.shape]
        return helper.make_tensor_value_info(name, helper.np_dtype_to_tensor_dtype(array.dtype), sizes)

    graph = helper.make_graph(
        nodes,
        "one",
        [declare(name, array) for name, array in inputs],
        [helper.make_empty_tensor_value_info(name) for name in results],
        weights,
    )
    opsets = [helper.make_opsetid("", opset)] + ([helper.make_opsetid(domain, 1)] if domain else [])
    model = helper.make_model(graph, opset_imports=opsets, ir_version=10)
    arrays = dict(inputs)
    want = [np.asarray(array) for array in ReferenceEvaluator(model).run(None, arrays)]
    for value, array in zip(model.graph.output, want):
        value.CopyFrom(declare(value.name, array))
    return model, arrays, want


def accumulate(op, length):
    """A Scan, or a Loop with the same meaning, that adds rows and shows every second power of the sum."""
    float_type, int_type = TensorProto.FLOAT, TensorProto.INT64
    make, value = helper.make_node, helper.make_tensor_value_info
    rows = f32(length, 4)
    if op == "Scan":
        nodes = [make("Add", ["s", "row"], ["t"]), make("Mul", ["t", "t"], ["out"])]
        body = helper.make_graph(
            nodes,
            "body",
            [value("s", float_type, [4]), value("row", float_type, [4])],
            [value("t", float_type, [4]), value("out", float_type, [4])],
        )
        node = make("Scan", ["x0", "x1"], ["y0", "y1"], body=body, num_scan_inputs=1)
        return _finish([node], [("x0", f32(4)), ("x1", rows)], ["y0", "y1"], [])
    nodes = [
        make("Gather", ["x1", "i"], ["row"]),
        make("Add", ["s", "row"], ["t"]),
        make("Mul", ["t", "t"], ["out"]),
        make("Identity", ["go"], ["gone"]),
    ]
    body = helper.make_graph(
        nodes,
        "body",
        [value("i", int_type, []), value("go", TensorProto.BOOL, []), value("s", float_type, [4])],
        [value("gone", TensorProto.BOOL, []), value("t", float_type, [4]), value("out", float_type, [4])],
    )
    node = make("Loop", ["trips", "always", "x0"], ["y0", "y1"], body=body)
    weights = [numpy_helper.from_array(np.asarray(value), name) for value, name in ((length, "trips"), (True, "always"))]
    return _finish([node], [("x0", f32(4)), ("x1", rows)], ["y0", "y1"], weights)


def count():
    """What `while i < n` becomes: a Loop whose condition tells the number of its turns."""
    make, value = helper.make_node, helper.make_tensor_value_info
    kinds = {"i": TensorProto.INT32, "n": TensorProto.INT32, "s": TensorProto.FLOAT}
    sizes = {"i": [], "n": [], "s": [4]}
    nodes = [
        make("Gather", ["x0", "i"], ["row"]),
        make("Add", ["s", "row"], ["s1"]),
        make("Mul", ["s1", "s1"], ["out"]),
        make("Add", ["i", "one"], ["i1"]),
        make("Identity", ["n"], ["n1"]),
        make("Cast", ["i1"], ["j"], to=TensorProto.FLOAT),
        make("Cast", ["n"], ["m"], to=TensorProto.FLOAT),
        make("Less", ["j", "m"], ["gone"]),
    ]
    body = helper.make_graph(
        nodes,
        "body",
        [value("turn", TensorProto.INT64, []), value("go", TensorProto.BOOL, []), *(value(n, kinds[n], sizes[n]) for n in kinds)],
        [value("gone", TensorProto.BOOL, []), *(value(f"{n}1", kinds[n], sizes[n]) for n in kinds), value("out", TensorProto.FLOAT, [4])],
        [numpy_helper.from_array(np.int32([1])[0], "one")],
    )
    outer = [
        make("Shape", ["x0"], ["shape"], end=1),
        make("Squeeze", ["shape"], ["length"]),
        make("Cast", ["length"], ["end"], to=TensorProto.INT32),
        make("Less", ["start", "end"], ["going"]),
        make("Loop", ["", "going", "start", "end", "x1"], ["", "", "y0", "y1"], body=body),
    ]
    weights = [numpy_helper.from_array(np.int32([1])[0], "start")]
    return _finish(outer, [("x0", f32(5, 4)), ("x1", f32(4))], ["y0", "y1"], weights, dynamic=(5,))


SPECIAL = np.array([0, -0.0, 1, -1.75, 3.5, 440, 460, 1e6, -1e6, 2**-9, 1e-4, np.inf, -np.inf, np.nan], np.float32)
GRID = np.stack(np.meshgrid(np.linspace(-1.3, 1.2, 5), np.linspace(-1.1, 1.4, 4)), -1)[None].astype(np.float32)


def make_cases():
    cases = {}
    for name in ("FLOAT8E4M3FN", "FLOAT8E4M3FNUZ", "FLOAT8E5M2", "FLOAT8E5M2FNUZ"):
        for saturate in (0, 1):
            kind = getattr(TensorProto, name)
            cases[f"cast {name} {saturate}"] = one("Cast", [SPECIAL], to=kind, saturate=saturate)
        codes = np.arange(256, dtype=np.uint8).view(helper.tensor_dtype_to_np_dtype(kind))
        cases[f"cast from {name}"] = one("Cast", [codes], to=TensorProto.FLOAT)
    cases["bits of floats"] = one("BitCast", [SPECIAL], opset=26, to=TensorProto.INT32)
    cases["floats of bits"] = one("BitCast", [SPECIAL.view(np.int32)], opset=26, to=TensorProto.FLOAT)
    cases["quantize int16"] = one("QuantizeLinear", [f32(3, 4) * 4, positive(3, 2), np.zeros([3, 2], np.int16)], block_size=2)
    cases["cast int4"] = one("Cast", [np.arange(-8, 8, dtype=np.int32)], to=TensorProto.INT4)
    cases["cast uint8"] = one("Cast", [np.array([0, 200.7, 255], np.float32)], to=TensorProto.UINT8)
    zeros = np.zeros([3, 3], ml_dtypes.int4)
    cases["quantize blocked"] = one("QuantizeLinear", [f32(3, 8) * 4, positive(3, 3), zeros], block_size=3)
    cases["quantize f8"] = one("QuantizeLinear", [f32(2, 9) * 1e4, np.float32(2), np.zeros([], ml_dtypes.float8_e4m3fn)])
    codes = np.arange(12).reshape(3, 4).astype(ml_dtypes.uint4)
    cases["dequantize uint4"] = one("DequantizeLinear", [codes, f32(3), codes[0, :3]], axis=0)
    lengths = np.array([5, 5], np.int32)
    cases["gru"] = one("GRU", [f32(5, 2, 3), f32(1, 18, 3), f32(1, 18, 6), f32(1, 36), lengths], 2, hidden_size=6)
    inputs = [f32(5, 2, 3), f32(2, 18, 3), f32(2, 18, 6), f32(2, 36), np.array([5, 5], np.int32)]
    how = {"weights": (1, 2, 3), "hidden_size": 6, "direction": "bidirectional", "dynamic": (5, 2)}
    cases["gru of dynamic length"] = one("GRU", inputs, 2, **how)
    for zeros in ((5, 7), (128, 7), (200, 190)):
        codes = [RNG.integers(0, 256, shape).astype(np.uint8) for shape in ((3, 6), (6, 4))]
        cases[f"integers without {zeros}"] = one("MatMulInteger", [*codes, *map(np.uint8, zeros)], weights=(1, 3))
    for sizes in ([-1, 12], [-1], [-1, 4, 3], [0, -1, 4, 3], [0, -1]):
        inputs = [f32(5, 2, 7, 3, 4), np.array(sizes)]
        cases[f"reshaped to {sizes}"] = one("Reshape", inputs, weights=(1,), dynamic=(5, 2, 7, 14, 70, 168, 840))
    for axis in (0, 1):
        lengths = np.array([4, 1, 3], np.int64)
        inputs = [f32(5, 3, 2).transpose(axis, 1 - axis, 2), lengths]
        cases[f"turned {axis}"] = one("ReverseSequence", inputs, dynamic=(5, 3), time_axis=axis, batch_axis=1 - axis)
    inputs = [f32(5, 2, 3), f32(1, 24, 3), f32(1, 24, 6), f32(1, 48), None, f32(1, 2, 6), f32(1, 2, 6), f32(1, 18)]
    cases["lstm peepholes"] = one("LSTM", inputs, 3, hidden_size=6)
    for mode in ("linear", "nearest", "cubic"):
        for padding in ("zeros", "border", "reflection"):
            cases[f"grid {mode} {padding}"] = one("GridSample", [f32(1, 2, 4, 5), GRID], mode=mode, padding_mode=padding)
    for mode in ("linear", "cubic"):
        inputs = [f32(1, 2, 5, 7), None, np.array([1, 1, 0.6, 0.7], np.float32)]
        cases[f"resize {mode}"] = one("Resize", inputs, mode=mode, antialias=1, weights=(2,))
    inputs = [f32(1, 2, 5, 7), None, np.array([1, 1, 1.7, 2], np.float32)]
    cases["larger"] = one("Resize", inputs, mode="cubic", exclude_outside=1, weights=(2,))
    inputs = [f32(1, 4, 5, 6), f32(6, 2, 2, 3), f32(1, 24, 4, 4) * 0.5, f32(6), positive(1, 12, 4, 4)]
    cases["deform"] = one("DeformConv", inputs, group=2, offset_group=2)
    inputs = [f32(2, 3, 6, 7), np.array([[0, 1, 5, 5], [2, 0, 4.5, 3]], np.float32), np.array([1, 0])]
    cases["roi"] = one("RoiAlign", inputs, output_height=2, output_width=3, sampling_ratio=2)
    for inverse in (0, 1):
        cases[f"dft {inverse}"] = one("DFT", [f32(2, 5, 3, 2), np.int64(6), np.int64(1)], inverse=inverse, weights=(1, 2))
    cases["dft real"] = one("DFT", [f32(2, 5, 1)], onesided=1)
    cases["col2im"] = one("Col2Im", [f32(2, 12, 12), np.array([7, 6]), np.array([2, 3])], strides=[2, 1], weights=(1, 2))
    cases["transposed"] = one("ConvTranspose", [f32(1, 4, 5, 4), f32(4, 2, 3, 2), f32(2)], strides=[2, 1], pads=[1, 0, 0, 1])
    cases["lp pool"] = one("LpPool", [f32(1, 2, 7, 6)], kernel_shape=[3, 2], strides=[2, 1], dilations=[2, 1], p=3)
    data, weight = (RNG.integers(0, 255, shape).astype(np.uint8) for shape in ((1, 2, 5, 5), (2, 2, 3, 3)))
    cases["conv integer"] = one("ConvInteger", [data, weight, np.uint8(7)], pads=[1, 0, 1, 1])
    cases["unpool"] = one("MaxUnpool", [f32(1, 1, 2, 2), np.array([[[[5, 7], [13, 15]]]])], kernel_shape=[2, 2], strides=[2, 2])
    cases["product"] = one("CumProd", [f32(3, 7), np.int64(1)], opset=26, exclusive=1, reverse=1, weights=(1,))
    cases["compress"] = one("Compress", [f32(4, 3), np.array([True, False, True])], axis=0, weights=(1,))
    cases["vector"] = one("MatMul", [f32(4), f32(2, 4, 3)])
    cases["all of a product"] = one("ReduceProd", [f32(2, 3)], keepdims=0)
    conditions = [np.array([[True, False], [True, True], [False, False]]), np.array([1])]
    cases["least"] = one("ReduceMin", conditions, weights=(1,))
    cases["greatest"] = one("ReduceMax", conditions, weights=(1,))
    cases["zero norm"] = one("LpNormalization", [np.array([[3, 4], [0, 0]], np.float32)])
    cases["gelu"] = one("Gelu", [f32(30)], approximate="tanh")
    cases["cache"] = one("TensorScatter", [f32(2, 3, 6, 2), f32(2, 3, 2, 2), np.array([5, 1])], opset=24, mode="circular")
    cases["scatter"] = one("ScatterElements", [f32(4, 3), np.array([[0, 1, 1], [0, 3, 1]]), f32(2, 3)], reduction="max")
    cases["loss"] = one("SoftmaxCrossEntropyLoss", [f32(3, 5), np.array([0, 4, 2]), positive(5)])
    cases["scan"] = accumulate("Scan", 5)
    cases["long scan"] = accumulate("Scan", 400)
    cases["loop"] = accumulate("Loop", 5)
    cases["long loop"] = accumulate("Loop", 400)
    cases["loop that counts"] = count()
    training = "ai.onnx.preview.training"
    state = [np.float32(0.1), np.int64(3), f32(4), f32(4), positive(4), positive(4)]
    model, inputs, want = one("Adam", state, 3, domain=training, norm_coefficient=0.1)
    # The reference computes in doubles; the standard has results of the tensors' type.
    for value in model.graph.output:
        value.type.tensor_type.elem_type = TensorProto.FLOAT
    cases["adam"] = model, inputs, [array.astype(np.float32) for array in want]
    cases["adagrad"] = one("Adagrad", state[:5], 2, domain=training, decay_factor=0.1, epsilon=1e-3)
    for mode in ("standard", "nesterov"):
        cases[mode] = one("Momentum", state[:5], 2, domain=training, alpha=0.9, beta=0.5, mode=mode, norm_coefficient=0.1)
    return cases


class NodeTest(unittest.TestCase):
    def test_nodes(self):
        for name, (model, inputs, want) in make_cases().items():
            with self.subTest(name=name):
                got = hetero.backend.prepare(model, default="cpu").run(inputs)
                for a, b in zip(got, want, strict=True):
                    self.assertEqual(a.dtype.itemsize, b.dtype.itemsize)
                    a = a.view(b.dtype).astype(np.float64)
                    np.testing.assert_allclose(a, b.astype(np.float64), rtol=1e-4, atol=1e-5)

    def test_weights_in_fields(self):
        """Weights whose elements are fields of the message instead of bytes, and empty ones."""
        for kind in (TensorProto.FLOAT16, TensorProto.BFLOAT16, TensorProto.UINT8, TensorProto.INT64, TensorProto.DOUBLE):
            for count in (3, 0):
                nodes = [
                    helper.make_node("Cast", ["w"], ["c"], to=TensorProto.FLOAT),
                    helper.make_node("Concat", ["c", "x"], ["y"], axis=0),
                ]
                weights = [helper.make_tensor("w", kind, [count], range(count))]
                model, inputs, (want,) = _finish(nodes, [("x", f32(2))], ["y"], weights)
                with self.subTest(kind=kind, count=count):
                    (got,) = hetero.backend.prepare(model, default="cpu").run(inputs)
                    np.testing.assert_array_equal(got, want)

    def test_sums_of_halves(self):
        """Of f16, whose sums are more than f16 holds: the numbers of f32, rounded."""
        data = np.full([1, 2, 64, 64], 60, np.float32) + np.arange(64, dtype=np.float32)
        axes = np.array([2, 3])
        cases = {
            "GlobalAveragePool": ([data], {}),
            "AveragePool": ([data], {"kernel_shape": [60, 60]}),
            "LpPool": ([data], {"kernel_shape": [60, 60]}),
            "LpNormalization": ([data.reshape(2, 4096)], {"axis": 1, "p": 2}),
            "InstanceNormalization": ([data, np.ones(2, np.float32), np.zeros(2, np.float32)], {}),
            "LogSoftmax": ([np.ones([1, 80000], np.float32)], {"axis": 1}),
            "ReduceMean": ([data, axes], {"weights": (1,)}),
            "ReduceL2": ([data, axes], {"weights": (1,)}),
            "ReduceLogSum": ([data, axes], {"weights": (1,)}),
        }
        for op, (inputs, options) in cases.items():
            with self.subTest(op=op):
                _, _, (want,) = one(op, inputs, **options)
                halves = [array.astype(np.float16) if array.dtype == np.float32 else array for array in inputs]
                model, arrays, _ = one(op, halves, **options)
                (got,) = hetero.backend.prepare(model, default="cpu").run(arrays)
                np.testing.assert_allclose(got.astype(np.float32), want, rtol=2e-3, atol=2e-3)

    def test_dynamic_quantize_lstm(self):
        """ONNX Runtime's, which rounds what its products read: near the LSTM of the weights that its bytes stand for."""
        codes = [RNG.integers(0, 256, shape).astype(np.uint8) for shape in ((2, 3, 24), (2, 6, 24))]
        scales = [np.array([0.004, 0.005], np.float32), np.array([0.003, 0.006], np.float32)]
        zeros = [np.array([120, 131], np.uint8), np.array([128, 90], np.uint8)]
        plain = [
            ((code.astype(np.float32) - zero[:, None, None]) * scale[:, None, None]).transpose(0, 2, 1)
            for code, scale, zero in zip(codes, scales, zeros)
        ]
        data, bias, options = f32(5, 2, 3), f32(2, 48), {"hidden_size": 6, "direction": "bidirectional"}
        _, _, want = one("LSTM", [data, *plain, bias], 3, weights=(1, 2, 3), **options)
        names = ["x", "w", "r", "b", "", "", "", "", "ws", "wz", "rs", "rz"]
        weights = dict(zip(["w", "r", "b", "ws", "rs", "wz", "rz"], [*codes, bias, *scales, *zeros]))
        graph = helper.make_graph(
            [helper.make_node("DynamicQuantizeLSTM", names, ["y", "h", "c"], domain="com.microsoft", **options)],
            "quantized",
            [helper.make_tensor_value_info("x", TensorProto.FLOAT, ["T", 2, 3])],
            [helper.make_tensor_value_info(n, TensorProto.FLOAT, None) for n in "yhc"],
            [numpy_helper.from_array(array, name) for name, array in weights.items()],
        )
        opsets = [helper.make_opsetid("", OPSET), helper.make_opsetid("com.microsoft", 1)]
        got = hetero.compile(helper.make_model(graph, opset_imports=opsets, ir_version=10), default="cpu")(data)
        for a, b in zip(got, want, strict=True):
            np.testing.assert_allclose(a, b, atol=0.03)


if __name__ == "__main__":
    unittest.main()
