"""PyTorch's exported programs as ONNX models, by PyTorch's own exporter; libhetero reads these.

Operations have "conv2d/backbone.conv1" as location: the function of ATen, and the module
that calls it. What ONNX's operators do not say is one of `hetero`'s domain.
"""

from __future__ import annotations

import ast
import collections
import contextlib
import functools
import io
import logging
import os
import re
import unittest.mock
import warnings

import torch

from hetero.errors import ImportFailure
from hetero.importers import decompositions
from hetero.importers.names import number_repeated

# Of a node's metadata: the location of what it becomes (lib/Import/ONNX/Model.h).
_LOCATION = "hetero:location"
# How many operations of a kind an error shows the places of.
_MAX_PLACES = 3


def _require_exporter():
    """What PyTorch's exporter is built on, or how to get it."""
    try:
        import onnx_ir
        import onnxscript  # noqa: F401
    except ImportError as error:
        raise ImportFailure(f"{error}; pip install onnxscript") from None
    return onnx_ir


def _check_mutation(program) -> None:
    """Arguments and buffers that the program writes have no place in a function of tensors."""
    signature = program.graph_signature
    changed = [*signature.buffers_to_mutate.values(), *signature.user_inputs_to_mutate.values()]
    if changed:
        raise ImportFailure(
            f"it changes {', '.join(sorted(set(changed)))} in place; return the new value instead, "
            "or call eval() on the module where these are statistics"
        )


def _find_place(node) -> str:
    """Where the user's source has the node: "model.py:12", if that is known."""
    trace = node.meta.get("stack_trace") or ""
    frames = [line.strip() for line in trace.splitlines() if line.strip().startswith("File ")]
    if not frames:
        return ""
    path, line = frames[-1].split('"')[1], frames[-1].split("line ")[1].split(",")[0]
    return f" at {os.path.basename(path)}:{line}"


def _name_of(operation: str, scopes: list[str]) -> str:
    """The function of ATen without its overload, and the module that calls it, else the node itself."""
    function = operation.removeprefix("aten.").removeprefix("prims.").split(".")[0].lstrip("_")
    path = scopes[-2] if len(scopes) > 1 else ""
    return f"{function}/{path or scopes[-1]}"


@functools.cache
def _get_registry():
    """The exporter's table of what has a form in ONNX."""
    from torch.onnx._internal.exporter import _registration

    return _registration.ONNXRegistry.from_torchlib()


def _chain(first, second):
    """Decomposes by the second function what the first one leaves."""

    def decompose(*operands, **options):
        made = first(*operands, **options)
        return second(*operands, **options) if made is NotImplemented else made

    return decompose


@functools.cache
def _get_decompositions() -> dict:
    """What is decomposed: what this project has, and what has no form in ONNX."""
    from torch.onnx._internal.exporter import _decomp

    known = set(_decomp.get_onnx_implemented_overloads(_get_registry()))
    table = dict(_decomp.create_onnx_friendly_decomposition_table(known))
    for operation, function in decompositions.get_own().items():
        others = table.get(operation)
        table[operation] = _chain(function, others) if others else function
    return table


def _list_nodes(program):
    """The nodes of the program and of what it calls."""
    return [node for module in program.graph_module.modules() for node in getattr(module, "graph", torch.fx.Graph()).nodes]


def _list_unknown(program) -> list[str]:
    """The operations that have no form in ONNX, with their counts and places."""
    unknown = collections.defaultdict(list)
    for node in _list_nodes(program):
        is_known = not isinstance(node.target, torch._ops.OpOverload) or _get_registry().is_registered(node.target)
        # Assertions have no results, and are dropped.
        if not is_known and node.users:
            unknown[str(node.target)].append(node)
    return [f"{name} ({len(nodes)}){_describe_places(nodes)}" for name, nodes in unknown.items()]


def _describe_places(nodes) -> str:
    places = list(dict.fromkeys(place for place in map(_find_place, nodes) if place))
    return ",".join(places[:_MAX_PLACES]) + (", ..." if len(places) > _MAX_PLACES else "")


def _explain(error: BaseException, program=None) -> str:
    """Why PyTorch failed, in one line, with the operation of the program that it says it failed at."""
    failed = ""
    while error.__cause__ is not None:
        found = re.search(r"target=torch\.ops\.([\w.]+)", str(error))
        if found and program:
            nodes = [node for node in _list_nodes(program) if str(node.target) == found[1]]
            failed = f"the exporter fails at {found[1]} ({len(nodes)}){_describe_places(nodes)}: "
        error = error.__cause__
    lines = str(error).strip().splitlines()
    return f"{failed}{type(error).__name__}: {lines[0] if lines else ''}"


@contextlib.contextmanager
def _be_quiet():
    """Keeps the steps and the warnings of the exporter from the user, who can do nothing about them."""
    logger = logging.getLogger("torch.onnx")
    level = logger.level
    logger.setLevel(logging.ERROR)
    try:
        with contextlib.redirect_stdout(io.StringIO()), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            yield
    finally:
        logger.setLevel(level)


def _forget_pending(program) -> None:
    """Drops the sizes that an earlier decomposition of the program left without an owner: PyTorch stops at them."""
    for node in program.graph.nodes:
        environment = getattr(getattr(node.meta.get("val"), "fake_mode", None), "shape_env", None)
        if environment is not None:
            getattr(environment, "pending_fresh_unbacked_symbols", []).clear()
            return


def _decompose(program):
    """The program of operations that have a form in ONNX."""
    _forget_pending(program)
    try:
        with _be_quiet():
            program = program.run_decompositions(_get_decompositions())
    except Exception as error:  # PyTorch raises whatever it likes.
        raise ImportFailure(_explain(error)) from error
    _check_mutation(program)
    return program


@contextlib.contextmanager
def _keep_tables():
    """Lets the exporter take its table of operators, and the program as it is: it would make the one anew, and decompose
    the other once more, which is most of the time of a small import."""
    from torch.onnx._internal.exporter import _fx_passes, _registration

    patch = unittest.mock.patch.object
    registry = _get_registry()
    with patch(_registration.ONNXRegistry, "from_torchlib", lambda *_, **__: registry):
        with patch(_fx_passes, "decompose_with_registry", lambda program, _: program):
            yield


def _translate(program):
    """The program as a model of onnx_ir."""
    try:
        with _be_quiet(), _keep_tables():
            return torch.onnx.export(program, dynamo=True, optimize=False, verbose=False).model
    except Exception as error:  # Of any kind, too.
        unknown = _list_unknown(program)
        text = f"these operations have no form in ONNX: {'; '.join(unknown)}" if unknown else _explain(error, program)
        raise ImportFailure(text) from error


def _locate(model) -> None:
    """Gives the nodes the names of the operations that they are parts of, and nothing else."""
    parts = {}
    for node in model.graph.all_nodes():
        scopes = node.metadata_props.get("pkg.torch.onnx.name_scopes")
        classes = node.metadata_props.get("pkg.torch.onnx.class_hierarchy")
        node.metadata_props.clear()
        if scopes and classes:
            scopes = ast.literal_eval(scopes)
            parts.setdefault((scopes[-1], _name_of(ast.literal_eval(classes)[-1], scopes)), []).append(node)
    names = number_repeated({node: name for node, name in parts})
    for (operation, _), nodes in parts.items():
        for node in nodes:
            node.metadata_props[_LOCATION] = names[operation]


def _list_dtypes(program) -> dict:
    """The types of the program's tensors, by the names of their nodes."""
    return {node.name: getattr(node.meta.get("val"), "dtype", None) for node in program.graph.nodes}


def _convert_results(model, program, ir) -> None:
    """Gives results the types that they have in the program: some functions of the exporter make others."""
    dtypes, made = _list_dtypes(program), {}
    for i, name in enumerate(program.graph_signature.user_outputs):
        value, dtype = model.graph.outputs[i], dtypes.get(name)
        if value.producer() is None or dtype is None or dtype.is_complex:
            continue
        if value not in made:
            kind = ir.tensor_adapters.from_torch_dtype(dtype)
            made[value] = ir.Value(name=value.name, shape=value.shape, type=ir.TensorType(kind))
            value.name += ".made"
            to = ir.Attr("to", ir.AttributeType.INT, int(kind))
            model.graph.append(ir.Node("", "Cast", [value], [to], outputs=[made[value]]))
        model.graph.outputs[i] = made[value]


def _make_complex(model, program, ir) -> None:
    """Complex arguments and results, which the exporter has as pairs of floats, are complex numbers."""
    kinds = {torch.complex64: ir.DataType.COMPLEX64, torch.complex128: ir.DataType.COMPLEX128}
    dtypes = _list_dtypes(program)

    def outside(value, name):
        dtype = dtypes.get(name)
        if dtype not in kinds or value.shape is None:
            return None
        return ir.Value(name=name, shape=ir.Shape(list(value.shape)[:-1]), type=ir.TensorType(kinds[dtype]))

    def convert(kind, given, made):
        return ir.Node("hetero", kind, [given], outputs=[made])

    graph = model.graph
    for i, value in enumerate(graph.inputs):
        complex_value = outside(value, value.name)
        if complex_value is not None:
            value.name += ".parts"
            graph.inputs[i] = complex_value
            # The reader orders nodes.
            graph.append(convert("ViewAsReal", complex_value, value))
    for i, name in enumerate(program.graph_signature.user_outputs):
        complex_value = outside(graph.outputs[i], name)
        if complex_value is not None:
            complex_value.name += ".complex"
            graph.append(convert("ViewAsComplex", graph.outputs[i], complex_value))
            graph.outputs[i] = complex_value
    model.opset_imports["hetero"] = 1


def write_model(program, path: str) -> None:
    """Writes a torch.export.ExportedProgram as an ONNX model, with its weights in a file beside it."""
    ir = _require_exporter()
    program = _decompose(program)
    model = _translate(program)
    _locate(model)
    _convert_results(model, program, ir)
    _make_complex(model, program, ir)
    ir.save(model, path, external_data=os.path.basename(path) + ".data")
