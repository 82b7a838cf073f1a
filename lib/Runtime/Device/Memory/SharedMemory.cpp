//===- SharedMemory.cpp - Memory that devices share with the host ---------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What devices share over a `unified` link is managed memory, or pinned memory
// of the host on a device that cannot access managed memory while the host
// does. Blocks are kept as those of the host are, and go with the contexts.
//
//===----------------------------------------------------------------------===//

#include "Runtime/Device/Memory/SharedMemory.h"

#include "Runtime/Device/Device.h"
#include "Runtime/Device/Devices.h"
#include "Runtime/Host/KeptBlocks.h"

#include <algorithm>
#include <map>

using namespace hetero::runtime;
using namespace hetero;

namespace {
struct SharedBlock {
  int64_t size;
  /// Through which it was allocated; there until forgetSharedMemory(). Looking
  /// it up with the lock held would be against the order of locks: who closes
  /// devices holds theirs.
  Device *device;
  bool isUsed;
};

struct SharedMemory {
  std::mutex mutex;
  std::map<char *, SharedBlock> blocks;
  KeptBlocks kept;
};
} // namespace

static SharedMemory &shared() {
  static SharedMemory *instance = new SharedMemory;
  return *instance;
}

/// Whether the host may access managed memory while kernels do.
static bool sharesManagedMemory(const Context &context) {
  return context.getFunctions().memAllocManaged &&
         context.hasProperty(cuda::kConcurrentManagedAccess);
}

static HeteroStatus allocateOn(Context &context, int64_t size, void **pointer) {
  const cuda::Functions &cu = context.getFunctions();
  HeteroStatus status = context.enter();
  if (status != HETERO_OK)
    return status;
  if (!sharesManagedMemory(context))
    return context.check(cu.memHostAlloc(pointer, size,
                                         cuda::kMemHostAllocPortable |
                                             cuda::kMemHostAllocDeviceMap),
                         "cuMemHostAlloc", inBytes(size));
  cuda::DevicePointer block = 0;
  status =
      context.check(cu.memAllocManaged(&block, size, cuda::kMemAttachGlobal),
                    "cuMemAllocManaged", inBytes(size));
  *pointer = reinterpret_cast<void *>(block);
  return status;
}

static void freeOn(Context &context, void *pointer) {
  if (context.enter() != HETERO_OK)
    return; // It goes with the context.
  const cuda::Functions &cu = context.getFunctions();
  if (sharesManagedMemory(context))
    cu.memFree(address(pointer));
  else
    cu.memFreeHost(pointer);
}

/// Gives a block back to the driver, with the lock held.
static void giveBack(SharedMemory &all, void *pointer) {
  auto it = all.blocks.find(static_cast<char *>(pointer));
  freeOn(it->second.device->getContext(), pointer);
  all.blocks.erase(it);
}

static HeteroStatus allocateBlock(SharedMemory &all, Device &device,
                                  int64_t size, void **pointer) {
  HeteroStatus status = allocateOn(device.getContext(), size, pointer);
  if (status != HETERO_ERROR_OUT_OF_MEMORY)
    return status;
  // What is kept of other sizes may be enough.
  all.kept.clear([&](void *block) { giveBack(all, block); });
  return allocateOn(device.getContext(), size, pointer);
}

HeteroStatus hetero::runtime::allocateShared(int32_t gpu, int64_t bytes,
                                             void **pointer) {
  // What is rounded up stays within the type.
  int64_t size = blockSize(std::min(bytes, INT64_MAX / 2));
  Device *device;
  if (HeteroStatus status = getDevice(gpu, &device))
    return status;
  SharedMemory &all = shared();
  std::lock_guard<std::mutex> lock(all.mutex);
  *pointer = all.kept.take(size);
  if (!*pointer)
    if (HeteroStatus status = allocateBlock(all, *device, size, pointer)) {
      all.kept.cancel(size);
      return status;
    }
  SharedBlock &block = all.blocks
                           .try_emplace(static_cast<char *>(*pointer),
                                        SharedBlock{size, device, true})
                           .first->second;
  block.isUsed = true;
  return HETERO_OK;
}

bool hetero::runtime::freeShared(void *pointer) {
  SharedMemory &all = shared();
  std::lock_guard<std::mutex> lock(all.mutex);
  auto it = all.blocks.find(static_cast<char *>(pointer));
  if (it == all.blocks.end() || !it->second.isUsed)
    return false;
  it->second.isUsed = false;
  if (!all.kept.put(it->second.size, pointer))
    giveBack(all, pointer);
  return true;
}

bool hetero::runtime::isShared(const void *pointer, int64_t bytes) {
  auto *begin = static_cast<char *>(const_cast<void *>(pointer));
  SharedMemory &all = shared();
  std::lock_guard<std::mutex> lock(all.mutex);
  auto it = all.blocks.upper_bound(begin);
  if (it == all.blocks.begin())
    return false;
  --it;
  return it->second.isUsed &&
         begin - it->first + std::max<int64_t>(bytes, 1) <= it->second.size;
}

void hetero::runtime::forgetSharedMemory() {
  SharedMemory &all = shared();
  std::lock_guard<std::mutex> lock(all.mutex);
  for (auto &[pointer, block] : all.blocks)
    if (block.isUsed)
      all.kept.cancel(block.size);
  all.blocks.clear();
  all.kept.clear([](void *) {});
}
