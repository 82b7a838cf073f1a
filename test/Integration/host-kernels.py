"""Writes PREFIX.mlir, a chain of four equal layers, and PREFIX.*.npy: what it reads
and what it should compute, in small integers.

  host-kernels.py PREFIX arguments|constants
"""

import sys

import numpy

LAYERS, ROWS, WIDTH = 4, 40, 64


def main():
    prefix, kind = sys.argv[1:]
    random = numpy.random.default_rng(1)
    x = random.integers(-2, 3, (ROWS, WIDTH)).astype(numpy.float32)
    # One number for each row keeps the sums exact.
    weights = [numpy.diag(random.integers(-1, 3, WIDTH)).astype(numpy.float32)[:, random.permutation(WIDTH)] for _ in range(LAYERS)]
    want = x
    for weight in weights:
        want = numpy.maximum(want @ weight, 0)
    numpy.save(f"{prefix}.x.npy", x)
    numpy.save(f"{prefix}.want.npy", want)
    small, matrix = f"tensor<{ROWS}x{WIDTH}xf32>", f"tensor<{WIDTH}x{WIDTH}xf32>"
    arguments, lines = [f"%x0: {small}"], []
    for i, weight in enumerate(weights):
        if kind == "arguments":
            numpy.save(f"{prefix}.w{i}.npy", weight)
            arguments.append(f"%w{i}: {matrix}")
        else:
            lines.append(f'%w{i} = arith.constant dense<"0x{weight.tobytes().hex().upper()}"> : {matrix}')
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
