"""Operations of StableHLO that say a thing by leaving it out, or by operands that are constants, as JAX writes them.

    dynamic_pad(%x, %zero, dense<[1, 0]>, ...)  ->  pad(%x, %zero) low = [1, 0]
    convolution(%x, %w) window = {stride = [2, 2]}  ->  convolution(%x, %w) window = {stride = [2, 2], rhs_dilate = [1, 1]}
"""

from __future__ import annotations

from jaxlib.mlir import ir, passmanager
from jaxlib.mlir.dialects import stablehlo

from hetero.importers.rewrites import rewriting
from hetero.importers.rewrites.rewriting import type_of

_MAKE_STATIC = "builtin.module(func.func(stablehlo-canonicalize-dynamism))"


def write_defaults(module) -> None:
    stablehlo.register_stablehlo_passes()
    with module.context, ir.Location.unknown():
        passmanager.PassManager.parse(_MAKE_STATIC).run(module.operation)
        for op in rewriting.find_operations(module, lambda op: op.name == "stablehlo.convolution"):
            ones = ir.DenseI64ArrayAttr.get([1] * (type_of(op.operands[0]).rank - 2))
            for name in ("window_strides", "lhs_dilation", "rhs_dilation"):
                if name not in op.attributes:
                    op.attributes[name] = ones
        # Products are those of their types, which is the most that an algorithm says.
        for op in rewriting.find_operations(module, lambda op: op.name == "stablehlo.dot_general"):
            if "algorithm" in op.attributes:
                del op.attributes["algorithm"]
