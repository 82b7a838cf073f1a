//===- HostMemory.cpp - Memory of the host that devices reach -------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Memory that is pinned, registered or managed has one address, which the host,
// copies and kernels of all devices use.
//
//===----------------------------------------------------------------------===//

#include "Emulator/Driver/Memory/HostMemory.h"

#include "Emulator/Driver/Context.h"
#include "Emulator/Driver/Devices.h"
#include "Emulator/Driver/Errors.h"
#include "Emulator/Driver/Graphs/Capture.h"
#include "Emulator/Driver/Memory/Advice.h"
#include "Emulator/Driver/Memory/Pool.h"
#include "Emulator/Driver/State/Context.h"
#include "Emulator/Driver/State/Device.h"
#include "Emulator/Driver/State/Driver.h"
#include "Emulator/Driver/Streams/Stream.h"
#include "Emulator/Driver/Types.h"

#include <algorithm>
#include <cstdlib>

using namespace hetero::emulator;
using namespace hetero;

using cuda::DevicePointer;
using HostRange = Driver::HostRange;

cuda::Result hetero::emulator::allocateHost(Context &context, void **result,
                                            size_t bytes, HostRange::Kind kind,
                                            unsigned flags) {
  if (!result || bytes == 0)
    return cuda::kInvalidValue;
  if (cuda::Result error = Capture::checkUnsafeCall())
    return error;
  void *memory = nullptr;
  bool fails = !countCall(CallClass::Alloc).empty();
  if (fails || posix_memalign(&memory, 4096, bytes) != 0)
    return cuda::kOutOfMemory;
  getDriver()->addHostRange(memory, {bytes, kind, flags, &context});
  if (kind == HostRange::Managed)
    forgetAdvice(reinterpret_cast<DevicePointer>(memory), bytes);
  *result = memory;
  return cuda::kSuccess;
}

static cuda::Result allocateHost(void **result, size_t bytes,
                                 HostRange::Kind kind, unsigned flags) {
  Context *context;
  if (cuda::Result error = getCurrent(context))
    return error;
  return allocateHost(*context, result, bytes, kind, flags);
}

/// Forgets a range; `error` if there is none of the kind.
static cuda::Result forget(void *pointer, HostRange::Kind kind,
                           cuda::Result error) {
  if (!getDriver())
    return cuda::kNotInitialized;
  // What is under way may still use it.
  getDriver()->synchronizeAll();
  return getDriver()->removeHostRange(pointer, kind) ? cuda::kSuccess : error;
}

//===----------------------------------------------------------------------===//
// Pinned memory
//===----------------------------------------------------------------------===//

/// CU_MEMHOSTALLOC_PORTABLE, _DEVICEMAP and _WRITECOMBINED.
static constexpr unsigned kAllocFlags = 7;

HETERO_CUDA_API cuMemHostAlloc(void **result, size_t bytes, unsigned flags) {
  if (flags > kAllocFlags)
    return getDriver() ? cuda::kInvalidValue : cuda::kNotInitialized;
  return allocateHost(result, bytes, HostRange::Allocated, flags);
}

HETERO_CUDA_API cuMemAllocHost_v2(void **result, size_t bytes) {
  return cuMemHostAlloc(result, bytes, 0);
}

HETERO_CUDA_API cuMemFreeHost(void *pointer) {
  return forget(pointer, HostRange::Allocated, cuda::kInvalidValue);
}

/// CU_MEMHOSTREGISTER_PORTABLE, _DEVICEMAP, _IOMEMORY and _READ_ONLY.
static constexpr unsigned kRegisterFlags = 15;

HETERO_CUDA_API cuMemHostRegister_v2(void *pointer, size_t bytes,
                                     unsigned flags) {
  Context *context;
  if (cuda::Result error = getCurrent(context))
    return error;
  if (!pointer || bytes == 0 || flags > kRegisterFlags)
    return cuda::kInvalidValue;
  return getDriver()->addHostRange(
             pointer, {bytes, HostRange::Registered, flags, context})
             ? cuda::kSuccess
             : cuda::kAlreadyRegistered;
}

HETERO_CUDA_API cuMemHostUnregister(void *pointer) {
  return forget(pointer, HostRange::Registered, cuda::kNotRegistered);
}

HETERO_CUDA_API cuMemHostGetDevicePointer_v2(DevicePointer *result,
                                             void *pointer, unsigned flags) {
  Context *context;
  if (cuda::Result error = getCurrent(context))
    return error;
  if (!result || flags != 0 || !getDriver()->isPinned(pointer, 1))
    return cuda::kInvalidValue;
  *result = reinterpret_cast<DevicePointer>(pointer);
  return cuda::kSuccess;
}

HETERO_CUDA_API cuMemHostGetFlags(unsigned *flags, void *pointer) {
  Context *context;
  if (cuda::Result error = getCurrent(context))
    return error;
  auto range = getDriver()->findHostRange(pointer, 1);
  if (!flags || !range || range->second.kind != HostRange::Allocated)
    return cuda::kInvalidValue;
  *flags = range->second.flags;
  return cuda::kSuccess;
}

//===----------------------------------------------------------------------===//
// Managed memory: it lies on the host, and never moves
//===----------------------------------------------------------------------===//

HETERO_CUDA_API cuMemAllocManaged(DevicePointer *result, size_t bytes,
                                  unsigned flags) {
  enum : unsigned { kGlobal = 1, kHost = 2 };
  if (!result || (flags != kGlobal && flags != kHost))
    return getDriver() ? cuda::kInvalidValue : cuda::kNotInitialized;
  void *memory = nullptr;
  cuda::Result error = allocateHost(&memory, bytes, HostRange::Managed, flags);
  *result = reinterpret_cast<DevicePointer>(memory);
  return error;
}

static bool isManaged(DevicePointer address, size_t bytes) {
  auto range =
      getDriver()->findHostRange(reinterpret_cast<void *>(address), bytes);
  return range && range->second.kind == HostRange::Managed;
}

cuda::Result hetero::emulator::freeManaged(DevicePointer address) {
  // A pool of the host gives pinned memory.
  HostRange::Kind kind = isOfPool(address) && !isManaged(address, 1)
                             ? HostRange::Allocated
                             : HostRange::Managed;
  leavePool(address);
  return forget(reinterpret_cast<void *>(address), kind, cuda::kInvalidValue);
}

static cuda::Result check(Location location) {
  Device *device;
  if (location.type == Location::OnDevice)
    return findDevice(location.id, device);
  return location.type >= Location::OnHost &&
                 location.type <= Location::OnThisNode
             ? cuda::kSuccess
             : cuda::kInvalidValue;
}

/// Where the program would rather have managed memory is a hint.
static cuda::Result hint(DevicePointer address, size_t bytes, Advice advice,
                         Location location) {
  Context *context;
  if (cuda::Result error = getCurrent(context))
    return error;
  if (bytes == 0 || !isManaged(address, bytes))
    return cuda::kInvalidValue;
  if (cuda::Result error = check(location))
    return error;
  noteAdvice(address, bytes, advice, location);
  return cuda::kSuccess;
}

/// CU_DEVICE_CPU stands for the host where a device does else.
static Location locationOf(cuda::Device device) {
  constexpr cuda::Device kHost = -1;
  return device == kHost ? Location{Location::OnHost, 0}
                         : Location{Location::OnDevice, device};
}

HETERO_CUDA_API cuMemPrefetchAsync_v2(DevicePointer address, size_t bytes,
                                      Location location, unsigned flags,
                                      cuda::Stream handle) {
  std::shared_ptr<Stream> stream;
  if (cuda::Result error = getStream(handle, stream))
    return error;
  return flags ? cuda::kInvalidValue
               : hint(address, bytes, kPrefetch, location);
}

HETERO_CUDA_API cuMemPrefetchAsync(DevicePointer address, size_t bytes,
                                   cuda::Device device, cuda::Stream stream) {
  return cuMemPrefetchAsync_v2(address, bytes, locationOf(device), 0, stream);
}

HETERO_CUDA_API cuMemAdvise_v2(DevicePointer address, size_t bytes, int advice,
                               Location location) {
  if (advice < kSetReadMostly || advice > kUnsetAccessedBy)
    return getDriver() ? cuda::kInvalidValue : cuda::kNotInitialized;
  // These have no use for a location.
  if (advice <= kUnsetReadMostly || advice == kUnsetPreferred)
    location = {Location::OnHost, 0};
  return hint(address, bytes, Advice(advice), location);
}

HETERO_CUDA_API cuMemAdvise(DevicePointer address, size_t bytes, int advice,
                            cuda::Device device) {
  return cuMemAdvise_v2(address, bytes, advice, locationOf(device));
}

HETERO_CUDA_API cuStreamAttachMemAsync(cuda::Stream handle,
                                       DevicePointer address, size_t bytes,
                                       unsigned flags) {
  enum : unsigned { kGlobal = 1, kHost = 2, kSingle = 4 };
  std::shared_ptr<Stream> stream;
  if (cuda::Result error = getStream(handle, stream))
    return error;
  bool isFlag = flags == kGlobal || flags == kHost || flags == kSingle;
  return isFlag && isManaged(address, std::max<size_t>(bytes, 1))
             ? cuda::kSuccess
             : cuda::kInvalidValue;
}
