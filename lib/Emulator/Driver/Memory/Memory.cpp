//===- Memory.cpp - Memory of devices -------------------------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Emulator/Driver/Memory/Memory.h"

#include "Emulator/Driver/Context.h"
#include "Emulator/Driver/Errors.h"
#include "Emulator/Driver/Graphs/Capture.h"
#include "Emulator/Driver/Graphs/GraphMemory.h"
#include "Emulator/Driver/Log.h"
#include "Emulator/Driver/Memory/HostMemory.h"
#include "Emulator/Driver/Memory/Pool.h"
#include "Emulator/Driver/State/Context.h"
#include "Emulator/Driver/State/Device.h"
#include "Emulator/Driver/State/Driver.h"
#include "Emulator/Driver/Streams/Stream.h"

using namespace hetero::emulator;
using namespace hetero;

using cuda::DevicePointer;

//===----------------------------------------------------------------------===//
// Device memory
//===----------------------------------------------------------------------===//

cuda::Result hetero::emulator::allocate(Context &context, DevicePointer *result,
                                        size_t bytes) {
  if (!result || bytes == 0)
    return cuda::kInvalidValue;
  if (cuda::Result error = Capture::checkUnsafeCall())
    return error;
  bool fails = !countCall(CallClass::Alloc).empty();
  *result = fails ? 0 : context.device.memory.allocate(bytes, &context);
  if (*result == 0)
    return cuda::kOutOfMemory;
  logMemory("alloc", context.device.ordinal, *result, bytes);
  return cuda::kSuccess;
}

/// The host has waited for what may still use the memory; a stream has not.
static cuda::Result release(DevicePointer address, bool isHost) {
  Device *device = getDriver()->deviceOf(address);
  uint64_t bytes = 0;
  AccessWindow window;
  if (!device || !device->memory.translate(address, 1, &window) ||
      window.begin != address ||
      getDriver()->ownerOf(address).heap.owns(address))
    return cuda::kInvalidValue;
  if (isHost && getDriver()->races)
    getDriver()->reportRace(
        getDriver()->ownerOf(address),
        getDriver()->races->release({address, address + window.size}));
  if (!device->memory.free(address, &bytes))
    return cuda::kInvalidValue;
  leavePool(address);
  leaveGraph(*device, address);
  logMemory("free", device->ordinal, address, bytes);
  return cuda::kSuccess;
}

/// The same of a pool's memory on the host.
static void releaseHost(DevicePointer address) {
  using HostRange = Driver::HostRange;
  void *pointer = reinterpret_cast<void *>(address);
  leavePool(address);
  if (!getDriver()->removeHostRange(pointer, HostRange::Managed))
    getDriver()->removeHostRange(pointer, HostRange::Allocated);
}

HETERO_CUDA_API cuMemAlloc_v2(DevicePointer *result, size_t bytes) {
  Context *context;
  if (cuda::Result error = getCurrent(context))
    return error;
  return allocate(*context, result, bytes);
}

HETERO_CUDA_API cuMemFree_v2(DevicePointer address) {
  if (!getDriver())
    return cuda::kNotInitialized;
  if (cuda::Result error = Capture::checkUnsafeCall())
    return error;
  if (!getDriver()->deviceOf(address))
    return freeManaged(address);
  // What is under way may still use it.
  Context &owner = getDriver()->ownerOf(address);
  if (cuda::Result loss = owner.loss())
    return loss;
  owner.synchronize();
  if (std::shared_ptr<GraphMemory> memory = findGraphMemory(address))
    memory->isAllocated = false;
  return release(address, /*isHost=*/true);
}

HETERO_CUDA_API cuMemFreeAsync(DevicePointer address, cuda::Stream handle) {
  std::shared_ptr<Stream> stream;
  if (cuda::Result error = getStream(handle, stream))
    return error;
  if (std::shared_ptr<CaptureLane> lane = getLane(*stream))
    return lane->capture->addFree(lane->index, address);
  Work work;
  work.name = "free";
  if (isOfPool(address) && !getDriver()->deviceOf(address)) {
    stream->context.submitAlways(stream, work,
                                 [address] { releaseHost(address); });
    return cuda::kSuccess;
  }
  Device *device = getDriver()->deviceOf(address);
  AccessWindow window;
  std::shared_ptr<GraphMemory> memory = findGraphMemory(address);
  // The launch that allocates it may be yet to run.
  if (memory && memory->isAllocated.exchange(false))
    window = {address, memory->params.bytes, nullptr};
  else if (!device || !device->memory.translate(address, 1, &window) ||
           window.begin != address)
    return cuda::kInvalidValue;
  work.written = {address, address + window.size};
  work.device = device->ordinal;
  stream->context.submitAlways(
      stream, work, [address] { release(address, /*isHost=*/false); });
  return cuda::kSuccess;
}

/// Rows lie at multiples of what makes accesses of a warp few.
HETERO_CUDA_API cuMemAllocPitch_v2(DevicePointer *result, size_t *pitch,
                                   size_t width, size_t height,
                                   unsigned elementBytes) {
  constexpr size_t kAlignment = 512;
  Context *context;
  if (cuda::Result error = getCurrent(context))
    return error;
  bool isElement = elementBytes == 4 || elementBytes == 8 || elementBytes == 16;
  size_t padded, bytes;
  if (!pitch || !isElement ||
      __builtin_add_overflow(width, kAlignment - 1, &padded) ||
      __builtin_mul_overflow(padded / kAlignment * kAlignment, height, &bytes))
    return cuda::kInvalidValue;
  *pitch = padded / kAlignment * kAlignment;
  return allocate(*context, result, bytes);
}

HETERO_CUDA_API cuMemGetInfo_v2(size_t *free, size_t *total) {
  Context *context;
  if (cuda::Result error = getCurrent(context))
    return error;
  if (!free || !total)
    return cuda::kInvalidValue;
  *total = context->device.memory.totalBytes();
  *free = *total - context->device.memory.usedBytes();
  return cuda::kSuccess;
}
