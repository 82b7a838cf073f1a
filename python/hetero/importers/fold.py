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


def _static_shapes(graph) -> dict:
    """Shapes of the values that have static ones."""
    shapes = {}
    for value in (*graph.input, *graph.value_info, *graph.output):
        kind = value.type.tensor_type
        if value.type.HasField("tensor_type") and kind.HasField("shape"):
            sizes = [dim.dim_value if dim.HasField("dim_value") else -1 for dim in kind.shape.dim]
            if -1 not in sizes:
                shapes[value.name] = sizes
    shapes.update((weight.name, list(weight.dims)) for weight in graph.initializer)
    return shapes


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


def _fold_node(model, node, known: dict, shapes: dict):
    """The node's outputs as arrays if they are constants, else None."""
    if node.domain or node.op_type not in _ARITHMETIC or node.name.startswith(bits.PREFIX):
        return None
    if node.op_type in ("Shape", "Size") and node.input[0] in shapes:
        sizes = np.array(shapes[node.input[0]], np.int64)
        if node.op_type == "Size":
            return [np.array(sizes.prod(), np.int64)]
        bounds = {attribute.name: attribute.i for attribute in node.attribute}
        return [sizes[bounds.get("start") : bounds.get("end")]]
    if all(not name or name in known for name in node.input):
        return _evaluate(model, node, known)
    return None


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
    shapes = _static_shapes(graph)
    _name_constants(graph)
    small = [weight for weight in graph.initializer if np.prod(weight.dims, dtype=np.int64) <= LIMIT]
    known = {weight.name: numpy_helper.to_array(weight) for weight in small}
    results = {value.name for value in graph.output}
    kept = []
    for node in graph.node:
        arrays = None if results & set(node.output) else _fold_node(model, node, known, shapes)
        if arrays is None:
            kept.append(node)
            continue
        for name, array in zip(node.output, arrays):
            known[name] = array
            graph.initializer.append(numpy_helper.from_array(array, name))
    changed = len(kept) < len(graph.node)
    del graph.node[:]
    graph.node.extend(kept)
    return changed
