"""Rule 7: the tests of a folder are the same folder under test/ and test/Unit/,
each pass has its .mlir, and the unit tests of X.h are where its folder's are."""

import os
import re

from lint_rules.source_tree import Problem, room_of

RULE = "tests"
# Tests of what is no folder of lib/: whole programs, documents, the tools, the package.
OTHERS = ("Benchmarks", "Docs", "Examples", "Integration", "Python", "Scripts", "Tools", "lib", "Unit")
PASS = re.compile(r'^def\s+\w+\s*:\s*Pass<\s*"([\w-]+)"', re.M)


def test_folders(tree):
    for name in tree.under("test/"):
        folder = os.path.dirname(name)
        if "/Inputs" in folder or folder == "test":
            continue
        yield folder


def folders(tree):
    rooms = {os.path.dirname(name) for name in tree.under("lib/", "include/hetero/")}
    rooms = {room.replace("include/hetero", "lib", 1) for room in rooms}
    above = {os.sep.join(room.split("/")[:end]) for room in rooms for end in range(1, len(room.split("/")) + 1)}
    for folder in sorted(set(test_folders(tree))):
        parts = folder.split("/")[1:]
        if parts[0] == "Unit":
            parts = parts[1:]
        elif parts[0] in OTHERS:
            continue
        if parts and "lib/" + "/".join(parts) not in above:
            yield Problem(folder, 0, f"tests no folder: there is no lib/{'/'.join(parts)}", RULE)


def passes(tree):
    tests = [name for name in tree.under("test/", suffixes=(".mlir",)) if not name.startswith("test/Unit/")]
    for name in tree.under("lib/", "include/", suffixes=(".td",)):
        text = tree.text(name)
        for match in PASS.finditer(text):
            flag = match.group(1)
            short = flag.removeprefix("hetero-") if flag.startswith("hetero-") else flag.removeprefix("convert-")
            room = os.path.dirname(name).replace("include/hetero", "test", 1).replace("lib", "test", 1)
            if not any(test.startswith(room + "/") and os.path.basename(test) in (f"{short}.mlir", f"{flag}.mlir") for test in tests):
                line = text.count("\n", 0, match.start()) + 1
                yield Problem(name, line, f"the pass {flag} has no {room}/**/{short}.mlir", RULE)


def units(tree):
    """XTest.cpp that includes X.h of a room which is not its own."""
    for name in tree.under("test/Unit/", suffixes=("Test.cpp",)):
        own = os.path.dirname(name).replace("test/Unit", "lib", 1)
        subject = os.path.basename(name).removesuffix("Test.cpp") + ".h"
        for line, header in tree.includes(name):
            room = room_of(header)
            if os.path.basename(header) == subject and not (room + "/").startswith(own + "/"):
                yield Problem(name, line, f"tests {room}; it belongs in {room.replace('lib', 'test/Unit', 1)}", RULE)


def check(tree):
    return list(folders(tree)) + list(passes(tree)) + list(units(tree))
