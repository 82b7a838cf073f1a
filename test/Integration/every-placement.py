#!/usr/bin/env python3
"""Runs the cases of a program under every kind of placement: all on the CPU, all
on a GPU, by cost, and at random. Each must give the expected results.

  every-placement.py FILE.mlir [--randoms N]
  every-placement.py FILE.mlir --build build/dev

With a build directory, a program is compiled once for each placement and not once
for each case too, which takes a tenth of the time if it has many. Its functions must
all compile, and cases have no options.

A case is a comment of the program that names an entry point, the inputs and the
expected results as hetero-run takes them; further options of hetero-run may
stand among the inputs:

  // CASE: main 4xf32=1 4xf32=iota -> 4xf32=1,2,3,4
"""

import argparse
import itertools
import os
import re
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "Inputs"))
from library_cases import Library, Value, load_runtime  # noqa: E402


def read_cases(text):
    """Yields (entry, options of hetero-run) for each case."""
    for line in re.findall(r"^// CASE: (.*)$", text, re.M):
        left, arrow, right = line.partition(" -> ")
        words = left.split()
        if not arrow or not words:
            raise SystemExit(f"expected 'CASE: ENTRY INPUT... -> RESULT...', got '{line}'")
        options = [word if word.startswith("--") else f"--input={word}" for word in words[1:]]
        options += [f"--expected={word}" for word in right.split()]
        yield words[0], options


def keep_entry(text, entry):
    """The program without the other public functions, which need not compile."""
    functions = re.compile(r"^func\.func @(\w+)\(.*?^\}\n", re.M | re.S)
    return functions.sub(lambda found: found.group() if found.group(1) == entry else "", text)


def run(command, text):
    return subprocess.run(command, input=text, capture_output=True, text=True)


def pin_randomly(text, seed):
    """The program with every operation on one of two devices, as the first passes
    leave it: a device has no signs of integers, for example."""
    passes = ["--hetero-erase-signedness", "--hetero-lower-frontend-ops"]
    option = f"--test-hetero-pin-randomly=seed={seed} devices=cpu:0,gpu:0 min-share=0"
    done = run(["hetero-opt-test-passes", "-", *passes, option], text)
    if done.returncode:
        raise SystemExit(f"seed {seed} cannot be pinned:\n{done.stderr}")
    return done.stdout


def place(text, randoms):
    """Lists (name, program, options of hetero-run) for each placement."""
    placements = [("cpu", text, ["--rules={default: cpu}"]), ("gpu", text, ['--rules={default: "gpu:0"}'])]
    placements.append(("cost", text, []))
    for seed in range(1, randoms + 1):
        placements.append((f"seed {seed}", pin_randomly(text, seed), []))
    return placements


def run_each(text, cases, randoms):
    """Yields (case's name, what is wrong) of cases that are compiled one by one."""
    for entry, group in itertools.groupby(cases, key=lambda case: case[0]):
        placements = place(keep_entry(text, entry), randoms)
        for (_, options), (name, program, rules) in itertools.product(group, placements):
            done = run(["hetero-run", "-", f"--entry={entry}", *options, *rules], program)
            wrong = f"exit status {done.returncode}\n{done.stdout}{done.stderr}" if done.returncode else ""
            yield f"{entry}, {name}", wrong


def run_together(text, cases, randoms, build):
    """The same of cases in one library for each placement."""
    runtime = load_runtime(os.path.join(build, "lib"))

    def values(options, kind):
        return [Value(word.partition("=")[2]) for word in options if word.startswith(kind)]

    with tempfile.TemporaryDirectory() as folder:
        for name, program, rules in place(text, randoms):
            library = Library(os.path.join(build, "bin", "hetero-compile"), program, rules, folder)
            if library.error:
                yield name, library.error
                continue
            for entry, options in cases:
                yield f"{entry}, {name}", library.call(runtime, entry, values(options, "--input"), values(options, "--expected"))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("--randoms", type=int, default=5, help="random placements; half of them without HETERO_FULL_TESTS")
    parser.add_argument("--build", help="build directory with bin and lib")
    arguments = parser.parse_args()
    with open(arguments.program) as file:
        text = file.read()
    cases = list(read_cases(text))
    if not cases:
        raise SystemExit(f"{arguments.program} has no case")
    randoms = arguments.randoms if os.environ.get("HETERO_FULL_TESTS") else (arguments.randoms + 1) // 2
    if arguments.build:
        outcomes = run_together(text, cases, randoms, arguments.build)
    else:
        outcomes = run_each(text, cases, randoms)
    passed = failed = 0
    for name, wrong in outcomes:
        passed += not wrong
        failed += bool(wrong)
        if wrong:
            print(f"{name}: {wrong}", flush=True)
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
