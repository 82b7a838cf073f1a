"""Rule 1: an include goes down or stays on its floor; beside the compiler lie
worlds of their own."""

import os
import re

from lint_rules.source_tree import Problem

RULE = "floors"

# From the ground up. The longest prefix that fits names the floor of a file.
FLOORS = [
    {"Support": ["lib/Support"], "Core": ["lib/Placement"]},
    {"Dialect": ["lib/Dialect"], "TMTensor": ["lib/Dialect/TMTensor"]},
    {"Analysis": ["lib/Analysis"]},
    {"Transforms": ["lib/Transforms"], "TransformOps": ["lib/Dialect/Hetero/TransformOps"]},
    {"Codegen": ["lib/Codegen"]},
    {"Conversion": ["lib/Conversion"]},
    {"Pipelines": ["lib/Pipelines"], "Target": ["lib/Target"], "Import": ["lib/Import"]},
    {"Compiler": ["lib/Compiler", "lib/InitAll"]},
    {"tools": ["tools", "test/lib"]},
]
SIBLINGS = {
    "TMTensor": {"Dialect"},
}

# What lies beside the floors: its rooms, and what each may include besides
# itself and the C++ library.
WORLDS = {
    "Runtime": {"lib/Runtime": set()},
    "MPI": {"lib/MPI": {"Runtime's public headers"}},
    "Runner": {"lib/Runner": {"Runtime's public headers"}},
    "Emulator": {"lib/Emulator": {"Runtime's public headers", "Support", "llvm"}},
}
# Where a folder has rooms: which of them each may include. '' is what lies in the
# folder itself: without a row there it is included by all and includes none.
WITHIN = {
    "lib/Analysis": {
        "Machine": {},
        "Blocks": {"Machine"},
        "Placement": {"Machine", "Blocks"},
    },
    "lib/Analysis/Placement": {
        "Graph": {""},
        "Annotate": {"", "Graph"},
        "Price": {"", "Graph"},
        "Solve": {"", "Graph", "Price"},
        "Memory": {"", "Graph", "Price", "Solve"},
        "Decide": {"", "Graph", "Annotate", "Price", "Solve", "Memory"},
        "Explain": {"", "Graph", "Price", "Decide"},
        "Export": {"", "Graph", "Price", "Solve", "Memory", "Decide"},
    },
    "lib/Transforms": {
        "": {"Checks", "Placement", "Regions", "Frontends", "Simplify", "Loops", "Copies", "Buffers", "Schedule", "Order", "Streaming", "Nodes"},
        "Checks": {},
        "Placement": {""},
        "Regions": {"", "Placement"},
        "Frontends": {"", "Checks", "Regions", "Placement"},
        "Simplify": {"", "Placement"},
        "Loops": {"", "Checks", "Simplify"},
        "Copies": {"", "Placement"},
        "Buffers": {"", "Placement", "Copies"},
        "Schedule": {"", "Placement", "Copies", "Buffers"},
        "Order": {"", "Buffers", "Schedule"},
        "Streaming": {"", "Buffers", "Schedule"},
        "Nodes": {"", "Placement", "Buffers"},
    },
    "lib/Codegen": {
        "Match": {""},
        "Common": {"", "Match"},
        "Arithmetic": {"", "Match", "Common"},
        "Decompose": {"", "Match", "Common", "Arithmetic"},
        "CPU": {"", "Match", "Common", "Arithmetic", "Decompose"},
        "GPU": {"", "Match", "Common", "Arithmetic", "Decompose"},
        "Libraries": {"", "Match", "Common", "Arithmetic", "Decompose", "CPU"},
        "Passes": {"", "Match", "Common", "Arithmetic", "Decompose", "CPU", "GPU", "Libraries"},
    },
    "lib/Codegen/CPU": {
        "": {"Target", "Plan", "Layout", "Prepare", "Emit", "Functions"},
        "Target": {},
        "Plan": {"Target"},
        "Layout": {"Target", "Plan"},
        "Prepare": {"Target", "Plan", "Layout"},
        "Emit": {"Target", "Plan", "Layout", "Prepare"},
        "Functions": {"Target", "Plan", "Layout", "Prepare", "Emit"},
    },
    "lib/Codegen/CPU/Emit": {
        "": {"Loops", "Operands"},
        "Loops": {},
        "Operands": {"Loops"},
    },
    "lib/Codegen/GPU": {
        "": {"Plan", "Kernels", "Products"},
        "Plan": {},
        "Kernels": {"Plan"},
        "Products": {"Plan", "Kernels"},
        "Serialize": {},
    },
    "lib/Conversion": {
        "": {"RuntimeABI"},
        "RuntimeABI": {},
        "HeteroToGPU": {""},
        "HostLoops": {"", "RuntimeABI"},
        "HeteroToLLVM": {"", "RuntimeABI", "HostLoops"},
    },
    "lib/Import/ONNX": {
        "": {"Emit"},
        "Emit": {""},
        "Compose": {"", "Emit"},
        "Operators": {"", "Emit", "Compose"},
        "Images": {"", "Emit", "Compose"},
        "Frameworks": {"", "Emit", "Compose"},
        "Microsoft": {"", "Emit", "Compose"},
        "Learning": {"", "Emit", "Compose"},
    },
    "lib/Runtime": {
        "Host": {},
        "Report": {"Host"},
        "Device": {"Host", "Report"},
        "Libraries": {"Host", "Report", "Device"},
        "Nodes": {"Host", "Report", "Device"},
        "Calls": {"Host", "Report", "Device", "Libraries", "Nodes"},
    },
    "lib/Emulator": {
        "ABI": {},
        "PTX": {"ABI"},
        "Translate": {"ABI", "PTX"},
        "Vectorize": {"ABI", "PTX", "Translate"},
        "Compile": {"ABI", "PTX", "Translate", "Vectorize"},
        "Execute": {"ABI"},
        "Device": {"ABI", "Execute"},
        "Driver": {"ABI", "PTX", "Execute", "Compile", "Device"},
    },
}

# Of the worlds, what the floors see.
SEEN = {
    "include/hetero/Runtime/HeteroRuntime.h": None,
    "include/hetero/Runtime/BlockSizes.h": {"Transforms"},
    "include/hetero/Runtime/HeteroRequests.h": None,
    "include/hetero/Runtime/HeteroNodes.h": None,
    "include/hetero/Runner": {"Compiler", "tools"},
}


def _build_rooms():
    rooms = {}
    for number, floor in enumerate(FLOORS):
        for room, prefixes in floor.items():
            for prefix in prefixes:
                rooms[prefix] = (number, room)
    for world, folders in WORLDS.items():
        for prefix in folders:
            rooms[prefix] = (None, world)
    return rooms


ROOMS = _build_rooms()


def room_of(name):
    """(floor, room) of a file: the floor is None in a world, the room None
    where no rule holds."""
    name = name.replace("include/hetero", "lib", 1)
    parts = name.split("/")
    for end in range(len(parts), 0, -1):
        prefix = "/".join(parts[:end])
        for candidate in (prefix, prefix.rsplit(".", 1)[0]):
            if candidate in ROOMS:
                return ROOMS[candidate]
    return None, None


def rooms_within(source, target):
    """Where the ways to two files part: (folder, room, room), '' for a file that
    lies in the folder itself."""
    ways = [name.replace("include/hetero", "lib", 1).split("/") for name in (source, target)]
    folders = [way[:-1] for way in ways]
    depth = len(os.path.commonprefix(folders))
    room, to_room = (way[depth] if depth < len(way) else "" for way in folders)
    return "/".join(folders[0][:depth]), room, to_room


def arrow(source, target):
    """What is wrong with the include, or nothing."""
    floor, room = room_of(source)
    to_floor, to_room = room_of(target)
    if not room or not to_room or room == to_room:
        return arrow_inside(source, target) if room and room == to_room else None
    text = f"{room} includes {to_room}"
    if room in WORLDS:
        allowed = next(iter(WORLDS[room].values()))
        if to_room in allowed or (target.startswith("include/hetero/Runtime/") and "Runtime's public headers" in allowed):
            return None
        return text
    if to_room in WORLDS:
        for prefix, rooms in SEEN.items():
            if target.startswith(prefix) and (rooms is None or room in rooms):
                return None
        return f"{text}: {target.rsplit('/', 1)[1]}"
    if to_floor < floor or (to_floor == floor and to_room in SIBLINGS.get(room, ())):
        return None
    return text


def arrow_inside(source, target):
    folder, room, to_room = rooms_within(source, target)
    table = WITHIN.get(folder)
    if table is None or room == to_room or (not to_room and "" not in table and not _rows_name_top(table)):
        return None
    if to_room in table.get(room, ()):
        return None
    here = folder.removeprefix("lib/")
    return f"{here}/{room} includes {here}/{to_room}".replace("/ ", " ").rstrip("/")


def _rows_name_top(table):
    return any("" in allowed for allowed in table.values())


def foreign(source, target):
    """Headers of LLVM and MLIR in a room without them."""
    floor, room = room_of(source)
    for library in ("mlir", "llvm"):
        if not target.startswith((library + "/", library + "-c/")):
            continue
        if room in WORLDS and library not in next(iter(WORLDS[room].values())):
            return f"{room} includes {library}"
        if room == "Support" and library == "mlir":
            return f"{room} includes {library}"
    return None


def conditions(tree):
    """A tool is one program: what only tests have is a plugin or another tool."""
    for name in tree.under("tools/", suffixes=(".h", ".cpp")):
        for line, text in tree.lines(name):
            if re.match(r"\s*#\s*(?:if|elif)", text) and not re.match(r"#ifndef \w+_H$", text):
                yield Problem(name, line, "a tool compiles the same everywhere: no #if", RULE)


def check(tree):
    problems = set(conditions(tree))
    for name in tree.under("lib/", "include/", "tools/", "test/lib/"):
        if not name.endswith((".h", ".cpp", ".c", ".td", ".def")):
            continue
        for line, target in tree.raw_includes(name):
            text = foreign(name, target)
            if text:
                problems.add(Problem(name, line, text, RULE))
        for line, target in tree.includes(name):
            text = arrow(name, target)
            if text:
                problems.add(Problem(name, line, text, RULE))
    return sorted(problems)
