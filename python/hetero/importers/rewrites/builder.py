"""Nodes that take the place of one node, written as expressions.

    def rewrite_softsign(b, node):
        x = node.inputs[0]
        return x / (b.op("Abs", x) + 1)
"""

from __future__ import annotations

import numpy as np
from onnx import NodeProto, TensorProto, helper, numpy_helper

_COMPARISONS = frozenset("And Equal Greater GreaterOrEqual IsInf IsNaN Less LessOrEqual Not Or Xor".split())
_INDICES = frozenset("ArgMax ArgMin NonZero Shape Size".split())


def subgraphs(node):
    """The graphs in a node's attributes."""
    for attribute in node.attribute:
        if attribute.HasField("g"):
            yield attribute.g
        yield from attribute.graphs


def rename(nodes, names: dict) -> None:
    """Gives values other names, in nodes and in the graphs in these."""
    for node in nodes:
        for names_of in (node.input, node.output):
            for position, name in enumerate(names_of):
                if name in names:
                    names_of[position] = names[name]
        for graph in subgraphs(node):
            rename(graph.node, names)
            for value in graph.output:
                value.name = names.get(value.name, value.name)


class Value:
    """A value of the graph.

    dtype: its element type, of TensorProto; 0 where it is not known.
    shape: its sizes, None for one that is not known; None where the rank is not known.
    array: its elements, where it is a constant.
    """

    def __init__(self, builder: "Builder", name: str, dtype: int = 0, shape=None, array=None):
        self.builder = builder
        self.name = name
        self.dtype = dtype
        self.shape = shape
        self.array = array

    @property
    def rank(self) -> int | None:
        return None if self.shape is None else len(self.shape)

    @property
    def is_static(self) -> bool:
        return self.shape is not None and None not in self.shape

    def size(self, axis: int):
        """A size: a number, or a scalar where it is known only at run time."""
        if self.shape[axis] is not None:
            return self.shape[axis]
        return self.builder.op("Gather", self.builder.op("Shape", self), np.array(axis, np.int64))

    def cast(self, dtype: int) -> "Value":
        return self if self.dtype == dtype else self.builder.op("Cast", self, to=int(dtype), dtype=int(dtype))

    def reshape(self, *sizes: int) -> "Value":
        return self.builder.op("Reshape", self, np.array(sizes, np.int64))

    def transpose(self, *order: int) -> "Value":
        return self.builder.op("Transpose", self, perm=list(order))

    def unsqueeze(self, *axes: int) -> "Value":
        return self.builder.op("Unsqueeze", self, np.array(axes, np.int64))

    def squeeze(self, *axes: int) -> "Value":
        return self.builder.op("Squeeze", self, np.array(axes, np.int64))

    def slice(self, axis: int, start: int, end: int | None = None, step: int = 1) -> "Value":
        """Elements from `start` on, before `end`, along an axis; from the back where the step is negative."""
        end = (np.iinfo(np.int64).max if step > 0 else np.iinfo(np.int64).min) if end is None else end
        return self.builder.op("Slice", self, *(np.array([number], np.int64) for number in (start, end, axis, step)))

    def __add__(self, other):
        return self.builder.op("Add", self, other)

    def __sub__(self, other):
        return self.builder.op("Sub", self, other)

    def __mul__(self, other):
        return self.builder.op("Mul", self, other)

    def __truediv__(self, other):
        return self.builder.op("Div", self, other)

    def __matmul__(self, other):
        return self.builder.op("MatMul", self, other)

    def __radd__(self, other):
        return self.builder.op("Add", other, self)

    def __rsub__(self, other):
        return self.builder.op("Sub", other, self)

    def __rmul__(self, other):
        return self.builder.op("Mul", other, self)

    def __rtruediv__(self, other):
        return self.builder.op("Div", other, self)

    def __neg__(self):
        return self.builder.op("Neg", self)

    def __lt__(self, other):
        return self.builder.op("Less", self, other)

    def __le__(self, other):
        return self.builder.op("LessOrEqual", self, other)

    def __gt__(self, other):
        return self.builder.op("Greater", self, other)

    def __ge__(self, other):
        return self.builder.op("GreaterOrEqual", self, other)

    def __and__(self, other):
        return self.builder.op("And", self, other)

    def __or__(self, other):
        return self.builder.op("Or", self, other)

    def __invert__(self):
        return self.builder.op("Not", self)


class Builder:
    """Makes nodes in the name of one; constants are initializers of the graph."""

    def __init__(self, node, opset: int):
        self.node = node
        self.opset = opset
        self.nodes: list = []
        self.initializers: list = []
        self.stem = next((name for name in node.output if name), node.name)

    def _make_name(self) -> str:
        return f"{self.stem}/{len(self.nodes)}.{len(self.initializers)}"

    def constant(self, value, dtype: int | None = None) -> Value:
        """A constant of this element type, or of the array's."""
        array = np.asarray(value, None if dtype is None else helper.tensor_dtype_to_np_dtype(dtype))
        self.initializers.append(numpy_helper.from_array(array, self._make_name()))
        kind = self.initializers[-1]
        return Value(self, kind.name, kind.data_type, list(array.shape), array)

    def _as_values(self, inputs) -> list:
        """Numbers become constants of the element type of the first value that is no condition."""
        dtypes = [value.dtype for value in inputs if isinstance(value, Value)]
        dtype = next((kind for kind in dtypes if kind != TensorProto.BOOL), TensorProto.BOOL)
        values = []
        for value in inputs:
            if value is not None and not isinstance(value, Value):
                value = self.constant(value, None if isinstance(value, np.ndarray) else dtype)
            values.append(value)
        return values

    def op(self, op_type: str, *inputs, dtype: int | None = None, **attributes) -> Value:
        """The only result of an operation; inputs are values, arrays, numbers or None."""
        return self.ops(op_type, 1, *inputs, dtype=dtype, **attributes)[0]

    def ops(self, op_type: str, results: int, *inputs, dtype: int | None = None, **attributes) -> list:
        """The results of an operation."""
        values = self._as_values(inputs)
        names = [f"{self._make_name()}:{number}" for number in range(results)]
        inputs = [value.name if value else "" for value in values]
        while inputs and not inputs[-1]:
            inputs.pop()
        self.nodes.append(helper.make_node(op_type, inputs, names, name=self.node.name, **attributes))
        if dtype is None:
            dtype = self._guess_dtype(op_type, values)
        return [Value(self, name, dtype) for name in names]

    def _guess_dtype(self, op_type: str, values) -> int:
        if op_type in _COMPARISONS:
            return TensorProto.BOOL
        if op_type in _INDICES:
            return TensorProto.INT64
        return values[1 if op_type == "Where" else 0].dtype if values else 0

    def inline(self, graph, arguments) -> list:
        """The results of a graph, with these values as its inputs."""
        prefix = f"{self._make_name()}/"
        names = {value.name: argument.name for value, argument in zip(graph.input, arguments)}
        dtypes = {value.name: argument.dtype for value, argument in zip(graph.input, arguments)}
        for weight in graph.initializer:
            copy = TensorProto()
            copy.CopyFrom(weight)
            copy.name = names[weight.name] = prefix + weight.name
            self.initializers.append(copy)
        for node in graph.node:
            names.update((name, prefix + name) for name in node.output if name)
        copies = []
        for node in graph.node:
            copies.append(NodeProto())
            copies[-1].CopyFrom(node)
        rename(copies, names)
        self.nodes += copies
        results = []
        for value in graph.output:
            dtype = value.type.tensor_type.elem_type or dtypes.get(value.name, 0)
            results.append(Value(self, names.get(value.name, value.name), dtype))
        return results

    def zeros(self, sizes, dtype: int) -> Value:
        """Zeros of sizes that are numbers or scalars."""
        kind = helper.tensor_dtype_to_np_dtype(dtype)
        if not any(isinstance(size, Value) for size in sizes):
            return self.constant(np.zeros(sizes, kind))
        parts = [s.reshape(1) if isinstance(s, Value) else self.constant(np.array([s], np.int64)) for s in sizes]
        zero = numpy_helper.from_array(np.zeros([1], kind))
        return self.op("ConstantOfShape", self.concat(parts, 0), value=zero, dtype=dtype)

    def where(self, condition: Value, yes, no) -> Value:
        return self.op("Where", condition, yes, no)

    def concat(self, values, axis: int) -> Value:
        return values[0] if len(values) == 1 else self.op("Concat", *values, axis=axis)

    def reduce(self, op_type: str, value: Value, axes, keepdims: bool = False) -> Value:
        """A reduction; its axes were an attribute up to opset 17, but ReduceSum's."""
        axes = np.array(axes, np.int64)
        if op_type == "ReduceSum" or self.opset >= 18:
            return self.op(op_type, value, axes, keepdims=int(keepdims))
        return self.op(op_type, value, axes=axes.tolist(), keepdims=int(keepdims))

    def zeros_like(self, value: Value) -> Value:
        return self.op("Sub", value, value)


class Node:
    """A node that is to be replaced: its inputs as values (None for those left out), and attributes."""

    def __init__(self, proto, inputs: list):
        self.proto = proto
        self.inputs = inputs
        self._attributes = {attribute.name: attribute for attribute in proto.attribute}

    def input(self, position: int) -> Value | None:
        return self.inputs[position] if position < len(self.inputs) else None

    def has_output(self, position: int) -> bool:
        return position < len(self.proto.output) and bool(self.proto.output[position])

    def get(self, name: str, default=None):
        """An attribute; strings as text."""
        if name not in self._attributes:
            return default
        value = helper.get_attribute_value(self._attributes[name])
        if isinstance(value, bytes):
            return value.decode()
        if isinstance(value, list):
            return [each.decode() if isinstance(each, bytes) else each for each in value]
        return value
