"""Prints a program of two products with one matrix, or counts it in a file.

  shared-weights.py > FILE.mlir
  shared-weights.py --count FILE.so
"""

import struct
import sys

ROWS, DEPTH, COLUMNS = 16, 256, 128
VALUES = [i + 0.5 for i in range(DEPTH * COLUMNS)]


def count(path):
    with open(path, "rb") as file:
        return file.read().count(struct.pack("<8f", *VALUES[4000:4008]))


def make_program():
    left, weight, result = f"tensor<{ROWS}x{DEPTH}xf32>", f"tensor<{DEPTH}x{COLUMNS}xf32>", f"tensor<{ROWS}x{COLUMNS}xf32>"
    elements = struct.pack(f"<{len(VALUES)}f", *VALUES).hex().upper()
    lines = [f"func.func @main(%x: {left}) -> ({result}, {result}) {{",
             f'  %w = arith.constant dense<"0x{elements}"> : {weight}',
             "  %zero = arith.constant 0.0 : f32",
             f"  %e = tensor.empty() : {result}",
             f"  %z = linalg.fill ins(%zero : f32) outs(%e : {result}) -> {result}"]
    for i, device in enumerate(("cpu:0", "gpu:0")):
        lines.append(f"  %{i} = linalg.matmul {{hetero.device = #hetero.device<{device}>}} ins(%x, %w : {left}, {weight}) outs(%z : {result}) -> {result}")
    return "\n".join(lines + [f"  return %0, %1 : {result}, {result}", "}"])


print(count(sys.argv[2]) if sys.argv[1:2] == ["--count"] else make_program())
