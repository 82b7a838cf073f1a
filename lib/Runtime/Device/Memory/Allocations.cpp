//===- Allocations.cpp - Memory by the number of a device -----------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Runtime/Device/Memory/Allocations.h"

#include "Runtime/Device/Devices.h"
#include "Runtime/Device/Memory/SharedMemory.h"
#include "Runtime/Host/Error.h"
#include "Runtime/Host/Frame.h"
#include "Runtime/Host/HostMemory.h"
#include "Runtime/Report/Report.h"

#include <algorithm>
#include <mutex>

using namespace hetero::runtime;

int32_t hetero::runtime::ownerOf(int32_t device, const void *pointer) {
  return device < HETERO_HOST || isShared(pointer, 0) ? HETERO_HOST : device;
}

/// Wherever the device's number says.
static HeteroStatus allocateAt(int32_t device, int64_t bytes, int64_t alignment,
                               void **pointer) {
  if (device == HETERO_HOST)
    return allocateOnHost(bytes, alignment, pointer);
  return device < HETERO_HOST
             ? allocateShared(sharerOf(device), bytes, pointer)
             : allocateOnDevice(device, bytes, /*isKept=*/false, pointer);
}

HeteroStatus hetero::runtime::allocate(int32_t device, int64_t bytes,
                                       int64_t alignment, void **pointer) {
  if (bytes < 0)
    return fail(HETERO_ERROR_INVALID_ARGUMENT,
                "cannot allocate a negative number of bytes on " +
                    deviceName(std::max(device, HETERO_HOST)) +
                    "; check the dynamic sizes");
  HeteroStatus status = allocateAt(device, bytes, alignment, pointer);
  if (status == HETERO_OK)
    countAllocation(std::max(device, HETERO_HOST), bytes);
  return status;
}

HeteroStatus hetero::runtime::release(int32_t device, void *pointer,
                                      int64_t bytes) {
  countFree(device, bytes);
  if (device != HETERO_HOST)
    return freeOnDevice(device, pointer);
  dropCopiesTo(pointer, bytes);
  if (!freeShared(pointer))
    freeOnHost(pointer, bytes);
  return HETERO_OK;
}

namespace {
/// Results and callers' values: allocations that no frame holds.
struct Detached {
  std::mutex mutex;
  Allocations allocations;
};
} // namespace

static Detached &detached() {
  static Detached *instance = new Detached;
  return *instance;
}

void hetero::runtime::rememberDetached(int32_t device, void *pointer,
                                       int64_t bytes) {
  std::lock_guard<std::mutex> lock(detached().mutex);
  detached().allocations.insert({device, pointer}, bytes);
}

bool hetero::runtime::takeDetached(int32_t device, void *pointer,
                                   int64_t &bytes) {
  std::lock_guard<std::mutex> lock(detached().mutex);
  return detached().allocations.take({device, pointer}, bytes);
}

void hetero::runtime::forgetDetachedOnDevices() {
  std::lock_guard<std::mutex> lock(detached().mutex);
  detached().allocations.takeIf([](const auto &place, int64_t bytes) {
    if (place.first == HETERO_HOST && !isShared(place.second, 0))
      return false;
    countFree(place.first, bytes);
    return true;
  });
}
