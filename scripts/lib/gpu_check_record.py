#!/usr/bin/env python3
"""Stands in for hetero-run while tests are recorded: runs it, and writes what it
was given, with copies of the files that a later command of the test may change.

The folder is $HETERO_RECORDED_RUNS: a JSON file a run, and the copies by hash."""

import hashlib
import json
import os
import re
import shlex
import subprocess
import sys

FOLDER = os.environ["HETERO_RECORDED_RUNS"]
VALUES = ("input", "expected", "output", "entry", "rtol", "atol", "time", "print-max", "report-file", "write-profile", "trace", "device-map")


def keep(data, suffix):
    """The path of a copy."""
    path = os.path.join(FOLDER, hashlib.sha256(data).hexdigest()[:20] + suffix)
    with open(path, "wb") as file:
        file.write(data)
    return path


def keep_file(path):
    with open(path, "rb") as file:
        return keep(file.read(), os.path.splitext(path)[1])


def expand(arguments):
    """The arguments with those of @FILE in its place."""
    for word in arguments:
        if word.startswith("@") and os.path.isfile(word[1:]):
            with open(word[1:]) as file:
                yield from shlex.split(file.read())
        else:
            yield word


def split(arguments, text):
    """The model's path, options of the compiler, and options of the run."""
    model, compile, run, words = None, [], [], list(expand(arguments))
    while words:
        name, equals, value = words.pop(0).partition("=")
        name = re.sub("^--?(?=.)", "--", name)
        if name[2:] in VALUES:
            value = value if equals else words.pop(0)
            file = value[1:] if value.startswith("@") else None
            run.append([name[2:], "@" + keep_file(file) if file else value])
        elif name == "--report":
            pass
        elif name.startswith("--"):
            kept = keep_file(value) if os.path.isfile(value) else value
            compile.append(name + equals + kept)
        else:
            model = keep(text, ".mlir") if name == "-" else keep_file(name + equals + value)
    return model, compile, run


def name_test(arguments):
    """The file that has the test: the model, or what the calling script was given."""
    words = list(arguments)
    try:
        with open(f"/proc/{os.getppid()}/cmdline") as file:
            words += file.read().split("\0")
    except OSError:
        pass
    files = [word for suffix in ("mlir", "test", "py") for word in words if word.endswith("." + suffix)]
    return os.path.basename(files[0]) if files else "generated"


def main():
    arguments = sys.argv[1:]
    text = sys.stdin.buffer.read() if "-" in arguments else b""
    try:
        record = split(arguments, text)
    except (OSError, IndexError, ValueError):
        record = None
    done = subprocess.run([os.environ["HETERO_RECORDED_TOOL"], *arguments], input=text if text else None, check=False)
    if record and record[0] and done.returncode == 0:
        settings = {name: value for name, value in os.environ.items() if re.match("HETERO_(EMULATOR|FAKE|LIBRARIES|NUM|GRAPHS)", name)}
        line = json.dumps([name_test(arguments), *record, settings])
        keep(line.encode(), ".run.json")
    # A signal is what it was for the caller.
    return done.returncode if done.returncode >= 0 else 128 - done.returncode


if __name__ == "__main__":
    sys.exit(main())
