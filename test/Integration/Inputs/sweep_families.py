"""The families of operations of the sweep of shapes. Each adds its operation to a
builder and returns the result and a function that computes, from lists of numbers,
pairs of each element and how far from it an element may be."""

import itertools
import math

from sweep_builder import Size


def positions(shape):
    return itertools.product(*map(range, shape))


def at(shape, position):
    index = 0
    for size, i in zip(shape, position):
        index = index * size + i
    return index


def strided(values):
    return f"dense<{values}> : tensor<{len(values)}xi64>"


# Contractions

# Which of them have names.
NAMED = {"mk kn mn": "matmul", "mk k m": "matvec", "k km m": "vecmat", "bmk bkn bmn": "batch_matmul"}


def contract(b, loops, sizes, reduction="k"):
    """A sum of products whose operands have loops named by letters."""
    by_letter = dict(zip(sorted(set("".join(loops))), sizes))
    x, y = (b.argument(*(by_letter[letter] for letter in text)) for text in loops[:2])
    results = [by_letter[letter] for letter in loops[2]]
    start = b.random.random() < 0.3
    init = b.argument(*results, element=b.sum) if start else b.filled(b.number(0), *results, element=b.sum)
    if " ".join(loops) in NAMED:
        result = b.named(f"linalg.{NAMED[' '.join(loops)]}", [x, y], init)
    else:
        (first, left), (second, right) = b.widen("%a"), b.widen("%b")
        product = [f"%p = arith.mul{b.suffix} {left}, {right} : {b.sum}", f"%y = arith.add{b.suffix} %p, %o : {b.sum}"]
        result = b.generic(loops, [x, y], init, first + second + product, reduction)
    depth = by_letter[reduction].number

    def expected(inputs):
        for position in positions(init.shape):
            where = dict(zip(loops[2], position))

            def element(tensor, values, text, k):
                return values[at(tensor.shape, [k if letter == reduction else where[letter] for letter in text])]

            terms = [element(x, inputs[0], loops[0], k) * element(y, inputs[1], loops[1], k) for k in range(depth)]
            yield b.bound(terms, inputs[2][at(init.shape, position)] if start else 0, b.sum)

    return result, expected


def limited(b, product, expected):
    """A product between a vector of bounds and a tensor of others."""
    rows, columns = product.sizes
    most, least = ("maximumf", "minimumf") if b.suffix == "f" else ("maxsi", "minsi")
    lower, upper = b.argument(columns, element=b.sum), b.argument(rows, columns, element=b.sum)
    body = [f"%m = arith.{most} %a, %b : {b.sum}", f"%y = arith.{least} %m, %c : {b.sum}"]
    result = b.generic(["ij", "j", "ij", "ij"], [product, lower, upper], b.empty(rows, columns, element=b.sum), body)

    def limit(inputs):
        *before, lows, highs = inputs
        for i, (value, error) in enumerate(expected(before)):
            yield min(max(value, lows[i % columns.number]), highs[i]), error

    return result, limit


def matmul(b):
    """k, m, n in alphabetical order; either operand may be transposed. What follows
    may be one with it."""
    k, m, n = b.size(129), b.size(37), b.size(67)
    while k.number * m.number * n.number > 40000:
        m, n = b.size(max(1, m.number // 2)), b.size(max(1, n.number // 2))
    product = contract(b, [b.random.choice(["mk", "km"]), b.random.choice(["kn", "kn", "nk"]), "mn"], [k, m, n])
    return limited(b, *product) if b.random.random() < 0.6 else product


def matrix_vector(b):
    k, m = b.size(257), b.size(129)
    return contract(b, b.random.choice([["mk", "k", "m"], ["km", "k", "m"], ["k", "km", "m"]]), [k, m])


def one_row(b):
    k, n = b.size(257), b.size(129)
    return contract(b, b.random.choice([["mk", "kn", "mn"], ["mk", "nk", "mn"]]), [k, Size(1), n])


def batch_matmul(b):
    batch, k, m, n = b.size(5), b.size(33), b.size(17), b.size(33)
    return contract(b, b.random.choice([["bmk", "bkn", "bmn"], ["bmk", "bnk", "bmn"], ["mbk", "kbn", "bmn"]]), [batch, k, m, n])


# Windows


def draw_window(b):
    """The window's sides, the stride, the dilation and the padding."""
    sides = b.random.choice([(1, 1), (2, 2), (3, 3), (3, 3), (3, 1), (1, 5), (4, 3)])
    stride, dilation = b.random.choice([1, 1, 1, 2, 3]), b.random.choice([1, 1, 1, 2])
    return sides, stride, dilation, b.random.choice([0, 0, 1, 2])


def draw_image(b, sides, dilation, padding, limit):
    least = [max(1, (side - 1) * dilation + 1 - 2 * padding) for side in sides]
    return [b.size(max(limit, smallest), smallest) for smallest in least]


def taps(place, image, sides, stride, dilation, padding):
    """Rows and columns of the image and of the window."""
    for i, j in positions(sides):
        y, x = (p * stride + q * dilation - padding for p, q in zip(place, (i, j)))
        if 0 <= y < image[0] and 0 <= x < image[1]:
            yield y, x, i, j


def convolve(b, op, layout, weight_layout, limits, constants=False):
    """`layout` orders n, c, y, x; the weights' orders f, c, y, x or, by channel,
    c, y, x. They may be constants."""
    sides, stride, dilation, padding = draw_window(b)
    by_channel = "f" not in weight_layout
    n, c, f = b.size(limits[0]), b.size(limits[1]), b.size(limits[2])
    y, x = draw_image(b, sides, dilation, padding, limits[3])
    images = dict(n=n, c=c, y=y, x=x)
    source = b.argument(*(images[letter] for letter in layout))
    filters = dict(f=f, c=c, y=Size(sides[0]), x=Size(sides[1]))
    shape = [filters[letter] for letter in weight_layout]
    known = constants and math.prod(size.number for size in shape) > 0 and not any(size.dynamic for size in shape)
    weights, numbers = b.dense(*shape) if known and b.random.random() < 0.8 else (b.argument(*shape), None)
    borders = [padding if letter in "yx" else 0 for letter in layout]
    padded = b.padded(source, borders, borders, b.number(0)) if padding else source
    sizes = dict(zip(layout, padded.sizes))
    for letter, side in zip("yx", sides):
        sizes[letter] = b.output(sizes[letter], side, stride, dilation)
    sizes["c"] = c if by_channel else f
    init = b.filled(b.number(0), *(sizes[letter] for letter in layout), element=b.sum)
    attributes = f"{{strides = {strided([stride] * 2)}, dilations = {strided([dilation] * 2)}}}"
    result = b.named(f"linalg.{op} {attributes}", [padded, weights], init)

    def expected(inputs):
        image, shape = [y.number, x.number], [source.shape, weights.shape]
        factors = numbers or inputs[1]
        for position in positions(init.shape):
            where = dict(zip(layout, position))
            terms = []
            for channel in [where["c"]] if by_channel else range(c.number):
                for row, column, i, j in taps([where["y"], where["x"]], image, sides, stride, dilation, padding):
                    pixel = dict(n=where["n"], c=channel, y=row, x=column)
                    weight = dict(f=where["c"], c=channel, y=i, x=j)
                    left = inputs[0][at(shape[0], [pixel[letter] for letter in layout])]
                    terms.append(left * factors[at(shape[1], [weight[letter] for letter in weight_layout])])
            yield b.bound(terms, element=b.sum)

    return result, expected


def convolution(b):
    return convolve(b, "conv_2d_nchw_fchw", "ncyx", "fcyx", (2, 5, 17, 13))


def convolution_channels_last(b):
    op, filters = b.random.choice([("hwcf", "yxcf"), ("hwcf", "yxcf"), ("fhwc", "fyxc")])
    return convolve(b, f"conv_2d_nhwc_{op}", "nyxc", filters, (2, 5, 37, 19), constants=True)


def depthwise(b):
    if b.random.random() < 0.5:
        return convolve(b, "depthwise_conv_2d_nchw_chw", "ncyx", "cyx", (2, 7, 1, 33))
    return convolve(b, "depthwise_conv_2d_nhwc_hwc", "nyxc", "yxc", (2, 33, 1, 13))


def pool(b):
    """Of images whose channels are first or last, with a border that windows ignore or
    do not."""
    sides, stride, dilation, padding = draw_window(b)
    layout, limits = b.random.choice([("ncyx", (7, 33)), ("nyxc", (37, 13))])
    n, c = b.size(2), b.size(limits[0])
    y, x = draw_image(b, sides, dilation, padding, limits[1])
    most = b.random.random() < 0.6
    least = -(2 ** (int(b.element[1:]) - 1)) if b.is_integer else -math.inf
    start = least if most else b.number(0)
    around = b.random.choice([start, b.number(1)])
    images = dict(n=n, c=c, y=y, x=x)
    source = b.argument(*(images[letter] for letter in layout))
    borders = [padding if letter in "yx" else 0 for letter in layout]
    padded = b.padded(source, borders, borders, around) if padding else source
    sizes = dict(zip(layout, padded.sizes))
    for letter, side in zip("yx", sides):
        sizes[letter] = b.output(sizes[letter], side, stride, dilation)
    element = b.element if most else b.sum
    init = b.filled(start, *(sizes[letter] for letter in layout), element=element)
    window = b.empty(Size(sides[0]), Size(sides[1]))
    attributes = f"{{strides = {strided([stride] * 2)}, dilations = {strided([dilation] * 2)}}}"
    name = layout.replace("y", "h").replace("x", "w")
    result = b.named(f"linalg.pooling_{name}_{'max' if most else 'sum'} {attributes}", [padded, window], init)

    def expected(inputs):
        image = [y.number, x.number]
        for position in positions(init.shape):
            where = dict(zip(layout, position))
            values = []
            for row, column, _, _ in taps([where["y"], where["x"]], image, sides, stride, dilation, padding):
                pixel = dict(where, y=row, x=column)
                values.append(inputs[0][at(source.shape, [pixel[letter] for letter in layout])])
            values += [around] * (sides[0] * sides[1] - len(values))
            yield (max([start, *values]), 0) if most else b.bound(values, element=element)

    return result, expected


# Rows


def reduce(b):
    """Over any of the dimensions."""
    sizes = [b.size(limit) for limit in b.random.choice([(257, 97), (33, 5, 65), (251,), (3, 5, 7, 33)])]
    letters = "ijkl"[: len(sizes)]
    reduced = b.random.choice([letters[-1], letters[0], letters, letters[::2]])
    kept = "".join(letter for letter in letters if letter not in reduced)
    kind = b.random.choice(["add", "add", "max", "min"])
    source = b.argument(*sizes)
    name = {"add": "add" + b.suffix, "max": "maxsi", "min": "minsi"}[kind]
    if b.suffix == "f" and kind != "add":
        name = {"max": "maximumf", "min": "minimumf"}[kind]
    start = b.number(0 if kind == "add" else -5)
    element = b.sum if kind == "add" else b.element
    init = b.filled(start, *(size for letter, size in zip(letters, sizes) if letter in kept), element=element)
    lines, term = b.widen("%a") if kind == "add" else ([], "%a")
    result = b.generic([letters, kept], [source], init, [*lines, f"%y = arith.{name} %o, {term} : {element}"], reduced)

    def expected(inputs):
        groups = {position: [] for position in positions(init.shape)}
        for value, position in zip(inputs[0], positions(source.shape)):
            groups[tuple(i for i, letter in zip(position, letters) if letter in kept)].append(value)
        for values in groups.values():
            yield b.bound(values, start, element) if kind == "add" else ({"max": max, "min": min}[kind]([start, *values]), 0)

    return result, expected


def grouped_rows(inputs, shape, axis):
    """For each row along `axis` the positions of its elements."""
    ranges = [range(1) if i == axis else range(size) for i, size in enumerate(shape)]
    for position in itertools.product(*ranges):
        yield [at(shape, [k if i == axis else p for i, p in enumerate(position)]) for k in range(shape[axis])]


def softmax(b):
    b.floats()
    sizes = [b.size(limit) for limit in b.random.choice([(33, 129), (5, 17, 65)])]
    axis = b.random.randrange(len(sizes)) if b.random.random() < 0.3 else len(sizes) - 1
    return softmax_of(b, sizes, axis)


def softmax_of(b, sizes, axis):
    source = b.argument(*sizes)
    result = b.named(f"linalg.softmax dimension({axis})", [source], b.empty(*sizes))

    def expected(inputs):
        values = [None] * len(inputs[0])
        for row in grouped_rows(inputs, source.shape, axis):
            total = math.fsum(math.exp(inputs[0][i]) for i in row)
            for i in row:
                values[i] = b.close(math.exp(inputs[0][i]) / total)
        return values

    return result, expected


def layer_norm(b):
    b.wide_floats()
    return layer_norm_of(b, b.size(33), b.size(257))


def layer_norm_of(b, rows, columns):
    x, scale, shift = b.argument(rows, columns), b.argument(columns), b.argument(columns)
    count = max(1, columns.number)
    total = b.generic(["ij", "i"], [x], b.filled(0.0, rows), [f"%y = arith.addf %a, %o : {b.element}"], "j")
    mean = [f"%n = arith.constant {float(count)} : {b.element}", f"%m = arith.divf %b, %n : {b.element}"]
    mean.append(f"%d0 = arith.subf %a, %m : {b.element}")
    square = [*mean, f"%s = arith.mulf %d0, %d0 : {b.element}", f"%y = arith.addf %s, %o : {b.element}"]
    squares = b.generic(["ij", "i", "i"], [x, total], b.filled(0.0, rows), square, "j")
    steps = [f"%eps = arith.constant 1.0e-5 : {b.element}", f"%v = arith.divf %c, %n : {b.element}"]
    steps += [f"%p = arith.addf %v, %eps : {b.element}", f"%r = math.rsqrt %p : {b.element}"]
    steps += [f"%z = arith.mulf %d0, %r : {b.element}", f"%w = arith.mulf %z, %d : {b.element}"]
    steps.append(f"%y = arith.addf %w, %e : {b.element}")
    inputs = [x, total, squares, scale, shift]
    result = b.generic(["ij", "i", "i", "j", "j", "ij"], inputs, b.empty(rows, columns), mean + steps)

    def expected(inputs):
        for start in range(0, len(inputs[0]), count):
            row = inputs[0][start : start + count]
            middle = math.fsum(row) / count
            factor = 1 / math.sqrt(math.fsum((value - middle) ** 2 for value in row) / count + 1e-5)
            for value, left, right in zip(row, inputs[1], inputs[2]):
                yield b.close((value - middle) * factor * left + right, factor)

    return result, expected


# Elements and their places


def elementwise(b):
    """Operands that are transposed, or the same along some dimensions."""
    sizes = [b.size(limit) for limit in b.random.choice([(67, 129), (5, 17, 65), (251,), (2, 3, 5, 33)])]
    letters = "ijkl"[: len(sizes)]
    shuffled = b.random.sample(letters, len(letters))
    texts = [letters, "".join(shuffled), "".join(letter for letter in letters if b.random.random() < 0.5)]
    by_letter = dict(zip(letters, sizes))
    operands = [b.argument(*(by_letter[letter] for letter in text)) for text in texts]
    most = "maxsi" if b.is_integer else "maximumf"
    body = [f"%s = arith.add{b.suffix} %a, %b : {b.element}", f"%p = arith.mul{b.suffix} %s, %c : {b.element}"]
    body.append(f"%y = arith.{most} %p, %a : {b.element}")
    result = b.generic([*texts, letters], operands, b.empty(*sizes), body)

    def expected(inputs):
        for position in positions([size.number for size in sizes]):
            where = dict(zip(letters, position))
            values = [data[at(t.shape, [where[c] for c in text])] for data, t, text in zip(inputs, operands, texts)]
            value, error = b.bound([values[0] * values[2], values[1] * values[2]])
            yield max(value, values[0]), 2 * error

    return result, expected


def functions(b):
    b.floats()
    names = {"exp": math.exp, "tanh": math.tanh, "erf": math.erf, "absf": abs, "sigmoid": lambda x: 1 / (1 + math.exp(-x))}
    name = b.random.choice(list(names))
    sizes = [b.size(33), b.size(129)]
    source = b.argument(*sizes)
    body = [f"%f = math.{name} %a : {b.element}"]
    if name == "sigmoid":
        body = [f"%one = arith.constant 1.0 : {b.element}", f"%n = arith.negf %a : {b.element}", f"%e = math.exp %n : {b.element}"]
        body += [f"%s = arith.addf %e, %one : {b.element}", f"%f = arith.divf %one, %s : {b.element}"]
    body.append(f"%y = arith.mulf %f, %a : {b.element}")
    result = b.generic(["ij", "ij"], [source], b.empty(*sizes), body)
    return result, lambda inputs: (b.close(names[name](value) * value) for value in inputs[0])


def transpose(b):
    sizes = [b.size(limit) for limit in b.random.choice([(129, 67), (17, 5, 65), (3, 5, 7, 33)])]
    order = b.random.sample(range(len(sizes)), len(sizes))
    source = b.argument(*sizes)
    init = b.empty(*(sizes[i] for i in order))
    names = f"ins({source.name} : {source.type}) outs({init.name} : {init.type}) permutation = {order}"
    result = type(init)(b.emit(f"linalg.transpose {names}", "t"), init.element, init.sizes)

    def expected(inputs):
        for position in positions(init.shape):
            where = [position[order.index(i)] for i in range(len(sizes))]
            yield inputs[0][at(source.shape, where)], 0

    return result, expected


def gather(b):
    """Rows by number."""
    rows, columns, count = b.size(65, 1), b.size(33), b.size(129)
    source = b.argument(rows, columns)
    numbers = b.argument(count, element="i32", values=[b.random.randrange(rows.number) for _ in range(count.number)])
    body = ["%i = linalg.index 1 : index", "%r = arith.index_cast %a : i32 to index"]
    body.append(f"%y = tensor.extract {source.name}[%r, %i] : {source.type}")
    result = b.generic(["i", "ij"], [numbers], b.empty(count, columns), body)
    width = columns.number
    return result, lambda inputs: ((inputs[0][row * width + i], 0) for row in inputs[1] for i in range(width))


def resize(b):
    """Every element several times, as its neighbours nearest in the result."""
    c, y, x = b.size(3), b.size(17), b.size(17)
    factor = b.random.randrange(1, 4)
    source = b.argument(c, y, x)
    init = b.empty(c, b.multiply(y, Size(factor)), b.multiply(x, Size(factor)))
    body = [f"%n = arith.constant {factor} : index"]
    for name, loop in zip("qrs", range(3)):
        body.append(f"%{name}0 = linalg.index {loop} : index")
    body += [f"%{name} = arith.floordivsi %{name}0, %n : index" for name in "rs"]
    body.append(f"%y = tensor.extract {source.name}[%q0, %r, %s] : {source.type}")
    result = b.generic(["ijk"], [], init, body)

    def expected(inputs):
        for i, j, k in positions(init.shape):
            yield inputs[0][at(source.shape, [i, j // factor, k // factor])], 0

    return result, expected


def pad(b):
    sizes = [b.size(17), b.size(33), b.size(65)]
    low, high = ([b.random.choice([0, 0, 1, 3]) for _ in sizes] for _ in range(2))
    source = b.argument(*sizes)
    result = b.padded(source, low, high, b.number(3))

    def expected(inputs):
        for position in positions(result.shape):
            where = [i - a for i, a in zip(position, low)]
            inside = all(0 <= i < size for i, size in zip(where, source.shape))
            yield (inputs[0][at(source.shape, where)] if inside else 3), 0

    return result, expected


FAMILIES = [matmul, matrix_vector, one_row, batch_matmul, convolution, convolution_channels_last, depthwise, pool, reduce]
FAMILIES += [softmax, layer_norm, elementwise, functions, transpose, gather, resize, pad]
