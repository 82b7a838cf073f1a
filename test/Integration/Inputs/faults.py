"""Makes every driver call of compiled programs fail, one at a time, in this
process: each call must end with an error that says what failed where, hand out
nothing, and leave no memory; the next call must be right.

usage: faults.py LIBRARIES [--calls=N] PROGRAM.so...

PROGRAM.h lies beside each. With --calls each program is called so many times in a
row, and the fault is in any of the calls.
"""

import ctypes
import json
import math
import os
import re
import struct
import sys

from hetero_abi import HeteroValue, describe

BYTES = {0: 1, 1: 1, 2: 2, 3: 4, 4: 8, 5: 2, 6: 2, 7: 4, 8: 8, 9: 8}
CLASSES = ["alloc", "launch", "copy", "device-lost"]


def load_libraries(folder):
    runtime = ctypes.CDLL(os.path.join(folder, "libhetero_runtime.so"))
    emulator = ctypes.CDLL(os.path.join(folder, "libhetero_cuda_emulator.so"))
    runtime.heteroLastError.restype = ctypes.c_char_p
    runtime.heteroReport.restype = ctypes.c_void_p
    runtime.heteroFreeString.argtypes = [ctypes.c_void_p]
    emulator.heteroEmulatorCalls.restype = ctypes.c_uint64
    emulator.heteroEmulatorLive.restype = ctypes.c_uint64
    return runtime, emulator


class Program:
    def __init__(self, path):
        self.name = os.path.basename(path)[:-3]
        self.library = ctypes.CDLL(path)
        with open(path[:-3] + ".h") as header:
            text = header.read()
        types = re.findall(r"(arguments|results)\[\d+\]: tensor<((?:\d+x)*)(\w+)>\n", text)
        shapes = [(kind, [int(size) for size in sizes.split("x")[:-1]], element) for kind, sizes, element in types]
        self.buffers, self.arguments = [], []
        for _, sizes, element in (shape for shape in shapes if shape[0] == "arguments"):
            self.arguments.append(self.make_argument(sizes, element))
        self.num_results = sum(kind == "results" for kind, _, _ in shapes)

    def make_argument(self, sizes, element):
        """1, 2, 3, ... of a few; programs of the test take f32."""
        assert element == "f32", "the arguments of the test's programs are f32"
        count = math.prod(sizes)
        numbers = struct.pack(f"<{count}f", *[(index + len(self.arguments)) % 5 - 1 for index in range(count)])
        self.buffers.append(ctypes.create_string_buffer(numbers, len(numbers)))
        return describe(ctypes.addressof(self.buffers[-1]), sizes)

    def call(self, runtime):
        """The status, the error, and the results as bytes."""
        results = (HeteroValue * self.num_results)()
        arguments = (HeteroValue * len(self.arguments))(*self.arguments)
        status = self.library.hetero_main(arguments, len(arguments), results, len(results))
        error = runtime.heteroLastError().decode()
        values = []
        for value in results:
            if status:
                assert not value.data and not value.allocation, "a failed call returns a result"
                continue
            count = BYTES[value.type]
            for axis in range(value.rank):
                count *= value.sizes[axis]
            values.append(ctypes.string_at(value.data, count))
            runtime.heteroReleaseValue(ctypes.byref(value))
        return status, error, values


def held_bytes(runtime):
    """Bytes in use: the peaks of a report that starts now."""
    runtime.heteroResetReport()
    text = runtime.heteroReport()
    devices = json.loads(ctypes.string_at(text))["devices"]
    runtime.heteroFreeString(text)
    return sum(entry["peak_bytes"] for entry in devices)


def check_clean(runtime, emulator):
    assert runtime.heteroReset() == 0
    assert emulator.heteroEmulatorLive(None) == 0, "something is alive after a reset"
    assert held_bytes(runtime) == 0, "the runtime holds memory after a reset"


def check_error(kind, error):
    """What failed, on which device, and what to do."""
    initial = r"(cannot put (constant \w+ of \d+ bytes|the constants of @\w+) on (gpu:\d for @\w+|their devices): )?"
    assert re.match(initial + r"cu\w+ failed on gpu:\d(, stream \d+)?: CUDA_ERROR_\w+ .*; ", error), error
    codes = {
        "alloc": "CUDA_ERROR_OUT_OF_MEMORY .*: [0-9]+ bytes",
        "launch": "CUDA_ERROR_LAUNCH_FAILED .*: kernel .* on gpu",
        "copy": "CUDA_ERROR_ECC_UNCORRECTABLE .*of [0-9]+ bytes on gpu",
        "device-lost": "CUDA_ERROR_DEVICE_UNAVAILABLE .*gpu:[0-9] is lost",
    }
    assert re.search(codes[kind], error), error


def call_often(program, runtime, times):
    """What the call that failed gives, else the last one."""
    for _ in range(times):
        status, error, values = program.call(runtime)
        if status:
            break
    return status, error, values


def sweep(program, runtime, emulator, times):
    """The number of faults by class, and of allocations that worked again."""
    emulator.heteroEmulatorFail(None)
    status, error, expected = call_often(program, runtime, times)
    assert status == 0, error
    counts = {kind: emulator.heteroEmulatorCalls(kind.encode()) for kind in CLASSES}
    check_clean(runtime, emulator)
    recovered = 0
    for kind, count in counts.items():
        for point in [f"{kind}:{n}{later}" for n in range(1, count + 1) for later in ("", "+")[: 1 + (kind == "alloc")]]:
            assert emulator.heteroEmulatorFail(point.encode()) == 0
            status, error, values = call_often(program, runtime, times)
            if status:
                check_error(kind, error)
            else:  # The runtime gave its cache back and tried again.
                assert kind == "alloc" and point[-1] != "+" and values == expected, point
                recovered += 1
            check_clean(runtime, emulator)
        # What runs after a fault is the next one's run; the last one needs one.
        emulator.heteroEmulatorFail(None)
        assert program.call(runtime)[2] == expected, "the next call is wrong"
        check_clean(runtime, emulator)
    return counts, recovered


def main():
    runtime, emulator = load_libraries(sys.argv[1])
    times = 1
    for path in sys.argv[2:]:
        if path.startswith("--calls="):
            times = int(path[len("--calls=") :])
            continue
        program = Program(path)
        counts, recovered = sweep(program, runtime, emulator, times)
        listed = ", ".join(f"{count} {kind}" for kind, count in counts.items())
        print(f"{program.name}: {listed}; {recovered} recovered")


if __name__ == "__main__":
    main()
