"""Computes an example in double precision, without this project: writes its
inputs and its result as .npy files. Usage: reference.py NAME FOLDER."""

import itertools
import math
import os
import re
import struct
import sys


def write_npy(path, sizes, values):
    header = f"{{'descr': '<f4', 'fortran_order': False, 'shape': {tuple(sizes)}, }}\n"
    with open(path, "wb") as file:
        file.write(b"\x93NUMPY\x01\x00" + len(header).to_bytes(2, "little"))
        file.write(header.encode() + struct.pack(f"<{len(values)}f", *values))


def numbers(count, seed):
    """Exact in f32, of both signs, and no period that a size divides."""
    return [((i * 37 + seed * 11) % 29 - 14) / 16 for i in range(count)]


def conv2d(image, filters, channels, size, outputs):
    """An image of `channels` squares of `size`, and 3 by 3 filters."""
    out = size - 2
    result = []
    for f, y, x in itertools.product(range(outputs), range(out), range(out)):
        total = 0.0
        for c, i, j in itertools.product(range(channels), range(3), range(3)):
            total += (
                image[(c * size + y + i) * size + x + j]
                * filters[((f * channels + c) * 3 + i) * 3 + j]
            )
        result.append(total)
    return result


def conv_on_gpu(source):
    image, filter1 = numbers(3 * 10 * 10, 1), numbers(8 * 3 * 3 * 3, 2)
    bias, filter2 = numbers(8, 3), numbers(4 * 8 * 3 * 3, 4)
    first = conv2d(image, filter1, 3, 10, 8)
    relu = [max(value + bias[i // 64], 0.0) for i, value in enumerate(first)]
    second = conv2d(relu, filter2, 8, 8, 4)
    result = [math.tanh(value / 2) for value in second]
    inputs = [
        ((1, 3, 10, 10), image),
        ((8, 3, 3, 3), filter1),
        ((8,), bias),
        ((4, 8, 3, 3), filter2),
    ]
    return inputs, ((1, 4, 6, 6), result)


def constants(source):
    """The dense constants of the program: name to (sizes, values)."""
    found = {}
    for name, values, shape in re.findall(
        r"%(\w+) = arith\.constant dense<([^>]*)> : tensor<([\dx]+)xf32>", source
    ):
        sizes = [int(size) for size in shape.split("x")]
        found[name] = (sizes, [float(x) for x in re.findall(r"-?\d+\.\d+", values)])
    return found


def matmul(a, rows, b, sizes):
    inner, columns = sizes
    return [
        sum(a[i * inner + k] * b[k * columns + j] for k in range(inner))
        for i in range(rows)
        for j in range(columns)
    ]


def partitioned_mlp(source):
    weights = constants(source)
    x = numbers(2 * 4, 5)
    hidden = x
    for layer in (1, 2):
        sizes, w = weights[f"w{layer}"]
        bias = weights[f"b{layer}"][1]
        product = matmul(hidden, 2, w, sizes)
        hidden = [max(v + bias[i % sizes[1]], 0.0) for i, v in enumerate(product)]
    sizes, w = weights["w3"]
    logits = matmul(hidden, 2, w, sizes)
    result = []
    for row in (logits[:3], logits[3:]):
        powers = [math.exp(v - max(row)) for v in row]
        result += [power / sum(powers) for power in powers]
    return [((2, 4), x)], ((2, 3), result)


def main():
    path, folder = sys.argv[1:3]
    with open(path) as file:
        source = file.read()
    name = os.path.splitext(os.path.basename(path))[0]
    programs = {"conv-on-gpu": conv_on_gpu, "partitioned-mlp": partitioned_mlp}
    inputs, result = programs[name](source)
    os.makedirs(folder, exist_ok=True)
    for index, (sizes, values) in enumerate(inputs):
        write_npy(os.path.join(folder, f"in{index}.npy"), sizes, values)
    write_npy(os.path.join(folder, "expected.npy"), *result)


main()
