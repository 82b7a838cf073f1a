//===- Occupancy.cpp - How many blocks there is room for ------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Emulator/Driver/Occupancy.h"

#include "Emulator/Driver/Errors.h"
#include "Emulator/Driver/LaunchAttributes.h"
#include "Emulator/Driver/Modules/Function.h"

#include <algorithm>

using namespace hetero::emulator;
using namespace hetero;

static constexpr uint32_t kWarp = 32;

static constexpr uint64_t roundUp(uint64_t number, uint64_t multiple) {
  return (number + multiple - 1) / multiple * multiple;
}

/// Registers of PTX are virtual: how many a thread would have on hardware,
/// which may leave room for fewer blocks, is not known.
int hetero::emulator::countActiveBlocks(const Function &function,
                                        uint32_t threads,
                                        uint64_t dynamicShared) {
  const CompiledKernel &kernel = *function.kernel;
  const Capability &limits = function.module->context.device.limits;
  if (threads == 0 || threads > kMostThreadsPerBlock ||
      (kernel.maxThreads && threads > kernel.maxThreads) ||
      dynamicShared > function.mostDynamicShared)
    return 0;
  uint64_t warps = roundUp(threads, kWarp) / kWarp;
  uint64_t blocks = std::min<uint64_t>(limits.blocks, limits.warps / warps);
  uint64_t shared =
      roundUp(kernel.sharedBytes + dynamicShared + limits.reservedShared(),
              limits.sharedUnit());
  return static_cast<int>(
      shared ? std::min(blocks, limits.sharedBytes() / shared) : blocks);
}

HETERO_CUDA_API
cuOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, cuda::Function handle,
                                            int threads, size_t dynamicShared) {
  FunctionReference function;
  if (cuda::Result error = getFunction(handle, function))
    return error;
  if (!blocks || threads <= 0 || threads > int(kMostThreadsPerBlock))
    return cuda::kInvalidValue;
  *blocks = countActiveBlocks(*function.function, threads, dynamicShared);
  return cuda::kSuccess;
}

/// How caches are used changes nothing.
HETERO_CUDA_API cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
    int *blocks, cuda::Function handle, int threads, size_t dynamicShared,
    unsigned) {
  return cuOccupancyMaxActiveBlocksPerMultiprocessor(blocks, handle, threads,
                                                     dynamicShared);
}

/// The block that fills most of a multiprocessor, the largest of several.
HETERO_CUDA_API cuOccupancyMaxPotentialBlockSize(
    int *minGrid, int *block, cuda::Function handle,
    size_t (*sharedOfBlock)(int threads), size_t dynamicShared, int limit) {
  FunctionReference function;
  if (cuda::Result error = getFunction(handle, function))
    return error;
  if (!minGrid || !block || limit < 0)
    return cuda::kInvalidValue;
  int best = 0, bestBlocks = 0, bestThreads = 0;
  int most = limit ? std::min<int>(limit, kMostThreadsPerBlock)
                   : int(kMostThreadsPerBlock);
  for (int threads = most; threads > 0;
       threads = (threads - 1) / int(kWarp) * int(kWarp)) {
    size_t shared = sharedOfBlock ? sharedOfBlock(threads) : dynamicShared;
    int blocks = countActiveBlocks(*function.function, threads, shared);
    if (blocks * threads <= best)
      continue;
    best = blocks * threads;
    bestBlocks = blocks;
    bestThreads = threads;
  }
  *minGrid = bestBlocks * getNumWorkers();
  *block = bestThreads;
  return cuda::kSuccess;
}

HETERO_CUDA_API cuOccupancyMaxPotentialBlockSizeWithFlags(
    int *minGrid, int *block, cuda::Function handle,
    size_t (*sharedOfBlock)(int threads), size_t dynamicShared, int limit,
    unsigned) {
  return cuOccupancyMaxPotentialBlockSize(minGrid, block, handle, sharedOfBlock,
                                          dynamicShared, limit);
}

HETERO_CUDA_API
cuOccupancyAvailableDynamicSMemPerBlock(size_t *bytes, cuda::Function handle,
                                        int blocks, int threads) {
  FunctionReference function;
  if (cuda::Result error = getFunction(handle, function))
    return error;
  if (!bytes || blocks <= 0 || threads <= 0 ||
      countActiveBlocks(*function.function, threads, 0) < blocks)
    return cuda::kInvalidValue;
  const Capability &limits = function.module->context.device.limits;
  uint64_t unit = limits.sharedUnit();
  uint64_t each = limits.sharedBytes() / blocks / unit * unit;
  *bytes = std::min<uint64_t>(each - limits.reservedShared(),
                              limits.blockSharedBytes()) -
           function->kernel->sharedBytes;
  return cuda::kSuccess;
}

//===----------------------------------------------------------------------===//
// Clusters, which have one block
//===----------------------------------------------------------------------===//

static uint32_t numThreads(const LaunchConfig &config) {
  return config.block[0] * config.block[1] * config.block[2];
}

HETERO_CUDA_API cuOccupancyMaxActiveClusters(int *clusters,
                                             cuda::Function handle,
                                             const LaunchConfig *config) {
  FunctionReference function;
  if (cuda::Result error = getFunction(handle, function))
    return error;
  if (!clusters || !config)
    return cuda::kInvalidValue;
  LaunchCall call = {};
  std::copy(config->grid, config->grid + 3, call.grid);
  if (cuda::Result error = applyAttributes(
          config->attributes, config->numAttributes, AttributeUser::Launch,
          function.module->context.device, call))
    return error;
  if (function->kernel->needsCluster())
    return refuse("a cluster of more than one block");
  if (function->hasPartOfCluster())
    return kInvalidClusterSize;
  *clusters = getNumWorkers() * countActiveBlocks(*function.function,
                                                  numThreads(*config),
                                                  config->sharedBytes);
  return cuda::kSuccess;
}

HETERO_CUDA_API cuOccupancyMaxPotentialClusterSize(int *size,
                                                   cuda::Function handle,
                                                   const LaunchConfig *config) {
  FunctionReference function;
  if (cuda::Result error = getFunction(handle, function))
    return error;
  if (!size || !config)
    return cuda::kInvalidValue;
  *size = 1;
  return cuda::kSuccess;
}
