#!/usr/bin/env python3
"""Compiles the programs of the benchmark of kernels for awkward shapes, runs them
and compares all results with double precision.

  shapes.py BIN LIB matmul 1x1x1 17x31x13 ...
  shapes.py BIN LIB --winograd convolution 1x16x14x14x32x3x1x1
  shapes.py BIN LIB --orders=20 inverted 1x3x5x7

  shapes.py BIN LIB --every=3 matmul ...      one shape in three; all with HETERO_FULL_TESTS=1

With orders, images have their channels last or not at random, so many times.
"""

import ctypes
import itertools
import math
import os
import subprocess
import sys
import tempfile

import numpy as np

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))))
sys.path[:0] = [os.path.join(ROOT, *folders) for folders in (("benchmarks", "cpu-kernels"), ("test", "Integration", "Inputs"))]
sys.dont_write_bytecode = True
import programs  # noqa: E402
from hetero_abi import HeteroValue, describe  # noqa: E402

EPSILON = 2.0**-23
# How much further off sums of transformed pixels and filters may be.
WINOGRAD = 2


def bound(terms):
    """A sum and how far a sum in f32 may be from it."""
    terms = list(terms)
    return math.fsum(terms), EPSILON * (4 + 2 * math.sqrt(len(terms))) * math.fsum(map(abs, terms)) + 1e-30


def product(a, b, counts):
    """As bound, for each element of a product of matrices; `counts` says of how many
    terms a sum is."""
    sums, most = a @ b, np.abs(a) @ np.abs(b)
    errors = EPSILON * (4 + 2 * np.sqrt(counts)) * most + 1e-30
    return list(zip(sums.ravel().tolist(), errors.ravel().tolist()))


def as_matrix(values, rows, columns):
    return np.array(values, dtype=np.float64).reshape(rows, columns)


def matmul(inputs, m, n, k):
    a, b = inputs
    return product(as_matrix(a, m, k), as_matrix(b, k, n), k)


def transpose(values, rows, columns):
    return [values[i * columns + j] for j in range(columns) for i in range(rows)]


def matmul_transpose_a(inputs, m, n, k):
    return matmul([transpose(inputs[0], k, m), inputs[1]], m, n, k)


def matmul_transpose_b(inputs, m, n, k):
    return matmul([inputs[0], transpose(inputs[1], n, k)], m, n, k)


def batch_matmul_transpose_b(inputs, batch, m, n, k):
    parts = (transpose(inputs[1][i * n * k : (i + 1) * n * k], n, k) for i in range(batch))
    return batch_matmul([inputs[0], [element for part in parts for element in part]], batch, m, n, k)


def matmul_weights(inputs, m, n, k):
    return matmul([inputs[0], programs.random_values(k * n, 1)], m, n, k)


def batch_matmul(inputs, batch, m, n, k):
    a, b = inputs
    parts = ((a[i * m * k : (i + 1) * m * k], b[i * k * n : (i + 1) * k * n]) for i in range(batch))
    return [element for part in parts for element in matmul(part, m, n, k)]


def gelu(x):
    return 0.5 * x * (1 + math.erf(x * math.sqrt(0.5)))


def matmul_gelu(inputs, m, n, k):
    sums = matmul(inputs[:2], m, n, k)
    return [(gelu(value + inputs[2][i % n]), 1.2 * error + 2e-6 + 1e-6 * abs(value)) for i, (value, error) in enumerate(sums)]


def matmul_weights_gelu(inputs, m, n, k):
    return matmul_gelu([inputs[0], programs.random_values(k * n, 1), inputs[1]], m, n, k)


def taps(h, w, window, stride, padding):
    """For each pixel of the output the positions in a channel and in the window
    that it reads."""
    for y in range(programs.output_size(h, window, stride, padding)):
        for x in range(programs.output_size(w, window, stride, padding)):
            pairs = []
            for i in range(window):
                for j in range(window):
                    row, column = y * stride + i - padding, x * stride + j - padding
                    if 0 <= row < h and 0 <= column < w:
                        pairs.append((row * w + column, i * window + j))
            yield pairs


def gather_taps(image, h, w, window, stride, padding):
    """What each pixel of the output reads of a channel times `h` times `w`: channels,
    pixels and positions in the window, 0 where these lie outside; and how many do not."""
    pixels = list(taps(h, w, window, stride, padding))
    where = np.full((len(pixels), window * window), h * w)
    for row, pairs in zip(where, pixels):
        for at, tap in pairs:
            row[tap] = at
    return np.pad(image, ((0, 0), (0, 1)))[:, where], np.array([len(pairs) for pairs in pixels])


def convolution(inputs, n, c, h, w, f, window, stride, padding):
    images = np.array(inputs[0], dtype=np.float64).reshape(n, c, h * w)
    weights = as_matrix(programs.random_values(f * c * window * window, 1), f, c * window * window)
    results = []
    for image in images:
        read, counts = gather_taps(image, h, w, window, stride, padding)
        columns = read.transpose(0, 2, 1).reshape(c * window * window, len(counts))
        results += product(weights, columns, c * counts)
    return results


def convolution_add_relu(inputs, n, c, h, w, f, window, stride, padding):
    sums = convolution(inputs, n, c, h, w, f, window, stride, padding)
    area = len(sums) // (n * f)
    bias, residual = inputs[1:]
    return [(max(0.0, value + bias[i // area % f] + residual[i]), error + 1e-6) for i, (value, error) in enumerate(sums)]


def convolution_channels_last(inputs, n, c, h, w, f, window, stride, padding):
    images = np.array(inputs[0], dtype=np.float64).reshape(n, h * w, c)
    weights = as_matrix(programs.random_values(f * c * window * window, 1), window * window * c, f)
    results = []
    for image in images:
        read, counts = gather_taps(image.T, h, w, window, stride, padding)
        rows = read.transpose(1, 2, 0).reshape(len(counts), window * window * c)
        results += product(rows, weights, c * counts[:, None])
    return results


def convolution_add_relu_channels_last(inputs, n, c, h, w, f, *window):
    sums = convolution_channels_last(inputs, n, c, h, w, f, *window)
    bias, residual = inputs[1:]
    return [(max(0.0, value + bias[i % f] + residual[i]), error + 1e-6) for i, (value, error) in enumerate(sums)]


def depthwise(inputs, n, c, h, w, f, window, stride, padding, weights=None):
    data, weights = inputs[0], weights or programs.random_values(c * window * window, 1)
    pixels = list(taps(h, w, window, stride, padding))
    size = window * window
    return [
        bound(data[plane * h * w + at] * weights[plane % c * size + tap] for at, tap in pairs) for plane in range(n * c) for pairs in pixels
    ]


def max_pool(inputs, n, c, h, w, window, stride, padding):
    pixels = list(taps(h, w, window, stride, padding))
    return [(max(inputs[0][plane * h * w + at] for at, _ in pairs), 0) for plane in range(n * c) for pairs in pixels]


def transpose_images(values, n, rows, columns):
    area = len(values) // n
    return [element for i in range(n) for element in transpose(values[i * area : (i + 1) * area], rows, columns)]


def depthwise_channels_last(inputs, n, c, h, w, f, window, *rest):
    weights = transpose(programs.random_values(c * window * window, 1), window * window, c)
    results = depthwise([transpose_images(inputs[0], n, h * w, c)], n, c, h, w, f, window, *rest, weights=weights)
    return transpose_images(results, n, c, len(results) // (n * c))


def max_pool_channels_last(inputs, n, c, h, w, *rest):
    results = max_pool([transpose_images(inputs[0], n, h * w, c)], n, c, h, w, *rest)
    return transpose_images(results, n, c, len(results) // (n * c))


def evaluate(layer, values):
    """What a layer of a network makes."""
    n, c, h, w = layer.shape
    data, area, size = values[-1], h * w, layer.window**2
    weights = programs.random_values(math.prod(layer.filter_shape()), layer.weights or 0)
    bias = programs.random_values(layer.filters, (layer.weights or 0) + 1)
    pixels = list(taps(h, w, layer.window, layer.stride, layer.padding))
    result = []
    for image, k, pairs in itertools.product(range(n), range(layer.filters), pixels):
        if layer.weights is None:
            result.append(max(data[(image * c + k) * area + at] for at, _ in pairs))
            continue
        channels = [k] if layer.depthwise else range(c)
        depth = len(channels)
        terms = (data[(image * c + i) * area + at] * weights[(k * depth + j) * size + tap] for j, i in enumerate(channels) for at, tap in pairs)
        value = math.fsum(terms) + bias[k]
        if layer.residual is not None:
            value += values[layer.residual][len(result)]
        result.append(max(value, 0.0) if layer.relu else value)
    return result


def evaluate_network(kind, inputs, sizes):
    values = [inputs[0]]
    for layer in programs.NETWORKS[kind](*sizes).layers:
        values.append(evaluate(layer, values))
    most = max(map(abs, values[-1]))
    return [(value, 1e-5 * most) for value in values[-1]]


def softmax(inputs, rows, columns):
    result = []
    for i in range(rows):
        row = [math.exp(x) for x in inputs[0][i * columns : (i + 1) * columns]]
        result += [(x / math.fsum(row), 2e-6) for x in row]
    return result


def row_sums(inputs, rows, columns):
    return [bound(inputs[0][i * columns : (i + 1) * columns]) for i in range(rows)]


def layer_norm(inputs, rows, columns):
    data, scale, shift = inputs
    result = []
    for i in range(rows):
        row = data[i * columns : (i + 1) * columns]
        mean = math.fsum(row) / columns
        factor = 1 / math.sqrt(math.fsum((x - mean) ** 2 for x in row) / columns + 1e-5)
        result += [((x - mean) * factor * a + b, 1e-5 * (1 + factor)) for x, a, b in zip(row, scale, shift)]
    return result


def attention(inputs, heads, length, width):
    q, k, v = inputs
    scores = [value for value, _ in batch_matmul([q, k], heads, length, length, width)]
    weights = [value for value, _ in softmax([scores], heads * length, length)]
    return [(value, 5e-5) for value, _ in batch_matmul([weights, v], heads, length, width, length)]


def parse(text):
    """Kind, sizes and the shapes of the arguments of a program."""
    signature = text[text.index("(") + 1 : text.index(") ->")]
    shapes = [argument.split("tensor<")[1].split("xf32>")[0] for argument in signature.split(", ")]
    return [[int(size) for size in shape.split("x")] for shape in shapes]


def check(library, runtime, name, kind, sizes, shapes, factor):
    arguments = [programs.random_values(math.prod(shape), seed) for seed, shape in enumerate(shapes)]
    values = (HeteroValue * len(shapes))(*(describe(a.buffer_info()[0], shape) for a, shape in zip(arguments, shapes)))
    result = HeteroValue()
    if getattr(library, name)(values, len(shapes), ctypes.byref(result), 1):
        sys.exit(f"{kind} {sizes}: {runtime.heteroLastError().decode()}")
    expected = evaluate_network(kind, arguments, sizes) if kind in programs.NETWORKS else globals()[kind](arguments, *sizes)
    count = math.prod(result.sizes[: result.rank])
    got = list((ctypes.c_float * count).from_address(result.data)) if count else []
    if len(got) != len(expected):
        sys.exit(f"{kind} {sizes}: {len(got)} results, expected {len(expected)}")
    for i, (value, (want, error)) in enumerate(zip(got, expected)):
        if not abs(value - want) <= error * factor:
            sys.exit(f"{kind} {sizes}: {value} at {i}, expected {want} within {error}")
    runtime.heteroReleaseValue(ctypes.byref(result))
    return count


def reorder(binaries, text, orders):
    """The program as it is, or so many times with images in any order."""
    if not orders:
        return [text]
    command = [os.path.join(binaries, "hetero-opt-test-passes"), "--mlir-print-local-scope"]
    passes = [f"--test-hetero-move-channels-last=seed={seed}" for seed in range(1, orders + 1)]
    modules = [subprocess.run([*command, flag], input=text, capture_output=True, text=True, check=True).stdout for flag in passes]
    return [module[module.index("func.func") : module.rindex("}")] for module in modules]


def main():
    binaries, libraries, *words = sys.argv[1:]
    winograd = "--winograd" in words
    rules = "{default: cpu, rules: [{op: '*', device: 'cpu:0', codegen: winograd}]}" if winograd else "{default: cpu}"
    orders = max([int(word[len("--orders=") :]) for word in words if word.startswith("--orders=")], default=0)
    every = max([int(word[len("--every=") :]) for word in words if word.startswith("--every=")], default=1)
    flags = [word for word in words if word.startswith("--") and word != "--winograd" and not word.startswith(("--orders=", "--every="))]
    kind, *all_sizes = [word for word in words if not word.startswith("--")]
    if not os.environ.get("HETERO_FULL_TESTS"):
        all_sizes = all_sizes[::every]
    cases = []
    for sizes in ([int(size) for size in text.split("x")] for text in all_sizes):
        original = programs.KINDS[kind](*sizes)
        cases += [(sizes, parse(original), text) for text in reorder(binaries, original, orders)]
    runtime = ctypes.CDLL(os.path.join(libraries, "libhetero_runtime.so"), mode=ctypes.RTLD_GLOBAL)
    runtime.heteroLastError.restype = ctypes.c_char_p
    with tempfile.TemporaryDirectory() as folder:
        source, target = os.path.join(folder, "kernels.mlir"), os.path.join(folder, "kernels.so")
        with open(source, "w") as file:
            file.writelines(text.replace("@kernel", f"@kernel{i}") for i, (_, _, text) in enumerate(cases))
        command = [os.path.join(binaries, "hetero-compile"), source, f"--rules={rules}", "--processors=native", *flags, "-o", target]
        subprocess.run(command, check=True)
        library = ctypes.CDLL(target)
        count = sum(
            check(library, runtime, f"kernel{i}", kind, sizes, shapes, WINOGRAD if winograd else 1) for i, (sizes, shapes, _) in enumerate(cases)
        )
    print(f"{kind}: {len(cases)} shapes, {count} results")


if __name__ == "__main__":
    main()
