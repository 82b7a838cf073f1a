"""Makes pages of programs with the tools, and places programs by rules."""

import json
import os
import subprocess

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))))
EXAMPLES = ("conv-on-gpu", "shared-operand", "two-devices-tuple", "partitioned-mlp")


class Pages:
    """Files in a folder, by the tools of a build."""

    def __init__(self, binaries, folder):
        self.binaries, self.folder = binaries, folder

    def run(self, tool, *arguments):
        command = [os.path.join(self.binaries, tool), *arguments]
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=300, check=False, env={**os.environ, "HETERO_CUDA_DRIVER": "emulator"})
        if done.returncode:
            raise AssertionError(f"{' '.join(command)}: {done.stderr}")
        return done.stdout

    def path(self, name):
        return os.path.join(self.folder, name.replace("/", "-"))

    def write(self, name, text):
        with open(self.path(name), "w") as file:
            file.write(text)
        return self.path(name)

    def place(self, source, name, rules=None, options=""):
        """Places a program; returns the placed file and the report."""
        placed, report = self.path(f"{name}.placed.mlir"), self.path(f"{name}.json")
        annotate = [f"--hetero-annotate=rules={rules}"] if rules else []
        place = f"--hetero-place=report={report} {options}".strip()
        self.run("hetero-opt", source, *annotate, "--hetero-convert-elementwise-to-linalg", place, "--mlir-print-debuginfo", "-o", placed)
        with open(report) as file:
            return placed, json.load(file)

    def make(self, source, name, rules=None, options=""):
        """The page of a program; returns its path and the report of its placement."""
        placed, report = self.place(source, name, rules, options)
        page = self.path(f"{name}.html")
        self.run("hetero-translate", "--placement-to-html", placed, "-o", page)
        return page, report


def picoseconds(report):
    return round(report["cost_seconds"] * 1e12)


def example(name):
    return os.path.join(ROOT, "examples", f"{name}.mlir")
