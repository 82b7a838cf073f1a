#!/usr/bin/env python3
"""Writes the seeds of HeteroPTXFuzzer: of each PTX file a module per function,
with what stands before the first one, and a dictionary of the words in them.

  test/Unit/Emulator/PTX/seeds.py OUTPUT FILE.ptx...
"""

import os
import re
import sys


def split(text):
    """What stands before the functions, and the functions."""
    lines, parts, depth = text.splitlines(keepends=True), [[]], 0
    for line in lines:
        if depth == 0 and re.match(r"\s*(\.(visible|weak|extern)\s+)*\.(entry|func)\b", line):
            parts.append([])
        parts[-1].append(line)
        depth += line.count("{") - line.count("}")
    head, *functions = ["".join(part) for part in parts]
    return head, functions


def main():
    output, *files = sys.argv[1:]
    seeds = os.path.join(output, "seeds")
    os.makedirs(seeds, exist_ok=True)
    words = set()
    for path in files:
        with open(path) as file:
            text = re.sub(r"^\s*//.*\n", "", file.read(), flags=re.M)
        words |= set(re.findall(r"[.%@]?[A-Za-z_][\w:]*", text))
        head, functions = split(text)
        for number, function in enumerate(functions):
            name = f"{os.path.splitext(os.path.basename(path))[0]}-{number}.ptx"
            with open(os.path.join(seeds, name), "w") as file:
                file.write(head + function)
    with open(os.path.join(output, "ptx.dict"), "w") as file:
        file.writelines(f'"{word}"\n' for word in sorted(words) if len(word) < 24 and not re.search(r"\d{2}", word))


if __name__ == "__main__":
    main()
