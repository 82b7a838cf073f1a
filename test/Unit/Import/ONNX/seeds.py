#!/usr/bin/env python3
"""Writes the seeds of HeteroONNXFuzzer without the onnx package: for each operator of
lib/Import/ONNX/Signatures.def models of one node, and models with graphs in nodes,
functions, sparse tensors and all element types.

  test/Unit/Import/ONNX/seeds.py OUTPUT
"""

import os
import pathlib
import re
import struct
import sys

ROOT = pathlib.Path(__file__).resolve().parents[4]
FLOAT, INT64, BOOL = 1, 7, 9
# Bytes of an element by its number; the rest have one or less.
BYTES = {1: 4, 4: 2, 5: 2, 6: 4, 7: 8, 10: 2, 11: 8, 12: 4, 13: 8, 14: 8, 15: 16, 16: 2}
SHAPES = ([4], [2, 3], [1, 2, 3], [1, 2, 5, 5], [])
VARIANTS = 2 * len(SHAPES)
# What operators do not know, they do not read.
ATTRIBUTES = {
    "axis": 0, "keepdims": 1, "group": 1, "to": FLOAT, "hidden_size": 2, "num_heads": 1, "q_num_heads": 1,
    "kv_num_heads": 1, "kernel_shape": [2, 2], "strides": [1, 1], "pads": [0, 0, 0, 0], "dilations": [1, 1],
    "mode": "constant", "equation": "i->i", "direction": "forward", "epsilon": 1e-5, "blocksize": 1, "block_size": 1,
    "num_groups": 1, "num_scan_inputs": 1, "activations": ["Tanh"], "value_floats": [1.0, 2.0],
}  # fmt: skip


def varint(number):
    number &= (1 << 64) - 1
    made = b""
    while number >= 128:
        made += bytes([number & 127 | 128])
        number >>= 7
    return made + bytes([number])


def field(number, value):
    if isinstance(value, int):
        return varint(number << 3) + varint(value)
    if isinstance(value, float):
        return varint(number << 3 | 5) + struct.pack("<f", value)
    value = value.encode() if isinstance(value, str) else value
    return varint(number << 3 | 2) + varint(len(value)) + value


def fields(number, values):
    return b"".join(field(number, value) for value in values)


def attribute(name, value):
    kind = type(value[0] if isinstance(value, list) else value)
    number, declared = {float: (2, 1), int: (3, 2), str: (4, 3), bytes: (6, 5)}[kind]
    if isinstance(value, list):
        number, declared = {float: (7, 6), int: (8, 7), str: (9, 8)}[kind]
    return field(1, name) + fields(number, value if isinstance(value, list) else [value]) + field(20, declared)


def node(op, inputs, outputs, attributes=(), domain=""):
    return (
        fields(1, inputs) + fields(2, outputs) + field(3, "n") + field(4, op) + fields(5, attributes) + field(7, domain)
    )


def tensor(name, kind, dims, raw):
    return fields(1, dims) + field(2, kind) + field(8, name) + field(9, raw)


def value_info(name, kind, dims):
    shape = fields(1, [field(2, dim) if isinstance(dim, str) else field(1, dim) for dim in dims])
    return field(1, name) + field(2, field(1, field(1, kind) + field(2, shape)))


def graph(nodes, inputs, outputs, initializers=(), sparse=()):
    named = [field(1, name) for name in outputs]
    return (
        fields(1, nodes) + field(2, "g") + fields(5, initializers) + fields(11, inputs) + fields(12, named)
        + fields(15, sparse)
    )  # fmt: skip


def model(body, domain="", opset=25, functions=()):
    opsets = [field(1, domain) + field(2, 5), field(2, opset)] if domain else [field(2, opset)]
    return field(1, 13) + field(7, body) + fields(8, opsets) + fields(25, functions)


def ints(name, kind, dims, *numbers):
    """A tensor of numbers, or of one for all elements."""
    count = 1
    for dim in dims:
        count *= dim
    numbers = numbers if len(numbers) > 1 else numbers * count
    return tensor(name, kind, dims, b"".join(number.to_bytes(BYTES.get(kind, 1), "little") for number in numbers))


def of_operator(name, words, variant):
    """A model of one node: floats are inputs, integers constants or inputs."""
    domain, op = name.split(":")
    inputs, initializers, names = [], [], []
    shape, isDynamic = SHAPES[variant % len(SHAPES)], variant % 2
    # Operands of one size, or vectors of channels after the first.
    rest = shape[1:2] if variant >= len(SHAPES) else shape
    for place, word in enumerate(words.rstrip(" +").split()):
        kinds = [kind for kind in range(1, 32) if int(word[1:], 16) >> kind & 1 and kind != 8]
        if not kinds:
            return None
        kind = FLOAT if FLOAT in kinds else kinds[variant % len(kinds)]
        dims = rest if place else shape
        names.append(f"i{place}")
        if kind == FLOAT or not place:
            sizes = [f"d{size}" if isDynamic else size for size in dims]
            inputs.append(value_info(names[-1], kind, sizes))
        elif variant % 3 or not shape:
            initializers.append(ints(names[-1], kind, [1], variant % 3 // 2))
        else:
            initializers.append(ints(names[-1], kind, [len(shape)], *range(len(shape))))
    attributes = [attribute(key, value) for key, value in ATTRIBUTES.items()]
    outputs = ["o0", "o1"] if variant == VARIANTS - 1 else ["o0"]
    made = node(op, names, outputs, attributes, domain)
    return model(graph([made], inputs, ["o0"], initializers), domain, 11 if variant % 4 == 3 else 28)


def special():
    """Models of more than one node, by name."""
    x = value_info("x", FLOAT, ["N", 2])
    cond = value_info("c", BOOL, [])
    relu, neg = node("Relu", ["x"], ["y"]), node("Neg", ["x"], ["y"])
    branches = [attribute("then_branch", graph([relu], [], ["y"])), attribute("else_branch", graph([neg], [], ["y"]))]
    branch = node("If", ["c"], ["y"], branches)
    yield "if", model(graph([branch], [cond, x], ["y"]))
    carry = [value_info("i", INT64, []), value_info("k", BOOL, []), value_info("a", FLOAT, [2])]
    add = [node("Add", ["a", "a"], ["b"]), node("Identity", ["k"], ["l"])]
    body = attribute("body", graph(add, carry, ["l", "b"]))
    loop = node("Loop", ["m", "", "w"], ["y"], [body])
    counts = [ints("m", INT64, [], 3), tensor("w", FLOAT, [2], bytes(8))]
    yield "loop", model(graph([loop], [x], ["y"], counts))
    given = field(1, "alpha") + field(20, 1) + field(21, "a")
    inner = fields(4, ["x"]) + fields(5, ["y"]) + fields(6, ["a"]) + field(7, node("LeakyRelu", ["x"], ["y"], [given]))
    inner += field(1, "Inner") + field(10, "my") + field(9, field(2, 25))
    call = node("Inner", ["x"], ["y"], [attribute("a", 0.5)], "my")
    outer = fields(4, ["x"]) + fields(5, ["y"]) + field(7, call) + field(1, "Outer") + field(10, "my")
    outer += field(9, field(2, 25)) + field(9, field(1, "my") + field(2, 1))
    yield "functions", model(graph([node("Outer", ["x"], ["y"], (), "my")], [x], ["y"]), "my", 25, [inner, outer])
    sparse = field(1, tensor("w", FLOAT, [1], bytes(4))) + field(2, ints("p", INT64, [1], 1)) + fields(3, [2])
    yield "sparse", model(graph([node("Add", ["x", "w"], ["y"])], [x], ["y"], (), [sparse]))
    outside = fields(1, [2]) + field(2, FLOAT) + field(8, "w") + field(14, 1)
    outside += field(13, field(1, "location") + field(2, "w.bin")) + field(13, field(1, "offset") + field(2, "4"))
    yield "external", model(graph([node("Add", ["x", "w"], ["y"])], [x], ["y"], [outside]))
    for kind in range(1, 29):
        weight = tensor("w", kind, [4], bytes(4 * BYTES.get(kind, 1)))
        cast = node("Cast", ["w"], ["y"], [attribute("to", FLOAT)])
        yield f"type-{kind}", model(graph([cast], [], ["y"], [weight]))
    shape = [node("Shape", ["x"], ["s"]), node("Slice", ["s", "w", "v"], ["t"]), node("Concat", ["t", "v"], ["u"],
             [attribute("axis", 0)]), node("Reshape", ["x", "u"], ["y"])]  # fmt: skip
    parts = [ints("w", INT64, [1], 0), ints("v", INT64, [1], 1)]
    yield "shapes", model(graph(shape, [x], ["y"], parts))


def main():
    output = sys.argv[1]
    os.makedirs(output, exist_ok=True)
    seeds = list(special())
    rows = re.findall(r'SIGNATURE\("(.*)",((?:\s*".*")+)\)', (ROOT / "lib/Import/ONNX/Signatures.def").read_text())
    for name, words in [(name, words) for words, names in rows for name in names.replace('"', "").split()]:
        for variant in range(VARIANTS):
            seeds.append((f"{name.replace(':', '-')}-{variant}", of_operator(name, words, variant)))
    for name, data in seeds:
        if data:
            pathlib.Path(output, f"{name}.onnx").write_bytes(data)


if __name__ == "__main__":
    main()
