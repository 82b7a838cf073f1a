"""Rule 5: names of attributes stand in one header; hints to the processor and
the allocator in the runtime and the emulator only; what has a plain word is
called by it."""

import re

from lint_rules.source_tree import Problem

RULE = "words"
ATTRIBUTES = "include/hetero/Dialect/Hetero/IR/AttributeNames.h"
HINTS = r"\b(__builtin_prefetch|mallopt|madvise)\b"

# Words to replace, in texts and in names of code, and what by.
PLAIN = {
    "behind": "after",
    "in front of": "before",
    "hand on": "pass",
    "hands on": "passes",
    "handed on": "passed",
    "handing on": "passing",
    "letter box": "result",
}
TEXTS = (".h", ".cpp", ".c", ".cu", ".td", ".def", ".py", ".md", ".txt", ".sh", ".mlir", ".test", ".ptx", ".yaml", ".in", ".cmake")
# These name the words.
ABOUT_WORDS = ("scripts/lib/lint_rules/words.py", "scripts/lib/lint_test.py")


def pattern_of(words):
    """The words with what may stand between them where a line of a comment
    ends. The object of a verb may stand before its last word: hands it on."""
    *first, last = words.split()
    gap = r"\s+(?:(?://+|#+|;+|\*)\s*)?"
    between = gap + (r"(?:\w+" + gap + "){0,2}" if words.startswith("hand") else "")
    text = gap.join(first) + between + last if first else last
    return re.compile(text if not first else rf"\b{text}\b", re.I)


PATTERNS = {words: pattern_of(words) for words in PLAIN}


def plain(tree):
    for name in tree.files:
        if name in ABOUT_WORDS or not name.endswith(TEXTS):
            continue
        text = tree.text(name)
        for words, pattern in PATTERNS.items():
            for match in pattern.finditer(text):
                line = text.count("\n", 0, match.start()) + 1
                yield Problem(name, line, f"'{words}': write '{PLAIN[words]}'", RULE)


def check(tree):
    problems = set(plain(tree))
    for name in tree.under("lib/", "include/", "tools/", suffixes=(".h", ".cpp")):
        runtime = name.startswith(("lib/Runtime/", "lib/Emulator/"))
        for line, text in tree.lines(name):
            code = text.split("//")[0]
            for hint in re.findall(HINTS, code) if not runtime else ():
                problems.add(Problem(name, line, f"{hint} outside Runtime and Emulator", RULE))
            if not runtime and name != ATTRIBUTES:
                for attribute in re.findall(r'"(hetero\.\w+)"', code):
                    problems.add(Problem(name, line, f"{attribute} belongs in {ATTRIBUTES.rsplit('/', 1)[1]}", RULE))
    return sorted(problems)
