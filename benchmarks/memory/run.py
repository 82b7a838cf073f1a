#!/usr/bin/env python3
"""Compares the arenas of random graphs and of the examples with the most bytes
that live at once, which no arena can be below. Those are counted here, from the
allocations and frees of the same schedule without arenas, its streams and the
events between them. Prints a table.

A buffer can take the memory of another if the stream that writes it first is by
then after all that touches the other. What lives at once is the heaviest set of
buffers of which none can take another's place (Dilworth 1950, with weights: the
bytes of all less the most that a flow can hand from one to a later one). Each
counts its own bytes, without what alignment adds.

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
COPY = re.compile(r"memref\.copy (%\S+), (%\S+) ")
VIEW = re.compile(r"(%\S+) = memref\.(?:view|subview|cast|reinterpret_cast|collapse_shape|expand_shape|transpose) (%[\w#]+)")
ORDER = re.compile(r"hetero\.order (#hetero\.device<.*?>) after (#hetero\.device<.*?>)$")
WAIT = re.compile(r"hetero\.wait on (#hetero\.device<.*?>)$")


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


def stream_of(line, name, device):
    """The stream that an operation's attribute names, else the device's own."""
    found = re.search(name + r" = (#hetero\.device<[^>]*>)", line)
    return found.group(1) if found else device


def accesses_of(line, buffers):
    """(stream, buffer) for each buffer that a copy or kernel touches; `buffers`
    has views too."""
    if found := COPY.match(line):
        pairs = zip(found.groups(), ("hetero.from", "hetero.to"))
        return [(stream_of(line, end, buffers[name].device), buffers[name]) for name, end in pairs if name in buffers]
    touched = [buffers[name] for name in re.findall(r"%[\w#]+", line) if name in buffers]
    return [(stream_of(line, "hetero.device", buffer.device), buffer) for buffer in touched]


class Buffer:
    def __init__(self, device, bytes, begin):
        self.device, self.bytes, self.begin = device, bytes, begin
        self.first, self.last, self.end = None, {}, None


class Schedule:
    """What happens in one function: buffers, accesses and events, by line."""

    def __init__(self):
        # By (stream, other): lines, and up to which line of the other the stream is after it since.
        self.buffers, self.history, self.views = {}, {}, {}

    def note(self, stream, other, line, until):
        if stream != other:
            known = self.history.setdefault((stream, other), [])
            if not known or known[-1][1] < until:
                known.append((line, until))

    def order(self, stream, after, line):
        self.note(stream, after, line, line)
        for (first, other), known in list(self.history.items()):
            if first == after:
                self.note(stream, other, line, known[-1][1])

    def wait(self, device, line):
        """All that the host enqueues from now on runs after the device's work, or
        its unit's, and after what that has waited for."""
        streams = {stream for pair in self.history for stream in pair}
        streams |= {stream for buffer in self.buffers.values() for stream in buffer.last}
        for stream in streams:
            for other in streams:
                if re.match(re.escape(device[:-1]) + "[,>]", other):
                    self.order(stream, other, line)

    def touch(self, text, line):
        if found := VIEW.match(text):
            if found.group(2) in self.views:
                self.views[found.group(1)] = self.views[found.group(2)]
            return
        for stream, buffer in accesses_of(text, self.views):
            buffer.last[stream] = line
            if buffer.first is None:
                buffer.first, buffer.begin = stream, line

    def is_free(self, buffer, stream, line):
        """True if the stream may write its memory at this line."""
        if buffer.end is None or buffer.end > line:
            return False
        return all(
            stream == other or any(at <= line and until >= last for at, until in self.history.get((stream, other), []))
            for other, last in buffer.last.items()
        )

    def heaviest(self, device):
        buffers = [buffer for buffer in self.buffers.values() if buffer.device == device and buffer.end is not None]
        later = [[j for j, b in enumerate(buffers) if a is not b and self.is_free(a, b.first, b.begin)] for a in buffers]
        weights = [buffer.bytes for buffer in buffers]
        return len(buffers), sum(weights) - max_flow(weights, later)


def max_flow(weights, edges):
    """The most that each may pass and take, by shortest paths that augment."""
    left, right, flow, total = list(weights), list(weights), {}, 0
    while True:
        parent = {("out", i): None for i in range(len(weights)) if left[i]}
        queue, goal = list(parent), None
        for kind, i in queue:
            steps = [("in", j) for j in edges[i]] if kind == "out" else [("out", j) for j in range(len(weights)) if flow.get((j, i))]
            if kind == "in" and right[i]:
                goal = kind, i
                break
            for step in steps:
                if step not in parent:
                    parent[step] = kind, i
                    queue.append(step)
        if goal is None:
            return total
        path = [goal]
        while parent[path[-1]] is not None:
            path.append(parent[path[-1]])
        path.reverse()
        back = [flow[b[1], a[1]] for a, b in zip(path, path[1:]) if a[0] == "in"]
        amount = min([left[path[0][1]], right[goal[1]], *back])
        for a, b in zip(path, path[1:]):
            pair = (a[1], b[1]) if a[0] == "out" else (b[1], a[1])
            flow[pair] = flow.get(pair, 0) + (amount if a[0] == "out" else -amount)
        left[path[0][1]] -= amount
        right[goal[1]] -= amount
        total += amount


def read_schedules(text):
    schedules = []
    for number, line in enumerate(map(str.strip, text.splitlines())):
        if line.startswith("func.func"):
            schedules.append(Schedule())
        if not schedules:
            continue
        schedule = schedules[-1]
        if found := ALLOC.match(line):
            name, shape, device = found.groups()
            if not shape.startswith("?") and "x?" not in shape:
                schedule.buffers[name] = schedule.views[name] = Buffer(device or "host", count_bytes(shape), number)
        elif found := FREE.match(line):
            if found.group(1) in schedule.buffers:
                schedule.buffers[found.group(1)].end = number
        elif found := ORDER.match(line):
            schedule.order(*found.groups(), number)
        elif found := WAIT.match(line):
            schedule.wait(found.group(1), number)
        else:
            schedule.touch(line, number)
    return schedules


def find_live(text):
    """The most bytes that live at once of what a function frees, by function
    and device; devices with one buffer have no arena."""
    live = {}
    for number, schedule in enumerate(read_schedules(text), 1):
        for device in {buffer.device for buffer in schedule.buffers.values()}:
            count, bytes = schedule.heaviest(device)
            if count > 1:
                live[number, device] = bytes
    return live


def find_arenas(text):
    """By function and device the bytes of what is allocated."""
    arenas = {}
    for number, schedule in enumerate(read_schedules(text), 1):
        for buffer in schedule.buffers.values():
            key = number, buffer.device
            arenas[key] = arenas.get(key, 0) + (buffer.bytes if buffer.end is not None else 0)
    return arenas


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
