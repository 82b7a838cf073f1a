//===- DeviceMemory.cpp - The memory of a device --------------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Runtime/Device/Memory/DeviceMemory.h"

#include "Runtime/Device/Lanes.h"
#include "hetero/Runtime/BlockSizes.h"

#include <algorithm>
#include <iterator>
#include <utility>

using namespace hetero::runtime;
using namespace hetero;

HeteroStatus DeviceMemory::allocate(int64_t bytes, bool isKept,
                                    void **pointer) {
  int64_t size = isKept ? (bytes + kDeviceAlignment - 1) / kDeviceAlignment *
                              kDeviceAlignment
                        : deviceBlockSize(bytes);
  if (HeteroStatus status = markRetired())
    return status;
  // What a lane waits for it has asked for already.
  if (currentLane())
    *pointer = cache.take(size);
  else
    *pointer = nullptr;
  if (!*pointer) {
    revive(/*all=*/false);
    *pointer = cache.take(size);
  }
  if (*pointer) {
    blocks[*pointer].lane = currentLaneNumber();
    return HETERO_OK;
  }
  HeteroStatus status = context.enter();
  if (status != HETERO_OK)
    return status;
  cuda::DevicePointer block = 0;
  status = context.check(context.getFunctions().memAlloc(&block, size),
                         "cuMemAlloc", inBytes(bytes));
  if (status != HETERO_OK)
    return status;
  *pointer = reinterpret_cast<void *>(block);
  blocks[*pointer] = {size, currentLaneNumber()};
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
void DeviceMemory::retire(void *pointer, Block block) {
  if (streams.haveOne() || context.isLost()) {
    streams.noteReuse(true);
    cache.put(block.bytes, pointer);
    return;
  }
  // What a lane has allocated and frees itself, no other one has used.
  int32_t lane = block.lane != kNoLane && block.lane == currentLaneNumber()
                     ? block.lane
                     : kAllLanes;
  if (!streams.areUnderWay(lane))
    return cache.put(block.bytes, pointer);
  retired.push_back({pointer, block.bytes, lane, /*isMarked=*/false, {}});
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
    if (!unit.isUnderWay() ||
        (block.lane != kAllLanes && unit.lane != block.lane))
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

void DeviceMemory::put(RetiredBlock &block) {
  const cuda::Functions &cu = context.getFunctions();
  for (cuda::Event event : block.events)
    cu.eventDestroy(event);
  block.events.clear();
  if (block.events.capacity() > 0)
    spareEvents.push_back(std::move(block.events));
  cache.put(block.bytes, block.pointer);
}

template <typename Predicate> void DeviceMemory::reviveIf(Predicate isDone) {
  auto kept = retired.begin();
  for (auto it = retired.begin(); it != retired.end(); ++it)
    if (isDone(*it))
      put(*it);
    else if (kept++ != it)
      *std::prev(kept) = std::move(*it);
  retired.erase(kept, retired.end());
}

void DeviceMemory::revive(bool all) {
  const cuda::Functions &cu = context.getFunctions();
  if (retired.empty() || !context.tryEnter())
    return;
  // In the order in which they were freed, so that of each lane the first that
  // is busy ends the search.
  busyLanes.clear();
  auto isDone = [&](const RetiredBlock &block) {
    if (all)
      return true;
    if (!block.isMarked || std::find(busyLanes.begin(), busyLanes.end(),
                                     block.lane) != busyLanes.end())
      return false;
    bool isBusy = std::any_of(block.events.begin(), block.events.end(),
                              [&](cuda::Event event) {
                                return cu.eventQuery(event) != cuda::kSuccess;
                              });
    if (isBusy)
      busyLanes.push_back(block.lane);
    return !isBusy;
  };
  hasUnmarked &= !all;
  reviveIf(isDone);
}

void DeviceMemory::reviveOf(int32_t lane) {
  if (context.tryEnter())
    reviveIf([&](const RetiredBlock &block) { return block.lane == lane; });
}

void DeviceMemory::clear() {
  retired.clear();
  hasUnmarked = false;
  cache.clear();
  blocks.clear();
}
