"""Elements, and reductions of all of them."""

from __future__ import annotations

import functools
import math

import torch

from hetero.importers.decompositions import decomposes, make_node, to_tensor


def _is_negative(x):
    """Whether the sign is there; -0 has one."""
    return torch.where(x == 0, x.reciprocal(), x) < 0


@decomposes("copysign.Tensor")
def _copysign(x, y):
    x, y = torch.broadcast_tensors(x, y)
    x = x if x.is_floating_point() else x.float()
    size = x.abs()
    return torch.where(_is_negative(y) if y.is_floating_point() else y < 0, -size, size)


@decomposes("copysign.Scalar")
def _copysign_scalar(x, y):
    size = (x if x.is_floating_point() else x.float()).abs()
    return -size if math.copysign(1, y) < 0 else size


@decomposes("signbit")
def _signbit(x):
    return _is_negative(x) if x.is_floating_point() else x < 0


def _select_number(x, y, choose):
    """The larger or smaller one, or that which is a number."""
    dtype = torch.result_type(x, y)
    x, y = x.to(dtype), y.to(dtype)
    if not dtype.is_floating_point:
        return choose(x, y)
    return torch.where(x.isnan(), y, torch.where(y.isnan(), x, choose(x, y)))


@decomposes("fmax")
def _fmax(x, y):
    return _select_number(x, y, torch.maximum)


@decomposes("fmin")
def _fmin(x, y):
    return _select_number(x, y, torch.minimum)


@decomposes("frexp.Tensor")
def _frexp(x):
    """x = mantissa * 2 ** exponent, and the mantissa is of [0.5, 1)."""
    regular = x.isfinite() & (x != 0)
    size = torch.where(regular, x.abs(), torch.ones_like(x))
    exponent = size.log2().floor() + 1
    # Where the logarithm is rounded over a whole number.
    mantissa = size * torch.exp2(-exponent)
    exponent = exponent + (mantissa >= 1).to(x.dtype) - (mantissa < 0.5).to(x.dtype)
    mantissa = torch.where(x < 0, -1.0, 1.0) * size * torch.exp2(-exponent)
    return torch.where(regular, mantissa, x), torch.where(regular, exponent, 0.0).to(torch.int32)


@decomposes("hypot")
def _hypot(x, y):
    x, y = x.abs(), y.abs()
    larger = torch.maximum(x, y)
    scale = torch.where((larger == 0) | larger.isinf(), 1.0, larger)
    found = scale * ((x / scale) ** 2 + (y / scale) ** 2).sqrt()
    return torch.where(larger.isinf() | x.isinf() | y.isinf(), math.inf, found)


@decomposes("uniform")
def _uniform(x, low=0.0, high=1.0, generator=None):
    return low + (high - low) * torch.rand_like(x)


@decomposes("where.Scalar")
def _where_scalars(condition, x, y):
    dtype = torch.int64 if isinstance(x, int) and isinstance(y, int) else torch.get_default_dtype()
    return torch.where(condition, torch.full_like(condition, x, dtype=dtype), torch.full_like(condition, y, dtype=dtype))


@decomposes("conj_physical", "_conj_physical")
def _conj_physical(x):
    return torch.complex(x.real, -x.imag) if x.is_complex() else x.clone()


def _decide(operation):
    """Whether all or any are not 0; of bytes a byte says so."""

    def decompose(x, *dims, **options):
        if x.dtype == torch.uint8:
            return operation(x != 0, *dims, **options).to(torch.uint8)
        return NotImplemented if x.dim() else x != 0

    return decompose


for _name, _operation in (("all", torch.all), ("any", torch.any)):
    decomposes(_name, f"{_name}.dim", f"{_name}.dims")(_decide(_operation))


@decomposes("amax")
def _amax(x, dim=(), keepdim=False):
    if not x.dim():
        return x.clone()
    return NotImplemented if dim else x.amax(list(range(x.dim())), keepdim)


@decomposes("amin")
def _amin(x, dim=(), keepdim=False):
    if not x.dim():
        return x.clone()
    return NotImplemented if dim else x.amin(list(range(x.dim())), keepdim)


# --- Integers ---


@decomposes("ceil", "floor", "trunc", "round")
def _round_integers(x):
    return NotImplemented if x.is_floating_point() else x.clone()


@decomposes("isnan", "isinf")
def _is_no_number(x):
    return NotImplemented if x.is_floating_point() or x.is_complex() else torch.zeros_like(x, dtype=torch.bool)


@decomposes("isfinite")
def _is_finite(x):
    return NotImplemented if x.is_floating_point() or x.is_complex() else torch.ones_like(x, dtype=torch.bool)


@decomposes("clamp")
def _clamp_by_floats(x, min=None, max=None):
    """By a float and an integer, of which the exporter makes a tensor of one and leaves the other."""
    bounds = [bound for bound in (min, max) if bound is not None]
    if all(isinstance(bound, type(bounds[0])) for bound in bounds):
        return NotImplemented
    x = x if x.is_floating_point() else x.to(torch.get_default_dtype())
    return x.clamp(float(min), float(max))


@decomposes("clamp.Tensor")
def _clamp_truths(x, min=None, max=None):
    if any(each is not None and each.dtype != torch.bool for each in (x, min, max)):
        return NotImplemented
    x = x if min is None else x | min
    return x if max is None else x & max


@decomposes("pow.Tensor_Scalar")
def _power_of_truths(x, exponent):
    return NotImplemented if x.dtype != torch.bool else x.to(torch.result_type(x, exponent)).pow(exponent)


@decomposes("stack")
def _stack_mixed(tensors, dim=0):
    """Of types that become one, which the exporter leaves as they are."""
    dtype = functools.reduce(torch.promote_types, [x.dtype for x in tensors])
    if all(x.dtype == dtype for x in tensors):
        return NotImplemented
    return torch.stack([x.to(dtype) for x in tensors], dim)


def _find_remainder(x, y):
    """That of C, and where it has another sign than y, which is added. The exporter takes x - y * floor(x / y), where
    the quotient is rounded."""
    rest = torch.fmod(x, y)
    return rest, (rest != 0) & ((y < 0) != (rest < 0))


@decomposes("remainder.Tensor", "remainder.Scalar", "remainder.Scalar_Tensor")
def _remainder(x, y):
    dtype = torch.result_type(x, y)
    if not dtype.is_floating_point:
        return NotImplemented
    y = to_tensor(y, dtype)
    rest, is_other = _find_remainder(to_tensor(x, dtype), y)
    return torch.where(is_other, rest + y, rest)


def _floor_quotient(x, y):
    """As Python: of the remainder, for a quotient that is rounded may be the next whole number."""
    dtype = torch.result_type(x, y)
    x, y = to_tensor(x, dtype), to_tensor(y, dtype)
    rest, is_other = _find_remainder(x, y)
    quotient = (x - rest) / y
    quotient = torch.where(is_other, quotient - 1, quotient)
    whole = quotient.floor()
    whole = torch.where(quotient - whole > 0.5, whole + 1, whole)
    return torch.where(y == 0, x / y, torch.where(quotient == 0, torch.copysign(torch.zeros_like(whole), x / y), whole))


@decomposes("div.Tensor_mode", "div.Scalar_mode")
def _divide_integers(x, y, *, rounding_mode):
    """The exporter divides floats, which have not all integers."""
    dtype = torch.result_type(x, y)
    if dtype.is_floating_point and rounding_mode == "floor":
        return _floor_quotient(x, y)
    if rounding_mode is None or dtype.is_floating_point or dtype == torch.bool:
        return NotImplemented
    x, y = torch.broadcast_tensors(to_tensor(x, dtype), to_tensor(y, dtype))
    return torch.floor_divide(x, y) if rounding_mode == "floor" else make_node("Div", (x, y), {}, x)


@decomposes("prod.dim_int")
def _multiply_along(x, dim, keepdim=False, *, dtype=None):
    dtype = dtype or (x.dtype if x.is_floating_point() or x.is_complex() else torch.int64)
    if not x.dim():
        return x.to(dtype, copy=True)
    return NotImplemented if x.dtype == dtype else x.to(dtype).prod(dim, keepdim)


@decomposes("floor_divide", "floor_divide.Scalar")
def _floor_divide(x, y):
    """The exporter takes no number for the first operand."""
    if torch.result_type(x, y).is_floating_point:
        return _floor_quotient(x, y)
    return NotImplemented if isinstance(x, torch.Tensor) else torch.floor_divide(to_tensor(x, torch.result_type(x, y)), y)


@decomposes("view.dtype")
def _view_bits(x, dtype):
    """Conversions of integers of one width keep the bits."""
    is_integer = not any(kind.is_floating_point or kind.is_complex for kind in (x.dtype, dtype))
    return x.to(dtype) if is_integer and x.element_size() == dtype.itemsize and dtype != torch.bool else NotImplemented


@decomposes("angle")
def _angle(x):
    if x.is_complex():
        return NotImplemented
    found = torch.where(x < 0, math.pi, 0.0)
    return torch.where(x.isnan(), math.nan, found).to(x.dtype) if x.is_floating_point() else found


def _add_synonyms() -> None:
    """Other names of operations, of which the exporter does not know that operands get one type."""
    pairs = {"true_divide": torch.div, "divide": torch.div, "multiply": torch.mul, "subtract": torch.sub}
    pairs |= {"greater": torch.gt, "greater_equal": torch.ge, "less": torch.lt, "less_equal": torch.le, "not_equal": torch.ne}
    for name, function in pairs.items():
        for overload in getattr(torch.ops.aten, name).overloads():
            if overload.startswith(("Tensor", "Scalar")) and not overload.endswith("out"):
                decomposes(f"{name}.{overload}")(lambda *operands, function=function, **options: function(*operands, **options))


_add_synonyms()


def _shift(direction):
    """Bits that leave the type are gone; a sign comes from the left."""

    def decompose(x, y):
        dtype = torch.result_type(x, y)
        x, y = torch.broadcast_tensors(to_tensor(x, dtype), to_tensor(y, dtype))
        return make_node("BitShift", (x, y), {"direction": direction}, x)

    return decompose


_OVERLOADS = {"bitwise_{}_shift": ("Tensor", "Tensor_Scalar", "Scalar_Tensor"), "__{}shift__": ("Tensor", "Scalar")}


def _add_shifts() -> None:
    for direction in ("left", "right"):
        for name, overloads in _OVERLOADS.items():
            name = name.format(direction if name.startswith("bitwise") else direction[0])
            decomposes(*[f"{name}.{overload}" for overload in overloads])(_shift(direction.upper()))


_add_shifts()


def _of_dtype(overload):
    """The exporter converts the result, and PyTorch what goes in."""

    def decompose(x, dim, dtype=None):
        return NotImplemented if dtype in (None, x.dtype) else overload(x.to(dtype), dim)

    return decompose


decomposes("softmax.int")(_of_dtype(torch.ops.aten.softmax.int))
decomposes("log_softmax.int")(_of_dtype(torch.ops.aten.log_softmax.int))
