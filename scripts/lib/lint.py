#!/usr/bin/env python3
"""Checks what no compiler checks: the rules of docs/Design/House.md and slips in
tests and documents. Prints one line for each problem and exits with 1 if there
was any.

  lint.py                   the whole tree
  lint.py --root=DIRECTORY  another tree, which is a git repository
"""

import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

from lint_rules import analyses, documents, exceptions, floors, headers, links, mirror, names, sizes, slips, words  # noqa: E402
from lint_rules.source_tree import SourceTree  # noqa: E402

RULES = (slips, documents, floors, links, headers, sizes, words, analyses, mirror, names)
ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


def problems_of(root):
    tree = SourceTree(root)
    found = [problem for rule in RULES for problem in rule.check(tree)]
    return [str(problem) for problem in exceptions.apply(tree, found)]


def main():
    root = ROOT
    for argument in sys.argv[1:]:
        if not argument.startswith("--root="):
            print(f"lint.py: error: unknown argument '{argument}'; there is --root=DIRECTORY", file=sys.stderr)
            return 2
        root = os.path.abspath(argument[len("--root=") :])
    problems = problems_of(root)
    for problem in problems:
        print(problem)
    print(f"lint: {len(problems)} problem(s)")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
