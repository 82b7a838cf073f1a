"""Inputs of ONNX models that are to be constants: those that shapes depend on."""

from __future__ import annotations

from hetero.errors import ImportFailure

# Inputs of ONNX's operations whose values say what shapes come out, by position.
_SHAPE_INPUTS = {
    "AffineGrid": (1,),
    "CenterCropPad": (1,),
    "Col2Im": (1, 2),
    "Compress": (1,),
    "ConstantOfShape": (0,),
    "CumProd": (1,),
    "CumSum": (1,),
    "DFT": (1, 2),
    "Dropout": (1, 2),
    "Expand": (1,),
    "Loop": (0, 1),
    "MaxUnpool": (2,),
    "OneHot": (1,),
    "Pad": (1, 3),
    "Range": (0, 1, 2),
    "ReduceL1": (1,),
    "ReduceL2": (1,),
    "ReduceLogSum": (1,),
    "ReduceLogSumExp": (1,),
    "ReduceMax": (1,),
    "ReduceMean": (1,),
    "ReduceMin": (1,),
    "ReduceProd": (1,),
    "ReduceSum": (1,),
    "ReduceSumSquare": (1,),
    "Reshape": (1,),
    "Resize": (1, 2, 3),
    "STFT": (1, 3),
    "Slice": (1, 2, 3, 4),
    "Split": (1,),
    "Squeeze": (1,),
    "Tile": (1,),
    "TopK": (1,),
    "Trilu": (1,),
    "Unsqueeze": (1,),
    "Upsample": (1,),
}
# Operations whose results are not what shapes are computed from, but shapes of their inputs.
_SHAPES_ONLY = ("Shape", "Size")


def inner_names(node):
    """The values that the graphs in a node read."""
    for attribute in node.attribute:
        for graph in [attribute.g, *attribute.graphs]:
            for inner in graph.node:
                yield from inner.input
                yield from inner_names(inner)
            yield from (value.name for value in graph.output)


def _all_nodes(graph):
    """The nodes of a graph and of those in it."""
    for node in graph.node:
        yield node
        for attribute in node.attribute:
            for inner in [attribute.g, *attribute.graphs]:
                yield from _all_nodes(inner)


def shape_inputs(model) -> list[str]:
    """The inputs of an onnx.ModelProto that shapes depend on: they are compiled in, value by value."""
    weights = {weight.name for weight in model.graph.initializer}
    inputs = [value.name for value in model.graph.input if value.name not in weights]
    nodes = list(_all_nodes(model.graph))
    makers = {name: node for node in nodes for name in node.output if name}
    left = [
        node.input[position]
        for node in nodes
        for position in _SHAPE_INPUTS.get(node.op_type, ())
        if position < len(node.input)
    ]
    fixed: set = set()
    while left:
        name = left.pop()
        if name in fixed:
            continue
        fixed.add(name)
        maker = makers.get(name)
        if maker is not None and maker.op_type not in _SHAPES_ONLY:
            left += [*maker.input, *inner_names(maker)]
    return [name for name in inputs if name in fixed]


def fix_inputs(model, values: dict):
    """A copy of an onnx.ModelProto whose inputs of these names are constants."""
    from onnx import numpy_helper

    fixed = type(model)()
    fixed.CopyFrom(model)
    unknown = set(values) - {value.name for value in fixed.graph.input}
    if unknown:
        raise ImportFailure(f"there is no input {', '.join(sorted(unknown))}")
    kept = [value for value in fixed.graph.input if value.name not in values]
    del fixed.graph.input[:]
    fixed.graph.input.extend(kept)
    fixed.graph.initializer.extend(numpy_helper.from_array(array, name) for name, array in values.items())
    return fixed
