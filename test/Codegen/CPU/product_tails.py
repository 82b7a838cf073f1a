#!/usr/bin/env python3
"""Products of all widths of rows, with sums wider than what is stored of them,
against NumPy: the last vector of a row writes its own elements only.

  product_tails.py HETERO_RUN [OPTION...]
"""

import re
import subprocess
import sys
import tempfile

import numpy as np

# Elements, sums, and what is stored of the sums.
TYPES = [
    ("i8", "i64", "i32"),
    ("i8", "i64", "i8"),
    ("i16", "i64", "i16"),
    ("i32", "i64", "i64"),
    ("i8", "i32", "i8"),
    ("i8", "i32", "i16"),
    ("i32", "i32", "i32"),
    ("i8", "i16", "i8"),
    ("f32", "f64", "f32"),
    ("f32", "f32", "f16"),
    ("f64", "f64", "f64"),
]
COLUMNS = [*range(1, 19), 23, 25, 31, 33, 63, 65]
ROWS, DEPTH, WIDEST = 3, 4, max(COLUMNS)


def product(index, types, columns):
    element, total, stored = types
    kind = "f" if total[0] == "f" else "i"
    zero = "0.0" if kind == "f" else "0"
    narrow = "" if stored == total else "arith.truncf" if kind == "f" else "arith.trunci"
    result = f"%r{index}"
    text = f"""
  %w{index} = tensor.extract_slice %w[0, 0] [{DEPTH}, {columns}] [1, 1] : !w to tensor<{DEPTH}x{columns}x{element}>
  %z{index} = arith.constant {zero} : {total}
  %e{index} = tensor.empty() : tensor<{ROWS}x{columns}x{total}>
  %f{index} = linalg.fill ins(%z{index} : {total}) outs(%e{index} : tensor<{ROWS}x{columns}x{total}>) -> tensor<{ROWS}x{columns}x{total}>
  %p{index} = linalg.matmul ins(%x, %w{index} : !x, tensor<{DEPTH}x{columns}x{element}>) outs(%f{index} : tensor<{ROWS}x{columns}x{total}>) -> tensor<{ROWS}x{columns}x{total}>
"""
    if not narrow:
        return text, f"%p{index}"
    return text + f"  {result} = {narrow} %p{index} : tensor<{ROWS}x{columns}x{total}> to tensor<{ROWS}x{columns}x{stored}>\n", result


def program(types):
    body, results = zip(*(product(i, types, columns) for i, columns in enumerate(COLUMNS)))
    kinds = [f"tensor<{ROWS}x{columns}x{types[2]}>" for columns in COLUMNS]
    return f"""!x = tensor<{ROWS}x{DEPTH}x{types[0]}>
!w = tensor<{DEPTH}x{WIDEST}x{types[0]}>
func.func @main(%x: !x, %w: !w) -> ({", ".join(kinds)}) {{{"".join(body)}
  return {", ".join(results)} : {", ".join(kinds)}
}}
"""


def run(command, types):
    """The results as hetero-run prints them."""
    with tempfile.NamedTemporaryFile("w", suffix=".mlir") as file:
        file.write(program(types))
        file.flush()
        shapes = [f"{ROWS}x{DEPTH}x{types[0]}", f"{DEPTH}x{WIDEST}x{types[0]}"]
        values = [",".join(map(str, a.ravel())) for a in (LEFT, RIGHT)]
        inputs = [f"--input={shape}={value}" for shape, value in zip(shapes, values)]
        done = subprocess.run([*command, file.name, "--default=cpu", *inputs], capture_output=True, text=True)
    if done.returncode:
        sys.exit(done.stderr)
    lines = [line.split("=", 1)[1] for line in done.stdout.splitlines() if re.match(r"\d+x", line)]
    return [np.array([row.split() for row in re.findall(r"\[([^]]*)\]", line)], float) for line in lines]


LEFT = np.arange(ROWS * DEPTH).reshape(ROWS, DEPTH) % 5 - 1
RIGHT = np.arange(DEPTH * WIDEST).reshape(DEPTH, WIDEST) % 7 - 2
wrong = 0
for types in TYPES:
    for columns, got in zip(COLUMNS, run(sys.argv[1:], types), strict=True):
        if not np.array_equal(got, LEFT @ RIGHT[:, :columns]):
            wrong += 1
            print(f"{types}, {columns} columns: {got.tolist()}")
print(f"{len(TYPES) * len(COLUMNS)} products, {wrong} wrong")
