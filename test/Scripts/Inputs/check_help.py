"""Runs each script of a source tree with --help: check_help.py ROOT"""

import os
import pathlib
import subprocess
import sys


def problem_of(script: pathlib.Path) -> str | None:
    for option in ("--help", "-h"):
        done = subprocess.run(
            [script, option], capture_output=True, text=True, timeout=60, stdin=subprocess.DEVNULL, check=False
        )
        if done.returncode:
            return f"{option} ends with status {done.returncode}: {done.stderr}"
        if f"scripts/{script.name}" not in done.stdout and "usage: " not in done.stdout:
            return f"{option} shows no command: {done.stdout}"
        if done.stderr:
            return f"{option} says more: {done.stderr}"
    return None


def main() -> None:
    scripts = sorted(path for path in (pathlib.Path(sys.argv[1]) / "scripts").iterdir() if path.is_file())
    scripts = [path for path in scripts if os.access(path, os.X_OK)]
    problems = {path.name: problem_of(path) for path in scripts}
    wrong = {name: problem for name, problem in problems.items() if problem}
    for name, problem in wrong.items():
        print(f"scripts/{name}: {problem}")
    print(f"{len(scripts)} scripts, {len(wrong)} wrong")


main()
