"""Calls a program ten times with the result of each call as the next one's
donated accumulator, and prints the sum, what the runtime copied and allocated
in the last nine calls, and what misuse of donation gives.

usage: donation.py RUNTIME EMULATOR PROGRAM DEVICE ENTRY TIMES

A call of the entry point adds its second argument to the first TIMES times.
"""

import ctypes
import json
import sys

from hetero_abi import HOST, HeteroValue, describe

COUNT = 64


def make(runtime, device, numbers):
    """A value on the device that owns its memory."""
    data = (ctypes.c_float * COUNT)(*numbers)
    host = describe(ctypes.addressof(data), [COUNT])
    value = HeteroValue.from_buffer_copy(host)
    assert runtime.heteroAllocateValue(ctypes.byref(value), device) == 0
    assert runtime.heteroCopyValue(ctypes.byref(value), ctypes.byref(host)) == 0
    return value


def read(runtime, value):
    data = (ctypes.c_float * COUNT)()
    host = HeteroValue.from_buffer_copy(value)
    host.data, host.allocation, host.device = ctypes.addressof(data), None, HOST
    assert runtime.heteroCopyValue(ctypes.byref(host), ctypes.byref(value)) == 0
    return data[:]


def report(runtime):
    return json.loads(ctypes.cast(runtime.heteroReport(), ctypes.c_char_p).value)


def main():
    runtime, emulator, program = (ctypes.CDLL(path) for path in sys.argv[1:4])
    device, entry, times = int(sys.argv[4]), getattr(program, sys.argv[5]), int(sys.argv[6])
    runtime.heteroLastError.restype = ctypes.c_char_p
    runtime.heteroReport.restype = ctypes.c_void_p
    emulator.heteroEmulatorCalls.restype = ctypes.c_uint64
    arguments, result = (HeteroValue * 2)(), HeteroValue()

    def call(accumulator, x):
        arguments[0], arguments[1] = accumulator, x
        return entry(arguments, 2, ctypes.byref(result), 1)

    x = make(runtime, device, range(COUNT))
    assert call(make(runtime, device, [1.0] * COUNT), x) == 0, runtime.heteroLastError()
    place = result.data
    assert not arguments[0].data and not arguments[0].allocation, "the value was not consumed"
    runtime.heteroResetReport()
    calls = emulator.heteroEmulatorCalls(b"alloc")
    for _ in range(9):
        assert call(result, x) == 0, runtime.heteroLastError()
        assert result.data == place, "the result is elsewhere"
    counters = report(runtime)
    allocations = sum(entry.get("allocations", 0) for entry in counters["devices"])
    assert emulator.heteroEmulatorCalls(b"alloc") == calls, "the driver allocated"
    print(f"{len(counters['copies'])} copies, {allocations} allocations")
    print("right" if read(runtime, result) == [1.0 + 10 * times * i for i in range(COUNT)] else "wrong")

    total = HeteroValue.from_buffer_copy(result)
    consumed = HeteroValue.from_buffer_copy(total)
    consumed.data = consumed.allocation = None
    print("consumed:", call(consumed, x), runtime.heteroLastError().decode())
    borrowed = HeteroValue.from_buffer_copy(total)
    borrowed.allocation = None
    print("borrowed:", call(borrowed, x), runtime.heteroLastError().decode())
    print("shared:", call(total, total), runtime.heteroLastError().decode())
    assert read(runtime, total)[1] == 1.0 + 10 * times, "a refused call touched the value"
    for value in (total, x):
        assert runtime.heteroReleaseValue(ctypes.byref(value)) == 0
    runtime.heteroResetReport()
    print("held", sum(entry["peak_bytes"] for entry in report(runtime)["devices"]))
    assert runtime.heteroReset() == 0


main()
