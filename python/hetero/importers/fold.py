"""Shape arithmetic of ONNX models as constants.

torch-mlir wants axes, sizes and the like as constants. Exporters, and the
functions that ONNX defines operations by, compute them from shapes; where those
are static, so is what is computed. Values come from the onnx package's
reference evaluator.
"""

from __future__ import annotations

import numpy as np

from hetero.importers import bits

# Operations that shapes are computed with.
_ARITHMETIC = frozenset(
    "Abs Add And Cast CastLike Ceil Concat ConstantOfShape Div Equal Expand Floor Gather Greater Identity Less Max Min "
    "Mod Mul Neg Not Or Range ReduceMax ReduceMin ReduceProd ReduceSum Relu Reshape Round Shape Sign Size Slice Split "
    "Squeeze Sub Tile Transpose Unsqueeze Where".split()
)
# Elements of a constant that is made; weights are larger and stay computed.
LIMIT = 4096
# Stands for a size that is not known.
_UNKNOWN = -(1 << 62)
# What only takes elements of shapes.
_SELECTIONS = ("Gather", "Slice")


def _find_shapes(graph) -> dict:
    """Shapes of the values whose rank is known."""
    shapes = {}
    for value in (*graph.input, *graph.value_info, *graph.output):
        kind = value.type.tensor_type
        if value.type.HasField("tensor_type") and kind.HasField("shape"):
            sizes = [dim.dim_value if dim.HasField("dim_value") else _UNKNOWN for dim in kind.shape.dim]
            shapes[value.name] = sizes
    shapes.update((weight.name, list(weight.dims)) for weight in graph.initializer)
    return shapes


def _take_shape(node, sizes):
    """A Shape or a Size of these sizes; None if it depends on one that is not known."""
    if node.op_type == "Size":
        return None if _UNKNOWN in sizes else np.array(np.prod(sizes, dtype=np.int64), np.int64)
    bounds = {attribute.name: attribute.i for attribute in node.attribute}
    return np.array(sizes, np.int64)[bounds.get("start") : bounds.get("end")]


def _evaluate(model, node, known: dict):
    """The node's outputs, or None where it cannot be evaluated."""
    from onnx import helper
    from onnx.reference import ReferenceEvaluator

    inputs = {name: known[name] for name in node.input if name}
    graph = helper.make_graph(
        [node],
        "fold",
        [helper.make_tensor_value_info(n, helper.np_dtype_to_tensor_dtype(a.dtype), a.shape) for n, a in inputs.items()],
        [helper.make_empty_tensor_value_info(name) for name in node.output],
    )
    try:
        alone = helper.make_model(graph, opset_imports=model.opset_import, ir_version=model.ir_version)
        results = ReferenceEvaluator(alone).run(None, inputs)
    except Exception:  # The evaluator lacks what it lacks; the importer may not.
        return None
    results = [np.asarray(result) for result in results]
    return results if all(result.size <= LIMIT for result in results) else None


class _Constants:
    """What is known of a graph's values.

    shapes: their sizes; arrays: their elements; partial: shapes with some sizes that are not known.
    """

    def __init__(self, model):
        from onnx import numpy_helper

        self._model = model
        self._shapes = _find_shapes(model.graph)
        small = [weight for weight in model.graph.initializer if np.prod(weight.dims, dtype=np.int64) <= LIMIT]
        self.arrays = {weight.name: numpy_helper.to_array(weight) for weight in small}
        self._partial: dict = {}

    def _fold_shape(self, node):
        sizes = _take_shape(node, self._shapes[node.input[0]])
        if sizes is not None and _UNKNOWN in sizes:
            self._partial[node.output[0]] = sizes
            return None
        return None if sizes is None else [sizes]

    def fold(self, node):
        """The node's outputs as arrays if they are constants, else None."""
        if node.domain or node.op_type not in _ARITHMETIC or node.name.startswith(bits.PREFIX):
            return None
        if node.op_type in ("Shape", "Size") and node.input[0] in self._shapes:
            return self._fold_shape(node)
        first, *rest = node.input
        if any(name and name not in self.arrays for name in rest):
            return None
        if not first or first in self.arrays:
            return _evaluate(self._model, node, self.arrays)
        if node.op_type not in _SELECTIONS or first not in self._partial:
            return None
        results = _evaluate(self._model, node, {**self.arrays, first: self._partial[first]})
        return None if results is None or any(_UNKNOWN in result for result in results) else results


def _to_tensor(node):
    """The value of a Constant; None for strings and sparse ones."""
    from onnx import helper, numpy_helper

    attribute = node.attribute[0] if len(node.attribute) == 1 else None
    if attribute is None or attribute.name not in ("value", "value_float", "value_floats", "value_int", "value_ints"):
        return None
    value = helper.get_attribute_value(attribute)
    if attribute.name != "value":
        value = numpy_helper.from_array(np.array(value, np.float32 if "float" in attribute.name else np.int64))
    elif value.data_type == value.STRING:
        return None
    tensor = type(value)()
    tensor.CopyFrom(value)
    tensor.name = node.output[0]
    return tensor


def _name_constants(graph) -> None:
    """Makes the Constant nodes initializers, in the graphs in nodes too."""
    kept = []
    for node in graph.node:
        tensor = _to_tensor(node) if node.op_type == "Constant" and not node.domain else None
        if tensor is None:
            kept.append(node)
        else:
            graph.initializer.append(tensor)
        for attribute in node.attribute:
            for inner in [*attribute.graphs, *([attribute.g] if attribute.HasField("g") else [])]:
                _name_constants(inner)
    if len(kept) < len(graph.node):
        del graph.node[:]
        graph.node.extend(kept)


def fold_shapes(model) -> bool:
    """Replaces nodes whose results are small constants by these. True if there were any."""
    from onnx import numpy_helper

    graph = model.graph
    _name_constants(graph)
    constants = _Constants(model)
    results = {value.name for value in graph.output}
    kept = []
    for node in graph.node:
        arrays = None if results & set(node.output) else constants.fold(node)
        if arrays is None:
            kept.append(node)
            continue
        for name, array in zip(node.output, arrays):
            constants.arrays[name] = array
            graph.initializer.append(numpy_helper.from_array(array, name))
    changed = len(kept) < len(graph.node)
    del graph.node[:]
    graph.node.extend(kept)
    return changed
