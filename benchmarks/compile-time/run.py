#!/usr/bin/env python3
"""Compiles programs of growing size and prints how the time grows.

  benchmarks/compile-time/run.py
  benchmarks/compile-time/run.py --only gpu --sizes 50,100
  benchmarks/compile-time/run.py --only regions
  benchmarks/compile-time/run.py --networks     whole networks, beside ONNX Runtime

A layer is a product, a sum with a bias and a ReLU. Equal layers have one shape,
distinct ones a shape each. Alternating regions are sums on the host and on a
device in turn; those of units are each on a unit of its own of one device; of
functions, 10 calls each, one half runs on the host. programs.py has the others. Times are processor time of hetero-compile for a
shared library, of all its threads, the best of some runs; the toolkit is hidden,
so that none of it is ptxas's. "kernels" are those of the largest program that
were compiled for the device.
"""

import argparse
import os
import resource
import subprocess
import sys
import tempfile

from programs import PROGRAMS

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
ROWS, COLUMNS = 64, 64


def width(layer, distinct):
    return COLUMNS + layer if distinct else COLUMNS


def make_program(layers, distinct):
    """A chain of layers; weights and biases are arguments."""
    arguments, lines = [f"%x0: tensor<{ROWS}x{width(0, distinct)}xf32>"], []
    for layer in range(layers):
        rows, columns = width(layer, distinct), width(layer + 1, distinct)
        source, result = f"tensor<{ROWS}x{rows}xf32>", f"tensor<{ROWS}x{columns}xf32>"
        arguments += [f"%w{layer}: tensor<{rows}x{columns}xf32>", f"%b{layer}: tensor<{columns}xf32>"]
        lines.append(f"""
  %e{layer} = tensor.empty() : {result}
  %z{layer} = linalg.fill ins(%zero : f32) outs(%e{layer} : {result}) -> {result}
  %p{layer} = linalg.matmul ins(%x{layer}, %w{layer} : {source}, tensor<{rows}x{columns}xf32>) outs(%z{layer} : {result}) -> {result}
  %x{layer + 1} = linalg.generic {{indexing_maps = [#all, #column, #all], iterator_types = ["parallel", "parallel"]}} ins(%p{layer}, %b{layer} : {result}, tensor<{columns}xf32>) outs(%e{layer} : {result}) {{
  ^bb0(%p: f32, %b: f32, %o: f32):
    %s = arith.addf %p, %b : f32
    %r = arith.maximumf %s, %zero : f32
    linalg.yield %r : f32
  }} -> {result}""")
    result = f"tensor<{ROWS}x{width(layers, distinct)}xf32>"
    return f"""#all = affine_map<(i, j) -> (i, j)>
#column = affine_map<(i, j) -> (j)>
func.func @main({", ".join(arguments)}) -> {result} {{
  %zero = arith.constant 0.0 : f32{"".join(lines)}
  return %x{layers} : {result}
}}
"""


def make_chain(size, device_of):
    """A chain of sums, each on the device that `device_of` says."""
    tensor = f"tensor<{COLUMNS}xf32>"
    lines = [f"func.func @main(%x0: {tensor}) -> {tensor} {{"]
    for i in range(size):
        lines.append(f"  %x{i + 1} = arith.addf %x{i}, %x{i} {{hetero.device = #hetero.device<{device_of(i)}>}} : {tensor}")
    return "\n".join(lines + [f"  return %x{size} : {tensor}", "}", ""])


def make_functions(size):
    """Private functions, each on a device and called 10 times."""
    tensor = f"tensor<{COLUMNS}xf32>"
    lines, calls = [], 10
    for i in range(size):
        device = ("cpu:0", "gpu:0")[i % 2]
        lines += [f"func.func private @f{i}(%x: {tensor}) -> {tensor} {{",
                  f"  %0 = math.exp %x {{hetero.device = #hetero.device<{device}>}} : {tensor}",
                  f"  %1 = arith.addf %0, %x {{hetero.device = #hetero.device<{device}>}} : {tensor}",
                  f"  return %1 : {tensor}", "}"]
    lines.append(f"func.func @main(%x0: {tensor}) -> {tensor} {{")
    for i in range(size * calls):
        lines.append(f"  %x{i + 1} = func.call @f{i % size}(%x{i}) : ({tensor}) -> {tensor}")
    return "\n".join(lines + [f"  return %x{size * calls} : {tensor}", "}", ""])


def alternate(i):
    return ("cpu:0", "gpu:0")[i % 2]


def list_programs():
    """Name, sizes, how to make the program, and the default device, if any."""
    for device in ("cpu:0", "gpu:0"):
        for kind in ("equal", "distinct"):
            yield f"{kind} layers on {device}", (100, 200, 400), lambda size, kind=kind: make_program(size, kind == "distinct"), device
    yield "alternating regions", (250, 500, 1000, 2000), lambda size: make_chain(size, alternate), None
    yield "units", (125, 250, 500), lambda size: make_chain(size, lambda i: f'gpu:0, unit = "u{i}"'), None
    yield "functions", (25, 50, 100), make_functions, None
    for device in ("cpu:0", "gpu:0"):
        yield f"elementwise chain on {device}", (500, 1000, 2000, 4000, 8000), PROGRAMS["elementwise chain"], device
        yield f"users of one value on {device}", (625, 1250, 2500, 5000), PROGRAMS["users of one value"], device
        for name, make in PROGRAMS.items():
            if name.startswith("nested"):
                yield f"{name} on {device}", (10, 20, 40), make, device
    for name, sizes in (("products in turn", (3, 6, 12)), ("loops in turn", (50, 100, 200)), ("concatenation", (15, 30, 60))):
        yield f"{name} on cpu:0", sizes, PROGRAMS[name], "cpu:0"
    yield "entry points on gpu:0", (250, 500, 1000), PROGRAMS["entry points"], "gpu:0"


def print_head(sizes):
    print("| program | " + " | ".join(f"{size}, s" for size in sizes) + " | " + " | ".join(f"{b} / {a}" for a, b in zip(sizes, sizes[1:])) + " | kernels |")
    print("|---|" + "--:|" * (2 * len(sizes)))


def compile_program(binaries, source, device):
    """Processor seconds, and the number of kernels in the library."""
    with tempfile.TemporaryDirectory() as folder:
        path, target = os.path.join(folder, "m.mlir"), os.path.join(folder, "m.so")
        with open(path, "w") as file:
            file.write(source)
        environment = {**os.environ, "HETERO_CUDA_DISABLE": "1"}
        environment.pop("HETERO_CACHE", None)
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        command = [os.path.join(binaries, "hetero-compile"), path, "-o", target]
        if device:
            command.append(f"--rules={{default: '{device}'}}")
        subprocess.run(command, check=True, env=environment)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        with open(target, "rb") as file:
            kernels = file.read().count(b".visible .entry")
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, kernels


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", default="", help="only programs whose name contains this")
    parser.add_argument("--sizes", help="numbers of layers, regions, units or functions instead of each program's own")
    parser.add_argument("--runs", type=int, default=2, help="runs of which the best counts")
    parser.add_argument("--limit", type=float, help="fail where the time per part grows by more than this factor")
    parser.add_argument("--bin", default=os.path.join(ROOT, "build", "release", "bin"), help="folder of hetero-compile")
    parser.add_argument("--networks", action="store_true", help="whole networks, with the packages of benchmarks/models (whole_networks.py)")
    options = parser.parse_args()
    if options.networks:
        import whole_networks

        return whole_networks.print_table(options.only, options.bin, options.runs)
    failed, headed = [], None
    for name, sizes, make, device in list_programs():
        if options.only not in name:
            continue
        if options.sizes:
            sizes = [int(size) for size in options.sizes.split(",")]
        if headed != sizes:
            print_head(sizes)
        headed = sizes
        seconds = []
        for size in sizes:
            runs = [compile_program(options.bin, make(size), device) for _ in range(options.runs)]
            seconds.append(min(time for time, _ in runs))
            kernels = runs[0][1]
        ratios = [b / a for a, b in zip(seconds, seconds[1:])]
        cells = [f"{time:.2f}" for time in seconds] + [f"{ratio:.2f}" for ratio in ratios]
        print(f"| {name} | {' | '.join(cells)} | {kernels} |", flush=True)
        growth = [ratio * a / b for ratio, (a, b) in zip(ratios, zip(sizes, sizes[1:]))]
        if options.limit and max(growth, default=0) > options.limit:
            failed.append(name)
    for name in failed:
        print(f"{name}: the time per part grows by more than {options.limit}", file=sys.stderr)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
