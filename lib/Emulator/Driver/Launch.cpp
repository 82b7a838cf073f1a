//===- Launch.cpp - Launches of kernels -----------------------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Emulator/Driver/Launch.h"

#include "Emulator/Driver/Errors.h"
#include "Emulator/Driver/Graphs/Capture.h"
#include "Emulator/Driver/Graphs/Graph.h"
#include "Emulator/Driver/Log.h"
#include "Emulator/Driver/Modules/Function.h"
#include "Emulator/Driver/Occupancy.h"
#include "Emulator/Driver/State/Context.h"
#include "Emulator/Driver/State/Device.h"
#include "Emulator/Driver/State/Driver.h"
#include "Emulator/Driver/State/Module.h"
#include "Emulator/Driver/Streams/Event.h"
#include "Emulator/Driver/Streams/Stream.h"
#include "Emulator/Driver/Types.h"
#include "hetero/Emulator/EmulatorControl.h"

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
  if (kernel.needsCluster())
    return refuse("a cluster of more than one block");
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

/// Finds the code for a launch of so many threads, which is compiled when it is
/// first asked for; whether that was now.
static bool findCode(PreparedLaunch &launch, Function &function,
                     uint64_t threads) {
  CompiledModule &code = *function.module->code;
  // Threads that wait for other blocks do so one by one.
  bool areMany =
      !launch.isCooperative && threads >= getDriver()->config.leastForWarps;
  if (areMany)
    launch.warpFunction = code.warpFunction(*function.kernel);
  if (!launch.warpFunction)
    launch.threadFunction = code.threadFunction(*function.kernel);
  return !function.isPrepared[areMany].exchange(true);
}

int heteroEmulatorPrepareLaunch(void *handle, uint64_t blocks,
                                uint64_t threads) {
  FunctionReference function;
  PreparedLaunch launch;
  return getFunction(handle, function) == cuda::kSuccess &&
         findCode(launch, *function.function, blocks * threads);
}

static cuda::Result prepare(PreparedLaunch &launch, Function &function,
                            unsigned dynamicShared, void **params,
                            void **extra) {
  launch.kernel = function.kernel;
  launch.memory = &function.module->context.device.memory;
  launch.heap = &function.module->context.heap;
  launch.heapBytes = function.module->context.limits[Context::kHeapLimit];
  launch.isRecorded = getDriver()->races != nullptr;
  launch.limit = getDriver()->config.limit;
  launch.sleepsVirtually = getDriver()->config.virtualClock;
  launch.checksShared = getDriver()->config.checksShared;
  launch.checksUninitialized = getDriver()->config.checksUninitialized;
  uint64_t shared = uint64_t(function.kernel->sharedBytes) + dynamicShared;
  if (dynamicShared > function.mostDynamicShared ||
      shared > function.module->context.device.limits.blockSharedBytes())
    return cuda::kInvalidValue;
  if (function.hasPartOfCluster())
    return kInvalidClusterSize;
  // Blocks get shared memory in units of 128 bytes.
  launch.reservedAt = static_cast<uint32_t>((shared + 127) / 128 * 128);
  launch.dynamicBytes = dynamicShared;
  launch.sharedBytes = function.kernel->usesReservedShared
                           ? launch.reservedAt + kReservedSharedBytes
                           : static_cast<uint32_t>(shared);
  if (cuda::Result error = checkShape(launch))
    return error;
  findCode(launch, function, launch.numBlocks() * launch.numThreads());
  if (!launch.warpFunction && !launch.threadFunction)
    return cuda::kInvalidPtx;
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
    if (!why.empty()) {
      module->context.setFault(
          {cuda::kLaunchFailed,
           "kernel " + launch->kernel->name +
               " on gpu:" + std::to_string(module->context.device.ordinal) +
               " fails (" + why + ")"});
      return;
    }
    runLaunch(*launch);
    if (launch->fault.code != cuda::kSuccess)
      module->context.reportFault(launch->fault);
  };
  context.submit(stream, work, run, &launch->effects);
}

cuda::Result hetero::emulator::prepareLaunch(const FunctionReference &function,
                                             const LaunchCall &call,
                                             void **params, void **extra,
                                             PreparedLaunch &prepared) {
  std::copy(call.grid, call.grid + 3, prepared.grid);
  std::copy(call.block, call.block + 3, prepared.block);
  prepared.isCooperative = call.isCooperative;
  prepared.isExplicitCluster =
      call.attributes.find(LaunchAttribute::ClusterDimension) ||
      function.function->cluster[0];
  if (cuda::Result error = prepare(prepared, *function.function,
                                   call.sharedBytes, params, extra))
    return error;
  prepared.mostResident =
      uint64_t(getNumWorkers()) * countActiveBlocks(*function.function,
                                                    prepared.numThreads(),
                                                    call.sharedBytes);
  // All blocks of a cooperative launch run at once.
  return call.isCooperative && prepared.numBlocks() > prepared.mostResident
             ? cuda::kCooperativeLaunchTooLarge
             : cuda::kSuccess;
}

IssueWork hetero::emulator::issueOf(const FunctionReference &function,
                                    const PreparedLaunch &prepared) {
  return [=](const std::shared_ptr<Stream> &stream) {
    issueLaunch(stream, function.module, prepared);
  };
}

static cuda::Result launch(cuda::Function handle, const LaunchCall &call,
                           cuda::Stream streamHandle, void **params,
                           void **extra) {
  std::shared_ptr<Stream> stream;
  if (cuda::Result error = getStream(streamHandle, stream))
    return error;
  FunctionReference function;
  if (cuda::Result error = getFunction(handle, function, &stream->context))
    return error;
  if (&function.module->context != &stream->context)
    return cuda::kInvalidHandle;
  PreparedLaunch prepared;
  if (cuda::Result error =
          prepareLaunch(function, call, params, extra, prepared))
    return error;
  if (!getLane(*stream)) {
    issueLaunch(stream, function.module, prepared);
    return cuda::kSuccess;
  }
  auto node =
      std::make_shared<KernelNode>(KernelNode{function, call, prepared});
  inheritAttributes(*stream, node->call);
  return issueOrCapture(stream, NodeKind::Kernel, issueOf(function, prepared),
                        std::move(node));
}

HETERO_CUDA_API cuLaunchKernel(cuda::Function handle, unsigned gridX,
                               unsigned gridY, unsigned gridZ, unsigned blockX,
                               unsigned blockY, unsigned blockZ,
                               unsigned sharedBytes, cuda::Stream stream,
                               void **params, void **extra) {
  return launch(
      handle,
      {{gridX, gridY, gridZ}, {blockX, blockY, blockZ}, sharedBytes, false},
      stream, params, extra);
}

HETERO_CUDA_API cuLaunchCooperativeKernel(cuda::Function handle, unsigned gridX,
                                          unsigned gridY, unsigned gridZ,
                                          unsigned blockX, unsigned blockY,
                                          unsigned blockZ, unsigned sharedBytes,
                                          cuda::Stream stream, void **params) {
  return launch(
      handle,
      {{gridX, gridY, gridZ}, {blockX, blockY, blockZ}, sharedBytes, true},
      stream, params, nullptr);
}

//===----------------------------------------------------------------------===//
// Launches with attributes
//===----------------------------------------------------------------------===//

HETERO_CUDA_API cuLaunchKernelEx(const LaunchConfig *config,
                                 cuda::Function handle, void **params,
                                 void **extra) {
  if (!config)
    return getDriver() ? cuda::kInvalidValue : cuda::kNotInitialized;
  std::shared_ptr<Stream> stream;
  if (cuda::Result error = getStream(config->stream, stream))
    return error;
  LaunchCall call = {};
  std::copy(config->grid, config->grid + 3, call.grid);
  std::copy(config->block, config->block + 3, call.block);
  call.sharedBytes = config->sharedBytes;
  if (cuda::Result error =
          applyAttributes(config->attributes, config->numAttributes,
                          AttributeUser::Launch, stream->context.device, call))
    return error;
  if (cuda::Result error = launch(handle, call, config->stream, params, extra))
    return error;
  // Events are recorded when the kernel is done, which is not too early.
  for (unsigned i = 0; i < config->numAttributes; ++i) {
    const LaunchAttribute &attribute = config->attributes[i];
    if (attribute.id != LaunchAttribute::ProgrammaticEvent &&
        attribute.id != LaunchAttribute::LaunchCompletionEvent)
      continue;
    if (cuda::Result error = recordEvent(attribute.event, config->stream))
      return error;
  }
  return cuda::kSuccess;
}
