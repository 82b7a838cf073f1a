"""JAX's functions as StableHLO, which happens in the process that has them."""

from __future__ import annotations

import os

import jax
from jax.interpreters import mlir
from jaxlib.mlir import ir

from hetero.importers import calls, child, jax_rules, orders, rewriting, scatters, signs, windows

_NEWEST_BYTECODE = (0, 7)


def _strip_shardings(module) -> None:
    """Takes away what is of JAX's partitioner, which only its own tools can read."""
    for op in rewriting.find_operations(module, lambda op: op.name in ("sdy.mesh", "sdy.sharding_constraint")):
        rewriting.replace(op, list(op.operands))
    # The bindings have no type for constants of complex numbers.
    for op in rewriting.find_operations(module, lambda op: op.name != "stablehlo.constant"):
        for name, attribute in rewriting.attributes_of(op).items():
            if name.startswith("sdy.") or str(attribute).startswith("#sdy."):
                del op.attributes[name]


def _rewrite(module) -> None:
    """What IREE's importer takes with the right numbers."""
    _strip_shardings(module)
    calls.open_composites(module)
    signs.remove_signs(module)
    windows.reverse_scans(module)
    orders.order_by_integers(module)
    scatters.normalize_gathers_and_scatters(module)


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
    try:
        _rewrite(module)
    except ir.MLIRError as error:
        raise child.Failure(str(error)) from error
    _write(module.operation, path)
    return {
        "argument_dtypes": [leaf.dtype.name for leaf in jax.tree_util.tree_leaves(lowered.in_avals)],
        "result_dtypes": [leaf.dtype.name for leaf in jax.tree_util.tree_leaves(lowered.out_info)],
    }
