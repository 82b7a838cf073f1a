"""PyTorch's exported programs as MLIR of the torch dialect, through torch-mlir's importer.

That happens in the process that has the program; hetero.importers.torch_dialect lowers
the module in one of its own. Operations have "conv2d/backbone.conv1" as location: the
function of ATen, and the module that calls it.
"""

from __future__ import annotations

import collections
import io

import torch

from hetero.importers import child, decompositions, views
from hetero.importers.names import number_repeated


def _name_of(node) -> str:
    """The operation and the module that it stands in, else the node itself."""
    function = getattr(node.target, "overloadpacket", node.target)
    operation = getattr(function, "__name__", str(function)).lstrip("_")
    stack = node.meta.get("nn_module_stack") or {}
    path = next(reversed(stack.values()))[0] if stack else ""
    return f"{operation}/{path or node.name}"


def _name_nodes(graph) -> dict[str, str]:
    """A name for each node: where a module calls an operation more than once, with the node's own."""
    return number_repeated({node.name: _name_of(node) for node in graph.nodes if node.op == "call_function"})


def _attribute_of(tensor, ir, fx_importer):
    """A weight as a resource, without a copy."""
    tensor = tensor.detach().cpu().contiguous()
    type = ir.RankedTensorType.get(tuple(tensor.shape), fx_importer.TORCH_DTYPE_TO_MLIR_TYPE[tensor.dtype]())
    data = tensor.reshape(-1).view(torch.uint8).numpy()
    return ir.DenseResourceElementsAttr.get_from_buffer(data, "weight_" + "x".join(map(str, tensor.shape)), type)


def _make_importer(names: dict[str, str], ir, fx_importer):
    """The importer, with names for locations and with weights that never become lists of Python."""

    class Names(fx_importer.ContextCache):
        def get_node_location(self, node):
            return ir.Location.name(names.get(node.name, node.name), context=self._c)

    class Weights(fx_importer.FxImporterHooks):
        def resolve_literal(self, gni, literal, info):
            # What folds stays with the importer.
            if not isinstance(literal, torch.Tensor) or literal.numel() <= 1:
                return None
            attribute = _attribute_of(literal, ir, fx_importer)
            type = gni._cc.tensor_to_vtensor_type(literal)
            # Of a parameter or buffer: as the module calls it.
            name = getattr(getattr(info, "input_spec", None), "target", None)
            location = ir.Location.name(name, context=gni._c) if name else None
            attributes = {"value": attribute}
            return ir.Operation.create("torch.vtensor.literal", results=[type], attributes=attributes, loc=location).result

    importer = fx_importer.FxImporter(context=ir.Context(), hooks=Weights())
    importer._cc = Names(importer._c, py_attr_tracker=importer._py_attr_tracker)
    return importer


def _check_mutation(program) -> None:
    """Arguments and buffers that the program writes have no place in a function of tensors."""
    signature = program.graph_signature
    changed = [*signature.buffers_to_mutate.values(), *signature.user_inputs_to_mutate.values()]
    if changed:
        raise child.Failure(
            f"it changes {', '.join(sorted(set(changed)))} in place; return the new value instead, "
            "or call eval() on the module where these are statistics"
        )


def _describe(program) -> dict:
    """Names and types of the arguments and the results."""
    nodes = {node.name: node.meta.get("val") for node in program.graph.nodes}

    def dtypes(names):
        found = [getattr(nodes.get(name), "dtype", None) for name in names]
        return [str(dtype).removeprefix("torch.") if isinstance(dtype, torch.dtype) else None for dtype in found]

    arguments = [name for name in program.graph_signature.user_inputs if isinstance(name, str)]
    results = list(program.graph_signature.user_outputs)
    return {
        "argument_names": arguments,
        "result_names": [str(name) for name in results],
        "argument_dtypes": dtypes(arguments),
        "result_dtypes": dtypes(results),
    }


def _find_foreign(module) -> collections.Counter:
    """The operations that torch-mlir's dialect lacks, by name."""
    body = module.regions[0].blocks[0]
    operations = [op for function in body for block in function.regions[0] for op in block]
    return collections.Counter(op.attributes["name"].value for op in operations if op.name == "torch.operator")


def _import(program):
    """A module of the torch dialect, with names for locations."""
    fx_importer = child.require("iree.compiler.extras.fx_importer", "iree-base-compiler==3.10.0 torch")
    from iree.compiler import ir

    importer = _make_importer(_name_nodes(program.graph), ir, fx_importer)
    importer.import_program(program)
    return importer.module_op


def _decompose_and_import(program):
    """The program and its module, of operations that torch-mlir has."""
    table = decompositions.get_table()
    for _ in range(4):
        program = program.run_decompositions(table)
        _check_mutation(program)
        views.split_views(program.graph)
        module = _import(program)
        foreign = _find_foreign(module)
        table = decompositions.get_further(foreign)
        if not table:
            break
    if foreign:
        listed = ", ".join(f"{name.removeprefix('torch.')} ({count})" for name, count in foreign.items())
        raise child.Failure(f"these operations cannot be imported: {listed}")
    return program, module


def read_program(program) -> tuple[bytes, dict]:
    """A torch.export.ExportedProgram as bytecode of the torch dialect, and its signature as Imported has it."""
    try:
        program, module = _decompose_and_import(program)
    except child.Failure:
        raise
    except Exception as error:  # PyTorch and the importer raise whatever they like.
        raise child.Failure(f"{type(error).__name__}: {error}") from error
    bytecode = io.BytesIO()
    module.write_bytecode(bytecode)
    return bytecode.getvalue(), _describe(program)
