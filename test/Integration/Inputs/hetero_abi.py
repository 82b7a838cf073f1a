"""The values of compiled programs, as HeteroRuntime.h has them."""

import ctypes

HOST, SCALAR, MAX_RANK = -1, -1, 16
TYPES = {"i1": 0, "i8": 1, "i16": 2, "i32": 3, "i64": 4, "f16": 5, "bf16": 6, "f32": 7, "f64": 8, "index": 9}
TYPES.update({f"{sign}i{bits}": base + place for sign, base in (("s", 10), ("u", 14)) for place, bits in enumerate((8, 16, 32, 64))})


class HeteroValue(ctypes.Structure):
    _fields_ = [
        ("data", ctypes.c_void_p),
        ("allocation", ctypes.c_void_p),
        ("scalar", ctypes.c_uint64),
        ("type", ctypes.c_int32),
        ("rank", ctypes.c_int32),
        ("device", ctypes.c_int32),
        ("reserved", ctypes.c_int32),
        ("sizes", ctypes.c_int64 * MAX_RANK),
        ("strides", ctypes.c_int64 * MAX_RANK),
    ]


def describe(data, sizes, element="f32"):
    """The value of numbers of the host that lie one after the other at the
    address `data`. Whoever calls keeps them alive."""
    value = HeteroValue(data=data, type=TYPES[element], rank=len(sizes), device=HOST)
    stride = 1
    for axis in reversed(range(len(sizes))):
        value.sizes[axis], value.strides[axis] = sizes[axis], stride
        stride *= sizes[axis]
    return value
