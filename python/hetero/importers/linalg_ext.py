"""IREE's operations beside linalg, as those of torch-mlir's tm_tensor dialect.

Sort, top-k, scan and scatter of the two have the same operands, regions and
meaning, and nearly the same attributes; the compiler knows tm_tensor's.
"""

from __future__ import annotations

import collections

from hetero.importers import child

# The attributes that each operation keeps.
_KEPT = {
    "sort": ("dimension",),
    "topk": ("dimension",),
    "scan": ("dimension", "inclusive"),
    "scatter": ("dimension_map", "unique_indices"),
}
_PREFIX = "iree_linalg_ext."


def _is_of_iree(op) -> bool:
    """An operation of IREE's dialect, but for terminators."""
    return op.name.startswith(_PREFIX) and not op.name.endswith(".yield")


# Of arith.cmpi: at least, and greater than, as signed numbers.
_AT_LEAST, _GREATER = 5, 4


def _keep_first(block, ir) -> None:
    """Of equal numbers the first is the greater one."""
    for op in block.operations:
        if op.operation.name == "arith.cmpi" and ir.IntegerAttr(op.attributes["predicate"]).value == _AT_LEAST:
            op.attributes["predicate"] = ir.IntegerAttr.get(ir.IntegerType.get_signless(64), _GREATER)


def _replace_terminator(block, ir) -> None:
    terminator = block.operations[len(block.operations) - 1].operation
    ir.Operation.create("tm_tensor.yield", operands=list(terminator.operands), ip=ir.InsertionPoint(terminator))
    terminator.erase()


def _replace(op, ir) -> None:
    name = op.name[len(_PREFIX) :]
    attributes = {key: op.attributes[key] for key in _KEPT[name] if key in op.attributes}
    # Each has as many results as operands that become them.
    sizes = [len(op.operands) - len(op.results), len(op.results)]
    attributes["operandSegmentSizes"] = ir.DenseI32ArrayAttr.get(sizes)
    new = ir.Operation.create(
        f"tm_tensor.{name}",
        results=[result.type for result in op.results],
        operands=list(op.operands),
        attributes=attributes,
        regions=1,
        ip=ir.InsertionPoint(op),
        loc=op.location,
    )
    block = op.regions[0].blocks[0]
    block.append_to(new.regions[0])
    if name == "topk":
        _keep_first(new.regions[0].blocks[0], ir)
    _replace_terminator(new.regions[0].blocks[0], ir)
    for old, result in zip(op.results, new.results):
        old.replace_all_uses_with(result)
    op.erase()


def to_tm_tensor(module) -> None:
    """Replaces IREE's operations; a Failure lists those that have no other form."""
    ir = child.require("iree.compiler.ir", child.PACKAGE)
    found = child.find_operations(module, _is_of_iree)
    unknown = collections.Counter(op.name for op in found if op.name[len(_PREFIX) :] not in _KEPT)
    if unknown:
        raise child.Failure(
            "these operations cannot be compiled: " + ", ".join(f"{name} ({count})" for name, count in unknown.items())
        )
    module.context.allow_unregistered_dialects = True
    with module.context, ir.Location.unknown():
        for op in found:
            _replace(op, ir)
