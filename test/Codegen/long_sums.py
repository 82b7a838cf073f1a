#!/usr/bin/env python3
"""Adds up many numbers along any axis, in any form that a program may have it in, and
compares with math.fsum: the error is at most 1e-6 of the sum of the absolute values; of
products of matrices at most that of 512 steps on the host, if all elements are equal, so
that all roundings go the same way, and of all steps on a GPU. Prints a line for each number of elements and kind of numbers, with the largest error.

  long_sums.py BIN LIB cpu
  long_sums.py BIN LIB gpu:0 --sizes 1000 1000000 --only rows
  long_sums.py BIN LIB cpu --sizes 100000000 --data uniform
"""

import argparse
import array
import ctypes
import functools
import itertools
import math
import os
import random
import struct
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "Integration", "Inputs"))
sys.dont_write_bytecode = True
from hetero_abi import HeteroValue, describe  # noqa: E402

LIMIT, ROUNDING = 1e-6, 2**-24
# Random numbers that longer arrays repeat.
PERIOD = 1000003
CODES = {"f32": "f", "f64": "d", "f16": "H", "bf16": "H"}


def encode(element, values):
    if element == "f16":
        return array.array("H", struct.pack(f"<{len(values)}e", *values))
    if element == "bf16":
        return array.array("H", (bits >> 16 for bits in array.array("I", array.array("f", values).tobytes())))
    return array.array(CODES[element], values)


def decode(element, stored):
    if element == "f16":
        return struct.unpack(f"<{len(stored)}e", stored.tobytes())
    if element == "bf16":
        return array.array("f", array.array("I", (bits << 16 for bits in stored)).tobytes())
    return stored


@functools.lru_cache(maxsize=12)
def make_period(kind, count, element, seed):
    generator = random.Random(seed)
    numbers = {
        "uniform": lambda i: generator.random(),
        "normal": lambda i: generator.gauss(0, 1),
        "alternating": lambda i: (1 + generator.random()) * (1 - i % 2 * 2),
        "constant": lambda i: 0.1,
    }[kind]
    return encode(element, [numbers(i) for i in range(count)])


def make(kind, count, element, seed):
    """So many numbers, as they are in memory."""
    block = make_period(kind, min(count, PERIOD), element, seed)
    return (block * -(-count // len(block)))[:count]


class Case:
    """A sum of terms of `inputs` over the loops of `maps`: the result's map is the last,
    with 0 for a dimension that it keeps. `body` has the element's value in %t."""

    def __init__(self, name, sizes, maps, body="", term=lambda *values: values[0], element="f32", is_dynamic=False, text=None, total="f32"):
        self.name, self.sizes, self.maps, self.term, self.text = name + "_dynamic" * is_dynamic, sizes, maps, term, text
        self.element, self.is_dynamic, self.body, self.total = element, is_dynamic, body or "%t = arith.addf %x0, %zero : f32", total
        self.shapes = [[1 if loop == "0" else sizes[loop] for loop in map] for map in maps]

    def spell(self, shape, element):
        sizes = ("?" if self.is_dynamic and size > 1 else str(size) for size in shape)
        return f"tensor<{''.join(size + 'x' for size in sizes)}{element}>"

    def function(self):
        types = [self.spell(shape, self.element) for shape in self.shapes[:-1]] + [self.spell(self.shapes[-1], self.total)]
        arguments = ", ".join(f"%a{i}: {type}" for i, type in enumerate(types))
        names = ", ".join(f"%a{i}" for i in range(len(types) - 1))
        loops = "".join(self.sizes)
        maps = ", ".join(f"affine_map<({', '.join(loops)}) -> ({', '.join(map)})>" for map in self.maps)
        kinds = ", ".join('"parallel"' if loop in self.maps[-1] else '"reduction"' for loop in loops)
        scalars = ", ".join(f"%x{i}: {self.element}" for i in range(len(types) - 1))
        text = self.text or f"""%r = linalg.generic {{indexing_maps = [{maps}], iterator_types = [{kinds}]}}
      ins({names} : {', '.join(types[:-1])}) outs(%f : S) {{
  ^bb0({scalars}, %o: T):
    BODY
    linalg.yield %s : T
  }} -> S"""
        body = self.body if "%s =" in self.body else self.body + "\n    %s = arith.addf %o, %t : T"
        text = text.replace("BODY", body).replace("S", types[-1]).replace("A", types[0]).replace("T", self.total).replace("E", self.element)
        return f"""func.func @{self.name}({arguments}) -> {types[-1]} {{
  %zero = arith.constant 0.0 : {self.total}
  %f = linalg.fill ins(%zero : {self.total}) outs(%a{len(types) - 1} : {types[-1]}) -> {types[-1]}
  {text}
  return %r : {types[-1]}
}}
"""

    def slices(self, place, operand):
        """The elements of an operand that are added to the result at `place`, in the order of the loops."""
        at = {loop: index for loop, index in zip(self.maps[-1], place) if loop != "0"}
        strides, stride = {}, 1
        for loop, size in reversed(list(zip(self.maps[operand], self.shapes[operand]))):
            strides[loop], stride = stride, stride * size
        start = sum(strides.get(loop, 0) * index for loop, index in at.items())
        free = [loop for loop in self.sizes if loop not in at]
        for point in itertools.product(*(range(self.sizes[loop]) for loop in free[:-1])):
            first = start + sum(strides.get(loop, 0) * index for loop, index in zip(free, point))
            step, size = strides.get(free[-1], 0), self.sizes[free[-1]]
            yield (first, first + step * size, step) if step else (first, first + 1, 1)

    def expect(self, data, place):
        """The sum, and that of the absolute values."""
        sums, sizes = [], []
        for parts in zip(*(self.slices(place, operand) for operand in range(len(data)))):
            columns = [values[first:end:step] for values, (first, end, step) in zip(data, parts)]
            longest = max(map(len, columns))
            columns = [column if len(column) == longest else itertools.repeat(column[0], longest) for column in columns]
            if len(columns) == 1 and self.term(3.0) == 3.0:
                terms = columns[0]
            else:
                terms = list(map(self.term, *columns))
            sums.append(math.fsum(terms))
            sizes.append(math.fsum(map(abs, terms)))
        return math.fsum(sums), math.fsum(sizes)

    def limit(self, device, kind):
        if "k" not in self.sizes or (device == "cpu" and kind != "constant"):
            return LIMIT
        return max(LIMIT, ROUNDING * min(self.sizes["k"], 512 if device == "cpu" else math.inf))

    def check(self, library, runtime, kind, places):
        """The largest error of some results."""
        stored = [make(kind, math.prod(shape), self.element, i) for i, shape in enumerate(self.shapes[:-1])]
        result = array.array(CODES[self.total], bytes(math.prod(self.shapes[-1]) * (8 if self.total == "f64" else 4)))
        arrays, elements = [*stored, result], [self.element] * len(stored) + [self.total]
        values = (HeteroValue * len(arrays))(*(describe(values.buffer_info()[0], shape, element) for values, shape, element in zip(arrays, self.shapes, elements)))
        found = HeteroValue()
        if getattr(library, self.name)(values, len(arrays), ctypes.byref(found), 1):
            sys.exit(f"{self.name}: {runtime.heteroLastError().decode()}")
        numbers = ((ctypes.c_double if self.total == "f64" else ctypes.c_float) * max(1, len(result))).from_address(found.data)
        data = [decode(self.element, values) for values in stored]
        shape = self.shapes[-1]
        generator, worst = random.Random(self.name), 0
        for at in {0, len(result) - 1, *(generator.randrange(len(result)) for _ in range(places - 2))}:
            place = [at // math.prod(shape[i + 1 :]) % size for i, size in enumerate(shape)]
            total, size = self.expect(data, place)
            error = abs(numbers[at] - total) / (size or 1)
            worst = max(worst, error if error == error else math.inf)
        runtime.heteroReleaseValue(ctypes.byref(found))
        return worst


SQUARE = "%t = arith.mulf %x0, %x0 : f32"
PRODUCT = "%t = arith.mulf %x0, %x1 : f32"
# What no loop over vectors has a form for.
CHAIN = "%h = arith.mulf %x0, %x0 : f32\n    %u = arith.addf %o, %x0 : f32\n    %s = arith.addf %u, %h : f32"
MINUS = "%s = arith.subf %o, %x0 : f32"
FUSED = "%s = math.fma %x0, %x0, %o : f32"
MASKED = "%y = arith.constant 0.25 : f32\n    %c = arith.cmpf olt, %x0, %y : f32\n    %u = arith.addf %o, %x0 : f32\n    %s = arith.select %c, %u, %o : f32"
GATHER = "%i = linalg.index 0 : index\n    %t = tensor.extract %a0[%i] : A"
# A sum, that of squares and a maximum at once.
PAIR = """%r, %q, %x = linalg.generic {indexing_maps = [affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (RESULT)>, affine_map<(m, n) -> (RESULT)>, affine_map<(m, n) -> (RESULT)>],
      iterator_types = [KINDS]} ins(%a0 : A) outs(%f, %f, %f : S, S, S) {
  ^bb0(%x0: f32, %o: f32, %p: f32, %m: f32):
    %s = arith.addf %o, %x0 : f32
    %h = arith.mulf %x0, %x0 : f32
    %t = arith.addf %p, %h : f32
    %y = arith.maximumf %m, %x0 : f32
    linalg.yield %s, %t, %y : f32, f32, f32
  } -> (S, S, S)"""
WIDER = "%t = arith.extf %x0 : E to f32"


def sums(count):
    """Sums of `count` elements, or of as many as make whole rows."""
    side = math.isqrt(count)
    shapes = [(1, count), (count, 1), (3, count // 3), (count // 3, 3), (side, side), (side // 16, 16 * side), (count // 17, 17)]
    for rows, columns in shapes:
        sizes, suffix = {"m": rows, "n": columns}, f"{rows}x{columns}"
        for is_dynamic in (False, True):
            for name, result in (("rows", "m"), ("rows_kept", "m0"), ("columns", "n"), ("columns_kept", "0n"), ("columns_last", "n0"), ("all", ""), ("all_kept", "00")):
                yield Case(f"{name}_{suffix}", sizes, ["mn", result], is_dynamic=is_dynamic)
            yield Case(f"squares_rows_{suffix}", sizes, ["mn", "m0"], SQUARE, lambda x: x * x, is_dynamic=is_dynamic)
            yield Case(f"squares_columns_{suffix}", sizes, ["mn", "0n"], SQUARE, lambda x: x * x, is_dynamic=is_dynamic)
        for element in ("f16", "bf16"):
            yield Case(f"{element}_rows_{suffix}", sizes, ["mn", "m"], WIDER, element=element)
            yield Case(f"{element}_columns_{suffix}", sizes, ["mn", "0n"], WIDER, element=element)
        yield Case(f"f64_rows_{suffix}", sizes, ["mn", "m0"], "%t = arith.addf %x0, %zero : f64", element="f64", total="f64")
        yield Case(f"f64_columns_{suffix}", sizes, ["mn", "n"], "%t = arith.addf %x0, %zero : f64", element="f64", total="f64")
        yield Case(f"chain_rows_{suffix}", sizes, ["mn", "m"], CHAIN, lambda x: x + x * x)
        yield Case(f"chain_columns_{suffix}", sizes, ["mn", "n"], CHAIN, lambda x: x + x * x)
        yield Case(f"minus_{suffix}", sizes, ["mn", "m"], MINUS, lambda x: -x)
        for name, result in (("rows", "m"), ("columns", "0n"), ("all", "")):
            yield Case(f"fused_{name}_{suffix}", sizes, ["mn", result], FUSED, lambda x: x * x)
            yield Case(f"masked_{name}_{suffix}", sizes, ["mn", result], MASKED, lambda x: x if x < 0.25 else 0.0)
        for name, result in (("rows", "m"), ("columns", "n")):
            yield Case(f"pair_{name}_{suffix}", sizes, ["mn", result], text=PAIR.replace("RESULT", result).replace("KINDS", '"parallel", "reduction"' if result == "m" else '"reduction", "parallel"'))
        yield Case(f"reduce_{suffix}", sizes, ["mn", "n"], text="%r = linalg.reduce {arith.addf} ins(%a0 : A) outs(%f : S) dimensions = [0]")
    yield from boxes(count)
    yield from pools(count)
    yield from products(count)


def boxes(count):
    third = max(3, count // 21)
    for name, sizes in (("thin", {"l": 3, "m": third, "n": 7}), ("deep", {"l": third, "m": 7, "n": 3}), ("wide", {"l": 7, "m": 3, "n": third})):
        for result in ("", "l", "m", "n", "lm", "mn", "ln", "l0n", "0m0", "l00", "nl", "n0l"):
            for is_dynamic in (False, True):
                yield Case(f"box_{name}_{result}", sizes, ["lmn", result], is_dynamic=is_dynamic)


def pools(count):
    """Windows as large as the image, with channels first and last."""
    side = math.isqrt(count // 3)
    strides = "{strides = dense<1> : tensor<2xi64>, dilations = dense<1> : tensor<2xi64>}"
    for name, maps in (("nchw", ("bcyx", "bc00")), ("nhwc", ("byxc", "b00c"))):
        text = f"%w = tensor.empty() : tensor<{side}x{side}xf32>\n  %r = linalg.pooling_{name}_sum {strides} ins(%a0, %w : A, tensor<{side}x{side}xf32>) outs(%f : S) -> S"
        yield Case(f"pool_{name}_{count}", {"b": 1, "c": 3, "y": side, "x": side}, list(maps), text=text)


def products(count):
    yield Case(f"gather_{count}", {"m": count}, ["m", ""], GATHER)
    for rows, columns in ((1, 1), (1, 5), (5, 1), (1, 40), (40, 1), (7, 9), (16, 48)):
        if rows * columns * count > 10**9:
            continue
        sizes, suffix = {"m": rows, "n": columns, "k": count // max(rows, columns)}, f"{rows}x{columns}_{count}"
        for is_dynamic in (False, True):
            yield Case(f"product_{suffix}", sizes, ["mk", "kn", "mn"], PRODUCT, lambda x, y: x * y, is_dynamic=is_dynamic)
            yield Case(f"transposed_{suffix}", sizes, ["mk", "nk", "mn"], PRODUCT, lambda x, y: x * y, is_dynamic=is_dynamic)


def run(options, count, cases, folder, runtime):
    source, target = (os.path.join(folder, f"sums{count}{suffix}") for suffix in (".mlir", ".so"))
    with open(source, "w") as file:
        file.writelines(case.function() for case in cases)
    rules = f'--rules={{default: "{options.device}"}}'
    subprocess.run([os.path.join(options.bin, "hetero-compile"), source, rules, "--cubins=false", *options.flag, "-o", target], check=True)
    library, wrong = ctypes.CDLL(target), 0
    for kind in options.data:
        errors = {case.name: case.check(library, runtime, kind, options.places) for case in cases}
        worst = max(errors, key=errors.get)
        print(f"{count} elements, {kind}: {len(errors)} sums, error at most {errors[worst]:.1e} ({worst})", flush=True)
        for case in cases:
            if errors[case.name] > case.limit(options.device, kind):
                print(f"  {case.name}: {errors[case.name]:.2e}")
                wrong += 1
    return wrong


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("bin")
    parser.add_argument("lib")
    parser.add_argument("device")
    parser.add_argument("--sizes", type=int, nargs="+", default=[1000, 30000, 1000000])
    parser.add_argument("--data", nargs="+", default=["uniform", "normal", "alternating", "constant"])
    parser.add_argument("--only", default="", help="the cases whose names begin so")
    parser.add_argument("--every", type=int, default=1, help="every how many of the cases; all with HETERO_FULL_TESTS=1")
    parser.add_argument("--places", type=int, default=6, help="results of each case that are compared")
    parser.add_argument("--flag", action="append", default=[], help="of hetero-compile")
    options = parser.parse_args()
    every = 1 if os.environ.get("HETERO_FULL_TESTS") else options.every
    runtime = ctypes.CDLL(os.path.join(options.lib, "libhetero_runtime.so"), mode=ctypes.RTLD_GLOBAL)
    runtime.heteroLastError.restype = ctypes.c_char_p
    wrong = 0
    with tempfile.TemporaryDirectory() as folder:
        for count in options.sizes:
            cases = [case for case in sums(count) if case.name.startswith(options.only)][::every]
            wrong += run(options, count, cases, folder, runtime)
    print(f"{wrong} sums are wrong")
    return wrong != 0


if __name__ == "__main__":
    sys.exit(main())
