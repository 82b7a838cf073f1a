"""Rule 9: what documents say of the tree is so: links, paths and options that
they name are there, and numbers that they count are right."""

import os
import re

import house_figures
from lint_rules.source_tree import Problem

RULE = "documents"
SUFFIXES = "h|cpp|def|td|py|mlir|test|ptx|cu|md"
TOP = "lib|include|tools|test|docs|scripts|python|examples|benchmarks|cmake"
# What stands for any name.
ANY = {"ROOM", "NAME", "SCOPE", "OTHER", "X", "XTest"}
# Files of others that documents name.
FOREIGN = {"cuda.h", "mpi.h", "CudaRuntimeWrappers.cpp"}
# Options of tools of others, and those that upstream gives to tools of ours.
FOREIGN_OPTIONS = re.compile(
    r"mlir-|gtest|help$|version$|preset$|(dump-)?pass-pipeline$|transform-preload-library$|convert-to-llvm$|verify-|split-input-file$|remarks-filter$"
)
INDEX, FEATURES, PIPELINE = "docs/README.md", "docs/Features.md", "docs/Pipeline.md"
OPTIONS = "include/hetero/Pipelines/HeteroPipeline.h"
TOLERANCE = 1 / 50


def documents(tree):
    return [(name, tree.text(name)) for name in tree.files if name.endswith(".md")]


def line_of(text, match):
    return text.count("\n", 0, match.start()) + 1


def without_blocks(text):
    """The prose: programs and commands run as tests."""
    return re.sub(r"^```.*?^```", lambda block: re.sub(r"[^\n]", " ", block.group()), text, flags=re.M | re.S)


def links(tree):
    """Relative links must lead somewhere."""
    for name, text in documents(tree):
        for target in re.findall(r"\]\(([^)#\s]+)(?:#[^)]*)?\)", text):
            if "://" not in target and not os.path.exists(os.path.join(tree.root, os.path.dirname(name), target)):
                yield Problem(name, 0, f"the link to {target} leads nowhere", RULE)


def ends_of(tree):
    """What a path may be called by: a file, a file without its suffix or a
    folder, with or without the folders that it is in."""
    found = set()
    for name in tree.files:
        parts = name.split("/")
        for end in range(1, len(parts) + 1):
            whole = parts[:end]
            stem = [*whole[:-1], os.path.splitext(whole[-1])[0]]
            for begin in range(end):
                found.update(("/".join(whole[begin:]), "/".join(stem[begin:])))
    return found


def is_there(tree, ends, path):
    """A path from the root is there as it stands; any other one may lack the
    folders before it."""
    rooted = re.match(rf"(?:{TOP})/", path)
    full = os.path.join(tree.root, path)
    return path in ends and (not rooted or os.path.exists(full) or any(name.startswith(path + ".") for name in tree.files))


def paths(tree):
    """Files and folders that documents name, in quotes or not."""
    ends = ends_of(tree)
    patterns = (
        rf"(?<![\w/.:*-])((?:[\w.-]+/)*[\w-]+\.(?:{SUFFIXES}))(?![\w/.*])",
        rf"`((?:{TOP})(?:/[\w-]+)+)/?`",
        r"`([A-Z][A-Za-z]+(?:/[A-Z][A-Za-z]+)+)`",
    )
    for name, text in documents(tree):
        prose = without_blocks(text)
        for match in (match for pattern in patterns for match in re.finditer(pattern, prose)):
            path = match.group(1)
            is_file_of_user = "/" not in path and not path.endswith((".h", ".cpp", ".def", ".td", ".py"))
            if path in FOREIGN or is_file_of_user or ANY & {part.split(".")[0] for part in path.split("/")}:
                continue
            beside = os.path.normpath(os.path.join(os.path.dirname(name), path))
            if beside not in tree.names and not is_there(tree, ends, path):
                yield Problem(name, line_of(text, match), f"there is no {path}", RULE)


def functions(tree):
    """A function that stands with its file, as `name` (File.cpp), is in it."""
    for name, text in documents(tree):
        for match in re.finditer(r"`(\w+)` \(`?([\w/]+\.(?:cpp|h))`?\)", without_blocks(text)):
            files = [file for file in tree.files if f"/{file}".endswith(f"/{match.group(2)}")]
            if files and not any(re.search(rf"\b{match.group(1)}\b", tree.text(file)) for file in files):
                yield Problem(name, line_of(text, match), f"{match.group(2)} has no {match.group(1)}", RULE)


def known_options(tree):
    """Names that some tool, pass or script declares."""
    code = "".join(tree.text(name) for name in tree.under("lib/", "include/", "tools/", "test/lib/", suffixes=(".h", ".cpp", ".td", ".def")))
    scripts = "".join(tree.text(name) for name in tree.files if name.endswith(".py") or name.startswith("scripts/") or "run" == os.path.basename(name))
    return set(re.findall(r'"-{0,2}([a-z][\w-]*)=?"', code)) | set(re.findall(r"--([a-z][\w-]*)", scripts + code))


def options(tree):
    known = known_options(tree)
    for name, text in documents(tree):
        for match in re.finditer(r"(?<![\w-])--([a-z][\w-]*)", text):
            if match.group(1) not in known and not FOREIGN_OPTIONS.match(match.group(1)):
                yield Problem(name, line_of(text, match), f"nothing has the option --{match.group(1)}", RULE)


def pipeline_options(tree):
    """The table of options has those of the pipeline, and no others."""
    if PIPELINE not in tree.names:
        return
    declared = re.findall(r'\*this,\s*"([\w-]+)"', tree.text(OPTIONS))
    rows = re.findall(r"^\| `([\w-]+)` \|", tree.text(PIPELINE).partition("\n## Options\n")[2].partition("\n## ")[0], re.M)
    for option in sorted(set(declared) ^ set(rows)):
        where = "is not in the table of options" if option in declared else "of the table of options is none of the pipeline"
        yield Problem(PIPELINE, 0, f"`{option}` {where}", RULE)


def counts(tree):
    """Programs of Features.md, by their headings."""
    if FEATURES not in tree.names:
        return
    numbers = [int(number) for number in re.findall(r"^## (\d+)\. ", tree.text(FEATURES), re.M)]
    if numbers != list(range(1, len(numbers) + 1)):
        yield Problem(FEATURES, 0, "the programs are not numbered from 1, one after the other", RULE)
    said = re.search(r"\(Features\.md\) \|.*?(\d+) programs", tree.text(INDEX))
    if said and int(said.group(1)) != len(numbers):
        yield Problem(INDEX, line_of(tree.text(INDEX), said), f"says {said.group(1)} programs; {FEATURES} has {len(numbers)}", RULE)


def figures(tree):
    """The table of House.md is what its script counts."""
    if house_figures.HOUSE not in tree.names:
        return
    written = house_figures.written(tree.text(house_figures.HOUSE))
    for what, number, _ in house_figures.figures(tree):
        if abs(written.get(what, 0) - number) > TOLERANCE * number:
            yield Problem(house_figures.HOUSE, 0, f"{what}: says {written.get(what, 0):,}, is {number:,}; run scripts/lib/house_figures.py --write", RULE)


def markers(tree):
    """What only some readers of Markdown replace."""
    for name, text in documents(tree):
        for match in re.finditer(r"^\[TOC\]$", text, re.M):
            yield Problem(name, line_of(text, match), "[TOC] is shown as it is", RULE)


def check(tree):
    return [problem for part in (links, paths, functions, options, pipeline_options, counts, figures, markers) for problem in part(tree)]
