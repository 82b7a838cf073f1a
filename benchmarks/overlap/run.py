#!/usr/bin/env python3
"""Compares how long generated programs take on the emulator's virtual clock with
a lower bound, and with doing one thing at a time. Prints a table.

  benchmarks/overlap/run.py
  benchmarks/overlap/run.py --only pipeline

Both bounds are computed here, apart from the scheduler: the dependences are those
of the buffers before the schedule (an operation needs the last writer of each
buffer that it reads), how long an operation takes and how long each engine works
are what the virtual clock says. Of kernels of one device that move the same
number of bytes the fastest counts.

  - The simple bound is max(critical path, busiest engine).
  - An engine cannot start before its first operation has what it needs, and the
    program does not end before what needs its last one is done. So the bound
    takes each engine by itself, gives each of its operations a head (the longest
    chain before it) and a tail (the longest chain after it), and lets it always
    work on the operation with the longest tail of those whose head is over,
    which it may interrupt. No order of the engine ends earlier (Jackson's
    preemptive schedule; Carlier 1982). It is never below the simple one.

The bound is reached if no two engines want the same operations in different
orders. "list schedule / bound" is what a list schedule over the same
dependences and engines, computed here, without streams, events and calls of the
host, makes of it: where that is 1, the bound can be reached.
"""

import argparse
import heapq
import json
import os
import re
import subprocess
import sys
import tempfile
from collections import namedtuple

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
SHAPE = "256x64xf32"
TYPE = f"tensor<{SHAPE}>"
# A kernel that reads and writes a tensor takes about as long as its copy.
EMULATOR = "clock=virtual,devices=4,link=1G,bandwidth=2G,flops=1P,latency=5us,launch=5us"
# The same machine for the scheduler, in bytes per second and picoseconds.
DEVICES = ["cpu:0", *(f"gpu:{i}" for i in range(4))]
SPEC = "compute = 1000000000000000, bandwidth = 2000000000, launch = 5000000"
LINK = "bandwidth = 1000000000, latency = 5000000"
TOPOLOGY = "#hetero.topology<devices = [{}], links = [{}]>".format(
    ", ".join(f"#hetero.device_spec<device = #hetero.device<{device}>, {SPEC}>" for device in DEVICES),
    ", ".join(
        f"#hetero.link<from = #hetero.device<{a}>, to = #hetero.device<{b}>, {LINK}>"
        for a in DEVICES
        for b in DEVICES
        if a != b
    ),
)
BYTES = {"f64": 8, "i64": 8, "f32": 4, "i32": 4}

BUFFER = r"(%\w+)"
COPY = re.compile(rf"memref\.copy {BUFFER}, {BUFFER} .*: (memref<.*>) to (memref<.*>)$")
KERNEL = re.compile(r"linalg\.\w+ .*?(?:ins\((.*?) : (.*?)\) )?outs\((.*?) : (.*?)\)")
DEVICE = re.compile(r"#hetero\.device<(gpu:\d+)>")

# engines: of which it takes all; key: which operations of the clock are alike.
Operation = namedtuple("Operation", "engines key reads writes")
Result = namedtuple("Result", "makespan simple bound listed serial")


class Program:
    """Elementwise operations on tensors of one shape, each with a device."""

    def __init__(self, arguments):
        self.arguments, self.lines, self.count = arguments, [], 0

    def apply(self, device, operation, *values):
        self.count += 1
        types = ", ".join([TYPE] * len(values))
        self.lines.append(
            f"%{self.count} = linalg.{operation} {{hetero.device = #hetero.device<{device}>}} "
            f"ins({', '.join(values)} : {types}) outs(%empty : {TYPE}) -> {TYPE}"
        )
        return f"%{self.count}"

    def text(self, results):
        arguments = ", ".join(f"%a{i}: {TYPE}" for i in range(self.arguments))
        types = ", ".join([TYPE] * len(results))
        lines = [f"%empty = tensor.empty() : {TYPE}", *self.lines, f"return {', '.join(results)} : {types}"]
        return f"func.func @main({arguments}) -> ({types}) {{\n  " + "\n  ".join(lines) + "\n}\n"


def pipeline(stages, items):
    """Each item goes over all devices, one item after the other."""
    program, results = Program(items), []
    for item in range(items):
        value = f"%a{item}"
        for stage in range(stages):
            value = program.apply(f"gpu:{stage}", "exp", value)
        results.append(value)
    return items, program.text(results)


def fork_join(devices, branches):
    """One value goes to branches on several devices; their sum comes back."""
    program = Program(1)
    start = program.apply("gpu:0", "exp", "%a0")
    ends = [program.apply(f"gpu:{i % devices}", "negf", start) for i in range(branches)]
    ends = [program.apply(f"gpu:{(i + 1) % devices}", "exp", end) for i, end in enumerate(ends)]
    while len(ends) > 1:
        ends = [program.apply("gpu:0", "add", *pair) if len(pair) == 2 else pair[0] for pair in zip_pairs(ends)]
    return 1, program.text(ends)


def zip_pairs(values):
    return [values[i : i + 2] for i in range(0, len(values), 2)]


def chain(devices, length):
    """Each operation needs the one before, which is on another device."""
    program, value = Program(1), "%a0"
    for step in range(length):
        value = program.apply(f"gpu:{step % devices}", "exp", value)
    return 1, program.text([value])


PROGRAMS = {
    "pipeline, 1 gpu, 16 items": pipeline(1, 16),
    "pipeline, 2 gpus, 16 items": pipeline(2, 16),
    "pipeline, 4 gpus, 16 items": pipeline(4, 16),
    "fork-join, 2 gpus, 8 branches": fork_join(2, 8),
    "fork-join, 4 gpus, 16 branches": fork_join(4, 16),
    "alternating chain, 2 gpus, 16 operations": chain(2, 16),
}


def call(words, source, env=None):
    done = subprocess.run(words, input=source, capture_output=True, text=True, env={**os.environ, **(env or {})})
    if done.returncode:
        raise RuntimeError(f"{' '.join(words)}: {done.stderr}")
    return done.stdout


def run(bin, source, inputs):
    """The report of the virtual clock."""
    with tempfile.TemporaryDirectory() as folder:
        report, path = os.path.join(folder, "timeline.json"), os.path.join(folder, "program.mlir")
        with open(path, "w") as file:
            file.write(source)
        words = [os.path.join(bin, "hetero-run"), path, f"--topology={TOPOLOGY}", "--print-max=1", *[f"--input={SHAPE}=0.5"] * inputs]
        call(words, "", {"HETERO_CUDA_DRIVER": "emulator", "HETERO_EMULATOR": f"{EMULATOR},timeline={report}"})
        with open(report) as file:
            return json.load(file)


# The bound


def bytes_of(type):
    *sizes, element = re.match(r"memref<([^,>]*)", type).group(1).split("x")
    total = BYTES[element]
    for size in sizes:
        total *= int(size)
    return total


def device_of(type):
    found = DEVICE.search(type)
    return found.group(1) if found else None


def parse_copy(line):
    source, target, source_type, target_type = COPY.search(line).groups()
    start, end = device_of(source_type), device_of(target_type)
    kind = "copy peer" if start and end else "copy in" if end else "copy out"
    engines = ([(start, "copy out")] if start else []) + ([(end, "copy in")] if end else [])
    return Operation(engines, (kind, end or start, bytes_of(source_type)), [source], [target])


def parse_kernel(line):
    inputs, input_types, outputs, output_types = KERNEL.search(line).groups()
    reads = inputs.split(", ") if inputs else []
    types = re.findall(r"memref<[^>]*>>?", f"{input_types or ''}, {output_types}")
    device = device_of(output_types)
    key = ("kernel", device, sum(map(bytes_of, types)))
    return Operation([(device, "compute")], key, reads, outputs.split(", "))


def parse(text):
    """The operations of devices in IR with buffers, in the order of the text."""
    operations = []
    for line in map(str.strip, text.splitlines()):
        if line.startswith("memref.copy"):
            operations.append(parse_copy(line))
        elif line.startswith("linalg.") and not line.startswith("linalg.yield"):
            operations.append(parse_kernel(line))
    return operations


def durations_of(timeline):
    durations = {}
    for entry in timeline["operations"]:
        key = (entry["kind"], entry["device"], entry["bytes"])
        durations[key] = min(durations.get(key, float("inf")), entry["end"] - entry["start"])
    return durations


def needs_of(operations):
    """For each operation those whose results it reads."""
    needs, writer = [], {}
    for index, operation in enumerate(operations):
        needs.append([writer[buffer] for buffer in operation.reads if buffer in writer])
        for buffer in operation.writes:
            writer[buffer] = index
    return needs


def ranks_of(needs, durations):
    """How long it takes from the start of each operation to the end."""
    ranks = [0] * len(needs)
    for index in reversed(range(len(needs))):
        ranks[index] += durations[index]
        for other in needs[index]:
            ranks[other] = max(ranks[other], ranks[index])
    return ranks


def heads_of(needs, durations):
    """How long it takes until each operation has what it needs."""
    heads = []
    for others in needs:
        heads.append(max((heads[other] + durations[other] for other in others), default=0))
    return heads


def engine_bound(jobs):
    """When an engine that may interrupt its work is done with (head, duration,
    tail), tails included."""
    jobs, ready, time, bound = sorted(jobs, reverse=True), [], 0, 0
    while jobs or ready:
        if not ready:
            time = max(time, jobs[-1][0])
        while jobs and jobs[-1][0] <= time:
            _, duration, tail = jobs.pop()
            heapq.heappush(ready, (-tail, duration))
        tail, duration = heapq.heappop(ready)
        end = min(time + duration, jobs[-1][0]) if jobs else time + duration
        if end < time + duration:
            heapq.heappush(ready, (tail, time + duration - end))
        else:
            bound = max(bound, end - tail)
        time = end
    return bound


def bound_of(operations, needs, durations, ranks):
    """The longest that an engine by itself needs."""
    heads, jobs = heads_of(needs, durations), {}
    for operation, head, duration, rank in zip(operations, heads, durations, ranks):
        for engine in operation.engines:
            jobs.setdefault(engine, []).append((head, duration, rank - duration))
    return max(map(engine_bound, jobs.values()))


def list_schedule(operations, needs, durations, ranks):
    """The engine takes what can start first, and of that the highest rank."""
    ends, free, left = {}, {}, set(range(len(operations)))
    while left:
        choices = []
        for index in left:
            if all(other in ends for other in needs[index]):
                ready = [ends[other] for other in needs[index]] + [free.get(engine, 0) for engine in operations[index].engines]
                choices.append((max(ready, default=0), -ranks[index], index))
        start, _, index = min(choices)
        ends[index] = start + durations[index]
        for engine in operations[index].engines:
            free[engine] = ends[index]
        left.remove(index)
    return max(ends.values())


def measure(bin, source, inputs):
    timeline = run(bin, source, inputs)
    operations = parse(call([os.path.join(bin, "hetero-opt"), "--hetero-pipeline=stop-after=bufferized"], source))
    if len(operations) != len(timeline["operations"]):
        raise RuntimeError(f"{len(operations)} operations in the IR, but {len(timeline['operations'])} ran")
    known = durations_of(timeline)
    durations = [known[operation.key] for operation in operations]
    needs = needs_of(operations)
    ranks = ranks_of(needs, durations)
    busiest = max(engines[name] for engines in timeline["devices"] for name in ("compute", "copy_in", "copy_out"))
    serial = sum(entry["end"] - entry["start"] for entry in timeline["operations"])
    simple = max(busiest, *ranks)
    bound = max(simple, bound_of(operations, needs, durations, ranks))
    return Result(timeline["makespan"], simple, bound, list_schedule(operations, needs, durations, ranks), serial)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", default="", help="only programs whose name contains this")
    parser.add_argument("--bin", default=os.path.join(ROOT, "build", "release", "bin"), help="folder of hetero-opt and hetero-run")
    parser.add_argument("--limit", type=float, help="fail where makespan / bound is above this")
    options = parser.parse_args()
    print("| program | simple bound, us | bound, us | makespan / bound | list schedule / bound | makespan / serial |")
    print("|---|--:|--:|--:|--:|--:|")
    failed = []
    for name, (inputs, source) in PROGRAMS.items():
        if options.only not in name:
            continue
        result = measure(options.bin, source, inputs)
        ratio, reachable = result.makespan / result.bound, result.listed / result.bound
        times = f"{result.simple / 1e6:.0f} | {result.bound / 1e6:.0f}"
        print(f"| {name} | {times} | {ratio:.3f} | {reachable:.3f} | {result.makespan / result.serial:.3f} |", flush=True)
        if options.limit and ratio > options.limit:
            failed.append(name)
    for name in failed:
        print(f"{name}: above {options.limit}", file=sys.stderr)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
