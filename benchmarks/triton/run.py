#!/usr/bin/env python3
"""Compiles kernels in the language of the package `triton` for GPUs that are not
there, runs their PTX on the emulated driver and compares with NumPy. Prints a table;
fails where a kernel is refused or a result is wrong.

  benchmarks/triton/run.py
  benchmarks/triton/run.py --chip 90 --only matmul,attention

The packages come from PyPI, into a folder of the build; where they cannot be had, the
benchmark is skipped with the reason.
"""

import argparse
import ctypes
import os
import subprocess
import sys
import time

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
PACKAGES = ("triton==3.9.0", "numpy")


def enter_environment(folder):
    """Runs this program again by a Python that has the packages."""
    python = os.path.join(folder, "bin", "python")
    if not os.path.exists(os.path.join(folder, "complete")):
        for words in ([sys.executable, "-m", "venv", folder], [python, "-m", "pip", "install", "-q", *PACKAGES]):
            done = subprocess.run(words, stdin=subprocess.DEVNULL, capture_output=True, text=True)
            if done.returncode:
                lines = (done.stderr or done.stdout).strip().splitlines() or ["it says nothing"]
                print(f"skipped: {' '.join(words[1:])} failed: {lines[-1]}")
                sys.exit(0)
        open(os.path.join(folder, "complete"), "w").close()
    os.execv(python, [python, os.path.abspath(__file__), *sys.argv[1:], "--environment", ""])


def type_of(value, numpy):
    from cases import Addresses

    if isinstance(value, Addresses):
        return "*i64"
    if isinstance(value, numpy.ndarray):
        names = {"float32": "fp32", "float16": "fp16", "int32": "i32", "int64": "i64"}
        return "*" + names[str(value.dtype)]
    return "fp32" if isinstance(value, float) else "i32"


def compile_case(case, chip, triton, numpy):
    from triton.backends.compiler import GPUTarget

    names = case.kernel.arg_names
    signature = {name: type_of(value, numpy) for name, value in zip(names, case.arguments)}
    signature.update({name: "constexpr" for name in case.constants})
    # Arrays are aligned, as the driver's memory is.
    hints = {(i,): [["tt.divisibility", 16]] for i, value in enumerate(case.arguments) if isinstance(value, numpy.ndarray)}
    source = triton.compiler.ASTSource(case.kernel, signature, {(names.index(name),): value for name, value in case.constants.items()}, hints)
    return triton.compile(source, target=GPUTarget("cuda", chip, 32), options={"num_warps": case.warps})


def run_case(driver, case, compiled, numpy):
    from cases import Addresses
    from emulator import count_parameters

    ptx, metadata = compiled.asm["ptx"], compiled.metadata
    function = driver.load(ptx, metadata.name)
    places, arguments = {}, []
    for number, value in enumerate(case.arguments):
        if isinstance(value, Addresses):
            addresses = [driver.upload(array) for array in value.arrays]
            places.update({(number, i): pair for i, pair in enumerate(zip(addresses, value.arrays))})
            arguments.append(driver.upload(numpy.array([address.value for address in addresses], numpy.int64)))
        elif isinstance(value, numpy.ndarray):
            arguments.append(driver.upload(value))
            places[number] = (arguments[-1], value)
        else:
            arguments.append(ctypes.c_float(value) if isinstance(value, float) else ctypes.c_int(value))
    scratch = [getattr(metadata, name, 0) or 0 for name in ("global_scratch_size", "profile_scratch_size")]
    blocks = case.grid[0] * case.grid[1] * case.grid[2]
    for size in (scratch + [0, 0])[: count_parameters(ptx) - len(arguments)]:
        arguments.append(driver.allocate(size * blocks) if size else ctypes.c_uint64(0))
    begin = time.perf_counter()
    driver.launch(function, case.grid, metadata.num_warps * 32, metadata.shared, arguments)
    seconds = time.perf_counter() - begin
    worst = 0.0
    for index, expected, most in case.results:
        got = driver.download(*places[index])
        if callable(expected):
            expected = expected(lambda i: driver.download(*places[i]))
        difference = numpy.abs(got.astype(numpy.float64) - expected)
        scale = numpy.maximum(1.0, numpy.abs(expected))
        worst = max(worst, float(numpy.max(difference / scale)))
        if not worst <= most:
            raise RuntimeError(f"argument {index} differs by {worst:.3g}, expected {most:.3g} at most")
    return seconds, worst


def parse():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--chip", type=int, action="append", help="80 or 90; both if none is given")
    parser.add_argument("--only", default="", help="names of kernels, separated by commas")
    parser.add_argument("--library", default=os.path.join(ROOT, "build", "release", "lib", "libhetero_cuda_emulator.so"), help="the emulated driver")
    parser.add_argument("--environment", default=os.path.join(ROOT, "build", "triton"), help="where the packages are put; empty: this Python has them")
    return parser.parse_args()


def main():
    options = parse()
    if options.environment:
        enter_environment(options.environment)
    if not os.path.exists(options.library):
        sys.exit(f"{options.library} does not exist; build hetero_cuda_emulator")
    import numpy
    import triton

    from cases import make_cases
    from emulator import Driver

    driver, failed = Driver(options.library), 0
    only = {name for name in options.only.split(",") if name}
    print("| kernel | chip | PTX lines | compiled, s | run, s | largest difference |")
    print("|---|---|--:|--:|--:|--:|")
    for case in make_cases():
        for chip in options.chip or (80, 90):
            if chip < case.least or (only and case.name not in only):
                continue
            try:
                begin = time.perf_counter()
                compiled = compile_case(case, chip, triton, numpy)
                compile_seconds = time.perf_counter() - begin
                seconds, worst = run_case(driver, case, compiled, numpy)
                lines = compiled.asm["ptx"].count("\n")
                print(f"| {case.name} | sm_{chip} | {lines} | {compile_seconds:.2f} | {seconds:.3f} | {worst:.2g} |", flush=True)
            except RuntimeError as error:
                failed += 1
                print(f"| {case.name} | sm_{chip} | failed: {error} | | | |", flush=True)
                driver = Driver(options.library)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
