"""Elements of one byte and less, as bytes that arithmetic decodes and encodes.

torch-mlir has no casts to and from floats of eight bits and less, nor integers of
four and two. A value of such a type becomes one of uint8, whose elements are the
codes, one to a byte (as NumPy's arrays of ml_dtypes have them): that is a table
when read and comparisons with powers of two when written. What only moves
elements moves bytes. Semantics are those of Cast, QuantizeLinear and
DequantizeLinear in ONNX's operator specification.
"""

from __future__ import annotations

import numpy as np
from onnx import TensorProto, helper, numpy_helper

from hetero.importers import bits
from hetero.importers.rewrites.builder import Builder, Node, Value, subgraphs
from hetero.importers.rewrites.engine import Rewriter

_INTEGERS = {
    getattr(TensorProto, name): bits
    for name, bits in (("INT4", 4), ("UINT4", 4), ("INT2", 2), ("UINT2", 2))
    if hasattr(TensorProto, name)
}
_FLOATS = {
    getattr(TensorProto, name)
    for name in (
        "FLOAT8E4M3FN FLOAT8E4M3FNUZ FLOAT8E5M2 FLOAT8E5M2FNUZ FLOAT4E2M1 FLOAT6E2M3 FLOAT6E3M2 FLOAT8E8M0".split()
    )
    if hasattr(TensorProto, name)
}
_NARROW = _FLOATS | set(_INTEGERS)
_WIDE_FLOATS = {TensorProto.FLOAT, TensorProto.FLOAT16, TensorProto.BFLOAT16, TensorProto.DOUBLE}
# Signed integers that hold all numbers of unsigned ones.
_THROUGH = {
    TensorProto.UINT8: TensorProto.INT32,
    TensorProto.UINT16: TensorProto.INT32,
    TensorProto.UINT32: TensorProto.INT64,
}
# The ranges of what QuantizeLinear makes.
_RANGES = {
    TensorProto.UINT8: (0, 255),
    TensorProto.INT8: (-128, 127),
    TensorProto.UINT16: (0, 65535),
    TensorProto.INT16: (-32768, 32767),
    **{kind: (-(1 << bits - 1), (1 << bits - 1) - 1) for kind, bits in _INTEGERS.items()},
}
for _kind in ("UINT4", "UINT2"):
    if hasattr(TensorProto, _kind):
        _RANGES[getattr(TensorProto, _kind)] = (0, (1 << _INTEGERS[getattr(TensorProto, _kind)]) - 1)


def _dtype(kind: int) -> np.dtype:
    return np.dtype(helper.tensor_dtype_to_np_dtype(kind))


def _code(value: float, kind: int) -> int:
    return int(np.array(value, np.float32).astype(_dtype(kind)).view(np.uint8))


def _decode(b: Builder, codes: Value, kind: int) -> Value:
    """The numbers of codes, in f32."""
    table = np.arange(256, dtype=np.uint8).view(_dtype(kind)).astype(np.float32)
    index = b.op("Cast", codes, to=TensorProto.INT64, dtype=TensorProto.INT64)
    return b.op("Gather", b.constant(table), index, axis=0)


def _scale_down(b: Builder, numbers: Value, steps: int, ulp: Value | None) -> tuple:
    """Numbers of at least 1 by the power of two that brings them to [1, 2): these, its exponent, and `ulp` by it."""
    exponent = b.constant(0.0, numbers.dtype)
    for step in (2.0**i for i in reversed(range(steps))):
        is_large = numbers >= 2.0**step
        numbers = b.where(is_large, numbers * 2.0**-step, numbers)
        exponent = b.where(is_large, exponent + step, exponent)
        ulp = b.where(is_large, ulp * 2.0**step, ulp) if ulp else None
    return numbers, exponent, ulp


def _is_negative(b: Builder, numbers: Value) -> Value:
    """Whether the sign is minus, that of zeros too."""
    return (numbers < 0) | ((1 / numbers) < 0)


def _encode_float(b: Builder, numbers: Value, kind: int, saturate: bool) -> Value:
    """Codes of f32 numbers, rounded to the nearest, to even in the middle."""
    import ml_dtypes

    info = ml_dtypes.finfo(_dtype(kind))
    largest, sign = _code(float(info.max), kind), 1 << info.bits - 1
    too_large = largest if saturate else _code(np.inf, kind)
    least = float(info.smallest_normal)
    size = b.op("Min", b.op("Abs", numbers), 2.0 * float(info.max))
    steps = int(info.maxexp - info.minexp + 1).bit_length()
    ulp = b.constant(least * 2.0**-info.nmant, TensorProto.FLOAT)
    _, exponent, ulp = _scale_down(b, b.op("Max", size * (1 / least), 1.0), steps, ulp)
    code = exponent * float(1 << info.nmant) + b.op("Round", size / ulp)
    code = b.where(code > float(largest), float(too_large), code)
    signed = b.where(_is_negative(b, numbers), code + float(sign), code)
    if _code(-0.0, kind) == 0:
        # Without a minus zero, whose code is that of what is no number.
        signed = b.where(b.op("Equal", code, 0), 0, signed)
        if not saturate:
            signed = b.where(code > float(largest), float(too_large), signed)
    signed = b.where(b.op("IsNaN", numbers), float(_code(np.nan, kind)), signed)
    return signed.cast(TensorProto.INT32).cast(TensorProto.UINT8)


def _encode_exponent(b: Builder, numbers: Value, saturate: bool, mode: str) -> Value:
    """Codes of positive f32 numbers as powers of two (FLOAT8E8M0)."""
    limited = b.op("Min", b.op("Max", numbers, 2.0**-127), 2.0**127 * 1.5)
    is_large = limited >= 1.0
    scaled, exponent, _ = _scale_down(b, b.where(is_large, limited, limited * 2.0**127), 7, None)
    code = b.where(is_large, exponent + 127, exponent)
    if mode != "down":
        rounds_up = scaled > 1.0 if mode == "up" else scaled >= 1.5
        code = b.where(rounds_up, code + 1, code)
    if saturate:
        code = b.op("Min", code, 254)
    else:
        code = b.where((numbers < 2.0**-127) | (numbers > 2.0**127), 255, code)
    code = b.where(b.op("IsNaN", numbers), 255, code)
    return code.cast(TensorProto.INT32).cast(TensorProto.UINT8)


def _encode(b: Builder, numbers: Value, kind: int, saturate: bool = True, mode: str = "up") -> Value:
    """Codes of numbers; integers lose their upper bits."""
    if kind in _INTEGERS:
        whole = numbers.cast(TensorProto.INT32)
        return b.op("Mod", whole, 1 << _INTEGERS[kind]).cast(TensorProto.UINT8)
    numbers = numbers.cast(TensorProto.FLOAT)
    if kind == getattr(TensorProto, "FLOAT8E8M0", None):
        return _encode_exponent(b, numbers, saturate, mode)
    return _encode_float(b, numbers, kind, saturate)


def _convert(b: Builder, value: Value, kind: int, **how) -> Value | None:
    """A cast that the importer lacks."""
    if value.dtype == kind:
        return b.op("Identity", value)
    if value.dtype in _WIDE_FLOATS and kind in _THROUGH:
        # The importer converts to signed integers of the same size.
        return value.cast(_THROUGH[kind]).cast(kind)
    if value.dtype not in _NARROW and kind not in _NARROW:
        return None
    numbers = _decode(b, value, value.dtype) if value.dtype in _NARROW else value
    return _encode(b, numbers, kind, **how) if kind in _NARROW else numbers.cast(kind)


def _rewrite_cast(b: Builder, node: Node):
    if node.proto.name.startswith(bits.PREFIX):
        return None
    saturate, mode = bool(node.get("saturate", 1)), node.get("round_mode", "up")
    return _convert(b, node.inputs[0], node.get("to"), saturate=saturate, mode=mode)


def _rewrite_cast_like(b: Builder, node: Node):
    kind = node.inputs[1].dtype
    saturate, mode = bool(node.get("saturate", 1)), node.get("round_mode", "up")
    converted = _convert(b, node.inputs[0], kind, saturate=saturate, mode=mode)
    return converted or (node.inputs[0].cast(kind) if kind else None)


def _spread(b: Builder, parameter: Value, data: Value, node: Node) -> Value | None:
    """A scale or zero point in a shape that broadcasts to the data; None where ranks are not known."""
    if parameter.rank == 0 or parameter.shape == [1]:
        return parameter.squeeze(0) if parameter.rank else parameter
    if parameter.rank is None or data.rank is None:
        return None
    axis, block = node.get("axis", 1), node.get("block_size", 0)
    axis += data.rank if axis < 0 else 0
    if parameter.rank == 1 and not block:
        return parameter.reshape(*(-1 if i == axis else 1 for i in range(data.rank)))
    if not parameter.is_static or data.shape[axis] is None:
        return None
    # Each element `block` times along the axis; the last ones may be fewer.
    sizes = list(parameter.shape)
    repeated = b.op(
        "Expand", parameter.unsqueeze(axis + 1), np.array([*sizes[: axis + 1], block, *sizes[axis + 1 :]], np.int64)
    )
    sizes[axis] *= block
    return repeated.reshape(*sizes).slice(axis, 0, data.shape[axis])


def _is_plain(kind: int, node: Node, scale: Value) -> bool:
    """Whether the importer knows the type and the granularity."""
    if scale.rank is None or node.get("block_size", 0):
        return False
    is_quantization = node.proto.op_type == "QuantizeLinear"
    kinds = (TensorProto.INT8, TensorProto.UINT8, TensorProto.INT16) if is_quantization else (*_RANGES, TensorProto.INT32)
    return kind in kinds and kind not in _NARROW and (scale.rank == 0 or scale.rank == 1 and not is_quantization)


def _rewrite_quantize(b: Builder, node: Node):
    data, scale, zero = node.inputs[0], node.inputs[1], node.input(2)
    kind = zero.dtype if zero else node.get("output_dtype", 0) or TensorProto.UINT8
    precision = node.get("precision", 0) or scale.dtype
    if _is_plain(kind, node, scale) and precision == data.dtype and (zero or kind == TensorProto.UINT8):
        return None
    scale_of_each = _spread(b, scale, data, node)
    if scale_of_each is None:
        return None
    scaled = (data.cast(precision) / scale_of_each.cast(precision)).cast(TensorProto.FLOAT)
    if kind in _FLOATS:
        return _encode(b, scaled, kind, bool(node.get("saturate", 1)))
    whole = b.op("Round", scaled)
    if zero:
        offset = _decode(b, zero, kind) if kind in _NARROW else zero.cast(TensorProto.FLOAT)
        whole = whole + _spread(b, _like(offset, zero), data, node)
    low, high = _RANGES[kind]
    whole = b.op("Max", b.op("Min", whole, float(high)), float(low))
    if kind == TensorProto.INT16:
        # The importer has no cast to it.
        return b.op("QuantizeLinear", whole, b.constant(1.0, TensorProto.FLOAT), b.constant(0, kind), dtype=kind)
    return _encode(b, whole, kind) if kind in _NARROW else whole.cast(TensorProto.INT32).cast(kind)


def _like(value: Value, other: Value) -> Value:
    """The value, which has the other's shape."""
    value.shape = other.shape
    return value


def _rewrite_dequantize(b: Builder, node: Node):
    data, scale, zero = node.inputs[0], node.inputs[1], node.input(2)
    kind, result = data.dtype, node.get("output_dtype", 0) or scale.dtype
    if _is_plain(kind, node, scale) and result == TensorProto.FLOAT:
        return None
    scale_of_each = _spread(b, scale, data, node)
    if scale_of_each is None:
        return None

    def widen(value):
        return _decode(b, value, kind) if kind in _NARROW else value.cast(TensorProto.FLOAT)

    numbers = widen(data)
    if zero and kind not in _FLOATS:
        numbers = numbers - _spread(b, _like(widen(zero), zero), data, node)
    return (numbers * scale_of_each.cast(TensorProto.FLOAT)).cast(result)


def _rewrite_bit_cast(b: Builder, node: Node):
    """BitCast as a Cast: of bits where one of the types is a float, see hetero.importers.bits."""
    kind, value = node.get("to"), node.inputs[0]
    if value.dtype in _NARROW or kind in _NARROW:
        return None
    cast = b.op("Cast", value, to=kind, dtype=kind)
    if (value.dtype in _WIDE_FLOATS) != (kind in _WIDE_FLOATS):
        b.nodes[-1].name = bits.PREFIX + (node.proto.name or b.stem)
    return cast


_RULES = {
    ("", "BitCast"): _rewrite_bit_cast,
    ("", "Cast"): _rewrite_cast,
    ("", "CastLike"): _rewrite_cast_like,
    ("", "QuantizeLinear"): _rewrite_quantize,
    ("", "DequantizeLinear"): _rewrite_dequantize,
}


def _as_bytes(weight: TensorProto) -> bool:
    """Gives a constant of a narrow type its codes."""
    if weight.data_type not in _NARROW:
        return False
    codes = np.ascontiguousarray(numpy_helper.to_array(weight)).view(np.uint8)
    weight.CopyFrom(numpy_helper.from_array(codes.reshape(weight.dims), weight.name))
    return True


def _retype(graph) -> bool:
    """Makes the values of narrow types those of uint8; True if there were any."""
    changed = [_as_bytes(weight) for weight in graph.initializer]
    for value in (*graph.input, *graph.output, *graph.value_info):
        if value.type.tensor_type.elem_type in _NARROW:
            value.type.tensor_type.elem_type = TensorProto.UINT8
            changed.append(True)
    for node in graph.node:
        changed += [_as_bytes(attribute.t) for attribute in node.attribute if attribute.HasField("t")]
        changed += [_retype(inner) for inner in subgraphs(node)]
    return any(changed)


def rewrite_narrow_types(model) -> bool:
    """Replaces casts and quantization of narrow types, and gives their values the type of bytes."""
    replaced = Rewriter(model, _RULES).run()
    return _retype(model.graph) or replaced
