"""Rule 8: builds may compile the files of a folder together (UnityBuild.cmake), so
that what is static in them has a name of its own in the folder. Functions of
different parameters are different."""

import os
import re

from lint_rules.cpp_scan import without_comments
from lint_rules.source_tree import Problem

RULE = "names"
# Compiled file by file.
APART = tuple(f"lib/{folder}/" for folder in ("Runtime", "Runner", "Support", "Emulator/ABI", "Emulator/Device", "Emulator/Driver", "Emulator/Execute"))
FUNCTION = re.compile(r"^static [^;{}=]*?\b(\w+)\(([^{};]*?)\)\s*\{", re.M)
CONSTANT = re.compile(r"^static [\w:<>, ]+ (\w+)(?: =|;|\{)", re.M)
PARAMETER = re.compile(r",(?![^<(]*[>)])")


def type_of(parameter):
    """Without the name and a default."""
    return re.sub(r"\w+$", "", " ".join(parameter.split("=")[0].split())).strip()


def static_names(text):
    """Pairs of a name, for functions with the types that they take, and its place."""
    for match in FUNCTION.finditer(text):
        types = ", ".join(type_of(parameter) for parameter in PARAMETER.split(match.group(2)))
        yield f"{match.group(1)}({types})", match.start(1)
    for match in CONSTANT.finditer(text):
        yield match.group(1), match.start(1)


def check(tree):
    problems, first = set(), {}
    for name in tree.under("lib/", suffixes=(".cpp",)):
        if name.startswith(APART):
            continue
        text = without_comments(tree.text(name))
        for what, place in static_names(text):
            other = first.setdefault((os.path.dirname(name), what), name)
            if other != name:
                line = text.count("\n", 0, place) + 1
                problems.add(Problem(name, line, f"{what} is static in {os.path.basename(other)} too, which is compiled with it", RULE))
    return sorted(problems)
