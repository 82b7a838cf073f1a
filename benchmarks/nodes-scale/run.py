#!/usr/bin/env python3
"""Compiles two programs for many nodes, as far as their schedule and the program
of a node: a large network in stages, one on each node, that several requests run
through, and a small network that each node has, with requests of its own. Rules
say which node does what; with --free cost places a part of the stages. Prints
the time of each phase and the makespan that the schedule has by the times of the
topology, against the bound: the longest of what each engine and each link has to
do, with what comes before and after.

  benchmarks/nodes-scale/run.py
  benchmarks/nodes-scale/run.py --nodes=8,64 --only=pipeline --most=1.05
"""

import argparse
import os
import re
import subprocess
import sys
import tempfile
import time

import programs

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
# The columns of the table, and the passes that each adds up.
PHASES = {
    "parse": ("Parser",),
    "annotate": ("AnnotatePass",),
    "place": ("PlacePass",),
    "copies": ("MaterializeCopiesPass", "OptimizeCopiesPass", "BatchCopiesPass"),
    "partition": ("PartitionPass",),
    "code": ("CodegenPass",),
    "buffers": ("BufferizePass", "RouteCopiesPass"),
    "schedule": ("SchedulePass",),
    "split": ("SplitByNodePass",),
}


def make(kind, nodes, requests):
    if kind == "pipeline":
        return programs.pipeline(nodes, requests)
    return programs.serving(nodes)


def write(folder, name, text):
    path = os.path.join(folder, name)
    with open(path, "w") as file:
        file.write(text)
    return path


def compile_program(options, folder, kind, nodes, free):
    """The seconds of each pass, and the makespan and the bound in picoseconds."""
    model = write(folder, "model.mlir", make(kind, nodes, options.requests))
    rules = write(folder, "rules.yaml", programs.rules(nodes, free))
    topology = write(folder, "machine.topology", programs.topology(nodes))
    pipeline = f"rules={rules} topology={topology} {options.pipeline}"
    command = [os.path.join(options.bin, "hetero-opt"), model, f"--hetero-pipeline={pipeline}",
               "--mlir-timing", "--mlir-timing-display=list", "--mlir-disable-threading",
               "--verify-each=0", "--remarks-filter=hetero-schedule", "-o", os.devnull]
    if options.split != "none":
        command.append("--hetero-split-by-node" + ("" if options.split == "all" else f"=node={options.split}"))
    start = time.monotonic()
    done = subprocess.run(command, capture_output=True, text=True, timeout=options.timeout)
    wall = time.monotonic() - start
    if done.returncode != 0:
        sys.exit(f"{kind} of {nodes} nodes: {done.stderr[-2000:]}")
    seconds = {}
    for line in done.stderr.splitlines():
        row = re.match(r"\s*([0-9.]+) \(\s*[0-9.]+%\)\s+(\S+)", line)
        if row:
            seconds[row[2]] = seconds.get(row[2], 0.0) + float(row[1])
    times = re.search(r"bound_ps=(\d+), makespan_ps=(\d+)", done.stderr)
    if not times:
        sys.exit(f"{kind} of {nodes} nodes: no remark of the schedule\n{done.stderr[-2000:]}")
    return seconds, wall, int(times[2]), int(times[1])


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bin", default=os.path.join(ROOT, "build", "release", "bin"))
    parser.add_argument("--nodes", default="64,1024")
    parser.add_argument("--only", choices=["pipeline", "serving"])
    parser.add_argument("--requests", type=int, default=16, help="that run through a pipeline")
    parser.add_argument("--free", type=float, default=0.0, help="part of the stages that no rule places")
    parser.add_argument("--split", default="0", help="node whose program is made, all, or none")
    parser.add_argument("--pipeline", default="stop-after=scheduled", help="more options of --hetero-pipeline")
    parser.add_argument("--most", type=float, help="fail where the makespan is more than this of the bound")
    parser.add_argument("--timeout", type=float, default=600)
    options = parser.parse_args()
    columns = list(PHASES)
    print(f"| program | nodes | {' | '.join(columns)} | all passes | makespan | of the bound |")
    print("|" + "---|" * (len(columns) + 5))
    failed = False
    for kind in ("pipeline", "serving"):
        if options.only not in (None, kind):
            continue
        for nodes in map(int, options.nodes.split(",")):
            with tempfile.TemporaryDirectory() as folder:
                seconds, wall, makespan, bound = compile_program(options, folder, kind, nodes, options.free)
            cells = [f"{sum(seconds.get(name, 0.0) for name in PHASES[column]):.2f} s" for column in columns]
            print(f"| {kind} | {nodes} | {' | '.join(cells)} | {wall:.1f} s | {makespan * 1e-9:.2f} ms | "
                  f"{makespan / bound:.3f} |", flush=True)
            failed |= options.most is not None and makespan > options.most * bound
    if failed:
        sys.exit(f"a makespan is more than {options.most} of its bound")


if __name__ == "__main__":
    main()
