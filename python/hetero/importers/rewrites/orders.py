"""The largest numbers of rows of StableHLO, by integers.

    top_k(%x) : tensor<4xf32>
      ->
    top_k(%bits ^ (%bits >> 31 & 0x7fffffff)), where %bits is %x as tensor<4xi32>

The order of floats is the total one of XLA: nan is the largest. Of equal numbers the first comes first.
"""

from __future__ import annotations

from jaxlib.mlir import ir
from jaxlib.mlir.dialects import stablehlo

from hetero.importers.rewrites import rewriting
from hetero.importers.rewrites.rewriting import like, type_of


def _turn(bits):
    """Bits of floats as numbers of the same order, and back."""
    width = type_of(bits).element_type.width
    sign = stablehlo.shift_right_arithmetic(bits, like(bits, width - 1))
    return stablehlo.xor(bits, stablehlo.and_(sign, like(bits, (1 << (width - 1)) - 1)))


def order_by_integers(module) -> None:
    with module.context, ir.Location.unknown():
        for op in rewriting.find_operations(module, lambda op: op.name == "chlo.top_k"):
            value, kind = op.operands[0], type_of(op.operands[0]).element_type
            if isinstance(kind, ir.IntegerType):
                continue
            integer = ir.IntegerType.get_signless(kind.width)
            with rewriting.before(op):
                bits = _turn(stablehlo.bitcast_convert(rewriting.with_element(value, integer), value))
                types = [rewriting.with_element(op.results[0], integer), op.results[1].type]
                made = rewriting.create(op, [bits], types)
                found = stablehlo.bitcast_convert(op.results[0].type, _turn(made.results[0]))
                rewriting.replace(op, [found, made.results[1]])
