"""StableHLO of JAX in the form that IREE's importer takes, with the right numbers."""

from __future__ import annotations

from jaxlib.mlir import ir

from hetero.importers import child
from hetero.importers.rewrites import calls, defaults, functions, numbers, orders, pools, rewriting, scatters, signs, windows


def _strip_shardings(module) -> None:
    """Takes away what is of JAX's partitioner, which only its own tools can read."""
    for op in rewriting.find_operations(module, lambda op: op.name in ("sdy.mesh", "sdy.sharding_constraint")):
        rewriting.replace(op, list(op.operands))
    # The bindings have no type for constants of complex numbers.
    for op in rewriting.find_operations(module, lambda op: op.name != "stablehlo.constant"):
        for name, attribute in rewriting.attributes_of(op).items():
            if name.startswith("sdy.") or str(attribute).startswith("#sdy."):
                del op.attributes[name]


def rewrite(module) -> None:
    try:
        _strip_shardings(module)
        calls.open_composites(module)
        defaults.write_defaults(module)
        functions.call_functions(module)
        numbers.correct_numbers(module)
        signs.remove_signs(module)
        pools.expand_selections(module)
        windows.reverse_scans(module)
        orders.order_by_integers(module)
        scatters.normalize_gathers_and_scatters(module)
    except ir.MLIRError as error:
        raise child.Failure(str(error)) from error
