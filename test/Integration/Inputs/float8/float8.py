"""Files for float8.test, from the definition of the formats.

float8.py TYPE FOLDER writes every pattern of TYPE and what it is worth as f32,
and numbers around every border between two of them with what they round to.
float8.py TYPE FOLDER compare A B compares two files bit by bit, but for which
pattern a NaN has.
"""

import math
import struct
import sys

name, folder = sys.argv[1:3]
exponent_bits, fraction_bits, has_infinity = {
    "f8E4M3FN": (4, 3, False),
    "f8E5M2": (5, 2, True),
}[name]
bias = (1 << (exponent_bits - 1)) - 1


def decode(pattern):
    sign = -1.0 if pattern & 0x80 else 1.0
    exponent = (pattern & 0x7F) >> fraction_bits
    fraction = pattern & ((1 << fraction_bits) - 1)
    if has_infinity and exponent == (1 << exponent_bits) - 1:
        return math.nan if fraction else sign * math.inf
    if not has_infinity and pattern & 0x7F == 0x7F:
        return math.nan
    if exponent == 0:
        return sign * math.ldexp(fraction, 1 - bias - fraction_bits)
    return sign * math.ldexp((1 << fraction_bits) + fraction, exponent - bias - fraction_bits)


finite = [p for p in range(0x80) if math.isfinite(decode(p))]
step = decode(finite[-1]) - decode(finite[-2])
overflow = finite[-1] + 1 if has_infinity else 0x7F


def encode(number):
    """Nearest, ties to even, by looking at all numbers."""
    sign = 0x80 if math.copysign(1, number) < 0 else 0
    if math.isnan(number):
        return 0x7F
    number = abs(number)
    if number >= decode(finite[-1]) + step / 2:
        # The tie itself goes to the even one of the two.
        if number > decode(finite[-1]) + step / 2 or finite[-1] % 2:
            return sign | overflow
        return sign | finite[-1]
    return sign | min(finite, key=lambda p: (abs(decode(p) - number), p % 2))


if sys.argv[3:4] == ["compare"]:
    got, want = (open(f"{folder}/{path}", "rb").read()[-2048:] for path in sys.argv[4:6])
    for index, (a, b) in enumerate(zip(got, want)):
        if a != b and not (math.isnan(decode(a)) and math.isnan(decode(b))):
            sys.exit(f"expected {b:#x} at {index}, got {a:#x}")
    sys.exit(0)


def write(path, descr, data, count):
    header = f"{{'descr': '{descr}', 'fortran_order': False, 'shape': ({count},), }}\n"
    with open(f"{folder}/{path}", "wb") as file:
        file.write(b"\x93NUMPY\x01\x00" + len(header).to_bytes(2, "little"))
        file.write(header.encode() + data)


patterns = range(256)
write("patterns.npy", "<V1", bytes(patterns), 256)
write("bytes.npy", "|u1", bytes(patterns), 256)
write("values.npy", "<f4", struct.pack("<256f", *map(decode, patterns)), 256)

# Every number and every border, and the floats next to them.
numbers = [0.0, -0.0, math.inf, -math.inf, math.nan, 1e-30, 1e30, 3e38]
for low, high in zip(finite, finite[1:] + [None]):
    low = decode(low)
    high = low + step if high is None else decode(high)
    for value in (low, (low + high) / 2):
        bits = struct.unpack("<I", struct.pack("<f", value))[0]
        for near in (max(bits - 1, 0), bits, bits + 1):
            number = struct.unpack("<f", struct.pack("<I", near))[0]
            numbers += [number, -number]
numbers += [1.0] * (2048 - len(numbers))
write("numbers.npy", "<f4", struct.pack("<2048f", *numbers), 2048)
write("rounded.npy", "<V1", bytes(map(encode, numbers)), 2048)
wide = [n * (1 + 2**-40) if math.isfinite(n) else n for n in numbers]
write("wide.npy", "<f8", struct.pack("<2048d", *wide), 2048)
write("narrow.npy", "<V1", bytes(map(encode, wide)), 2048)
