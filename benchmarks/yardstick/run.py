#!/usr/bin/env python3
"""Places the graphs of Tarnawski et al. (NeurIPS 2020) for an objective, and prints
for each the milliseconds of all on one accelerator, as human experts split the graph,
as hetero-place does, and what nothing is below.

With --cut=1.1 each accelerator has 1.1 times the memory that an equal share of the graph
needs; then the best consecutive slices that fit are printed, too (slices.py).

With --milp=SECONDS a mixed integer linear program is solved beside it (milp.py), as far as
it comes in that time; the bound is the larger one.

With throughput that is how long the busiest device works, computed here from the
devices in the placed module, apart from the compiler. With latency it is when the
last operation ends in the schedule that the certificate has and check-certificate
goes over; those of one device and of experts are schedules by the same scheduler. The
graphs are those of FOLDER/latency-inputs, or if there are none FOLDER/throughput-inputs.

  benchmarks/yardstick/run.py [FOLDER] [--objective=throughput|latency|sum] [--cut=FACTOR] [--only=TEXT]
  benchmarks/yardstick/run.py --pipedream    profiles of PipeDream, against its dynamic program
  benchmarks/yardstick/run.py --page         writes the rows into docs/Performance.md

Fails if a placement is worse than the experts', than one accelerator, than slices or than PipeDream, needs
more memory than there is, or if its certificate does not check.
"""

import argparse
import functools
import glob
import json
import math
import os
import re
import resource
import subprocess
import sys
import tempfile

from graphs import Graph, name_of
from milp import find_exact
from pipedream import Profile, find_stages
from slices import find_slices

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
GRAPHS = os.path.join(os.path.dirname(ROOT), "shared", "graphs", "msr")
PROFILES = os.path.join(ROOT, "benchmarks", "yardstick", "data", "pipedream")
ACCELERATORS = (2, 4, 8, 16)
PAGE = os.path.join(ROOT, "docs", "Performance.md")
BEGIN, END = "<!-- begin: scripts/benchmark yardstick --page -->\n", "<!-- end -->"
BEGIN_LATENCY = "<!-- begin: scripts/benchmark yardstick --objective=latency --page -->\n"
HEAD = "| graph | nodes | one accelerator | experts | {}hetero | {}bound | gap | seconds | certificate |\n"
# Times are rounded to a nanosecond for each copy.
TOLERANCE = 1e-4


def user_seconds():
    return resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime


def place(tool, graph, objective, folder, pins=None):
    """The device of each node, the report, the seconds of the pass and whether the
    certificate checks. Operations with pins have their devices."""
    files = {name: os.path.join(folder, name) for name in ("m.mlir", "profile.yaml", "report.json", "proof.json")}
    for name, text in (("m.mlir", graph.module(pins)), ("profile.yaml", graph.profile())):
        with open(files[name], "w", encoding="utf-8") as file:
            file.write(text)
    options = f"objective={objective} profile={files['profile.yaml']} report={files['report.json']}"
    options += f" certificate={files['proof.json']}"
    before = user_seconds()
    placed = subprocess.run(
        [tool, files["m.mlir"], f"--hetero-place={options}", "--mlir-print-debuginfo", "--mlir-print-local-scope"],
        check=True, capture_output=True, text=True,
    ).stdout
    seconds = user_seconds() - before
    checked = subprocess.run(
        [os.path.join(ROOT, "scripts", "check-certificate"), files["proof.json"]], capture_output=True, text=True
    )
    with open(files["report.json"], encoding="utf-8") as file:
        report = json.load(file)
    return read_devices(graph, placed), report, seconds, checked.returncode == 0


def read_devices(graph, placed):
    """By the names in the locations of the placed operations."""
    devices, device = {}, None
    names = {name_of(node): node for node in graph.nodes}
    for line in placed.splitlines():
        if "linalg.generic" in line:
            device = re.search(r"hetero\.device = #hetero\.device<(\w+:\d+)", line).group(1)
        found = re.search(r'loc\("(node \d+ )"\)', line)
        if found and "}" in line and device:
            devices[names[found.group(1)]], device = device, None
    if len(devices) != len(graph.nodes):
        sys.exit(f"{len(graph.nodes)} nodes, but {len(devices)} are in the placed module")
    return devices


def find_expert(path, folder):
    """The split of this graph of layers, else that of its forward pass."""
    if os.path.basename(os.path.dirname(path)) != "LayerGraphs":
        return None
    name = os.path.basename(path)[: -len(".json")]
    for candidate in (name, name.replace("training", "inference")):
        split = os.path.join(folder, "human-experts", candidate + "_expert.json")
        if os.path.exists(split):
            return split
    return None


class Row:
    """One graph, placed, and what it is compared with: `experts` has the devices of a split by
    hand, `find_reference(price)` the cost of a plain placement, `price` being what the compiler
    says of given devices, None if they do not fit."""

    def __init__(self, name, graph, options, experts=None, find_reference=None):
        tool, objective = options.tool, options.objective
        self.name, self.nodes = name, len(graph.nodes)
        with tempfile.TemporaryDirectory() as place_in:

            def price(pins):
                try:
                    return place(tool, graph, objective, place_in, pins)[1]["cost_seconds"] * 1e3
                except subprocess.CalledProcessError:
                    return None

            devices, report, self.seconds, self.checks = place(tool, graph, objective, place_in)
            self.reference = find_reference and find_reference(price)
            if objective != "throughput" or find_reference:
                on_one = {n: "gpu:0" if node["supportedOnFpga"] else "cpu:0" for n, node in graph.nodes.items()}
                self.ours, self.single = report["cost_seconds"] * 1e3, price(on_one)
                self.expert = price(experts) if experts else None
            else:
                self.single, self.ours = graph.one_accelerator(), max(graph.loads(devices).values())
                self.expert = max(graph.loads(experts).values()) if experts else None
        self.has_reference, self.kind = bool(find_reference), options.reference
        self.bound, self.has_exact = report["lower_bound_seconds"] * 1e3, bool(options.milp)
        if options.milp:
            self.exact, bound = find_exact(graph, objective, options.milp)
            self.bound = max(self.bound, bound)
        self.problems = self._find_problems(graph, devices, report)

    @property
    def gap(self):
        return max(0.0, 1 - self.bound / self.ours)

    def _find_problems(self, graph, devices, report):
        problems = []
        if abs(report["cost_seconds"] * 1e3 / self.ours - 1) > TOLERANCE:
            problems.append(f"the report says {report['cost_seconds'] * 1e3} ms, the placement has {self.ours} ms")
        if self.expert and self.ours > self.expert * (1 + TOLERANCE):
            problems.append("worse than the experts")
        if self.single and self.ours > self.single * (1 + TOLERANCE):
            problems.append("worse than one accelerator")
        if self.reference and self.ours > self.reference * (1 + TOLERANCE):
            problems.append(f"worse than {self.kind}")
        if not self.checks:
            problems.append("the certificate does not check")
        for device, size in graph.sizes(devices).items():
            if not device.startswith("cpu") and size > graph.memory:
                problems.append(f"{device} has {size} of {graph.memory} bytes")
        return problems

    def __str__(self):
        values = (self.single, self.expert, self.reference)
        single, expert, reference = (f"{value:.3f}" if value else "" for value in values)
        reference = f"{reference} | " if self.has_reference else ""
        exact = (f"{self.exact:.3f} | " if self.exact else " | ") if self.has_exact else ""
        return (
            f"| {self.name} | {self.nodes} | {single} | {expert} | {reference}{self.ours:.3f} | {exact}{self.bound:.3f} | "
            f"{100 * self.gap:.2f} % | {self.seconds:.1f} | {'checks' if self.checks else 'FAILS'} |\n"
        )


def mean_gap(rows):
    """What the cost is above the bound, as a geometric mean of their ratios."""
    logs = [math.log(row.ours / row.bound) for row in rows]
    return 100 * (math.exp(sum(logs) / len(logs)) - 1)


def write_page(mark, text):
    with open(PAGE, encoding="utf-8") as file:
        page = file.read()
    begin = page.index(mark) + len(mark)
    end = page.index(END, begin)
    with open(PAGE, "w", encoding="utf-8") as file:
        file.write(page[:begin] + text + page[end:])


def find_graphs(folder, objective):
    inputs = ["latency-inputs"] * (objective == "latency") + ["throughput-inputs"]
    found = (sorted(glob.glob(os.path.join(folder, each, "*", "*.json"))) for each in inputs)
    return next((paths for paths in found if paths), [])


def measure_graphs(options):
    """A row for each graph of Tarnawski et al."""
    paths = [path for path in find_graphs(options.folder, options.objective) if options.only in path]
    if not paths:
        sys.exit(f"no graphs in {options.folder}; name the folder with throughput-inputs and human-experts")
    for path in paths:
        graph, reference = Graph.read(path), None
        if options.cut:
            total = sum(node["size"] for node in graph.nodes.values())
            graph.memory = max(int(options.cut * total / graph.accelerators), 1)
            reference = functools.partial(find_slices, graph, options.objective)
        name = f"{os.path.basename(os.path.dirname(path))[:-len('Graphs')].lower()} "
        name += os.path.basename(path)[: -len(".json")].replace("_", " ")
        split = find_expert(path, options.folder)
        yield Row(name, graph, options, graph.split(split) if split else None, reference)


def measure_profiles(options):
    """A row for each profile of PipeDream and number of accelerators."""
    for path in sorted(glob.glob(os.path.join(PROFILES, "*.txt"))):
        if options.only not in path or path.endswith("LICENSE.txt"):
            continue
        for accelerators in ACCELERATORS:
            graph = Profile(path, accelerators)
            name = f"profile {os.path.basename(path)[: -len('.txt')]}, {accelerators} accelerators"
            yield Row(name, graph, options, None, lambda price, graph=graph: price(find_stages(graph)))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", nargs="?", default=GRAPHS)
    parser.add_argument("--objective", default="throughput", choices=["throughput", "latency", "sum"])
    parser.add_argument("--cut", type=float, help="memory, by an equal share of the graph's sizes")
    parser.add_argument("--pipedream", action="store_true", help="the profiles of PipeDream, for throughput")
    parser.add_argument("--milp", type=float, help="seconds for an exact answer to each graph (asks for scipy)")
    parser.add_argument("--only", default="", help="graphs whose path has this text")
    parser.add_argument("--page", action="store_true", help="write the table into docs/Performance.md")
    parser.add_argument("--tool", default=os.path.join(ROOT, "build", "release", "bin", "hetero-opt"))
    options = parser.parse_args()
    if options.pipedream and (options.cut or options.objective != "throughput"):
        parser.error("PipeDream divides for throughput, without limits of memory")
    if options.milp and (options.pipedream or options.objective == "latency"):
        parser.error("--milp knows the graphs of Tarnawski et al. and has no schedule")
    if options.page and (options.cut or options.milp or options.pipedream or options.objective == "sum"):
        parser.error("the document has no table of that; leave out --page")
    options.reference = "PipeDream" if options.pipedream else "slices" if options.cut else ""
    text = HEAD.format(f"{options.reference} | " if options.reference else "", "milp | " if options.milp else "")
    text += "|" + "---|" * (text.count("|") - 1) + "\n"
    print(text, end="", flush=True)
    rows = []
    for row in measure_profiles(options) if options.pipedream else measure_graphs(options):
        rows.append(row)
        print(row, end="", flush=True)
    for kind in ("layer", "operator", "profile"):
        some = [row for row in rows if row.name.startswith(kind)]
        if some:
            print(f"{kind} graphs: the cost is {mean_gap(some):.2f} % above the bound (geometric mean)")
    if options.page:
        write_page(BEGIN if options.objective == "throughput" else BEGIN_LATENCY, text + "".join(map(str, rows)))
    problems = [f"{row.name}: {problem}" for row in rows for problem in row.problems]
    print("\n".join(problems), end="\n" if problems else "")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
