//===- LegacyLaunch.cpp - Launches as before CUDA 4 -----------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A function remembers its block and arguments, and launches take the grid.
//
//===----------------------------------------------------------------------===//

#include "Emulator/Driver/Errors.h"
#include "Emulator/Driver/Modules/Function.h"
#include "Emulator/Driver/Types.h"

#include <cstring>

using namespace hetero::emulator;
using namespace hetero;

HETERO_CUDA_API cuLaunchKernel(cuda::Function, unsigned, unsigned, unsigned,
                               unsigned, unsigned, unsigned, unsigned,
                               cuda::Stream, void **, void **);

/// A block has no more threads than that, and its arguments no more bytes.
static constexpr unsigned kMostThreads = 1024, kMostParamBytes = 32764;

HETERO_CUDA_API cuFuncSetBlockShape(cuda::Function handle, int x, int y,
                                    int z) {
  FunctionReference function;
  if (cuda::Result error = getFunction(handle, function))
    return error;
  if (x <= 0 || y <= 0 || z <= 0 ||
      uint64_t(x) * uint64_t(y) * uint64_t(z) > kMostThreads)
    return cuda::kInvalidValue;
  LegacyLaunch &legacy = function->legacy;
  std::lock_guard<std::mutex> lock(legacy.mutex);
  legacy.block[0] = x;
  legacy.block[1] = y;
  legacy.block[2] = z;
  return cuda::kSuccess;
}

HETERO_CUDA_API cuFuncSetSharedSize(cuda::Function handle, unsigned bytes) {
  FunctionReference function;
  if (cuda::Result error = getFunction(handle, function))
    return error;
  if (bytes > function->mostDynamicShared)
    return cuda::kInvalidValue;
  std::lock_guard<std::mutex> lock(function->legacy.mutex);
  function->legacy.sharedBytes = bytes;
  return cuda::kSuccess;
}

//===----------------------------------------------------------------------===//
// Arguments
//===----------------------------------------------------------------------===//

HETERO_CUDA_API cuParamSetSize(cuda::Function handle, unsigned bytes) {
  FunctionReference function;
  if (cuda::Result error = getFunction(handle, function))
    return error;
  if (bytes > kMostParamBytes)
    return cuda::kInvalidValue;
  std::lock_guard<std::mutex> lock(function->legacy.mutex);
  function->legacy.params.resize(bytes);
  return cuda::kSuccess;
}

/// Programs may give the size before the arguments or after them.
HETERO_CUDA_API cuParamSetv(cuda::Function handle, int offset,
                            const void *value, unsigned bytes) {
  FunctionReference function;
  if (cuda::Result error = getFunction(handle, function))
    return error;
  if (offset < 0 || (!value && bytes > 0) || bytes > kMostParamBytes ||
      unsigned(offset) > kMostParamBytes - bytes)
    return cuda::kInvalidValue;
  std::lock_guard<std::mutex> lock(function->legacy.mutex);
  std::vector<uint8_t> &params = function->legacy.params;
  params.resize(std::max<size_t>(params.size(), offset + bytes));
  std::copy_n(static_cast<const uint8_t *>(value), bytes,
              params.begin() + offset);
  return cuda::kSuccess;
}

HETERO_CUDA_API cuParamSeti(cuda::Function handle, int offset, unsigned value) {
  return cuParamSetv(handle, offset, &value, sizeof value);
}

HETERO_CUDA_API cuParamSetf(cuda::Function handle, int offset, float value) {
  return cuParamSetv(handle, offset, &value, sizeof value);
}

//===----------------------------------------------------------------------===//
// Launches
//===----------------------------------------------------------------------===//

HETERO_CUDA_API cuLaunchGridAsync(cuda::Function handle, int width, int height,
                                  cuda::Stream stream) {
  FunctionReference function;
  if (cuda::Result error = getFunction(handle, function))
    return error;
  if (width <= 0 || height <= 0)
    return cuda::kInvalidValue;
  uint32_t block[3], sharedBytes;
  std::vector<uint8_t> params;
  {
    LegacyLaunch &legacy = function->legacy;
    std::lock_guard<std::mutex> lock(legacy.mutex);
    std::copy(legacy.block, legacy.block + 3, block);
    sharedBytes = legacy.sharedBytes;
    params = legacy.params;
  }
  // CU_LAUNCH_PARAM_BUFFER_POINTER, _BUFFER_SIZE and _END.
  size_t bytes = params.size();
  void *extra[] = {reinterpret_cast<void *>(1), params.data(),
                   reinterpret_cast<void *>(2), &bytes, nullptr};
  return cuLaunchKernel(handle, width, height, 1, block[0], block[1], block[2],
                        sharedBytes, stream, nullptr, extra);
}

HETERO_CUDA_API cuLaunchGrid(cuda::Function handle, int width, int height) {
  return cuLaunchGridAsync(handle, width, height, nullptr);
}

HETERO_CUDA_API cuLaunch(cuda::Function handle) {
  return cuLaunchGrid(handle, 1, 1);
}
