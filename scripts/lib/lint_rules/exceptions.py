"""The exceptions that are listed: each names a problem without its line. One
that no longer occurs is a problem itself, so that the list can only shrink."""

import os

from lint_rules.source_tree import Problem

FILE = "scripts/lib/lint-exceptions.txt"


def listed(tree):
    """Line numbers by exception."""
    if not os.path.exists(os.path.join(tree.root, FILE)):
        return {}
    found = {}
    for number, line in tree.lines(FILE):
        if line.strip() and not line.startswith("#"):
            found[line.strip()] = number
    return found


def apply(tree, problems):
    """The problems that no exception names, and the exceptions to delete."""
    exceptions = listed(tree)
    occurring = {problem.key for problem in problems}
    left = [problem for problem in problems if problem.key not in exceptions]
    for key, line in exceptions.items():
        if key not in occurring:
            left.append(Problem(FILE, line, f"no longer occurs, delete it: {key}", "exceptions"))
    return left
