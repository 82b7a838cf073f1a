"""ONNX to linalg on tensors: python -m hetero.importers.onnx IN.onnx OUT.mlirbc '{"dims": {"N": 1}}'

Operations of the result have "Conv/NAME" as location, where NAME is that of
their node; weights are resources.
"""

from __future__ import annotations

import collections

from hetero.importers import bits, child, constants, fold, quantized

# The oldest opset that torch-mlir's patterns are written for.
OPSET = 17
PIPELINE = (
    "builtin.module(torch-onnx-to-torch-backend-pipeline{},torch-backend-to-linalg-on-tensors-backend-pipeline{})"
)


def _load(source: str):
    child.require("onnx", "onnx")
    from hetero.importers import weights

    try:
        model = weights.load(source)
    except child.Failure:
        raise
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


def _forget_guesses(graph) -> None:
    """Drops what inference said of values whose sizes it did not know: it would keep to that."""
    kept = []
    for value in graph.value_info:
        kind = value.type.tensor_type
        is_known = kind.HasField("shape") and not any(dim.dim_param.startswith("unk__") for dim in kind.shape.dim)
        if is_known or not value.type.HasField("tensor_type"):
            kept.append(value)
    if len(kept) < len(graph.value_info):
        del graph.value_info[:]
        graph.value_info.extend(kept)


def _rank(value) -> int | None:
    kind = value.type.tensor_type
    return len(kind.shape.dim) if kind.HasField("shape") else None


def _check_results(model) -> None:
    """Drops the declared shapes of results that have another rank: runtimes do not read them, and files are wrong."""
    from onnx import TypeProto, shape_inference

    declared = []
    for value in model.graph.output:
        declared.append(TypeProto())
        declared[-1].CopyFrom(value.type)
        value.type.tensor_type.ClearField("shape")
    inferred = [_rank(value) for value in shape_inference.infer_shapes(model, data_prop=True).graph.output]
    for value, kind, rank in zip(model.graph.output, declared, inferred):
        value.type.CopyFrom(kind)
        if _rank(value) is not None and rank not in (None, _rank(value)):
            value.type.tensor_type.ClearField("shape")


def _carried_sizes(before, after):
    """Sizes of what a Loop carries as its body declares them, None for one that may change; None without a rank."""
    if _rank(before) is None or _rank(before) != _rank(after):
        return None
    pairs = zip(before.type.tensor_type.shape.dim, after.type.tensor_type.shape.dim)
    return [a.dim_value if a.HasField("dim_value") and a == b else None for a, b in pairs]


def _forget_sizes(value, sizes) -> bool:
    """Drops the declared sizes of a result that its Loop does not have."""
    wrong = [d for d, size in zip(value.type.tensor_type.shape.dim, sizes) if size is None and d.HasField("dim_value")]
    for dim in wrong:
        dim.ClearField("dim_value")
    return bool(wrong)


def _rank_loops(model) -> bool:
    """Gives results of Loops the sizes that their bodies declare; whether it changed any. Inference gives them
    no rank where a size is not known, and the file more than the body has."""
    import onnx

    typed = {value.name for value in model.graph.value_info if _rank(value) is not None}
    results = {value.name: value for value in model.graph.output if _rank(value) is not None}
    changed = False
    for node in model.graph.node:
        if node.op_type != "Loop" or node.domain:
            continue
        body = next(attribute.g for attribute in node.attribute if attribute.name == "body")
        for name, before, after in zip(node.output, body.input[2:], body.output[1:]):
            sizes = _carried_sizes(before, after)
            if not name or name in typed or sizes is None:
                continue
            if name in results:
                changed |= _forget_sizes(results[name], sizes)
                continue
            for known in [known for known in model.graph.value_info if known.name == name]:
                model.graph.value_info.remove(known)
            kind = after.type.tensor_type.elem_type
            model.graph.value_info.append(onnx.helper.make_tensor_value_info(name, kind, sizes))
            changed = True
    return changed


def _infer(model):
    """The model with the types and shapes that follow from those of its inputs."""
    import onnx
    from onnx import shape_inference

    try:
        _check_results(model)
        _forget_guesses(model.graph)
        model = shape_inference.infer_shapes(model, data_prop=True)
        # Folded axes and sizes tell more shapes.
        while fold.fold_shapes(model) or _rank_loops(model):
            _forget_guesses(model.graph)
            model = shape_inference.infer_shapes(model, data_prop=True)
    except onnx.shape_inference.InferenceError as error:
        raise child.Failure(f"its shapes do not fit: {error}") from None
    return model


def _raise_opset(model):
    """The model in the oldest opset that the importer was written for, or a later one."""
    from onnx import version_converter

    versions = {entry.domain: entry.version for entry in model.opset_import}
    # Older models have their weights as inputs too, and types are not inferred of others.
    model.ir_version = max(model.ir_version, 8)
    if "" not in versions:
        model.opset_import.add(domain="", version=OPSET)
    elif versions[""] < OPSET:
        try:
            return version_converter.convert_version(model, OPSET)
        except Exception:  # No adapter for a node: the importer may still know the old form.
            pass
    return model


def _inline(model):
    from onnx import inliner

    return inliner.inline_local_functions(model) if model.functions else model


def _name_nodes(graph) -> None:
    """Puts the operator before the name of each node, and a number where it has none: what nodes are rewritten to keeps it."""
    for number, node in enumerate(graph.node):
        if not node.name.startswith(f"{node.op_type}/"):
            node.name = f"{node.op_type}/{node.name or number}"
        for attribute in node.attribute:
            for inner in [*([attribute.g] if attribute.HasField("g") else []), *attribute.graphs]:
                _name_nodes(inner)


def _prepare(model):
    """What torch-mlir expects: inlined functions, a new opset, shapes, a name for each node."""
    from hetero.importers import rewrites

    model = _raise_opset(_inline(model))
    quantized.rewrite_quantized(model)
    model = _infer(model)
    while (changed := rewrites.rewrite(model)) is not None:
        model = _infer(changed)
    for number, node in enumerate(model.graph.node):
        if "/" not in node.name:
            node.name = f"{node.op_type}/{node.name or number}"
    return model


def _make_cache(context, ir, onnx_importer):
    """What makes attributes of weights, with those that are in files as they are there."""
    from hetero.importers import weights

    class Weights(onnx_importer.ContextCache):
        def tensor_proto_to_attr(self, tensor):
            type = self.tensor_proto_to_builtin_type(tensor)
            if 0 in tensor.dims:
                return ir.Attribute.parse(f"dense<> : {type}", context)
            if not weights.is_in_file(tensor):
                is_read = tensor.data_type in onnx_importer.ELEM_TYPE_INLINE_TENSOR_PROTO_CB
                return super().tensor_proto_to_attr(tensor if is_read else weights.make_raw(tensor))
            data = weights.map_bytes(tensor)
            alignment = data.ctypes.data & -data.ctypes.data
            name = self._sanitize_name(tensor.name)
            return ir.DenseResourceElementsAttr.get_from_buffer(data, name, type, alignment=min(alignment, 64))

    return Weights(context)


def _lower(model):
    from iree.compiler import ir
    from iree.compiler.extras import onnx_importer

    info = onnx_importer.ModelInfo(model)
    context = child.make_context()
    module = info.create_module(context=context).operation
    cache = _make_cache(context, ir, onnx_importer)
    onnx_importer.NodeImporter.define_function(info.main_graph, module, cache).import_all()
    child.run_passes(module, PIPELINE)
    if any(node.name.startswith(bits.PREFIX) for node in model.graph.node):
        bits.replace_conversions(module)
    return module


def _alone(model, node):
    """A model of one node, with what it reads as arguments; None where types or ranks are not known."""
    import onnx

    types = {value.name: value for value in (*model.graph.value_info, *model.graph.input, *model.graph.output)}
    weights = {weight.name: weight for weight in model.graph.initializer}
    outputs = [name for name in node.output if name]
    inner = constants.inner_names(node)
    read = dict.fromkeys([*(name for name in node.input if name), *(name for name in inner if name in types or name in weights)])
    inputs = [name for name in read if name not in weights]
    if any(name not in types or _rank(types[name]) is None for name in [*inputs, *outputs]):
        return None
    graph = onnx.helper.make_graph(
        [node],
        "alone",
        [types[name] for name in inputs],
        [types[name] for name in outputs],
        [weights[name] for name in read if name in weights],
    )
    return onnx.helper.make_model(graph, opset_imports=model.opset_import, ir_version=model.ir_version)


def _key(model, node):
    """Equal for nodes that can be imported or not alike."""
    attributes = b"".join(a.SerializeToString() for a in node.attribute if a.ByteSize() < 4096)
    return node.op_type, node.domain, attributes, tuple(bool(name) for name in node.input)


# Control flow that is left of it where its results have no rank.
_UNDECIDED = {
    "If": "the rank of its result depends on its condition; if that is a size, `dims` sets it",
    "Loop": "the number of its turns, and so the size of its results, is known only when it runs; if that is a size, `dims` sets it",
}


def _find_undecided(model, node) -> str | None:
    """Why control flow has results without a rank; None if they have one."""
    ranks = {value.name: _rank(value) for value in (*model.graph.value_info, *model.graph.output)}
    return _UNDECIDED.get(node.op_type) if any(name and ranks.get(name) is None for name in node.output) else None


def _find_unsupported(model) -> list:
    """The nodes that cannot be imported alone: lists of equal ones, each with the reason."""
    nodes = collections.defaultdict(list)
    for node in model.graph.node:
        nodes[_key(model, node)].append(node)
    unsupported = []
    for kind in nodes.values():
        undecided = _find_undecided(model, kind[0])
        if undecided:
            unsupported.append((kind, undecided))
        alone = _alone(model, kind[0])
        if alone is None:
            continue
        reason = child.find_reason(lambda: _lower(alone))
        if reason:
            unsupported.append((kind, reason))
    return unsupported


def _describe_unsupported(unsupported) -> str:
    lines = ["these nodes cannot be imported:"]
    for kind, reason in unsupported:
        names = ", ".join(node.name for node in kind[:3]) + (", ..." if len(kind) > 3 else "")
        lines.append(f"  {kind[0].op_type} ({len(kind)}): {names}: {reason}")
    return "\n".join(lines)


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


def _lower_or_find(model, is_careful: bool):
    """The module, or None and the nodes that cannot be imported."""
    if is_careful:
        unsupported = _find_unsupported(model)
        return (None, unsupported) if unsupported else (_lower(model), [])
    try:
        return _lower(model), []
    except Exception:
        unsupported = _find_unsupported(model)
        if not unsupported:
            raise
        return None, unsupported


def convert(source: str, settings: dict):
    """The settings' `careful` has each kind of node tried in a process of its own before all are imported."""
    child.require("iree.compiler.extras.onnx_importer", "iree-base-compiler==3.10.0 onnx")
    from hetero.importers import rewrites

    model = _load(source)
    _set_dims(model, settings.get("dims", {}))
    signature = _describe(model)
    model = _inline(model)
    _name_nodes(model.graph)
    model = _prepare(model)
    # Functions may consist of nodes that are functions.
    for _ in range(4):
        module, unsupported = _lower_or_find(model, settings.get("careful", False))
        if module:
            return module, signature
        expanded = rewrites.replace(model, [node for kind, _ in unsupported for node in kind])
        if expanded is None:
            break
        model = _prepare(expanded)
    raise child.Failure(_describe_unsupported(unsupported))


if __name__ == "__main__":
    child.main(convert)
