"""Calls an entry point that squares a tensor of any size with tensors of the
given sizes, and prints for each call whether the driver allocated.

usage: size_classes.py RUNTIME EMULATOR PROGRAM SIZE...
"""

import ctypes
import sys

from hetero_abi import HeteroValue, describe


def main():
    runtime, emulator, program = (ctypes.CDLL(path) for path in sys.argv[1:4])
    runtime.heteroLastError.restype = ctypes.c_char_p
    emulator.heteroEmulatorCalls.restype = ctypes.c_uint64
    for size in map(int, sys.argv[4:]):
        data = (ctypes.c_float * size)(*(i % 7 for i in range(size)))
        argument, result = describe(ctypes.addressof(data), [size]), HeteroValue()
        before = emulator.heteroEmulatorCalls(b"alloc")
        assert program.square(ctypes.byref(argument), 1, ctypes.byref(result), 1) == 0, runtime.heteroLastError()
        allocated = emulator.heteroEmulatorCalls(b"alloc") != before
        squares = (ctypes.c_float * size).from_address(result.data)[:]
        assert squares == [float((i % 7) ** 2) for i in range(size)], "the result is wrong"
        assert runtime.heteroReleaseValue(ctypes.byref(result)) == 0
        print(f"{size}: {'allocated' if allocated else 'nothing allocated'}")
    assert runtime.heteroReset() == 0


main()
