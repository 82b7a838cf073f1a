#!/usr/bin/env python3
"""Prints programs of the benchmark of kernels, whose constants are too long for a
test's text, for vectors of 512 bits.

  generate.py matmul_weights 128x768x768 convolution 1x512x7x7x512x3x1x1
"""

import os
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))))
sys.path.insert(0, os.path.join(ROOT, "benchmarks", "cpu-kernels"))
sys.dont_write_bytecode = True
import programs  # noqa: E402


def main():
    print("module attributes {hetero.vector_bits = 512 : i64} {")
    words = sys.argv[1:]
    for i, (kind, sizes) in enumerate(zip(words[::2], words[1::2])):
        text = programs.KINDS[kind](*(int(size) for size in sizes.split("x")))
        print(text.replace("@kernel", f"@{kind}{i}"))
    print("}")


if __name__ == "__main__":
    main()
