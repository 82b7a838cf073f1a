#!/usr/bin/env python3
"""Compiles 300 small programs of awkward shapes (one, primes, no multiples of a
vector, nothing at all, sizes known only when they run), runs them, and compares all
results with double precision, or integers of any size.

  sweep.py --build build/dev --device gpu:0
  sweep.py --build build/dev --device cpu --every 6      one in six
  sweep.py --build build/dev --device cpu --only pool    those of a family
  sweep.py --build build/dev --device cpu --element bf16 elements of one type, for
                                                         operations that it has

The programs are the same every time. Ends with 'N passed, N failed'.
"""

import argparse
import ctypes
import itertools
import math
import os
import random
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "Inputs"))
from hetero_abi import HeteroValue, describe  # noqa: E402
from number_formats import decode, encode  # noqa: E402
from sweep_builder import ELEMENTS, Builder  # noqa: E402
import row_families  # noqa: E402
import sweep_families  # noqa: E402

COUNT = 300


class Program:
    """One function of the sweep; the seed decides everything about it."""

    def __init__(self, families, number, element):
        self.name = f"sweep{number}"
        family = families[number % len(families)]
        self.builder = Builder(random.Random(number), dynamic=number // len(families) % 3 == 2, element=element)
        self.result, self.expected = family(self.builder)
        self.text = self.builder.function(self.name, self.result)
        types = ", ".join(t.type for t in self.builder.arguments)
        shapes = ", ".join("x".join(map(str, t.shape)) for t in self.builder.arguments)
        self.title = f"{self.name} ({family.__name__}) of {types} as {shapes}"

    def call(self, library, runtime):
        """The result's numbers, or the text of an error."""
        builder = self.builder
        data = [encode(t.element, v) for t, v in zip(builder.arguments, builder.values)]
        values = (HeteroValue * len(data))(*(describe(ctypes.addressof(d), t.shape, t.element) for d, t in zip(data, builder.arguments)))
        result = HeteroValue()
        if getattr(library, self.name)(values, len(data), ctypes.byref(result), 1):
            return runtime.heteroLastError().decode()
        shape = list(result.sizes[: result.rank])
        count = math.prod(shape)
        numbers = decode(self.result.element, result.data, count) if count else []
        runtime.heteroReleaseValue(ctypes.byref(result))
        return numbers if shape == self.result.shape else f"a result of {shape}, expected {self.result.shape}"

    def check(self, library, runtime):
        """What is wrong, or nothing."""
        got = self.call(library, runtime)
        if isinstance(got, str):
            return got
        for i, (value, pair) in enumerate(itertools.zip_longest(got, self.expected(self.builder.values))):
            want, error = pair
            if value != want and not abs(value - want) <= error:
                return f"{value} at {i}, expected {want} within {error}"
        return ""


def compile(options, programs, folder):
    source, target = (os.path.join(folder, "sweep" + suffix) for suffix in (".mlir", ".so"))
    with open(source, "w") as file:
        file.write(f"module attributes {{hetero.vector_bits = {options.vector_bits} : i64}} {{\n" if options.vector_bits else "module {\n")
        file.writelines(program.text for program in programs)
        file.write("}\n")
    command = [os.path.join(options.build, "bin", "hetero-compile"), source, f"--rules={{default: {options.device}}}"]
    if not any(flag.startswith(("--processors", "--mcpu")) for flag in options.flags):
        command.append("--processors=native")
    # The emulated driver takes PTX only.
    subprocess.run([*command, "--cubins=false", *options.flags, "-o", target], check=True)
    return ctypes.CDLL(target)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", required=True, help="build directory with bin and lib")
    parser.add_argument("--device", default="cpu", help="where everything runs")
    parser.add_argument("--every", type=int, default=1, help="every how many of the programs")
    parser.add_argument("--only", default="", help="part of a title")
    parser.add_argument("--element", default="", choices=ELEMENTS, help="type of the elements, instead of f32, f64 or i32 by chance")
    parser.add_argument("--rows", action="store_true", help="chains of work on rows instead of single operations")
    parser.add_argument("--vector-bits", type=int, default=0, help="width of the vectors on the host")
    parser.add_argument("--text", action="store_true", help="print the programs and run none")
    parser.add_argument("flags", nargs="*", help="options for hetero-compile, after --")
    options = parser.parse_args()
    # A step that shares no divisor with the number of families meets all of them.
    numbers = range(0, COUNT, options.every) if not os.environ.get("HETERO_FULL_TESTS") else range(COUNT)
    families = row_families.FAMILIES if options.rows else sweep_families.FAMILIES
    programs = [Program(families, number, options.element) for number in numbers]
    # Some operations have no form for the type, and took another one.
    programs = [program for program in programs if options.element in ("", program.builder.element)]
    programs = [program for program in programs if options.only in program.title]
    if options.text:
        print("\n".join(program.text for program in programs))
        return 0
    os.environ.setdefault("HETERO_CUDA_DRIVER", "emulator")
    runtime = ctypes.CDLL(os.path.join(options.build, "lib", "libhetero_runtime.so"), mode=ctypes.RTLD_GLOBAL)
    runtime.heteroLastError.restype = ctypes.c_char_p
    failures = 0
    with tempfile.TemporaryDirectory() as folder:
        library = compile(options, programs, folder)
        for program in programs:
            wrong = program.check(library, runtime)
            failures += bool(wrong)
            if wrong:
                print(f"{program.title}: {wrong}")
    print(f"{len(programs) - failures} passed, {failures} failed")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
