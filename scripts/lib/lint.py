#!/usr/bin/env python3
"""Finds slips that no compiler finds: checks that never run, misspelt
directives, files without a banner, work left open. Prints one line for each and
exits with 1 if there was any."""

import os
import re
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
TEST_SUFFIXES = (".mlir", ".test", ".ptx", ".td")
CODE_SUFFIXES = (".h", ".cpp", ".c", ".cu", ".td")
DIRECTIVES = "NEXT|SAME|NOT|DAG|LABEL|EMPTY|COUNT-[0-9]+"
EXPECTED = {"error", "warning", "remark", "note"}


def tracked_files():
    out = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    return [name for name in out.stdout.splitlines() if os.path.isfile(os.path.join(ROOT, name))]


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
        problems.append(f"{name}: CHECK lines, but no RUN line calls FileCheck")
    if uses_filecheck:
        prefixes = prefixes_of(runs)
        for prefix in sorted(prefixes - directives):
            problems.append(f"{name}: no line has the prefix {prefix} that a RUN line checks")
        for prefix in sorted(checks - prefixes):
            problems.append(f"{name}: no RUN line checks the prefix {prefix}")
    for number, line in enumerate(text.splitlines(), 1):
        for word in re.findall(r"expected-(\w+)", line):
            if word not in EXPECTED and re.search(r"expected-\w+\s*(?:@|\{\{)", line):
                problems.append(f"{name}:{number}: expected-{word} is not a directive")
        if re.search(r"\bCHECK[ _](?:%s)\s*:" % DIRECTIVES, line) or re.search(r"\bCHEKC|\bCEHCK|\bCHECK-LABLE", line):
            problems.append(f"{name}:{number}: misspelt CHECK directive")
    has_expected = re.search(r"expected-(?:error|warning|remark|note)\s*(?:@|\{\{|\+|-)", text)
    verifies = any("verify-diagnostics" in run for run in runs)
    if has_expected and runs and not verifies:
        problems.append(f"{name}: expected-* lines, but no RUN line has -verify-diagnostics")
    if name.startswith("test/") and not runs:
        problems.append(f"{name}: a test without a RUN line")
    return problems


def lint_code(name, text):
    problems = []
    if "SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception" not in text[:1000]:
        problems.append(f"{name}: no license in the banner")
    lines = text.splitlines()
    if lines and not (lines[0].startswith("//===- " + os.path.basename(name)) and lines[0].endswith("===//")):
        problems.append(f"{name}:1: the banner's first line does not name the file")
    if len(lines) > 600:
        problems.append(f"{name}: {len(lines)} lines; split it by noun at 600")
    if name.split("/")[0] in ("lib", "include", "tools"):
        for number, line in enumerate(lines, 1):
            if re.search(r"\bTODO\b|\bFIXME\b|not (yet )?implemented|unimplemented", line, re.I):
                problems.append(f"{name}:{number}: work left open: {line.strip()}")
    return problems


def lint_links(name, text):
    """Relative links of the documentation must lead somewhere."""
    problems = []
    for target in re.findall(r"\]\(([^)#\s]+)(?:#[^)]*)?\)", text):
        if "://" in target:
            continue
        if not os.path.exists(os.path.join(ROOT, os.path.dirname(name), target)):
            problems.append(f"{name}: the link to {target} leads nowhere")
    return problems


def lint_attributes():
    """Attributes that passes use and that the dialect's verifier refuses."""
    with open(os.path.join(ROOT, "lib/Dialect/Hetero/IR/HeteroDialect.cpp")) as file:
        known = re.search(r"kAttributeNames\[\] = {(.*?)};", file.read(), re.DOTALL).group(1)
    problems = []
    for name in tracked_files():
        if not name.startswith(("include/", "lib/")) or not name.endswith((".h", ".cpp")):
            continue
        with open(os.path.join(ROOT, name)) as file:
            for attribute in re.findall(r'"hetero\.(\w+)"', file.read()):
                if f'"{attribute}"' not in known:
                    problems.append(f"{name}: add '{attribute}' to kAttributeNames of HeteroDialect.cpp")
    return problems


def main():
    problems = lint_attributes()
    for name in tracked_files():
        with open(os.path.join(ROOT, name), encoding="utf-8", errors="replace") as file:
            text = file.read()
        is_input = "/Inputs/" in name
        if name.startswith("test/") and name.endswith(TEST_SUFFIXES) and not is_input:
            if not name.startswith(("test/lib/", "test/Unit/")):
                problems += lint_test(name, text)
        if name.endswith(CODE_SUFFIXES) and name.split("/")[0] in ("lib", "include", "tools", "test", "examples"):
            problems += lint_code(name, text)
        if name.endswith(".md"):
            problems += lint_links(name, text)
    for problem in problems:
        print(problem)
    print(f"lint: {len(problems)} problem(s)")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
