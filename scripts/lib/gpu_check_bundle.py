#!/usr/bin/env python3
"""Makes the bundle that checks the project on a machine with a GPU.

  scripts/gpu-check [-o gpu-check.tar.xz] [--limit-mb 48] [--every N] [--jobs N]

Records every run of hetero-run in the tests, compiles each recorded program to an
executable with its options, runs it on the emulator, and packs what passes there.
A run without expected results gets those of the emulator. --every N takes each
Nth test file only, and nothing to measure: for a trial of the bundle itself. A
bundle over the limit is made again with every 2nd run, every 3rd, and so on."""

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import threading
from concurrent.futures import ThreadPoolExecutor

import gpu_check_cases as cases
import gpu_check_collect as collect
from gpu_check_programs import Compiler

ROOT = collect.ROOT
SCRIPTS = ["run", "device", "measure", "report"]
PLACED = ("--rules", "--schedule", "--topology", "--profile")


def add_placements(runs):
    """Where a run is as its annotations say, also all the rest of it on the gpu."""
    for run in runs:
        yield run
        if not any(option.startswith(PLACED) for option in run.options):
            yield run._replace(options=[*run.options, '--rules={default: "gpu:0"}'])


def describe(run):
    entry = next((value for name, value in run.values if name == "entry"), "main")
    # Of files that options name, the name is enough.
    options = [re.sub(r"/\S*/", "", option) for option in run.options]
    return " ".join([f"{run.test}:{entry}", *options])


class Bundle:
    """A folder with programs, their inputs and expected results, and a manifest."""

    def __init__(self, folder, build, cache):
        self.folder, self.compiler = folder, Compiler(build, cache)
        # A file is there once, whole, before a program reads it.
        self.lock, self.files = threading.Lock(), set()
        self.driver = os.path.join(build, "lib", "libhetero_cuda_emulator.so")
        for name in ("bin", "data", "lib", "scripts"):
            os.makedirs(os.path.join(folder, name))
        shutil.copy(os.path.join(build, "lib", "libhetero_runtime.so.0"), os.path.join(folder, "lib"))
        subprocess.run(["strip", "--strip-unneeded", os.path.join(folder, "lib", "libhetero_runtime.so.0")], check=True)
        for name in SCRIPTS:
            shutil.copy(os.path.join(ROOT, "scripts", "lib", f"gpu_check_{name}.py"), os.path.join(folder, "scripts"))
        start = os.path.join(folder, "gpu-check")
        with open(start, "w") as file:
            file.write('#!/bin/sh\nexec python3 "$(dirname "$0")/scripts/gpu_check_run.py" "$@"\n')
        os.chmod(start, 0o755)

    def argument(self, name, value):
        """The option of a program; its file goes into the bundle."""
        if value.startswith("@"):
            file = os.path.basename(value[1:])
            with self.lock:
                if file not in self.files:
                    shutil.copy(value[1:], os.path.join(self.folder, "data", file))
                    self.files.add(file)
            value = f"@data/{file}"
        return f"--{name}={value}"

    def run(self, program, arguments):
        command = [os.path.join("bin", program), *arguments]
        env = {"PATH": "/usr/bin:/bin", "HETERO_CUDA_DRIVER": self.driver, "HETERO_EMULATOR": "devices=4"}
        try:
            done = subprocess.run(command, cwd=self.folder, env=env, capture_output=True, text=True, errors="replace", timeout=60)
        except subprocess.TimeoutExpired:
            return None, "takes more than 60 s on the emulator"
        if done.returncode:
            return None, (done.stderr.strip().splitlines() or [f"status {done.returncode}"])[-1]
        return done.stdout, None

    def expect(self, program, arguments, number):
        """The options that expect what the emulator computes."""
        text, reason = self.run(program, arguments)
        if reason:
            return None, reason
        files = [f"data/expected-{number}-{i}.npy" for i in range(text.count("\nresult["))]
        _, reason = self.run(program, [*arguments, *(f"--output={file}" for file in files)])
        return [f"--expected=@{file}" for file in files] + ["--rtol=0.01", "--atol=0.001"], reason

    def add(self, number, run):
        """The manifest's entry of a run, or (its name, why it is left out)."""
        program, reason = self.compiler.compile(run.model, run.options, os.path.join(self.folder, "bin"))
        if reason:
            return None, (describe(run), reason)
        arguments = ["--print-max=0", *(self.argument(*pair) for pair in run.values)]
        more = []
        if any(name == "expected" for name, _ in run.values):
            _, reason = self.run(program, arguments)
        else:
            more, reason = self.expect(program, arguments, number)
        if reason:
            return None, (describe(run), reason)
        return {"name": describe(run), "program": program, "arguments": arguments + more}, None


def spread(entries):
    """One of each test file in turn, so that what a limit cuts off is spread."""
    queues = {}
    for entry in entries:
        queues.setdefault(entry["name"].partition(":")[0], []).append(entry)
    depth = max(map(len, queues.values()), default=0)
    return [queue[i] for i in range(depth) for queue in queues.values() if i < len(queue)]


def record(build, work, jobs, every):
    folder = os.path.join(work, "recorded")
    shutil.rmtree(folder, ignore_errors=True)
    collect.record(build, folder, jobs, every)
    return collect.read_runs(folder)


def fill(options, runs, work):
    """Makes the folder of the bundle; returns it and its manifest."""
    folder = os.path.join(work, "hetero-gpu-check")
    shutil.rmtree(folder, ignore_errors=True)
    bundle = Bundle(folder, options.build, os.path.join(work, "cache"))
    with ThreadPoolExecutor(options.jobs) as pool:
        done = list(pool.map(bundle.add, range(len(runs)), runs))
    manifest = {"tests": spread([entry for entry, _ in done if entry]), "left_out": [left for _, left in done if left], "measured": []}
    if options.every == 1:
        with tempfile.TemporaryDirectory() as models:
            manifest["measured"], more = cases.compile_cases(bundle.compiler, os.path.join(folder, "bin"), models)
        manifest["left_out"] += [line.rsplit(": ", 1) for line in more]
    manifest["revision"] = subprocess.run(["git", "rev-parse", "HEAD"], cwd=ROOT, capture_output=True, text=True).stdout.strip()
    with open(os.path.join(folder, "manifest.json"), "w") as file:
        json.dump(manifest, file, indent=1)
    return folder, manifest


def pack(folder, output):
    with tarfile.open(output, "w:xz") as archive:
        archive.add(folder, os.path.basename(folder))
    return os.path.getsize(output) / 1e6


def parse_options():
    parser = argparse.ArgumentParser(prog="scripts/gpu-check", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("-o", "--output", default="gpu-check.tar.xz")
    parser.add_argument("--build", default=os.path.join(ROOT, "build", "dev"))
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("--limit-mb", type=float, default=48)
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 2)
    return parser.parse_args()


def main():
    options = parse_options()
    work = os.path.join(ROOT, "build", "gpu-check")
    os.makedirs(work, exist_ok=True)
    runs = list(add_placements(record(options.build, work, options.jobs, options.every)))
    if not runs:
        print("scripts/gpu-check: error: no test has run a program; build the project first", file=sys.stderr)
        return 1
    step = 1
    while True:
        folder, manifest = fill(options, runs[::step], work)
        size = pack(folder, options.output)
        if size <= options.limit_mb or step > len(runs):
            break
        step += 1
    for name, reason in manifest["left_out"]:
        print(f"left out: {name}: {reason}")
    print(f"{options.output}: {len(manifest['tests'])} tests, {len(manifest['measured'])} measurements, {len(manifest['left_out'])} left out, {size:.1f} MB" + (f"; only every {step}th run fits" if step > 1 else ""))
    return 0 if size <= options.limit_mb else 1


if __name__ == "__main__":
    sys.exit(main())
