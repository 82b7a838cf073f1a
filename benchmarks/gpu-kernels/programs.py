"""The programs whose kernels the report shows: MLIR text by kind, element type and
sizes, with the operations and the bytes that each needs at least."""

import math

BITS = {"i8": 8, "f16": 16, "bf16": 16, "f32": 32, "tf32": 32, "i32": 32, "f64": 64}


def tensor(type, *shape):
    """Of f32 where that may be rounded to tf32."""
    return f"tensor<{''.join(f'{size}x' for size in shape)}{type.removeprefix('t')}>"


def permit(type):
    """The attribute that lets an operation round."""
    return " {hetero.allow_tf32 = true}" if type == "tf32" else ""


def count_bytes(type, *shapes):
    return sum(math.prod(shape) for shape in shapes) * BITS[type] // 8


class Program:
    """Text, arithmetic operations, and bytes to read and write."""

    def __init__(self, arguments, result, body, flops, traffic):
        signature = ", ".join(f"%{name}: {type}" for name, type in arguments)
        self.text = f"func.func @main({signature}) -> {result} {{\n{body}\n  return %result : {result}\n}}\n"
        self.flops = flops
        self.traffic = traffic


def filled(name, value, scalar, type):
    return f"""  %{name}_value = arith.constant {value} : {scalar}
  %{name}_empty = tensor.empty() : {type}
  %{name} = linalg.fill ins(%{name}_value : {scalar}) outs(%{name}_empty : {type}) -> {type}"""


def generic(result, type, inputs, init, steps, iterators, maps):
    """`inputs` are names and types; the steps compute %y of %a, %b, ... and %o."""
    scalars = [text[:-1].split("x")[-1].removeprefix("tensor<") for _, text in inputs + [(init, type)]]
    names, types = ", ".join(f"%{name}" for name, _ in inputs), ", ".join(text for _, text in inputs)
    block = ", ".join(f"%{letter}: {scalar}" for letter, scalar in zip([*"abcdefgh"[: len(inputs)], "o"], scalars))
    texts = ", ".join(f"affine_map<{text}>" for text in maps)
    kinds = ", ".join(f'"{name}"' for name in iterators)
    lines = "\n".join(f"    {line}" for line in steps)
    return f"""  %{result} = linalg.generic {{indexing_maps = [{texts}], iterator_types = [{kinds}]}}
      ins({names} : {types}) outs(%{init} : {type}) {{
  ^bb0({block}):
{lines}
    linalg.yield %y : {scalars[-1]}
  }} -> {type}"""


ROWS = "(i, j) -> (i, j)"


def add(type, rows, columns):
    shape = tensor(type, rows, columns)
    verb = "addi" if type.startswith("i") else "addf"
    return Program(
        [("x0", shape), ("x1", shape)],
        shape,
        f"  %result = arith.{verb} %x0, %x1 : {shape}",
        rows * columns,
        count_bytes(type, *[(rows, columns)] * 3),
    )


def bias_relu(type, rows, columns):
    shape, row = tensor(type, rows, columns), tensor(type, columns)
    steps = [f"%least = arith.constant 0.0 : {type}", f"%s = arith.addf %a, %b : {type}", f"%y = arith.maximumf %s, %least : {type}"]
    body = f"  %empty = tensor.empty() : {shape}\n"
    body += generic("result", shape, [("x0", shape), ("x1", row)], "empty", steps, ["parallel"] * 2, [ROWS, "(i, j) -> (j)", ROWS])
    traffic = count_bytes(type, (rows, columns), (columns,), (rows, columns))
    return Program([("x0", shape), ("x1", row)], shape, body, 2 * rows * columns, traffic)


def gelu(type, rows, columns):
    shape = tensor(type, rows, columns)
    steps = f"""%half = arith.constant 0.5 : {type}
%one = arith.constant 1.0 : {type}
%root = arith.constant 0.70710678 : {type}
%scaled = arith.mulf %a, %root : {type}
%erf = math.erf %scaled : {type}
%plus_one = arith.addf %erf, %one : {type}
%halved = arith.mulf %a, %half : {type}
%y = arith.mulf %halved, %plus_one : {type}""".splitlines()
    body = f"  %empty = tensor.empty() : {shape}\n"
    body += generic("result", shape, [("x0", shape)], "empty", steps, ["parallel"] * 2, [ROWS, ROWS])
    return Program([("x0", shape)], shape, body, 5 * rows * columns, count_bytes(type, *[(rows, columns)] * 2))


def transpose(type, rows, columns):
    shape, turned = tensor(type, rows, columns), tensor(type, columns, rows)
    body = f"""  %empty = tensor.empty() : {turned}
  %result = linalg.transpose ins(%x0 : {shape}) outs(%empty : {turned}) permutation = [1, 0]"""
    return Program([("x0", shape)], turned, body, 0, count_bytes(type, *[(rows, columns)] * 2))


def product(op, type, a, b, c, flops):
    """A matrix product whose result is f32 where the inputs are floats."""
    result = {"i8": "i32", "f64": "f64"}.get(type, "f32")
    left, right, out = tensor(type, *a), tensor(type, *b), tensor(result, *c)
    body = filled("zero", "0" if result == "i32" else "0.0", result, out)
    body += f"\n  %result = linalg.{op}{permit(type)} ins(%x0, %x1 : {left}, {right}) outs(%zero : {out}) -> {out}"
    traffic = count_bytes(type, a, b) + count_bytes(result, c)
    return Program([("x0", left), ("x1", right)], out, body, flops, traffic)


def matmul(type, m, n, k):
    return product("matmul", type, (m, k), (k, n), (m, n), 2 * m * n * k)


def batch_matmul(type, batch, m, n, k):
    return product("batch_matmul", type, (batch, m, k), (batch, k, n), (batch, m, n), 2 * batch * m * n * k)


def matmul_bias_relu(type, m, n, k):
    """The product, a bias and an activation, all of one type."""
    a, b, c, row = tensor(type, m, k), tensor(type, k, n), tensor(type, m, n), tensor(type, n)
    steps = [f"%least = arith.constant 0.0 : {type}", f"%s = arith.addf %a, %b : {type}", f"%y = arith.maximumf %s, %least : {type}"]
    body = filled("zero", "0.0", type, c)
    body += f"\n  %product = linalg.matmul ins(%x0, %x1 : {a}, {b}) outs(%zero : {c}) -> {c}\n"
    body += generic("result", c, [("product", c), ("x2", row)], "zero_empty", steps, ["parallel"] * 2, [ROWS, "(i, j) -> (j)", ROWS])
    traffic = count_bytes(type, (m, k), (k, n), (m, n), (n,))
    return Program([("x0", a), ("x1", b), ("x2", row)], c, body, 2 * m * n * k + 2 * m * n, traffic)


def convolution(type, n, h, w, c, f, window):
    """Without padding; the channels are the fastest dimension."""
    shapes = (n, h + window - 1, w + window - 1, c), (window, window, c, f), (n, h, w, f)
    return convolve("conv_2d_nhwc_hwcf", type, shapes, c * window**2)


def planar_convolution(type, n, h, w, c, f, window):
    """The same on an image per channel."""
    shapes = (n, c, h + window - 1, w + window - 1), (f, c, window, window), (n, f, h, w)
    return convolve("conv_2d_nchw_fchw", type, shapes, c * window**2)


def convolve(op, type, shapes, terms):
    source, window, out = shapes
    result = tensor("f32", *out)
    body = filled("zero", "0.0", "f32", result)
    types = f"{tensor(type, *source)}, {tensor(type, *window)}"
    body += f"\n  %result = linalg.{op}{permit(type)} ins(%x0, %x1 : {types}) outs(%zero : {result}) -> {result}"
    traffic = count_bytes(type, source, window) + count_bytes("f32", out)
    arguments = [("x0", tensor(type, *source)), ("x1", tensor(type, *window))]
    return Program(arguments, result, body, 2 * math.prod(out) * terms, traffic)


def softmax(type, rows, columns):
    shape = tensor(type, rows, columns)
    body = f"""  %empty = tensor.empty() : {shape}
  %result = linalg.softmax dimension(1) ins(%x0 : {shape}) outs(%empty : {shape}) -> {shape}"""
    return Program([("x0", shape)], shape, body, 5 * rows * columns, count_bytes(type, *[(rows, columns)] * 2))


def row_sum(name, type, rows, columns, inputs, maps, steps):
    out = tensor(type, rows)
    lines = filled(f"{name}_zero", "0.0", type, out) + "\n"
    return lines + generic(name, out, inputs, f"{name}_zero", steps, ["parallel", "reduction"], [*maps, "(i, j) -> (i)"])


def row_sums(type, rows, columns):
    shape, out = tensor(type, rows, columns), tensor(type, rows)
    body = row_sum("result", type, rows, columns, [("x0", shape)], [ROWS], [f"%y = arith.addf %a, %o : {type}"])
    return Program([("x0", shape)], out, body, rows * columns, count_bytes(type, (rows, columns), (rows,)))


def layer_norm(type, rows, columns):
    shape, row, vector = tensor(type, rows, columns), tensor(type, rows), tensor(type, columns)
    count = f"%count = arith.constant {float(columns)} : {type}"
    mean = [count, f"%mean = arith.divf %b, %count : {type}", f"%centered = arith.subf %a, %mean : {type}"]
    squares = [*mean, f"%square = arith.mulf %centered, %centered : {type}", f"%y = arith.addf %square, %o : {type}"]
    steps = mean + f"""%epsilon = arith.constant 1.0e-5 : {type}
%variance = arith.divf %c, %count : {type}
%positive = arith.addf %variance, %epsilon : {type}
%factor = math.rsqrt %positive : {type}
%normal = arith.mulf %centered, %factor : {type}
%scaled = arith.mulf %normal, %d : {type}
%y = arith.addf %scaled, %e : {type}""".splitlines()
    firsts, lasts = "(i, j) -> (i)", "(i, j) -> (j)"
    body = [row_sum("total", type, rows, columns, [("x0", shape)], [ROWS], [f"%y = arith.addf %a, %o : {type}"])]
    body.append(row_sum("squares", type, rows, columns, [("x0", shape), ("total", row)], [ROWS, firsts], squares))
    inputs = [("x0", shape), ("total", row), ("squares", row), ("x1", vector), ("x2", vector)]
    body.append(f"  %empty = tensor.empty() : {shape}")
    body.append(generic("result", shape, inputs, "empty", steps, ["parallel"] * 2, [ROWS, firsts, firsts, lasts, lasts, ROWS]))
    arguments = [("x0", shape), ("x1", vector), ("x2", vector)]
    traffic = count_bytes(type, (rows, columns), (columns,), (columns,), (rows, columns))
    return Program(arguments, shape, "\n".join(body), 8 * rows * columns, traffic)


def attention(type, heads, length, width):
    """Scores in f32, their softmax, and a product with the values."""
    narrow, wide = tensor(type, heads, length, width), tensor(type, heads, width, length)
    square, out, weights = (tensor(t, heads, length, n) for t, n in (("f32", length), ("f32", width), (type, length)))
    body = [filled("zero0", "0.0", "f32", square)]
    body.append(f"  %scores = linalg.batch_matmul ins(%x0, %x1 : {narrow}, {wide}) outs(%zero0 : {square}) -> {square}")
    body.append(f"  %soft = linalg.softmax dimension(2) ins(%scores : {square}) outs(%zero0_empty : {square}) -> {square}")
    body.append(f"  %weights = arith.truncf %soft : {square} to {weights}" if type != "f32" else "")
    body.append(filled("zero1", "0.0", "f32", out))
    last = "weights" if type != "f32" else "soft"
    body.append(f"  %result = linalg.batch_matmul ins(%{last}, %x2 : {weights}, {narrow}) outs(%zero1 : {out}) -> {out}")
    size = heads * length * width
    traffic = 3 * size * BITS[type] // 8 + 4 * size
    return Program([("x0", narrow), ("x1", wide), ("x2", narrow)], out, "\n".join(body), 4 * size * length, traffic)


CASES = (
    [(add, type, 4096, 4096) for type in ("f32", "f16", "bf16", "i8", "f64")]
    + [(bias_relu, "f32", 4096, 4096), (bias_relu, "f16", 4096, 4096), (bias_relu, "f32", 1021, 1023)]
    + [(gelu, "f32", 4096, 4096), (transpose, "f32", 4096, 4096)]
    + [(matmul, type, 4096, 4096, 4096) for type in ("f16", "bf16", "f32", "tf32", "i8", "f64")]
    + [(matmul, type, 128, 768, 3072) for type in ("f32", "tf32", "i8")]
    + [(matmul, "f32", 1000, 1001, 1003), (matmul, "tf32", 1000, 1001, 1003)]
    + [(matmul, "f16", 128, 768, 3072), (matmul, "f16", 1000, 1001, 1003), (matmul, "f16", 32, 4096, 4096)]
    + [(matmul_bias_relu, "f16", 4096, 4096, 1024), (batch_matmul, "bf16", 12, 512, 512, 64)]
    + [(convolution, "f16", 8, 56, 56, 64, 64, 3), (convolution, "f32", 8, 56, 56, 64, 64, 3)]
    + [(convolution, "tf32", 8, 56, 56, 64, 64, 3), (planar_convolution, "f32", 8, 56, 56, 64, 64, 3)]
    + [(convolution, "f16", 1, 7, 7, 512, 512, 3)]
    + [(softmax, "f32", 4096, 1024), (softmax, "f16", 1536, 128), (layer_norm, "f32", 4096, 768), (row_sums, "f32", 4096, 1024)]
    + [(attention, "f16", 12, 512, 64)]
)


def describe(make, type, *sizes):
    return f"{make.__name__.replace('_', ' ')} {type} {'x'.join(map(str, sizes))}"
