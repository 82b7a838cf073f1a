"""What of a module IREE's importer does not take: each operation is tried by itself, in a process of its own.

The importer tells of one operation, or crashes. A Failure here lists all of them, by the names of JAX's
primitives and the lines that they come from.
"""

from __future__ import annotations

import collections
import os
import signal

from hetero.importers import child
from hetero.importers.names import is_location, read_location

_DIALECTS = ("stablehlo.", "chlo.")
# Their regions hold a program, of which each operation is tried.
_BLOCKS = ("func.func", "stablehlo.while", "stablehlo.case", "stablehlo.if")
# Names of diagnostics that may be long.
_LONGEST = 160
SECONDS = 60


def _is_tried(op) -> bool:
    parent = op.parent
    return (
        op.name.startswith(_DIALECTS)
        and op.name not in _BLOCKS
        and op.name != "stablehlo.return"
        and parent is not None
        and parent.name in _BLOCKS
    )


def _find_line(location) -> str:
    """The file and the line of a location, if it has some."""
    while is_location(location, "name"):
        location = location.child_loc
    if is_location(location, "callsite"):
        return _find_line(location.callee) or _find_line(location.caller)
    return f"{location.filename}:{location.start_line}" if is_location(location, "file") else ""


def _is_by_itself(op) -> bool:
    """Whether its regions use no value of around it."""
    inside = {value for region in op.regions for block in region.blocks for value in block.arguments}

    def visit(inner):
        inside.update(inner.results)
        return child.require("iree.compiler.ir", child.PACKAGE).WalkResult.ADVANCE

    op.walk(visit)
    used = []

    def collect(inner):
        if inner.operation != op:
            used.extend(inner.operands)
        return child.require("iree.compiler.ir", child.PACKAGE).WalkResult.ADVANCE

    op.walk(collect)
    return all(value in inside for value in used)


def _isolate(op, ir):
    """A module with a function that is the operation."""
    module = ir.Module.create()
    kinds = [value.type for value in op.operands]
    with ir.InsertionPoint(module.body):
        function = ir.Operation.create(
            "func.func",
            attributes={
                "sym_name": ir.StringAttr.get("main"),
                "function_type": ir.TypeAttr.get(ir.FunctionType.get(kinds, [value.type for value in op.results])),
            },
            regions=1,
        )
    block = function.regions[0].blocks.append(*kinds, arg_locs=[ir.Location.unknown()] * len(kinds))
    with ir.InsertionPoint(block):
        copy = op.clone()
        for number, argument in enumerate(block.arguments):
            copy.operands[number] = argument
        ir.Operation.create("func.return", operands=list(copy.results))
    return module


def _run_alone(work, seconds) -> str | None:
    """What a copy of this process says of `work()`: None where it ends well."""
    read, write = os.pipe()
    pid = os.fork()
    if not pid:
        try:
            signal.alarm(seconds)
            os.close(read)
            work()
            os._exit(0)
        except BaseException as error:  # The importers raise whatever they like.
            os.write(write, str(error).encode()[:4000])
        os._exit(1)
    os.close(write)
    with os.fdopen(read, "rb") as pipe:
        text = pipe.read().decode("utf-8", "replace")
    _, status = os.waitpid(pid, 0)
    if os.WIFSIGNALED(status):
        return "the importer crashes at it"
    return text if os.WEXITSTATUS(status) else None


def _explain(op, text) -> str:
    """Why the operation is refused."""
    if op.name == "stablehlo.custom_call":
        return f"a call of '{op.attributes['call_target_name'].value}', a function of JAX's libraries"
    if "explicitly marked illegal" in text or "unresolved materialization" in text:
        kinds = dict.fromkeys(str(value.type) for value in (*op.operands, *op.results))
        return f"IREE's importer has no {op.name} of {', '.join(kinds)}"
    return text.splitlines()[0][:_LONGEST] if text else op.name


def find(bytecode, run) -> list[str]:
    """A line for each kind of operation that `run(module)` does not take: its name, how often, where, and why."""
    ir = child.require("iree.compiler.ir", child.PACKAGE)
    context = child.make_context()
    context.allow_unregistered_dialects = True
    module = ir.Module.parse(bytecode, context=context).operation
    groups = collections.defaultdict(list)
    for op in child.find_operations(module, _is_tried):
        # Constants differ by their types only; the bindings have no class for all of them.
        named = [op.attributes[i] for i in range(len(op.attributes))] if op.name != "stablehlo.constant" else []
        attributes = ", ".join(f"{attribute.name} = {attribute.attr}" for attribute in named)
        kinds = [str(value.type) for value in (*op.operands, *op.results)]
        groups[op.name, attributes, *kinds].append(op)
    lines, places = collections.Counter(), {}
    with context, ir.Location.unknown():
        for found in groups.values():
            op = found[0]
            if not _is_by_itself(op):
                continue
            text = _run_alone(lambda op=op: run(_isolate(op, ir).operation), SECONDS)
            if text is None:
                continue
            for one in found:
                key = "/".join(filter(None, read_location(one.location) or [one.name])), _explain(one, text)
                lines[key] += 1
                places.setdefault(key, _find_line(one.location))
    return [_write_line(name, why, count, places[name, why]) for (name, why), count in lines.items()]


def _write_line(name, why, count, place) -> str:
    times = f" ({count} times)" if count > 1 else ""
    return f"{name}{times}{f' at {place}' if place else ''}: {why}"
