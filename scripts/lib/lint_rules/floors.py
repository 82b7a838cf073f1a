"""Rule 1: an include goes down or stays on its floor; beside the compiler lie
worlds of their own."""

from lint_rules.source_tree import Problem

RULE = "floors"

# From the ground up; rooms on one floor do not see each other, but as SIBLINGS
# says. The longest prefix that fits names the room of a file.
FLOORS = [
    {"Support": ["lib/Support"]},
    {
        "Dialect": ["lib/Dialect"],
        "TMTensor": ["lib/Dialect/TMTensor"],
        "TransformOps": ["lib/Dialect/Hetero/TransformOps"],
    },
    {"Analysis": ["lib/Analysis"]},
    {"Transforms": ["lib/Transforms", "lib/Dialect/Hetero/Transforms"]},
    {
        "Codegen": ["lib/Codegen"],
        "Codegen/CPU": ["lib/Codegen/CPU"],
        "Codegen/GPU": ["lib/Codegen/GPU"],
        "Codegen/Libraries": ["lib/Codegen/Libraries"],
    },
    {
        "Conversion": ["lib/Conversion"],
        "Conversion/HeteroToGPU": ["lib/Conversion/HeteroToGPU"],
        "Conversion/HeteroToLLVM": ["lib/Conversion/HeteroToLLVM"],
        "Conversion/ParallelLoopsToRuntime": ["lib/Conversion/ParallelLoopsToRuntime"],
    },
    {"Pipelines": ["lib/Pipelines"], "Target": ["lib/Target"]},
    {"Compiler": ["lib/Compiler", "lib/InitAll"]},
    {"tools": ["tools", "test/lib"]},
]
SIBLINGS = {
    "TMTensor": {"Dialect"},
    "TransformOps": {"Dialect"},
    "Codegen/CPU": {"Codegen", "Codegen/Libraries"},
    "Codegen/GPU": {"Codegen"},
    "Codegen/Libraries": {"Codegen"},
    "Conversion/HeteroToGPU": {"Conversion"},
    "Conversion/HeteroToLLVM": {"Conversion"},
    "Conversion/ParallelLoopsToRuntime": {"Conversion"},
}

# What lies beside the floors: its rooms, and what each may include besides
# itself and the C++ library.
WORLDS = {
    "Runtime": {"lib/Runtime": set()},
    "Runner": {"lib/Runner": {"Runtime's public headers"}},
    "Emulator": {"lib/Emulator": {"Runtime's public headers", "Support", "llvm"}},
}
# Where a world has rooms: which of them each may include.
WORLD_ROOMS = {
    "Runtime": {
        "Host": {},
        "Report": {"Host"},
        "Device": {"Host", "Report"},
        "Libraries": {"Host", "Report", "Device"},
    },
    "Emulator": {
        "PTX": {},
        "Execute": {"PTX"},
        "Translate": {"PTX", "Execute"},
        "Vectorize": {"PTX", "Execute", "Translate"},
        "Compile": {"PTX", "Execute", "Translate", "Vectorize"},
        "Device": {"PTX", "Execute"},
        "Driver": {"PTX", "Execute", "Compile", "Device"},
    },
}

# Of the worlds, what the floors see.
SEEN = {
    "include/hetero/Runtime/HeteroRuntime.h": None,
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


def inner_room(name):
    """The room of a file inside its world, '' at the top."""
    parts = name.replace("include/hetero", "lib", 1).split("/")
    return parts[2] if len(parts) > 3 else ""


def arrow(source, target):
    """What is wrong with the include, or nothing."""
    floor, room = room_of(source)
    to_floor, to_room = room_of(target)
    if not room or not to_room or room == to_room:
        return arrow_inside(source, target, room) if room and room in WORLDS and room == to_room else None
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


def arrow_inside(source, target, world):
    allowed = WORLD_ROOMS.get(world)
    room, to_room = inner_room(source), inner_room(target)
    if allowed is None or room == to_room or not to_room or not target.startswith("lib/"):
        return None
    if to_room in allowed.get(room, ()):
        return None
    return f"{world}/{room} includes {world}/{to_room}"


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


def check(tree):
    problems = set()
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
