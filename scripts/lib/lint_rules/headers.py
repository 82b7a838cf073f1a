"""Rule 3: what X.h declares, X.cpp defines, and something calls; a header in
include/ has a user outside its library."""

import os
import re
from collections import Counter, defaultdict

from lint_rules.source_tree import Problem, room_of

RULE = "headers"
# C interfaces: their functions are defined by subject, and their users are
# programs outside.
INTERFACES = (
    "include/hetero/Emulator/EmulatorControl.h",
    "include/hetero/Runtime/CudaDriver.h",
    "include/hetero/Runtime/HeteroNodes.h",
    "include/hetero/Runtime/HeteroRequests.h",
    "include/hetero/Runtime/HeteroRuntime.h",
    "include/hetero/Runtime/Measure.h",
)
# Templates of LLVM call these of a class that is theirs to know.
CALLED_ELSEWHERE = {"printOptionDiff"}


def library_of(name):
    """lib/A for what lies in lib/A/... and include/hetero/A/...; the dialects
    are libraries one folder deeper."""
    parts = name.replace("include/hetero", "lib", 1).split("/")
    depth = 4 if parts[:2] == ["lib", "Dialect"] else 2
    return "/".join(parts[: min(depth, len(parts) - 1)])


def stem(name):
    return os.path.splitext(os.path.basename(name))[0]


def declared(tree):
    """Functions and classes by library and name: the headers that have them."""
    functions, classes = defaultdict(set), defaultdict(set)
    for header in tree.under("lib/", "include/", suffixes=(".h",)):
        if header in INTERFACES:
            continue
        library = library_of(header)
        for function in tree.scan(header).functions:
            if not function.is_definition and not function.is_local:
                functions[library, function.name].add(header)
        for found in tree.scan(header).classes:
            classes[library, found.name].add(header)
    return functions, classes


def misplaced(tree):
    functions, classes = declared(tree)
    problems, class_files = {}, defaultdict(dict)
    for source in tree.under("lib/", suffixes=(".cpp",)):
        library = library_of(source)
        own = {found.name for found in tree.scan(source).classes}
        for function in tree.scan(source).functions:
            if not function.is_definition or function.is_local or function.owner in own:
                continue
            if classes.get((library, function.owner)):
                class_files[library, function.owner].setdefault(source, function.line)
                continue
            headers = functions.get((library, function.name), ())
            if headers and stem(source) not in {stem(header) for header in headers}:
                header = sorted(headers)[0]
                problems.setdefault((source, header), function)
    for (source, header), function in problems.items():
        yield Problem(source, function.line, f"defines what {os.path.basename(header)} declares", RULE)
    for (library, name), files in class_files.items():
        headers = classes[library, name]
        if not {stem(header) for header in headers} & {stem(source) for source in files}:
            source = sorted(files)[0]
            yield Problem(source, files[source], f"defines {name}, which {os.path.basename(sorted(headers)[0])} declares", RULE)


def uncalled(tree):
    """Functions that headers declare and that no text names but to declare and
    define them."""
    sources = list(tree.under("lib/", "include/", suffixes=(".h", ".cpp")))
    declared, first = Counter(), {}
    for name in sources:
        scan = tree.scan(name)
        for function in scan.functions + [method for found in scan.classes for method in found.methods]:
            declared[function.name] += 1
            is_plain = function.name.isidentifier() and not function.is_override and function.name not in {found.name for found in scan.classes}
            if name.endswith(".h") and name not in INTERFACES and is_plain:
                first.setdefault(function.name, (name, function.line))
    named = Counter()
    for name in tree.under("lib/", "include/", "tools/", "test/", "examples/", "benchmarks/", suffixes=(".h", ".cpp", ".c", ".td", ".def", ".cu")):
        named.update(re.findall(r"\w+", re.sub(r"//[^\n]*", "", tree.text(name))))
    for function, (name, line) in first.items():
        if named[function] <= declared[function] and function not in CALLED_ELSEWHERE:
            yield Problem(name, line, f"declares {function}, which nothing calls", RULE)


def unused(tree):
    users = defaultdict(set)
    for name in tree.under("lib/", "include/", "tools/", "test/lib/", "examples/", "benchmarks/"):
        if name.endswith((".h", ".cpp", ".c", ".td", ".def")):
            for _, target in tree.includes(name):
                users[target].add(name)
    for header in tree.under("include/hetero/", suffixes=(".h",)):
        if header in INTERFACES:
            continue
        # What a public header includes must be public too.
        if not any(library_of(user) != library_of(header) or user.startswith("include/") for user in users[header]):
            yield Problem(header, 0, f"no user outside {room_of(header)}; it belongs there", RULE)


def check(tree):
    return sorted(misplaced(tree)) + sorted(uncalled(tree)) + sorted(unused(tree))
