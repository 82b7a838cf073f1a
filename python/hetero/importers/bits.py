"""BitCast between numbers and integers of the same size.

torch-mlir has no such cast: it gets a conversion in the node's name, which becomes
arith.bitcast in what it makes.
"""

from __future__ import annotations

# Of the names of nodes that stand for casts of bits.
PREFIX = "BitCast/"
_CONVERSIONS = ("arith.fptosi", "arith.fptoui", "arith.sitofp", "arith.uitofp")


def _find(operation):
    found = []
    for region in operation.regions:
        for block in region:
            for op in block:
                found += _find(op.operation)
                if op.operation.name in _CONVERSIONS and f'"{PREFIX}' in str(op.operation.location):
                    found.append(op.operation)
    return found


def replace_conversions(module) -> None:
    """Makes the conversions of BitCast nodes casts of bits."""
    from iree.compiler import ir

    for op in _find(module):
        new = ir.Operation.create(
            "arith.bitcast",
            results=[op.results[0].type],
            operands=list(op.operands),
            ip=ir.InsertionPoint(op),
            loc=op.location,
        )
        op.results[0].replace_all_uses_with(new.results[0])
        op.erase()
