"""Quantized operations of ONNX in the form that keeps their zero points.

torch-mlir imports QLinearMatMul and QLinearConv as products of signed numbers and loses
the zero points of unsigned ones: they become DequantizeLinear, the operation, and
QuantizeLinear, which is what ONNX defines them as.
"""

from __future__ import annotations

# Position of (data, scale, zero point) of each factor, and of (scale, zero point) of the result.
_FORMS = {
    "QLinearMatMul": ("MatMul", ((0, 1, 2), (3, 4, 5)), (6, 7)),
    "QLinearConv": ("Conv", ((0, 1, 2), (3, 4, 5)), (6, 7)),
}


class _Rewriter:
    """The nodes of a graph with quantized ones replaced."""

    def __init__(self, graph):
        self.graph = graph
        self.nodes = []
        self.sizes = {weight.name: list(weight.dims) for weight in graph.initializer}
        for value in (*graph.input, *graph.value_info):
            self.sizes[value.name] = [dim.dim_value for dim in value.type.tensor_type.shape.dim]

    def _add(self, op: str, inputs, node, suffix: str, **attributes) -> str:
        from onnx import helper

        output = f"{node.output[0]}.{suffix}"
        self.nodes.append(helper.make_node(op, inputs, [output], name=node.name, **attributes))
        return output

    def _as_scalar(self, name: str, node, suffix: str) -> str:
        """A scale or zero point of one element, which is of the whole tensor."""
        if self.sizes.get(name) != [1]:
            return name
        return self._add("Squeeze", [name], node, suffix)

    def _add_bias(self, node) -> str:
        """The bias of a convolution, whose scale is the product of the factors' scales."""
        from onnx import TensorProto

        scale = self._add("Mul", [node.input[1], node.input[4]], node, "bias.scale")
        wide = self._add("Cast", [node.input[8]], node, "bias.wide", to=TensorProto.FLOAT)
        return self._add("Mul", [wide, scale], node, "bias")

    def _rewrite(self, node) -> None:
        from onnx import helper

        op, factors, result = _FORMS[node.op_type]
        inputs = []
        for number, (data, *parameters) in enumerate(factors):
            scalars = [self._as_scalar(node.input[p], node, f"in{number}.{p}") for p in parameters]
            # Weights of convolutions may have a scale for each output channel.
            axis = {"axis": 0} if op == "Conv" and self.sizes.get(scalars[0], []) else {}
            inputs.append(self._add("DequantizeLinear", [node.input[data], *scalars], node, f"in{number}", **axis))
        if len(node.input) > 8 and node.input[8]:
            inputs.append(self._add_bias(node))
        attributes = {a.name: helper.get_attribute_value(a) for a in node.attribute}
        wide = self._add(op, inputs, node, "wide", **attributes)
        scalars = [self._as_scalar(node.input[p], node, f"out.{p}") for p in result]
        self.nodes.append(helper.make_node("QuantizeLinear", [wide, *scalars], list(node.output), name=node.name))

    def run(self) -> None:
        for node in self.graph.node:
            if node.domain == "" and node.op_type in _FORMS:
                self._rewrite(node)
            else:
                self.nodes.append(node)
        del self.graph.node[:]
        self.graph.node.extend(self.nodes)


def rewrite_quantized(model) -> None:
    """Replaces the quantized operations of the model."""
    _Rewriter(model.graph).run()
