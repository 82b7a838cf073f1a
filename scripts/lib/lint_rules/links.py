"""Rule 2: a target links the libraries whose headers its sources include, and
no others."""

import os
import re
from dataclasses import dataclass

from lint_rules.source_tree import Problem, room_of

RULE = "links"
COMMANDS = r"\b(add_hetero_library|add_hetero_tool|add_hetero_unittest|add_library|add_executable|target_link_libraries)\s*\(([^)]*)\)"
WORDS = {"LINK_LIBS", "PUBLIC", "PRIVATE", "INTERFACE", "STATIC", "SHARED", "OBJECT", "MODULE", "EXCLUDE_FROM_ALL", "WITHOUT_MLIR"}


@dataclass
class Target:
    name: str
    file: str
    line: int
    sources: set
    links: set


def targets_of(tree):
    targets = {}
    for name in tree.under("lib/", "tools/", "test/lib/", suffixes=("CMakeLists.txt",)):
        text = re.sub(r"#[^\n]*", lambda match: " " * len(match.group()), tree.text(name))
        folder = os.path.dirname(name)
        for match in re.finditer(COMMANDS, text):
            words = match.group(2).split()
            line = text.count("\n", 0, match.start()) + 1
            target = targets.setdefault(words[0], Target(words[0], name, line, set(), set()))
            for word in words[1:]:
                if word.endswith((".cpp", ".c")):
                    target.sources.add(os.path.normpath(os.path.join(folder, word)))
                elif word not in WORDS and re.fullmatch(r"\w+", word):
                    target.links.add(word)
            if match.group(1) in ("add_hetero_library", "add_hetero_tool"):
                target.links |= {"LLVM"} if "WITHOUT_MLIR" in words else {"LLVM", "MLIR"}
    return targets


def owners_of(targets):
    """The targets that have sources in a folder, and the one of each file."""
    folders, files = {}, {}
    for target in targets.values():
        for source in target.sources:
            files.setdefault(source, set()).add(target.name)
            folders.setdefault(os.path.dirname(source), set()).add(target.name)
    return folders, files


def owner_of(header, folders, files):
    """The library of a header: that of its source, or the only one of its
    folder or of the nearest folder above. '' where that is not clear."""
    room = room_of(header)
    stem = os.path.splitext(os.path.basename(header))[0]
    owners = files.get(f"{room}/{stem}.cpp")
    while not owners and room.count("/") > 0:
        owners = folders.get(room)
        room = os.path.dirname(room)
    return next(iter(owners)) if owners and len(owners) == 1 else ""


def headers_reached(tree, target):
    """(line, file) included by the target's sources and by its own headers."""
    pending, seen = sorted(target.sources), set()
    rooms = {room_of(source) for source in target.sources}
    while pending:
        name = pending.pop()
        if name in seen or name not in tree.names:
            continue
        seen.add(name)
        for line, included in tree.includes(name):
            yield name, line, included
            if room_of(included) in rooms:
                pending.append(included)


def check(tree):
    problems = []
    targets = targets_of(tree)
    folders, files = owners_of(targets)
    for target in targets.values():
        used = set()
        missing = {}
        for name, line, header in headers_reached(tree, target):
            owner = owner_of(header, folders, files)
            # A C interface is loaded by name as well as linked.
            if not owner or owner == target.name or owner.startswith("hetero_"):
                continue
            used.add(owner)
            if owner not in target.links:
                missing.setdefault(owner, (name, line))
        for owner, (name, line) in sorted(missing.items()):
            problems.append(Problem(name, line, f"{target.name} includes {owner} and does not link it", RULE))
        for link in sorted(target.links & set(targets)):
            if target.sources and link not in used and not link.startswith("hetero_"):
                problems.append(Problem(target.file, target.line, f"{target.name} links {link} and includes nothing of it", RULE))
        if "MLIR" in target.links and target.sources and not uses(tree, targets, target, "mlir/", set()):
            problems.append(Problem(target.file, target.line, f"{target.name} links MLIR and includes nothing of it", RULE))
    return problems


def uses(tree, targets, target, prefix, seen):
    """Whether the target or one that it links includes such headers."""
    if target.name in seen:
        return False
    seen.add(target.name)
    for source in target.sources:
        for name in {source} | {header for _, header in tree.includes(source)}:
            if name in tree.names and any(text.startswith(prefix) for _, text in tree.raw_includes(name)):
                return True
    return any(uses(tree, targets, targets[link], prefix, seen) for link in target.links if link in targets)
