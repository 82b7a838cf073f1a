"""Sums of f16 and bf16 in f32.

torch-mlir adds up in the type of the elements, in which the sum of an average may
be infinite. PyTorch and ONNX Runtime add in f32 and round the result once.
"""

from __future__ import annotations

from onnx import TensorProto

from hetero.importers.rewrites.builder import Builder, Node

_NARROW = (TensorProto.FLOAT16, TensorProto.BFLOAT16)
# Operations of ONNX that add up elements of their first input.
OPERATIONS = (
    *("AveragePool", "GlobalAveragePool", "GlobalLpPool", "LpPool", "LRN"),
    *("InstanceNormalization", "LpNormalization"),
    *("MeanVarianceNormalization", "RMSNormalization", "LogSoftmax", "Softmax", "CumSum"),
    *("ReduceL1", "ReduceL2", "ReduceLogSum", "ReduceLogSumExp", "ReduceMean", "ReduceSum", "ReduceSumSquare"),
)


def in_f32(rule=None):
    """A rule that has a node of narrow floats computed in f32, and leaves others to the rule."""

    def rewrite(b: Builder, node: Node):
        narrow = node.inputs[0].dtype
        if narrow not in _NARROW:
            return rule(b, node) if rule else None
        inputs = [value.cast(TensorProto.FLOAT) if value and value.dtype == narrow else value for value in node.inputs]
        attributes = {attribute.name: node.get(attribute.name) for attribute in node.proto.attribute}
        return b.op(node.proto.op_type, *inputs, **attributes).cast(narrow)

    return rewrite
