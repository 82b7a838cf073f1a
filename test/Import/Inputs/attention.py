"""Writes models of one node of attention as text, with a line between them."""

import pathlib
import subprocess
import sys

import numpy as np
from case import make_model


def write(name, op, shapes, domain="", **attributes):
    inputs = [np.zeros(shape, np.float32) for shape in shapes]
    path = pathlib.Path(f"{sys.argv[1]}.{name}.onnx")
    path.write_bytes(make_model(op, inputs, 1, 23, (), None, domain, attributes).SerializeToString())
    done = subprocess.run(["hetero-translate", "--import-onnx", str(path), "--text"], check=True, capture_output=True)
    path.with_suffix(".mlir").write_text(done.stdout.decode() + "// -----\n", encoding="utf-8")


heads = [1, 2, 8, 16]
write("mask", "Attention", [heads] * 3 + [[8, 8]])
write("causal", "Attention", [heads] * 3, is_causal=1)
write("groups", "Attention", [[1, 4, 8, 16], heads, heads])
write("flat", "Attention", [[1, 8, 32]] * 3, q_num_heads=2, kv_num_heads=2)
write("multi", "MultiHeadAttention", [[1, 8, 32]] * 3, domain="com.microsoft", num_heads=2)
