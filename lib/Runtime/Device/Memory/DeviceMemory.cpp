//===- DeviceMemory.cpp - The memory of a device --------------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Runtime/Device/Memory/DeviceMemory.h"

#include <algorithm>

using namespace hetero::runtime;
using namespace hetero;

HeteroStatus DeviceMemory::allocate(int64_t bytes, void **pointer) {
  int64_t size = blockSize(bytes);
  if (HeteroStatus status = markRetired())
    return status;
  revive(/*all=*/false);
  *pointer = cache.take(size);
  if (*pointer)
    return HETERO_OK;
  HeteroStatus status = context.enter();
  if (status != HETERO_OK)
    return status;
  cuda::DevicePointer block = 0;
  status = context.check(context.getFunctions().memAlloc(&block, size),
                         "cuMemAlloc", inBytes(bytes));
  if (status != HETERO_OK)
    return status;
  *pointer = reinterpret_cast<void *>(block);
  blocks[*pointer] = size;
  cache.announce(size);
  return HETERO_OK;
}

void DeviceMemory::free(void *pointer) {
  auto it = blocks.find(pointer);
  // Else it is from before a reset.
  if (it != blocks.end())
    retire(pointer, it->second);
}

void DeviceMemory::releaseUnused() {
  cache.forEach([&](void *pointer) {
    blocks.erase(pointer);
    context.getFunctions().memFree(address(pointer));
  });
  cache.clear();
}

/// A block that may be used again once every stream is here. Most often the
/// host waits before there is more work, and no event is needed.
void DeviceMemory::retire(void *pointer, int64_t bytes) {
  if (streams.haveOne() || context.isLost()) {
    streams.noteReuse(true);
    cache.put(bytes, pointer);
    return;
  }
  if (!streams.areUnderWay())
    return cache.put(bytes, pointer);
  retired.push_back({pointer, bytes, /*isMarked=*/false, {}});
  hasUnmarked = true;
}

/// Records where the streams are.
HeteroStatus DeviceMemory::mark(RetiredBlock &block) {
  const cuda::Functions &cu = context.getFunctions();
  block.isMarked = true;
  if (!spareEvents.empty()) {
    block.events = std::move(spareEvents.back());
    spareEvents.pop_back();
  }
  HeteroStatus status = context.enter();
  for (UnitStream &unit : streams) {
    if (!unit.isUnderWay())
      continue;
    cuda::Event event = nullptr;
    if (status == HETERO_OK)
      status = streams.leaveGraph(unit);
    if (status == HETERO_OK)
      status = context.check(cu.eventCreate(&event, cuda::kEventDisableTiming),
                             "cuEventCreate");
    if (status != HETERO_OK)
      return status;
    block.events.push_back(event);
    status = context.check(cu.eventRecord(event, unit.stream), "cuEventRecord");
  }
  return status;
}

HeteroStatus DeviceMemory::markRetired() {
  if (!hasUnmarked)
    return HETERO_OK;
  hasUnmarked = false;
  HeteroStatus status = HETERO_OK;
  for (RetiredBlock &block : retired)
    if (!block.isMarked && status == HETERO_OK)
      status = mark(block);
  return status;
}

void DeviceMemory::revive(bool all) {
  const cuda::Functions &cu = context.getFunctions();
  if (retired.empty() || !context.tryEnter())
    return;
  auto isBusy = [&](const RetiredBlock &block) {
    return !all && std::any_of(block.events.begin(), block.events.end(),
                               [&](cuda::Event event) {
                                 return cu.eventQuery(event) != cuda::kSuccess;
                               });
  };
  hasUnmarked &= !all;
  // In the order in which they were freed, so that the first that is busy ends
  // the search.
  auto end = std::find_if(retired.begin(), retired.end(), isBusy);
  for (auto it = retired.begin(); it != end; ++it) {
    for (cuda::Event event : it->events)
      cu.eventDestroy(event);
    it->events.clear();
    if (it->events.capacity() > 0)
      spareEvents.push_back(std::move(it->events));
    cache.put(it->bytes, it->pointer);
  }
  retired.erase(retired.begin(), end);
}

void DeviceMemory::clear() {
  retired.clear();
  hasUnmarked = false;
  cache.clear();
  blocks.clear();
}
