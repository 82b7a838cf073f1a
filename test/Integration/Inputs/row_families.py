"""Chains of work on rows, short and long, for the sweep of shapes."""

import math

from sweep_builder import Size
from sweep_families import layer_norm_of, softmax_of

ROWS = [0, 1, 2, 3, 7, 31, 33, 64, 97, 128, 257]
COLUMNS = [0, 1, 2, 3, 4, 7, 8, 12, 31, 32, 33, 64, 100, 127, 128, 130, 257, 384, 509, 768, 1000, 1021, 1024, 1536, 4096, 4099, 5000]
LONG = [8192, 32768, 33001, 40960]
MOST = 2**15


def draw(b):
    """Rows and columns."""
    columns = b.random.choice(LONG if b.random.random() < 0.08 else COLUMNS)
    rows = b.random.choice([n for n in ROWS if n * columns <= MOST] + ([1] if columns > MOST else []))
    sizes = [Size(rows), Size(columns)]
    for size in sizes:
        size.dynamic = b.dynamic and b.random.random() < 0.7
    return sizes


def rows_of(numbers, columns):
    for start in range(0, len(numbers), columns or 1):
        yield numbers[start : start + columns]


def softmax(b):
    b.floats()
    sizes = draw(b)
    if b.random.random() < 0.3:
        sizes.insert(0, Size(b.random.choice([1, 2, 3])))
    return softmax_of(b, sizes, len(sizes) - 1)


def layer_norm(b):
    b.floats()
    return layer_norm_of(b, *draw(b))


def rms_norm(b):
    """With a step on one number per row."""
    b.floats()
    rows, columns = draw(b)
    x, scale = b.argument(rows, columns), b.argument(columns)
    square = [f"%s = arith.mulf %a, %a : {b.element}", f"%y = arith.addf %o, %s : {b.element}"]
    total = b.generic(["ij", "i"], [x], b.filled(0.0, rows), square, "j")
    count = float(max(1, columns.number))
    steps = [f"%n = arith.constant {count} : {b.element}", f"%e = arith.constant 1.0e-6 : {b.element}"]
    steps += [f"%m = arith.divf %a, %n : {b.element}", f"%p = arith.addf %m, %e : {b.element}", f"%y = math.rsqrt %p : {b.element}"]
    factor = b.generic(["i", "i"], [total], b.empty(rows), steps)
    product = [f"%p = arith.mulf %a, %b : {b.element}", f"%y = arith.mulf %p, %c : {b.element}"]
    result = b.generic(["ij", "i", "j", "ij"], [x, factor, scale], b.empty(rows, columns), product)

    def expected(inputs):
        for row in rows_of(inputs[0], columns.number):
            factor = 1 / math.sqrt(math.fsum(value * value for value in row) / count + 1e-6)
            for value, weight in zip(row, inputs[1]):
                yield b.close(value * factor * weight)

    return result, expected


def residual_log_softmax(b):
    """Of a sum of two, which is read three times."""
    b.floats()
    rows, columns = draw(b)
    left, right = b.argument(rows, columns), b.argument(rows, columns)
    both = b.generic(["ij", "ij", "ij"], [left, right], b.empty(rows, columns), [f"%y = arith.addf %a, %b : {b.element}"])
    most = b.generic(["ij", "i"], [both], b.filled(-math.inf, rows), [f"%y = arith.maximumf %a, %o : {b.element}"], "j")
    steps = [f"%d = arith.subf %a, %b : {b.element}", f"%x = math.exp %d : {b.element}", f"%y = arith.addf %x, %o : {b.element}"]
    total = b.generic(["ij", "i", "i"], [both, most], b.filled(0.0, rows), steps, "j")
    steps = [f"%l = math.log %c : {b.element}", f"%d = arith.subf %a, %b : {b.element}", f"%y = arith.subf %d, %l : {b.element}"]
    result = b.generic(["ij", "i", "i", "ij"], [both, most, total], b.empty(rows, columns), steps)

    def expected(inputs):
        values = [x + y for x, y in zip(*inputs)]
        for row in rows_of(values, columns.number):
            logarithm = math.log(math.fsum(map(math.exp, row))) if row else 0.0
            for value in row:
                yield b.close(value - logarithm, 4.0)

    return result, expected


def distance_from_most(b):
    """The sum of how far a row's elements are below its largest; also integers."""
    rows, columns = draw(b)
    x = b.argument(rows, columns)
    least = -math.inf if b.element != "i32" else -(2**31)
    larger = "maximumf" if b.element != "i32" else "maxsi"
    most = b.generic(["ij", "i"], [x], b.filled(least, rows), [f"%y = arith.{larger} %a, %o : {b.element}"], "j")
    steps = [f"%d = arith.sub{b.suffix} %b, %a : {b.element}", f"%y = arith.add{b.suffix} %d, %o : {b.element}"]
    result = b.generic(["ij", "i", "i"], [x, most], b.filled(b.number(1), rows), steps, "j")

    def expected(inputs):
        if not columns.number:
            return [b.bound([], 1)] * rows.number
        return [b.bound([max(row) - value for value in row], 1) for row in rows_of(inputs[0], columns.number)]

    return result, expected


FAMILIES = [softmax, layer_norm, rms_norm, residual_log_softmax, distance_from_most]
