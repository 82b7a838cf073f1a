"""The programs that the benchmark of kernels compiles: MLIR text by kind and sizes."""

import array
import functools
import typing


def tensor(*shape):
    return f"tensor<{''.join(f'{size}x' for size in shape)}f32>"


def function(arguments, result, body):
    signature = ", ".join(f"%{name}: {type}" for name, type in arguments)
    return f"func.func @kernel({signature}) -> {result} {{\n{body}\n  return %result : {result}\n}}\n"


def filled(name, type, value="0.0"):
    return f"""  %{name}_value = arith.constant {value} : f32
  %{name}_empty = tensor.empty() : {type}
  %{name} = linalg.fill ins(%{name}_value : f32) outs(%{name}_empty : {type}) -> {type}"""


def named(op, result, inputs, init, type, attributes=""):
    """A named linalg operation; `inputs` are pairs of name and type."""
    names, types = ", ".join(f"%{name}" for name, _ in inputs), ", ".join(type for _, type in inputs)
    return f"  %{result} = linalg.{op} {attributes} ins({names} : {types}) outs(%{init} : {type}) -> {type}"


def generic(result, type, inputs, init, body, iterators, maps):
    """`inputs` are names and types, `maps` one affine map's text per operand;
    the body computes %y of %a, %b, ... and the init %o."""
    names, types = ", ".join(f"%{name}" for name, _ in inputs), ", ".join(type for _, type in inputs)
    arguments = ", ".join(f"%{letter}: f32" for letter in "abcdefgh"[: len(inputs)])
    lines = "\n".join(f"    {line}" for line in body)
    return f"""  %{result} = linalg.generic {{
      indexing_maps = [{', '.join(f'affine_map<{text}>' for text in maps)}],
      iterator_types = [{', '.join(f'"{name}"' for name in iterators)}]}}
      ins({names} : {types}) outs(%{init} : {type}) {{
  ^bb0({arguments}, %o: f32):
{lines}
    linalg.yield %y : f32
  }} -> {type}"""


ROWS = "(i, j) -> (i, j)"
GELU_ERF = """%half = arith.constant 0.5 : f32
%one = arith.constant 1.0 : f32
%root = arith.constant 0.70710678 : f32
%scaled = arith.mulf %x, %root : f32
%erf = math.erf %scaled : f32
%plus_one = arith.addf %erf, %one : f32
%halved = arith.mulf %x, %half : f32
%g = arith.mulf %halved, %plus_one : f32""".splitlines()
GELU_TANH = """%half = arith.constant 0.5 : f32
%one = arith.constant 1.0 : f32
%cubic = arith.constant 0.044715 : f32
%root = arith.constant 0.7978845608 : f32
%square = arith.mulf %x, %x : f32
%cube = arith.mulf %square, %x : f32
%small = arith.mulf %cube, %cubic : f32
%inner = arith.addf %x, %small : f32
%scaled = arith.mulf %inner, %root : f32
%tanh = math.tanh %scaled : f32
%plus_one = arith.addf %tanh, %one : f32
%halved = arith.mulf %x, %half : f32
%g = arith.mulf %halved, %plus_one : f32""".splitlines()


def matmul(m, n, k):
    a, b, c = tensor(m, k), tensor(k, n), tensor(m, n)
    body = filled("zero", c) + "\n" + named("matmul", "result", [("x0", a), ("x1", b)], "zero", c)
    return function([("x0", a), ("x1", b)], c, body)


def matmul_weights(m, n, k):
    """The second matrix is a constant."""
    a, b, c = tensor(m, k), tensor(k, n), tensor(m, n)
    body = "\n".join([constant("weights", b, 1), filled("zero", c), named("matmul", "result", [("x0", a), ("weights", b)], "zero", c)])
    return function([("x0", a)], c, body)


def batch_matmul(batch, m, n, k):
    a, b, c = tensor(batch, m, k), tensor(batch, k, n), tensor(batch, m, n)
    body = filled("zero", c) + "\n" + named("batch_matmul", "result", [("x0", a), ("x1", b)], "zero", c)
    return function([("x0", a), ("x1", b)], c, body)


def ordered_matmul(a, b, c, orders):
    """A product whose operands are in the given orders of their dimensions."""
    loops = "b, m, n, k" if len(orders[2]) == 3 else "m, n, k"
    maps = ", ".join(f"affine_map<({loops}) -> ({', '.join(order)})>" for order in orders)
    name = "batch_matmul" if len(orders[2]) == 3 else "matmul"
    body = filled("zero", c) + "\n" + named(name, "result", [("x0", a), ("x1", b)], "zero", c, f"indexing_maps = [{maps}]")
    return function([("x0", a), ("x1", b)], c, body)


def matmul_transpose_a(m, n, k):
    return ordered_matmul(tensor(k, m), tensor(k, n), tensor(m, n), ["km", "kn", "mn"])


def matmul_transpose_b(m, n, k):
    return ordered_matmul(tensor(m, k), tensor(n, k), tensor(m, n), ["mk", "nk", "mn"])


def batch_matmul_transpose_b(batch, m, n, k):
    return ordered_matmul(tensor(batch, m, k), tensor(batch, n, k), tensor(batch, m, n), ["bmk", "bnk", "bmn"])


def multiplied_gelu(m, n, k, weights):
    """Lines of a product with `weights`, bias and GELU, and the result's type."""
    a, b, c, bias = tensor(m, k), tensor(k, n), tensor(m, n), tensor(n)
    body = [filled("zero", c), named("matmul", "product", [("x0", a), (weights, b)], "zero", c)]
    steps = ["%x = arith.addf %a, %b : f32", *GELU_ERF, "%y = arith.addf %g, %none : f32"]
    steps.insert(0, "%none = arith.constant 0.0 : f32")
    maps = [ROWS, "(i, j) -> (j)", ROWS]
    body.append(generic("result", c, [("product", c), ("x2", bias)], "zero_empty", steps, ["parallel"] * 2, maps))
    return "\n".join(body), c


def matmul_gelu(m, n, k):
    body, out = multiplied_gelu(m, n, k, "x1")
    return function([("x0", tensor(m, k)), ("x1", tensor(k, n)), ("x2", tensor(n))], out, body)


def matmul_weights_gelu(m, n, k):
    """The second matrix is a constant."""
    body, out = multiplied_gelu(m, n, k, "weights")
    body = constant("weights", tensor(k, n), 1) + "\n" + body
    return function([("x0", tensor(m, k)), ("x2", tensor(n))], out, body)


def image(n, c, h, w, channels_last):
    return tensor(n, h, w, c) if channels_last else tensor(n, c, h, w)


def padded(shape, padding, channels_last, value="0.0", name="x0", number=""):
    """Lines that make %padded<number> of %<name>, and its name and type."""
    n, c, h, w = shape
    source = image(n, c, h, w, channels_last)
    if not padding:
        return "", (name, source)
    type = image(n, c, h + 2 * padding, w + 2 * padding, channels_last)
    border = f"[0, {padding}, {padding}, 0]" if channels_last else f"[0, 0, {padding}, {padding}]"
    line = f"""  %border{number} = arith.constant {value} : f32
  %padded{number} = tensor.pad %{name} low{border} high{border} {{
  ^bb0(%i: index, %j: index, %k: index, %l: index):
    tensor.yield %border{number} : f32
  }} : {source} to {type}
"""
    return line, (f"padded{number}", type)


def random_values(count, seed):
    """The random numbers that addInput in measure.cpp makes."""
    values = array.array("f")
    for i in range(1, count + 1):
        word = (i * 2654435761 + seed * 97) & 0xFFFFFFFF
        word = ((word ^ word >> 15) * 2246822519) & 0xFFFFFFFF
        values.append(((word ^ word >> 13) >> 16) / 32768 - 1)
    return values


def constant(name, type, seed):
    count = 1
    for size in type[len("tensor<") : -len("xf32>")].split("x"):
        count *= int(size)
    return f'  %{name} = arith.constant dense<"0x{random_values(count, seed).tobytes().hex()}"> : {type}'


def output_size(size, window, stride, padding):
    return (size + 2 * padding - window) // stride + 1


def convolved(n, c, h, w, f, window, stride, padding, depthwise=False, channels_last=False):
    """Lines that make %product, and its type."""
    lines, source = padded((n, c, h, w), padding, channels_last)
    out = image(n, f, output_size(h, window, stride, padding), output_size(w, window, stride, padding), channels_last)
    if channels_last:
        weights = tensor(window, window, c) if depthwise else tensor(window, window, c, f)
        op = "depthwise_conv_2d_nhwc_hwc" if depthwise else "conv_2d_nhwc_hwcf"
    else:
        weights = tensor(c, window, window) if depthwise else tensor(f, c, window, window)
        op = "depthwise_conv_2d_nchw_chw" if depthwise else "conv_2d_nchw_fchw"
    attributes = f"{{strides = dense<{stride}> : tensor<2xi64>, dilations = dense<1> : tensor<2xi64>}}"
    lines += constant("weights", weights, 1) + "\n" + filled("zero", out) + "\n"
    return lines + named(op, "result", [source, ("weights", weights)], "zero", out, attributes), out


def convolution(n, c, h, w, *window, channels_last=False):
    body, out = convolved(n, c, h, w, *window, channels_last=channels_last)
    return function([("x0", image(n, c, h, w, channels_last))], out, body)


def depthwise(n, c, h, w, *window, channels_last=False):
    body, out = convolved(n, c, h, w, *window, depthwise=True, channels_last=channels_last)
    return function([("x0", image(n, c, h, w, channels_last))], out, body)


def convolution_add_relu(n, c, h, w, f, *window, channels_last=False):
    body, out = convolved(n, c, h, w, f, *window, channels_last=channels_last)
    steps = """%zero_scalar = arith.constant 0.0 : f32
%biased = arith.addf %a, %b : f32
%sum = arith.addf %biased, %c : f32
%y = arith.maximumf %sum, %zero_scalar : f32""".splitlines()
    identity = "(i, j, k, l) -> (i, j, k, l)"
    inputs = [("product", out), ("x2", tensor(f)), ("x3", out)]
    maps = [identity, f"(i, j, k, l) -> ({'l' if channels_last else 'j'})", identity, identity]
    body = body.replace("%result =", "%product =") + "\n"
    body += generic("result", out, inputs, "zero_empty", steps, ["parallel"] * 4, maps)
    return function([("x0", image(n, c, h, w, channels_last)), ("x2", tensor(f)), ("x3", out)], out, body)


def max_pool(n, c, h, w, window, stride, padding, channels_last=False):
    lines, source = padded((n, c, h, w), padding, channels_last, "0xFF800000")
    out = image(n, c, output_size(h, window, stride, padding), output_size(w, window, stride, padding), channels_last)
    taps = tensor(window, window)
    lines += f"  %taps = tensor.empty() : {taps}\n" + filled("least", out, "0xFF800000") + "\n"
    attributes = f"{{strides = dense<{stride}> : tensor<2xi64>, dilations = dense<1> : tensor<2xi64>}}"
    op = f"pooling_{'nhwc' if channels_last else 'nchw'}_max"
    lines += named(op, "result", [source, ("taps", taps)], "least", out, attributes)
    return function([("x0", image(n, c, h, w, channels_last))], out, lines)


class Layer(typing.NamedTuple):
    """One layer of a network: a pooling without weights, or a convolution with
    bias. `shape` is that of what it reads."""

    shape: tuple
    filters: int
    window: int
    stride: int
    padding: int
    depthwise: bool = False
    relu: bool = False
    # The value that is added: 0 is the argument, and each layer makes one.
    residual: typing.Optional[int] = None
    # The filters' number among the arguments that the C++ side makes; the bias is next.
    weights: typing.Optional[int] = None

    def output(self):
        n, _, h, w = self.shape
        return (n, self.filters, *(output_size(size, self.window, self.stride, self.padding) for size in (h, w)))

    def filter_shape(self):
        c = self.shape[1]
        return (c, self.window, self.window) if self.depthwise else (self.filters, c, self.window, self.window)


class Network:
    """Layers one after the other, whose weights are constants."""

    def __init__(self, *shape):
        self.shape, self.layers, self.arguments = shape, [], 1

    def get_shape(self):
        return self.layers[-1].output() if self.layers else self.shape

    def convolve(self, filters, window=1, stride=1, depthwise=False, relu=True, residual=None):
        self.layers.append(Layer(self.get_shape(), filters, window, stride, window // 2, depthwise, relu, residual, self.arguments))
        self.arguments += 2

    def pool(self, window, stride, padding):
        self.layers.append(Layer(self.get_shape(), self.get_shape()[1], window, stride, padding))

    def program(self):
        lines, values = [], [("x0", tensor(*self.shape))]
        for i, layer in enumerate(self.layers):
            lines.append(slide(layer, values, f"{i}"))
            values.append((f"layer{i}", tensor(*layer.output())))
        name, out = values[-1]
        body = "\n".join(lines)
        return function([values[0]], out, body).replace("%result", f"%{name}")


def slide(layer, values, i):
    """Lines that make %layer<i> of the last of the values."""
    source, out = values[-1], tensor(*layer.output())
    start = "0xFF800000" if layer.weights is None else "0.0"
    lines, padded_source = padded(layer.shape, layer.padding, False, start, source[0], i)
    attributes = f"{{strides = dense<{layer.stride}> : tensor<2xi64>, dilations = dense<1> : tensor<2xi64>}}"
    lines += filled(f"init{i}", out, start) + "\n"
    if layer.weights is None:
        taps = (f"taps{i}", tensor(layer.window, layer.window))
        lines += f"  %{taps[0]} = tensor.empty() : {taps[1]}\n"
        return lines + named("pooling_nchw_max", f"layer{i}", [padded_source, taps], f"init{i}", out, attributes)
    weights, bias = (f"weights{i}", tensor(*layer.filter_shape())), (f"bias{i}", tensor(layer.filters))
    lines += constant(*weights, layer.weights) + "\n" + constant(*bias, layer.weights + 1) + "\n"
    op = "depthwise_conv_2d_nchw_chw" if layer.depthwise else "conv_2d_nchw_fchw"
    lines += named(op, f"product{i}", [padded_source, weights], f"init{i}", out, attributes) + "\n"
    return lines + finish_layer(layer, values, i, bias, out)


def finish_layer(layer, values, i, bias, out):
    """Bias, sum and ReLU."""
    identity = "(i, j, k, l) -> (i, j, k, l)"
    inputs, maps, steps = [(f"product{i}", out), bias], [identity, "(i, j, k, l) -> (j)"], ["arith.addf %a, %b : f32"]
    if layer.residual is not None:
        inputs.append(values[layer.residual])
        maps.append(identity)
        steps.append("arith.addf %step0, %c : f32")
    if layer.relu:
        steps.append(f"arith.maximumf %step{len(steps) - 1}, %least : f32")
    body = [f"%{'y' if step is steps[-1] else f'step{number}'} = {step}" for number, step in enumerate(steps)]
    body.insert(0, "%least = arith.constant 0.0 : f32")
    empty = f"  %empty{i} = tensor.empty() : {out}\n"
    return empty + generic(f"layer{i}", out, inputs, f"empty{i}", body, ["parallel"] * 4, maps + [identity])


def stem(n, c, h, w, filters):
    """The beginning of a ResNet."""
    network = Network(n, c, h, w)
    network.convolve(filters, 7, 2)
    network.pool(3, 2, 1)
    return network


def residual(n, c, h, w):
    """Two basic blocks of a ResNet-18."""
    network = Network(n, c, h, w)
    for block in range(2):
        network.convolve(c, 3)
        network.convolve(c, 3, residual=2 * block)
    return network


def bottleneck(n, c, h, w):
    """Two blocks of a ResNet-50."""
    network = Network(n, 4 * c, h, w)
    for block in range(2):
        network.convolve(c)
        network.convolve(c, 3)
        network.convolve(4 * c, residual=3 * block)
    return network


def inverted(n, c, h, w):
    """Two blocks of a MobileNetV2."""
    network = Network(n, c, h, w)
    for block in range(2):
        network.convolve(6 * c)
        network.convolve(6 * c, 3, depthwise=True)
        network.convolve(c, relu=False, residual=3 * block)
    return network


def separable(n, c, h, w, filters):
    """Two layers of a MobileNetV1, the first with half the pixels."""
    network = Network(n, c, h, w)
    network.convolve(c, 3, 2, depthwise=True)
    network.convolve(filters)
    network.convolve(filters, 3, depthwise=True)
    network.convolve(filters)
    return network


def softmax(rows, columns):
    type = tensor(rows, columns)
    body = f"""  %empty = tensor.empty() : {type}
  %result = linalg.softmax dimension(1) ins(%x0 : {type}) outs(%empty : {type}) -> {type}"""
    return function([("x0", type)], type, body)


def row_sum(name, source, type, rows, steps):
    out = tensor(rows)
    lines = filled(f"{name}_zero", out) + "\n"
    maps = [text for _, _, text in source] + ["(i, j) -> (i)"]
    inputs = [(value, kind) for value, kind, _ in source]
    return lines + generic(name, out, inputs, f"{name}_zero", steps, ["parallel", "reduction"], maps)


def layer_norm(rows, columns):
    type, row, vector = tensor(rows, columns), tensor(rows), tensor(columns)
    count = f"%count = arith.constant {float(columns)} : f32"
    mean = [count, "%mean = arith.divf %b, %count : f32", "%centered = arith.subf %a, %mean : f32"]
    body = [row_sum("total", [("x0", type, ROWS)], type, rows, ["%y = arith.addf %a, %o : f32"])]
    squares = [*mean, "%square = arith.mulf %centered, %centered : f32", "%y = arith.addf %square, %o : f32"]
    body.append(row_sum("squares", [("x0", type, ROWS), ("total", row, "(i, j) -> (i)")], type, rows, squares))
    steps = mean + [
        "%epsilon = arith.constant 1.0e-5 : f32",
        "%variance = arith.divf %c, %count : f32",
        "%positive = arith.addf %variance, %epsilon : f32",
        "%factor = math.rsqrt %positive : f32",
        "%normal = arith.mulf %centered, %factor : f32",
        "%scaled = arith.mulf %normal, %d : f32",
        "%y = arith.addf %scaled, %e : f32",
    ]
    inputs = [("x0", type), ("total", row), ("squares", row), ("x1", vector), ("x2", vector)]
    maps = [ROWS, "(i, j) -> (i)", "(i, j) -> (i)", "(i, j) -> (j)", "(i, j) -> (j)", ROWS]
    body.append(f"  %empty = tensor.empty() : {type}")
    body.append(generic("result", type, inputs, "empty", steps, ["parallel"] * 2, maps))
    return function([("x0", type), ("x1", vector), ("x2", vector)], type, "\n".join(body))


def gelu(rows, columns):
    type = tensor(rows, columns)
    steps = [*(line.replace("%x", "%a").replace("%g =", "%y =") for line in GELU_TANH)]
    body = f"  %empty = tensor.empty() : {type}\n"
    body += generic("result", type, [("x0", type)], "empty", steps, ["parallel"] * 2, [ROWS, ROWS])
    return function([("x0", type)], type, body)


def gelu_chain(rows, columns):
    type, vector = tensor(rows, columns), tensor(columns)
    maps = [ROWS, "(i, j) -> (j)", ROWS]
    body = [f"  %empty = tensor.empty() : {type}"]
    body.append(generic("sum", type, [("x0", type), ("x1", vector)], "empty", ["%y = arith.addf %a, %b : f32"], ["parallel"] * 2, maps))
    steps = [*(line.replace("%x", "%a").replace("%g =", "%y =") for line in GELU_TANH)]
    body.append(generic("activated", type, [("sum", type)], "empty", steps, ["parallel"] * 2, [ROWS, ROWS]))
    body.append(generic("result", type, [("activated", type), ("x2", type)], "empty", ["%y = arith.mulf %a, %b : f32"], ["parallel"] * 2, [ROWS] * 3))
    return function([("x0", type), ("x1", vector), ("x2", type)], type, "\n".join(body))


def row_sums(rows, columns):
    type, out = tensor(rows, columns), tensor(rows)
    body = row_sum("result", [("x0", type, ROWS)], type, rows, ["%y = arith.addf %a, %o : f32"])
    return function([("x0", type)], out, body)


def attention(heads, length, width):
    narrow, wide, square = tensor(heads, length, width), tensor(heads, width, length), tensor(heads, length, length)
    body = [filled("zero0", square), named("batch_matmul", "scores", [("x0", narrow), ("x1", wide)], "zero0", square)]
    body.append(f"  %weights = linalg.softmax dimension(2) ins(%scores : {square}) outs(%zero0_empty : {square}) -> {square}")
    body += [filled("zero1", narrow), named("batch_matmul", "result", [("weights", square), ("x2", narrow)], "zero1", narrow)]
    return function([("x0", narrow), ("x1", wide), ("x2", narrow)], narrow, "\n".join(body))


KINDS = {
    kind.__name__: kind
    for kind in [matmul, matmul_weights, matmul_transpose_a, matmul_transpose_b, batch_matmul, batch_matmul_transpose_b]
    + [matmul_gelu, matmul_weights_gelu, attention, softmax, layer_norm, gelu, gelu_chain, row_sums]
}
NETWORKS = {kind.__name__: kind for kind in (stem, residual, bottleneck, inverted, separable)}
for name, kind in NETWORKS.items():
    KINDS[name] = lambda *sizes, kind=kind: kind(*sizes).program()
for kind in (convolution, convolution_add_relu, depthwise, max_pool):
    KINDS[kind.__name__] = kind
    KINDS[f"{kind.__name__}_channels_last"] = functools.partial(kind, channels_last=True)
