#!/usr/bin/env python3
"""Compares the arenas of random graphs, of chains and of the examples with the
most bytes that live at once, which no arena can be below. Those are counted
here, from what the same schedule without arenas touches, its streams and the
events between them: a buffer lives from where it is first touched to where it is
last touched, or to the wait for what a device sends there, wherever it is
allocated and freed. Prints a table, and the programs whose arenas are worst.

A buffer can take the memory of another if the stream that writes it first is by
then after all that touches the other. What lives at once is the heaviest set of
buffers of which none can take another's place (Dilworth 1950, with weights: the
bytes of all less the most that a flow can hand from one to a later one). Each
counts its own bytes; the last column counts whole places of a cache line on the
host and of 256 bytes elsewhere.

Where sizes are known at run time only, the arena is what the program computes
for arguments of ROWS rows. Buffers in parallel loops, which each thread has for
itself, and those whose size the entry of the program cannot compute are in no
arena and do not count.

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
ALLOC = re.compile(r"(%\S+) = memref\.alloc\((.*?)\).* : memref<([^>,]+?)(?:, (#hetero\.device<[^>]*>))?>$")
ARGUMENT = re.compile(r"(%arg\d+): memref<([^>,]+)")
INTEGER = re.compile(r"(%\S+) = arith\.constant (?:\{.*\} )?(-?\d+) : index$")
DIM = re.compile(r"(%\S+) = memref\.dim (?:\{.*\} )?(%\S+), (%\S+)(?: \{.*\})? :")
ARITHMETIC = re.compile(r"(%\S+) = arith\.(muli|addi|andi|maxsi) (%\S+), (%\S+)(?: \{.*\})? : index$")
OPERATIONS = {"muli": int.__mul__, "addi": int.__add__, "andi": int.__and__, "maxsi": max}
FREE = re.compile(r"memref\.dealloc (%\S+) :")
COPY = re.compile(r"memref\.copy (%\S+), (%\S+) ")
VIEW = re.compile(r"(%\S+) = memref\.(?:view|subview|cast|reinterpret_cast|collapse_shape|expand_shape|transpose) (%[\w#]+)")
ORDER = re.compile(r"hetero\.order (#hetero\.device<.*?>) after (#hetero\.device<.*?>)$")
WAIT = re.compile(r"hetero\.wait on (#hetero\.device<.*?>)$")


class Graph:
    """A random graph of products, sums and elementwise operations on tensors of
    ROWS rows and random widths, most of them on one gpu unless it is mixed. The
    number of rows may be known at run time only."""

    def __init__(self, seed, isMixed=False, isDynamic=False):
        self.random = random.Random(seed)
        self.isMixed, self.isDynamic = isMixed, isDynamic
        self.rows = "?" if isDynamic else ROWS
        self.arguments, self.lines, self.count = [], [], 0

    def name(self):
        self.count += 1
        return f"%v{self.count}"

    def argument(self, shape):
        name = f"%a{len(self.arguments)}"
        self.arguments.append(f"{name}: tensor<{shape}xf32>")
        return name

    def device(self):
        if self.isMixed:
            return self.random.choice(["gpu:0", "gpu:1", "cpu:0"])
        choice = self.random.random()
        return "gpu:0" if choice < 0.8 else "gpu:1" if choice < 0.9 else "cpu:0"

    def pin(self):
        return f"{{hetero.device = #hetero.device<{self.device()}>}}"

    def product(self, value, width, total):
        """total + value * weights."""
        (name, old), result = value, self.name()
        weights = self.argument(f"{old}x{width}")
        types = f"tensor<{self.rows}x{old}xf32>, tensor<{old}x{width}xf32>"
        out = f"tensor<{self.rows}x{width}xf32>"
        self.lines.append(f"{result} = linalg.matmul {self.pin()} ins({name}, {weights} : {types}) outs({total} : {out}) -> {out}")
        return result

    def zeros(self, width):
        zeros, type = self.name(), f"tensor<{self.rows}x{width}xf32>"
        if not self.isDynamic:
            self.lines.append(f"{zeros} = arith.constant dense<0.0> : {type}")
            return zeros
        empty = self.empty(width)
        self.lines.append(f"{zeros} = linalg.fill ins(%zero : f32) outs({empty} : {type}) -> {type}")
        return zeros

    def empty(self, width):
        empty, sizes = self.name(), "%n" if self.isDynamic else ""
        self.lines.append(f"{empty} = tensor.empty({sizes}) : tensor<{self.rows}x{width}xf32>")
        return empty

    def step(self, values):
        recent = values[-6:]
        value = self.random.choice(recent)
        kind = self.random.random()
        if kind < 0.3:
            type = f"tensor<{self.rows}x{value[1]}xf32>"
            empty, result = self.empty(value[1]), self.name()
            self.lines.append(f"{result} = linalg.exp {self.pin()} ins({value[0]} : {type}) outs({empty} : {type}) -> {type}")
            return result, value[1]
        width = self.random.choice([16, 64, 100, 256, 1000])
        result = self.product(value, width, self.zeros(width))
        if kind < 0.7:
            result = self.product(self.random.choice(recent), width, result)
        return result, width

    def start(self):
        """The first value; with it the number of rows."""
        value = self.argument(f"{self.rows}x64")
        if self.isDynamic:
            self.lines.append("%zero = arith.constant 0.0 : f32")
            self.lines.append("%c0 = arith.constant 0 : index")
            self.lines.append(f"%n = tensor.dim {value}, %c0 : tensor<?x64xf32>")
        return value, 64

    def make(self):
        values = [self.start()]
        for _ in range(self.random.randrange(5, 40)):
            values.append(self.step(values))
        return values[-1]

    def text(self):
        name, width = self.make()
        result = f"tensor<{self.rows}x{width}xf32>"
        body = "\n  ".join(self.lines)
        return f"func.func @main({', '.join(self.arguments)}) -> {result} {{\n  {body}\n  return {name} : {result}\n}}\n"


class Chain(Graph):
    """Products one after the other, which start from one fill."""

    def make(self):
        value = self.start()
        zeros = self.zeros(64)
        for _ in range(self.random.randrange(4, 12)):
            value = self.product(value, 64, zeros), 64
        return value


def compile(tool, source, *options):
    done = subprocess.run([tool, *options], input=source, capture_output=True, text=True)
    if done.returncode:
        raise RuntimeError(f"{tool} {' '.join(options)}: {done.stderr}")
    return done.stdout


def count_bytes(shape, sizes=()):
    """None for sizes that are not known."""
    *dims, element = shape.split("x")
    given = iter(sizes)
    known = [next(given) if size == "?" else int(size) for size in dims]
    return None if None in known else math.prod(known) * BYTES[element]


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
    def __init__(self, device, bytes, begin, depth):
        self.device, self.bytes, self.depth = device, bytes, depth
        # The lines where it is allocated, freed, first touched and no longer needed; the first stream, and the last line by stream.
        self.made, self.freed, self.begin, self.end = begin, None, begin, None
        self.first, self.last = None, {}


class Schedule:
    """What happens in one function: buffers, accesses and events, by line."""

    def __init__(self):
        # By (stream, other): lines, and up to which line of the other the stream is after it since.
        self.buffers, self.history, self.views = {}, {}, {}
        # Numbers that are known; what is touched inside of control flow, by depth; what is sent to the host.
        self.numbers, self.depth, self.inside, self.sent = {}, 0, {}, []
        # The depths of parallel loops.
        self.parallel = []

    def compute(self, text):
        """Notes a number that is known."""
        if found := INTEGER.match(text):
            self.numbers[found.group(1)] = int(found.group(2))
        elif (found := DIM.match(text)) and found.group(2) in self.shapes:
            index = self.numbers.get(found.group(3))
            size = self.shapes[found.group(2)].split("x")[index]
            self.numbers[found.group(1)] = ROWS if size == "?" else int(size)
        elif found := ARITHMETIC.match(text):
            a, b = (self.numbers.get(name) for name in found.groups()[2:])
            if a is not None and b is not None:
                self.numbers[found.group(1)] = OPERATIONS[found.group(2)](a, b)

    def nest(self, text, line):
        """Follows braces: what a loop touches lives until it ends."""
        if text.startswith("}"):
            self.depth -= 1
            if self.parallel and self.parallel[-1] == self.depth:
                self.parallel.pop()
            for buffer in self.inside.pop(self.depth, []):
                self.extend(buffer, line)
        if text.endswith("{"):
            if "scf.forall" in text or "scf.parallel" in text:
                self.parallel.append(self.depth)
            self.depth += 1

    def extend(self, buffer, line):
        """The buffer is touched at a line, or inside of what ends there."""
        if buffer.depth < self.depth:
            self.inside.setdefault(self.depth - 1, set()).add(buffer)
        buffer.end = line

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
        for stream, buffer in [sent for sent in self.sent if re.match(re.escape(device[:-1]) + "[,>]", sent[0])]:
            self.extend(buffer, line)
            self.sent.remove((stream, buffer))
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
            self.extend(buffer, line)
        if (found := COPY.match(text)) and found.group(2) in self.views:
            target = self.views[found.group(2)]
            source = re.search(r" : memref<[^>]*?(#hetero\.device<[^>]*>)?> to memref", text)
            if target.device == "host" and source and source.group(1):
                self.sent.append((stream_of(text, "hetero.from", source.group(1)), target))

    def is_free(self, buffer, stream, line):
        """True if the stream may write its memory at this line."""
        if buffer.end is None or buffer.end >= line:
            return False
        return all(
            stream == other or any(at <= line and until >= last for at, until in self.history.get((stream, other), []))
            for other, last in buffer.last.items()
        )

    def heaviest(self, device):
        buffers = [buffer for buffer in self.buffers.values() if buffer.device == device and buffer.freed and buffer.end is not None]
        later = [[j for j, b in enumerate(buffers) if a is not b and self.is_free(a, b.first, b.begin)] for a in buffers]
        weights = [buffer.bytes for buffer in buffers]
        step = 64 if device == "host" else 256
        places = [-(-weight // step) * step for weight in weights]
        return len(buffers), sum(weights) - max_flow(weights, later), sum(places) - max_flow(places, later)


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
            schedules[-1].shapes = dict(ARGUMENT.findall(line))
        if not schedules:
            continue
        schedule = schedules[-1]
        schedule.nest(line, number)
        schedule.compute(line)
        if found := ALLOC.match(line):
            name, sizes, shape, device = found.groups()
            bytes = count_bytes(shape, [schedule.numbers.get(size) for size in sizes.split(", ")])
            if bytes is not None and not schedule.parallel:
                schedule.buffers[name] = schedule.views[name] = Buffer(device or "host", bytes, number, schedule.depth)
        elif found := FREE.match(line):
            if found.group(1) in schedule.buffers:
                schedule.buffers[found.group(1)].freed = number
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
            count, *bytes = schedule.heaviest(device)
            if count > 1:
                live[number, device] = bytes
    return live


def find_arenas(text):
    """By function and device the most bytes that are allocated at once."""
    arenas = {}
    for number, schedule in enumerate(read_schedules(text), 1):
        for buffer in schedule.buffers.values():
            buffer.begin, buffer.end, buffer.last = buffer.made, buffer.freed, {}
        for device in {buffer.device for buffer in schedule.buffers.values()}:
            arenas[number, device] = schedule.heaviest(device)[1]
    return arenas


def measure(tool, source, options=()):
    scheduled = compile(tool, source, f"--hetero-pipeline=stop-after=scheduled {' '.join(options)}")
    live = find_live(compile(tool, scheduled, "--hetero-plan-memory=arenas=false"))
    arenas = find_arenas(compile(tool, scheduled, "--hetero-plan-memory"))
    return [(key[1], arenas[key], bytes, places) for key, (bytes, places) in live.items() if bytes]


class Table:
    def __init__(self):
        self.found = []
        print("arena / most bytes that live at once\n")
        print("| programs | arenas | geometric mean | largest | in whole places |\n|---|--:|--:|--:|--:|")

    def add(self, name, programs, tool):
        """A row of programs, each with its name, text and options."""
        found = [(program, *arena) for program, text, extra in programs for arena in measure(tool, text, extra)]
        self.summarize(name, found)
        self.found += found

    def summarize(self, name, found):
        if not found:
            return
        ratios = [arena / live for _, _, arena, live, _ in found]
        mean = math.exp(sum(map(math.log, ratios)) / len(ratios))
        most = max(arena / places for _, _, arena, _, places in found)
        print(f"| {name} | {len(ratios)} | {mean:.4f} | {max(ratios):.4f} | {most:.4f} |", flush=True)

    def finish(self, count):
        self.summarize("all", self.found)
        print(f"\nthe {count} worst of them\n")
        print("| program | device | arena | most bytes that live at once | ratio | in whole places |\n|---|---|--:|--:|--:|--:|")
        for name, device, arena, live, places in sorted(self.found, key=lambda row: -row[2] / row[4])[:count]:
            device = re.sub(r"#hetero\.device<(.*)>", r"\1", device)
            print(f"| {name} | {device} | {arena} | {live} | {arena / live:.3f} | {arena / places:.3f} |")
        return max((row[2] / row[4] for row in self.found), default=1)


def read_examples():
    for path in sorted(glob.glob(os.path.join(ROOT, "examples", "*.mlir"))):
        with open(path) as file:
            source = file.read()
        rules = os.path.splitext(path)[0] + ".yaml"
        yield os.path.relpath(path, ROOT), source, [f"rules={rules}"] if os.path.exists(rules) else []


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--programs", type=int, default=200, help="number of random graphs of each kind")
    parser.add_argument("--worst", type=int, default=10, help="how many of the worst programs to list")
    parser.add_argument("--most", type=float, default=1.1, help="fail where an arena has more of its whole places")
    parser.add_argument("--tool", default=os.path.join(ROOT, "build", "release", "bin", "hetero-opt"), help="hetero-opt")
    options = parser.parse_args()
    table = Table()
    for kind, make in (("graph", Graph), ("chain", Chain)):
        count = options.programs if make is Graph else -(-options.programs // 10)
        for mixed in (False, True):
            for dynamic in (False, True):
                words = [kind, *["mixed"] * mixed, *["dynamic"] * dynamic]
                name = " ".join([f"random {kind}s", ", ".join(words[1:])]).strip()
                programs = ((f"{' '.join(words)} {seed}", make(seed, mixed, dynamic).text(), []) for seed in range(count))
                table.add(name, programs, options.tool)
    table.add("examples", read_examples(), options.tool)
    most = table.finish(options.worst)
    if most > options.most:
        print(f"an arena has {most:.3f} of its whole places, more than {options.most}", file=sys.stderr)
    return most > options.most


if __name__ == "__main__":
    sys.exit(main())
