#!/usr/bin/env python3
"""Checks and measures the programs of a bundle; writes report.md.

  ./gpu-check [--minutes 9] [--jobs N] [--timeout 60] [--report report.md]

First all tests, then copies, products and convolutions. Nothing is begun after the
time is over; the last quarter of it is for what is measured. The exit status is 1
when a test failed. HETERO_CUDA_DRIVER names another driver, as for any program."""

import argparse
import json
import os
import signal
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor

import gpu_check_measure
import gpu_check_report
from gpu_check_device import Device, find_libraries

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


class Runner:
    """Runs programs of the bundle until the time is over."""

    def __init__(self, minutes, environment):
        self.end = time.monotonic() + 60 * minutes
        self.environment = environment
        self.notes = []

    def is_over(self, reserve=0):
        return time.monotonic() > self.end - reserve

    def start(self, command):
        return subprocess.Popen(
            command,
            cwd=ROOT,
            env=self.environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            errors="replace",
            start_new_session=True,
        )

    def run(self, program, arguments, timeout):
        """Returns (output, None) or (None, reason); ends what hangs."""
        timeout = max(1, min(timeout, self.end + 15 - time.monotonic()))
        try:
            process = self.start([os.path.join("bin", program), *arguments])
        except OSError as error:
            return None, f"it cannot be started: {error}"
        try:
            output, errors = process.communicate(timeout=timeout)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.communicate()
            return None, f"stopped after {timeout:.0f} s"
        if process.returncode == 0:
            return output, None
        lines = errors.strip().splitlines() or [f"status {process.returncode}"]
        return None, lines[-1]


def environment_of(device):
    """Of this environment only what programs need."""
    libraries, folders = find_libraries()
    kept = {name: value for name, value in os.environ.items() if name.startswith("HETERO_") or name in ("PATH", "HOME", "TMPDIR")}
    kept["LD_LIBRARY_PATH"] = ":".join(filter(None, [*folders, os.environ.get("LD_LIBRARY_PATH", "")]))
    if libraries:
        kept.setdefault("HETERO_LIBRARIES", libraries)
    if device.device_map():
        kept.setdefault("HETERO_DEVICE_MAP", device.device_map())
    return kept


def run_tests(runner, tests, options, reserve):
    """(name, status, reason) for each test."""

    def check(test):
        if runner.is_over(reserve):
            return test["name"], "skipped", "not run: the time is over"
        _, reason = runner.run(test["program"], test["arguments"], options.timeout)
        return test["name"], "failed" if reason else "passed", reason or ""

    with ThreadPoolExecutor(options.jobs) as pool:
        return list(pool.map(check, tests))


def describe_machine(device, manifest, started):
    return {
        "device": device.name,
        "compute capability": device.capability / 10,
        "driver": f"CUDA {device.version // 1000}.{device.version % 1000 // 10}",
        "date": time.strftime("%Y-%m-%d %H:%M:%S", time.gmtime()),
        "revision": manifest["revision"],
        "seconds": round(time.monotonic() - started),
    }


def check_all(options, device, manifest):
    started = time.monotonic()
    runner = Runner(options.minutes, environment_of(device))
    result = {"left_out": manifest["left_out"], "copies": {}, "figures": [], "notes": runner.notes}
    if device.why:
        result["tests"] = [(test["name"], "skipped", device.why) for test in manifest["tests"]]
        runner.notes.append(f"nothing is measured: {device.why}")
    else:
        measured = [] if device.emulated else manifest["measured"]
        result["tests"] = run_tests(runner, manifest["tests"], options, 15 * options.minutes if measured else 0)
        if measured:
            result["copies"], result["figures"] = gpu_check_measure.measure(runner, measured, device)
        else:
            runner.notes.append("nothing is measured: " + ("the emulator runs PTX only, slowly" if device.emulated else "the bundle has no such programs"))
    result["machine"] = describe_machine(device, manifest, started)
    return result


def main():
    parser = argparse.ArgumentParser(prog="gpu-check", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--minutes", type=float, default=9)
    parser.add_argument("--jobs", type=int, default=min(8, os.cpu_count() or 1))
    parser.add_argument("--timeout", type=float, default=60, help="seconds that a test may take")
    parser.add_argument("--report", default="report.md")
    options = parser.parse_args()
    with open(os.path.join(ROOT, "manifest.json")) as file:
        manifest = json.load(file)
    device = Device()
    result = check_all(options, device, manifest)
    gpu_check_report.write(options.report, result)
    failed = [row for row in result["tests"] if row[1] == "failed"]
    failed += [(figure.name, "failed", figure.why) for figure in result["figures"] if figure.failed]
    for name, _, reason in failed:
        print(f"failed: {name}: {reason}")
    passed, skipped = (sum(row[1] == status for row in result["tests"]) for status in ("passed", "skipped"))
    for note in result["notes"]:
        print(note)
    print(f"{passed} passed, {len(failed)} failed, {skipped} skipped; see {options.report}")
    # Where nothing ran, nothing has been shown.
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main())
