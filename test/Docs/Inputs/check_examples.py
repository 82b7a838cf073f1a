"""Runs the examples of generated documentation: check_examples.py FILE...

A fenced block whose first line is a comment with a command,

    // hetero-opt --hetero-schedule
    BEFORE
    // becomes
    AFTER

is one example: the command turns BEFORE into AFTER. Line breaks and blanks do
not matter, and `...` stands for what the example leaves out. Prints the examples
that do not hold and how many were run."""

import re
import shlex
import subprocess
import sys

import shown


def squeeze(text):
    """The text without what line breaks and indentation add."""
    return re.sub(r"(?<=[({\[]) | (?=[)}\],])", "", shown.join_lines(text))


def examples(path):
    with open(path) as file:
        text = file.read()
    for block in re.findall(r"^ *```mlir\n(.*?)^ *```", text, re.M | re.S):
        first, _, rest = block.lstrip().partition("\n")
        if first.startswith("// hetero-opt "):
            before, marker, after = rest.partition("// becomes\n")
            yield first[3:], before, after if marker else None


def check(command, before, after):
    """What is wrong with an example, or None."""
    if after is None:
        return "it has no line '// becomes'"
    done = subprocess.run(
        shlex.split(command), input=before, capture_output=True, text=True
    )
    if done.returncode:
        return done.stderr
    return shown.problem_of(done.stdout, after, squeeze)


def main():
    count = failures = 0
    for path in sys.argv[1:]:
        for command, before, after in examples(path):
            count += 1
            problem = check(command, before, after)
            if problem:
                failures += 1
                print(f"{path}: {command}: {problem}")
    print(f"{count} examples, {failures} wrong")
    return failures != 0 or count == 0


sys.exit(main())
