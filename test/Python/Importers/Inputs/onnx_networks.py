"""ONNX models against the reference evaluator of the onnx package."""

import pathlib
import subprocess
import sys
import tempfile
import unittest

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper
from onnx.reference import ReferenceEvaluator

import hetero
import placements

PRODUCTS = {"rules": "rules: [{name: '(Conv|MatMul|Gemm)/.*', device: gpu}]\ndefault: cpu"}


def tensor(name, shape, kind=TensorProto.FLOAT):
    return helper.make_tensor_value_info(name, kind, shape)


def model(nodes, inputs, outputs, weights=(), **options):
    weights = [numpy_helper.from_array(array, name) for name, array in dict(weights).items()]
    graph = helper.make_graph(nodes, "network", inputs, outputs, weights)
    options.setdefault("opset_imports", [helper.make_opsetid("", 17)])
    return helper.make_model(graph, **options)


def convolutions(rng, opset=15):
    weights = {
        "w1": rng.standard_normal((8, 3, 3, 3)).astype(np.float32) * 0.2,
        "b1": rng.standard_normal(8).astype(np.float32),
        "scale": rng.standard_normal(8).astype(np.float32),
        "shift": rng.standard_normal(8).astype(np.float32),
        "mean": rng.standard_normal(8).astype(np.float32),
        "variance": rng.random(8).astype(np.float32) + 0.5,
        "f": rng.standard_normal((8 * 4 * 4, 10)).astype(np.float32) * 0.1,
    }
    nodes = [
        helper.make_node("Conv", ["x", "w1", "b1"], ["c1"], name="conv1", pads=[1, 1, 1, 1]),
        helper.make_node("BatchNormalization", ["c1", "scale", "shift", "mean", "variance"], ["n1"], name="norm1"),
        helper.make_node("Relu", ["n1"], ["r1"]),
        helper.make_node("MaxPool", ["r1"], ["p1"], kernel_shape=[2, 2], strides=[2, 2]),
        helper.make_node("Flatten", ["p1"], ["t"]),
        helper.make_node("MatMul", ["t", "f"], ["m"], name="fc"),
        helper.make_node("Softmax", ["m"], ["y"]),
    ]
    return model(
        nodes, [tensor("x", ["N", 3, 8, 8])], [tensor("y", ["N", 10])], weights, opset_imports=[helper.make_opsetid("", opset)]
    )


def attention(rng):
    weights = {name: rng.standard_normal((16, 16)).astype(np.float32) * 0.3 for name in ("wq", "wk", "wv")}
    weights["root"] = np.float32(4)
    nodes = [helper.make_node("MatMul", ["x", f"w{c}"], [c], name=f"project_{c}") for c in "qkv"] + [
        helper.make_node("Transpose", ["k"], ["kt"], perm=[0, 2, 1]),
        helper.make_node("MatMul", ["q", "kt"], ["s"], name="scores"),
        helper.make_node("Div", ["s", "root"], ["d"]),
        helper.make_node("Softmax", ["d"], ["p"], axis=-1),
        helper.make_node("MatMul", ["p", "v"], ["y"], name="values"),
        helper.make_node("ReduceMean", ["y"], ["z"], axes=[1], keepdims=0),
    ]
    return model(nodes, [tensor("x", [2, "T", 16])], [tensor("y", [2, "T", 16]), tensor("z", [2, 16])], weights)


def integers(_):
    nodes = [
        helper.make_node("Gather", ["table", "ids"], ["g"]),
        helper.make_node("Cast", ["g"], ["c"], to=TensorProto.INT64),
        helper.make_node("CumSum", ["c", "axis"], ["y"]),
    ]
    weights = {"table": np.arange(20, dtype=np.float32).reshape(5, 4), "axis": np.int64(0)}
    return model(nodes, [tensor("ids", [3], TensorProto.INT64)], [tensor("y", [3, 4], TensorProto.INT64)], weights)


class NetworkTest(unittest.TestCase):
    def check(self, network, inputs, dims=None):
        want = ReferenceEvaluator(network).run(None, inputs)
        imported = hetero.importers.import_model(network, dims=dims)
        for _, program in placements.compile_each(imported, {"default": "gpu:0"}):
            got = program(**inputs)
            for a, b in zip(got if isinstance(got, list) else [got], want):
                self.assertEqual((a.dtype, a.shape), (b.dtype, b.shape))
                np.testing.assert_allclose(a, b, rtol=2e-5, atol=2e-5)

    def test_convolutions(self):
        rng = np.random.default_rng(1)
        network = convolutions(rng)
        for rows, dims in ((2, None), (1, {"N": 1})):
            self.check(network, {"x": rng.standard_normal((rows, 3, 8, 8)).astype(np.float32)}, dims)

    def test_attention(self):
        rng = np.random.default_rng(2)
        self.check(attention(rng), {"x": rng.standard_normal((2, 7, 16)).astype(np.float32)})

    def test_integers(self):
        self.check(integers(None), {"ids": np.array([4, 0, 2])})

    def test_names(self):
        program = hetero.compile(convolutions(np.random.default_rng(1)), dims={"N": 1}, **PRODUCTS)
        self.assertEqual(program.main.argument_names, ["x"])
        self.assertEqual(program.main.result_names, ["y"])
        places = {(op["name"], op["device"]) for op in program.placement.operations if op["op"].startswith("linalg.conv")}
        self.assertEqual(places, {("Conv/conv1", "gpu:0")})

    def test_file_and_tool(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "network.onnx"
            onnx.save(convolutions(np.random.default_rng(1)), path)
            self.assertEqual(hetero.compile(path).main.argument_types, ["tensor<?x3x8x8xf32>"])
            command = [sys.executable, "-m", "hetero", str(path), "--dim=N=2", "--input=2x3x8x8xf32=1", "--default=cpu"]
            done = subprocess.run(command, capture_output=True, text=True, check=False)
            self.assertIn("result[0]: tensor<2x10xf32>", done.stdout, done.stderr)

    def test_weights_in_files(self):
        rng = np.random.default_rng(5)
        weights = {"w": rng.standard_normal((300, 100)).astype(np.float32), "v": rng.standard_normal(100).astype(np.float32)}
        nodes = [helper.make_node("MatMul", ["x", "w"], ["p"], name="fc"), helper.make_node("Add", ["p", "v"], ["y"])]
        network = model(nodes, [tensor("x", [2, 300])], [tensor("y", [2, 100])], weights)
        x = rng.standard_normal((2, 300)).astype(np.float32)
        with tempfile.TemporaryDirectory() as folder:
            one, two = pathlib.Path(folder) / "one.onnx", pathlib.Path(folder) / "two.onnx"
            onnx.save(network, one)
            onnx.save(network, two, save_as_external_data=True, location="two.data", size_threshold=0)
            for path in (one, two):
                got = hetero.compile(path, **placements.HOST)(x)
                np.testing.assert_allclose(got, x @ weights["w"] + weights["v"], rtol=2e-5, atol=2e-5)
            data = pathlib.Path(folder) / "two.data"
            data.write_bytes(data.read_bytes()[:-4])
            with self.assertRaisesRegex(hetero.ImportFailure, "(?s)v.*bytes"):
                hetero.importers.import_model(two)
            data.unlink()
            with self.assertRaisesRegex(hetero.ImportFailure, "two.data"):
                hetero.importers.import_model(two)

    def test_results_of_another_rank(self):
        """A file that says a result has two dimensions where it has three."""
        nodes = [helper.make_node("Reshape", ["x", "sizes"], ["y"])]
        network = model(nodes, [tensor("x", ["N", 6])], [tensor("y", [1, "M"])], {"sizes": np.array([-1, 2, 3])})
        x = np.arange(12, dtype=np.float32).reshape(2, 6)
        np.testing.assert_array_equal(hetero.compile(network, **placements.HOST)(x), x.reshape(2, 2, 3))

    def test_branches_of_other_ranks(self):
        """What PyTorch's exporter writes for squeeze(1) of a dynamic dimension."""
        squeeze, keep = (
            helper.make_graph([helper.make_node(*node)], node[0], [], [tensor("b", None)])
            for node in (("Squeeze", ["x", "one"], ["b"]), ("Identity", ["x"], ["b"]))
        )
        nodes = [
            helper.make_node("Shape", ["x"], ["s"]),
            helper.make_node("Gather", ["s", "one"], ["d"]),
            helper.make_node("Equal", ["d", "one"], ["c"]),
            helper.make_node("If", ["c"], ["y"], name="if", then_branch=squeeze, else_branch=keep),
        ]
        network = model(nodes, [tensor("x", ["N", "C"])], [tensor("y", None)], {"one": np.array([1])})
        undecided = hetero.compile(network, **placements.HOST)
        self.assertEqual(undecided(np.zeros((4, 1), np.float32)).shape, (4,))
        with self.assertRaisesRegex(hetero.RunError, r'node "if" \(If 16\): its branches have results of unlike ranks.*--dim'):
            undecided(np.zeros((4, 3), np.float32))
        for channels, sizes in ((1, [4]), (3, [4, 3])):
            program = hetero.compile(network, dims={"C": channels}, **placements.HOST)
            self.assertEqual(list(program(np.zeros((4, channels), np.float32)).shape), sizes)

    def test_errors(self):
        network = convolutions(np.random.default_rng(1))
        with self.assertRaisesRegex(hetero.ImportFailure, "no input has a dimension named M; it has N"):
            hetero.compile(network, dims={"M": 1})
        foreign = model(
            [
                helper.make_node("Relu", ["x"], ["a"]),
                helper.make_node("Mine", ["a"], ["b"], name="first", domain="d"),
                helper.make_node("Mine", ["b"], ["c"], domain="d"),
                helper.make_node("Other", ["c"], ["y"], domain="d"),
            ],
            [tensor("x", [3])],
            [tensor("y", [3])],
            opset_imports=[helper.make_opsetid("", 17), helper.make_opsetid("d", 1)],
        )
        foreign.graph.value_info.extend([tensor("b", [3]), tensor("c", [3])])
        with self.assertRaisesRegex(hetero.ImportFailure, r'(?s)d.Mine \(2\): "first" "".*d.Other \(1\): ""'):
            hetero.compile(foreign)


if __name__ == "__main__":
    unittest.main()
