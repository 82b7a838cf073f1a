"""JAX's functions as StableHLO, which happens in the process that has them."""

from __future__ import annotations

import os

import jax
from jax.extend import source_info_util
from jax.interpreters import mlir

from hetero.importers import jax_rules, rewrites

_NEWEST_BYTECODE = (0, 7)
# Operations have the user's lines as locations, not those here.
source_info_util.register_exclusion(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


def _write(operation, path) -> None:
    """Bytecode, which IREE's importer can read of the version that it was made with; else text."""
    if jax.__version_info__[:2] <= _NEWEST_BYTECODE:
        with open(path, "wb") as file:
            operation.write_bytecode(file)
    else:
        with open(path, "w", encoding="utf-8") as file:
            operation.print(file=file, enable_debug_info=True, print_generic_op_form=True)


def lower(function, arguments, path: str | os.PathLike) -> dict:
    """Writes bytecode, where weights are bytes; returns the types of arguments and results as Imported has them."""
    parameters = mlir.LoweringParameters(override_lowering_rules=jax_rules.rules())
    lowered = jax.jit(function, keep_unused=True).trace(*arguments).lower(_private_parameters=parameters)
    module = lowered.compiler_ir("stablehlo")
    rewrites.rewrite(module)
    _write(module.operation, path)
    return {
        "argument_dtypes": [leaf.dtype.name for leaf in jax.tree_util.tree_leaves(lowered.in_avals)],
        "result_dtypes": [leaf.dtype.name for leaf in jax.tree_util.tree_leaves(lowered.out_info)],
    }
