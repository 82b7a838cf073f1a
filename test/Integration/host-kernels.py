"""Writes PREFIX.mlir, a chain of four equal layers, and PREFIX.*.npy: what it reads
and what it should compute, in small integers.

  host-kernels.py PREFIX arguments|constants
"""

import random
import struct
import sys

LAYERS, ROWS, WIDTH = 4, 40, 64


def save(path, rows):
    header = repr({"descr": "<f4", "fortran_order": False, "shape": (len(rows), len(rows[0]))})
    header += " " * (-(len(header) + 11) % 64) + "\n"
    with open(path, "wb") as file:
        file.write(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode() + pack(rows))


def pack(rows):
    return b"".join(struct.pack(f"<{len(row)}f", *row) for row in rows)


def make_weight(numbers):
    """One number in each column keeps the sums small."""
    weight = [[0] * WIDTH for _ in range(WIDTH)]
    for column, row in enumerate(numbers.sample(range(WIDTH), WIDTH)):
        weight[row][column] = numbers.randint(-1, 2)
    return weight


def multiply(x, weight):
    return [[max(0, sum(a * row[column] for a, row in zip(line, weight))) for column in range(WIDTH)] for line in x]


def main():
    prefix, kind = sys.argv[1:]
    numbers = random.Random(1)
    x = [[numbers.randint(-2, 2) for _ in range(WIDTH)] for _ in range(ROWS)]
    weights = [make_weight(numbers) for _ in range(LAYERS)]
    want = x
    for weight in weights:
        want = multiply(want, weight)
    save(f"{prefix}.x.npy", x)
    save(f"{prefix}.want.npy", want)
    small, matrix = f"tensor<{ROWS}x{WIDTH}xf32>", f"tensor<{WIDTH}x{WIDTH}xf32>"
    arguments, lines = [f"%x0: {small}"], []
    for i, weight in enumerate(weights):
        if kind == "arguments":
            save(f"{prefix}.w{i}.npy", weight)
            arguments.append(f"%w{i}: {matrix}")
        else:
            lines.append(f'%w{i} = arith.constant dense<"0x{pack(weight).hex().upper()}"> : {matrix}')
        lines.append(f"%p{i} = linalg.matmul ins(%x{i}, %w{i} : {small}, {matrix}) outs(%f : {small}) -> {small}")
        lines.append(f"%x{i + 1} = linalg.max ins(%p{i}, %f : {small}, {small}) outs(%e : {small}) -> {small}")
    with open(f"{prefix}.mlir", "w") as file:
        file.write(f"""func.func @main({", ".join(arguments)}) -> {small} {{
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : {small}
  %f = linalg.fill ins(%zero : f32) outs(%e : {small}) -> {small}
  {chr(10).join(lines)}
  return %x{LAYERS} : {small}
}}
""")


if __name__ == "__main__":
    main()
