"""ONNX to linalg on tensors: python -m hetero.importers.onnx IN.onnx OUT.mlirbc '{"dims": {"N": 1}}'

Operations of the result have "Conv/NAME" as location, where NAME is that of
their node; weights are resources.
"""

from __future__ import annotations

import collections

from hetero.importers import child

# The oldest opset that torch-mlir's patterns are written for.
OPSET = 17
PIPELINE = (
    "builtin.module(torch-onnx-to-torch-backend-pipeline{},torch-backend-to-linalg-on-tensors-backend-pipeline{})"
)


def _load(source: str):
    onnx = child.require("onnx", "onnx")
    try:
        model = onnx.load(source)
    except Exception as error:  # protobuf's own classes of exceptions differ by version.
        raise child.Failure(f"it is no ONNX model: {error}") from None
    if not model.graph.node and not model.graph.output:
        raise child.Failure("it is no ONNX model: it has no nodes")
    return model


def _set_dims(model, dims: dict) -> None:
    """Gives dynamic dimensions of the inputs their sizes."""
    unknown = set(dims)
    for value in model.graph.input:
        for dim in value.type.tensor_type.shape.dim:
            if dim.dim_param in dims:
                unknown.discard(dim.dim_param)
                dim.dim_value = int(dims[dim.dim_param])
    if unknown:
        known = {d.dim_param for v in model.graph.input for d in v.type.tensor_type.shape.dim if d.dim_param}
        raise child.Failure(
            f"no input has a dimension named {', '.join(sorted(unknown))}; it has {', '.join(sorted(known)) or 'none'}"
        )


def _prepare(model):
    """What torch-mlir expects: inlined functions, a new opset, shapes, a name for each node."""
    import onnx
    from onnx import inliner, shape_inference, version_converter

    if model.functions:
        model = inliner.inline_local_functions(model)
    versions = {entry.domain: entry.version for entry in model.opset_import}
    if versions.get("", OPSET) < OPSET:
        try:
            model = version_converter.convert_version(model, OPSET)
        except Exception:  # No adapter for a node: the importer may still know the old form.
            pass
    try:
        model = shape_inference.infer_shapes(model, data_prop=True)
    except onnx.shape_inference.InferenceError as error:
        raise child.Failure(f"its shapes do not fit: {error}") from None
    for number, node in enumerate(model.graph.node):
        node.name = f"{node.op_type}/{node.name or number}"
    return model


def _lower(model):
    from iree.compiler import ir
    from iree.compiler.extras import onnx_importer

    info = onnx_importer.ModelInfo(model)
    module = info.create_module(context=ir.Context()).operation
    onnx_importer.NodeImporter.define_function(info.main_graph, module).import_all()
    child.run_passes(module, PIPELINE)
    return module


def _alone(model, node):
    """A model of one node, with its inputs as arguments; None where types are not known."""
    import onnx

    types = {value.name: value for value in list(model.graph.value_info) + list(model.graph.input)}
    types.update((value.name, value) for value in model.graph.output)
    weights = {weight.name: weight for weight in model.graph.initializer}
    inputs = [types[name] for name in node.input if name in types and name not in weights]
    outputs = [types[name] for name in node.output if name in types]
    if len(outputs) < sum(1 for name in node.output if name):
        return None
    graph = onnx.helper.make_graph(
        [node], "alone", inputs, outputs, [weights[name] for name in node.input if name in weights]
    )
    return onnx.helper.make_model(graph, opset_imports=model.opset_import, ir_version=model.ir_version)


def _key(model, node):
    """Equal for nodes that can be imported or not alike."""
    attributes = b"".join(a.SerializeToString() for a in node.attribute if a.ByteSize() < 4096)
    return node.op_type, node.domain, attributes, tuple(bool(name) for name in node.input)


def _find_unsupported(model) -> list[str]:
    """A line for each kind of node that cannot be imported alone."""
    nodes = collections.defaultdict(list)
    for node in model.graph.node:
        nodes[_key(model, node)].append(node)
    lines = []
    for kind in nodes.values():
        alone = _alone(model, kind[0])
        if alone is None:
            continue
        try:
            _lower(alone)
        except Exception as error:
            names = ", ".join(node.name for node in kind[:3]) + (", ..." if len(kind) > 3 else "")
            reason = str(error).strip().splitlines()
            lines.append(f"  {kind[0].op_type} ({len(kind)}): {names}: {reason[0] if reason else type(error).__name__}")
    return lines


def _describe(model) -> dict:
    """Names and types of the arguments and the results."""
    import onnx

    weights = {weight.name for weight in model.graph.initializer}
    arguments = [value for value in model.graph.input if value.name not in weights]

    def dtypes(values):
        types = [value.type.tensor_type.elem_type for value in values]
        return [onnx.helper.tensor_dtype_to_np_dtype(kind).name if kind else None for kind in types]

    return {
        "argument_names": [value.name for value in arguments],
        "result_names": [value.name for value in model.graph.output],
        "argument_dtypes": dtypes(arguments),
        "result_dtypes": dtypes(model.graph.output),
    }


def convert(source: str, settings: dict):
    child.require("iree.compiler.extras.onnx_importer", "iree-base-compiler==3.10.0 onnx")
    model = _load(source)
    _set_dims(model, settings.get("dims", {}))
    model = _prepare(model)
    signature = _describe(model)
    try:
        return _lower(model), signature
    except Exception as error:
        lines = _find_unsupported(model)
        if not lines:
            raise
        raise child.Failure("these nodes cannot be imported:\n" + "\n".join(lines)) from error


if __name__ == "__main__":
    child.main(convert)
