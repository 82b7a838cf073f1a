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

#include "Runtime/Device/Streams.h"

#include <algorithm>

using namespace hetero::runtime;
using namespace hetero;

HeteroStatus Streams::create(cuda::Stream *stream) {
  const cuda::Functions &cu = context.getFunctions();
  HeteroStatus status = context.check(
      cu.streamCreate(stream, cuda::kStreamNonBlocking), "cuStreamCreate");
  // Blocks that were freed with one stream only are safe after that one. Those
  // freed later were not used again before all streams had passed.
  for (UnitStream &other : streams) {
    if (status != HETERO_OK || !other.stream || !hasReused)
      continue;
    status = leaveGraph(other);
    if (status == HETERO_OK)
      status = order(*stream, context, other.stream);
  }
  if (status != HETERO_OK && *stream)
    cu.streamDestroy(*stream);
  return status;
}

HeteroStatus Streams::get(int32_t unit, cuda::Stream *stream) {
  HeteroStatus status = context.enter();
  if (status != HETERO_OK)
    return status;
  if (streams.size() <= static_cast<size_t>(unit))
    streams.resize(unit + 1);
  UnitStream &slot = streams[unit];
  if (!slot.stream) {
    cuda::Stream created = nullptr;
    status = create(&created);
    if (status != HETERO_OK)
      return status;
    slot.stream = created;
    slot.lane = laneOfStream(unit);
  }
  status = leaveGraph(slot);
  slot.state = UnitStream::Busy;
  *stream = slot.stream;
  return status;
}

HeteroStatus Streams::leaveGraph(UnitStream &unit) {
  if (unit.state != UnitStream::InGraph)
    return HETERO_OK;
  HeteroStatus status = context.check(
      context.getFunctions().streamWaitEvent(unit.stream, unit.done, 0),
      "cuStreamWaitEvent");
  if (status == HETERO_OK)
    unit.state = UnitStream::Busy;
  return status;
}

bool Streams::makeEvents(int32_t unit) {
  const cuda::Functions &cu = context.getFunctions();
  UnitStream &slot = streams[unit];
  for (cuda::Event *event : {&slot.ready, &slot.done})
    if (!*event &&
        cu.eventCreate(event, cuda::kEventDisableTiming) != cuda::kSuccess)
      return false;
  // Nothing so far that a graph would have to wait for.
  return cu.eventRecord(slot.ready, slot.stream) == cuda::kSuccess;
}

HeteroStatus Streams::synchronize(int32_t unit,
                                  std::shared_ptr<const GraphLanes> &ended) {
  UnitStream &slot = streams[unit];
  if (slot.state == UnitStream::Idle)
    return HETERO_OK;
  const cuda::Functions &cu = context.getFunctions();
  HeteroStatus status = slot.state != UnitStream::Busy
                            ? context.check(cu.eventSynchronize(slot.done),
                                            "cuEventSynchronize", unit)
                            : context.check(cu.streamSynchronize(slot.stream),
                                            "cuStreamSynchronize", unit);
  if (status != HETERO_OK)
    return status;
  if (slot.state == UnitStream::InGraph)
    ended = std::move(slot.graph);
  slot.state = UnitStream::Idle;
  ++slot.waits;
  return HETERO_OK;
}

HeteroStatus Streams::order(cuda::Stream stream, Context &other,
                            cuda::Stream after) {
  const cuda::Functions &cu = context.getFunctions();
  cuda::Event event = nullptr;
  HeteroStatus status = other.enter();
  if (status == HETERO_OK)
    status = other.check(cu.eventCreate(&event, cuda::kEventDisableTiming),
                         "cuEventCreate");
  if (status != HETERO_OK)
    return status;
  status = other.check(cu.eventRecord(event, after), "cuEventRecord");
  if (status == HETERO_OK)
    status = context.enter();
  if (status == HETERO_OK)
    status = context.check(cu.streamWaitEvent(stream, event, 0),
                           "cuStreamWaitEvent");
  // The driver keeps the event until the work that needs it is done.
  cu.eventDestroy(event);
  return status;
}

bool Streams::haveOne() const {
  return std::count_if(streams.begin(), streams.end(),
                       [](const UnitStream &unit) {
                         return unit.stream != nullptr;
                       }) <= 1;
}

bool Streams::areUnderWay(int32_t lane) const {
  return std::any_of(
      streams.begin(), streams.end(), [&](const UnitStream &unit) {
        return unit.isUnderWay() && (lane == kAllLanes || unit.lane == lane);
      });
}

void Streams::clear() {
  streams.clear();
  hasReused = false;
}
