"""JAX's functions as StableHLO, which happens in the process that has them."""

from __future__ import annotations

import os

import jax
from jax.extend import source_info_util
from jax.interpreters import mlir

from hetero.importers import child, jax_rules, rewrites

# Operations have the user's lines as locations, not those here.
source_info_util.register_exclusion(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


def lower(function, arguments, path: str | os.PathLike) -> dict:
    """Writes the function; returns the types of arguments and results as Imported has them."""
    parameters = mlir.LoweringParameters(override_lowering_rules=jax_rules.rules())
    lowered = jax.jit(function, keep_unused=True).trace(*arguments).lower(_private_parameters=parameters)
    module = lowered.compiler_ir("stablehlo")
    rewrites.rewrite(module)
    child.write(module.operation, path, "jax")
    return {
        "argument_dtypes": [leaf.dtype.name for leaf in jax.tree_util.tree_leaves(lowered.in_avals)],
        "result_dtypes": [leaf.dtype.name for leaf in jax.tree_util.tree_leaves(lowered.out_info)],
    }
