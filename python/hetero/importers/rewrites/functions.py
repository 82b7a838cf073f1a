"""Operations of StableHLO that IREE's importer lacks, as calls of what JAX's rules make of them.

    %y = stablehlo.fft %x, type = FFT, length = [4]
      ->
    %y = call @hetero_fft_0(%x)
"""

from __future__ import annotations

import re

import jax
from jax import lax
from jaxlib.mlir import ir
from jaxlib.mlir.dialects import stablehlo

from hetero.importers.jax_rules import fourier, matrices
from hetero.importers.names import dtype_of
from hetero.importers.rewrites import rewriting
from hetero.importers.rewrites.rewriting import type_of

try:
    from jax import enable_x64
except ImportError:  # Before JAX 0.8.
    from jax.experimental import enable_x64


def _bool(op, name) -> bool:
    return name in op.attributes and ir.BoolAttr(op.attributes[name]).value


def _transform(op):
    kind = lax.FftType[stablehlo.FftTypeAttr(op.attributes["fft_type"]).value]
    lengths = list(ir.DenseI64ArrayAttr(op.attributes["fft_length"]))
    return lambda x: fourier.transform(x, fft_type=kind, fft_lengths=lengths)


def _factorize(op):
    lower = matrices.over_batches(matrices.factorize_cholesky, (2,))
    if _bool(op, "lower"):
        return lower
    return lambda a: matrices.adjoint(lower(matrices.adjoint(a)))


def _solve(op):
    transpose = stablehlo.TransposeAttr(op.attributes["transpose_a"]).value
    settings = {name: _bool(op, name) for name in ("left_side", "lower", "unit_diagonal")}
    settings |= {"transpose_a": transpose != "NO_TRANSPOSE", "conjugate_a": transpose == "ADJOINT"}
    solve = matrices.over_batches(matrices.solve_triangular, (2, 2))
    return lambda a, b: solve(a, b, **settings)


_FUNCTIONS = {"stablehlo.fft": _transform, "stablehlo.cholesky": _factorize, "stablehlo.triangular_solve": _solve}


def _lower(function, types):
    """A module of the function, whose entry point is main, as text."""
    arguments = [jax.ShapeDtypeStruct(kind.shape, dtype_of(kind.element_type)) for kind in types]
    with enable_x64(True):
        return jax.jit(function, keep_unused=True).lower(*arguments).as_text()


def _add(module, text, prefix):
    """Takes the text's functions into the module; returns the name of its main."""
    text = re.sub(r"(?<![\w.\"])@(\w)", rf"@{prefix}_\1", text)
    added = ir.Module.parse(text)
    for op in added.body.operations:
        op.operation.attributes["sym_visibility"] = ir.StringAttr.get("private")
        module.body.append(op.operation.clone())
    return f"{prefix}_main"


def call_functions(module) -> None:
    with module.context, ir.Location.unknown():
        for number, op in enumerate(rewriting.find_operations(module, lambda op: op.name in _FUNCTIONS)):
            text = _lower(_FUNCTIONS[op.name](op), [type_of(value) for value in op.operands])
            name = _add(module, text, f"hetero_{op.name.split('.')[1]}_{number}")
            with rewriting.before(op):
                callee = {"callee": ir.FlatSymbolRefAttr.get(name)}
                made = ir.Operation.create("func.call", [value.type for value in op.results], list(op.operands), callee)
            rewriting.replace(op, made.results)
