"""Replaces nodes of a model, in its graph and in the bodies of its control flow."""

from __future__ import annotations

import onnx
from onnx import TensorProto, helper, numpy_helper

from hetero.importers.rewrites.builder import Builder, Node, Value, rename, subgraphs

# Elements of a constant whose values rules may look at.
LIMIT = 1 << 13


def _sizes(tensor_type):
    if not tensor_type.HasField("shape"):
        return None
    return [dim.dim_value if dim.HasField("dim_value") else None for dim in tensor_type.shape.dim]


class Scope:
    """What is known of the values that a graph's nodes may read: its own and those of the graphs around it."""

    def __init__(self, graph, outer: "Scope | None" = None):
        self._outer = outer
        self._types = {}
        for value in (*graph.value_info, *graph.input, *graph.output):
            kind = value.type.tensor_type
            if value.type.HasField("tensor_type"):
                self._types[value.name] = kind.elem_type, _sizes(kind)
        self._weights = {weight.name: weight for weight in graph.initializer}
        for node in graph.node:
            if node.op_type == "Constant" and node.attribute and node.attribute[0].name == "value":
                self._weights[node.output[0]] = node.attribute[0].t

    def make_value(self, builder: Builder, name: str) -> Value | None:
        if not name:
            return None
        if name in self._weights:
            weight = self._weights[name]
            array = numpy_helper.to_array(weight) if _count(weight) <= LIMIT else None
            return Value(builder, name, weight.data_type, list(weight.dims), array)
        if name in self._types:
            return Value(builder, name, *self._types[name])
        return self._outer.make_value(builder, name) if self._outer else Value(builder, name)


def _count(weight: TensorProto) -> int:
    count = 1
    for size in weight.dims:
        count *= size
    return count


def _connect(builder: Builder, node, results) -> list:
    """The builder's nodes, with the node's outputs as names of the results."""
    made = {name for each in builder.nodes for name in each.output}
    names: dict = {}
    copies = []
    for name, result in zip(node.output, results):
        if not name or result is None:
            continue
        if result.name in made and result.name not in names:
            names[result.name] = name
        else:
            copies.append(helper.make_node("Identity", [names.get(result.name, result.name)], [name], name=node.name))
    rename(builder.nodes, names)
    return [*builder.nodes, *copies]


class Rewriter:
    """Applies rules, by operation, to all nodes of a model.

    A rule gets a Builder and a Node, and returns the value, or the values, that
    take the place of the node's outputs, or None to leave the node as it is.
    """

    def __init__(self, model, rules: dict, nodes=None):
        """Of all nodes, or of these."""
        self._model = model
        self._rules = rules
        self._results = None if nodes is None else {name for node in nodes for name in node.output if name}
        self._opset = next((entry.version for entry in model.opset_import if not entry.domain), 1)
        self.count = 0

    def _replace(self, node, graph, scope: Scope) -> list:
        rule = self._rules.get((node.domain if node.domain != "ai.onnx" else "", node.op_type))
        if rule is None or self._results is not None and not self._results & set(node.output):
            return [node]
        builder = Builder(node, self._opset)
        results = rule(builder, Node(node, [scope.make_value(builder, name) for name in node.input]))
        if results is None:
            return [node]
        self.count += 1
        graph.initializer.extend(builder.initializers)
        return _connect(builder, node, [results] if isinstance(results, Value) else results)

    def _run_graph(self, graph, outer: Scope | None) -> None:
        scope = Scope(graph, outer)
        nodes = []
        for node in graph.node:
            for inner in subgraphs(node):
                self._run_graph(inner, scope)
            nodes += self._replace(node, graph, scope)
        # The nodes of a graph cannot be replaced in place: these are other objects.
        copies = []
        for node in nodes:
            copies.append(onnx.NodeProto())
            copies[-1].CopyFrom(node)
        del graph.node[:]
        graph.node.extend(copies)

    def run(self) -> bool:
        """True if a node was replaced."""
        self._run_graph(self._model.graph, None)
        return self.count > 0
