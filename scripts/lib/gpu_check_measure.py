"""Measures the bundle's kernels and copies, each beside its reference in the same
run: calls of cuBLAS and cuDNN on the same values, or the driver's own copies."""

import os
import re
import tempfile

from gpu_check_device import PINNED_BYTES

# How often each program is called; the fastest call counts.
CALLS = 30
ATOL = {"f16": 0.1, "bf16": 0.1, "f32": 0.1, "tf32": 1, "i8": 0, "f64": 1e-6}


class Figure:
    """Seconds of a program and of its reference; `why` says what is missing."""

    def __init__(self, name, work, unit):
        self.name, self.work, self.unit = name, work, unit
        self.seconds = self.reference = None
        self.of = self.why = ""
        self.failed = False

    def rate(self, seconds):
        """In 10^12 operations or 10^9 bytes a second."""
        return self.work / seconds / (1e12 if self.unit == "TFLOP/s" else 1e9)

    def ratio(self):
        """The rate as part of the reference's."""
        return self.reference / self.seconds if self.seconds and self.reference else None


def read_seconds(text):
    found = re.search(r"^time: .*min ([\d.]+) ms", text, re.M)
    return float(found.group(1)) / 1e3 if found else None


def program_for(entry, device):
    """Code for this chip, else the PTX of the base."""
    programs = entry["programs"]
    return (device.capability == 90 and programs.get("sm_90a")) or programs["sm_80"]


def measure_program(runner, program, inputs, *options):
    arguments = [f"--input={value}" for value in inputs]
    return runner.run(program, [*arguments, "--print-max=0", f"--time={CALLS}", *options], timeout=120)


def called_library(text, name):
    found = re.search(rf'"name": "{name}"[^}}]*"calls": (\d+)', text)
    return bool(found and int(found.group(1)))


def measure_reference(runner, entry, figure, result):
    """The library's time and result; says in the figure what is missing."""
    name = entry["library"].partition(":")[0]
    if not entry["reference"]:
        figure.why = f"{entry['library']} has no such operation"
        return False
    text, reason = measure_program(runner, entry["reference"], entry["inputs"], "--report", f"--output={result}")
    if reason:
        figure.why = f"reference: {reason}"
    elif not called_library(text, name):
        missing = re.search(rf'"name": "{name}", "missing": "([^"]*)"', text)
        figure.why = f"{name}: {missing.group(1) if missing else 'not called for this operation'}"
    else:
        figure.of, figure.reference = name, read_seconds(text)
    return not figure.why


def measure_kernel(runner, entry, device, copies):
    figure = Figure(entry["name"], entry["flops"] if entry["library"] else entry["bytes"], "TFLOP/s" if entry["library"] else "GB/s")
    program = program_for(entry, device)
    if not program:
        figure.why = "no program for this case; see what the bundle left out"
        return figure
    with tempfile.TemporaryDirectory() as folder:
        expected, result = [], os.path.join(folder, "result.npy")
        if entry["library"] and measure_reference(runner, entry, figure, result):
            expected = [f"--expected=@{result}", "--rtol=0.01", f"--atol={ATOL[entry['type']]}"]
        text, reason = measure_program(runner, program, entry["inputs"], *expected)
    if reason:
        figure.failed, figure.why = True, reason
        return figure
    figure.seconds = read_seconds(text)
    if not entry["library"] and "within the device" in copies:
        # A copy reads and writes each byte.
        figure.of = "cuMemcpyDtoD"
        figure.reference = copies["within the device"] * entry["bytes"] / (2 * PINNED_BYTES)
    return figure


def measure_copy(runner, entry, copies):
    figure = Figure(f"copy {entry['name']}", entry["bytes"], "GB/s")
    program = entry["programs"]["sm_80"]
    if not program:
        figure.why = "no program for this case; see what the bundle left out"
        return figure
    text, reason = measure_program(runner, program, entry["inputs"])
    if reason:
        figure.failed, figure.why = True, reason
    else:
        figure.seconds = read_seconds(text)
        figure.of = "the driver's copy of pinned memory"
        if entry["name"] in copies:
            figure.reference = copies[entry["name"]] * entry["bytes"] / PINNED_BYTES
    return figure


def measure(runner, entries, device):
    """The driver's rates and all figures; what the time does not suffice for is
    skipped with that reason."""
    try:
        copies = device.copy_seconds()
    except (RuntimeError, AttributeError) as error:
        copies = {}
        runner.notes.append(f"the driver's copies are not measured: {error}")
    figures = []
    for entry in sorted(entries, key=lambda entry: entry["kind"]):
        if runner.is_over():
            figures.append(Figure(entry["name"], 0, ""))
            figures[-1].why = "not run: the time is over"
        elif entry["kind"] == "copy":
            figures.append(measure_copy(runner, entry, copies))
        else:
            figures.append(measure_kernel(runner, entry, device, copies))
    return copies, figures
