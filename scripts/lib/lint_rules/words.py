"""Rule 5: names of attributes stand in one header; hints to the processor and
the allocator in the runtime and the emulator only."""

import re

from lint_rules.source_tree import Problem

RULE = "words"
ATTRIBUTES = "include/hetero/Dialect/Hetero/IR/AttributeNames.h"
HINTS = r"\b(__builtin_prefetch|mallopt|madvise)\b"


def check(tree):
    problems = set()
    for name in tree.under("lib/", "include/", "tools/", suffixes=(".h", ".cpp")):
        runtime = name.startswith(("lib/Runtime/", "lib/Emulator/"))
        compiler = name.startswith(("lib/", "include/")) and not runtime
        for line, text in tree.lines(name):
            code = text.split("//")[0]
            for hint in re.findall(HINTS, code) if not runtime else ():
                problems.add(Problem(name, line, f"{hint} outside Runtime and Emulator", RULE))
            if compiler and name != ATTRIBUTES:
                for attribute in re.findall(r'"(hetero\.\w+)"', code):
                    problems.add(Problem(name, line, f"{attribute} belongs in {ATTRIBUTES.rsplit('/', 1)[1]}", RULE))
    return sorted(problems)
