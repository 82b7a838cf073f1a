//===- Context.cpp - Primary and created contexts -------------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Emulator/Driver/Context.h"

#include "Emulator/Driver/Devices.h"
#include "Emulator/Driver/Errors.h"
#include "Emulator/Driver/Graphs/Capture.h"
#include "Emulator/Driver/State/Context.h"
#include "Emulator/Driver/State/Device.h"
#include "Emulator/Driver/State/Driver.h"

#include <algorithm>
#include <vector>

using namespace hetero::emulator;
using namespace hetero;

//===----------------------------------------------------------------------===//
// Handles: that of a context is its address
//===----------------------------------------------------------------------===//

static std::vector<Context *> &contextStack() {
  static thread_local std::vector<Context *> stack;
  return stack;
}

static Context *top() {
  return contextStack().empty() ? nullptr : contextStack().back();
}

static cuda::Context handleOf(Context *context) {
  return reinterpret_cast<cuda::Context>(context);
}

/// CUDA_ERROR_CONTEXT_IS_DESTROYED for what a program has created.
static cuda::Result checkActive(const Context &context) {
  return context.isActive()  ? cuda::kSuccess
         : context.isPrimary ? cuda::kInvalidContext
                             : cuda::kContextIsDestroyed;
}

/// Why a handle cannot be made current.
static cuda::Result checkContext(const void *handle) {
  if (!getDriver())
    return cuda::kNotInitialized;
  if (!getDriver()->isContext(handle))
    return cuda::kInvalidContext;
  const auto &context = *static_cast<const Context *>(handle);
  cuda::Result error = checkActive(context);
  return error ? error : context.loss();
}

cuda::Result hetero::emulator::getCurrent(Context *&context) {
  if (!getDriver())
    return cuda::kNotInitialized;
  context = top();
  if (!context)
    return cuda::kInvalidContext;
  cuda::Result error = checkActive(*context);
  return error ? error : context->countedFault();
}

/// The context of a handle, or the current one.
static cuda::Result find(cuda::Context handle, Context *&context) {
  if (!handle)
    return getCurrent(context);
  if (cuda::Result error = checkContext(handle))
    return error;
  context = reinterpret_cast<Context *>(handle);
  return context->countedFault();
}

/// CUctx_flags: one way of waiting, and what else there is.
static bool areFlags(unsigned flags) {
  constexpr unsigned kWays = 7, kAll = 0xff;
  unsigned way = flags & kWays;
  return flags <= kAll && (way & (way - 1)) == 0;
}

//===----------------------------------------------------------------------===//
// Primary contexts
//===----------------------------------------------------------------------===//

HETERO_CUDA_API cuDevicePrimaryCtxRetain(cuda::Context *context,
                                         cuda::Device ordinal) {
  Device *device;
  if (cuda::Result error = findDevice(ordinal, device))
    return error;
  if (!context)
    return cuda::kInvalidValue;
  if (cuda::Result loss = device->primary.loss())
    return loss;
  device->primary.retain();
  *context = handleOf(&device->primary);
  return cuda::kSuccess;
}

HETERO_CUDA_API cuDevicePrimaryCtxRelease_v2(cuda::Device ordinal) {
  Device *device;
  if (cuda::Result error = findDevice(ordinal, device))
    return error;
  return device->primary.release() ? cuda::kSuccess : cuda::kInvalidContext;
}

HETERO_CUDA_API cuDevicePrimaryCtxRelease(cuda::Device ordinal) {
  return cuDevicePrimaryCtxRelease_v2(ordinal);
}

HETERO_CUDA_API cuDevicePrimaryCtxReset_v2(cuda::Device ordinal) {
  Device *device;
  if (cuda::Result error = findDevice(ordinal, device))
    return error;
  device->primary.reset();
  return cuda::kSuccess;
}

HETERO_CUDA_API cuDevicePrimaryCtxReset(cuda::Device ordinal) {
  return cuDevicePrimaryCtxReset_v2(ordinal);
}

HETERO_CUDA_API cuDevicePrimaryCtxSetFlags_v2(cuda::Device ordinal,
                                              unsigned flags) {
  Device *device;
  if (cuda::Result error = findDevice(ordinal, device))
    return error;
  if (!areFlags(flags))
    return cuda::kInvalidValue;
  device->primary.flags = flags;
  return cuda::kSuccess;
}

HETERO_CUDA_API cuDevicePrimaryCtxSetFlags(cuda::Device ordinal,
                                           unsigned flags) {
  return cuDevicePrimaryCtxSetFlags_v2(ordinal, flags);
}

HETERO_CUDA_API cuDevicePrimaryCtxGetState(cuda::Device ordinal,
                                           unsigned *flags, int *active) {
  Device *device;
  if (cuda::Result error = findDevice(ordinal, device))
    return error;
  if (flags)
    *flags = device->primary.flags;
  if (active)
    *active = device->primary.isActive();
  return cuda::kSuccess;
}

//===----------------------------------------------------------------------===//
// Created contexts
//===----------------------------------------------------------------------===//

HETERO_CUDA_API cuCtxCreate_v2(cuda::Context *result, unsigned flags,
                               cuda::Device ordinal) {
  Device *device;
  if (cuda::Result error = findDevice(ordinal, device))
    return error;
  if (!result || !areFlags(flags))
    return cuda::kInvalidValue;
  if (cuda::Result loss = device->primary.loss())
    return loss;
  Context &context = getDriver()->createContext(*device, flags);
  contextStack().push_back(&context);
  *result = handleOf(&context);
  return cuda::kSuccess;
}

/// With an affinity to multiprocessors, which no device has.
HETERO_CUDA_API cuCtxCreate_v3(cuda::Context *context, void *affinity,
                               int count, unsigned flags,
                               cuda::Device ordinal) {
  return affinity && count > 0 ? cuda::kUnsupportedExecAffinity
                               : cuCtxCreate_v2(context, flags, ordinal);
}

/// CUctxCreateParams.
struct ContextParams {
  void *affinity;
  int numAffinities;
  void *graphics;
};

HETERO_CUDA_API cuCtxCreate_v4(cuda::Context *context,
                               const ContextParams *params, unsigned flags,
                               cuda::Device ordinal) {
  if (params && params->graphics)
    return refuse("cuCtxCreate with graphics");
  return cuCtxCreate_v3(context, params ? params->affinity : nullptr,
                        params ? params->numAffinities : 0, flags, ordinal);
}

/// All that the context has goes; what is left of it says that it is gone.
HETERO_CUDA_API cuCtxDestroy_v2(cuda::Context handle) {
  if (cuda::Result error = checkContext(handle))
    return error;
  auto *context = reinterpret_cast<Context *>(handle);
  if (context->isPrimary)
    return cuda::kInvalidContext;
  if (top() == context)
    contextStack().pop_back();
  return context->release() ? cuda::kSuccess : cuda::kContextIsDestroyed;
}

HETERO_CUDA_API cuCtxAttach(cuda::Context *result, unsigned flags) {
  Context *context;
  if (cuda::Result error = getCurrent(context))
    return error;
  if (!result || flags != 0)
    return cuda::kInvalidValue;
  context->retain();
  *result = handleOf(context);
  return cuda::kSuccess;
}

HETERO_CUDA_API cuCtxDetach(cuda::Context handle) {
  return cuCtxDestroy_v2(handle);
}

//===----------------------------------------------------------------------===//
// The current context
//===----------------------------------------------------------------------===//

HETERO_CUDA_API cuCtxPushCurrent_v2(cuda::Context context) {
  if (cuda::Result error = checkContext(context))
    return error;
  contextStack().push_back(reinterpret_cast<Context *>(context));
  return cuda::kSuccess;
}

HETERO_CUDA_API cuCtxPopCurrent_v2(cuda::Context *context) {
  if (!getDriver())
    return cuda::kNotInitialized;
  if (contextStack().empty())
    return cuda::kInvalidContext;
  if (context)
    *context = handleOf(top());
  contextStack().pop_back();
  return cuda::kSuccess;
}

HETERO_CUDA_API cuCtxSetCurrent(cuda::Context context) {
  if (!getDriver())
    return cuda::kNotInitialized;
  if (context)
    if (cuda::Result error = checkContext(context))
      return error;
  if (!contextStack().empty())
    contextStack().pop_back();
  if (context)
    contextStack().push_back(reinterpret_cast<Context *>(context));
  return cuda::kSuccess;
}

HETERO_CUDA_API cuCtxGetCurrent(cuda::Context *context) {
  if (!getDriver())
    return cuda::kNotInitialized;
  if (!context)
    return cuda::kInvalidValue;
  *context = handleOf(top());
  return cuda::kSuccess;
}

HETERO_CUDA_API cuCtxGetDevice_v2(cuda::Device *ordinal, cuda::Context handle) {
  Context *context;
  if (cuda::Result error = find(handle, context))
    return error;
  if (!ordinal)
    return cuda::kInvalidValue;
  *ordinal = context->device.ordinal;
  return cuda::kSuccess;
}

HETERO_CUDA_API cuCtxGetDevice(cuda::Device *ordinal) {
  return cuCtxGetDevice_v2(ordinal, nullptr);
}

HETERO_CUDA_API cuCtxSynchronize_v2(cuda::Context handle) {
  Context *context;
  if (cuda::Result error = find(handle, context))
    return error;
  if (cuda::Result error = Capture::checkUnsafeCall())
    return error;
  context->synchronize();
  return context->fault();
}

HETERO_CUDA_API cuCtxSynchronize() { return cuCtxSynchronize_v2(nullptr); }

HETERO_CUDA_API cuCtxGetApiVersion(cuda::Context context, unsigned *version) {
  if (!getDriver())
    return cuda::kNotInitialized;
  if (context)
    if (cuda::Result error = checkContext(context))
      return error;
  if (!version)
    return cuda::kInvalidValue;
  *version = 3020; // That of the functions whose names end in _v2.
  return cuda::kSuccess;
}
