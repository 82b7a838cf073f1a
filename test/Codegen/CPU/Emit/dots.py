#!/usr/bin/env python3
"""Compiles products and convolutions for awkward shapes and for several processors,
runs them on each that this machine can be, and compares all results: those of floats
with double precision, those of i8 with integers that wrap.

  dots.py BIN LIB bf16
  dots.py BIN LIB ss --processors native --every 3       one case in three
  dots.py BIN LIB f32 --transposed                       transposed operands only

The third word says of what type the elements are: a float, or i8 with (s) or without
(u) a sign, for each operand.
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

import numpy as np

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "..", "..", "Integration", "Inputs"))
sys.dont_write_bytecode = True
from hetero_abi import HeteroValue, describe  # noqa: E402
from number_formats import decode, encode  # noqa: E402

EPSILON = 2.0**-23
# What floats are summed up in.
WIDER = {"bf16": "f32", "f16": "f32", "f32": "f32", "f64": "f64"}
PROCESSORS = ["avx512bf16", "avx512", "avx2", "baseline"]

# Loops of the operands and of the result, and sizes in alphabetical order of the
# loops: k, m, n, or b, k, m, n.
SHAPES = [
    (["mk", "kn", "mn"], [(1, 1, 1), (2, 5, 3), (4, 17, 16), (7, 3, 5), (8, 6, 64), (9, 13, 33), (0, 3, 5), (16, 0, 5), (31, 17, 67), (33, 1, 40)]),
    (["mk", "kn", "mn"], [(64, 12, 48), (65, 70, 17), (67, 40, 130), (130, 9, 1), (131, 7, 31), (5, 64, 16), (6, 65, 80), (1030, 13, 20)]),
    (["mk", "nk", "mn"], [(1, 1, 1), (2, 5, 3), (5, 3, 9), (16, 4, 4), (67, 13, 11), (129, 6, 17), (300, 9, 5), (0, 2, 2)]),
    (["mk", "nk", "mn"], [(64, 32, 16), (67, 33, 18), (130, 40, 70), (9, 65, 33)]),
    (["bmk", "bkn", "bmn"], [(3, 9, 17, 21), (2, 64, 30, 33)]),
    (["bmk", "bnk", "bmn"], [(3, 9, 17, 21), (2, 64, 30, 7), (2, 35, 40, 50)]),
    (["km", "kn", "mn"], [(17, 13, 20)]),
    (["mk", "k", "m"], [(67, 13), (256, 5)]),
    (["k", "kn", "n"], [(67, 40)]),
    (["nk", "km", "nm"], [(24, 36, 18)]),
]
# With a second operand that is transposed, or both: few rows and many, columns and steps
# of the reduction that fill no block.
TRANSPOSED = [
    (["mk", "nk", "mn"], [(67, 2, 37), (300, 3, 21), (33, 5, 8), (129, 7, 40), (70, 8, 19), (31, 9, 50), (512, 13, 17), (1009, 17, 31), (0, 40, 20), (3, 40, 20)]),
    (["mk", "nk", "mn"], [(64, 48, 96), (67, 33, 65), (7, 50, 35), (2, 64, 33), (1, 40, 40), (15, 40, 0), (130, 20, 1), (130, 20, 3), (700, 20, 130), (40, 1, 70), (40, 0, 17)]),
    (["km", "nk", "mn"], [(17, 13, 20), (64, 40, 33), (5, 2, 70), (67, 1, 31), (40, 30, 1)]),
    (["km", "kn", "mn"], [(64, 40, 33), (67, 9, 1)]),
    (["bmk", "bnk", "bmn"], [(3, 65, 40, 19), (2, 31, 5, 36), (2, 16, 70, 64)]),
    (["nk", "mk", "nm"], [(66, 40, 37)]),
]
# With a second operand that is a constant of more than a page.
CONSTANTS = [
    (["mk", "kn", "mn"], [(65, 20, 130), (128, 9, 96), (67, 1, 131), (1031, 30, 19)]),
    (["mk", "nk", "mn"], [(65, 20, 130), (130, 13, 67)]),
]
# A reduction whose panels are larger than the cache, by operands that are constants or
# not.
DEEP = (["mk", "kn", "mn"], (8192, 13, 64))
# Images, height, width, channels, filters, window, stride.
CONVOLUTIONS = [(1, 5, 9, 8, 17, 3, 1), (2, 7, 20, 5, 33, 3, 2), (1, 4, 14, 16, 16, 1, 1), (1, 9, 40, 3, 20, 3, 1), (1, 6, 30, 18, 40, 3, 1)]


class Kind:
    """The type of the elements."""

    def __init__(self, name):
        self.is_float = name in WIDER
        self.element, self.sum = (name, WIDER[name]) if self.is_float else ("i8", "i32")
        self.signs = "ss" if self.is_float else name

    def draw(self, generator, count, signed):
        if self.is_float:
            return [generator.randrange(-128, 129) / 128 for _ in range(count)]
        low, high = (-128, 128) if signed == "s" else (0, 256)
        # Those that are the furthest apart are the most interesting.
        return [generator.choice([low, high - 1, generator.randrange(low, high)]) for _ in range(count)]

    def store(self, values):
        return values if self.is_float else [(value + 128) % 256 - 128 for value in values]

    def body(self):
        suffix = "f" if self.is_float else "i"
        extend = ["extf"] * 2 if self.is_float else ["extsi" if sign == "s" else "extui" for sign in self.signs]
        names, lines = "ab", []
        if self.element != self.sum:
            names = ["a_wide", "b_wide"]
            lines = [f"%{wide} = arith.{op} %{name} : {self.element} to {self.sum}" for wide, name, op in zip(names, "ab", extend)]
        lines += [f"%p = arith.mul{suffix} %{names[0]}, %{names[1]} : {self.sum}", f"%y = arith.add{suffix} %o, %p : {self.sum}"]
        return "\n    ".join(lines)

    def compare(self, got, start, sums, sizes, count):
        """Which results are right: `sizes` are the sums of absolute values, of so many terms."""
        if self.is_float:
            error = EPSILON * (4 + 2 * math.sqrt(count)) * sizes + 1e-30
            return np.abs(got - sums - start) <= error
        return got == (start + sums + 2**31) % 2**32 - 2**31


def tensor(sizes, element, dynamic=False):
    return f"tensor<{''.join(('?' if dynamic else str(size)) + 'x' for size in sizes)}{element}>"


def dense(kind, sizes, values):
    data = encode(kind.element, kind.store(values)).raw
    return f'arith.constant dense<"0x{data.hex()}"> : {tensor(sizes, kind.element)}'


class Case:
    """A sum of `terms` products, which `multiply` computes of arrays. That is exact:
    the values are small multiples of a power of two."""

    def __init__(self, kind, name, shapes, result, is_constant, is_dynamic):
        self.kind, self.name, self.shapes, self.result = kind, name, shapes, result
        self.is_constant, self.is_dynamic = is_constant, is_dynamic
        generator = random.Random(name)
        self.values = [kind.draw(generator, math.prod(shape), sign) for shape, sign in zip(shapes, kind.signs)]
        # Close to where sums wrap.
        self.start = 2.5 if kind.is_float else generator.choice([0, 2**31 - 5, -(2**31) + 3])

    def function(self):
        """The text around the operation that `operation` prints."""
        kind = self.kind
        types = [tensor(shape, kind.element, self.is_dynamic) for shape in self.shapes]
        total = tensor(self.result, kind.sum, self.is_dynamic)
        lines = [f"%start = arith.constant {self.start} : {kind.sum}"]
        if self.is_constant:
            lines.append(f"%x1 = {dense(kind, self.shapes[1], self.values[1])}")
        arguments = [f"%x{i}: {type}" for i, type in enumerate(types) if not (i and self.is_constant)]
        # A destination that holds something, for the caller does not know its size.
        sizes = []
        for i, (operand, dimension) in enumerate(self.find_sizes()) if self.is_dynamic else []:
            lines += [f"%p{i} = arith.constant {dimension} : index", f"%d{i} = tensor.dim %x{operand}, %p{i} : {types[operand]}"]
            sizes.append(f"%d{i}")
        lines += [
            f"%empty = tensor.empty({', '.join(sizes)}) : {total}",
            f"%fill = linalg.fill ins(%start : {kind.sum}) outs(%empty : {total}) -> {total}",
            f"%r = {self.operation(types, total)}",
            f"return %r : {total}",
        ]
        body = "\n  ".join(lines)
        return f"func.func @{self.name}({', '.join(arguments)}) -> {total} {{\n  {body}\n}}\n"

    def check(self, library, runtime):
        kind, passed = self.kind, self.values[: 1 if self.is_constant else 2]
        data = [encode(kind.element, kind.store(values)) for values in passed]
        values = (HeteroValue * len(data))(*(describe(ctypes.addressof(d), shape, kind.element) for d, shape in zip(data, self.shapes)))
        result = HeteroValue()
        if getattr(library, self.name)(values, len(data), ctypes.byref(result), 1):
            sys.exit(f"{self.title()}: {runtime.heteroLastError().decode()}")
        count = math.prod(self.result)
        exact = np.float64 if kind.is_float else np.int64
        got = np.array(decode(kind.sum, result.data, count) if count else [], exact).reshape(self.result)
        runtime.heteroReleaseValue(ctypes.byref(result))
        a, b = (np.array(values, exact).reshape(shape) for values, shape in zip(self.values, self.shapes))
        sums = self.multiply(a, b)
        right = kind.compare(got, self.start, sums, self.multiply(np.abs(a), np.abs(b)), self.terms)
        for place in map(tuple, np.argwhere(~right)):
            sys.exit(f"{self.title()}: {got[place]} at {place}, expected {sums[place] + self.start}")
        return count


class Product(Case):
    def __init__(self, kind, name, loops, sizes, *options):
        letters = sorted(set("".join(loops)))
        self.loops, self.letters, self.sizes = loops, letters, dict(zip(letters, sizes))
        shapes = [[self.sizes[letter] for letter in text] for text in loops]
        self.terms = self.sizes["k"]
        super().__init__(kind, name, shapes[:2], shapes[2], *options)

    def title(self):
        how = " constant" * self.is_constant + " dynamic" * self.is_dynamic
        return f"{self.kind.element} {self.kind.signs} {' '.join(self.loops)} {self.sizes}{how}"

    def find_sizes(self):
        for letter in self.loops[2]:
            operand = 0 if letter in self.loops[0] else 1
            yield operand, self.loops[operand].index(letter)

    def operation(self, types, total):
        maps = ", ".join(f"affine_map<({', '.join(self.letters)}) -> ({', '.join(text)})>" for text in self.loops)
        iterators = ", ".join('"reduction"' if letter == "k" else '"parallel"' for letter in self.letters)
        kind = self.kind
        return f"""linalg.generic {{indexing_maps = [{maps}], iterator_types = [{iterators}]}}
    ins(%x0, %x1 : {', '.join(types)}) outs(%fill : {total}) {{
  ^bb0(%a: {kind.element}, %b: {kind.element}, %o: {kind.sum}):
    {kind.body()}
    linalg.yield %y : {kind.sum}
  }} -> {total}"""

    def multiply(self, a, b):
        return np.einsum(f"{self.loops[0]},{self.loops[1]}->{self.loops[2]}", a, b)


class Convolution(Case):
    """Channels last; of i8, both with a sign. Filters first if transposed."""

    def __init__(self, kind, name, sizes, is_transposed, *options):
        self.sizes = n, h, w, c, f, window, stride = sizes
        self.is_transposed = is_transposed
        area = [(size - window) // stride + 1 for size in (h, w)]
        self.terms = window * window * c
        filters = (f, window, window, c) if is_transposed else (window, window, c, f)
        super().__init__(kind, name, [(n, h, w, c), filters], (n, *area, f), *options)

    def title(self):
        return f"{self.kind.element} convolution {self.sizes}" + " constant" * self.is_constant

    def operation(self, types, total):
        stride = self.sizes[-1]
        attributes = f"{{strides = dense<{stride}> : tensor<2xi64>, dilations = dense<1> : tensor<2xi64>}}"
        order = "fhwc" if self.is_transposed else "hwcf"
        return f"linalg.conv_2d_nhwc_{order} {attributes} ins(%x0, %x1 : {', '.join(types)}) outs(%fill : {total}) -> {total}"

    def multiply(self, a, b):
        stride, window = self.sizes[-1], self.sizes[-2]
        sums = np.zeros(self.result, a.dtype)
        for y, x in itertools.product(range(window), repeat=2):
            last = [first + stride * (size - 1) + 1 for first, size in zip((y, x), self.result[1:3])]
            taps = b[:, y, x].T if self.is_transposed else b[y, x]
            sums += np.einsum("nyxc,cf->nyxf", a[:, y : last[0] : stride, x : last[1] : stride], taps)
        return sums


def make_cases(options):
    kind = Kind(options.kind)
    cases = list((make_transposed_cases if options.transposed else make_all_cases)(kind))[:: options.every]
    if options.deep:
        cases += [Product(kind, f"deep{is_constant:d}", *DEEP, is_constant, False) for is_constant in (False, True)]
    return cases


def make_all_cases(kind):
    number = itertools.count()

    def name():
        return f"dots{next(number)}"

    for loops, all_sizes in SHAPES:
        for sizes in all_sizes:
            yield Product(kind, name(), loops, sizes, False, False)
            yield Product(kind, name(), loops, sizes, False, True)
    for loops, all_sizes in CONSTANTS:
        for sizes in all_sizes:
            yield Product(kind, name(), loops, sizes, True, False)
    for sizes in CONVOLUTIONS if kind.signs == "ss" else []:
        yield Convolution(kind, name(), sizes, False, False, False)
        yield Convolution(kind, name(), sizes, False, True, False)


def make_transposed_cases(kind):
    number = itertools.count()
    for loops, all_sizes in TRANSPOSED:
        for sizes in all_sizes:
            yield Product(kind, f"transposed{next(number)}", loops, sizes, False, False)
            yield Product(kind, f"transposed{next(number)}", loops, sizes, False, True)
    for sizes in CONVOLUTIONS if kind.signs == "ss" else []:
        yield Convolution(kind, f"transposed{next(number)}", sizes, True, False, False)


def run(options, library):
    """All cases on the processor that HETERO_CPU says."""
    runtime = ctypes.CDLL(os.path.join(options.lib, "libhetero_runtime.so"), mode=ctypes.RTLD_GLOBAL)
    runtime.heteroLastError.restype = ctypes.c_char_p
    loaded, cases = ctypes.CDLL(library), make_cases(options)
    count = sum(case.check(loaded, runtime) for case in cases)
    print(f"{options.kind} for {os.environ.get('HETERO_CPU', 'this processor')}: {len(cases)} cases, {count} results")


def find_processor(options):
    """What this machine is, from the runtime's refusals."""
    check = "import ctypes, sys; l = ctypes.CDLL(sys.argv[1]); n = ctypes.c_int32(); sys.exit(l.heteroChooseProcessor(15, ctypes.byref(n)))"
    for name in PROCESSORS:
        command = [sys.executable, "-c", check, os.path.join(options.lib, "libhetero_runtime.so")]
        if subprocess.run(command, env={**os.environ, "HETERO_CPU": name}).returncode == 0:
            return name
    sys.exit("no processor of the list")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("bin")
    parser.add_argument("lib")
    parser.add_argument("kind", choices=[*WIDER, "ss", "us", "su", "uu"])
    parser.add_argument("--processors", default="all", help="as hetero-compile takes them")
    parser.add_argument("--every", type=int, default=1, help="every how many of the cases; all with HETERO_FULL_TESTS=1")
    parser.add_argument("--transposed", action="store_true", help="products with transposed operands, of all types")
    parser.add_argument("--deep", action="store_true", help="a long reduction, too")
    parser.add_argument("--text", action="store_true", help="print the programs and run none")
    parser.add_argument("--library", default="", help="run what is compiled already")
    options = parser.parse_args()
    if os.environ.get("HETERO_FULL_TESTS"):
        options.every = 1
    if options.library:
        return run(options, options.library)
    text = "".join(case.function() for case in make_cases(options))
    if options.text:
        return print(text)
    with tempfile.TemporaryDirectory() as folder:
        source, target = os.path.join(folder, "dots.mlir"), os.path.join(folder, "dots.so")
        with open(source, "w") as file:
            file.write(text)
        command = [os.path.join(options.bin, "hetero-compile"), source, "--rules={default: cpu}", f"--processors={options.processors}", "-o", target]
        subprocess.run(command, check=True)
        best = PROCESSORS.index(find_processor(options))
        names = PROCESSORS[best:] if options.processors == "all" else [""]
        for name in names:
            environment = {**os.environ, "HETERO_CPU": name} if name else os.environ
            again = [sys.executable, __file__, options.bin, options.lib, options.kind, "--every", str(options.every), "--library", target, *["--deep"] * options.deep, *["--transposed"] * options.transposed]
            if subprocess.run(again, env=environment).returncode:
                sys.exit(1)


if __name__ == "__main__":
    sys.exit(main())
