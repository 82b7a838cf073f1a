#!/usr/bin/env python3
"""Measures annotate, place, materialize-copies and optimize-copies on generated
modules, each against upstream's canonicalize of the same module, in time and
in peak memory, how the passes grow, and how far the cost is from its lower
bound where that is not proven to be the optimum. With --compare instead: on a
chain whose operations alternate between two devices, against a copy before each
use whose duplicates upstream's cse and canonicalize remove. Prints tables.

  benchmarks/placement/run.py
  benchmarks/placement/run.py --compare
  benchmarks/placement/run.py --ops 1000,10000 --only chain
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
from collections import namedtuple

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
PASSES = {
    "annotate": ("--hetero-annotate", "AnnotatePass"),
    "place": ("--hetero-place", "PlacePass"),
    "materialize": ("--hetero-materialize-copies", "MaterializeCopiesPass"),
    "optimize": ("--hetero-optimize-copies", "OptimizeCopiesPass"),
}
# What systems do that place nothing and put a copy before each use.
EACH_USE = {
    "annotate": ("--hetero-annotate", "AnnotatePass"),
    "place": ("--hetero-place=placement=annotated-only", "PlacePass"),
    "copy each use": ("--test-hetero-copy-each-use", "CopyEachUsePass"),
    "cse": ("--cse", "CSE"),
    "canonicalize": ("--canonicalize", "Canonicalizer"),
}
# Seconds of the pass of another system on such a chain of 100,000 operations,
# as reported of it: measured elsewhere, on another machine and another program.
# It leaves duplicates, unlike both ways here.
REPORTED_OPS, REPORTED_SECONDS = 100000, 3.2
TWO = "cpu:0,gpu:0"
THREE = TWO + ",gpu:1"
FOUR = THREE + ",gpu:2"

Row = namedtuple("Row", "shape costs pins devices")
Sample = namedtuple("Sample", "seconds memory")


def all_rows():
    """The rows of the table: each shape with each distribution of costs."""
    rows = []
    for shape in ("chain", "dag", "fan-out", "nested"):
        rows.append(Row(shape, "uniform", "half", TWO))
        for costs in ("uniform", "clear", "near-tied"):
            rows.append(Row(shape, costs, "none", TWO))
    rows.append(Row("chain", "alternating", "none", TWO))
    rows.append(Row("chain", "alternating", "alternating", TWO))
    for devices in (THREE, FOUR):
        for shape in ("chain", "dag", "nested"):
            rows.append(Row(shape, "uniform", "half", devices))
            rows.append(Row(shape, "uniform", "none", devices))
        rows.append(Row("dag", "near-tied", "none", devices))
    return rows


def describe(row):
    pins = {"none": "no pins", "half": "half pinned", "alternating": "all pinned in turn"}[row.pins]
    return f"{row.shape}, {row.costs}, {pins}, {row.devices.count(',') + 1} devices"


def find_rows(node, seconds):
    """Adds up the rows of a timing report by name."""
    if isinstance(node, list):
        for child in node:
            find_rows(child, seconds)
    elif "name" in node:
        seconds[node["name"]] = seconds.get(node["name"], 0.0) + node["wall"]["duration"]
        find_rows(node.get("passes", []), seconds)


def command_of(tool, row, ops, passes):
    generate = f"--test-hetero-generate=shape={row.shape} costs={row.costs} pins={row.pins} devices={row.devices} ops={ops}"
    return [tool, generate, *passes, "--verify-each=0", "--mlir-disable-threading"]


def run_once(tool, row, ops, passes, limit):
    """Runs passes on a generated module; their timing rows and peak memory."""
    command = command_of(tool, row, ops, [*passes, "--test-hetero-drop"])
    command += ["--mlir-timing", "--mlir-output-format=json", "-o", os.devnull]
    with tempfile.TemporaryFile() as source, tempfile.TemporaryFile() as report:
        source.write(b"module {}")
        source.seek(0)
        # Not subprocess.run: the resources of this one child are wanted.
        child = subprocess.Popen(["timeout", str(limit), *command], stdin=source, stderr=report)
        _, status, usage = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
        report.seek(0)
        text = report.read().decode(errors="replace")
    if child.returncode:
        why = f"stopped after {limit} s" if child.returncode == 124 else f"exit status {child.returncode}"
        raise RuntimeError(f"{describe(row)}, {ops} ops: {why}\n{' '.join(command)}\n{text}")
    seconds = {}
    find_rows(json.loads(text), seconds)
    return Sample(seconds, usage.ru_maxrss)


def fastest(samples, names):
    """The fastest of several runs, pass by pass, since others use the machine."""
    seconds = {name: min(sample.seconds[name] for sample in samples) for name in names}
    return Sample(seconds, min(sample.memory for sample in samples))


def repeats(ops, options):
    return options.repeat or max(1, min(5, 500000 // ops))


def run(tool, row, ops, passes, names, options):
    return fastest([run_once(tool, row, ops, passes, options.timeout) for _ in range(repeats(ops, options))], names)


def measure_sizes(tool, row, sizes, options):
    """One module at every size. The sizes take turns, so that all of them meet
    what else the machine does: growth compares them."""
    ours, theirs = ({ops: [] for ops in sizes} for _ in range(2))
    for turn in range(max(repeats(ops, options) for ops in sizes)):
        for ops in sizes:
            if turn < repeats(ops, options):
                ours[ops].append(run_once(tool, row, ops, [flag for flag, _ in PASSES.values()], options.timeout))
                theirs[ops].append(run_once(tool, row, ops, ["--canonicalize"], options.timeout))
    return [compare_with_canonicalize(row, ops, ours[ops], theirs[ops]) for ops in sizes]


def compare_with_canonicalize(row, ops, ours, theirs):
    ours = fastest(ours, [name for _, name in PASSES.values()])
    theirs = fastest(theirs, ["Canonicalizer"])
    result = {"module": describe(row), "ops": ops, "canonicalize": theirs.seconds["Canonicalizer"]}
    for name, (_, timing) in PASSES.items():
        result[name] = ours.seconds[timing]
    result["sum"] = sum(result[name] for name in PASSES)
    result["all but place"] = result["sum"] - result["place"]
    result["time ratio"] = result["sum"] / max(result["canonicalize"], 1e-4)
    result["memory ratio"] = ours.memory / theirs.memory
    return result


def print_header():
    print("| module | ops | canonicalize | " + " | ".join(PASSES) + " | sum / canonicalize | peak memory / canonicalize |")
    print("|---|--:|" + "--:|" * (len(PASSES) + 3), flush=True)


def print_result(result):
    times = " | ".join(f"{result[name]:.4f}" for name in ("canonicalize", *PASSES))
    print(
        f"| {result['module']} | {result['ops']} | {times} | {result['time ratio']:.2f} | {result['memory ratio']:.2f} |",
        flush=True,
    )


def print_growth(results):
    """How often longer each pass takes from one size to the next, and all that
    do not solve together. Passes of a few milliseconds are left out: the clock
    has a tenth of one."""
    columns = ["canonicalize", "all but place", *PASSES]
    by_module = {}
    for result in results:
        by_module.setdefault(result["module"], []).append(result)
    print("\ngrowth of the time, per 10x of the operations, where a pass takes 5 ms at least\n")
    print("| module | from | to | " + " | ".join(columns) + " |")
    print("|---|--:|--:|" + "--:|" * len(columns))
    for module, sizes in by_module.items():
        for small, large in zip(sizes, sizes[1:]):
            factor = large["ops"] / small["ops"] / 10
            cells = [
                f"{large[name] / small[name] / factor:.1f}" if small[name] >= 0.005 else "-"
                for name in columns
            ]
            if any(cell != "-" for cell in cells):
                print(f"| {module} | {small['ops']} | {large['ops']} | {' | '.join(cells)} |")


def attempt(measure_rows, print_one, row, ops, options, failures):
    """Rows of a table: a list of their results, empty where that fails."""
    try:
        results = measure_rows(options.tool, row, ops, options)
    except (RuntimeError, KeyError) as error:
        failures.append(str(error))
        print(f"| {describe(row)} | {ops} | failed |", flush=True)
        return []
    for result in results:
        print_one(result)
    return results


def measure_gap(tool, row, ops, options):
    """The place pass with a report, whose bound takes time of its own."""
    with tempfile.TemporaryDirectory() as folder:
        report = os.path.join(folder, "report.json")
        flag = f"--hetero-place=report={report}"
        sample = run_once(tool, row, ops, ["--hetero-annotate", flag], options.timeout)
        with open(report) as file:
            placement = json.load(file)
    return [{"module": describe(row), "ops": ops, "gap": placement["gap"], "optimal": placement["optimal"], "place": sample.seconds["PlacePass"]}]


def print_gap(result):
    proven = "yes" if result["optimal"] else "no"
    print(f"| {result['module']} | {result['ops']} | {100 * result['gap']:.4f} | {proven} | {result['place']:.3f} |", flush=True)


def print_gaps(rows, sizes, options, failures):
    """More than two devices, and costs that make the solver stop early."""
    print("\nthe cost above its lower bound, and place with the bound\n")
    print("| module | ops | gap, % | proven | seconds |")
    print("|---|--:|--:|---|--:|")
    results = []
    for ops in sizes:
        for row in rows:
            if row.devices == TWO and row.costs != "near-tied":
                continue
            results += attempt(measure_gap, print_gap, row, ops, options, failures)
    return results


def count_copies(tool, row, ops, passes, limit):
    """The copies that are left in a generated module."""
    command = command_of(tool, row, ops, passes)
    done = subprocess.run(command, input="module {}", capture_output=True, text=True, timeout=limit, check=True)
    return done.stdout.count("hetero.copy")


def measure_copying(row, ops, passes, options):
    """Seconds of all the passes together, and the copies that they leave."""
    flags = [flag for flag, _ in passes.values()]
    sample = run(options.tool, row, ops, flags, [name for _, name in passes.values()], options)
    return sum(sample.seconds.values()), count_copies(options.tool, row, ops, flags, options.timeout)


def compare(options, sizes):
    """Chains of alternating devices, which leave nothing to decide."""
    row = Row("chain", "alternating", "alternating", TWO)
    ways = {"this project": PASSES, "a copy for each use": EACH_USE}
    for way, passes in ways.items():
        print(f"{way}: {' + '.join(passes)}")
    print(f"\n| {describe(row)} | ops | seconds | / this project | copies |")
    print("|---|--:|--:|--:|--:|", flush=True)
    results = []
    for ops in sizes:
        first = None
        for way, passes in ways.items():
            seconds, copies = measure_copying(row, ops, passes, options)
            first = first or seconds
            print(f"| {way} | {ops} | {seconds:.4f} | {seconds / first:.1f} | {copies} |", flush=True)
            results.append({"way": way, "ops": ops, "seconds": seconds, "copies": copies})
        if ops == REPORTED_OPS:
            print(f"| reported of another system | {ops} | {REPORTED_SECONDS} | {REPORTED_SECONDS / first:.1f} | - |")
    return results


def parse_options():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--ops", help="numbers of operations, by commas; if left out, 1,000 to 1,000,000, with --compare 100,000")
    parser.add_argument("--compare", action="store_true", help="compare with a copy for each use instead")
    parser.add_argument("--only", default="", help="only modules whose name contains this")
    parser.add_argument("--gap-ops", type=int, default=100000, help="the largest number of operations for which gaps are printed")
    parser.add_argument("--repeat", type=int, default=0, help="take the fastest of N runs; if left out, 5 of short ones, 1 of long ones")
    parser.add_argument("--timeout", type=int, default=600, help="seconds for one run")
    parser.add_argument("--tool", default=os.path.join(ROOT, "build", "release", "bin", "hetero-opt-test-passes"), help="hetero-opt with the passes of the tests")
    parser.add_argument("--json", help="write the numbers to this file")
    return parser.parse_args()


def write_json(options, results):
    if options.json:
        with open(options.json, "w") as file:
            json.dump(results, file, indent=1)


def main():
    options = parse_options()
    if not os.path.exists(options.tool):
        print(f"there is no {options.tool}; run scripts/benchmark, which builds it", file=sys.stderr)
        return 2
    ops = options.ops or (str(REPORTED_OPS) if options.compare else "1000,10000,100000,1000000")
    sizes = sorted(int(text) for text in ops.split(","))
    if options.compare:
        write_json(options, compare(options, sizes))
        return 0
    rows = [row for row in all_rows() if options.only in describe(row)]
    results, failures = [], []
    print_header()
    for row in rows:
        results += attempt(measure_sizes, print_result, row, sizes, options, failures)
    print_growth(results)
    gaps = print_gaps(rows, [ops for ops in sizes if ops <= options.gap_ops], options, failures)
    write_json(options, results + gaps)
    for failure in failures:
        print(failure, file=sys.stderr)
    return 1 if failures or not results else 0


if __name__ == "__main__":
    sys.exit(main())
