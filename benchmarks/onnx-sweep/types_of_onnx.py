"""Types as ONNX's schemas write them ("tensor(float)", "seq(tensor(int64))"), and arrays of them."""

import re

import numpy as np
import onnx
from onnx import TensorProto, helper

# Sizes of integers that have no byte of their own.
PACKED = {"int4": 4, "uint4": 4, "int2": 2, "uint2": 2}
SPECIAL_FLOATS = [np.nan, np.inf, -np.inf, 0.0, -0.0, 1e-40, 3.4e38, -3.4e38, 0.5, -0.5, 1.5, 2.5, 100.0, -100.0, 1e-7, 65504.0]
WORDS = ["", "a", "B", "onnx", "two words", "1.5", "-7", "nan", "x,y"]


def element_of(type_str):
    """The name of the element type: "float" of "seq(tensor(float))"."""
    return re.search(r"\((\w+)\)+$", type_str).group(1)


def is_tensor(type_str):
    return type_str.startswith("tensor(")


def number_of(type_str):
    """The TensorProto.DataType of the elements."""
    return TensorProto.DataType.Value(element_of(type_str).upper())


def dtype_of(type_str):
    return helper.tensor_dtype_to_np_dtype(number_of(type_str))


def proto_of(type_str, shape=None):
    """The TypeProto; `shape` is that of a tensor."""
    if is_tensor(type_str):
        return helper.make_tensor_type_proto(number_of(type_str), shape)
    inner = proto_of(type_str[type_str.index("(") + 1 : -1])
    if type_str.startswith("seq("):
        return helper.make_sequence_type_proto(inner)
    if type_str.startswith("optional("):
        return helper.make_optional_type_proto(inner)
    raise ValueError(f"no value of type {type_str} can be made")


def type_of_proto(proto):
    """The type as a string; empty where it is not known."""
    if proto.HasField("tensor_type") and proto.tensor_type.elem_type:
        return f"tensor({TensorProto.DataType.Name(proto.tensor_type.elem_type).lower()})"
    if proto.HasField("sequence_type"):
        inner = type_of_proto(proto.sequence_type.elem_type)
        return f"seq({inner})" if inner else ""
    if proto.HasField("optional_type"):
        inner = type_of_proto(proto.optional_type.elem_type)
        return f"optional({inner})" if inner else ""
    return ""


def is_float(dtype):
    return dtype.kind == "f" or dtype.name.startswith(("bfloat", "float"))


def is_integer(dtype):
    return dtype.kind in "iu" or dtype.name in PACKED


def limits(dtype):
    """The least and the largest integer of the type."""
    if dtype.name in PACKED:
        bits = PACKED[dtype.name]
        return (0, 2**bits - 1) if dtype.name[0] == "u" else (-(2 ** (bits - 1)), 2 ** (bits - 1) - 1)
    info = np.iinfo(dtype)
    return int(info.min), int(info.max)


def integers(rng, dtype, shape, low, high):
    """Numbers from `low` to `high`, as far as the type has them."""
    least, most = limits(dtype)
    low, high = max(low, least), min(high, most)
    wide = np.uint64 if dtype.kind == "u" and most > 2**62 else np.int64
    return rng.integers(low, max(low, high), size=shape, dtype=wide, endpoint=True).astype(dtype)


def _special_integers(rng, dtype, shape):
    least, most = limits(dtype)
    pool = [least, most, least + 1, most - 1, 0, 1, most // 2]
    flat = [pool[i] for i in rng.integers(0, len(pool), size=int(np.prod(shape)))]
    wide = np.uint64 if least == 0 else np.int64
    return np.array(flat, wide).astype(dtype).reshape(shape)


def _floats(rng, dtype, shape, special):
    array = rng.normal(0, 2, size=shape)
    if special:
        drawn = rng.choice(np.array(SPECIAL_FLOATS), size=shape)
        array = np.where(rng.random(shape) < 0.5, drawn, array)
    with np.errstate(all="ignore"):
        return array.astype(dtype)


def make_array(rng, type_str, shape, special=False):
    """Random numbers of a type; special ones have what is often forgotten."""
    return np.asarray(_draw(rng, type_str, shape, special))


def _draw(rng, type_str, shape, special):
    dtype = dtype_of(type_str)
    if element_of(type_str) == "string":
        return np.array([WORDS[i] for i in rng.integers(0, len(WORDS), size=int(np.prod(shape)))], object).reshape(shape)
    if dtype.kind == "b":
        return rng.random(shape) < 0.5
    if dtype.kind == "c":
        return (rng.normal(size=shape) + 1j * rng.normal(size=shape)).astype(dtype)
    if is_integer(dtype):
        return _special_integers(rng, dtype, shape) if special else integers(rng, dtype, shape, -9, 9)
    return _floats(rng, dtype, shape, special)


def to_tensor(array, name, type_str):
    """A TensorProto, of strings too."""
    if element_of(type_str) == "string":
        values = [text.encode() for text in np.asarray(array).ravel()]
        return helper.make_tensor(name, TensorProto.STRING, np.shape(array), values)
    return onnx.numpy_helper.from_array(np.asarray(array), name)
