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

#include "Device.h"

#include "Error.h"

#include <algorithm>

using namespace hetero;
using namespace hetero::runtime;

HeteroStatus Device::getStream(int32_t unit, cuda::Stream *stream) {
  HeteroStatus status = makeCurrent();
  if (status != HETERO_OK)
    return status;
  if (streams.size() <= static_cast<size_t>(unit))
    streams.resize(unit + 1, nullptr);
  *stream = streams[unit];
  if (*stream)
    return HETERO_OK;
  status =
      check(driver.functions.streamCreate(stream, cuda::kStreamNonBlocking),
            "cuStreamCreate");
  // Blocks that were freed with one stream only are safe behind that one. Those
  // freed later were not used again before all streams had passed.
  for (cuda::Stream other : streams)
    if (status == HETERO_OK && other && hasReused)
      status = orderStreams(*stream, *this, other);
  if (status == HETERO_OK)
    streams[unit] = *stream;
  else if (*stream)
    driver.functions.streamDestroy(*stream);
  return status;
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

/// A block that may be used again once every stream is here.
HeteroStatus Device::retire(void *pointer, int64_t bytes) {
  auto count = std::count_if(streams.begin(), streams.end(),
                             [](cuda::Stream stream) { return stream; });
  if (count <= 1 || isLost) {
    hasReused = true;
    cache.put(bytes, pointer);
    return HETERO_OK;
  }
  const cuda::Functions &cu = driver.functions;
  RetiredBlock block{pointer, bytes, {}};
  if (!spareEvents.empty()) {
    block.events = std::move(spareEvents.back());
    spareEvents.pop_back();
  }
  HeteroStatus status = makeCurrent();
  for (cuda::Stream stream : streams) {
    if (!stream || status != HETERO_OK)
      continue;
    cuda::Event event = nullptr;
    status = check(cu.eventCreate(&event, cuda::kEventDisableTiming),
                   "cuEventCreate");
    if (status != HETERO_OK)
      continue;
    block.events.push_back(event);
    status = check(cu.eventRecord(event, stream), "cuEventRecord");
  }
  retired.push_back(std::move(block));
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
  // In the order in which they were freed, so that the first that is busy ends
  // the search.
  auto end = std::find_if(retired.begin(), retired.end(), isBusy);
  for (auto it = retired.begin(); it != end; ++it) {
    for (cuda::Event event : it->events)
      cu.eventDestroy(event);
    it->events.clear();
    spareEvents.push_back(std::move(it->events));
    cache.put(it->bytes, it->pointer);
  }
  retired.erase(retired.begin(), end);
}
