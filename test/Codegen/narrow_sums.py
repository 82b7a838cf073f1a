#!/usr/bin/env python3
"""Compiles contractions, convolutions and sums of a narrow float for the CPU and for a
GPU, and compares all results, to the bit, with exact sums that are rounded once. The
numbers are integers whose sums an f32 holds and the narrow type does not.

  narrow_sums.py BIN LIB bf16 cpu
  narrow_sums.py BIN LIB f16 gpu:0 --only matmul
"""

import argparse
import ctypes
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
from number_formats import decode, encode  # noqa: E402


def round_to(element, value):
    """To the nearest, of two the even one."""
    if element == "f16":
        return struct.unpack("<e", struct.pack("<e", value))[0]
    bits = struct.unpack("<I", struct.pack("<f", value))[0]
    bits += 0x7FFF + (bits >> 16 & 1)
    return struct.unpack("<f", struct.pack("<I", bits & 0xFFFF0000))[0]


class Case:
    """A sum over `reductions`: `places` yields what is multiplied at each point.
    `body` has the operations, with S for the result's type and D1, D2 for the others'."""

    def __init__(self, name, body, shapes, result, reductions, places, limit=3, start=0, finish=None, is_dynamic=False):
        self.name, self.body, self.shapes, self.result = name, body, shapes, list(result)
        self.reductions, self.places, self.start, self.is_dynamic = reductions, places, start, is_dynamic
        self.finish = finish or (lambda total, value: total)
        generator = random.Random(name)
        self.values = [[generator.randrange(limit + 1) for _ in range(math.prod(shape))] for shape in shapes]

    def function(self, element):
        def spell(shape):
            return f"tensor<{''.join(('?' if self.is_dynamic else str(size)) + 'x' for size in shape)}{element}>"

        text = self.body
        for i, shape in enumerate(self.shapes):
            text = text.replace(f"D{i}", spell(shape))
        text = text.replace("S", spell(self.result)).replace("E", element)
        types = [spell(shape) for shape in self.shapes] + [spell(self.result)]
        arguments = ", ".join(f"%x{i}: {type}" for i, type in enumerate(types))
        # A destination that is filled, or one that holds something.
        fill = f"%f = linalg.fill ins(%start : {element}) outs(%x{len(self.shapes)} : {types[-1]}) -> {types[-1]}"
        if self.start is None:
            fill, text = "", text.replace("%f", f"%x{len(self.shapes)}")
        return f"""func.func @{self.name}({arguments}) -> {types[-1]} {{
  %start = arith.constant {self.start or 0}.0 : {element}
  {fill}
  {text}
  return %r : {types[-1]}
}}
"""

    def expect(self, element, at):
        def load(operand, place):
            index = 0
            for size, position in zip(self.shapes[operand], place):
                index = index * size + position
            return self.values[operand][index]

        total = 100 if self.start is None else self.start
        for point in itertools.product(*map(range, self.reductions)):
            total += math.prod(load(min(i, len(self.shapes) - 1), place) for i, place in enumerate(self.places(at, point)))
        return self.finish(round_to(element, total), lambda operand: load(operand, at))

    def check(self, element, library, runtime):
        shapes = self.shapes + [self.result]
        data = [encode(element, values) for values in self.values + [[100] * math.prod(self.result)]]
        values = (HeteroValue * len(data))(*(describe(ctypes.addressof(d), shape, element) for d, shape in zip(data, shapes)))
        result = HeteroValue()
        if getattr(library, self.name)(values, len(data), ctypes.byref(result), 1):
            sys.exit(f"{self.name}: {runtime.heteroLastError().decode()}")
        count = math.prod(self.result)
        got = decode(element, result.data, count)
        runtime.heteroReleaseValue(ctypes.byref(result))
        for value, at in zip(got, itertools.product(*map(range, self.result))):
            if value != (want := self.expect(element, at)):
                sys.exit(f"{element} {self.name}: {value} at {at}, expected {want}")
        return count


def generic(maps, iterators, body, inputs, results="S"):
    letters = ", ".join(sorted(set("".join(maps))))
    maps = ", ".join(f"affine_map<({letters}) -> ({', '.join(text)})>" for text in maps)
    iterators = ", ".join('"reduction"' if kind == "r" else '"parallel"' for kind in iterators)
    operands = f"ins({', '.join(f'%x{i}' for i in range(inputs))} : {', '.join(f'D{i}' for i in range(inputs))})"
    return f"%s = linalg.generic {{indexing_maps = [{maps}], iterator_types = [{iterators}]}} {operands} outs(%f : {results}) {{\n{body} }} -> {results}"


MULTIPLY = """^bb0(%a: E, %b: E, %o: E):
    %p = arith.mulf %a, %b : E
    %y = arith.addf %o, %p : E
    linalg.yield %y : E"""
SQUARE = """^bb0(%a: E, %o: E):
    %p = arith.mulf %a, %a : E
    %y = arith.addf %p, %o : E
    linalg.yield %y : E"""
ADD = "^bb0(%a: E, %o: E):\n    %y = arith.addf %a, %o : E\n    linalg.yield %y : E"


def named(name, result="%r", attributes=""):
    return f"{result} = linalg.{name} {attributes} ins(%x0, %x1 : D0, D1) outs(%f : S) -> S"


def product(name, m, k, n, body=None, **options):
    return Case(name, body or named("matmul"), [(m, k), (k, n)], (m, n), [k], lambda at, r: [(at[0], *r), (*r, at[1])], **options)


def products():
    for i, (m, k, n) in enumerate([(4, 512, 4), (17, 515, 21), (1, 600, 33), (33, 600, 1), (9, 4099, 8)]):
        for is_dynamic in (False, True):
            suffix = f"{i}{'d' * is_dynamic}"
            yield product(f"matmul{suffix}", m, k, n, is_dynamic=is_dynamic)
            yield product(f"onto{suffix}", m, k, n, start=None, is_dynamic=is_dynamic)
            transposed = generic(["mk", "nk", "mn"], "rpp", MULTIPLY, 2).replace("%s", "%r")
            yield Case(f"transposed{suffix}", transposed, [(m, k), (n, k)], (m, n), [k], lambda at, r: [(at[0], *r), (at[1], *r)], is_dynamic=is_dynamic)
    relu = "\n  %r = linalg.max ins(%s, %x2 : S, S) outs(%x2 : S) -> S"
    yield product("relu", 24, 515, 24, named("matmul", "%s") + relu, start=-1)
    yield Case("batched", named("batch_matmul"), [(2, 16, 514), (2, 514, 9)], (2, 16, 9), [514], lambda at, r: [(*at[:2], *r), (at[0], *r, at[2])])
    yield Case("matvec", named("matvec"), [(35, 700), (700,)], (35,), [700], lambda at, r: [(*at, *r), r])
    yield Case("vecmat", named("vecmat"), [(700,), (700, 35)], (35,), [700], lambda at, r: [r, (*r, *at)])
    yield Case("dot", named("dot"), [(3001,), (3001,)], (), [3001], lambda at, r: [r, r])
    tiles = lambda at, r: [(at[0], r[0], at[2], r[1]), (at[1], r[0], at[3], r[1])]  # noqa: E731
    yield Case("tiles", named("mmt4d"), [(2, 60, 4, 9), (3, 60, 4, 9)], (2, 3, 4, 4), [60, 9], tiles)
    yield Case("thrice", generic(["k", "k", "k", ""], "r", """^bb0(%a: E, %b: E, %c: E, %o: E):
    %p = arith.mulf %a, %b : E
    %q = arith.mulf %p, %c : E
    %y = arith.addf %o, %q : E
    linalg.yield %y : E""", 3).replace("%s", "%r"), [(900,)] * 3, (), [900], lambda at, r: [r] * 3)


def convolutions():
    strides = "{strides = dense<1> : tensor<2xi64>, dilations = dense<1> : tensor<2xi64>}"
    for is_dynamic in (False, True):
        d = "d" * is_dynamic

        def case(name, op, shapes, result, reductions, places, limit=3):
            return Case(name + d, named(op, attributes=strides), shapes, result, reductions, places, limit, is_dynamic=is_dynamic)

        yield case("nhwc", "conv_2d_nhwc_hwcf", [(1, 4, 8, 60), (3, 3, 60, 9)], (1, 2, 6, 9), [3, 3, 60], lambda at, r: [(at[0], at[1] + r[0], at[2] + r[1], r[2]), (*r, at[3])])
        yield case("nchw", "conv_2d_nchw_fchw", [(1, 60, 4, 8), (9, 60, 3, 3)], (1, 9, 2, 6), [60, 3, 3], lambda at, r: [(at[0], r[0], at[2] + r[1], at[3] + r[2]), (at[1], *r)])
        yield case("depthwise", "depthwise_conv_2d_nhwc_hwc", [(1, 6, 8, 33), (5, 5, 33)], (1, 2, 4, 33), [5, 5], lambda at, r: [(at[0], at[1] + r[0], at[2] + r[1], at[3]), (*r, at[3])], 31)
        yield Case("pool" + d, named("pooling_nchw_sum", attributes=strides), [(1, 3, 8, 23), (7, 7)], (1, 3, 2, 17), [7, 7], lambda at, r: [(*at[:2], at[2] + r[0], at[3] + r[1])], 200, is_dynamic=is_dynamic)
        yield Case("pool_last" + d, named("pooling_nhwc_sum", attributes=strides), [(1, 8, 9, 19), (7, 7)], (1, 2, 3, 19), [7, 7], lambda at, r: [(at[0], at[1] + r[0], at[2] + r[1], at[3])], 200, is_dynamic=is_dynamic)
    line = "{strides = dense<1> : tensor<1xi64>, dilations = dense<1> : tensor<1xi64>}"
    yield Case("nwc", named("conv_1d_nwc_wcf", attributes=line), [(2, 12, 100), (4, 100, 9)], (2, 9, 9), [4, 100], lambda at, r: [(at[0], at[1] + r[0], r[1]), (*r, at[2])])


def sums():
    for i, (rows, columns) in enumerate([(3, 700), (40, 515), (9, 2500), (600, 3), (1, 1)]):
        for is_dynamic in (False, True):
            suffix = f"{i}{'d' * is_dynamic}"
            shapes, options = [(rows, columns)], {"is_dynamic": is_dynamic}
            row = lambda at, r: [(*at, *r)]  # noqa: E731
            column = lambda at, r: [(*r, *at)]  # noqa: E731
            yield Case(f"rows{suffix}", generic(["mn", "m"], "pr", ADD, 1).replace("%s", "%r"), shapes, (rows,), [columns], row, **options)
            yield Case(f"columns{suffix}", generic(["mn", "n"], "rp", ADD, 1).replace("%s", "%r"), shapes, (columns,), [rows], column, **options)
            yield Case(f"all{suffix}", generic(["mn", ""], "rr", ADD, 1).replace("%s", "%r"), shapes, (), [rows, columns], row, 1, start=None, **options)
            squares = generic(["mn", "m"], "pr", SQUARE, 1).replace("%s", "%r")
            yield Case(f"squares{suffix}", squares, shapes, (rows,), [columns], lambda at, r: [(*at, *r), (*at, *r)], start=None, **options)
    # So many that several blocks share a sum.
    yield Case("parts", generic(["m", ""], "r", ADD, 1).replace("%s", "%r"), [(40003,)], (), [40003], lambda at, r: [r], 1, start=7)
    reduce = "%r = linalg.reduce {arith.addf} ins(%x0 : D0) outs(%f : S) dimensions = [1]"
    yield Case("reduce", reduce, [(33, 800)], (33,), [800], lambda at, r: [(*at, *r)])
    # With what comes before and after.
    ones = "%e = linalg.exp ins(%x0 : D0) outs(%x0 : D0) -> D0\n  %r = linalg.reduce {arith.addf} ins(%e : D0) outs(%f : S) dimensions = [1]"
    yield Case("exponentials", ones, [(40, 900)], (40,), [900], lambda at, r: [], 0)
    halved = """%s = linalg.reduce {arith.addf} ins(%x0 : D0) outs(%f : S) dimensions = [1]
  %h = arith.constant dense<0.5> : S
  %r = linalg.mul ins(%s, %h : S, S) outs(%x1 : S) -> S"""
    yield Case("halved", halved, [(40, 900)], (40,), [900], lambda at, r: [(*at, *r)], finish=lambda total, value: total / 2)
    pair = """%p = linalg.mul ins(%x0, %x0 : D0, D0) outs(%x0 : D0) -> D0
  %q:2 = linalg.generic {indexing_maps = [affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (m)>, affine_map<(m, n) -> (m)>],
      iterator_types = ["parallel", "reduction"]} ins(%p : D0) outs(%f, %f : S, S) {
  ^bb0(%a: E, %o: E, %m: E):
    %y = arith.addf %o, %a : E
    %z = arith.maximumf %m, %a : E
    linalg.yield %y, %z : E, E
  } -> (S, S)
  %r = linalg.max ins(%q#0, %q#1 : S, S) outs(%x1 : S) -> S"""
    yield Case("pair", pair, [(40, 900)], (40,), [900], lambda at, r: [(*at, *r)] * 2)
    # Each step's result is narrow in the program.
    stepwise = """%r = linalg.generic {indexing_maps = [affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (m)>],
      iterator_types = ["parallel", "reduction"]} ins(%x0 : D0) outs(%f : S) {
  ^bb0(%a: E, %o: E):
    %w = arith.extf %a : E to f32
    %v = arith.extf %o : E to f32
    %y = arith.addf %v, %w : f32
    %z = arith.truncf %y : f32 to E
    linalg.yield %z : E
  } -> S"""
    yield Case("stepwise", stepwise, [(40, 900)], (40,), [900], lambda at, r: [(*at, *r)])
    # What follows reads the sum as the program has it: rounded.
    spread = """%i = tensor.empty() : R
  %g = linalg.fill ins(%start : E) outs(%i : R) -> R
  %s = linalg.reduce {arith.addf} ins(%x0 : D0) outs(%g : R) dimensions = [1]
  %r = linalg.generic {indexing_maps = [affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (m)>, affine_map<(m, n) -> (m, n)>],
      iterator_types = ["parallel", "parallel"]} ins(%x0, %s : D0, R) outs(%x1 : S) {
  ^bb0(%a: E, %b: E, %o: E):
    %y = arith.subf %b, %a : E
    linalg.yield %y : E
  } -> S""".replace("R", "tensor<6xE>")
    yield Case("spread", spread, [(6, 400)], (6, 400), [400], lambda at, r: [(at[0], *r)], 1, finish=lambda total, value: total - value(0))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("bin")
    parser.add_argument("lib")
    parser.add_argument("element", choices=["f16", "bf16"])
    parser.add_argument("device")
    parser.add_argument("--only", default="", help="the cases whose names begin so")
    parser.add_argument("--every", type=int, default=1, help="every how many of the cases; all with HETERO_FULL_TESTS=1")
    parser.add_argument("--flag", action="append", default=[], help="of hetero-compile")
    options = parser.parse_args()
    every = 1 if os.environ.get("HETERO_FULL_TESTS") else options.every
    cases = [case for case in itertools.chain(products(), convolutions(), sums()) if case.name.startswith(options.only)][::every]
    runtime = ctypes.CDLL(os.path.join(options.lib, "libhetero_runtime.so"), mode=ctypes.RTLD_GLOBAL)
    runtime.heteroLastError.restype = ctypes.c_char_p
    with tempfile.TemporaryDirectory() as folder:
        source, target = os.path.join(folder, "sums.mlir"), os.path.join(folder, "sums.so")
        with open(source, "w") as file:
            file.writelines(case.function(options.element) for case in cases)
        rules = f'--rules={{default: "{options.device}"}}'
        subprocess.run([os.path.join(options.bin, "hetero-compile"), source, rules, "--cubins=false", *options.flag, "-o", target], check=True)
        library = ctypes.CDLL(target)
        count = sum(case.check(options.element, library, runtime) for case in cases)
    print(f"{options.element} on {options.device}: {len(cases)} cases, {count} results")


if __name__ == "__main__":
    sys.exit(main())
