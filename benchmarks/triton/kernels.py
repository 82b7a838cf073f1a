"""Kernels of the kinds that Triton's users write, for the benchmark."""

import triton
import triton.language as tl


@triton.jit
def add(x, y, out, n, BLOCK: tl.constexpr):
    place = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = place < n
    total = tl.load(x + place, mask=inside) + tl.load(y + place, mask=inside)
    tl.store(out + place, total, mask=inside)


@triton.jit
def softmax(x, out, columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    place = tl.arange(0, BLOCK)
    inside = place < columns
    values = tl.load(x + row * columns + place, mask=inside, other=-float("inf"))
    powers = tl.exp(values - tl.max(values, axis=0))
    tl.store(out + row * columns + place, powers / tl.sum(powers, axis=0), mask=inside)


@triton.jit
def tile(a, b, row, column, M, N, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    """A tile of the product a @ b, in f32."""
    rows = row * BM + tl.arange(0, BM)
    columns = column * BN + tl.arange(0, BN)
    depth = tl.arange(0, BK)
    sums = tl.zeros((BM, BN), dtype=tl.float32)
    for first in range(0, K, BK):
        here = first + depth
        left = tl.load(a + rows[:, None] * K + here[None, :], mask=(rows[:, None] < M) & (here[None, :] < K), other=0.0)
        right = tl.load(b + here[:, None] * N + columns[None, :], mask=(here[:, None] < K) & (columns[None, :] < N), other=0.0)
        sums = tl.dot(left, right, sums)
    return rows, columns, sums


@triton.jit
def matmul(a, b, c, M, N, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    rows, columns, sums = tile(a, b, tl.program_id(0), tl.program_id(1), M, N, K, BM, BN, BK)
    tl.store(c + rows[:, None] * N + columns[None, :], sums.to(tl.float16), mask=(rows[:, None] < M) & (columns[None, :] < N))


@triton.jit
def persistent_matmul(a, b, c, M, N, K, programs, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    across = tl.cdiv(N, BN)
    for number in range(tl.program_id(0), tl.cdiv(M, BM) * across, programs):
        rows, columns, sums = tile(a, b, number // across, number % across, M, N, K, BM, BN, BK)
        tl.store(c + rows[:, None] * N + columns[None, :], sums.to(tl.float16), mask=(rows[:, None] < M) & (columns[None, :] < N))


@triton.jit
def grouped_matmul(pointers, sizes, groups, programs, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    """Several products: `pointers` has three addresses of each, `sizes` M, N, K."""
    number = tl.program_id(0)
    before = 0
    for group in range(groups):
        M = tl.load(sizes + 3 * group)
        N = tl.load(sizes + 3 * group + 1)
        K = tl.load(sizes + 3 * group + 2)
        a = tl.load(pointers + 3 * group).to(tl.pointer_type(tl.float16))
        b = tl.load(pointers + 3 * group + 1).to(tl.pointer_type(tl.float16))
        c = tl.load(pointers + 3 * group + 2).to(tl.pointer_type(tl.float16))
        across = tl.cdiv(N, BN)
        count = tl.cdiv(M, BM) * across
        while number < before + count:
            rows, columns, sums = tile(a, b, (number - before) // across, (number - before) % across, M, N, K, BM, BN, BK)
            tl.store(c + rows[:, None] * N + columns[None, :], sums.to(tl.float16), mask=(rows[:, None] < M) & (columns[None, :] < N))
            number += programs
        before += count


@triton.jit
def dropout(x, keep, out, n, p, seed, BLOCK: tl.constexpr):
    """Stores what was drawn as well, so that the result can be computed."""
    place = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = place < n
    drawn = tl.rand(seed, place)
    values = tl.load(x + place, mask=inside)
    tl.store(keep + place, drawn, mask=inside)
    tl.store(out + place, tl.where(drawn > p, values / (1 - p), 0.0), mask=inside)


@triton.jit
def layer_norm(x, weight, bias, out, columns, epsilon, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    total = tl.zeros((BLOCK,), dtype=tl.float32)
    for first in range(0, columns, BLOCK):
        place = first + tl.arange(0, BLOCK)
        total += tl.load(x + row * columns + place, mask=place < columns, other=0.0)
    mean = tl.sum(total, axis=0) / columns
    squares = tl.zeros((BLOCK,), dtype=tl.float32)
    for first in range(0, columns, BLOCK):
        place = first + tl.arange(0, BLOCK)
        difference = tl.where(place < columns, tl.load(x + row * columns + place, mask=place < columns, other=0.0) - mean, 0.0)
        squares += difference * difference
    scale = 1 / tl.sqrt(tl.sum(squares, axis=0) / columns + epsilon)
    for first in range(0, columns, BLOCK):
        place = first + tl.arange(0, BLOCK)
        inside = place < columns
        values = (tl.load(x + row * columns + place, mask=inside) - mean) * scale
        values = values * tl.load(weight + place, mask=inside) + tl.load(bias + place, mask=inside)
        tl.store(out + row * columns + place, values, mask=inside)


@triton.jit
def attention(q, k, v, out, length, scale, D: tl.constexpr, BM: tl.constexpr, BN: tl.constexpr):
    """Causal; program 1 is the head."""
    head = tl.program_id(1) * length * D
    rows = tl.program_id(0) * BM + tl.arange(0, BM)
    depth = tl.arange(0, D)
    query = tl.load(q + head + rows[:, None] * D + depth[None, :], mask=rows[:, None] < length, other=0.0)
    most = tl.full((BM,), -float("inf"), dtype=tl.float32)
    weights = tl.zeros((BM,), dtype=tl.float32)
    sums = tl.zeros((BM, D), dtype=tl.float32)
    for first in range(0, (tl.program_id(0) + 1) * BM, BN):
        others = first + tl.arange(0, BN)
        key = tl.load(k + head + others[None, :] * D + depth[:, None], mask=others[None, :] < length, other=0.0)
        value = tl.load(v + head + others[:, None] * D + depth[None, :], mask=others[:, None] < length, other=0.0)
        scores = tl.dot(query, key) * scale
        scores = tl.where(rows[:, None] >= others[None, :], scores, -1.0e30)
        next_most = tl.maximum(most, tl.max(scores, axis=1))
        powers = tl.exp(scores - next_most[:, None])
        fade = tl.exp(most - next_most)
        weights = weights * fade + tl.sum(powers, axis=1)
        sums = tl.dot(powers.to(tl.float16), value, sums * fade[:, None])
        most = next_most
    tl.store(out + head + rows[:, None] * D + depth[None, :], sums / weights[:, None], mask=rows[:, None] < length)


@triton.jit
def atomic_histogram(x, out, n, BLOCK: tl.constexpr):
    place = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = place < n
    tl.atomic_add(out + tl.load(x + place, mask=inside, other=0), 1, mask=inside)


@triton.jit
def prefix_sums(x, out, columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    place = tl.arange(0, BLOCK)
    values = tl.load(x + row * columns + place, mask=place < columns, other=0.0)
    tl.store(out + row * columns + place, tl.cumsum(values, axis=0), mask=place < columns)


@triton.jit
def small_floats(x, out, n, BLOCK: tl.constexpr):
    """To f8 and back."""
    place = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = place < n
    values = tl.load(x + place, mask=inside).to(tl.float8e4nv)
    tl.store(out + place, values.to(tl.float32), mask=inside)
