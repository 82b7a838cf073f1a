#!/usr/bin/env python3
"""Compares the times in traces, reports and profiles with an outside clock, on programs that mix devices.

  benchmarks/times/run.py
  benchmarks/times/run.py --only=loop --calls=9

The outside clock is not the runtime's: the wall around a call, a library between the
program and the runtime that takes down when each of the runtime's calls began and ended
(clock.c), and the emulator's own account of when its streams' threads ran what
(timeline=FILE). What is compared, as the median over several calls of the ratio of the
same call's times:

  call          all spans of the trace together, overlaps once, and the wall
  host          host regions, and what passes between the runtime's calls
  waits         waits and what they move to its place, and the calls that wait
  copying       what the host does to copy, and the calls that copy
  copies        copies, and those of the emulator
  kernels       kernels, and those of the emulator
  report        of host regions, copies and kernels the report's sums
  profile       of host regions and kernels the times of a measured run, each the shortest

A time of less than a millisecond is not judged. A program that is off is measured again,
twice at most: another process may come between two clocks. Exits with 1 if a ratio is
further from 1 than the tolerance.
"""

import argparse
import ctypes
import json
import os
import statistics
import subprocess
import sys
import tempfile
from collections import defaultdict, namedtuple

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
LEAST = 1e-3
COLUMNS = [
    "call", "host", "waits", "copying", "copies", "kernels",
    "report: host", "report: copies", "report: kernels", "profile: host", "profile: kernels",
]

Call = namedtuple("Call", "kind name begin end")


class Entry(ctypes.Structure):
    _fields_ = [("kind", ctypes.c_char), ("name", ctypes.c_char_p), ("begin", ctypes.c_int64), ("end", ctypes.c_int64)]


class Machine:
    """The runtime, the emulator and the outside clock of this process."""

    def __init__(self, lib):
        self.runtime = ctypes.CDLL(os.path.join(lib, "libhetero_runtime.so"))
        self.emulator = ctypes.CDLL(os.path.join(lib, "libhetero_cuda_emulator.so"))
        self.clock = ctypes.CDLL(os.environ["LD_PRELOAD"])
        for library, function in ((self.runtime, "heteroReport"), (self.runtime, "heteroTraceJSON"), (self.emulator, "heteroEmulatorTimeline")):
            getattr(library, function).restype = ctypes.c_void_p
        self.runtime.heteroFreeString.argtypes = [ctypes.c_void_p]
        self.clock.outsideNow.restype = ctypes.c_int64
        self.clock.outsideCalls.restype = ctypes.POINTER(Entry)
        self.seen = 0

    def now(self):
        return self.clock.outsideNow()

    def read(self, library, function):
        text = getattr(library, function)()
        content = json.loads(ctypes.string_at(text))
        self.runtime.heteroFreeString(text)
        return content

    def calls(self):
        count = ctypes.c_int32()
        entries = self.clock.outsideCalls(ctypes.byref(count))
        return [Call(e.kind.decode(), e.name.decode(), e.begin, e.end) for e in entries[: count.value]]

    def operations(self):
        """Those of the emulator since this was asked last, in the order of their calls; seconds."""
        operations = self.read(self.emulator, "heteroEmulatorTimeline")["operations"]
        new, self.seen = operations[self.seen :], len(operations)
        return [(each["kind"], (each["end"] - each["start"]) * 1e-12) for each in new]

    def begin(self):
        self.runtime.heteroResetReport()
        self.clock.outsideClear()
        self.operations()


def seconds_of(calls, kinds):
    return sum(call.end - call.begin for call in calls if call.kind in kinds) * 1e-9


def regions_of(calls):
    """(name, seconds) of each host region, by what passes between the runtime's calls in it."""
    regions, name, start, total = [], None, 0, 0
    for call in calls:
        if name is not None and call.kind in "BRECLOW":
            total += call.begin - start
            start = call.end
            if call.kind in "BRE":
                regions.append((name, total * 1e-9))
                name = None
        if call.kind == "B":
            name, start, total = call.name, call.end, 0
    return regions


def host_of(calls):
    """Seconds between the runtime's calls, allocations of a region being the region's."""
    total, last, inside = 0, None, False
    for call in calls:
        if call.kind == "A" and inside:
            continue
        if last is not None:
            total += call.begin - last
        last = call.end if call.kind != "E" else None
        inside = call.kind == "B" or (inside and call.kind not in "RE")
    return total * 1e-9


def union(spans):
    total, end = 0.0, float("-inf")
    for begin, duration in sorted((span["ts"], span["dur"]) for span in spans):
        total += max(0.0, begin + duration - max(begin, end))
        end = max(end, begin + duration)
    return total * 1e-6


def is_within(span, origin, windows):
    middle = origin + (span["ts"] + span["dur"] / 2) * 1e3
    return any(call.begin <= middle <= call.end for call in windows)


def spans_within(spans, origin, calls, kinds):
    windows = [call for call in calls if call.kind in kinds]
    return sum(span["dur"] for span in spans if is_within(span, origin, windows)) * 1e-6


def trace_call(machine, program, arguments):
    """One call with a trace: (inside, outside) by column."""
    machine.begin()
    origin = machine.now()
    machine.runtime.heteroTrace(1)
    begin = machine.now()
    program(*arguments)
    wall = (machine.now() - begin) * 1e-9
    trace = machine.read(machine.runtime, "heteroTraceJSON")["traceEvents"]
    machine.runtime.heteroTrace(0)
    report, calls, operations = machine.read(machine.runtime, "heteroReport"), machine.calls(), machine.operations()
    spans = [event for event in trace if event["ph"] == "X"]
    threads = {(e["pid"], e["tid"]): e["args"]["name"] for e in trace if e["ph"] == "M" and e["name"] == "thread_name"}

    def total(*categories):
        return sum(span["dur"] for span in spans if span["cat"] in categories) * 1e-6

    def is_first(span):
        """Of a copy between devices the row of the target."""
        return span["pid"] != 1 and not (threads[span["pid"], span["tid"]].startswith("copy out") and span["args"]["to"] != "cpu:0")

    on_thread = [span for span in spans if span["pid"] == 1 and span["cat"] != "region"]
    copies = sum(span["dur"] for span in spans if span["cat"] == "copy" and is_first(span)) * 1e-6
    kernels_outside = sum(seconds for kind, seconds in operations if kind == "kernel")
    copies_outside = sum(seconds for kind, seconds in operations if kind != "kernel")
    busy = {entry["device"]: entry.get("busy_seconds", 0) for entry in report["devices"]}
    copied = sum(copy.get("seconds", 0) for copy in report["copies"] if copy["from"] != copy["to"] or copy["from"] != "cpu:0")
    return {
        "call": (union(spans), wall),
        "host": (total("region"), host_of(calls)),
        "waits": (spans_within(on_thread, origin, calls, "WE"), seconds_of(calls, "WE")),
        "copying": (spans_within(on_thread, origin, calls, "C"), seconds_of(calls, "C")),
        "copies": (copies, copies_outside),
        "kernels": (total("kernel"), kernels_outside),
        "report: host": (busy.get("cpu:0", 0), host_of(calls)),
        "report: copies": (copied, copies_outside),
        "report: kernels": (sum(seconds for name, seconds in busy.items() if name != "cpu:0"), kernels_outside),
    }


def shortest(pairs):
    least = {}
    for name, seconds in pairs:
        least[name] = min(seconds, least.get(name, seconds))
    return sum(least.values())


def profile(machine, program, arguments, count):
    """Several calls of which times are taken one after the other."""
    machine.begin()
    machine.runtime.heteroMeasure(1)
    for _ in range(count):
        program(*arguments)
    report, calls, operations = machine.read(machine.runtime, "heteroReport"), machine.calls(), machine.operations()
    machine.runtime.heteroMeasure(0)
    launches = [call.name for call in calls if call.kind == "L"]
    kernels = [seconds for kind, seconds in operations if kind == "kernel"]
    assert len(launches) == len(kernels), (len(launches), len(kernels))
    inside = defaultdict(float)
    for entry in report["devices"]:
        for key in ("regions", "kernels"):
            inside[key] += sum(work.get("seconds", 0) for work in entry.get(key, []))
    return {
        "profile: host": (inside["regions"], shortest(regions_of(calls))),
        "profile: kernels": (inside["kernels"], shortest(zip(launches, kernels))),
    }


def measure(machine, program, arguments, count):
    """The ratio of each column; none where there is too little."""
    rows = [trace_call(machine, program, arguments) for _ in range(count)]
    times = {column: [row[column] for row in rows] for column in rows[0]}
    times.update({column: [pair] for column, pair in profile(machine, program, arguments, 2 * count).items()})
    ratios = {}
    for column, pairs in times.items():
        if statistics.median(max(pair) for pair in pairs) >= LEAST:
            ratios[column] = statistics.median(inside / max(outside, 1e-9) for inside, outside in pairs)
    return ratios, statistics.median(pair[1] for pair in times["call"])


def run_all(options):
    import numpy as np

    import hetero
    from programs import PROGRAMS

    machine = Machine(options.lib)
    print("| program | ms | " + " | ".join(COLUMNS) + " |\n|---|--:|" + "--:|" * len(COLUMNS), flush=True)
    failures, worst = 0, 0.0
    random = np.random.default_rng(1)
    for number, (title, source) in enumerate(PROGRAMS.items()):
        if not any(part in title for part in options.only.split(",")):
            continue
        # A name that was loaded before would be that library again.
        path = os.path.join(os.environ["OUTSIDE_FOLDER"], f"program{number}.so")
        hetero.compile(source.text).save(path)
        program = hetero.load(path)
        arguments = [
            random.uniform(0, 0.1, each).astype(np.float32) if isinstance(each, tuple) else each for each in source.arguments
        ]
        # What is done once: modules, pinned memory, pages, graphs.
        for _ in range(2):
            program(*arguments)
        for _ in range(3):
            ratios, wall = measure(machine, program, arguments, options.calls)
            off = [column for column, ratio in ratios.items() if abs(ratio - 1) > options.tolerance]
            if not off:
                break
        failures += bool(off)
        worst = max([worst, *(abs(ratio - 1) for ratio in ratios.values())])
        cells = [f"{ratios[column]:.3f}" if column in ratios else "" for column in COLUMNS]
        print(f"| {title} | {wall * 1e3:.1f} | " + " | ".join(cells) + " |" + (f" off: {', '.join(off)}" if off else ""), flush=True)
    print(f"{failures} programs are off by more than {options.tolerance:.0%}; the largest difference is {worst:.1%}")
    return 1 if failures else 0


def restart(options, arguments):
    """This script with the outside clock preloaded, on the emulator."""
    with tempfile.TemporaryDirectory() as folder:
        clock = os.path.join(folder, "clock.so")
        source = os.path.join(ROOT, "benchmarks", "times", "clock.c")
        subprocess.run(["cc", "-O2", "-shared", "-fPIC", f"-I{ROOT}/include", source, "-o", clock, "-ldl"], check=True)
        environment = {
            **os.environ,
            "LD_PRELOAD": clock,
            "OUTSIDE_FOLDER": folder,
            "OUTSIDE_RUNTIME": os.path.join(options.lib, "libhetero_runtime.so"),
            "HETERO_LIBRARY": os.path.join(options.lib, "libhetero.so"),
            "HETERO_CUDA_DRIVER": "emulator",
            "HETERO_EMULATOR": f"devices=2,timeline={folder}/timeline.json",
            "PYTHONPATH": os.path.join(ROOT, "python"),
        }
        return subprocess.run([sys.executable, os.path.abspath(__file__), *arguments], env=environment).returncode


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--calls", type=int, default=7, help="how often each program is called")
    parser.add_argument("--tolerance", type=float, default=0.05)
    parser.add_argument("--only", default="", help="programs whose name has one of these parts")
    parser.add_argument("--lib", default=os.path.join(ROOT, "build", "release", "lib"), help="folder of libhetero")
    options = parser.parse_args()
    return run_all(options) if "OUTSIDE_FOLDER" in os.environ else restart(options, sys.argv[1:])


if __name__ == "__main__":
    sys.exit(main())
