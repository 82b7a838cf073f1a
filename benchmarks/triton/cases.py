"""Arguments for the kernels, and what NumPy computes of them. Sizes are no multiples
of blocks, but where the kernel asks for it."""

import numpy

import kernels


class Addresses:
    """An argument that is an array of the addresses of others."""

    def __init__(self, arrays):
        self.arrays = arrays


class Case:
    """Arguments of a kernel in the order of its parameters, and what must come of it:
    `results` has the number of an argument (of one of Addresses, its number and that of the
    array), the expected array, and how much may differ."""

    def __init__(self, kernel, grid, arguments, constants, results, warps=4, least=80):
        self.kernel, self.grid, self.arguments, self.constants = kernel, grid, arguments, constants
        self.results, self.warps, self.least = results, warps, least

    @property
    def name(self):
        return self.kernel.fn.__name__


def halves(random, *shape):
    return random.uniform(-1, 1, shape).astype(numpy.float16)


def singles(random, *shape):
    return random.uniform(-2, 2, shape).astype(numpy.float32)


def product(a, b):
    return a.astype(numpy.float64) @ b.astype(numpy.float64)


def elementwise(random):
    n, block = 5000, 1024
    x, y, out = singles(random, n), singles(random, n), numpy.zeros(n, numpy.float32)
    grid = (-(-n // block), 1, 1)
    yield Case(kernels.add, grid, [x, y, out, n], {"BLOCK": block}, [(2, x + y, 0)])
    p = 0.3
    yield Case(
        kernels.dropout, grid, [x, numpy.zeros(n, numpy.float32), out, n, p, 123], {"BLOCK": block},
        [(2, lambda of: numpy.where(of(1) > numpy.float32(p), x / numpy.float32(1 - p), 0), 1e-6)])
    bins = random.integers(0, 10, n).astype(numpy.int32)
    yield Case(kernels.atomic_histogram, grid, [bins, numpy.zeros(10, numpy.int32), n], {"BLOCK": block}, [(1, numpy.bincount(bins, minlength=10), 0)])
    rounded = numpy.array([round_to_f8(value) for value in x])
    yield Case(kernels.small_floats, grid, [x, out, n], {"BLOCK": block}, [(1, rounded, 0)], least=90)


def round_to_f8(value):
    """The number with four significant bits, or a multiple of 2^-9, next to one up to 448."""
    if value == 0:
        return 0.0
    unit = 2.0 ** (max(numpy.floor(numpy.log2(abs(float(value)))), -6) - 3)
    return float(numpy.clip(numpy.round(float(value) / unit) * unit, -448, 448))


def rows(random):
    count, columns = 37, 781
    x, out = singles(random, count, columns), numpy.zeros((count, columns), numpy.float32)
    powers = numpy.exp(x.astype(numpy.float64) - x.max(axis=1, keepdims=True))
    yield Case(kernels.softmax, (count, 1, 1), [x, out, columns], {"BLOCK": 1024}, [(1, powers / powers.sum(axis=1, keepdims=True), 1e-6)])
    yield Case(kernels.prefix_sums, (count, 1, 1), [x, out, columns], {"BLOCK": 1024}, [(1, x.astype(numpy.float64).cumsum(axis=1), 1e-4)])
    weight, bias = singles(random, columns), singles(random, columns)
    wide = x.astype(numpy.float64)
    norm = (wide - wide.mean(axis=1, keepdims=True)) / numpy.sqrt(wide.var(axis=1, keepdims=True) + 1e-5)
    yield Case(kernels.layer_norm, (count, 1, 1), [x, weight, bias, out, columns, 1e-5], {"BLOCK": 256}, [(3, norm * weight + bias, 1e-4)])


def products(random):
    tiles, most = {"BM": 64, "BN": 64, "BK": 32}, 2e-2
    M, N, K = 200, 136, 168
    a, b, c = halves(random, M, K), halves(random, K, N), numpy.zeros((M, N), numpy.float16)
    yield Case(kernels.matmul, (-(-M // 64), -(-N // 64), 1), [a, b, c, M, N, K], tiles, [(2, product(a, b), most)])
    yield Case(kernels.persistent_matmul, (5, 1, 1), [a, b, c, M, N, K, 5], tiles, [(2, product(a, b), most)])
    shapes = [(70, 64, 40), (64, 130, 96), (10, 20, 30)]
    arrays = [array for M, N, K in shapes for array in (halves(random, M, K), halves(random, K, N), numpy.zeros((M, N), numpy.float16))]
    results = [((0, 3 * i + 2), product(arrays[3 * i], arrays[3 * i + 1]), most) for i in range(len(shapes))]
    sizes = numpy.array(shapes, numpy.int32)
    yield Case(kernels.grouped_matmul, (4, 1, 1), [Addresses(arrays), sizes, len(shapes), 4], tiles, results)
    length, heads, depth = 150, 2, 64
    q, k, v = (halves(random, heads, length, depth) for _ in range(3))
    scale = 1 / depth**0.5
    scores = q.astype(numpy.float64) @ k.astype(numpy.float64).transpose(0, 2, 1) * scale
    scores = numpy.where(numpy.tril(numpy.ones((length, length), bool)), scores, -numpy.inf)
    powers = numpy.exp(scores - scores.max(axis=2, keepdims=True))
    expected = powers / powers.sum(axis=2, keepdims=True) @ v.astype(numpy.float64)
    out = numpy.zeros((heads, length, depth), numpy.float32)
    yield Case(kernels.attention, (-(-length // 64), heads, 1), [q, k, v, out, length, scale], {"D": depth, "BM": 64, "BN": 32}, [(3, expected, 5e-3)])


def make_cases():
    random = numpy.random.default_rng(7)
    yield from elementwise(random)
    yield from rows(random)
    yield from products(random)
