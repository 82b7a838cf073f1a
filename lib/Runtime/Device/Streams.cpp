//===- Streams.cpp - The streams of a device's units ----------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each unit of a device has a stream; unit 0 is that of work without one. The
// program orders streams where one needs what another makes. Memory that is
// freed while several streams exist waits until all of them have passed the
// place where it was freed. A stream that is created later waits for others
// only if they may still use memory that was freed while there was one stream;
// else it would miss what it could overlap with.
//
//===----------------------------------------------------------------------===//

#include "Runtime/Device/Device.h"

#include "Runtime/Host/Error.h"

#include <algorithm>

using namespace hetero;
using namespace hetero::runtime;

HeteroStatus Device::createStream(cuda::Stream *stream) {
  HeteroStatus status =
      check(driver.functions.streamCreate(stream, cuda::kStreamNonBlocking),
            "cuStreamCreate");
  // Blocks that were freed with one stream only are safe behind that one. Those
  // freed later were not used again before all streams had passed.
  for (UnitStream &other : streams) {
    if (status != HETERO_OK || !other.stream || !hasReused)
      continue;
    status = leaveGraph(other);
    if (status == HETERO_OK)
      status = orderStreams(*stream, *this, other.stream);
  }
  if (status != HETERO_OK && *stream)
    driver.functions.streamDestroy(*stream);
  return status;
}

HeteroStatus Device::getStream(int32_t unit, cuda::Stream *stream) {
  HeteroStatus status = makeCurrent();
  if (status != HETERO_OK)
    return status;
  if (streams.size() <= static_cast<size_t>(unit))
    streams.resize(unit + 1);
  UnitStream &slot = streams[unit];
  if (!slot.stream) {
    cuda::Stream created = nullptr;
    status = createStream(&created);
    if (status != HETERO_OK)
      return status;
    slot.stream = created;
  }
  status = leaveGraph(slot);
  slot.state = UnitStream::Busy;
  *stream = slot.stream;
  return status;
}

HeteroStatus Device::leaveGraph(UnitStream &unit) {
  if (unit.state != UnitStream::InGraph)
    return HETERO_OK;
  HeteroStatus status =
      check(driver.functions.streamWaitEvent(unit.stream, unit.done, 0),
            "cuStreamWaitEvent");
  if (status == HETERO_OK)
    unit.state = UnitStream::Busy;
  return status;
}

bool Device::makeEvents(int32_t unit) {
  const cuda::Functions &cu = driver.functions;
  UnitStream &slot = streams[unit];
  for (cuda::Event *event : {&slot.ready, &slot.done})
    if (!*event &&
        cu.eventCreate(event, cuda::kEventDisableTiming) != cuda::kSuccess)
      return false;
  // Nothing so far that a graph would have to wait for.
  return cu.eventRecord(slot.ready, slot.stream) == cuda::kSuccess;
}

HeteroStatus Device::synchronize(int32_t unit) {
  UnitStream &slot = streams[unit];
  if (slot.state == UnitStream::Idle)
    return HETERO_OK;
  const cuda::Functions &cu = driver.functions;
  HeteroStatus status =
      slot.state != UnitStream::Busy
          ? check(cu.eventSynchronize(slot.done), "cuEventSynchronize", unit)
          : check(cu.streamSynchronize(slot.stream), "cuStreamSynchronize",
                  unit);
  if (status != HETERO_OK)
    return status;
  bool isInGraph = slot.state == UnitStream::InGraph;
  slot.state = UnitStream::Idle;
  ++slot.waits;
  if (isInGraph)
    settleGraph(slot);
  return HETERO_OK;
}

/// Makes `stream` wait for what `after` of the other device has got so far.
HeteroStatus Device::orderStreams(cuda::Stream stream, Device &other,
                                  cuda::Stream after) {
  const cuda::Functions &cu = driver.functions;
  cuda::Event event = nullptr;
  HeteroStatus status = other.makeCurrent();
  if (status == HETERO_OK)
    status = other.check(cu.eventCreate(&event, cuda::kEventDisableTiming),
                         "cuEventCreate");
  if (status != HETERO_OK)
    return status;
  status = other.check(cu.eventRecord(event, after), "cuEventRecord");
  if (status == HETERO_OK)
    status = makeCurrent();
  if (status == HETERO_OK)
    status = check(cu.streamWaitEvent(stream, event, 0), "cuStreamWaitEvent");
  // The driver keeps the event until the work that needs it is done.
  cu.eventDestroy(event);
  return status;
}

HeteroStatus Device::order(int32_t unit, Device &other, int32_t otherUnit) {
  std::unique_lock<std::recursive_mutex> lock(mutex, std::defer_lock);
  std::unique_lock<std::recursive_mutex> otherLock(other.mutex,
                                                   std::defer_lock);
  if (this == &other)
    lock.lock();
  else
    std::lock(lock, otherLock);
  cuda::Stream stream, after;
  HeteroStatus status = other.getStream(otherUnit, &after);
  if (status == HETERO_OK)
    status = getStream(unit, &stream);
  return status == HETERO_OK ? orderStreams(stream, other, after) : status;
}

bool Device::hasOneStream() {
  std::lock_guard<std::recursive_mutex> lock(mutex);
  return std::count_if(streams.begin(), streams.end(),
                       [](const UnitStream &unit) {
                         return unit.stream != nullptr;
                       }) <= 1;
}

/// A block that may be used again once every stream is here. Most often the
/// host waits before there is more work, and no event is needed.
void Device::retire(void *pointer, int64_t bytes) {
  if (hasOneStream() || isLost) {
    hasReused = true;
    cache.put(bytes, pointer);
    return;
  }
  if (std::none_of(streams.begin(), streams.end(),
                   [](const UnitStream &unit) { return unit.isUnderWay(); }))
    return cache.put(bytes, pointer);
  retired.push_back({pointer, bytes, /*isMarked=*/false, {}});
  hasUnmarked = true;
}

/// Records where the streams are.
HeteroStatus Device::mark(RetiredBlock &block) {
  const cuda::Functions &cu = driver.functions;
  block.isMarked = true;
  if (!spareEvents.empty()) {
    block.events = std::move(spareEvents.back());
    spareEvents.pop_back();
  }
  HeteroStatus status = makeCurrent();
  for (UnitStream &unit : streams) {
    if (!unit.isUnderWay())
      continue;
    cuda::Event event = nullptr;
    if (status == HETERO_OK)
      status = leaveGraph(unit);
    if (status == HETERO_OK)
      status = check(cu.eventCreate(&event, cuda::kEventDisableTiming),
                     "cuEventCreate");
    if (status != HETERO_OK)
      return status;
    block.events.push_back(event);
    status = check(cu.eventRecord(event, unit.stream), "cuEventRecord");
  }
  return status;
}

HeteroStatus Device::markRetired() {
  if (!hasUnmarked)
    return HETERO_OK;
  hasUnmarked = false;
  HeteroStatus status = HETERO_OK;
  for (RetiredBlock &block : retired)
    if (!block.isMarked && status == HETERO_OK)
      status = mark(block);
  return status;
}

void Device::reviveBlocks(bool all) {
  const cuda::Functions &cu = driver.functions;
  if (retired.empty() || cu.ctxSetCurrent(context) != cuda::kSuccess)
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
