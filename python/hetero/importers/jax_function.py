"""JAX's functions as StableHLO, which happens in the process that has them."""

from __future__ import annotations

import os

import jax
from jax.interpreters import mlir

from hetero.importers import calls, jax_rules, orders, scatters, signs, windows


def _strip_shardings(module) -> None:
    """Takes away the attributes of JAX's partitioner, which only its own tools can read."""
    from jaxlib.mlir import ir

    def visit(op):
        for name in [attribute.name for attribute in op.attributes if attribute.name.startswith("sdy.")]:
            del op.attributes[name]
        return ir.WalkResult.ADVANCE

    module.operation.walk(visit)


def lower(function, arguments, path: str | os.PathLike) -> dict:
    """Writes bytecode, where weights are bytes; returns the types of arguments and results as Imported has them."""
    parameters = mlir.LoweringParameters(override_lowering_rules=jax_rules.rules())
    lowered = jax.jit(function, keep_unused=True).trace(*arguments).lower(_private_parameters=parameters)
    module = lowered.compiler_ir("stablehlo")
    _strip_shardings(module)
    calls.open_composites(module)
    signs.remove_signs(module)
    windows.reverse_scans(module)
    orders.order_by_integers(module)
    scatters.normalize_gathers_and_scatters(module)
    with open(path, "wb") as file:
        module.operation.write_bytecode(file)
    return {
        "argument_dtypes": [leaf.dtype.name for leaf in jax.tree_util.tree_leaves(lowered.in_avals)],
        "result_dtypes": [leaf.dtype.name for leaf in jax.tree_util.tree_leaves(lowered.out_info)],
    }
