"""Runs the commands that documentation shows:

    check_commands.py SOURCE BUILD FOLDER FILE

A block ```console holds commands, each after `$ `, continued by a backslash,
and under each its output, whose blanks do not matter and where `...` stands for
what is left out; a block without a command is the output of the one before. A
command whose shown output has `error:` must fail, every other must succeed.

A block ```mlir or ```yaml whose first line is a comment with the name of a file is
that file: `// program.mlir`, `# rules.yaml`. No two have one name.

The commands run in FOLDER, in order, with links to what the documentation calls
by name (`examples`, `test`, `build/dev` and the like). Those that build or check the whole
project are what CI runs anyway, and are not run here; of `scripts/run` only what
it runs in the end."""

import os
import re
import shlex
import subprocess
import sys

import shown

# What CI runs itself before it comes here.
BUILDING = ("cmake ", "ninja ", "scripts/test", "git ", "cd ")


def commands(text):
    """Pairs of a command and the output that is shown for it."""
    found = []
    for block in re.findall(r"^```console\n(.*?)^```", text, re.M | re.S):
        lines = block.replace("\\\n", " ").splitlines()
        for line in lines:
            if line.startswith("$ "):
                found.append((line[2:], []))
            elif found:
                found[-1][1].append(line)
    return [(command, "\n".join(output)) for command, output in found]


def write_files(text, folder):
    """Writes the files that the documentation shows under their names."""
    blocks = re.findall(r"^```(?:mlir|yaml)\n((?://|#) ((?:build/)?[\w-]+\.\w+)\n.*?)^```", text, re.M | re.S)
    for content, name in blocks:
        # Fails where the name is taken.
        with open(os.path.join(folder, name), "x") as file:
            file.write(content)


def runnable(source, command):
    """The command to run here for the one that is shown, or None."""
    if command.startswith(BUILDING):
        return None
    words = shlex.split(command)
    if words[0] != "scripts/run":
        return command
    model = words[1] if len(words) > 1 else "examples/shared-operand.mlir"
    # The importers' tests run networks.
    if not model.endswith(".mlir"):
        return None
    tool = os.path.join(source, "scripts/lib/example_command.py")
    options = subprocess.run(
        [tool, os.path.join(source, model)], capture_output=True, text=True, check=True
    )
    return shlex.join(["hetero-run", model, *options.stdout.splitlines(), *words[2:]])


def problem_of(command, expected, folder):
    """What is wrong with a command, or None."""
    done = subprocess.run(
        ["bash", "-c", command],
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    if (done.returncode != 0) != ("error:" in expected):
        return f"it ends with status {done.returncode}\n{done.stdout}"
    return shown.problem_of(done.stdout, expected)


def prepare(source, build, folder):
    os.makedirs(os.path.join(folder, "build"), exist_ok=True)
    for name in ("examples", "include", "docs", "test"):
        os.symlink(os.path.join(source, name), os.path.join(folder, name))
    os.symlink(build, os.path.join(folder, "build", "dev"))


def main():
    source, build, folder, path = sys.argv[1:]
    prepare(source, build, folder)
    with open(path) as file:
        text = file.read()
    write_files(text, folder)
    before = set(os.listdir(folder))
    pairs = commands(text)
    counts = {"run": 0, "left to CI": 0, "wrong": 0}
    for command, output in pairs:
        line = runnable(source, command)
        if line is None:
            counts["left to CI"] += 1
            continue
        counts["run"] += 1
        problem = problem_of(line, output, folder)
        if problem:
            counts["wrong"] += 1
            print(f"{path}: $ {command}: {problem}")
    # Who follows a document stands in the checkout; that of features works on programs of its own.
    for name in sorted(set(os.listdir(folder)) - before) if not path.endswith("Features.md") else ():
        counts["wrong"] += 1
        print(f"{path}: the commands leave {name} in the source tree; write into build")
    print(", ".join(f"{count} {what}" for what, count in counts.items()))
    return counts["wrong"] != 0 or counts["run"] == 0


sys.exit(main())
