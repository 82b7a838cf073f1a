"""The CUDA driver by ctypes: what device there is, and how fast it copies."""

import ctypes
import glob
import os
import site
import sys

PINNED_BYTES = 64 << 20


class Device:
    """The first device of the driver; `why` says why there is none."""

    def __init__(self):
        self.why, self.name, self.capability, self.version, self.count = None, "none", 0, 0, 0
        chosen = os.environ.get("HETERO_CUDA_DRIVER", "auto")
        path = "libcuda.so.1" if chosen == "auto" else chosen
        try:
            self.driver = ctypes.CDLL(path)
            self.open()
        except (OSError, RuntimeError, AttributeError) as error:
            self.why = f"no CUDA device: {error}"

    def call(self, name, *arguments):
        result = getattr(self.driver, name)(*arguments)
        if result:
            raise RuntimeError(f"{name} returns {result}")

    def number(self, name, *arguments):
        value = ctypes.c_int()
        self.call(name, ctypes.byref(value), *arguments)
        return value.value

    def open(self):
        self.call("cuInit", 0)
        self.count = self.number("cuDeviceGetCount")
        if not self.count:
            raise RuntimeError("the driver has none")
        self.version = self.number("cuDriverGetVersion")
        text = ctypes.create_string_buffer(256)
        self.call("cuDeviceGetName", text, 256, 0)
        self.name = text.value.decode()
        # Major and minor number of the compute capability.
        self.capability = 10 * self.number("cuDeviceGetAttribute", 75, 0) + self.number("cuDeviceGetAttribute", 76, 0)

    @property
    def emulated(self):
        return self.why is None and hasattr(self.driver, "heteroEmulatorLastFault")

    def device_map(self):
        """For programs that need more devices than there are."""
        return ",".join(f"gpu:{i}=gpu:{i % self.count}" for i in range(self.count, 8)) if self.count else ""

    def copy_seconds(self):
        """Seconds of the driver's own copies of PINNED_BYTES, the fastest of ten."""
        context, host, events = ctypes.c_void_p(), ctypes.c_void_p(), [ctypes.c_void_p(), ctypes.c_void_p()]
        blocks = [ctypes.c_uint64(), ctypes.c_uint64()]
        size = ctypes.c_size_t(PINNED_BYTES)
        self.call("cuDevicePrimaryCtxRetain", ctypes.byref(context), 0)
        self.call("cuCtxSetCurrent", context)
        self.call("cuMemHostAlloc", ctypes.byref(host), size, 0)
        for block in blocks:
            self.call("cuMemAlloc_v2", ctypes.byref(block), size)
        for event in events:
            self.call("cuEventCreate", ctypes.byref(event), 0)
        copies = {
            "to the device": ("cuMemcpyHtoDAsync_v2", blocks[0], host),
            "from the device": ("cuMemcpyDtoHAsync_v2", host, blocks[0]),
            "within the device": ("cuMemcpyDtoDAsync_v2", blocks[1], blocks[0]),
        }
        seconds = {name: min(self.time(events, *copy, size) for _ in range(10)) for name, copy in copies.items()}
        for event in events:
            self.call("cuEventDestroy_v2", event)
        for block in blocks:
            self.call("cuMemFree_v2", block)
        self.call("cuMemFreeHost", host)
        self.call("cuDevicePrimaryCtxRelease_v2", 0)
        return seconds

    def time(self, events, copy, target, source, size):
        self.call("cuEventRecord", events[0], None)
        self.call(copy, target, source, size, None)
        self.call("cuEventRecord", events[1], None)
        self.call("cuEventSynchronize", events[1])
        milliseconds = ctypes.c_float()
        self.call("cuEventElapsedTime", ctypes.byref(milliseconds), *events)
        return milliseconds.value / 1e3


def find_libraries():
    """HETERO_LIBRARIES for copies of cuBLAS and cuDNN that Python's packages have,
    and their folders, in which they find one another."""
    folders = [*sys.path, *site.getsitepackages(), site.getusersitepackages()]
    chosen, places = [], []
    for name, pattern in (("cublas", "libcublas.so.1[23]"), ("cudnn", "libcudnn.so.9")):
        for folder in filter(None, folders):
            found = sorted(glob.glob(os.path.join(folder, "nvidia", "*", "lib", pattern)))
            if found:
                chosen.append(f"{name}={found[-1]}")
                places.append(os.path.dirname(found[-1]))
                break
    return ",".join(chosen), places
