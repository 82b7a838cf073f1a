#!/usr/bin/env python3
"""Prints how large the house is, before and now, as the table of
docs/Design/House.md has it.

  house_figures.py                     since the work on the floors began
  house_figures.py BEFORE [NOW]        between two revisions
"""

import os
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


def changes(before, now):
    """Lines that each commit added and deleted, without those of files that
    only moved: (added, deleted) of the commits that made the code larger, and
    of those that made it smaller."""
    larger, smaller = Counter(), Counter()
    log = git("log", "--no-merges", "-M", "--numstat", "--format=tformat:commit", f"{before}..{now}", "--", *PRODUCT)
    for commit in log.split("commit\n")[1:]:
        added = deleted = 0
        for row in commit.split("\n"):
            fields = row.split("\t")
            # A file that moved is written as folder/{old => new}/name.
            if len(fields) == 3 and fields[0] != "-" and fields[2].rstrip("}").endswith(SUFFIXES):
                added, deleted = added + int(fields[0]), deleted + int(fields[1])
        group = larger if added > deleted else smaller
        group.update(commits=1, added=added, deleted=deleted)
    return larger, smaller


def main():
    before, now = (sys.argv[1:] + [BEGAN, "HEAD"][len(sys.argv) - 1 :])[:2]
    print(f"| | before ({git('rev-parse', '--short=7', before).strip()}) | now |")
    print("|---|--:|--:|")
    for (text, old, old_place), (_, new, new_place) in zip(describe(before), describe(now)):
        cells = [f"{count:,}" + (f" (`{place}`)" if place else "") for count, place in ((old, old_place), (new, new_place))]
        print(f"| {text} | {cells[0]} | {cells[1]} |")
    for text, group in zip(("larger", "smaller"), changes(before, now)):
        print(f"| {group['commits']:,} commits that made the code {text} | | {group['added']:,} lines added, {group['deleted']:,} deleted |")
    return 0


if __name__ == "__main__":
    sys.exit(main())
