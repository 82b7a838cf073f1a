"""Two networks as text, with names as front ends give them: an encoder with
attention, whose layers are a loop, and a residual network of convolutions."""


class Writer:
    """Lines of a function, and the names of their values."""

    def __init__(self):
        self.lines, self.count = [], 0

    def add(self, text, name):
        """An operation with one result and a name; `text` is what comes after the equals sign."""
        value = f"%v{self.count}"
        self.count += 1
        self.lines.append(f'  {value} = {text} loc("{name}")')
        return value

    def filled(self, kind, name):
        empty = self.add(f"tensor.empty() : {kind}", name)
        return self.add(f"linalg.fill ins(%zero : f32) outs({empty} : {kind}) -> {kind}", name)

    def product(self, left, right, kinds, name):
        result = kinds[2]
        out = self.filled(result, name)
        return self.add(f"linalg.matmul ins({left}, {right} : {kinds[0]}, {kinds[1]}) outs({out} : {result}) -> {result}", name)

    def unary(self, op, value, kind, name):
        empty = self.add(f"tensor.empty() : {kind}", name)
        return self.add(f"linalg.{op} ins({value} : {kind}) outs({empty} : {kind}) -> {kind}", name)

    def binary(self, op, left, right, kind, name):
        empty = self.add(f"tensor.empty() : {kind}", name)
        return self.add(f"linalg.{op} ins({left}, {right} : {kind}, {kind}) outs({empty} : {kind}) -> {kind}", name)


def add_layer(writer, x, weights, rows, width, scope):
    kind, square = f"tensor<{rows}x{width}xf32>", f"tensor<{width}x{width}xf32>"
    scores = f"tensor<{rows}x{rows}xf32>"
    kinds = (kind, square, kind)
    query = writer.product(x, weights[0], kinds, f"{scope}/attention/query")
    key = writer.product(x, weights[1], kinds, f"{scope}/attention/key")
    value = writer.product(x, weights[2], kinds, f"{scope}/attention/value")
    turned = f"tensor<{width}x{rows}xf32>"
    empty = writer.add(f"tensor.empty() : {turned}", f"{scope}/attention/turned")
    key = writer.add(f"linalg.transpose ins({key} : {kind}) outs({empty} : {turned}) permutation = [1, 0]", f"{scope}/attention/turned")
    score = writer.product(query, key, (kind, turned, scores), f"{scope}/attention/scores")
    empty = writer.add(f"tensor.empty() : {scores}", f"{scope}/attention/softmax")
    weight = writer.add(f"linalg.softmax dimension(1) ins({score} : {scores}) outs({empty} : {scores}) -> {scores}", f"{scope}/attention/softmax")
    mixed = writer.product(weight, value, (scores, kind, kind), f"{scope}/attention/mixed")
    x = writer.binary("add", x, mixed, kind, f"{scope}/attention/residual")
    inner = writer.product(x, weights[3], kinds, f"{scope}/feed/first")
    inner = writer.unary("tanh", inner, kind, f"{scope}/feed/activation")
    inner = writer.product(inner, weights[4], kinds, f"{scope}/feed/second")
    return writer.binary("add", x, inner, kind, f"{scope}/feed/residual")


def make_encoder(layers=3, rows=128, width=256, steps=4):
    """Layers in a row, then a loop that repeats a last one."""
    kind, square = f"tensor<{rows}x{width}xf32>", f"tensor<{width}x{width}xf32>"
    weights = [[f"%w{layer}_{i}" for i in range(5)] for layer in range(layers + 1)]
    arguments = ", ".join([f"%x: {kind}"] + [f"{name}: {square}" for group in weights for name in group])
    writer, x = Writer(), "%x"
    for layer in range(layers):
        x = add_layer(writer, x, weights[layer], rows, width, f"encoder/layer{layer}")
    writer.lines.append(f"  %looped = scf.for %i = %c0 to %steps step %c1 iter_args(%carried = {x}) -> ({kind}) {{")
    last = add_layer(writer, "%carried", weights[layers], rows, width, "decoder/step")
    writer.lines.append(f"  scf.yield {last} : {kind}\n  }}")
    result = writer.unary("exp", "%looped", kind, "decoder/out")
    constants = f"  %zero = arith.constant 0.0 : f32\n  %c0 = arith.constant 0 : index\n  %c1 = arith.constant 1 : index\n  %steps = arith.constant {steps} : index"
    return f"func.func @main({arguments}) -> {kind} {{\n{constants}\n" + "\n".join(writer.lines) + f"\n  return {result} : {kind}\n}}\n"


def make_residual(blocks=4, channels=32, size=34):
    """Blocks of two convolutions with a sum around them."""
    kind = f"tensor<1x{channels}x{size}x{size}xf32>"
    padded = f"tensor<1x{channels}x{size + 2}x{size + 2}xf32>"
    filters = f"tensor<{channels}x{channels}x3x3xf32>"
    arguments = ", ".join([f"%x: {kind}"] + [f"%f{i}: {filters}" for i in range(2 * blocks)])
    writer, x = Writer(), "%x"

    def convolve(value, number, name):
        pad = f"tensor.pad {value} low[0, 0, 1, 1] high[0, 0, 1, 1] {{\n  ^bb0(%a: index, %b: index, %c: index, %d: index):\n    tensor.yield %zero : f32\n  }} : {kind} to {padded}"
        value = writer.add(pad, f"{name}/pad")
        out = writer.filled(kind, f"{name}/conv")
        conv = f"linalg.conv_2d_nchw_fchw ins({value}, %f{number} : {padded}, {filters}) outs({out} : {kind}) -> {kind}"
        return writer.add(conv, f"{name}/conv")

    for block in range(blocks):
        scope = f"stage{block // 2}/block{block}"
        inner = convolve(x, 2 * block, f"{scope}/first")
        inner = writer.binary("max", inner, writer.filled(kind, f"{scope}/relu"), kind, f"{scope}/relu")
        inner = convolve(inner, 2 * block + 1, f"{scope}/second")
        x = writer.binary("add", x, inner, kind, f"{scope}/sum")
    return f"func.func @main({arguments}) -> {kind} {{\n  %zero = arith.constant 0.0 : f32\n" + "\n".join(writer.lines) + f"\n  return {x} : {kind}\n}}\n"


def make_many(count, width=64):
    """As many operations as are asked for, in scopes of scopes: four rows of them that meet now and then."""
    kind = f"tensor<{width}x{width}xf32>"
    lines, rows = [], ["%x"] * 4
    for i in range(count):
        op = ("exp", "tanh", "add", "abs")[i % 4]
        row = (i * 7) % 4
        ins = f"{rows[row]}, {rows[(row + 1) % 4]} : {kind}, {kind}" if op == "add" else f"{rows[row]} : {kind}"
        lines.append(f'  %v{i} = linalg.{op} ins({ins}) outs(%e : {kind}) -> {kind} loc("part{i // 2500}/layer{i // 100 % 25}/op{i % 100}")')
        rows[row] = f"%v{i}"
    return f"func.func @main(%x: {kind}) -> ({', '.join([kind] * 4)}) {{\n  %e = tensor.empty() : {kind}\n" + "\n".join(lines) + f"\n  return {', '.join(rows)} : {', '.join([kind] * 4)}\n}}\n"
