"""Runs kernels on the emulated driver, without the runtime."""

import ctypes


class EmulatedDriver:
    def __init__(self, library, blocks, threads, device=0):
        self.cuda = ctypes.CDLL(library)
        self.grid = (blocks, 1, 1, threads, 1, 1)
        self.cuda.heteroEmulatorLastFault.restype = ctypes.c_char_p
        self.context = ctypes.c_void_p()
        self.check(self.cuda.cuInit(0))
        self.check(self.cuda.cuDevicePrimaryCtxRetain(ctypes.byref(self.context), device))
        self.check(self.cuda.cuCtxSetCurrent(self.context))

    def check(self, result):
        if result:
            fault = self.cuda.heteroEmulatorLastFault() or b""
            raise RuntimeError(f"error {result} of the driver: {fault.decode()}")

    def load(self, text):
        """The kernel k of a module."""
        module, function = ctypes.c_void_p(), ctypes.c_void_p()
        self.check(self.cuda.cuModuleLoadData(ctypes.byref(module), text.encode()))
        self.check(self.cuda.cuModuleGetFunction(ctypes.byref(function), module, b"k"))
        return function

    def refusal(self, text):
        """Why a module is not loaded; empty if it is."""
        log_buffer, log_bytes = 5, 6
        module, log = ctypes.c_void_p(), ctypes.create_string_buffer(4096)
        options = (ctypes.c_int * 2)(log_buffer, log_bytes)
        values = (ctypes.c_void_p * 2)(ctypes.addressof(log), len(log))
        self.check(self.cuda.cuCtxSetCurrent(self.context))
        load = self.cuda.cuModuleLoadDataEx
        result = load(ctypes.byref(module), text.encode(), 2, options, values)
        if not result:
            self.check(self.cuda.cuModuleUnload(module))
        return (log.value.decode() or f"error {result}") if result else ""

    def launch(self, function, arguments):
        values = [ctypes.c_uint64(argument) for argument in arguments]
        pointers = (ctypes.c_void_p * len(values))(*[ctypes.addressof(value) for value in values])
        self.check(self.cuda.cuLaunchKernel(function, *self.grid, 0, None, pointers, None))
        self.check(self.cuda.cuCtxSynchronize())

    def run(self, path, memory, offsets):
        """What a kernel makes of the memory, at offsets of which its arguments point."""
        pointer, size = ctypes.c_uint64(), ctypes.c_size_t(memory.nbytes)
        with open(path) as file:
            function = self.load(file.read())
        self.check(self.cuda.cuMemAlloc_v2(ctypes.byref(pointer), size))
        self.check(self.cuda.cuMemcpyHtoD_v2(pointer, memory.ctypes.data_as(ctypes.c_void_p), size))
        self.launch(function, [pointer.value + offset for offset in offsets])
        result = memory.copy()
        self.check(self.cuda.cuMemcpyDtoH_v2(result.ctypes.data_as(ctypes.c_void_p), pointer, size))
        self.check(self.cuda.cuMemFree_v2(pointer))
        return result
