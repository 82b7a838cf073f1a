"""Loads compiled programs one after the other, each at the addresses of the one
before, and prints what each computes and what its devices then hold.

usage: reload.py RUNTIME PROGRAM...
"""

import ctypes
import json
import sys

from hetero_abi import HeteroValue, describe


def load_address(path):
    with open("/proc/self/maps", encoding="utf-8") as maps:
        return next(line.split("-")[0] for line in maps if path in line)


def run(runtime, path):
    """Returns the program's address and its result for 1, 2, 3, 4."""
    program = ctypes.CDLL(path)
    numbers = (ctypes.c_float * 4)(1, 2, 3, 4)
    argument, result = describe(ctypes.addressof(numbers), [len(numbers)]), HeteroValue()
    status = program.hetero_main(ctypes.byref(argument), 1, ctypes.byref(result), 1)
    if status:
        raise SystemExit(runtime.heteroLastError().decode())
    values = (ctypes.c_float * 4).from_address(result.data)[:]
    runtime.heteroReleaseValue(ctypes.byref(result))
    address = load_address(path)
    handle = ctypes.c_void_p(program._handle)
    ctypes.CDLL(None).dlclose(handle)
    return address, values


def held_bytes(runtime):
    """Bytes on gpus: the peak of a report that starts now."""
    runtime.heteroResetReport()
    text = ctypes.cast(runtime.heteroReport(), ctypes.c_char_p).value
    devices = json.loads(text)["devices"]
    return sum(entry["peak_bytes"] for entry in devices if entry["device"] != "cpu:0")


def main():
    runtime = ctypes.CDLL(sys.argv[1])
    runtime.heteroLastError.restype = ctypes.c_char_p
    runtime.heteroReport.restype = ctypes.c_void_p
    addresses = set()
    for path in sys.argv[2:]:
        address, values = run(runtime, path)
        addresses.add(address)
        print("result", values, "held", held_bytes(runtime))
    print("addresses:", len(addresses))


main()
