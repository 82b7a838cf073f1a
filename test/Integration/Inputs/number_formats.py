"""Numbers of the element types that programs pass, as bytes."""

import array
import ctypes
import struct

CODES = {"i1": "B", "index": "q", "i8": "b", "i16": "h", "i32": "i", "i64": "q", "f16": "e", "f32": "f", "f64": "d"}
SIZES = {"i1": 1, "index": 8, "i8": 1, "i16": 2, "i32": 4, "i64": 8, "f16": 2, "bf16": 2, "f32": 4, "f64": 8}
for _bits in (8, 16, 32, 64):
    CODES[f"si{_bits}"] = CODES[f"i{_bits}"]
    CODES[f"ui{_bits}"] = CODES[f"i{_bits}"].upper()
    SIZES[f"si{_bits}"] = SIZES[f"ui{_bits}"] = _bits // 8


def encode(element, values):
    """A buffer of the values, which the type must have: nothing is rounded."""
    if element == "bf16":  # the upper half of an f32
        words = array.array("H", struct.pack(f"<{len(values)}f", *values))
        data = words[1::2].tobytes()
    else:
        data = struct.pack(f"<{len(values)}{CODES[element]}", *values)
    return ctypes.create_string_buffer(data, max(1, len(data)))


def decode(element, address, count):
    data = ctypes.string_at(address, SIZES[element] * count)
    if element == "bf16":
        data = b"".join(b"\0\0" + data[i : i + 2] for i in range(0, len(data), 2))
        element = "f32"
    return list(struct.unpack(f"<{count}{CODES[element]}", data))
