#!/usr/bin/env python3
"""Compares the bytes that random programs move between devices with the least
that any placement of them moves, with a copy for each use, and with greedy
placement. Prints a table; fails where more than the least moves on two devices.

  benchmarks/transfers/run.py
  benchmarks/transfers/run.py --programs 20

Links have no latency and a byte takes far longer on them than all arithmetic, so
that the cheapest placement is the one that moves the least. The bytes are those
of the copies in the emulator's log; the runtime's report and the times of the
links in the compiler's report must say the same.

The least is found by trying all placements: where an operation reads a value
that is on another device, the value crosses once for each time that it is made. An
operation without a pin may run on several devices, which then all need what it reads.
Loops run at least once, so that no other place for the copy is cheaper.
"""

import argparse
import itertools
import json
import os
import random
import re
import subprocess
import sys
import tempfile
from collections import namedtuple

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
SHAPES = ["16", "16x24", "16x24x3"]
BYTES = [64, 1536, 4608]
HOST = "cpu:0"
BANDWIDTH = 10**9

Value = namedtuple("Value", "name rank")


class Program:
    """A random program: its text, and which operation reads what how often."""

    def __init__(self, seed, devices, max_ops):
        self.random, self.devices, self.left = random.Random(seed), devices, max_ops
        # Of each operation its pin, of each value its producer (None: the host),
        # bytes times how often it is made, and readers with how often they read.
        self.loops = set()
        self.pins, self.made, self.reads, self.count = [], {}, {}, 0
        self.arguments = [self.make(f"%a{rank}", rank, None, 1) for rank in range(len(SHAPES))]
        self.lines = []
        self.add_ops(list(self.arguments))

    def make(self, name, rank, producer, frequency):
        self.made[name], self.reads[name] = (producer, BYTES[rank], frequency), []
        return Value(name, rank)

    def read(self, op, value, frequency):
        self.reads[value.name].append((op, frequency))

    def name(self):
        self.count += 1
        return f"%v{self.count}"

    def add_op(self):
        """Its number and its attributes."""
        self.left -= 1
        pin = self.random.choice(self.devices) if self.random.random() < 0.4 else None
        self.pins.append(pin)
        return len(self.pins) - 1, f"hetero.device = #hetero.device<{pin}>" if pin else ""

    def pick(self, values, rank=None):
        fitting = [value for value in values if rank in (None, value.rank)]
        return self.random.choice(fitting[-3:] + fitting)

    def result(self, rank, op, frequency, operands):
        for value in {value.name: value for value in operands}.values():
            self.read(op, value, frequency)
        return self.make(self.name(), rank, op, frequency)

    def elementwise(self, values, frequency, first=None):
        first = first or self.pick(values)
        type = tensor(first.rank)
        op, pin = self.add_op()
        operands = [first]
        # Of one value twice a compiler makes less than an operation.
        others = [value for value in values if value.rank == first.rank and value != first]
        if others and self.random.random() < 0.6:
            operands.append(self.pick(others))
        name = self.random.choice(["sub", "max"] if len(operands) == 2 else ["negf", "abs"])
        result = self.result(first.rank, op, frequency, operands)
        names, types = ", ".join(v.name for v in operands), ", ".join([type] * len(operands))
        self.lines.append(f"{result.name} = linalg.{name} {{{pin}}} ins({names} : {types}) outs(%e{first.rank} : {type}) -> {type}")
        return result

    def reduce(self, values, frequency):
        source = self.pick([value for value in values if value.rank])
        op, pin = self.add_op()
        result = self.result(source.rank - 1, op, frequency, [source])
        self.lines.append(
            f"{result.name} = linalg.reduce {{ arith.maximumf }} ins({source.name} : {tensor(source.rank)}) "
            f"outs(%z{result.rank} : {tensor(result.rank)}) dimensions = [{source.rank}] {{{pin}}}"
        )
        return result

    def broadcast(self, values, frequency):
        source = self.pick([value for value in values if value.rank + 1 < len(SHAPES)])
        op, pin = self.add_op()
        result = self.result(source.rank + 1, op, frequency, [source])
        self.lines.append(
            f"{result.name} = linalg.broadcast ins({source.name} : {tensor(source.rank)}) "
            f"outs(%e{result.rank} : {tensor(result.rank)}) dimensions = [{result.rank}] {{{pin}}}"
        )
        return result

    def loop(self, values, frequency):
        """One tensor that a loop carries; each operation inside reads the one before."""
        first, trips = self.pick(values), self.random.randrange(1, 4)
        self.left -= 1
        op, inner = len(self.pins), frequency * trips
        self.pins.append(None)
        self.loops.add(op)
        self.read(op, first, frequency)
        result, carried = self.make(self.name(), first.rank, op, frequency), self.make(self.name(), first.rank, op, inner)
        self.lines.append(
            f"{result.name} = scf.for {result.name}i = %c0 to %c{trips} step %c1 "
            f"iter_args({carried.name} = {first.name}) -> {tensor(first.rank)} {{"
        )
        value = self.elementwise(values + [carried], inner, carried)
        while self.left and self.random.random() < 0.6:
            value = self.elementwise(values + [carried, value], inner, value)
        self.read(op, value, inner)
        self.lines += [f"scf.yield {value.name} : {tensor(first.rank)}", "}"]
        return result

    def add_ops(self, values):
        for _ in range(self.random.randrange(3, self.left + 1)):
            if self.left:
                kinds = [self.elementwise] * 4 + [self.reduce, self.broadcast] + [self.loop] * (self.left > 1)
                values.append(self.random.choice(kinds)(values, 1))
        # What nobody reads is returned, else it would be dropped.
        self.results = [value for value in values[len(self.arguments) :] if not self.reads[value.name]]
        for value in self.results:
            self.read(None, value, 1)

    def text(self):
        arguments = ", ".join(f"{value.name}: {tensor(value.rank)}" for value in self.arguments)
        types = ", ".join(tensor(value.rank) for value in self.results)
        lines = [f"%c{i} = arith.constant {i} : index" for i in range(4)] + ["%low = arith.constant -1.0e+30 : f32"]
        for rank in range(len(SHAPES)):
            lines.append(f"%e{rank} = tensor.empty() : {tensor(rank)}")
            lines.append(f"%z{rank} = linalg.fill ins(%low : f32) outs(%e{rank} : {tensor(rank)}) -> {tensor(rank)}")
        lines += [*self.lines, f"return {', '.join(value.name for value in self.results)} : {types}"]
        body = "\n  ".join(lines)
        return f"{topology(self.devices)} {{\nfunc.func @main({arguments}) -> ({types}) {{\n  {body}\n}}\n}}\n"

    def count_least(self):
        """Of all placements the one that moves the fewest bytes."""
        values = []
        for name, (producer, size, frequency) in self.made.items():
            readers = {-1 if op is None else op for op, _ in self.reads[name]}
            values.append((-1 if producer is None else producer, size * frequency, sorted(readers)))
        choices = [self.choices(op, pin) for op, pin in enumerate(self.pins)]

        def count(places):
            total = 0
            for producer, size, readers in values:
                needed = 0
                for op in readers:
                    needed |= places[op]
                total += size * (needed & ~places[producer]).bit_count()
            return total

        # The host, which is the first device, has the arguments and takes the results.
        return min(map(count, itertools.product(*choices, [1])))

    def choices(self, op, pin):
        """The sets of devices, as bits, on which an operation may run: what is
        repeated reads its operands on each of them, and its results are not copied."""
        if pin:
            return [1 << self.devices.index(pin)]
        sets = range(1, 1 << len(self.devices))
        return [places for places in sets if op not in self.loops or places.bit_count() == 1]

    def count_per_use(self, devices):
        device = {**dict(enumerate(devices)), None: HOST}
        return sum(
            self.made[name][1] * frequency
            for name, readers in self.reads.items()
            for op, frequency in readers
            if device[op] != device[self.made[name][0]]
        )


def tensor(rank):
    return f"tensor<{SHAPES[rank]}xf32>"


def topology(devices):
    specs = ", ".join(f"<device = <{name}>, compute = {10**18}, bandwidth = {10**18}>" for name in devices)
    pairs = itertools.permutations(devices, 2)
    links = ", ".join(f"<from = <{a}>, to = <{b}>, bandwidth = {BANDWIDTH}, latency = 0>" for a, b in pairs)
    return f"module attributes {{hetero.topology = #hetero.topology<devices = [{specs}], links = [{links}]>}}"


def call(words, env=None):
    done = subprocess.run(words, stdin=subprocess.DEVNULL, capture_output=True, text=True, env={**os.environ, **(env or {})})
    if done.returncode:
        raise RuntimeError(f"{' '.join(words)}: {done.stderr}")
    return done.stdout


class Compiler:
    def __init__(self, bin, folder):
        self.bin, self.folder = bin, folder

    def path(self, name):
        return os.path.join(self.folder, name)

    def write(self, text):
        with open(self.path("program.mlir"), "w") as file:
            file.write(text)
        return self.path("program.mlir")

    def place(self, text, placement):
        """The placed module, and the bytes that the report says it moves."""
        report = self.path("place.json")
        # Operations that are equal stay apart, as they are in the enumeration.
        pipeline = f"--hetero-pipeline=stop-after=placed simplify=false placement={placement} report={report}"
        placed = call([os.path.join(self.bin, "hetero-opt"), self.write(text), pipeline])
        with open(report) as file:
            seconds = sum(link["seconds"] for link in json.load(file)["links"])
        return placed, round(seconds * BANDWIDTH)

    def run(self, text, program):
        """The bytes that the driver copies, which the runtime must have counted."""
        log, report = self.path("log.jsonl"), self.path("run.json")
        if os.path.exists(log):
            os.remove(log)
        inputs = [f"--input={SHAPES[value.rank]}xf32=iota" for value in program.arguments]
        words = [os.path.join(self.bin, "hetero-run"), self.write(text), "--simplify=false", "--print-max=0", f"--report-file={report}", *inputs]
        call(words, {"HETERO_CUDA_DRIVER": "emulator", "HETERO_EMULATOR": f"devices=2,log={log}"})
        with open(report) as file:
            reported = sum(copy["bytes"] for copy in json.load(file)["copies"])
        moved = 0
        if os.path.exists(log):
            with open(log) as file:
                events = [json.loads(line) for line in file]
            moved = sum(event["bytes"] for event in events if event["event"] == "memcpy" and event["kind"] != "d2d")
        if moved != reported:
            raise RuntimeError(f"the driver copied {moved} bytes, the runtime's report says {reported}:\n{text}")
        return moved


def devices_of(placed):
    """Where each operation and what each loop carries is, in their order."""
    devices, loops = [], []
    for line in map(str.strip, placed.splitlines()):
        found = re.search(r"hetero\.(?:device = |carried = \[)#hetero\.device<(\w+:\d+)>", line)
        device = found.group(1) if found else HOST
        if " = scf.for " in line:
            loops.append(len(devices))
            devices.append(HOST)
        elif " = linalg." in line and "linalg.fill" not in line:
            devices.append(device)
        elif line.startswith("}") and loops:
            devices[loops.pop()] = device
    return devices


def pin_all(placed):
    """The placed module as one whose user annotated everything."""
    placed = re.sub(r', hetero\.origin = "[^"]*"|hetero\.origin = "[^"]*", ', "", placed)
    return re.sub(r'hetero\.phase = [^,}]*, |, hetero\.phase = [^,}]*', "", placed)


Result = namedtuple("Result", "least moved reported per_use greedy")


def measure(compiler, program):
    text = program.text()
    placed, reported = compiler.place(text, "optimal")
    greedy, _ = compiler.place(text, "greedy")
    return Result(
        program.count_least(),
        compiler.run(text, program),
        reported,
        program.count_per_use(devices_of(placed)),
        compiler.run(pin_all(greedy), program),
    )


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--programs", type=int, default=200, help="programs per row")
    parser.add_argument("--ops", type=int, default=12, help="most operations of a program on two devices")
    parser.add_argument("--bin", default=os.path.join(ROOT, "build", "release", "bin"), help="folder of hetero-opt and hetero-run")
    options = parser.parse_args()
    print("| devices | programs | bytes | / the least | equal | copy per use / bytes | greedy / bytes |\n|--:|--:|--:|--:|--:|--:|--:|")
    failed = False
    with tempfile.TemporaryDirectory() as folder:
        compiler = Compiler(options.bin, folder)
        # All placements on three devices are many.
        for devices, ops in (([HOST, "gpu:0"], options.ops), ([HOST, "gpu:0", "gpu:1"], min(options.ops, 9))):
            results = []
            for seed in range(options.programs):
                program = Program(seed, devices, ops)
                results.append(measure(compiler, program))
                failed |= check(seed, program, results[-1], len(devices) == 2)
            print_row(len(devices), results)
    return 1 if failed else 0


def check(seed, program, result, is_exact):
    """Says what is wrong with a program; False where nothing is."""
    wrong = []
    if result.moved != result.reported:
        wrong.append(f"{result.moved} bytes moved, but the compiler's report says {result.reported}")
    if result.moved < result.least or (is_exact and result.moved != result.least):
        wrong.append(f"{result.moved} bytes moved, the least is {result.least}")
    for text in wrong:
        print(f"program {seed}: {text}:\n{program.text()}", file=sys.stderr)
    return bool(wrong)


def print_row(devices, results):
    least, moved, _, per_use, greedy = map(sum, zip(*results))
    equal = sum(result.moved == result.least for result in results)
    ratios = [moved / max(least, 1), per_use / max(moved, 1), greedy / max(moved, 1)]
    print(f"| {devices} | {len(results)} | {moved} | {ratios[0]:.3f} | {equal} | {ratios[1]:.2f} | {ratios[2]:.2f} |", flush=True)


if __name__ == "__main__":
    sys.exit(main())
