#!/usr/bin/env python3
"""Compares the arenas of random graphs and of the examples with the most bytes
that live at once, which no arena can be below. Those are counted here, from the
allocations and frees of the same schedule without arenas. Prints a table.

  benchmarks/memory/run.py
  benchmarks/memory/run.py --programs 20
"""

import argparse
import glob
import math
import os
import random
import re
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
ROWS = 8
BYTES = {"f64": 8, "i64": 8, "index": 8, "f32": 4, "i32": 4, "f16": 2, "bf16": 2, "i16": 2, "i8": 1, "i1": 1}
ALLOC = re.compile(r"(%\S+) = memref\.alloc\(\).* : memref<([^>,]+?)(?:, (#hetero\.device<[^>]*>))?>$")
FREE = re.compile(r"memref\.dealloc (%\S+) :")


class Graph:
    """A random graph of products, sums and elementwise operations on tensors of
    ROWS rows and random widths, most of them on one gpu."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.arguments, self.lines, self.count = [], [], 0

    def name(self):
        self.count += 1
        return f"%v{self.count}"

    def argument(self, shape):
        name = f"%a{len(self.arguments)}"
        self.arguments.append(f"{name}: tensor<{shape}xf32>")
        return name

    def device(self):
        choice = self.random.random()
        return "gpu:0" if choice < 0.8 else "gpu:1" if choice < 0.9 else "cpu:0"

    def pin(self):
        return f"{{hetero.device = #hetero.device<{self.device()}>}}"

    def product(self, value, width, total):
        """total + value * weights."""
        (name, old), result = value, self.name()
        weights = self.argument(f"{old}x{width}")
        types = f"tensor<{ROWS}x{old}xf32>, tensor<{old}x{width}xf32>"
        out = f"tensor<{ROWS}x{width}xf32>"
        self.lines.append(f"{result} = linalg.matmul {self.pin()} ins({name}, {weights} : {types}) outs({total} : {out}) -> {out}")
        return result

    def zeros(self, width):
        zeros, type = self.name(), f"tensor<{ROWS}x{width}xf32>"
        self.lines.append(f"{zeros} = arith.constant dense<0.0> : {type}")
        return zeros

    def step(self, values):
        recent = values[-6:]
        value = self.random.choice(recent)
        kind = self.random.random()
        if kind < 0.3:
            type = f"tensor<{ROWS}x{value[1]}xf32>"
            empty, result = self.name(), self.name()
            self.lines.append(f"{empty} = tensor.empty() : {type}")
            self.lines.append(f"{result} = linalg.exp {self.pin()} ins({value[0]} : {type}) outs({empty} : {type}) -> {type}")
            return result, value[1]
        width = self.random.choice([16, 64, 100, 256, 1000])
        result = self.product(value, width, self.zeros(width))
        if kind < 0.7:
            result = self.product(self.random.choice(recent), width, result)
        return result, width

    def text(self):
        values = [(self.argument(f"{ROWS}x64"), 64)]
        for _ in range(self.random.randrange(5, 40)):
            values.append(self.step(values))
        name, width = values[-1]
        result = f"tensor<{ROWS}x{width}xf32>"
        body = "\n  ".join(self.lines)
        return f"func.func @main({', '.join(self.arguments)}) -> {result} {{\n  {body}\n  return {name} : {result}\n}}\n"


def compile(tool, source, *options):
    done = subprocess.run([tool, *options], input=source, capture_output=True, text=True)
    if done.returncode:
        raise RuntimeError(f"{tool} {' '.join(options)}: {done.stderr}")
    return done.stdout


def count_bytes(shape):
    *sizes, element = shape.split("x")
    return math.prod(int(size) for size in sizes) * BYTES[element]


def walk(text):
    """Yields (function, device, name, bytes) for each allocation and (function,
    None, name, 0) for each free, in the order of the text."""
    function = 0
    for line in map(str.strip, text.splitlines()):
        function += line.startswith("func.func")
        if found := ALLOC.match(line):
            name, shape, device = found.groups()
            if not shape.startswith("?") and "x?" not in shape:
                yield function, device or "host", name, count_bytes(shape)
        elif found := FREE.match(line):
            yield function, None, found.group(1), 0


def find_live(text):
    """The most bytes that live at once of what a function frees, by function
    and device; devices with one buffer have no arena."""
    events = list(walk(text))
    freed = {(function, name) for function, device, name, _ in events if device is None}
    live, peak, sizes, buffers = {}, {}, {}, {}
    for function, device, name, size in events:
        if device is None:
            if (function, name) in sizes:
                key, size = sizes[function, name]
                live[key] -= size
        elif (function, name) in freed:
            key = function, device
            sizes[function, name] = key, size
            buffers[key] = buffers.get(key, 0) + 1
            live[key] = live.get(key, 0) + size
            peak[key] = max(peak.get(key, 0), live[key])
    return {key: bytes for key, bytes in peak.items() if buffers[key] > 1}


def find_arenas(text):
    arenas = {}
    for function, device, _, size in walk(text):
        if device is not None:
            arenas.setdefault((function, device), []).append(size)
    # The arena stands first.
    return {key: sizes[0] for key, sizes in arenas.items()}


def measure(tool, source, options=()):
    scheduled = compile(tool, source, f"--hetero-pipeline=stop-after=scheduled {' '.join(options)}")
    live = find_live(compile(tool, scheduled, "--hetero-plan-memory=arenas=false"))
    arenas = find_arenas(compile(tool, scheduled, "--hetero-plan-memory"))
    return [(key, arenas[key], bytes) for key, bytes in live.items() if bytes]


def summarize(name, ratios):
    if not ratios:
        return
    mean = math.exp(sum(map(math.log, ratios)) / len(ratios))
    print(f"| {name} | {len(ratios)} | {mean:.4f} | {max(ratios):.4f} |", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--programs", type=int, default=200, help="number of random graphs")
    parser.add_argument("--tool", default=os.path.join(ROOT, "build", "release", "bin", "hetero-opt"), help="hetero-opt")
    options = parser.parse_args()
    print("arena / most bytes that live at once\n")
    print("| programs | arenas | geometric mean | largest |\n|---|--:|--:|--:|")
    everything = []
    ratios = []
    for seed in range(options.programs):
        ratios += [arena / live for _, arena, live in measure(options.tool, Graph(seed).text())]
    summarize("random graphs", ratios)
    everything += ratios
    for path in sorted(glob.glob(os.path.join(ROOT, "examples", "*.mlir"))):
        with open(path) as file:
            source = file.read()
        rules = os.path.splitext(path)[0] + ".yaml"
        extra = [f"rules={rules}"] if os.path.exists(rules) else []
        ratios = [arena / live for _, arena, live in measure(options.tool, source, extra)]
        summarize(os.path.relpath(path, ROOT), ratios)
        everything += ratios
    summarize("all", everything)
    return 0


if __name__ == "__main__":
    sys.exit(main())
