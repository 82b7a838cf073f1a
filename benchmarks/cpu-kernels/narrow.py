#!/usr/bin/env python3
"""Compares products of narrow types with those of f32 that hetero-compile makes for
the same sizes: one thread on one core, in turns, the best time of each. A ratio above
1 says by how much the narrow product is faster.

  benchmarks/cpu-kernels/narrow.py --build build/release
  benchmarks/cpu-kernels/narrow.py --build build/release --processors avx512

The second is without the instructions for narrow products.
"""

import argparse
import ctypes
import math
import os
import subprocess
import sys
import tempfile
import time

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(ROOT, "test", "Integration", "Inputs"))
sys.dont_write_bytecode = True
from hetero_abi import HeteroValue, describe  # noqa: E402

SIZES = [(512, 512, 512), (1024, 1024, 1024), (128, 768, 768), (128, 3072, 768), (333, 255, 517), (16, 1000, 512)]
# The element type, that of the sums, and how the second matrix is read.
KINDS = [(element, total, order) for order in ("kn", "nk") for element, total in (("f32", "f32"), ("bf16", "f32"), ("i8", "i32"), ("f16", "f32"))]
# What all elements are: the time does not depend on it.
PATTERN = {"f32": b"\0\0\x80\x3f", "bf16": b"\x80\x3f", "i8": b"\xfd", "f16": b"\0\x3c"}


def program(name, element, total, order, m, n, k):
    second = f"{k}x{n}" if order == "kn" else f"{n}x{k}"
    a, b, c = f"tensor<{m}x{k}x{element}>", f"tensor<{second}x{element}>", f"tensor<{m}x{n}x{total}>"
    maps = f"affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> ({', '.join(order)})>, affine_map<(m, n, k) -> (m, n)>"
    zero = "0.0" if total == "f32" else "0"
    return f"""func.func @{name}(%a: {a}, %b: {b}) -> {c} {{
  %zero = arith.constant {zero} : {total}
  %empty = tensor.empty() : {c}
  %fill = linalg.fill ins(%zero : {total}) outs(%empty : {c}) -> {c}
  %r = linalg.matmul indexing_maps = [{maps}] ins(%a, %b : {a}, {b}) outs(%fill : {c}) -> {c}
  return %r : {c}
}}
"""


class Product:
    def __init__(self, library, runtime, name, element, order, m, n, k):
        self.call, self.runtime = getattr(library, name), runtime
        shapes = [(m, k), (k, n) if order == "kn" else (n, k)]
        self.data = [ctypes.create_string_buffer(PATTERN[element] * math.prod(shape)) for shape in shapes]
        values = [describe(ctypes.addressof(data), shape, element) for data, shape in zip(self.data, shapes)]
        self.values, self.best = (HeteroValue * 2)(*values), math.inf

    def run(self):
        result = HeteroValue()
        start = time.perf_counter()
        if self.call(self.values, 2, ctypes.byref(result), 1):
            sys.exit(self.runtime.heteroLastError().decode())
        self.best = min(self.best, time.perf_counter() - start)
        self.runtime.heteroReleaseValue(ctypes.byref(result))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", default=os.path.join(ROOT, "build", "release"))
    parser.add_argument("--processors", default="native")
    parser.add_argument("--seconds", type=float, default=0.5, help="for each size")
    options = parser.parse_args()
    os.environ["HETERO_NUM_THREADS"] = "1"
    os.sched_setaffinity(0, [max(os.sched_getaffinity(0))])
    runtime = ctypes.CDLL(os.path.join(options.build, "lib", "libhetero_runtime.so"), mode=ctypes.RTLD_GLOBAL)
    runtime.heteroLastError.restype = ctypes.c_char_p
    cases = [(f"product{i}_{j}", *kind, *size) for i, size in enumerate(SIZES) for j, kind in enumerate(KINDS)]
    with tempfile.TemporaryDirectory() as folder:
        source, target = (os.path.join(folder, "products" + suffix) for suffix in (".mlir", ".so"))
        with open(source, "w") as file:
            file.writelines(program(*case) for case in cases)
        command = [os.path.join(options.build, "bin", "hetero-compile"), source, "--rules={default: cpu}", f"--processors={options.processors}"]
        subprocess.run([*command, "-o", target], check=True)
        library = ctypes.CDLL(target)
    print("| m x n x k | second | f32 GFLOP/s | bf16 | i8 | f16 | bf16 / f32 | i8 / f32 | f16 / f32 |\n|---|---|---|---|---|---|---|---|---|")
    for i, (m, n, k) in enumerate(SIZES):
        for order in ("kn", "nk"):
            products = [Product(library, runtime, name, element, order, m, n, k) for name, element, _, o, *_ in cases[i * len(KINDS) : (i + 1) * len(KINDS)] if o == order]
            end = time.perf_counter() + options.seconds
            while time.perf_counter() < end:
                for product in products:
                    product.run()
            speeds = [2e-9 * m * n * k / product.best for product in products]
            ratios = [speed / speeds[0] for speed in speeds[1:]]
            print(f"| {m} x {n} x {k} | {' x '.join(order)} |" + "".join(f" {speed:.0f} |" for speed in speeds) + "".join(f" {ratio:.2f} |" for ratio in ratios))


if __name__ == "__main__":
    main()
