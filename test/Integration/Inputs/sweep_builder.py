"""Builds the functions of the sweep of shapes: MLIR text with sizes that are known
or read from the arguments, and the arguments themselves."""

import math

AWKWARD = [1, 2, 3, 4, 5, 7, 8, 11, 13, 15, 16, 17, 23, 31, 32, 33, 37, 47, 49, 61, 64, 65, 67, 97, 100, 127, 129, 251, 257]
EPSILON = {"f32": 2.0**-23, "f64": 2.0**-52, "i32": 0.0}


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

    def __init__(self, random, dynamic):
        self.random, self.dynamic = random, dynamic
        self.arguments, self.values, self.lines = [], [], []
        self.count = 0
        self.element = random.choices(["f32", "f64", "i32"], [6, 2, 2])[0]
        self.suffix = "i" if self.element == "i32" else "f"

    def floats(self):
        """For operations that integers do not have."""
        if self.element == "i32":
            self.element, self.suffix = "f32", "f"

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
        text = {math.inf: "0x7F800000", -math.inf: "0xFF800000"}.get(number, str(number)) if element == "f32" else str(number)
        if element == "f64":
            text = {math.inf: "0x7FF0000000000000", -math.inf: "0xFFF0000000000000"}.get(number, str(number))
        return self.emit(f"arith.constant {text} : {element}", "c")

    def number(self, n):
        return int(n) if self.element == "i32" else float(n)

    def argument(self, *sizes, element=None, values=None):
        element = element or self.element
        tensor = Tensor(f"%x{len(self.arguments)}", element, list(sizes))
        count = math.prod(tensor.shape)
        if values is None:
            draw = self.random.randrange
            values = [draw(-99, 100) if element == "i32" else draw(-(2**15), 2**15) / 2**15 for _ in range(count)]
        self.arguments.append(tensor)
        self.values.append(values)
        for i, size in enumerate(tensor.sizes):
            if size.dynamic and size.value is None:
                size.value = self.emit(f"tensor.dim {tensor.name}, {self.index(i)} : {tensor.type}", "d")
        return tensor

    def empty(self, *sizes, element=None):
        tensor = Tensor(None, element or self.element, list(sizes))
        values = ", ".join(size.value for size in sizes if size.dynamic)
        tensor.name = self.emit(f"tensor.empty({values}) : {tensor.type}", "e")
        return tensor

    def filled(self, number, *sizes):
        tensor = self.empty(*sizes)
        value = self.constant(number)
        return self.named(f"linalg.fill ins({value} : {self.element})", [], tensor)

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

    def bound(self, terms, start=0):
        """A sum, and how far one of this element type may be from it."""
        terms = [start, *terms]
        if self.element == "i32":
            return (sum(terms) + 2**31) % 2**32 - 2**31, 0
        scale = EPSILON[self.element] * (4 + 2 * math.sqrt(len(terms)))
        return math.fsum(terms), scale * math.fsum(map(abs, terms)) + 1e-300

    def close(self, value, scale=1.0):
        """A value that functions were computed for."""
        return value, (4e-6 if self.element == "f32" else 1e-13) * (scale + abs(value))
