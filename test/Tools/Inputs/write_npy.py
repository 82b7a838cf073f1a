"""Writes an .npy file of zeros: FILE DESCR SIZES."""

import sys

path, descr, sizes = sys.argv[1:4]
shape = tuple(int(size) for size in sizes.split(",") if size)
header = f"{{'descr': '{descr}', 'fortran_order': False, 'shape': {shape}, }}\n"
count = 1
for size in shape:
    count *= size
with open(path, "wb") as file:
    file.write(b"\x93NUMPY\x01\x00" + len(header).to_bytes(2, "little"))
    file.write(header.encode() + bytes(count * int(descr[2:])))
