"""BitCast between numbers and integers of the same size.

torch-mlir has no such cast: it gets a conversion in the node's name, which becomes
arith.bitcast in what it makes.
"""

from __future__ import annotations

from hetero.importers import child

# Of the names of nodes that stand for casts of bits.
PREFIX = "BitCast/"
_CONVERSIONS = ("arith.fptosi", "arith.fptoui", "arith.sitofp", "arith.uitofp")


def _is_cast_of_bits(op) -> bool:
    return op.name in _CONVERSIONS and f'"{PREFIX}' in str(op.location)


def replace_conversions(module) -> None:
    """Makes the conversions of BitCast nodes casts of bits."""
    from iree.compiler import ir

    for op in child.find_operations(module, _is_cast_of_bits):
        new = ir.Operation.create(
            "arith.bitcast",
            results=[op.results[0].type],
            operands=list(op.operands),
            ip=ir.InsertionPoint(op),
            loc=op.location,
        )
        op.results[0].replace_all_uses_with(new.results[0])
        op.erase()
