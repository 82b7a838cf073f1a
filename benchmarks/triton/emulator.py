"""The emulated driver, by its C API, as far as the benchmark needs it."""

import ctypes
import re

import numpy


class Driver:
    def __init__(self, path):
        self.library = ctypes.CDLL(path)
        self.check("cuInit", 0)
        device, context = ctypes.c_int(), ctypes.c_void_p()
        self.check("cuDeviceGet", ctypes.byref(device), 0)
        self.check("cuCtxCreate_v2", ctypes.byref(context), 0, device)
        self.library.heteroEmulatorLastFault.restype = ctypes.c_char_p

    def check(self, name, *arguments):
        result = getattr(self.library, name)(*arguments)
        if result:
            fault = self.library.heteroEmulatorLastFault
            fault.restype = ctypes.c_char_p
            raise RuntimeError(f"{name} returns {result}; {fault().decode()}")

    def load(self, ptx, name):
        module, function = ctypes.c_void_p(), ctypes.c_void_p()
        log = ctypes.create_string_buffer(4096)
        options = (ctypes.c_int * 2)(5, 6)  # CU_JIT_ERROR_LOG_BUFFER and its size
        values = (ctypes.c_void_p * 2)(ctypes.cast(log, ctypes.c_void_p), len(log))
        if self.library.cuModuleLoadDataEx(ctypes.byref(module), ptx.encode(), 2, options, values):
            raise RuntimeError(log.value.decode())
        self.check("cuModuleGetFunction", ctypes.byref(function), module, name.encode())
        return function

    def allocate(self, size):
        pointer = ctypes.c_uint64()
        self.check("cuMemAlloc_v2", ctypes.byref(pointer), ctypes.c_size_t(max(size, 16)))
        return pointer

    def upload(self, array):
        array = numpy.ascontiguousarray(array)
        pointer = self.allocate(array.nbytes)
        self.check("cuMemcpyHtoD_v2", pointer, array.ctypes.data_as(ctypes.c_void_p), ctypes.c_size_t(array.nbytes))
        return pointer

    def download(self, pointer, like):
        array = numpy.empty_like(like)
        self.check("cuMemcpyDtoH_v2", array.ctypes.data_as(ctypes.c_void_p), pointer, ctypes.c_size_t(array.nbytes))
        return array

    def launch(self, function, grid, threads, shared, arguments):
        if shared > 48 * 1024:
            self.check("cuFuncSetAttribute", function, 8, shared)  # ..._MAX_DYNAMIC_SHARED_SIZE_BYTES
        pointers = (ctypes.c_void_p * len(arguments))(*[ctypes.addressof(argument) for argument in arguments])
        self.check("cuLaunchKernel", function, *grid, threads, 1, 1, shared, None, pointers, None)
        self.check("cuCtxSynchronize")


def count_parameters(ptx):
    """Of the kernel: Triton adds some after those of the source."""
    return len(re.findall(r"\.param", re.search(r"\.entry\s+\w+\s*\((.*?)\)\s*\n?[.{]", ptx, re.S).group(1)))
