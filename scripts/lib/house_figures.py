#!/usr/bin/env python3
"""Prints how large the house is, before and now, as the table of
docs/Design/House.md has it. Lint holds that table against the tree.

  house_figures.py                     since the work on the floors began
  house_figures.py --write             the same, into the document
  house_figures.py BEFORE [NOW]        between two revisions
"""

import os
import re
import subprocess
import sys
import tempfile
from collections import Counter, defaultdict

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

from lint_rules.headers import library_of  # noqa: E402
from lint_rules.source_tree import SOURCE_SUFFIXES, SourceTree  # noqa: E402

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
# The commit before the one that lists the floors in the lint.
BEGAN = "ec8324e"
HOUSE = "docs/Design/House.md"
PRODUCT = ("lib/", "include/", "tools/", "python/")
SUFFIXES = SOURCE_SUFFIXES + (".py",)


def git(*arguments):
    done = subprocess.run(["git", *arguments], cwd=ROOT, capture_output=True, text=True, check=True)
    return done.stdout


def checkout(revision, folder):
    """The product code of a revision as a tree that the rules can read."""
    present = [name for name in PRODUCT if git("ls-tree", revision, name.rstrip("/"))]
    archive = subprocess.run(["git", "archive", revision, *present], cwd=ROOT, capture_output=True, check=True)
    subprocess.run(["tar", "-x", "-C", folder], input=archive.stdout, check=True)
    subprocess.run(["git", "init", "-q", folder], check=True)
    return SourceTree(folder)


def is_product(name):
    return name.startswith(PRODUCT) and name.endswith(SUFFIXES)


def part_of(name):
    """Which of the houses a file belongs to."""
    room = name.replace("include/hetero", "lib", 1).split("/")
    parts = {"Emulator": "the emulator", "Runtime": "the runtime", "Runner": "the runtime"}
    return {"tools": "tools", "python": "Python"}.get(room[0]) or parts.get(room[1], "the compiler")


def classes_of(tree, names):
    """The class with the most methods, and the one in the most .cpp files."""
    methods, homes, files = {}, defaultdict(set), defaultdict(set)
    sources = [name for name in names if name.endswith((".h", ".cpp"))]
    for name in sources:
        for found in tree.scan(name).classes:
            methods[found.name, name] = len(found.methods)
            homes[library_of(name), found.name].add(name)
    for name in sources:
        for function in tree.scan(name).functions if name.endswith(".cpp") else ():
            if function.is_definition and len(homes.get((library_of(name), function.owner), ())) == 1:
                files[function.owner].add(name)
    largest = max(methods, key=methods.get)
    spread = max(files, key=lambda owner: len(files[owner]), default="")
    return (methods[largest], largest[0]), (len(files[spread]), spread)


def figures(tree):
    """(what is counted, number, where)."""
    names = [name for name in tree.files if is_product(name)]
    lines = {name: len(tree.text(name).splitlines()) for name in names}
    folder, most = Counter(os.path.dirname(name) for name in names).most_common(1)[0]
    largest, spread = classes_of(tree, names)
    longest = max(lines, key=lines.get)
    parts = Counter()
    for name in names:
        parts[part_of(name)] += lines[name]
    return [
        ("most files in a folder", most, folder),
        ("most methods in a class", *largest),
        ("most `.cpp` files of a class", *spread),
        ("longest file, lines", lines[longest], os.path.basename(longest)),
        ("lines of product code", sum(lines.values()), ""),
        *((f"of them {part}", parts[part], "") for part in ("the compiler", "the emulator", "the runtime", "tools", "Python")),
    ]


def describe(revision):
    with tempfile.TemporaryDirectory() as folder:
        return figures(checkout(revision, folder))


def table(before, old, new):
    """The lines of the table in House.md, of figures of two trees."""
    lines = [f"| | before ({before}) | now |", "|---|--:|--:|"]
    for (text, count, place), (_, new_count, new_place) in zip(old, new):
        cells = [f"{number:,}" + (f" (`{where}`)" if where else "") for number, where in ((count, place), (new_count, new_place))]
        lines.append(f"| {text} | {cells[0]} | {cells[1]} |")
    return lines


def written(text):
    """What the table in House.md says: {what is counted: number now}."""
    rows = re.findall(r"^\| ([^|]+) \| [\d,]+[^|]* \| ([\d,]+)[^|]*\|$", text, re.M)
    return {what: int(number.replace(",", "")) for what, number in rows}


def write(lines):
    """Replaces the table in House.md."""
    path = os.path.join(ROOT, HOUSE)
    with open(path) as file:
        text = file.read()
    begin = text.index("| | before (")
    with open(path, "w") as file:
        file.write(text[:begin] + "\n".join(lines) + text[text.index("\n\n", begin) :])


def main():
    arguments = sys.argv[1:]
    writes = arguments == ["--write"]
    if writes or not arguments:
        before, new = BEGAN, figures(SourceTree(ROOT))
    else:
        before, new = arguments[0], describe(arguments[1] if len(arguments) > 1 else "HEAD")
    lines = table(git("rev-parse", "--short=7", before).strip(), describe(before), new)
    if writes:
        write(lines)
    else:
        print("\n".join(lines))
    return 0


if __name__ == "__main__":
    sys.exit(main())
