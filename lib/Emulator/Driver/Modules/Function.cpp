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
  kMaxThreads = 0,
  kSharedSizeBytes = 1,
  kConstSizeBytes = 2,
  kLocalSizeBytes = 3,
  kNumRegs = 4,
  kPtxVersion = 5,
  kBinaryVersion = 6,
  kMaxDynamicShared = 8,
  kCarveout = 9,
  kClusterWidth = 11,
  kClusterHeight = 12,
  kClusterDepth = 13,
  kLargeClusters = 14,
  kClusterPolicy = 15,
  kLast = kClusterPolicy
};

/// The constants of its module, which lie one after the other.
static int constBytesOf(const Module &module) {
  uint64_t bytes = 0;
  for (const GlobalVariable &global : module.code->globals())
    if (global.isConst)
      bytes = (bytes + global.align - 1) / global.align * global.align +
              global.size;
  return static_cast<int>(bytes);
}

/// The field that keeps an attribute as it is set; null for other attributes.
static std::atomic<int> *findSetting(Function &function, int attribute) {
  switch (attribute) {
  case kCarveout:
    return &function.carveout;
  case kClusterWidth:
  case kClusterHeight:
  case kClusterDepth:
    return &function.cluster[attribute - kClusterWidth];
  case kLargeClusters:
    return &function.allowsLargeClusters;
  case kClusterPolicy:
    return &function.clusterPolicy;
  default:
    return nullptr;
  }
}

static int getFact(const FunctionReference &function, int attribute) {
  const CompiledKernel &kernel = *function.function->kernel;
  const Device &device = function.module->context.device;
  switch (attribute) {
  case kMaxThreads:
    return kernel.maxThreads ? kernel.maxThreads : kMostThreadsPerBlock;
  case kSharedSizeBytes:
    return kernel.sharedBytes;
  case kConstSizeBytes:
    return constBytesOf(*function.module);
  case kLocalSizeBytes:
    return kernel.localBytes;
  case kNumRegs:
    return kernel.numRegisters;
  case kPtxVersion:
    return kernel.ptxVersion;
  case kBinaryVersion: // PTX is compiled for the device.
    return device.major * 10 + device.minor;
  case kMaxDynamicShared:
    return function.function->mostDynamicShared;
  default:
    return 0;
  }
}

HETERO_CUDA_API cuFuncGetAttribute(int *value, int attribute,
                                   cuda::Function handle) {
  FunctionReference function;
  if (cuda::Result error = getFunction(handle, function))
    return error;
  if (!value || attribute < 0 || attribute > kLast)
    return cuda::kInvalidValue;
  std::atomic<int> *setting = findSetting(*function.function, attribute);
  *value = setting ? setting->load() : getFact(function, attribute);
  return cuda::kSuccess;
}

/// Clusters of one block are the blocks; there are no larger ones.
static cuda::Result checkSetting(int attribute, int value) {
  auto isWithin = [&](int least, int most) {
    return value >= least && value <= most ? cuda::kSuccess
                                           : cuda::kInvalidValue;
  };
  switch (attribute) {
  case kCarveout:
    return isWithin(-1, 100);
  case kLargeClusters:
    return isWithin(0, 1);
  case kClusterPolicy:
    return isWithin(0, 2);
  default:
    return value > 1 ? refuse("a cluster of more than one block")
                     : isWithin(0, 1);
  }
}

HETERO_CUDA_API cuFuncSetAttribute(cuda::Function handle, int attribute,
                                   int value) {
  FunctionReference function;
  if (cuda::Result error = getFunction(handle, function))
    return error;
  if (std::atomic<int> *setting = findSetting(*function.function, attribute)) {
    // The cluster size of the PTX text cannot be changed.
    if (attribute >= kClusterWidth && attribute <= kClusterDepth &&
        function->kernel->reqCluster[0])
      return kNotPermitted;
    cuda::Result error = checkSetting(attribute, value);
    if (error == cuda::kSuccess)
      *setting = value;
    return error;
  }
  const Capability &limits = function.module->context.device.limits;
  uint64_t most = limits.blockSharedBytes();
  if (attribute != kMaxDynamicShared || value < 0 ||
      uint64_t(value) + function->kernel->sharedBytes > most)
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
