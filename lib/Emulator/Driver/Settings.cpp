//===- Settings.cpp - What a context is set to ----------------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Settings are kept and given back. Few change what kernels do: there are no
// caches, and memory grows as it is needed.
//
//===----------------------------------------------------------------------===//

#include "Emulator/Driver/Context.h"
#include "Emulator/Driver/Errors.h"
#include "Emulator/Driver/State/Context.h"
#include "Emulator/Driver/State/Device.h"
#include "Emulator/Driver/State/Driver.h"
#include "Emulator/Driver/Streams/Stream.h"

#include <algorithm>

using namespace hetero::emulator;
using namespace hetero;

/// Writes a setting of the current context.
template <typename Value, typename Property>
static cuda::Result get(Value *result, Property property) {
  Context *context;
  if (cuda::Result error = getCurrent(context))
    return error;
  if (!result)
    return cuda::kInvalidValue;
  *result = property(*context);
  return cuda::kSuccess;
}

HETERO_CUDA_API cuCtxGetFlags(unsigned *flags) {
  return get(flags, [](Context &context) { return context.flags.load(); });
}

/// Of a context that exists, how it waits stays as it is.
HETERO_CUDA_API cuCtxSetFlags(unsigned flags) {
  constexpr unsigned kMayChange = 0x20 | 0x40 | 0x80;
  Context *context;
  if (cuda::Result error = getCurrent(context))
    return error;
  if (flags & ~0xffu)
    return cuda::kInvalidValue;
  context->flags = (context->flags & ~kMayChange) | (flags & kMayChange);
  return cuda::kSuccess;
}

HETERO_CUDA_API cuCtxGetId(cuda::Context handle, unsigned long long *id) {
  if (!handle)
    return get(id, [](Context &context) { return context.id; });
  if (!getDriver())
    return cuda::kNotInitialized;
  auto *context = reinterpret_cast<Context *>(handle);
  if (!getDriver()->isContext(context))
    return cuda::kInvalidContext;
  if (!context->isActive())
    return cuda::kContextIsDestroyed;
  if (!id)
    return cuda::kInvalidValue;
  *id = context->id;
  return cuda::kSuccess;
}

//===----------------------------------------------------------------------===//
// Limits
//===----------------------------------------------------------------------===//

/// CUlimit, as far as devices have one.
enum Limit : int {
  kStackSize = 0,
  kPrintfBytes = 1,
  kHeapBytes = 2,
  kSyncDepth = 3,
  kPendingLaunches = 4,
  kFetchGranularity = 5,
  kPersistingCache = 6
};

HETERO_CUDA_API cuCtxSetLimit(Limit limit, size_t value) {
  Context *context;
  if (cuda::Result error = getCurrent(context))
    return error;
  constexpr size_t kMostStack = 512 * 1024, kMostGranularity = 128;
  if (limit < 0 || limit >= Context::kNumLimits || limit == kSyncDepth)
    return cuda::kUnsupportedLimit;
  if ((limit == kStackSize && value > kMostStack) ||
      (limit == kFetchGranularity && value > kMostGranularity))
    return cuda::kInvalidValue;
  if (limit == kPersistingCache) {
    size_t most = context->device.limits.persistingCache();
    if (most == 0)
      return cuda::kUnsupportedLimit;
    value = std::min(value, most);
  }
  context->limits[limit] = value;
  return cuda::kSuccess;
}

HETERO_CUDA_API cuCtxGetLimit(size_t *value, Limit limit) {
  if (getDriver() &&
      (limit < 0 || limit >= Context::kNumLimits || limit == kSyncDepth))
    return cuda::kUnsupportedLimit;
  return get(value,
             [=](Context &context) { return context.limits[limit].load(); });
}

//===----------------------------------------------------------------------===//
// Caches and shared memory
//===----------------------------------------------------------------------===//

/// How shared memory and caches share what they have is a hint.
HETERO_CUDA_API cuCtxSetCacheConfig(int config) {
  Context *context;
  if (cuda::Result error = getCurrent(context))
    return error;
  if (config < 0 || config > 3)
    return cuda::kInvalidValue;
  context->cacheConfig = config;
  return cuda::kSuccess;
}

HETERO_CUDA_API cuCtxGetCacheConfig(int *config) {
  return get(config,
             [](Context &context) { return context.cacheConfig.load(); });
}

/// Banks of shared memory have one width, as on devices of today.
HETERO_CUDA_API cuCtxSetSharedMemConfig(int config) {
  Context *context;
  if (cuda::Result error = getCurrent(context))
    return error;
  return config < 0 || config > 2 ? cuda::kInvalidValue : cuda::kSuccess;
}

HETERO_CUDA_API cuCtxGetSharedMemConfig(int *config) {
  return get(config, [](Context &) { return 1; });
}

HETERO_CUDA_API cuCtxResetPersistingL2Cache() {
  Context *context;
  return getCurrent(context);
}

/// The greatest priority has the least number. Streams take turns all the
/// same: which of them is served first is not said on hardware either.
HETERO_CUDA_API cuCtxGetStreamPriorityRange(int *least, int *greatest) {
  Context *context;
  if (cuda::Result error = getCurrent(context))
    return error;
  if (least)
    *least = kLeastPriority;
  if (greatest)
    *greatest = kGreatestPriority;
  return cuda::kSuccess;
}

//===----------------------------------------------------------------------===//
// Peers: kernels reach the memory of their own device only
//===----------------------------------------------------------------------===//

/// Why the other context is none, or kSuccess.
static cuda::Result checkPeer(const void *handle) {
  Context *context;
  if (cuda::Result error = getCurrent(context))
    return error;
  return getDriver()->isContext(handle) ? cuda::kSuccess
                                        : cuda::kInvalidContext;
}

HETERO_CUDA_API cuCtxEnablePeerAccess(cuda::Context peer, unsigned flags) {
  if (cuda::Result error = checkPeer(peer))
    return error;
  return flags ? cuda::kInvalidValue : cuda::kPeerAccessUnsupported;
}

HETERO_CUDA_API cuCtxDisablePeerAccess(cuda::Context peer) {
  cuda::Result error = checkPeer(peer);
  return error ? error : cuda::kPeerAccessNotEnabled;
}

//===----------------------------------------------------------------------===//
// Profilers: there is none that would listen
//===----------------------------------------------------------------------===//

HETERO_CUDA_API cuProfilerStart() {
  Context *context;
  return getCurrent(context);
}

HETERO_CUDA_API cuProfilerStop() {
  Context *context;
  return getCurrent(context);
}
