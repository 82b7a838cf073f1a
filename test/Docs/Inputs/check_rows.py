"""Checks the form of a page of rows, `check_rows.py PAGE COUNT`: sections `## N. Title`
from 1 to COUNT, each with a program of at most 20 lines and a command with its output,
and each linked once from the table at the top."""

import re
import sys

MOST_LINES = 20


def anchor(title):
    """The fragment with which a heading is linked."""
    return re.sub(r"[^\w -]", "", title.lower()).replace(" ", "-")


def problems(text, count):
    top, *sections = re.split(r"^## ", text, flags=re.M)
    titles = [section.partition("\n")[0] for section in sections]
    numbers = [title.partition(".")[0] for title in titles]
    if numbers != [str(number) for number in range(1, count + 1)]:
        yield f"expected rows 1 to {count}, got {' '.join(numbers)}"
    links = re.findall(r"\]\(#([^)]*)\)", top)
    if sorted(links) != sorted(anchor(title) for title in titles):
        yield f"the table links {sorted(set(links) ^ {anchor(title) for title in titles})} and no row, or the other way round"
    for title, section in zip(titles, sections):
        programs = re.findall(r"^```mlir\n// [\w-]+\.mlir\n(.*?)^```", section, re.M | re.S)
        if not programs:
            yield f"{title}: has no program"
        elif programs[0].count("\n") > MOST_LINES:
            yield f"{title}: its program has {programs[0].count(chr(10))} lines; at most {MOST_LINES}"
        if not re.search(r"^```console\n(\$ .*\n)+[^$`]", section, re.M):
            yield f"{title}: has no command with an output"


def main():
    path, count = sys.argv[1:]
    with open(path) as file:
        found = list(problems(file.read(), int(count)))
    for problem in found:
        print(f"{path}: {problem}")
    return bool(found)


sys.exit(main())
