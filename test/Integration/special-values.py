#!/usr/bin/env python3
"""Runs minima, maxima and conversions to integers on infinities, NaN, zeros of both
signs and numbers that do not fit, elementwise and in reductions, and compares the
results' bits with their definition (docs/Rationale.md).

  special-values.py [--all] [OPTION OF hetero-run...]

Without --all, some types and lengths are left out, most of the time of the whole.
"""

import itertools
import os
import subprocess
import sys
import tempfile

import numpy as np

INF, NAN = np.inf, np.nan
# Type, largest number, has an infinity, has a NaN, has a negative zero. All but the
# first two reach the program as f32.
TYPES = {
    "f32": (3.4028234663852886e38, True, True),
    "f64": (1.7976931348623157e308, True, True),
    "f16": (65504.0, True, True),
    "bf16": (3.3895313892515355e38, True, True),
    "f8E4M3FN": (448.0, False, True),
    "f8E5M2": (57344.0, True, True),
    "f8E4M3": (240.0, True, True),
    "f8E3M4": (15.5, True, True),
    "f8E4M3FNUZ": (240.0, False, False),
    "f8E5M2FNUZ": (57344.0, False, False),
    "f8E4M3B11FNUZ": (30.0, False, False),
}
INTEGERS = {"i1": 1, "i8": 8, "i16": 16, "i32": 32, "i64": 64}
LENGTHS = [1, 3, 8, 15, 17, 33, 100]
FEW_TYPES, FEW_LENGTHS = ["f32", "f16", "bf16", "f8E4M3FN", "f8E4M3B11FNUZ"], [3, 17, 33]
EXTREMES = {"maximumf": (True, False), "minimumf": (False, False), "maxnumf": (True, True), "minnumf": (False, True)}
# Bounds that one operand of an extreme may have.
CONSTANTS = [0.0, -0.0, 1.5, -2.0]


def numbers_of(kind):
    """The special numbers of a type."""
    largest, has_infinity, has_negative_zero = TYPES[kind]
    numbers = [0.0, NAN, 1.0, -1.0, 0.5, -1.5, 3.0, largest, -largest, largest / 2]
    numbers += [INF, -INF] if has_infinity else []
    numbers += [-0.0] if has_negative_zero else []
    for width in (1, 7, 8, 15, 16, 31, 32, 63, 64):
        for near in (2.0**width, 2.0**width - 1, 2.0**width * (1 - 2.0**-11)):
            if near <= largest and (kind in ("f32", "f64") or kind == "f16" and float(np.float16(near)) == near):
                numbers += [near, -near, near + 0.5 if kind == "f64" else -near / 2]
    return np.array(numbers, np.float64 if kind == "f64" else np.float32)


def extreme(op, a, b):
    """The definition: -0 is less than +0, and NaN wins or loses."""
    largest, prefers_numbers = EXTREMES[op]
    a, b = np.broadcast_arrays(a, b)
    takes_a = np.where(a == b, np.signbit(a) != largest, (a > b) == largest)
    result = np.where(takes_a, a, b)
    if prefers_numbers:
        return np.where(np.isnan(a), b, np.where(np.isnan(b), a, result))
    return np.where(np.isnan(a) | np.isnan(b), NAN, result).astype(a.dtype)


def saturate(numbers, width, signed):
    """The definition: the nearest integer of those that there are, 0 for NaN; signed, the low bits of 32 at least."""
    bits = max(width, 32) if signed else width
    low, high = (-(2 ** (bits - 1)), 2 ** (bits - 1) - 1) if signed else (0, 2**width - 1)

    def convert(number):
        if np.isnan(number):
            return 0
        return low if number <= low else high if number >= high else int(number)

    integers = [convert(float(number)) for number in numbers]
    if width == 1:
        return np.array([integer % 2 != 0 for integer in integers])
    dtype = getattr(np, f"uint{width}")
    return np.array([integer % 2**width for integer in integers], dtype).view(getattr(np, f"int{width}"))


class Program:
    """A function, its arguments and what it must return."""

    def __init__(self):
        self.arguments, self.body, self.results, self.expected = [], [], [], []

    def add(self, line):
        self.body.append(f"  {line}")
        return line.split(" = ")[0]

    def name(self):
        return f"%v{len(self.body)}"

    def argument(self, array, kind):
        """The array as a tensor of the type; returns its name and type."""
        outer = "f64" if kind == "f64" else "f32"
        shape = "".join(f"{size}x" for size in array.shape)
        name = f"%a{len(self.arguments)}"
        self.arguments.append((name, f"tensor<{shape}{outer}>", array))
        type = f"tensor<{shape}{kind}>"
        if kind == outer:
            return name, type
        return self.add(f"{self.name()} = arith.truncf {name} : tensor<{shape}{outer}> to {type}"), type

    def result(self, name, type, expected, text):
        outer = type.replace(f"{type[7:-1].split('x')[-1]}>", "f32>")
        if "f" in type and type != outer and "f64" not in type:
            name = self.add(f"{self.name()} = arith.extf {name} : {type} to {outer}")
            type = outer
        self.results.append((name, type))
        self.expected.append((text, expected))

    def text(self):
        arguments = ", ".join(f"{name}: {type}" for name, type, _ in self.arguments)
        types = ", ".join(type for _, type in self.results)
        names = ", ".join(name for name, _ in self.results)
        body = "\n".join(self.body)
        return f"func.func @main({arguments}) -> ({types}) {{\n{body}\n  return {names} : {types}\n}}\n"


def add_elementwise(program, kind):
    numbers = numbers_of(kind)
    few = numbers[: 13 if kind in ("f32", "f64", "f16") else None]
    a, b = (np.array(side, numbers.dtype) for side in zip(*itertools.product(few, few)))
    (left, type), (right, _) = program.argument(a, kind), program.argument(b, kind)
    for op in EXTREMES:
        name = program.add(f"{program.name()} = arith.{op} {left}, {right} : {type}")
        program.result(name, type, extreme(op, a, b), f"{op} of {kind}")
        for bound in CONSTANTS:
            if bound == 0 and np.signbit(bound) and not TYPES[kind][2]:
                continue
            constant = program.add(f"{program.name()} = arith.constant dense<{bound}> : {type}")
            name = program.add(f"{program.name()} = arith.{op} {left}, {constant} : {type}")
            program.result(name, type, extreme(op, a, np.array(bound, a.dtype)), f"{op} of {kind} with {bound}")
    name, type = program.argument(numbers, kind)
    for (to, width), signed in itertools.product(INTEGERS.items(), (True, False)):
        op = "fptosi" if signed else "fptoui"
        integers = f"tensor<{len(numbers)}x{to}>"
        converted = program.add(f"{program.name()} = arith.{op} {name} : {type} to {integers}")
        program.result(converted, integers, saturate(numbers, width, signed), f"{op} of {kind} to {to}")


def add_reductions(program, kind, lengths, random):
    """Along rows, along columns, and of all elements."""
    numbers = numbers_of(kind)
    limit = "inf" if TYPES[kind][1] else "largest"
    for length in lengths:
        # Few rows have a NaN, some only zeros, some only NaN.
        few = numbers[~np.isnan(numbers)]
        rows = [random.choice(few, length), random.choice(numbers, length), np.full(length, NAN, numbers.dtype)]
        rows += [random.choice(few[few == 0], length) for _ in range(4)]
        rows = np.array(rows, numbers.dtype)
        for array, axes, text in ((rows, 1, "rows"), (rows.T.copy(), 0, "columns"), (rows[3], 0, "all")):
            tensor, type = program.argument(array, kind)
            shape = "".join(f"{size}x" for size in np.delete(array.shape, axes))
            result = f"tensor<{shape}{kind}>"
            for op, (largest, _) in EXTREMES.items():
                start = -INF if limit == "inf" else -TYPES[kind][0]
                start = start if largest else -start
                outer = "f64" if kind == "f64" else "f32"
                bits = np.array(start, numbers.dtype).view(np.uint64 if kind == "f64" else np.uint32)
                scalar = program.add(f"{program.name()} = arith.constant 0x{int(bits):X} : {outer}")
                if kind != outer:
                    scalar = program.add(f"{program.name()} = arith.truncf {scalar} : {outer} to {kind}")
                empty = program.add(f"{program.name()} = tensor.empty() : {result}")
                fill = f"linalg.fill ins({scalar} : {kind}) outs({empty} : {result}) -> {result}"
                fill = program.add(f"{program.name()} = {fill}")
                reduce = f"linalg.reduce {{ arith.{op} }} ins({tensor} : {type}) outs({fill} : {result})"
                name = program.add(f"{program.name()} = {reduce} dimensions = [{axes}]")
                expected = np.full(np.delete(array.shape, axes), start, numbers.dtype)
                for part in np.moveaxis(array, axes, 0):
                    expected = extreme(op, expected, part)
                program.result(name, result, expected, f"{op} of {length} {kind} along {text}")


def differing(got, expected):
    """The places whose bits differ, but for those of NaN."""
    if expected.dtype.kind != "f":
        return got != expected
    integer = f"uint{8 * expected.dtype.itemsize}"
    same = got.view(integer) == expected.astype(got.dtype).reshape(got.shape).view(integer)
    return ~(same | (np.isnan(got) & np.isnan(expected.reshape(got.shape))))


def main():
    random = np.random.default_rng(1)
    program = Program()
    everything = "--all" in sys.argv
    options = [option for option in sys.argv[1:] if option != "--all"]
    for kind in TYPES if everything else FEW_TYPES:
        add_elementwise(program, kind)
        add_reductions(program, kind, LENGTHS if everything else FEW_LENGTHS, random)
    wrong = 0
    with tempfile.TemporaryDirectory() as folder:
        source = os.path.join(folder, "main.mlir")
        with open(source, "w") as file:
            file.write(program.text())
        command = ["hetero-run", source, *options]
        for index, (_, _, array) in enumerate(program.arguments):
            np.save(os.path.join(folder, f"in{index}.npy"), array)
            command.append(f"--input=@{folder}/in{index}.npy")
        command += [f"--output={folder}/out{index}.npy" for index in range(len(program.results))]
        done = subprocess.run(command, capture_output=True, text=True)
        if done.returncode:
            sys.exit(done.stderr)
        for index, (text, expected) in enumerate(program.expected):
            got = np.load(os.path.join(folder, f"out{index}.npy"))
            places = differing(got, expected)
            if places.any():
                wrong += 1
                print(f"{text}: {got[places].flatten()[:4]}, expected {expected.reshape(got.shape)[places].flatten()[:4]}")
    print(f"{len(program.expected)} results, {wrong} wrong")
    sys.exit(wrong != 0)


if __name__ == "__main__":
    main()
