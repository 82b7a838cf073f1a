//===- Runtime.cpp - The CUDA runtime that CUB and Thrust call ------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The toolkit's runtime asks drivers for tables that are not documented. These
// are the functions of it that a program needs, over the driver API alone, with
// the PTX that nvcc kept beside the program: KERNELS names the file.
//
//===----------------------------------------------------------------------===//

#include <cuda.h>
#include <cuda_runtime_api.h>

#include <cstdio>
#include <cstdlib>
#include <map>
#include <string>

// What nvcc's code calls, as crt/host_runtime.h declares it.
extern "C" {
void **__cudaRegisterFatBinary(void *) {
  static void *handle;
  return &handle;
}
void __cudaRegisterFatBinaryEnd(void **) {}
void __cudaUnregisterFatBinary(void **) {}
char __cudaInitModule(void **) { return 0; }
void __cudaRegisterVar(void **, char *, char *, const char *, int, size_t, int,
                       int) {}
}

static cudaError_t last = cudaSuccess;

/// Codes of errors are the same in both.
static cudaError_t note(CUresult result) {
  if (result != CUDA_SUCCESS)
    last = static_cast<cudaError_t>(result);
  return static_cast<cudaError_t>(result);
}

//===----------------------------------------------------------------------===//
// Kernels
//===----------------------------------------------------------------------===//

static std::map<const void *, std::string> &kernelNames() {
  static std::map<const void *, std::string> names;
  return names;
}

extern "C" void __cudaRegisterFunction(void **, const char *function, char *,
                                       const char *name, int, uint3 *, uint3 *,
                                       dim3 *, dim3 *, int *) {
  kernelNames()[function] = name;
}

static CUresult begin() {
  static const CUresult result = [] {
    CUcontext context;
    if (CUresult error = cuInit(0))
      return error;
    if (CUresult error = cuDevicePrimaryCtxRetain(&context, 0))
      return error;
    return cuCtxSetCurrent(context);
  }();
  return result;
}

static CUresult findKernel(const void *handle, CUfunction *function) {
  if (CUresult error = begin())
    return error;
  static CUmodule module = nullptr;
  static const CUresult loaded = cuModuleLoad(&module, std::getenv("KERNELS"));
  if (loaded)
    return loaded;
  return cuModuleGetFunction(function, module, kernelNames()[handle].c_str());
}

namespace {
struct Configuration {
  dim3 grid, block;
  size_t shared;
  cudaStream_t stream;
};
} // namespace
static thread_local Configuration pushed;

extern "C" unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block,
                                                size_t shared,
                                                cudaStream_t stream) {
  pushed = {grid, block, shared, stream};
  return 0;
}

extern "C" cudaError_t __cudaPopCallConfiguration(dim3 *grid, dim3 *block,
                                                  size_t *shared,
                                                  void *stream) {
  *grid = pushed.grid;
  *block = pushed.block;
  *shared = pushed.shared;
  *static_cast<cudaStream_t *>(stream) = pushed.stream;
  return cudaSuccess;
}

extern "C" cudaError_t __cudaGetKernel(cudaKernel_t *kernel,
                                       const void *function) {
  *kernel = static_cast<cudaKernel_t>(const_cast<void *>(function));
  return cudaSuccess;
}

cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t *config,
                                const void *handle, void **arguments) {
  CUfunction function;
  if (CUresult error = findKernel(handle, &function))
    return note(error);
  CUlaunchConfig call = {};
  call.gridDimX = config->gridDim.x;
  call.gridDimY = config->gridDim.y;
  call.gridDimZ = config->gridDim.z;
  call.blockDimX = config->blockDim.x;
  call.blockDimY = config->blockDim.y;
  call.blockDimZ = config->blockDim.z;
  call.sharedMemBytes = static_cast<unsigned>(config->dynamicSmemBytes);
  call.hStream = config->stream;
  // The attributes are the same, too.
  call.attrs = reinterpret_cast<CUlaunchAttribute *>(config->attrs);
  call.numAttrs = config->numAttrs;
  return note(cuLaunchKernelEx(&call, function, arguments, nullptr));
}

extern "C" cudaError_t __cudaLaunchKernel(cudaKernel_t kernel, dim3 grid,
                                          dim3 block, void **arguments,
                                          size_t shared, cudaStream_t stream) {
  cudaLaunchConfig_t config = {};
  config.gridDim = grid;
  config.blockDim = block;
  config.dynamicSmemBytes = shared;
  config.stream = stream;
  return cudaLaunchKernelExC(&config, kernel, arguments);
}

cudaError_t cudaFuncGetAttributes(cudaFuncAttributes *result,
                                  const void *handle) {
  CUfunction function;
  if (CUresult error = findKernel(handle, &function))
    return note(error);
  auto get = [&](CUfunction_attribute attribute) {
    int value = 0;
    note(cuFuncGetAttribute(&value, attribute, function));
    return value;
  };
  *result = {};
  result->sharedSizeBytes = get(CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES);
  result->constSizeBytes = get(CU_FUNC_ATTRIBUTE_CONST_SIZE_BYTES);
  result->localSizeBytes = get(CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES);
  result->maxThreadsPerBlock = get(CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK);
  result->numRegs = get(CU_FUNC_ATTRIBUTE_NUM_REGS);
  result->ptxVersion = get(CU_FUNC_ATTRIBUTE_PTX_VERSION);
  result->binaryVersion = get(CU_FUNC_ATTRIBUTE_BINARY_VERSION);
  result->maxDynamicSharedSizeBytes =
      get(CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES);
  return cudaSuccess;
}

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
    int *blocks, const void *handle, int threads, size_t shared,
    unsigned flags) {
  CUfunction function;
  if (CUresult error = findKernel(handle, &function))
    return note(error);
  return note(cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
      blocks, function, threads, shared, flags));
}

//===----------------------------------------------------------------------===//
// Devices, memory and errors
//===----------------------------------------------------------------------===//

cudaError_t cudaGetDeviceCount(int *count) {
  CUresult error = begin();
  return note(error ? error : cuDeviceGetCount(count));
}

cudaError_t cudaGetDevice(int *device) {
  *device = 0;
  return cudaSuccess;
}

cudaError_t cudaSetDevice(int) { return note(begin()); }

cudaError_t cudaDeviceGetAttribute(int *value, cudaDeviceAttr attribute,
                                   int device) {
  CUresult error = begin();
  return note(
      error ? error
            : cuDeviceGetAttribute(
                  value, static_cast<CUdevice_attribute>(attribute), device));
}

cudaError_t cudaDeviceSynchronize() { return note(cuCtxSynchronize()); }

cudaError_t cudaStreamSynchronize(cudaStream_t stream) {
  return note(cuStreamSynchronize(stream));
}

static CUdeviceptr addressOf(const void *pointer) {
  return reinterpret_cast<CUdeviceptr>(pointer);
}

cudaError_t cudaMalloc(void **pointer, size_t bytes) {
  CUresult error = begin();
  return note(
      error ? error
            : cuMemAlloc(reinterpret_cast<CUdeviceptr *>(pointer), bytes));
}

cudaError_t cudaFree(void *pointer) {
  return pointer ? note(cuMemFree(addressOf(pointer))) : cudaSuccess;
}

/// Memory of a device has other addresses than memory of the host.
cudaError_t cudaMemcpyAsync(void *to, const void *from, size_t bytes,
                            cudaMemcpyKind kind, cudaStream_t stream) {
  switch (kind) {
  case cudaMemcpyHostToDevice:
    return note(cuMemcpyHtoDAsync(addressOf(to), from, bytes, stream));
  case cudaMemcpyDeviceToHost:
    return note(cuMemcpyDtoHAsync(to, addressOf(from), bytes, stream));
  default:
    return note(cuMemcpyAsync(addressOf(to), addressOf(from), bytes, stream));
  }
}

cudaError_t cudaMemsetAsync(void *pointer, int value, size_t bytes,
                            cudaStream_t stream) {
  return note(cuMemsetD8Async(
      addressOf(pointer), static_cast<unsigned char>(value), bytes, stream));
}

cudaError_t cudaPeekAtLastError() { return last; }

cudaError_t cudaGetLastError() {
  cudaError_t error = last;
  last = cudaSuccess;
  return error;
}

const char *cudaGetErrorName(cudaError_t error) {
  const char *name = "?";
  cuGetErrorName(static_cast<CUresult>(error), &name);
  return name;
}

const char *cudaGetErrorString(cudaError_t error) {
  const char *text = "?";
  cuGetErrorString(static_cast<CUresult>(error), &text);
  return text;
}
