"""Operations of random programs. Each draws what it is asked beside its tensors, and avoids what C leaves undefined:
quotients by 0, shifts by the width of a type and floats that an integer cannot hold.

Floats are tamed before sums and quotients, so that all orders of the operations give the same bits.
"""

import torch

DTYPES = (torch.uint8, torch.int8, torch.int16, torch.int32, torch.uint32, torch.int64, torch.bool, torch.float32)
# Steps, each a function of a generator and of tensors, and the number of the tensors.
TABLE = []
# Numbers that tensors are combined with.
SCALARS = (0, 1, 2, 3, 7, 100, 255, -1, -3, -128, 0.5, 2.5, True)


def takes(count):
    """Puts a step that takes so many tensors into the table."""

    def add(function):
        TABLE.append((function, count))
        return function

    return add


# --- What steps draw, and how they keep to what is defined ---


def _choose(rng, choices):
    return choices[rng.integers(len(choices))]


def _axis(rng, x):
    return int(rng.integers(-x.dim(), x.dim())) if x.dim() else 0


def _tame(x):
    """Floats become whole numbers of which sums and products of two are exact."""
    return torch.where(x.isnan(), 0, x).clamp(-64, 64).round() if x.is_floating_point() else x


def _convert(x, dtype):
    """Floats are cut to what an integer can hold."""
    if x.is_floating_point() and not dtype.is_floating_point and dtype != torch.bool:
        bits = 8 * dtype.itemsize
        low, high = (-(2 ** (bits - 2)), 2 ** (bits - 2)) if dtype.is_signed else (0, 2 ** (bits - 1))
        x = torch.where(x.isnan(), 0, x).clamp(low, high)
    return x.to(dtype)


def _fit(x, y):
    """Cuts both so that they broadcast."""
    for axis in range(1, min(x.dim(), y.dim()) + 1):
        a, b = x.shape[-axis], y.shape[-axis]
        if a != b and 1 not in (a, b):
            x, y = x.narrow(-axis, 0, min(a, b)), y.narrow(-axis, 0, min(a, b))
    return x, y


def _divisor(y):
    """Neither 0, nor the -1 by which the least integer has no quotient."""
    y = _tame(y)
    bad = y == 0
    bad = bad | (y == -1) if y.dtype.is_signed else bad
    return torch.where(bad, torch.full_like(y, 3), y)


def _amount(x, y):
    """How far the elements of x can be shifted. Truths cannot be, in exported programs."""
    if x.dtype == torch.bool:
        raise TypeError("a shift of truths")
    return y % (8 * x.element_size())


def _index(y, size):
    return torch.remainder(_convert(y, torch.int64), size)


def _index_as(x, y, dim):
    """An index for each element of x that is not cut along an axis."""
    x, y = _fit(x, y)
    return x, _index(y, x.shape[dim]).expand(torch.broadcast_shapes(x.shape, y.shape))


# --- Of two tensors ---

BINARY = (
    torch.add, torch.sub, torch.mul, torch.maximum, torch.minimum, torch.bitwise_and, torch.bitwise_or, torch.bitwise_xor,
    torch.logical_and, torch.logical_or, torch.logical_xor,
)  # fmt: skip
COMPARISONS = (torch.eq, torch.ne, torch.lt, torch.le, torch.gt, torch.ge)


@takes(2)
@takes(2)
@takes(2)
def combine(rng, x, y):
    return _choose(rng, BINARY)(*_fit(x, y))


@takes(2)
@takes(2)
def compare(rng, x, y):
    return _choose(rng, COMPARISONS)(*_fit(x, y))


@takes(2)
def add_multiple(rng, x, y):
    return torch.add(*_fit(_tame(x), _tame(y)), alpha=int(rng.integers(-3, 9)))


@takes(2)
@takes(2)
def divide(rng, x, y):
    x, y = _fit(_tame(x), y)
    return torch.div(x, _divisor(y), rounding_mode=_choose(rng, (None, "floor", "trunc")))


@takes(2)
@takes(2)
def take_remainder(rng, x, y):
    x, y = _fit(_tame(x), y)
    return _choose(rng, (torch.remainder, torch.fmod))(x, _divisor(y))


@takes(2)
@takes(2)
def shift(rng, x, y):
    x, y = _fit(x, y)
    return _choose(rng, (torch.bitwise_left_shift, torch.bitwise_right_shift))(x, _amount(x, y))


@takes(2)
def select(rng, x, y):
    x, y = _fit(x, y)
    return torch.where(x > _choose(rng, (0, 1, 50)), x, y)


@takes(3)
def select_by(rng, condition, x, y):
    x, y = _fit(x, y)
    condition, x = _fit(condition, x)
    x, y = _fit(x, y)
    condition, y = _fit(condition, y)
    return torch.where(condition != 0, x, y)


@takes(2)
def multiply_matrices(rng, x, y):
    x, y = (_tame(t).reshape(-1, t.shape[-1]) if t.dim() else _tame(t).reshape(1, 1) for t in (x, _convert(y, x.dtype)))
    length = min(x.shape[1], y.shape[1])
    x, y = x[:, :length], y[:, :length].T
    return _choose(rng, (lambda: x @ y, lambda: x @ y[:, 0], lambda: (x.unsqueeze(0) @ y.unsqueeze(0)).squeeze(0)))()


# --- Of one tensor ---

UNARY = (
    torch.neg, torch.abs, torch.sign, torch.bitwise_not, torch.logical_not, torch.square, torch.floor, torch.clone,
    torch.flatten, torch.relu, torch.positive, torch.t, torch.ones_like, lambda x: x**3,
)  # fmt: skip


@takes(1)
@takes(1)
@takes(1)
def change(rng, x):
    return _choose(rng, UNARY)(_tame(x))


@takes(1)
@takes(1)
@takes(1)
def cast(rng, x):
    return _convert(x, _choose(rng, DTYPES))


@takes(1)
def reinterpret(rng, x):
    """The same bits, of an integer."""
    x = _convert(x, torch.int32) if x.is_floating_point() else x
    return x.view(_choose(rng, [dtype for dtype in DTYPES[:6] if dtype.itemsize == x.element_size()]))


@takes(1)
@takes(1)
def combine_with_number(rng, x):
    number = _choose(rng, SCALARS)
    function = _choose(rng, BINARY[:3] + BINARY[5:8] + COMPARISONS)
    return function(_tame(x), number)


@takes(1)
def divide_by_number(rng, x):
    number = _choose(rng, (2, 3, 7, 100, -2, -5))
    functions = (torch.remainder, torch.fmod, torch.floor_divide, torch.true_divide)
    return _choose(rng, functions)(_tame(x), number)


@takes(1)
def divide_number(rng, x):
    number = _choose(rng, (100, -100, 7))
    return _choose(rng, (lambda y: number // y, lambda y: number % y, lambda y: number - y))(_divisor(x))


@takes(1)
def shift_by_number(rng, x):
    number = int(_amount(x, rng.integers(64)))
    return x << number if rng.integers(2) else x >> number


@takes(1)
def clamp(rng, x):
    low, high = _choose(rng, ((1, 100), (-5, 20), (0, None), (None, 30), (2, 1), (0.5, 3)))
    return x.clamp(low, high)


@takes(2)
def clamp_by(rng, x, y):
    x, y = _fit(x, y)
    return x.clamp(min=y) if rng.integers(2) else x.clamp(max=y)


REDUCTIONS = (torch.sum, torch.amax, torch.amin, torch.any, torch.all, torch.argmax, torch.argmin)


@takes(1)
@takes(1)
@takes(1)
def reduce(rng, x):
    return _choose(rng, REDUCTIONS)(_tame(x), dim=_axis(rng, x), keepdim=bool(rng.integers(2)))


@takes(1)
def reduce_all(rng, x):
    return _choose(rng, (torch.sum, torch.amax, torch.any, torch.argmin, torch.count_nonzero))(_tame(x))


@takes(1)
def multiply_along(rng, x):
    return (x if not x.is_floating_point() else x.sign()).prod(_axis(rng, x))


@takes(1)
def sum_as(rng, x):
    """In a type that may be narrower than that of the elements."""
    return x.sum(_axis(rng, x), dtype=_choose(rng, DTYPES[:4])) if not x.is_floating_point() else x.amax(_axis(rng, x))


@takes(1)
@takes(1)
def scan(rng, x):
    axis = _axis(rng, x)
    scans = (lambda x: x.cumsum(axis), lambda x: x.cummax(axis)[0], lambda x: x.cummin(axis)[0])
    return _choose(rng, scans)(_tame(x))


@takes(1)
def multiply_so_far(rng, x):
    return (x if not x.is_floating_point() else x.sign()).cumprod(_axis(rng, x))


@takes(1)
@takes(1)
def order(rng, x):
    axis, descending = _axis(rng, x), bool(rng.integers(2))
    count = x.shape[axis] // 2 + 1 if x.dim() else 1
    orders = (
        lambda: x.sort(dim=axis, descending=descending)[0],
        lambda: x.topk(count, axis, largest=descending)[0],
        lambda: x.argsort(dim=axis, descending=descending, stable=True),
    )
    return _choose(rng, orders)()


# --- Layouts ---


@takes(1)
@takes(1)
@takes(1)
def move(rng, x):
    axis = _axis(rng, x)
    moves = (
        lambda: x.flip(axis),
        lambda: x.roll(2, axis),
        lambda: x.permute(*reversed(range(x.dim()))),
        lambda: x.unsqueeze(axis),
        lambda: x.reshape(-1, 2),
        lambda: x.reshape(x.shape[-1], -1),
        lambda: x.narrow(axis, 1, x.shape[axis] - 1).contiguous() if x.shape[axis] > 1 else x.squeeze(axis),
        lambda: x.select(axis, -1),
        lambda: x[..., ::2],
        lambda: x.unsqueeze(0).expand(3, *x.shape),
        lambda: x.repeat(2, *[1] * (x.dim() - 1)),
        lambda: x.tril(int(rng.integers(-1, 2))),
        lambda: x.diff(dim=axis),
        lambda: x.unfold(axis, 2, 1),
    )
    return _choose(rng, moves)()


@takes(1)
def pad(rng, x):
    sizes = [int(size) for size in rng.integers(-1, 3, 2 * int(rng.integers(1, x.dim() + 1)))]
    return torch.nn.functional.pad(x, sizes, value=_choose(rng, (0, 1, 7, 200)))


@takes(2)
def join(rng, x, y):
    """Types may differ, and become one."""
    x, y = _fit(x, y)
    shape = torch.broadcast_shapes(x.shape, y.shape)
    x, y = x.expand(shape), y.expand(shape)
    return torch.cat((x, y, x), _axis(rng, x)) if rng.integers(2) else torch.stack((x, y), _axis(rng, x))


# --- Indices ---


@takes(2)
def gather(rng, x, y):
    axis = _axis(rng, x)
    x, index = _index_as(x, y, axis)
    return x.gather(axis, index)


@takes(2)
def select_rows(rng, x, y):
    axis = _axis(rng, x)
    index = _index(y.flatten(), x.shape[axis])
    rows = (lambda: x.index_select(axis, index), lambda: x[_index(y.reshape(1, -1), len(x))], lambda: torch.take(x, _index(y, x.numel())))
    return _choose(rng, rows)()


@takes(3)
def scatter(rng, x, y, source):
    axis = _axis(rng, x)
    x, index = _index_as(x, y, axis)
    source = _convert(source.flatten(), x.dtype).repeat(index.numel())[: index.numel()].reshape(index.shape)
    x, source = _tame(x), _tame(source)
    scatters = (
        lambda: x.scatter_add(axis, index, source),
        lambda: x.scatter_reduce(axis, index, source, "amax"),
        lambda: x.scatter_reduce(axis, index, source, "amin", include_self=False),
    )
    return _choose(rng, scatters)()


@takes(3)
def add_rows(rng, x, y, source):
    index = _index(y.flatten(), len(x))
    rows = _tame(_convert(source.flatten(), x.dtype)).repeat(index.numel() * x.numel())
    rows = rows[: index.numel() * x[0].numel()].reshape(index.numel(), *x.shape[1:])
    adders = (lambda x: x.index_add(0, index, rows), lambda x: x.index_put((index,), rows, accumulate=True))
    return _choose(rng, adders)(_tame(x))


@takes(2)
def fill(rng, x, y):
    x, y = _fit(x, y)
    return x.masked_fill(y > 1, _choose(rng, (0, 5, 100)))


@takes(2)
def embed(rng, x, y):
    return torch.nn.functional.embedding(_index(y, len(x)), x)


@takes(1)
def make_one_hot(rng, x):
    return torch.nn.functional.one_hot(_index(x, 5), 5)


@takes(2)
def find_places(rng, x, y):
    """Of numbers that are in order; numbers that are none are left out."""
    right = bool(rng.integers(2))
    ordered = _tame(x).flatten().sort()[0]
    values = _convert(_tame(y), x.dtype)
    return torch.bucketize(values, ordered, right=right) if rng.integers(2) else torch.searchsorted(ordered, values, right=right)
