"""Rule 4: at most 25 sources in a folder; a class has at most 40 methods and is
defined in at most two .cpp files."""

import os
from collections import Counter, defaultdict

from lint_rules.headers import library_of
from lint_rules.source_tree import SOURCE_SUFFIXES, Problem

RULE = "sizes"
MOST_SOURCES, MOST_FILES, MOST_METHODS = 25, 2, 40


def folders(tree):
    counts = Counter(os.path.dirname(name) for name in tree.under("lib/", "include/", "tools/", suffixes=SOURCE_SUFFIXES))
    for folder, count in sorted(counts.items()):
        if count > MOST_SOURCES:
            yield Problem(folder, 0, f"{count} sources; a folder has at most {MOST_SOURCES}", RULE)


def classes(tree):
    known, files = defaultdict(list), defaultdict(dict)
    for name in tree.under("lib/", "include/", "tools/", suffixes=(".h", ".cpp")):
        for found in tree.scan(name).classes:
            known[library_of(name), found.name].append(name)
            if len(found.methods) > MOST_METHODS:
                yield Problem(name, found.line, f"{found.name} has {len(found.methods)} methods; a class has at most {MOST_METHODS}", RULE)
    for name in tree.under("lib/", "tools/", suffixes=(".cpp",)):
        for function in tree.scan(name).functions:
            if function.is_definition and known.get((library_of(name), function.owner)):
                files[library_of(name), function.owner].setdefault(name, function.line)
    for (library, owner), sources in sorted(files.items()):
        if len(sources) > MOST_FILES and len(known[library, owner]) == 1:
            header = known[library, owner][0]
            line = next(found.line for found in tree.scan(header).classes if found.name == owner)
            yield Problem(header, line, f"{owner} is defined in {len(sources)} files; a class in at most {MOST_FILES}", RULE)


def check(tree):
    return list(folders(tree)) + sorted(classes(tree))
