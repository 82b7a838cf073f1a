"""Operations as the functions that ONNX defines them by."""

from __future__ import annotations

import onnx

# Operations that torch-mlir imports wrongly, crashes at, or has no form of.
_EXPANDED = frozenset(
    "AffineGrid LinearAttention NegativeLogLikelihoodLoss SoftmaxCrossEntropyLoss SwiGLU Swish".split()
)
_DOMAIN = "expanded"


def _add_defaults(node, schema) -> None:
    """Gives the node the attributes that it leaves out: the inliner does not know their values."""
    given = {attribute.name for attribute in node.attribute}
    for name, attribute in schema.attributes.items():
        if name not in given and attribute.default_value.type:
            node.attribute.append(attribute.default_value)


def _find_types(graph) -> dict:
    types = {value.name: value.type for value in (*graph.value_info, *graph.input)}
    for weight in graph.initializer:
        types[weight.name] = onnx.helper.make_tensor_type_proto(weight.data_type, weight.dims)
    return types


def _get_function(model, node):
    """What ONNX says the node consists of, as a FunctionProto; None if it says nothing."""
    versions = {entry.domain: entry.version for entry in model.opset_import}
    opset = versions.get(node.domain, 1)
    try:
        schema = onnx.defs.get_schema(node.op_type, opset, node.domain)
    except onnx.defs.SchemaError:
        return None
    fixed = [version for version in schema.function_opset_versions if version <= opset]
    by_types = [version for version in schema.context_dependent_function_opset_versions if version <= opset]
    function = onnx.FunctionProto()
    if fixed:
        function.ParseFromString(schema.get_function_with_opset_version(max(fixed)))
    elif by_types:
        types = _find_types(model.graph)
        inputs = [types.get(name, onnx.TypeProto()).SerializeToString() for name in node.input]
        text = schema.get_context_dependent_function_with_opset_version(max(by_types), node.SerializeToString(), inputs)
        function.ParseFromString(text)
    else:
        return None
    _add_defaults(node, schema)
    # It holds up to the version of the next one; the inliner wants the model's.
    for entry in function.opset_import:
        entry.version = versions.get(entry.domain, entry.version)
    return function


def expand(model, nodes):
    """The model with functions of ONNX instead of these nodes; None if none of them has one."""
    from onnx import inliner

    functions = []
    for node in nodes:
        function = _get_function(model, node)
        if function is None:
            continue
        for inner in function.node:
            inner.name = node.name
        function.domain, function.name = _DOMAIN, f"{node.op_type}_{len(functions)}"
        node.op_type, node.domain = function.name, function.domain
        functions.append(function)
    if not functions:
        return None
    model.functions.extend(functions)
    known = {entry.domain for entry in model.opset_import}
    for entry in [entry for function in functions for entry in function.opset_import]:
        if entry.domain not in known:
            model.opset_import.append(entry)
            known.add(entry.domain)
    if _DOMAIN not in known:
        model.opset_import.add(domain=_DOMAIN, version=1)
    return inliner.inline_local_functions(model)


def expand_always(model):
    """The model without the operations that are not to be imported as they are; None if there are none."""
    return expand(model, [node for node in model.graph.node if not node.domain and node.op_type in _EXPANDED])
