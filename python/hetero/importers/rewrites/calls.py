"""Operations of StableHLO that stand for others: composites, and barriers, which compute nothing."""

from __future__ import annotations

from jaxlib.mlir import ir, passmanager
from jaxlib.mlir.dialects import stablehlo

from hetero.importers.rewrites import rewriting


def open_composites(module) -> None:
    """Makes composites calls of their decompositions, and takes away barriers of optimizations."""
    stablehlo.register_stablehlo_passes()
    with module.context, ir.Location.unknown():
        passmanager.PassManager.parse("builtin.module(func.func(stablehlo-legalize-composite-to-call))").run(module.operation)
        for op in rewriting.find_operations(module, lambda op: op.name == "stablehlo.optimization_barrier"):
            rewriting.replace(op, list(op.operands))
