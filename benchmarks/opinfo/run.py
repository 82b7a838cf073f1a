#!/usr/bin/env python3
"""PyTorch's own table of operations (OpInfo), and random programs, through hetero, against PyTorch.

  benchmarks/opinfo/run.py                       f32: the first two samples of each operation
  benchmarks/opinfo/run.py --dtype uint8
  benchmarks/opinfo/run.py --only 'linalg.*' --samples 9 --verbose
  benchmarks/opinfo/run.py --place gpu:0
  benchmarks/opinfo/run.py --programs 300 --place cpu,gpu:0,split
  benchmarks/opinfo/run.py --package DIR         with the package in DIR, such as that of another commit

An operation is right if all its samples are, on all places. Where PyTorch draws random numbers,
shape and type count. Prints the operations that are not right, and the counts. A random program is
of 5 to 15 operations on integers, truths and floats; the same number is the same program.
"""

import argparse
import collections
import json
import os
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.append(str(ROOT / "benchmarks" / "common"))

import workers

# From the best to the worst; an operation is what the worst of its samples is.
OUTCOMES = ("right", "not exported", "refused", "wrong", "crashed")


def parse():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--dtype", default="float32", help="of PyTorch")
    parser.add_argument("--only", default="", help="a pattern that names match from their start")
    parser.add_argument("--slice", default="0/1", help="I/N: each Nth operation from the Ith on")
    parser.add_argument("--samples", type=int, default=2, help="of each operation, at most")
    parser.add_argument("--place", default="cpu", help="where all operations are: devices, or split for any device, by commas")
    parser.add_argument("--programs", type=int, default=0, help="so many random programs instead of operations")
    parser.add_argument("--package", type=pathlib.Path, default=ROOT / "python", help="the folder that has the package")
    parser.add_argument("--jobs", type=int, default=2, help="processes")
    parser.add_argument("--verbose", action="store_true", help="a line for each sample")
    parser.add_argument("--output", type=pathlib.Path, help="where to write the samples' outcomes, lines of JSON")
    parser.add_argument("--work", help=argparse.SUPPRESS)
    return parser.parse_args()


def serve(options, number, rows):
    """Reads what one worker found."""
    command = [sys.executable, *sys.argv, "--work", f"{number}/{options.jobs}"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as worker:
        for line in worker.stdout:
            row = json.loads(line)
            rows.append(row)
            if options.verbose:
                print(f"{row['sample']}: {row['outcome']} {row['reason']}".rstrip(), flush=True)


def gather(options):
    rows, numbers = [], iter(range(options.jobs))
    workers.run_threads(options.jobs, lambda: serve(options, next(numbers), rows))
    return sorted(rows, key=lambda row: row["sample"])


def summarise(rows):
    """The outcome of each operation, and why."""
    worst = {}
    for row in rows:
        if row["outcome"] == "no reference":
            continue
        name = row["sample"].rsplit("/", 1)[0]
        known = worst.get(name)
        if known is None or OUTCOMES.index(row["outcome"]) > OUTCOMES.index(known["outcome"]):
            worst[name] = row
    return worst


def print_all(options, rows):
    worst = summarise(rows)
    for name, row in worst.items():
        if row["outcome"] != "right":
            print(f"{name}: {row['outcome']}: {row['reason'][:300]}")
    counts = collections.Counter(row["outcome"] for row in worst.values())
    seconds = [row["seconds"] for row in rows if row["outcome"] == "right"]
    print(f"an import takes {sum(seconds) / max(len(seconds), 1):.1f} s on average")
    told = ", ".join(f"{counts[outcome]} {outcome}" for outcome in OUTCOMES[1:])
    what = f"random programs, {options.place}" if options.programs else f"{options.dtype} operations, {options.place}"
    print(f"{what}: {counts['right']} of {len(worst)} right, {told}")
    return 1 if counts["wrong"] or counts["crashed"] else 0


def main():
    options = parse()
    sys.path.insert(0, str(options.package))
    os.environ.setdefault("HETERO_CUDA_DRIVER", "emulator")
    os.environ.setdefault("OMP_NUM_THREADS", "1")
    if options.work:
        import work

        return work.main(options)
    re.compile(options.only)
    rows = gather(options)
    if options.output:
        options.output.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return print_all(options, rows)


if __name__ == "__main__":
    sys.exit(main())
