#!/usr/bin/env python3
"""Times five kernels on the emulator and the same computations, written for the
CPU, on as many threads. Prints a table; fails where results differ, or where the
product of 1024 x 1024 matrices takes more than 20 times as long.

  benchmarks/emulator/run.py
  benchmarks/emulator/run.py --size 256 --repeats 1

SIZE x SIZE are the matrices of `matmul`; the other kernels' sizes follow from it.
PTX instructions are counted in a run of their own.
"""

import argparse
import json
import os
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
MOST_RATIO, MOST_DIFFERENCE = 20, 1e-3


def run(folder, size, repeats, config):
    words = [os.path.join(folder, "hetero_emulator_benchmark"), os.path.join(folder, "Kernels.ptx"), str(size), str(repeats)]
    done = subprocess.run(words, stdin=subprocess.DEVNULL, capture_output=True, text=True, env={**os.environ, "HETERO_EMULATOR": config})
    if done.returncode:
        sys.exit(f"{' '.join(words)}: {done.stderr}")
    return [json.loads(line) for line in done.stdout.splitlines()]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--size", type=int, default=1024, help="of the matrices, a multiple of 32")
    parser.add_argument("--repeats", type=int, default=5, help="the shortest time counts")
    parser.add_argument("--folder", default=os.path.join(ROOT, "build", "release", "benchmarks", "emulator"), help="of the benchmark")
    options = parser.parse_args()
    if not os.path.exists(os.path.join(options.folder, "hetero_emulator_benchmark")):
        sys.exit("hetero_emulator_benchmark is not built; nvcc is needed to compile its kernels")
    counted = run(options.folder, options.size, 1, "clock=virtual")
    timed = run(options.folder, options.size, options.repeats, "")
    print("| kernel | PTX instructions | emulator, s | 10^6 instructions / s | CPU, s | emulator / CPU |")
    print("|---|--:|--:|--:|--:|--:|")
    failed = False
    for count, result in zip(counted, timed):
        ratio, instructions = result["emulated"] / result["host"], count["instructions"]
        rate = instructions / result["emulated"] / 1e6
        print(f"| {result['kernel']} | {instructions} | {result['emulated']:.4f} | {rate:.0f} | {result['host']:.4f} | {ratio:.1f} |")
        failed |= not result["difference"] <= MOST_DIFFERENCE
        failed |= result["kernel"] == "matmul" and options.size == 1024 and ratio > MOST_RATIO
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
