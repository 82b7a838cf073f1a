"""Operations of StableHLO that IREE's importer takes, with other numbers than those specified.

    maximum(%x, %y) of complex numbers, whose order is that of their real, then of their imaginary parts
      ->
    select(real(%x) > real(%y) or real(%x) = real(%y) and imag(%x) >= imag(%y), %x, %y)

    reduce_precision(%x) without mantissa  ->  select(%x is nan, inf, reduce_precision(%x))
"""

from __future__ import annotations

import math

from jaxlib.mlir import ir
from jaxlib.mlir.dialects import stablehlo

from hetero.importers.rewrites import rewriting
from hetero.importers.rewrites.rewriting import compare, like, type_of


def _is_complex(value) -> bool:
    return isinstance(value.type, ir.RankedTensorType) and isinstance(type_of(value).element_type, ir.ComplexType)


def _choose_complex(op):
    left, right = op.operands
    beyond, at_least = ("GT", "GE") if op.name == "stablehlo.maximum" else ("LT", "LE")
    reals = stablehlo.real(left), stablehlo.real(right)
    tie = stablehlo.and_(compare(*reals, "EQ", "FLOAT"), compare(stablehlo.imag(left), stablehlo.imag(right), at_least, "FLOAT"))
    return stablehlo.select(stablehlo.or_(compare(*reals, beyond, "FLOAT"), tie), left, right)


def _reduce_nan(op):
    """Infinity, which nan becomes without a mantissa."""
    value = op.operands[0]
    reduced = rewriting.create(op, [value]).results[0]
    return stablehlo.select(compare(value, value, "NE", "FLOAT"), like(value, math.inf), reduced)


def _choose_rewrite(op):
    if op.name in ("stablehlo.maximum", "stablehlo.minimum") and _is_complex(op.operands[0]):
        return _choose_complex
    if op.name == "stablehlo.reduce_precision" and ir.IntegerAttr(op.attributes["mantissa_bits"]).value == 0:
        return _reduce_nan
    return None


def correct_numbers(module) -> None:
    with module.context, ir.Location.unknown():
        for op in rewriting.find_operations(module, _choose_rewrite):
            with rewriting.before(op):
                result = _choose_rewrite(op)(op)
            rewriting.replace(op, [result])
