"""Twenty programs that mix devices, each of some ten milliseconds or more on the emulator.

A program is its MLIR and its arguments: scalars, or the sizes of tensors of f32.
"""

from collections import namedtuple

Program = namedtuple("Program", "text arguments")

CPU, GPU, OTHER = "cpu:0", "gpu:0", "gpu:1"
# A product of the host, and elements of a kernel, that take some milliseconds.
SIZE, ROWS = 1024, 1280


def device(name):
    return f"{{hetero.device = #hetero.device<{name}>}}"


class Builder:
    """Operations with their devices; values have the types of tensors of f32 by their sizes."""

    def __init__(self):
        self.lines, self.count, self.empties = [], 0, {}

    def name(self):
        self.count += 1
        return f"%v{self.count}"

    def empty(self, type):
        name = self.name()
        self.lines.append(f"{name} = tensor.empty() : {type}")
        return name

    def apply(self, place, operation, type, *values):
        empty, name = self.empty(type), self.name()
        self.lines.append(
            f"{name} = linalg.{operation} {device(place)} ins({', '.join(values)} : {', '.join([type] * len(values))}) "
            f"outs({empty} : {type}) -> {type}"
        )
        return name

    def product(self, place, left, right, size=SIZE):
        type, zeros, name = square(size), self.name(), self.name()
        self.lines.append(f"{zeros} = arith.constant dense<0.0> : {type}")
        self.lines.append(f"{name} = linalg.matmul {device(place)} ins({left}, {right} : {type}, {type}) outs({zeros} : {type}) -> {type}")
        return name

    def sums(self, place, value, size=SIZE):
        zeros, name = self.name(), self.name()
        self.lines.append(f"{zeros} = arith.constant dense<0.0> : tensor<{size}xf32>")
        self.lines.append(
            f"{name} = linalg.reduce {{arith.addf}} ins({value} : {square(size)}) outs({zeros} : tensor<{size}xf32>) "
            f"dimensions = [1] {device(place)}"
        )
        return name

    def loop(self, trips, type, start, body):
        """`body` gets what is carried and returns what is next."""
        outer, self.lines = self.lines, []
        name, carried, index = self.name(), self.name(), self.name()
        low, high, step = (self.name() for _ in range(3))
        result = body(carried)
        inner, self.lines = self.lines, outer
        for constant, value in ((low, 0), (high, trips), (step, 1)):
            self.lines.append(f"{constant} = arith.constant {value} : index")
        self.lines.append(f"{name} = scf.for {index} = {low} to {high} step {step} iter_args({carried} = {start}) -> ({type}) {{")
        self.lines += [*inner, f"scf.yield {result} : {type}", "}"]
        return name

    def function(self, arguments, results):
        names = ", ".join(f"%{chr(97 + i)}: {type}" for i, type in enumerate(arguments))
        types = ", ".join(type for _, type in results)
        body = "\n  ".join([*self.lines, f"return {', '.join(value for value, _ in results)} : {types}"])
        return f"func.func @main({names}) -> ({types}) {{\n  {body}\n}}\n"


def square(size):
    return f"tensor<{size}x{size}xf32>"


M, V = square(SIZE), square(ROWS)
MATRIX, IMAGE = (SIZE, SIZE), (ROWS, ROWS)


def kernel_after():
    b = Builder()
    p = b.product(CPU, "%a", "%a")
    return Program(b.function([M], [(b.apply(GPU, "exp", M, p), M)]), [MATRIX])


def kernel_before():
    b = Builder()
    e = b.apply(GPU, "tanh", M, "%a")
    return Program(b.function([M], [(b.product(CPU, e, e), M)]), [MATRIX])


def side_by_side():
    b = Builder()
    p = b.product(CPU, "%a", "%a")
    e = b.apply(GPU, "exp", V, b.apply(GPU, "tanh", V, "%b"))
    return Program(b.function([M, V], [(p, M), (e, V)]), [MATRIX, IMAGE])


def in_turns():
    b, value = Builder(), "%a"
    for place in (GPU, OTHER, GPU, OTHER):
        value = b.apply(place, "exp" if place == GPU else "tanh", V, value)
    return Program(b.function([V], [(b.apply(CPU, "negf", V, value), V)]), [IMAGE])


def two_gpus():
    b = Builder()
    left, right = b.apply(GPU, "exp", V, "%a"), b.apply(OTHER, "tanh", V, "%b")
    return Program(b.function([V, V], [(b.apply(CPU, "add", V, left, right), V)]), [IMAGE, IMAGE])


def loop_in_turns():
    b = Builder()
    r = b.loop(4, M, "%a", lambda x: b.apply(GPU, "tanh", M, b.product(CPU, x, "%b")))
    return Program(b.function([M, M], [(r, M)]), [MATRIX, MATRIX])


def loop_of_a_gpu():
    b = Builder()
    r = b.loop(6, M, "%a", lambda x: b.apply(GPU, "tanh", M, x))
    return Program(b.function([M, M], [(b.product(CPU, r, "%b"), M)]), [MATRIX, MATRIX])


def branches():
    text = f"""func.func @main(%c: i1, %a: {M}) -> {M} {{
  %e = tensor.empty() : {M}
  %z = arith.constant dense<0.0> : {M}
  %r = scf.if %c -> ({M}) {{
    %t = linalg.tanh {device(GPU)} ins(%a : {M}) outs(%e : {M}) -> {M}
    scf.yield %t : {M}
  }} else {{
    %n = linalg.negf {device(CPU)} ins(%a : {M}) outs(%e : {M}) -> {M}
    scf.yield %n : {M}
  }}
  %p = linalg.matmul {device(CPU)} ins(%r, %a : {M}, {M}) outs(%z : {M}) -> {M}
  return %p : {M}
}}
"""
    return Program(text, [True, MATRIX])


def large_copies():
    b, type = Builder(), square(2048)
    n = b.apply(GPU, "negf", type, "%a")
    return Program(b.function([type], [(b.apply(CPU, "negf", type, n), type)]), [(2048, 2048)])


def rows():
    whole, part = square(2048), "tensor<2048x512xf32>"
    text = f"""func.func @main(%a: {whole}) -> ({part}, {part}) {{
  %e = tensor.empty() : {part}
  %0 = tensor.extract_slice %a[0, 0] [2048, 512] [1, 1] : {whole} to {part}
  %1 = tensor.extract_slice %a[0, 1024] [2048, 512] [1, 1] : {whole} to {part}
  %2 = linalg.exp {device(GPU)} ins(%0 : {part}) outs(%e : {part}) -> {part}
  %3 = linalg.tanh {device(CPU)} ins(%1 : {part}) outs(%e : {part}) -> {part}
  return %2, %3 : {part}, {part}
}}
"""
    return Program(text, [(2048, 2048)])


def both_multiply():
    b, small = Builder(), square(320)
    p, q = b.product(CPU, "%a", "%a"), b.product(GPU, "%b", "%b", 320)
    return Program(b.function([M, small], [(p, M), (q, small)]), [MATRIX, (320, 320)])


def convolution():
    image, filter, result = "tensor<1x64x130x130xf32>", "tensor<96x64x3x3xf32>", "tensor<1x96x128x128xf32>"
    text = f"""func.func @main(%a: {image}, %b: {filter}) -> {result} {{
  %e = tensor.empty() : {result}
  %z = arith.constant dense<0.0> : {result}
  %c = linalg.conv_2d_nchw_fchw {device(CPU)} ins(%a, %b : {image}, {filter}) outs(%z : {result}) -> {result}
  %t = linalg.tanh {device(GPU)} ins(%c : {result}) outs(%e : {result}) -> {result}
  %d = linalg.exp {device(CPU)} ins(%t : {result}) outs(%e : {result}) -> {result}
  return %d : {result}
}}
"""
    return Program(text, [(1, 64, 130, 130), (96, 64, 3, 3)])


def sums_of_a_gpu():
    b, sums = Builder(), f"tensor<{SIZE}xf32>"
    s = b.sums(GPU, b.apply(GPU, "exp", M, "%a"))
    return Program(b.function([M], [(b.apply(CPU, "tanh", sums, s), sums), (b.product(CPU, "%a", "%a"), M)]), [MATRIX])


def dynamic_sizes():
    type = "tensor<?x?xf32>"
    text = f"""func.func @main(%a: {type}) -> ({type}, {type}) {{
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = tensor.dim %a, %c0 : {type}
  %n = tensor.dim %a, %c1 : {type}
  %e = tensor.empty(%m, %n) : {type}
  %zero = arith.constant 0.0 : f32
  %z = linalg.fill ins(%zero : f32) outs(%e : {type}) -> {type}
  %p = linalg.matmul {device(CPU)} ins(%a, %a : {type}, {type}) outs(%z : {type}) -> {type}
  %t = linalg.tanh {device(GPU)} ins(%p : {type}) outs(%e : {type}) -> {type}
  %x = linalg.exp {device(CPU)} ins(%t : {type}) outs(%e : {type}) -> {type}
  return %t, %x : {type}, {type}
}}
"""
    return Program(text, [MATRIX])


def two_units():
    b = Builder()
    left = b.apply('gpu:0, unit = "a"', "exp", V, "%a")
    right = b.apply('gpu:0, unit = "b"', "tanh", V, "%b")
    return Program(b.function([V, V], [(b.apply(CPU, "max", V, left, right), V)]), [IMAGE, IMAGE])


def shared_memory():
    link = "bandwidth = 10000000000, latency = 1000, unified = true"
    topology = (
        "#hetero.topology<devices = [#hetero.device_spec<device = #hetero.device<cpu:0>, compute = 10000000000, bandwidth = 50000000000>, "
        "#hetero.device_spec<device = #hetero.device<gpu:0>, compute = 1000000000000, bandwidth = 50000000000>], links = ["
        f"#hetero.link<from = #hetero.device<cpu:0>, to = #hetero.device<gpu:0>, {link}>, "
        f"#hetero.link<from = #hetero.device<gpu:0>, to = #hetero.device<cpu:0>, {link}>]>"
    )
    b = Builder()
    t = b.apply(GPU, "tanh", M, b.product(CPU, "%a", "%a"))
    text = b.function([M], [(b.apply(CPU, "exp", M, t), M)])
    return Program(f"module attributes {{hetero.topology = {topology}}} {{\n{text}}}\n", [MATRIX])


def weights():
    text = f"""func.func @main(%a: {M}) -> {M} {{
  %e = tensor.empty() : {M}
  %z = arith.constant dense<0.0> : {M}
  %w = arith.constant dense<0.5> : tensor<{SIZE}xf32>
  %b = linalg.broadcast ins(%w : tensor<{SIZE}xf32>) outs(%e : {M}) dimensions = [0] {device(GPU)}
  %t = linalg.tanh {device(GPU)} ins(%a : {M}) outs(%e : {M}) -> {M}
  %s = linalg.mul {device(GPU)} ins(%t, %b : {M}, {M}) outs(%e : {M}) -> {M}
  %p = linalg.matmul {device(CPU)} ins(%s, %a : {M}, {M}) outs(%z : {M}) -> {M}
  return %p : {M}
}}
"""
    return Program(text, [MATRIX])


def calls():
    text = f"""func.func @main(%a: {M}) -> {M} {{
  %0 = call @layer(%a) : ({M}) -> {M}
  %1 = call @layer(%0) : ({M}) -> {M}
  return %1 : {M}
}}
func.func private @layer(%x: {M}) -> {M} {{
  %e = tensor.empty() : {M}
  %z = arith.constant dense<0.0> : {M}
  %p = linalg.matmul {device(CPU)} ins(%x, %x : {M}, {M}) outs(%z : {M}) -> {M}
  %t = linalg.tanh {device(GPU)} ins(%p : {M}) outs(%e : {M}) -> {M}
  return %t : {M}
}}
"""
    return Program(text, [MATRIX])


def state():
    text = f"""ml_program.global private mutable @sum(dense<0.0> : {M}) : {M} {{hetero.device = #hetero.device<gpu:0>}}
func.func @main(%a: {M}) -> {M} {{
  %e = tensor.empty() : {M}
  %z = arith.constant dense<0.0> : {M}
  %old = ml_program.global_load @sum : {M}
  %t = linalg.tanh {device(GPU)} ins(%a : {M}) outs(%e : {M}) -> {M}
  %new = linalg.add {device(GPU)} ins(%old, %t : {M}, {M}) outs(%e : {M}) -> {M}
  ml_program.global_store @sum = %new : {M}
  %p = linalg.matmul {device(CPU)} ins(%new, %a : {M}, {M}) outs(%z : {M}) -> {M}
  return %p : {M}
}}
"""
    return Program(text, [MATRIX])


def another_host():
    b = Builder()
    p = b.product("cpu:1", "%a", "%a")
    t = b.apply(GPU, "tanh", M, p)
    return Program(b.function([M], [(b.apply(CPU, "exp", M, t), M), (b.apply(CPU, "negf", M, p), M)]), [MATRIX])


PROGRAMS = {
    "kernel after a product": kernel_after(),
    "kernel before a product": kernel_before(),
    "kernels beside a product": side_by_side(),
    "two gpus in turns": in_turns(),
    "two gpus at once": two_gpus(),
    "loop over host and gpu": loop_in_turns(),
    "loop of a gpu": loop_of_a_gpu(),
    "branches": branches(),
    "large copies": large_copies(),
    "rows": rows(),
    "products of both": both_multiply(),
    "convolution": convolution(),
    "sums of a gpu": sums_of_a_gpu(),
    "sizes at run time": dynamic_sizes(),
    "two units": two_units(),
    "shared memory": shared_memory(),
    "weights": weights(),
    "calls": calls(),
    "state": state(),
    "another host": another_host(),
}
