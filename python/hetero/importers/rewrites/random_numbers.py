"""Operations that draw numbers: torch-mlir's have no seeds, and no Dropout that trains.

The generator is not part of ONNX's operator specification, so that a seed says no
more than that runs are alike.
"""

from __future__ import annotations

from hetero.importers.rewrites.builder import Builder, Node


def drop_seed(b: Builder, node: Node):
    """A random operation without its seed."""
    if node.get("seed") is None:
        return None
    names = [attribute.name for attribute in node.proto.attribute if attribute.name != "seed"]
    how = {name: node.get(name) for name in names}
    return b.op(node.proto.op_type, *node.inputs, **how)


def rewrite_dropout(b: Builder, node: Node):
    """Dropout: of what is kept by chance while it trains, else everything."""
    data, ratio, training = (node.input(position) for position in range(3))
    is_known = (ratio is None or ratio.array is not None) and (training is None or training.array is not None)
    if not is_known:
        return None
    share = 0.5 if ratio is None else float(ratio.array.item())
    if training is None or not training.array.item():
        share = 0.0
    if share == 0.0:
        return [b.op("Identity", data), b.op("Equal", b.zeros_like(data), 0)]
    kept = b.op("RandomUniformLike", data) >= share
    return [kept.cast(data.dtype) * data * (1.0 / (1.0 - share)), kept]
