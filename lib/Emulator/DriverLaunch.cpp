//===- DriverLaunch.cpp - Launches of kernels -----------------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Device.h"
#include "Log.h"

#include <atomic>
#include <cstring>

using namespace hetero::emulator;
using namespace hetero;

static cuda::Result checkShape(const PreparedLaunch &launch) {
  const uint32_t *grid = launch.grid, *block = launch.block;
  const CompiledKernel &kernel = *launch.kernel;
  for (int i = 0; i < 3; ++i)
    if (grid[i] == 0 || block[i] == 0)
      return cuda::kInvalidValue;
  if (grid[0] > 0x7fffffff || grid[1] > 65535 || grid[2] > 65535 ||
      block[0] > 1024 || block[1] > 1024 || block[2] > 64 ||
      launch.numThreads() > 1024)
    return cuda::kInvalidValue;
  if (kernel.maxThreads && launch.numThreads() > kernel.maxThreads)
    return cuda::kInvalidValue;
  if (kernel.reqThreads[0])
    for (int i = 0; i < 3; ++i)
      if (block[i] != kernel.reqThreads[i])
        return cuda::kInvalidValue;
  return cuda::kSuccess;
}

/// Ends of the `extra` array and its two entries.
enum : uintptr_t { kParamEnd = 0, kParamBuffer = 1, kParamBufferSize = 2 };

/// Copies the arguments into the launch's parameter block.
static cuda::Result packParams(PreparedLaunch &launch, void **params,
                               void **extra) {
  const CompiledKernel &kernel = *launch.kernel;
  launch.params.resize(kernel.paramBytes / sizeof(ParamLine) + 1);
  uint8_t *block = launch.params.front().bytes;
  if (params && extra)
    return cuda::kInvalidValue;
  if (params) {
    for (size_t i = 0; i < kernel.params.size(); ++i)
      std::memcpy(block + kernel.params[i].offset, params[i],
                  kernel.params[i].size);
    return cuda::kSuccess;
  }
  const void *buffer = nullptr;
  size_t bytes = 0;
  for (; extra && reinterpret_cast<uintptr_t>(*extra) != kParamEnd;
       extra += 2) {
    if (reinterpret_cast<uintptr_t>(*extra) == kParamBuffer)
      buffer = extra[1];
    else if (reinterpret_cast<uintptr_t>(*extra) == kParamBufferSize)
      bytes = *static_cast<size_t *>(extra[1]);
    else
      return cuda::kInvalidValue;
  }
  if (bytes < kernel.paramBytes || (bytes > 0 && !buffer))
    return cuda::kInvalidValue;
  if (kernel.paramBytes)
    std::memcpy(block, buffer, kernel.paramBytes);
  return cuda::kSuccess;
}

static cuda::Result prepare(PreparedLaunch &launch, const Function &function,
                            unsigned dynamicShared, void **params,
                            void **extra) {
  launch.kernel = function.kernel;
  launch.memory = &function.module->context.device.memory;
  launch.isRecorded = getDriver()->races != nullptr;
  launch.limit = getDriver()->config.limit;
  launch.checksShared = getDriver()->config.checksShared;
  launch.checksUninitialized = getDriver()->config.checksUninitialized;
  uint64_t shared = uint64_t(function.kernel->sharedBytes) + dynamicShared;
  if (dynamicShared > function.mostDynamicShared || shared > kMostShared)
    return cuda::kInvalidValue;
  // Blocks get shared memory in units of 128 bytes.
  launch.reservedAt = static_cast<uint32_t>((shared + 127) / 128 * 128);
  launch.dynamicBytes = dynamicShared;
  launch.sharedBytes = function.kernel->usesReservedShared
                           ? launch.reservedAt + kReservedSharedBytes
                           : static_cast<uint32_t>(shared);
  if (cuda::Result error = checkShape(launch))
    return error;
  // Threads that wait for other blocks do so one by one.
  if (!launch.isCooperative && launch.numBlocks() * launch.numThreads() >=
                                   getDriver()->config.leastForWarps)
    launch.warpFunction = function.module->code->warpFunction(*function.kernel);
  return packParams(launch, params, extra);
}

/// Blocks of a cooperative launch meet in eight bytes of the device's memory,
/// whose second half counts arrivals.
static void runLaunch(Launch &launch) {
  constexpr uint64_t kBytes = 8;
  if (!launch.isCooperative)
    return runGrid(launch);
  launch.workspace = launch.memory->allocate(kBytes);
  if (!launch.workspace)
    return launch.fail(cuda::kLaunchOutOfResources,
                       "kernel " + launch.kernel->name +
                           " has no memory in which its blocks can meet");
  std::memset(launch.memory->translate(launch.workspace, kBytes), 0, kBytes);
  launch.memory->noteWritten(launch.workspace, kBytes);
  runGrid(launch);
  launch.memory->free(launch.workspace);
}

static void issueLaunch(const std::shared_ptr<Stream> &stream,
                        const std::shared_ptr<Module> &module,
                        const PreparedLaunch &prepared) {
  static std::atomic<uint64_t> nextId{1};
  auto launch = std::make_shared<Launch>(prepared);
  launch->id = nextId++;
  launch->order = orderOfBlocks(launch->id, launch->numBlocks());
  Context &context = stream->context;
  logLaunch(context.device.ordinal, launch->kernel->name, launch->grid,
            launch->block);
  std::string why = countCall(CallClass::Launch);
  Work work;
  work.kind = Work::Kernel;
  work.name = launch->kernel->name;
  work.device = context.device.ordinal;
  auto run = [launch, module, why] {
    if (!why.empty())
      return module->context.setFault(
          {cuda::kLaunchFailed,
           "kernel " + launch->kernel->name +
               " on gpu:" + std::to_string(module->context.device.ordinal) +
               " fails (" + why + ")"});
    runLaunch(*launch);
    if (launch->fault.code != cuda::kSuccess)
      module->context.setFault(launch->fault);
  };
  context.submit(stream, work, run, &launch->effects);
}

namespace {
/// What the calls that launch have in common.
struct LaunchCall {
  uint32_t grid[3], block[3];
  unsigned sharedBytes;
  cuda::Stream stream;
  bool isCooperative;
};
} // namespace

/// All blocks of a cooperative launch run at once.
static cuda::Result checkResident(const PreparedLaunch &launch,
                                  unsigned dynamicShared) {
  uint64_t most =
      uint64_t(getNumWorkers()) *
      countActiveBlocks(*launch.kernel, launch.numThreads(), dynamicShared);
  return launch.numBlocks() <= most ? cuda::kSuccess
                                    : cuda::kCooperativeLaunchTooLarge;
}

static cuda::Result launch(cuda::Function handle, const LaunchCall &call,
                           void **params, void **extra) {
  std::shared_ptr<Stream> stream;
  if (cuda::Result error = getStream(call.stream, stream))
    return error;
  FunctionReference function;
  if (cuda::Result error = getFunction(handle, function))
    return error;
  if (&function.module->context != &stream->context)
    return cuda::kInvalidHandle;
  PreparedLaunch prepared;
  std::copy(call.grid, call.grid + 3, prepared.grid);
  std::copy(call.block, call.block + 3, prepared.block);
  prepared.isCooperative = call.isCooperative;
  if (cuda::Result error = prepare(prepared, *function.function,
                                   call.sharedBytes, params, extra))
    return error;
  if (call.isCooperative)
    if (cuda::Result error = checkResident(prepared, call.sharedBytes))
      return error;
  return issueOrCapture(stream, NodeKind::Kernel,
                        [=](const std::shared_ptr<Stream> &stream) {
                          issueLaunch(stream, function.module, prepared);
                        });
}

HETERO_CUDA_API cuLaunchKernel(cuda::Function handle, unsigned gridX,
                               unsigned gridY, unsigned gridZ, unsigned blockX,
                               unsigned blockY, unsigned blockZ,
                               unsigned sharedBytes, cuda::Stream stream,
                               void **params, void **extra) {
  return launch(handle,
                {{gridX, gridY, gridZ},
                 {blockX, blockY, blockZ},
                 sharedBytes,
                 stream,
                 /*isCooperative=*/false},
                params, extra);
}

HETERO_CUDA_API cuLaunchCooperativeKernel(cuda::Function handle, unsigned gridX,
                                          unsigned gridY, unsigned gridZ,
                                          unsigned blockX, unsigned blockY,
                                          unsigned blockZ, unsigned sharedBytes,
                                          cuda::Stream stream, void **params) {
  return launch(handle,
                {{gridX, gridY, gridZ},
                 {blockX, blockY, blockZ},
                 sharedBytes,
                 stream,
                 /*isCooperative=*/true},
                params, nullptr);
}
