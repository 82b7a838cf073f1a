#!/usr/bin/env python3
"""Prints the options, one a line, that a model's "Run it:" comment gives to
hetero-run, so that the documented command is the one that is run and tested."""

import re
import shlex
import sys


def command_of(path):
    """The words after the model's name, or [] without such a comment."""
    with open(path) as file:
        lines = file.read().splitlines()
    command, inside = "", False
    for line in lines:
        text = re.sub(r"^//\s?", "", line) if line.startswith("//") else None
        if text is None or (inside and not command.endswith("\\") and command):
            if inside:
                break
            continue
        if inside:
            command = command.rstrip("\\") + " " + text.strip()
        elif re.match(r"\s*Run it:", text):
            inside = True
    words = shlex.split(command)
    return words[2:] if words[:1] == ["hetero-run"] else []


if __name__ == "__main__":
    for word in command_of(sys.argv[1]):
        print(word)
