"""Slips that no compiler finds: checks that never run, misspelt directives, files
without a banner, work left open."""

import os
import re

from lint_rules.source_tree import Problem
from lint_rules.words import ATTRIBUTES

RULE = "slips"
TEST_SUFFIXES = (".mlir", ".test", ".ptx", ".td")
CODE_SUFFIXES = (".h", ".cpp", ".c", ".cu", ".td")
DIRECTIVES = "NEXT|SAME|NOT|DAG|LABEL|EMPTY|COUNT-[0-9]+"
EXPECTED = {"error", "warning", "remark", "note"}


def run_lines(text):
    """The RUN lines with continuations joined."""
    joined, lines = "", []
    for match in re.finditer(r"RUN:\s*(.*)", text):
        joined += match.group(1)
        if joined.endswith("\\"):
            joined = joined[:-1] + " "
            continue
        lines.append(joined)
        joined = ""
    return lines


def prefixes_of(runs):
    """The prefixes that the FileCheck calls of a test look for."""
    found = set()
    for run in runs:
        for call in run.split("FileCheck")[1:]:
            call = call.split("|")[0].split("&&")[0]
            named = re.findall(r"--?check-prefix(?:es)?[= ]([\w,.-]+)", call)
            for names in named:
                found.update(names.split(","))
            if not named:
                found.add("CHECK")
    return found


def lint_test(name, text):
    problems = []
    runs = run_lines(text)
    uses_filecheck = any("FileCheck" in run for run in runs)
    comment = r"^\s*(?://|#|;)\s*"
    directives = set(re.findall(comment + r"([A-Z][A-Z0-9_-]*?)(?:-(?:" + DIRECTIVES + r"))?:\s", text, re.M))
    checks = {word for word in directives if word.startswith("CHECK")}
    if checks and not uses_filecheck:
        problems.append(Problem(name, 0, "CHECK lines, but no RUN line calls FileCheck", RULE))
    if uses_filecheck:
        prefixes = prefixes_of(runs)
        for prefix in sorted(prefixes - directives):
            problems.append(Problem(name, 0, f"no line has the prefix {prefix} that a RUN line checks", RULE))
        for prefix in sorted(checks - prefixes):
            problems.append(Problem(name, 0, f"no RUN line checks the prefix {prefix}", RULE))
    for number, line in enumerate(text.splitlines(), 1):
        for word in re.findall(r"expected-(\w+)", line):
            if word not in EXPECTED and re.search(r"expected-\w+\s*(?:@|\{\{)", line):
                problems.append(Problem(name, number, f"expected-{word} is not a directive", RULE))
        if re.search(r"\bCHECK[ _](?:%s)\s*:" % DIRECTIVES, line) or re.search(r"\bCHEKC|\bCEHCK|\bCHECK-LABLE", line):
            problems.append(Problem(name, number, "misspelt CHECK directive", RULE))
    has_expected = re.search(r"expected-(?:error|warning|remark|note)\s*(?:@|\{\{|\+|-)", text)
    verifies = any("verify-diagnostics" in run for run in runs)
    if has_expected and runs and not verifies:
        problems.append(Problem(name, 0, "expected-* lines, but no RUN line has -verify-diagnostics", RULE))
    if name.startswith("test/") and not runs:
        problems.append(Problem(name, 0, "a test without a RUN line", RULE))
    return problems


def lint_code(name, text):
    problems = []
    if "SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception" not in text[:1000]:
        problems.append(Problem(name, 0, "no license in the banner", RULE))
    lines = text.splitlines()
    if lines and not (lines[0].startswith("//===- " + os.path.basename(name)) and lines[0].endswith("===//")):
        problems.append(Problem(name, 1, "the banner's first line does not name the file", RULE))
    if len(lines) > 600:
        problems.append(Problem(name, 0, f"{len(lines)} lines; split it by noun at 600", RULE))
    if name.split("/")[0] in ("lib", "include", "tools"):
        for number, line in enumerate(lines, 1):
            if re.search(r"\bTODO\b|\bFIXME\b|not (yet )?implemented|unimplemented", line, re.I):
                problems.append(Problem(name, number, f"work left open: {line.strip()}", RULE))
    return problems


def lint_attributes(tree):
    """Attributes that have a name and that the dialect's verifier refuses."""
    if ATTRIBUTES not in tree.names:
        return []
    text = tree.text(ATTRIBUTES)
    known = re.search(r"kAttributeNames\[\] = {(.*?)};", text, re.DOTALL).group(1)
    names = re.findall(r"StringLiteral (k\w+AttrName)\b", text)
    missing = [name for name in names if not re.search(rf"\b{name}\b", known)]
    return [Problem(ATTRIBUTES, 0, f"add {name} to kAttributeNames", RULE) for name in missing]


def check(tree):
    problems = lint_attributes(tree)
    for name in tree.files:
        if name.endswith(TEST_SUFFIXES) and name.startswith("test/") and "/Inputs/" not in name:
            if not name.startswith(("test/lib/", "test/Unit/")):
                problems += lint_test(name, tree.text(name))
        if name.endswith(CODE_SUFFIXES) and name.split("/")[0] in ("lib", "include", "tools", "test", "examples"):
            problems += lint_code(name, tree.text(name))
    return problems
