//===- DriverMemory.cpp - Memory of devices and the host ------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Device.h"
#include "Log.h"

#include <cstdlib>
#include <cstring>

using namespace hetero::emulator;
using namespace hetero;

using cuda::DevicePointer;

//===----------------------------------------------------------------------===//
// Device memory
//===----------------------------------------------------------------------===//

static cuda::Result allocate(Device &device, DevicePointer *result,
                             size_t bytes) {
  if (!result || bytes == 0)
    return cuda::kInvalidValue;
  if (cuda::Result error = Capture::checkUnsafeCall())
    return error;
  bool fails = !countCall(CallClass::Alloc).empty();
  *result = fails ? 0 : device.memory.allocate(bytes);
  if (*result == 0)
    return cuda::kOutOfMemory;
  logMemory("alloc", device.ordinal, *result, bytes);
  return cuda::kSuccess;
}

/// The host has waited for what may still use the memory; a stream has not.
static cuda::Result release(DevicePointer address, bool isHost) {
  Device *device = getDriver()->deviceOf(address);
  uint64_t bytes = 0;
  AccessWindow window;
  if (isHost && getDriver()->races && device &&
      device->memory.translate(address, 1, &window))
    getDriver()->reportRace(
        *device, getDriver()->races->release({address, address + window.size}));
  if (!device || !device->memory.free(address, &bytes))
    return cuda::kInvalidValue;
  logMemory("free", device->ordinal, address, bytes);
  return cuda::kSuccess;
}

HETERO_CUDA_API cuMemAlloc_v2(DevicePointer *result, size_t bytes) {
  Device *device;
  if (cuda::Result error = getCurrent(device))
    return error;
  return allocate(*device, result, bytes);
}

HETERO_CUDA_API cuMemFree_v2(DevicePointer address) {
  if (!getDriver())
    return cuda::kNotInitialized;
  if (cuda::Result error = Capture::checkUnsafeCall())
    return error;
  // What is under way may still use it.
  if (Device *device = getDriver()->deviceOf(address)) {
    if (cuda::Result loss = device->loss())
      return loss;
    device->synchronize();
  }
  return release(address, /*isHost=*/true);
}

HETERO_CUDA_API cuMemAllocAsync(DevicePointer *result, size_t bytes,
                                cuda::Stream handle) {
  std::shared_ptr<Stream> stream;
  if (cuda::Result error = getStream(handle, stream))
    return error;
  if (getLane(*stream))
    return refuse("cuMemAllocAsync on a stream that is captured");
  return allocate(stream->device, result, bytes);
}

HETERO_CUDA_API cuMemFreeAsync(DevicePointer address, cuda::Stream handle) {
  std::shared_ptr<Stream> stream;
  if (cuda::Result error = getStream(handle, stream))
    return error;
  if (getLane(*stream))
    return refuse("cuMemFreeAsync on a stream that is captured");
  Device *device = getDriver()->deviceOf(address);
  AccessWindow window;
  if (!device || !device->memory.translate(address, 1, &window))
    return cuda::kInvalidValue;
  Work work;
  work.name = "free";
  work.written = {address, address + window.size};
  work.device = device->ordinal;
  stream->device.submitAlways(
      stream, work, [address] { release(address, /*isHost=*/false); });
  return cuda::kSuccess;
}

HETERO_CUDA_API cuMemAllocPitch_v2(DevicePointer *result, size_t *pitch,
                                   size_t width, size_t height, unsigned) {
  constexpr size_t kAlignment = 512;
  size_t padded, bytes;
  if (!pitch || __builtin_add_overflow(width, kAlignment - 1, &padded) ||
      __builtin_mul_overflow(padded / kAlignment * kAlignment, height, &bytes))
    return getDriver() ? cuda::kInvalidValue : cuda::kNotInitialized;
  *pitch = padded / kAlignment * kAlignment;
  return cuMemAlloc_v2(result, bytes);
}

/// CUpointer_attribute and CUmemorytype.
enum PointerAttribute : int {
  kContextOf = 1,
  kMemoryType = 2,
  kDevicePointerOf = 3,
  kDeviceOrdinal = 9,
  kRangeStart = 11,
  kRangeSize = 12
};
enum : unsigned { kHostMemory = 1, kDeviceMemory = 2 };

HETERO_CUDA_API cuPointerGetAttribute(void *data, PointerAttribute attribute,
                                      DevicePointer address) {
  if (!getDriver())
    return cuda::kNotInitialized;
  Device *device = getDriver()->deviceOf(address);
  AccessWindow window;
  if (!data)
    return cuda::kInvalidValue;
  if (attribute == kMemoryType &&
      getDriver()->isPinned(reinterpret_cast<void *>(address), 1)) {
    *static_cast<unsigned *>(data) = kHostMemory;
    return cuda::kSuccess;
  }
  if (!device || !device->memory.translate(address, 1, &window))
    return cuda::kInvalidValue;
  switch (attribute) {
  case kContextOf:
    *static_cast<Device **>(data) = device;
    return cuda::kSuccess;
  case kMemoryType:
    *static_cast<unsigned *>(data) = kDeviceMemory;
    return cuda::kSuccess;
  case kDevicePointerOf:
    *static_cast<DevicePointer *>(data) = address;
    return cuda::kSuccess;
  case kDeviceOrdinal:
    *static_cast<int *>(data) = device->ordinal;
    return cuda::kSuccess;
  case kRangeStart:
    *static_cast<uint64_t *>(data) = window.begin;
    return cuda::kSuccess;
  case kRangeSize:
    *static_cast<size_t *>(data) = window.size;
    return cuda::kSuccess;
  }
  return refuse("another attribute of cuPointerGetAttribute");
}

HETERO_CUDA_API cuMemGetInfo_v2(size_t *free, size_t *total) {
  Device *device;
  if (cuda::Result error = getCurrent(device))
    return error;
  if (!free || !total)
    return cuda::kInvalidValue;
  *total = device->memory.totalBytes();
  *free = *total - device->memory.usedBytes();
  return cuda::kSuccess;
}

HETERO_CUDA_API cuMemGetAddressRange_v2(DevicePointer *base, size_t *bytes,
                                        DevicePointer address) {
  Device *current;
  if (cuda::Result error = getCurrent(current))
    return error;
  Device *device = getDriver()->deviceOf(address);
  AccessWindow window;
  if (!device || !device->memory.translate(address, 1, &window))
    return cuda::kNotFound;
  if (base)
    *base = window.begin;
  if (bytes)
    *bytes = window.size;
  return cuda::kSuccess;
}

//===----------------------------------------------------------------------===//
// Host memory
//===----------------------------------------------------------------------===//

HETERO_CUDA_API cuMemHostAlloc(void **result, size_t bytes, unsigned) {
  Device *device;
  if (cuda::Result error = getCurrent(device))
    return error;
  if (!result || bytes == 0)
    return cuda::kInvalidValue;
  if (cuda::Result error = Capture::checkUnsafeCall())
    return error;
  void *memory = nullptr;
  bool fails = !countCall(CallClass::Alloc).empty();
  if (fails || posix_memalign(&memory, 4096, bytes) != 0)
    return cuda::kOutOfMemory;
  std::lock_guard<std::mutex> lock(getDriver()->hostMutex);
  getDriver()->hostRanges[reinterpret_cast<uintptr_t>(memory)] = {bytes, true,
                                                                  device};
  *result = memory;
  return cuda::kSuccess;
}

HETERO_CUDA_API cuMemAllocHost_v2(void **result, size_t bytes) {
  return cuMemHostAlloc(result, bytes, 0);
}

/// Forgets host memory that was allocated or registered.
static cuda::Result forget(void *pointer, bool allocated) {
  Driver *driver = getDriver();
  if (!driver)
    return cuda::kNotInitialized;
  // What is under way may still use it.
  for (const auto &device : driver->devices)
    device->synchronize();
  std::lock_guard<std::mutex> lock(driver->hostMutex);
  auto it = driver->hostRanges.find(reinterpret_cast<uintptr_t>(pointer));
  if (it == driver->hostRanges.end() || it->second.allocated != allocated)
    return cuda::kInvalidValue;
  driver->hostRanges.erase(it);
  if (allocated)
    std::free(pointer);
  return cuda::kSuccess;
}

HETERO_CUDA_API cuMemFreeHost(void *pointer) {
  return forget(pointer, /*allocated=*/true);
}

HETERO_CUDA_API cuMemHostUnregister(void *pointer) {
  return forget(pointer, /*allocated=*/false);
}

/// CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED.
static constexpr cuda::Result kAlreadyRegistered = 712;

HETERO_CUDA_API cuMemHostRegister_v2(void *pointer, size_t bytes, unsigned) {
  Device *device;
  if (cuda::Result error = getCurrent(device))
    return error;
  if (!pointer || bytes == 0)
    return cuda::kInvalidValue;
  std::lock_guard<std::mutex> lock(getDriver()->hostMutex);
  auto [it, isNew] = getDriver()->hostRanges.try_emplace(
      reinterpret_cast<uintptr_t>(pointer),
      Driver::HostRange{bytes, false, device});
  return isNew ? cuda::kSuccess : kAlreadyRegistered;
}
