"""A model of one node that is being made: what makers of inputs draw from.

A draft has a style, which says what is unusual in it; all that is random comes from
the name of its case, so that it is the same in each run.
"""

import random
import zlib

import ml_dtypes
import numpy as np
import onnx
from onnx.defs import OpSchema

import types_of_onnx as types

USUAL, DYNAMIC, SPECIAL, SMALL, UNUSUAL, OUTSIDE = range(6)
STYLES = ("usual", "dynamic", "special", "small", "unusual", "outside")
OPTIONAL = OpSchema.FormalParameterOption.Optional
VARIADIC = OpSchema.FormalParameterOption.Variadic


class Draft:
    """Inputs and attributes of a node of `schema`.

    types: the type of each type variable of the schema.
    values: for each formal input that is there an array, or a list of arrays for one that is variadic.
    constants: names of inputs whose values the model has in it.
    """

    def __init__(self, schema, variables, style, name):
        seed = zlib.crc32(name.encode())
        self.schema, self.variables, self.style, self.name = schema, variables, style, name
        self.random, self.numbers = random.Random(seed), np.random.default_rng(seed)
        self.values, self.constants, self.attributes = {}, set(), {}
        self.formals = {formal.name: formal for formal in schema.inputs}
        self.outputs = None  # How many, where the schema does not say it.
        self.is_elementwise = False
        # One of all decisions of an unusual draft is out of range.
        self._outside_in = self.random.randrange(4) if style == OUTSIDE else None

    # --- Decisions ---

    def some(self, chance=0.5):
        return self.random.random() < chance

    def pick(self, *choices):
        return self.random.choice(choices)

    def often(self):
        """Whether to do what is not the default."""
        return self.some(0.25 if self.style == USUAL else 0.6)

    def outside(self):
        """Whether this decision is to be out of range."""
        if self._outside_in is None:
            return False
        self._outside_in -= 1
        return self._outside_in == -1

    def has(self, name):
        return name in self.formals

    def takes(self, attribute):
        return attribute in self.schema.attributes

    def type_of(self, name):
        kind = self.formals[name].type_str
        return self.variables.get(kind, kind)

    def dtype_of(self, name):
        return types.dtype_of(self.type_of(name))

    def result_type(self, number=0):
        kind = self.schema.outputs[number].type_str
        return self.variables.get(kind, kind)

    # --- Sizes ---

    def size(self, least=1, most=5):
        if self.style == SMALL:
            return max(least, self.pick(0, 1, 1, 2)) if least else self.pick(0, 0, 1, 2)
        return self.random.randint(max(least, 1), most)

    def shape(self, least=0, most=5):
        """Sizes of a tensor whose rank is in this range."""
        if self.style in (USUAL, DYNAMIC, SPECIAL):
            rank = min(max(self.pick(1, 2, 2, 3, 3, 4), least), most)
        else:
            rank = self.random.randint(least, most)
        zero = 0 if self.style == SMALL and self.some(0.4) else 1
        return tuple(self.size(zero, 4 if rank > 3 else 6) for _ in range(rank))

    def broadcast(self, shape):
        """A shape that broadcasts to this one."""
        kept = list(shape[self.random.randint(0, len(shape)) :]) if self.some(0.4) else list(shape)
        return tuple(1 if self.some(0.25) else size for size in kept)

    def axis(self, rank, least=None):
        if self.outside():
            return self.pick(rank, rank + 3, -rank - 1)
        least = -rank if least is None else least
        return self.random.randint(least, max(rank - 1, least))

    def axes(self, rank, least=0):
        """Several different axes, some counted from the end."""
        if self.outside():
            return self.pick([0, 0], [rank], [-rank - 1])
        count = self.random.randint(min(least, rank), rank)
        return [axis - rank if self.some(0.3) else axis for axis in self.random.sample(range(rank), count)]

    # --- Inputs ---

    def array(self, name, shape, low=None, high=None):
        """An array for an input; numbers from `low` to `high` where they are given."""
        kind = self.type_of(name)
        if low is None:
            return types.make_array(self.numbers, kind, shape, self.style == SPECIAL)
        dtype = types.dtype_of(kind)
        if types.is_integer(dtype):
            return types.integers(self.numbers, dtype, shape, int(low), int(high))
        return np.asarray(self.numbers.uniform(low, high, size=shape)).astype(dtype)

    def data(self, name, shape, low=None, high=None):
        """Gives an input numbers, as an array that the model may have in it; nothing where there is no such input."""
        if not self.has(name):
            return None
        if not types.is_tensor(self.type_of(name)):
            self.values[name] = self.nested(self.type_of(name), shape)
            return self.values[name]
        array = self.array(name, shape, low, high)
        self.values[name] = [array] if self.formals[name].option == VARIADIC else array
        if self.some(0.15):
            self.constants.add(name)
        return array

    def clean(self, name, infinite=False, large=True):
        """Takes nan out of an input, and infinities: what becomes of them beside zeros and paddings is not specified.

        Without `large` also numbers whose products overflow: what sums of them are depends on their order.
        """
        array = self.values[name]
        if types.is_float(array.dtype):
            wide = array.astype(np.float64)
            is_bad = np.isnan(wide) | (np.isinf(wide) & (not infinite))
            if not large:
                is_bad |= np.abs(wide) > np.sqrt(float(ml_dtypes.finfo(array.dtype).max))
            self.values[name] = np.asarray(np.where(is_bad, 1.0, wide).astype(array.dtype))

    def nested(self, kind, shape):
        """A sequence of arrays, or an optional one."""
        inner = kind[kind.index("(") + 1 : -1]
        if kind.startswith("seq("):
            return [types.make_array(self.numbers, inner, shape) for _ in range(self.random.randint(1, 3))]
        if self.some(0.2):
            return None
        return types.make_array(self.numbers, inner, shape) if types.is_tensor(inner) else self.nested(inner, shape)

    def list(self, name, arrays):
        """Gives a variadic input its arrays."""
        self.values[name] = arrays

    def shaping(self, name, numbers, runtime=0.2):
        """Gives numbers that shapes depend on to the input or attribute of this name; mostly they are constants."""
        if self.has(name):
            self.values[name] = np.array(numbers, self.dtype_of(name))
            if not self.some(runtime):
                self.constants.add(name)
        elif self.takes(name):
            self.attribute(name, numbers)

    def maybe(self, name):
        """Whether the input of this name is there and is to be given."""
        if not self.has(name):
            return False
        return self.formals[name].option != OPTIONAL or self.some(0.6)

    # --- Attributes ---

    def attribute(self, name, value):
        """Sets an attribute that this version has."""
        if self.takes(name):
            self.attributes[name] = value

    def choose(self, name, *values):
        """Sets an attribute to one of these often, always where it has no default."""
        if self.takes(name) and (self.schema.attributes[name].required or self.often()):
            self.attributes[name] = self.odd(values[0]) if self.outside() else self.random.choice(values)

    def odd(self, like):
        """A value that no operator expects."""
        if isinstance(like, str):
            return "no_such_value"
        if isinstance(like, float):
            return self.pick(float("nan"), -1e30, float("inf"))
        if isinstance(like, (list, tuple)):
            return self.pick([], [-1] * len(like), [2**40] * len(like), [1] * (len(like) + 1))
        return self.pick(-1, 2**31, 77, -(2**40))

    def element_type(self, name, number=0):
        """Sets the attribute that names the element type of a result."""
        kind = self.result_type(number)
        if self.takes(name) and types.is_tensor(kind):
            self.attributes[name] = 99 if self.outside() else types.number_of(kind)


def required_attributes(schema):
    return [name for name, attribute in schema.attributes.items() if attribute.required]


def kind_of(attribute):
    return onnx.AttributeProto.AttributeType.Name(int(getattr(attribute.type, "value", attribute.type)))
