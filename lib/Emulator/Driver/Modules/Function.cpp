//===- Function.cpp - Functions of modules --------------------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Emulator/Driver/Modules/Function.h"

#include "Emulator/Driver/Errors.h"
#include "Emulator/Driver/Modules/Library.h"
#include "Emulator/Driver/Occupancy.h"
#include "Emulator/Driver/State/Context.h"
#include "Emulator/Driver/State/Device.h"
#include "Emulator/Driver/State/Driver.h"
#include "Emulator/Driver/State/Module.h"

using namespace hetero::emulator;
using namespace hetero;

cuda::Result hetero::emulator::getFunction(const void *handle,
                                           FunctionReference &result,
                                           Context *context) {
  if (!getDriver())
    return cuda::kNotInitialized;
  for (std::shared_ptr<Module> &module : getDriver()->modules.all())
    for (auto &[name, candidate] : module->functions)
      if (candidate.get() == handle) {
        result = {candidate.get(), module};
        return cuda::kSuccess;
      }
  return findKernel(handle, context, result);
}

/// CUfunction_attribute.
enum FunctionAttribute : int {
  kMaxThreadsPerBlock = 0,
  kSharedSizeBytes = 1,
  kLocalSizeBytes = 3,
  kNumRegs = 4,
  kPtxVersion = 5,
  kBinaryVersion = 6,
  kMaxDynamicShared = 8,
  kCarveout = 9,
  kNonPortableClusters = 14,
  kLast = 15
};

HETERO_CUDA_API cuFuncGetAttribute(int *value, int attribute,
                                   cuda::Function handle) {
  FunctionReference function;
  if (cuda::Result error = getFunction(handle, function))
    return error;
  if (!value || attribute < 0 || attribute > kLast)
    return cuda::kInvalidValue;
  const CompiledKernel &kernel = *function->kernel;
  const Device &device = function.module->context.device;
  *value = 0;
  switch (attribute) {
  case kMaxThreadsPerBlock:
    *value = kernel.maxThreads ? kernel.maxThreads : 1024;
    break;
  case kSharedSizeBytes:
    *value = kernel.sharedBytes;
    break;
  case kLocalSizeBytes:
    *value = kernel.localBytes;
    break;
  case kNumRegs:
    *value = kernel.numRegisters;
    break;
  case kPtxVersion:
  case kBinaryVersion:
    *value = device.major * 10 + device.minor;
    break;
  case kMaxDynamicShared:
    *value = function->mostDynamicShared;
    break;
  case kCarveout:
    *value = -1; // The driver's choice.
    break;
  default:
    break;
  }
  return cuda::kSuccess;
}

HETERO_CUDA_API cuFuncSetAttribute(cuda::Function handle, int attribute,
                                   int value) {
  FunctionReference function;
  if (cuda::Result error = getFunction(handle, function))
    return error;
  if (attribute != kMaxDynamicShared)
    return attribute >= kCarveout && attribute <= kLast
               ? cuda::kSuccess // Hints.
               : cuda::kInvalidValue;
  if (value < 0 || value + function->kernel->sharedBytes > kMostShared)
    return cuda::kInvalidValue;
  function->mostDynamicShared = value;
  return cuda::kSuccess;
}

HETERO_CUDA_API cuFuncGetParamInfo(cuda::Function handle, size_t index,
                                   size_t *offset, size_t *size) {
  FunctionReference function;
  if (cuda::Result error = getFunction(handle, function))
    return error;
  const auto &params = function->kernel->params;
  if (!offset || index >= params.size())
    return cuda::kInvalidValue;
  *offset = params[index].offset;
  if (size)
    *size = params[index].size;
  return cuda::kSuccess;
}

HETERO_CUDA_API cuFuncGetModule(cuda::Module *result, cuda::Function handle) {
  FunctionReference function;
  if (cuda::Result error = getFunction(handle, function))
    return error;
  if (!result)
    return cuda::kInvalidValue;
  *result = reinterpret_cast<cuda::Module>(function->module);
  return cuda::kSuccess;
}

HETERO_CUDA_API cuFuncGetName(const char **name, cuda::Function handle) {
  FunctionReference function;
  if (cuda::Result error = getFunction(handle, function))
    return error;
  if (!name)
    return cuda::kInvalidValue;
  *name = function->kernel->name.c_str();
  return cuda::kSuccess;
}

/// How shared memory and caches share what they have is a hint.
HETERO_CUDA_API cuFuncSetCacheConfig(cuda::Function handle, int config) {
  if (config < 0 || config > 3)
    return getDriver() ? cuda::kInvalidValue : cuda::kNotInitialized;
  FunctionReference function;
  return getFunction(handle, function);
}

HETERO_CUDA_API cuFuncSetSharedMemConfig(cuda::Function handle, int config) {
  if (config < 0 || config > 2)
    return getDriver() ? cuda::kInvalidValue : cuda::kNotInitialized;
  FunctionReference function;
  return getFunction(handle, function);
}

HETERO_CUDA_API cuFuncIsLoaded(int *state, cuda::Function handle) {
  constexpr int kLoaded = 1;
  FunctionReference function;
  if (cuda::Result error = getFunction(handle, function))
    return error;
  if (!state)
    return cuda::kInvalidValue;
  *state = kLoaded;
  return cuda::kSuccess;
}

HETERO_CUDA_API cuFuncLoad(cuda::Function handle) {
  FunctionReference function;
  return getFunction(handle, function);
}
