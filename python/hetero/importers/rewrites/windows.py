"""Windows of StableHLO that are scans from the end, as scans from the start of what is reversed.

    reduce_window(%x) window 6, padding (0, 5)
      ->
    reverse(reduce_window(reverse(%x)) window 6, padding (5, 0))

IREE's importer makes a scan of both forms, from the start.
"""

from __future__ import annotations

import numpy as np
from jaxlib.mlir import ir

from hetero.importers.rewrites import rewriting


def _is_ones(op, name) -> bool:
    return name not in op.attributes or all(number == 1 for number in ir.DenseI64ArrayAttr(op.attributes[name]))


def _find_axis(op) -> int | None:
    """The dimension along which the windows are those of a scan from the end."""
    if "padding" not in op.attributes or not all(_is_ones(op, f"{name}s") for name in ("window_stride", "base_dilation", "window_dilation")):
        return None
    window = list(ir.DenseI64ArrayAttr(op.attributes["window_dimensions"]))
    padding = np.asarray(op.attributes["padding"])
    axes = [i for i, size in enumerate(window) if size != 1]
    if len(axes) != 1 or padding[:, 0].any():
        return None
    size = rewriting.type_of(op.operands[0]).shape[axes[0]]
    return axes[0] if window[axes[0]] == size and padding[axes[0], 1] == size - 1 else None


def reverse_scans(module) -> None:
    with module.context:
        for op in rewriting.find_operations(module, lambda op: op.name == "stablehlo.reduce_window"):
            axis = _find_axis(op)
            if axis is None:
                continue
            count = len(op.results)
            padding = np.asarray(op.attributes["padding"])[:, ::-1].astype(np.int64)
            with rewriting.before(op):
                inputs = [rewriting.reverse(value, [axis]) for value in op.operands[:count]]
                attributes = {"padding": ir.DenseElementsAttr.get(np.ascontiguousarray(padding))}
                made = rewriting.create(op, [*inputs, *op.operands[count:]], attributes=attributes)
                rewriting.replace(op, [rewriting.reverse(value, [axis]) for value in made.results])
