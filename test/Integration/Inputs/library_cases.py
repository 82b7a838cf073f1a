"""Calls the entry points of a compiled program with values as hetero-run takes
them: 2x3xf32=1, 4xi32=1,2,3,4, 4xf32=iota, i32=3; xi32=3 is a tensor of rank 0."""

import ctypes
import math
import os
import re
import subprocess

from hetero_abi import SCALAR, TYPES, HeteroValue, describe
from number_formats import decode, encode

# How far results of floats may be from what was expected.
TOLERANCE = {"f16": 2e-3, "bf16": 2e-2, "f32": 1e-5, "f64": 1e-12}


class Value:
    """A value that a case names."""

    def __init__(self, text):
        kind, _, numbers = text.partition("=")
        sizes, self.element = re.fullmatch(r"((?:\d*x)*)(\w+)", kind).groups()
        self.text = text
        self.is_scalar = not sizes
        self.shape = [int(size) for size in sizes.split("x") if size]
        count = math.prod(self.shape)
        number = float if self.element in TOLERANCE else int
        given = range(count) if numbers == "iota" else list(map(number, filter(None, numbers.split(","))))
        self.numbers = list(given) * count if len(given) == 1 else list(given)
        if len(self.numbers) != count:
            raise SystemExit(f"{len(self.numbers)} numbers in '{text}'")
        self.numbers = [number(n) for n in self.numbers]
        self.data = encode(self.element, self.numbers)

    def describe(self):
        value = describe(ctypes.addressof(self.data), self.shape, self.element)
        if self.is_scalar:
            value.rank = SCALAR
            value.scalar = int.from_bytes(self.data.raw, "little")
        return value

    def differs(self, numbers):
        """Where the numbers are not those of this value, or None."""
        for index, (got, want) in enumerate(zip(numbers, self.numbers)):
            error = TOLERANCE.get(self.element, 0)
            if got != want and not abs(got - want) <= error * max(1, abs(want)) and not (got != got and want != want):
                return f"{got} at {index}, expected {want}"
        return None


class Library:
    """A program, compiled for one placement."""

    def __init__(self, tool, program, rules, folder):
        target = os.path.join(folder, f"{len(os.listdir(folder))}.so")
        command = [tool, "-", *rules, "--processors=native", "-o", target]
        done = subprocess.run(command, input=program, capture_output=True, text=True)
        self.error = done.stderr if done.returncode else ""
        if done.returncode == 0:
            self.library = ctypes.CDLL(target)

    def call(self, runtime, entry, inputs, expected):
        """What is wrong, or nothing."""
        results = (HeteroValue * len(expected))()
        arguments = (HeteroValue * len(inputs))(*(value.describe() for value in inputs))
        if getattr(self.library, entry)(arguments, len(inputs), results, len(expected)):
            return runtime.heteroLastError().decode()
        wrong = [self.compare(result, want) for result, want in zip(results, expected)]
        for result in results:
            runtime.heteroReleaseValue(ctypes.byref(result))
        return "; ".join(filter(None, wrong))

    @staticmethod
    def compare(result, want):
        names = {number: name for name, number in TYPES.items()}
        element = names[result.type]
        if result.rank == SCALAR:
            size = 8 if element == "index" else ctypes.sizeof(ctypes.c_uint64)
            data = ctypes.create_string_buffer(result.scalar.to_bytes(size, "little"))
            shape, address = [], ctypes.addressof(data)
        else:
            shape, address = list(result.sizes[: result.rank]), result.data
        if shape != want.shape or element != want.element:
            return f"a result of {shape} of {element}, expected '{want.text}'"
        return want.differs(decode(element, address, math.prod(shape)) if math.prod(shape) else [])


def load_runtime(folder):
    os.environ.setdefault("HETERO_CUDA_DRIVER", "emulator")
    runtime = ctypes.CDLL(os.path.join(folder, "libhetero_runtime.so"), mode=ctypes.RTLD_GLOBAL)
    runtime.heteroLastError.restype = ctypes.c_char_p
    return runtime
