"""Finds the tests that run programs and records each run of hetero-run in them:
so what they generate, and every placement that they try, is recorded too."""

import glob
import json
import os
import re
import subprocess
import sys
from collections import namedtuple

from run_tests import LIT, ROOT

# `options` are of the compiler, `values` pairs of the run.
Run = namedtuple("Run", "test model options values")

# What a run says of the emulator's clock, log and checks has no meaning on a
# device; what makes it fail or slow, and wrong libraries, have none either.
ONLY_EMULATED = re.compile(r"fail=|memory=|HETERO_FAKE_(OFFSET|STATUS|BLAS_OFFSET)")


def executes(path):
    """Whether a test runs programs, itself or by a script beside it."""
    with open(path, errors="replace") as file:
        text = file.read()
    runs = "\n".join(re.findall(r"(?:RUN|DEFINE): (.*)", text))
    if "hetero-run " in runs:
        return True
    for script in re.findall(r"%S/([\w./-]+\.py)", runs):
        beside = os.path.join(os.path.dirname(path), script)
        if os.path.isfile(beside):
            with open(beside) as file:
                if '"hetero-run"' in file.read():
                    return True
    return False


def find_tests(build):
    """The tests' names in the folder that lit runs them in."""
    tests = []
    for folder in ("Codegen", "Conversion", "Dialect", "Examples", "Integration", "Pipelines"):
        for path in glob.glob(os.path.join(ROOT, "test", folder, "**", "*.*"), recursive=True):
            if path.endswith((".mlir", ".test")) and "/Inputs/" not in path and executes(path):
                tests.append(os.path.join(build, os.path.relpath(path, ROOT)))
    return sorted(tests)


def record(build, folder, jobs, every):
    """Runs each `every`th test and records it; prints the output of lit when one failed."""
    os.makedirs(os.path.join(folder, "bin"), exist_ok=True)
    wrapper = os.path.join(folder, "bin", "hetero-run")
    script = os.path.join(ROOT, "scripts", "lib", "gpu_check_record.py")
    with open(wrapper, "w") as file:
        file.write(f'#!/bin/sh\nexec /usr/bin/python3 -S -E "{script}" "$@"\n')
    os.chmod(wrapper, 0o755)
    env = {**os.environ, "HETERO_RECORDED_RUNS": folder, "HETERO_RECORDED_TOOL": os.path.join(build, "bin", "hetero-run")}
    done = subprocess.run([LIT, "-sv", "-j", str(jobs), *find_tests(build)[::every]], env=env, capture_output=True, text=True)
    if done.returncode:
        print("note: some tests failed; their runs before that are recorded\n" + done.stdout[-4000:], file=sys.stderr)


def read_runs(folder):
    """The recorded runs that mean something on a device, in a fixed order."""
    runs = []
    for path in sorted(glob.glob(os.path.join(folder, "*.run.json"))):
        with open(path) as file:
            test, model, options, values, settings = json.load(file)
        if ONLY_EMULATED.search(" ".join(f"{name}={value}" for name, value in settings.items())):
            continue
        # A program with a state has other results after more calls.
        values = [pair for pair in values if pair[0] in ("input", "expected", "entry", "rtol", "atol", "time")]
        runs.append(Run(test, model, options, values))
    unique = {json.dumps(run): run for run in runs}
    return sorted(unique.values(), key=lambda run: (run.test, json.dumps(run)))
