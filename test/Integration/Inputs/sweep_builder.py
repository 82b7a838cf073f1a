"""Builds the functions of the sweep of shapes: MLIR text with sizes that are known
or read from the arguments, and the arguments themselves."""

import math

AWKWARD = [1, 2, 3, 4, 5, 7, 8, 11, 13, 15, 16, 17, 23, 31, 32, 33, 37, 47, 49, 61, 64, 65, 67, 97, 100, 127, 129, 251, 257]
ELEMENTS = ["i8", "i16", "i32", "i64", "f16", "bf16", "f32", "f64"]
EPSILON = {"f16": 2.0**-10, "bf16": 2.0**-7, "f32": 2.0**-23, "f64": 2.0**-52}
# Bits of an infinity by type, and those of the other one's sign.
INFINITY = {"f16": (0x7C00, 0x8000), "bf16": (0x7F80, 0x8000), "f32": (0x7F800000, 2**31), "f64": (0x7FF << 52, 2**63)}
# Random integers are less than these, in multiples of 1 / the second.
RANGES = {"i8": (100, 1), "i16": (10**4, 1), "i32": (100, 1), "i64": (10**9, 1), "f16": (2**10, 2**10), "bf16": (2**7, 2**7)}
# What sums of a narrow type are in.
WIDE = {"i8": "i32", "i16": "i32", "f16": "f32", "bf16": "f32"}


def wrap(number, element):
    """The integer of the type with the same last bits."""
    half = 2 ** (int(element[1:]) - 1)
    return (number + half) % (2 * half) - half


class Size:
    """A size: its number, and its SSA value where the type does not say it."""

    def __init__(self, number, value=None):
        self.number, self.value = number, value
        self.dynamic = value is not None


class Tensor:
    def __init__(self, name, element, sizes):
        self.name, self.element, self.sizes = name, element, sizes

    @property
    def type(self):
        return f"tensor<{''.join(('?' if size.dynamic else str(size.number)) + 'x' for size in self.sizes)}{self.element}>"

    @property
    def shape(self):
        return [size.number for size in self.sizes]


class Builder:
    """One function; what a family of operations adds to."""

    def __init__(self, random, dynamic, element=""):
        self.random, self.dynamic = random, dynamic
        self.arguments, self.values, self.lines = [], [], []
        self.count = 0
        drawn = random.choices(["f32", "f64", "i32"], [6, 2, 2])[0]
        self.element = element or drawn
        # Sums of products; a float may be summed up in its own type.
        own = element in ("f16", "bf16") and random.random() < 0.2
        self.sum = self.element if own else WIDE.get(self.element, self.element)

    @property
    def suffix(self):
        return "i" if self.is_integer else "f"

    @property
    def is_integer(self):
        return self.element.startswith("i")

    @property
    def is_narrow(self):
        return self.element in WIDE

    def floats(self):
        """For operations that integers do not have."""
        if self.is_integer:
            self.element = self.sum = "f32"

    def wide_floats(self):
        """For those that add up so much that a narrow type has no digit left."""
        if self.is_integer or self.is_narrow:
            self.element = self.sum = "f32"

    def widen(self, name):
        """Lines of a body that make `name` one of sums, and its new name."""
        if self.element == self.sum:
            return [], name
        extend = "extsi" if self.is_integer else "extf"
        return [f"{name}_wide = arith.{extend} {name} : {self.element} to {self.sum}"], name + "_wide"

    # Sizes

    def size(self, limit, least=0):
        """One that is awkward, at most `limit`; now and then nothing."""
        if least == 0 and self.random.random() < 0.03:
            number = 0
        else:
            number = self.random.choice([n for n in AWKWARD if max(1, least) <= n <= limit] or [limit])
        size = Size(number)
        # Its value comes from the first argument that has it.
        size.dynamic = self.dynamic and self.random.random() < 0.7
        return size

    def index(self, text):
        return self.emit(f"arith.constant {text} : index")

    def value_of(self, size):
        return size.value if size.dynamic else self.index(size.number)

    def compute(self, number, op, *sizes):
        """The size `number`, which is `op` of the others."""
        if not any(size.dynamic for size in sizes):
            return Size(number)
        values = [self.value_of(size) for size in sizes]
        return Size(number, self.emit(f"arith.{op} {', '.join(values)} : index"))

    def add(self, a, b):
        return self.compute(a.number + b.number, "addi", a, b)

    def multiply(self, a, b):
        return self.compute(a.number * b.number, "muli", a, b)

    def output(self, size, window, stride, dilation):
        """Of a window of `window` elements that moves over `size`."""
        last = self.compute(size.number - (window - 1) * dilation - 1, "subi", size, Size((window - 1) * dilation + 1))
        steps = self.compute(last.number // stride, "floordivsi", last, Size(stride))
        return self.compute(steps.number + 1, "addi", steps, Size(1))

    # Values

    def emit(self, text, name="v"):
        value = f"%{name}{self.count}"
        self.count += 1
        self.lines.append(f"  {value} = {text}")
        return value

    def constant(self, number, element=None):
        element = element or self.element
        text = str(number)
        if abs(number) == math.inf:
            bits, sign = INFINITY[element]
            text = hex(bits + (sign if number < 0 else 0))
        return self.emit(f"arith.constant {text} : {element}", "c")

    def number(self, n):
        return int(n) if self.is_integer else float(n)

    def draw(self, element, shape):
        limit, unit = RANGES.get(element, (2**15, 2**15))
        values = [self.random.randrange(1 - limit if unit == 1 else -limit, limit) for _ in range(math.prod(shape))]
        return values if unit == 1 else [value / unit for value in values]

    def dense(self, *sizes):
        """A constant of sizes that are known, and its numbers."""
        tensor = Tensor(None, self.element, list(sizes))
        values = self.draw(self.element, tensor.shape)
        parts = [str(value) for value in values]
        for size in reversed(tensor.shape):
            parts = [f"[{', '.join(parts[i : i + size])}]" for i in range(0, len(parts), size)]
        tensor.name = self.emit(f"arith.constant dense<{parts[0]}> : {tensor.type}", "w")
        return tensor, values

    def argument(self, *sizes, element=None, values=None):
        element = element or self.element
        tensor = Tensor(f"%x{len(self.arguments)}", element, list(sizes))
        self.arguments.append(tensor)
        self.values.append(values or self.draw(element, tensor.shape))
        for i, size in enumerate(tensor.sizes):
            if size.dynamic and size.value is None:
                size.value = self.emit(f"tensor.dim {tensor.name}, {self.index(i)} : {tensor.type}", "d")
        return tensor

    def empty(self, *sizes, element=None):
        tensor = Tensor(None, element or self.element, list(sizes))
        values = ", ".join(size.value for size in sizes if size.dynamic)
        tensor.name = self.emit(f"tensor.empty({values}) : {tensor.type}", "e")
        return tensor

    def filled(self, number, *sizes, element=None):
        tensor = self.empty(*sizes, element=element)
        value = self.constant(number, element)
        return self.named(f"linalg.fill ins({value} : {tensor.element})", [], tensor)

    def named(self, text, inputs, init):
        """A structured operation on whole tensors; text is all before ins."""
        names, types = ", ".join(t.name for t in inputs), ", ".join(t.type for t in inputs)
        ins = f" ins({names} : {types})" if inputs else ""
        result = Tensor(None, init.element, init.sizes)
        result.name = self.emit(f"{text}{ins} outs({init.name} : {init.type}) -> {init.type}", "t")
        return result

    def generic(self, loops, inputs, init, body, reductions=""):
        """`loops` are the maps' results by operand, letters of loops; those in
        `reductions` reduce. The body computes %y of %a, %b, ... and %o."""
        letters = sorted(set("".join(loops)))
        maps = ", ".join(f"affine_map<({', '.join(letters)}) -> ({', '.join(text)})>" for text in loops)
        iterators = ", ".join('"reduction"' if letter in reductions else '"parallel"' for letter in letters)
        arguments = [f"%{name}: {t.element}" for name, t in zip("abcdefgh", inputs)] + [f"%o: {init.element}"]
        names, types = ", ".join(t.name for t in inputs), ", ".join(t.type for t in inputs)
        ins = f"ins({names} : {types}) " if inputs else ""
        lines = "\n".join("    " + line for line in body)
        text = f"linalg.generic {{indexing_maps = [{maps}], iterator_types = [{iterators}]}}\n    {ins}outs({init.name} : {init.type}) {{\n"
        text += f"  ^bb0({', '.join(arguments)}):\n{lines}\n    linalg.yield %y : {init.element}\n  }} -> {init.type}"
        return Tensor(self.emit(text, "g"), init.element, init.sizes)

    def padded(self, source, low, high, number):
        sizes = [self.add(size, Size(a + b)) if a + b else size for size, a, b in zip(source.sizes, low, high)]
        result = Tensor(None, source.element, sizes)
        value = self.constant(number)
        indices = ", ".join(f"%i{i}: index" for i in range(len(sizes)))
        text = f"tensor.pad {source.name} low{low} high{high} {{\n  ^bb0({indices}):\n    tensor.yield {value} : {source.element}\n"
        result.name = self.emit(f"{text}  }} : {source.type} to {result.type}", "p")
        return result

    def function(self, name, result):
        arguments = ", ".join(f"{t.name}: {t.type}" for t in self.arguments)
        lines = "\n".join(self.lines)
        return f"func.func @{name}({arguments}) -> {result.type} {{\n{lines}\n  return {result.name} : {result.type}\n}}\n"

    # References

    def bound(self, terms, start=0, element=None):
        """A sum, and how far one of this element type may be from it."""
        terms, element = [start, *terms], element or self.element
        if self.is_integer:
            return wrap(sum(terms), element), 0
        scale = EPSILON[element] * (4 + 2 * math.sqrt(len(terms)))
        return math.fsum(terms), scale * math.fsum(map(abs, terms)) + 1e-300

    def close(self, value, scale=1.0):
        """A value that functions were computed for."""
        if self.is_narrow:  # each step is rounded, relative to what it is
            return value, 6 * EPSILON[self.element] * abs(value) + 2.0**-23
        return value, (4e-6 if self.element == "f32" else 1e-13) * (scale + abs(value))
