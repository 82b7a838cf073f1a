"""Rule 6: what getAnalysis returns is not written to. Told by const: a file that
asks for an analysis X binds it to const references only, and calls nothing of
it that is not const. Of what several rooms see, the rooms that may write to it
are listed."""

import re

from lint_rules.cpp_scan import without_comments
from lint_rules.source_tree import Problem

RULE = "analyses"
WRITERS = {"PlacementGraph": tuple(f"lib/Analysis/Placement/{room}/" for room in ("Graph", "Annotate", "Decide"))}
ASKED = re.compile(r"\bget(?:Cached)?(?:Parent|Child)?Analysis<\s*([\w:]+)\s*>\s*\([^()]*\)")


def writers(tree):
    """Methods that are not const, by class; names that are both count as const."""
    found = {}
    for name in tree.under("lib/", "include/", suffixes=(".h", ".cpp")):
        for entry in tree.scan(name).classes:
            constant = {method.name for method in entry.methods if method.is_const}
            found.setdefault(entry.name, set()).update({method.name for method in entry.methods} - constant)
    return found


def written_elsewhere(tree):
    """References to what only some rooms may write to, that are not const."""
    for name in tree.under("lib/", suffixes=(".h", ".cpp")):
        for entry, rooms in WRITERS.items():
            if entry not in tree.text(name) or name.startswith(rooms):
                continue
            text = without_comments(tree.text(name))
            for match in re.finditer(rf"(\bconst\s+)?\b{entry}(\s+const)?\s*[&*]", text):
                if not match.group(1) and not match.group(2):
                    line = text.count("\n", 0, match.start()) + 1
                    yield Problem(name, line, f"{entry} is a constant here", RULE)


def check(tree):
    problems, changes = set(written_elsewhere(tree)), None
    for name in tree.under("lib/", "tools/", "test/lib/", suffixes=(".h", ".cpp")):
        if "Analysis<" not in tree.text(name):
            continue
        text = without_comments(tree.text(name))
        asked = list(ASKED.finditer(text))
        if asked and changes is None:
            changes = writers(tree)
        for match in asked:
            analysis = match.group(1).split("::")[-1]
            line = text.count("\n", 0, match.start()) + 1
            before = text[max(0, match.start() - 120) : match.start()]
            after = text[match.end() : match.end() + 200]
            method = re.match(r"\s*\.\s*(\w+)\s*\(", after)
            field = re.match(r"\s*(?:\.\s*[\w.]+\s*)?(?:=(?!=)|[-+*/|&]=|\+\+|--)", after)
            bound = re.search(r"([\w:]+(?:\s+const)?)\s*&\s*\w+\s*=\s*$", before)
            is_const = bound and re.search(r"\bconst\b[^;{}(]*$", before[: bound.end()])
            if field or (bound and not is_const) or (method and method.group(1) in changes.get(analysis, ())):
                problems.add(Problem(name, line, f"writes to the analysis {analysis}", RULE))
        for analysis in {match.group(1).split("::")[-1] for match in asked}:
            for match in re.finditer(rf"(\bconst\s+)?(?:\w+::)*\b{analysis}(\s+const)?\s*&(?!&)", text):
                if not match.group(1) and not match.group(2):
                    line = text.count("\n", 0, match.start()) + 1
                    problems.add(Problem(name, line, f"passes the analysis {analysis} to be written to", RULE))
    return sorted(problems)
