"""Writes models to the folder that is given, for tests of the reader's text and errors."""

import pathlib
import sys

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

FOLDER = pathlib.Path(sys.argv[1])
node, value = helper.make_node, helper.make_tensor_value_info
FLOAT, INT64 = TensorProto.FLOAT, TensorProto.INT64


def save(name, nodes, inputs, outputs, weights=(), functions=(), opset=17, ir=8, domains=()):
    weights = [w if isinstance(w, TensorProto) else numpy_helper.from_array(w[1], w[0]) for w in weights]
    outputs = [onnx.ValueInfoProto(name=output) for output in outputs]
    graph = helper.make_graph(nodes, "g", inputs, outputs, weights)
    opsets = [helper.make_opsetid("", opset), *(helper.make_opsetid(domain, 1) for domain in domains)]
    model = helper.make_model(graph, opset_imports=opsets, ir_version=ir, functions=list(functions))
    (FOLDER / f"{name}.onnx").write_bytes(model.SerializeToString())


w = np.arange(400, dtype=np.float32).reshape(20, 20)
# Nodes in no order; names as exporters write them.
save(
    "names",
    [node("Relu", ["h"], ["y"], name="/enc/act"), node("MatMul", ["x", "w"], ["h"]), node("Relu", ["x"], ["z"], name="/enc/act")],
    [value("x", FLOAT, ["N", 20])],
    ["y", "z"],
    [("w", w)],
)
# Shapes that are computed: [N, S * 20] by Shape, Gather, Mul and Concat.
i = lambda *numbers: np.array(numbers, np.int64)
save(
    "shapes",
    [
        node("Shape", ["x"], ["s"]),
        node("Gather", ["s", "zero"], ["n"]),
        node("Gather", ["s", "one"], ["m"]),
        node("Mul", ["m", "twenty"], ["k"]),
        node("Unsqueeze", ["n", "axis"], ["n1"]),
        node("Unsqueeze", ["k", "axis"], ["k1"]),
        node("Concat", ["n1", "k1"], ["t"], axis=0),
        node("Reshape", ["x", "t"], ["y"]),
    ],
    [value("x", FLOAT, ["N", "S", 20])],
    ["y"],
    [("zero", np.array(0)), ("one", np.array(1)), ("twenty", np.array(20)), ("axis", i(0))],
)
save("dims", [node("Add", ["a", "b"], ["y"])], [value("a", FLOAT, ["N", 2]), value("b", FLOAT, ["N", 2])], ["y"])
save("unrelated", [node("Add", ["a", "b"], ["y"])], [value("a", FLOAT, ["N"]), value("b", FLOAT, ["M"])], ["y"])
save("axes", [node("Unsqueeze", ["x", "axes"], ["y"])], [value("x", FLOAT, [2]), value("axes", INT64, [1])], ["y"])
optional = helper.make_value_info("o", helper.make_optional_type_proto(helper.make_tensor_type_proto(FLOAT, ["N"])))
listed = helper.make_value_info("s", helper.make_sequence_type_proto(helper.make_tensor_type_proto(FLOAT, None)))
save("inputs", [node("SequenceInsert", ["s", "x"], ["t"]), node("Identity", ["o"], ["p"])], [listed, optional, value("x", FLOAT, None)], ["t", "p"])
words = helper.make_value_info("s", helper.make_sequence_type_proto(helper.make_tensor_type_proto(TensorProto.STRING, None)))
save("words", [node("SequenceLength", ["s"], ["y"])], [words], ["y"])
save("unknown", [node("NoSuchThing", ["x"], ["h"], name="a"), node("Other", ["h"], ["y"], name="b", domain="my.ops")], [value("x", FLOAT, [2])], ["y"], domains=["my.ops"])
save("circle", [node("Add", ["x", "b"], ["a"]), node("Relu", ["a"], ["b"])], [value("x", FLOAT, [2])], ["a"])
save("missing", [node("Add", ["x", "nobody"], ["y"], name="sum")], [value("x", FLOAT, [2])], ["y"])
save("old", [node("Add", ["x", "x"], ["y"], name="sum")], [value("x", FLOAT, [2])], ["y"], opset=6)
save("new-ir", [node("Relu", ["x"], ["y"])], [value("x", FLOAT, [2])], ["y"], ir=99)
save("sizes", [node("Add", ["a", "b"], ["y"], name="/sum")], [value("a", FLOAT, [2]), value("b", FLOAT, [3])], ["y"])
save("type", [node("Sqrt", ["x"], ["y"], name="root")], [value("x", INT64, [2])], ["y"])
save("types", [node("Add", ["a", "b"], ["y"], name="sum")], [value("a", FLOAT, [2]), value("b", INT64, [2])], ["y"])
save("many", [node("Relu", ["x", "x"], ["y"], name="act")], [value("x", FLOAT, [2])], ["y"])
save("large", [node("Expand", ["x", "s"], ["y"], name="all")], [value("x", FLOAT, [1])], ["y"], [("s", i(1 << 40, 1 << 40))])
save("large-input", [node("Relu", ["x"], ["y"])], [value("x", FLOAT, [1 << 31, 1 << 31])], ["y"])
save("deep", [node("Relu", ["x"], ["y"])], [value("x", FLOAT, [1] * 65)], ["y"])
save("pads", [node("MaxPool", ["x"], ["y"], name="pool", kernel_shape=[2, 2], pads=[-1, 0, 0, 0])], [value("x", FLOAT, [1, 1, 8, 8])], ["y"])
save("parts", [node("Split", ["x", "s"], ["y", "z"], name="cut")], [value("x", INT64, [4])], ["y", "z"], [("s", i(1 << 62, 4))])
# A function in a function, with attributes by reference.
scale = node("LeakyRelu", ["a"], ["b"])
scale.attribute.append(onnx.AttributeProto(name="alpha", ref_attr_name="slope", type=onnx.AttributeProto.FLOAT))
inner = helper.make_function("my", "Inner", ["a"], ["b"], [scale], [helper.make_opsetid("", 17)], ["slope"])
call = node("Inner", ["c"], ["d"], domain="my", name="call")
call.attribute.append(onnx.AttributeProto(name="slope", ref_attr_name="outer", type=onnx.AttributeProto.FLOAT))
outer = helper.make_function("my", "Outer", ["c"], ["d"], [call], [helper.make_opsetid("", 17), helper.make_opsetid("my", 1)], ["outer"])
save("functions", [node("Outer", ["x"], ["y"], domain="my", name="top", outer=0.25)], [value("x", FLOAT, [2])], ["y"], functions=[inner, outer], domains=["my"])


def external(name, location, offset=0, length=1600):
    weight = TensorProto(name="w", data_type=FLOAT, dims=[20, 20], data_location=TensorProto.EXTERNAL)
    for key, text in (("location", location), ("offset", str(offset)), ("length", str(length))):
        weight.external_data.add(key=key, value=text)
    save(name, [node("MatMul", ["x", "w"], ["y"])], [value("x", FLOAT, [2, 20])], ["y"], [weight])


(FOLDER / "weights.bin").write_bytes(b"\0" * 64 + w.tobytes())
external("external", "weights.bin", 64)
external("external-short", "weights.bin", 68)
external("external-leaves", "../weights.bin")
external("external-absolute", "/etc/passwd")
external("external-missing", "nowhere.bin")
typed = helper.make_model(helper.make_graph([node("Relu", ["x"], ["y"])], "g", [value("x", FLOAT, [2])], [value("y", TensorProto.DOUBLE, [2])]))
(FOLDER / "typed.onnx").write_bytes(typed.SerializeToString())
lengths = [value(name, kind, shape) for name, kind, shape in (("x", FLOAT, [3, 1, 2]), ("w", FLOAT, [1, 4, 2]), ("r", FLOAT, [1, 4, 4]), ("n", TensorProto.INT32, []))]
save("lengths", [node("RNN", ["x", "w", "r", "", "n"], ["y"], hidden_size=4)], lengths, ["y"])
# Two elements in each byte, also in the module.
packed = TensorProto(name="w", data_type=TensorProto.INT4, dims=[64, 70], raw_data=bytes(2240))
save("packed", [node("DequantizeLinear", ["w", "s"], ["y"], axis=0, block_size=32)], [value("s", FLOAT, [2, 70])], ["y"], [packed], opset=21)
short = TensorProto(name="w", data_type=FLOAT, dims=[1 << 40, 1 << 40], raw_data=b"1234")
save("product", [node("Relu", ["w"], ["y"])], [], ["y"], [short])
short = TensorProto(name="w", data_type=FLOAT, dims=[1 << 30], raw_data=b"1234")
save("short", [node("Relu", ["w"], ["y"])], [], ["y"], [short])
whole = (FOLDER / "names.onnx").read_bytes()
(FOLDER / "damaged.onnx").write_bytes(whole[:200])
