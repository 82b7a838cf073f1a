//===- DriverErrors.cpp - Names of errors, addresses of functions ---------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Device.h"

#include <cstdio>
#include <dlfcn.h>

using namespace hetero::emulator;
using namespace hetero;

namespace {
struct ErrorText {
  cuda::Result code;
  const char *name, *text;
};
} // namespace

static constexpr ErrorText kErrors[] = {
    {cuda::kSuccess, "CUDA_SUCCESS", "no error"},
    {cuda::kInvalidValue, "CUDA_ERROR_INVALID_VALUE", "invalid argument"},
    {cuda::kOutOfMemory, "CUDA_ERROR_OUT_OF_MEMORY", "out of memory"},
    {cuda::kNotInitialized, "CUDA_ERROR_NOT_INITIALIZED",
     "initialization error"},
    {cuda::kDeinitialized, "CUDA_ERROR_DEINITIALIZED", "driver shutting down"},
    {cuda::kStubLibrary, "CUDA_ERROR_STUB_LIBRARY",
     "CUDA driver is a stub library"},
    {cuda::kDeviceLost, "CUDA_ERROR_DEVICE_UNAVAILABLE",
     "CUDA-capable device(s) is/are busy or unavailable"},
    {cuda::kNoDevice, "CUDA_ERROR_NO_DEVICE",
     "no CUDA-capable device is detected"},
    {cuda::kInvalidDevice, "CUDA_ERROR_INVALID_DEVICE",
     "invalid device ordinal"},
    {cuda::kInvalidImage, "CUDA_ERROR_INVALID_IMAGE",
     "device kernel image is invalid"},
    {cuda::kInvalidContext, "CUDA_ERROR_INVALID_CONTEXT",
     "invalid device context"},
    {cuda::kNoBinaryForGpu, "CUDA_ERROR_NO_BINARY_FOR_GPU",
     "no kernel image is available for execution on the device"},
    {cuda::kEccUncorrectable, "CUDA_ERROR_ECC_UNCORRECTABLE",
     "uncorrectable ECC error encountered"},
    {cuda::kInvalidPtx, "CUDA_ERROR_INVALID_PTX",
     "a PTX JIT compilation failed"},
    {cuda::kUnsupportedPtxVersion, "CUDA_ERROR_UNSUPPORTED_PTX_VERSION",
     "the provided PTX was compiled with an unsupported toolchain."},
    {cuda::kFileNotFound, "CUDA_ERROR_FILE_NOT_FOUND", "file not found"},
    {cuda::kInvalidHandle, "CUDA_ERROR_INVALID_HANDLE",
     "invalid resource handle"},
    {cuda::kNotFound, "CUDA_ERROR_NOT_FOUND", "named symbol not found"},
    {cuda::kNotReady, "CUDA_ERROR_NOT_READY", "device not ready"},
    {cuda::kIllegalAddress, "CUDA_ERROR_ILLEGAL_ADDRESS",
     "an illegal memory access was encountered"},
    {cuda::kLaunchOutOfResources, "CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES",
     "too many resources requested for launch"},
    {712, "CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED",
     "part or all of the requested memory range is already mapped"},
    {cuda::kAssert, "CUDA_ERROR_ASSERT", "device-side assert triggered"},
    {cuda::kMisalignedAddress, "CUDA_ERROR_MISALIGNED_ADDRESS",
     "misaligned address"},
    {cuda::kLaunchFailed, "CUDA_ERROR_LAUNCH_FAILED",
     "unspecified launch failure"},
    {cuda::kCooperativeLaunchTooLarge,
     "CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE",
     "too many blocks in cooperative launch"},
    {cuda::kNotSupported, "CUDA_ERROR_NOT_SUPPORTED",
     "operation not supported"},
    {cuda::kStreamCaptureUnsupported, "CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED",
     "operation not permitted when stream is capturing"},
    {cuda::kStreamCaptureInvalidated, "CUDA_ERROR_STREAM_CAPTURE_INVALIDATED",
     "operation failed due to a previous error during capture"},
    {cuda::kStreamCaptureMerge, "CUDA_ERROR_STREAM_CAPTURE_MERGE",
     "operation would result in a merge of separate capture sequences"},
    {cuda::kStreamCaptureUnmatched, "CUDA_ERROR_STREAM_CAPTURE_UNMATCHED",
     "capture was not ended in the same stream as it began"},
    {cuda::kStreamCaptureUnjoined, "CUDA_ERROR_STREAM_CAPTURE_UNJOINED",
     "capturing stream has unjoined work"},
    {cuda::kStreamCaptureIsolation, "CUDA_ERROR_STREAM_CAPTURE_ISOLATION",
     "dependency created on uncaptured work in another stream"},
    {cuda::kStreamCaptureImplicit, "CUDA_ERROR_STREAM_CAPTURE_IMPLICIT",
     "operation would make the legacy stream depend on a capturing blocking "
     "stream"},
    {cuda::kCapturedEvent, "CUDA_ERROR_CAPTURED_EVENT",
     "operation not permitted on an event last recorded in a capturing "
     "stream"},
    {cuda::kStreamCaptureWrongThread, "CUDA_ERROR_STREAM_CAPTURE_WRONG_THREAD",
     "attempt to terminate a thread-local capture sequence from another "
     "thread"},
    {cuda::kGraphExecUpdateFailure, "CUDA_ERROR_GRAPH_EXEC_UPDATE_FAILURE",
     "the graph update was not performed because it included changes which "
     "violated constraints specific to instantiated graph update"},
    {cuda::kUnknown, "CUDA_ERROR_UNKNOWN", "unknown error"},
};

static const ErrorText *findError(cuda::Result code) {
  for (const ErrorText &error : kErrors)
    if (error.code == code)
      return &error;
  return nullptr;
}

HETERO_CUDA_API cuGetErrorName(cuda::Result code, const char **name) {
  const ErrorText *error = findError(code);
  if (name)
    *name = error ? error->name : nullptr;
  return error && name ? cuda::kSuccess : cuda::kInvalidValue;
}

HETERO_CUDA_API cuGetErrorString(cuda::Result code, const char **text) {
  const ErrorText *error = findError(code);
  if (text)
    *text = error ? error->text : nullptr;
  return error && text ? cuda::kSuccess : cuda::kInvalidValue;
}

cuda::Result hetero::emulator::refuse(const char *what) {
  std::fprintf(stderr, "hetero emulator: %s is not supported\n", what);
  return cuda::kNotSupported;
}

/// Exported functions of this library, in the newest version.
HETERO_CUDA_API cuGetProcAddress_v2(const char *symbol, void **function, int,
                                    uint64_t, int *status) {
  if (!symbol || !function)
    return cuda::kInvalidValue;
  *function = nullptr;
  Dl_info self;
  if (dladdr(reinterpret_cast<void *>(&cuGetErrorName), &self))
    if (void *library =
            dlopen(self.dli_fname, RTLD_NOW | RTLD_NOLOAD | RTLD_LOCAL)) {
      *function = dlsym(library, (std::string(symbol) + "_v2").c_str());
      if (!*function)
        *function = dlsym(library, symbol);
      dlclose(library);
    }
  if (status) // CU_GET_PROC_ADDRESS_SUCCESS or _SYMBOL_NOT_FOUND
    *status = *function ? 0 : 1;
  return *function ? cuda::kSuccess : cuda::kNotFound;
}

HETERO_CUDA_API cuGetProcAddress(const char *symbol, void **function,
                                 int version, uint64_t flags) {
  return cuGetProcAddress_v2(symbol, function, version, flags, nullptr);
}
