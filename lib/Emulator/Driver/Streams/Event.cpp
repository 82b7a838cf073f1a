//===- Event.cpp - Events -------------------------------------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Emulator/Driver/Streams/Event.h"

#include "Emulator/Driver/Context.h"
#include "Emulator/Driver/Errors.h"
#include "Emulator/Driver/Graphs/Capture.h"
#include "Emulator/Driver/Graphs/Graph.h"
#include "Emulator/Driver/State/Context.h"
#include "Emulator/Driver/State/Driver.h"
#include "Emulator/Driver/Streams/PerThread.h"
#include "Emulator/Driver/Streams/Stream.h"

using namespace hetero::emulator;
using namespace hetero;

HETERO_CUDA_API cuEventCreate(cuda::Event *result, unsigned flags) {
  Context *context;
  if (cuda::Result error = getCurrent(context))
    return error;
  constexpr unsigned kInterprocess = 4, kAllFlags = 7;
  if (!result || flags > kAllFlags)
    return cuda::kInvalidValue;
  if (flags & kInterprocess)
    return refuse("an event for other processes");
  bool timed = !(flags & cuda::kEventDisableTiming);
  *result = reinterpret_cast<cuda::Event>(
      getDriver()->events.add(std::make_shared<Event>(*context, timed)));
  return cuda::kSuccess;
}

cuda::Result hetero::emulator::getEvent(cuda::Event handle,
                                        std::shared_ptr<Event> &event) {
  if (!getDriver())
    return cuda::kNotInitialized;
  event = getDriver()->events.find(handle);
  return event ? cuda::kSuccess : cuda::kInvalidHandle;
}

HETERO_CUDA_API cuEventDestroy_v2(cuda::Event handle) {
  std::shared_ptr<Event> event;
  if (cuda::Result error = getEvent(handle, event))
    return error;
  if (cuda::Result loss = event->context.loss())
    return loss;
  getDriver()->events.remove(handle);
  return cuda::kSuccess;
}

/// The event stands for what its stream has got so far.
static void setMarker(Event &event, const std::shared_ptr<Stream> &stream) {
  std::shared_ptr<Marker> marker = stream->context.record(stream);
  std::lock_guard<std::mutex> lock(event.mutex);
  event.marker = std::move(marker);
  event.point.reset();
}

IssueWork hetero::emulator::issueRecord(std::shared_ptr<Event> event) {
  return [event](const std::shared_ptr<Stream> &stream) {
    setMarker(*event, stream);
  };
}

IssueWork hetero::emulator::issueWait(std::shared_ptr<Event> event) {
  return [event](const std::shared_ptr<Stream> &stream) {
    if (std::shared_ptr<Marker> marker = event->current())
      stream->context.wait(stream, marker);
  };
}

static cuda::Result find(cuda::Event eventHandle, cuda::Stream streamHandle,
                         std::shared_ptr<Event> &event,
                         std::shared_ptr<Stream> &stream) {
  if (cuda::Result error = getEvent(eventHandle, event))
    return error;
  return getStream(streamHandle, stream);
}

static cuda::Result record(cuda::Event handle, cuda::Stream streamHandle,
                           bool isExternal) {
  std::shared_ptr<Event> event;
  std::shared_ptr<Stream> stream;
  if (cuda::Result error = find(handle, streamHandle, event, stream))
    return error;
  if (&event->context != &stream->context)
    return cuda::kInvalidHandle;
  std::shared_ptr<CaptureLane> lane = getLane(*stream);
  if (isExternal)
    return lane ? lane->capture->add(lane->index, NodeKind::Record,
                                     issueRecord(event), event)
                : cuda::kInvalidValue;
  if (!lane) {
    setMarker(*event, stream);
    return cuda::kSuccess;
  }
  CapturedPoint point = lane->capture->getPoint(lane->index);
  std::lock_guard<std::mutex> lock(event->mutex);
  event->marker.reset();
  event->point = std::move(point);
  return cuda::kSuccess;
}

cuda::Result hetero::emulator::recordEvent(cuda::Event handle,
                                           cuda::Stream stream) {
  return record(handle, stream, /*isExternal=*/false);
}

HETERO_CUDA_API cuEventRecord(cuda::Event handle, cuda::Stream stream) {
  return recordEvent(handle, stream);
}

HETERO_CUDA_API cuEventRecordWithFlags(cuda::Event handle, cuda::Stream stream,
                                       unsigned flags) {
  if (flags > cuda::kEventRecordExternal)
    return getDriver() ? cuda::kInvalidValue : cuda::kNotInitialized;
  return record(handle, stream, flags != 0);
}

/// An event that a graph is captured with makes its stream a part of it.
static cuda::Result waitForPoint(const std::shared_ptr<Stream> &stream,
                                 const CapturedPoint &point, bool isDefault) {
  std::shared_ptr<CaptureLane> lane = getLane(*stream);
  if (lane && lane->capture != point.capture) {
    lane->capture->invalidate();
    point.capture->invalidate();
    return cuda::kStreamCaptureMerge;
  }
  if (isDefault)
    return cuda::kStreamCaptureImplicit;
  return point.capture->wait(stream, point.nodes);
}

/// A node that waits for what the event stands for when the graph is launched.
static cuda::Result captureWait(const std::shared_ptr<Stream> &stream,
                                const std::shared_ptr<Event> &event) {
  std::shared_ptr<CaptureLane> lane = getLane(*stream);
  if (!lane)
    return cuda::kInvalidValue;
  return lane->capture->add(lane->index, NodeKind::Wait, issueWait(event),
                            event);
}

HETERO_CUDA_API cuStreamWaitEvent(cuda::Stream streamHandle, cuda::Event handle,
                                  unsigned flags) {
  std::shared_ptr<Event> event;
  std::shared_ptr<Stream> stream;
  if (cuda::Result error = find(handle, streamHandle, event, stream))
    return error;
  if (flags > cuda::kEventWaitExternal)
    return cuda::kInvalidValue;
  if (flags == cuda::kEventWaitExternal)
    return captureWait(stream, event);
  if (std::optional<CapturedPoint> point = event->capturedPoint())
    return waitForPoint(stream, *point, isDefaultStream(streamHandle));
  std::shared_ptr<Marker> marker = event->current();
  if (!marker)
    return cuda::kSuccess;
  if (std::shared_ptr<CaptureLane> lane = getLane(*stream)) {
    lane->capture->invalidate();
    return cuda::kStreamCaptureIsolation;
  }
  stream->context.wait(stream, marker);
  return cuda::kSuccess;
}

/// What a graph is captured with is not reached at any time.
static cuda::Result checkNotCaptured(Event &event) {
  return event.capturedPoint() ? cuda::kCapturedEvent : cuda::kSuccess;
}

HETERO_CUDA_API cuEventSynchronize(cuda::Event handle) {
  std::shared_ptr<Event> event;
  if (cuda::Result error = getEvent(handle, event))
    return error;
  if (cuda::Result error = checkNotCaptured(*event))
    return error;
  if (std::shared_ptr<Marker> marker = event->current()) {
    marker->wait();
    getDriver()->hostWaits({marker->operation});
  }
  return event->context.fault();
}

/// By the clock that the driver has.
static bool isDone(Marker &marker) {
  Timeline *timeline = getDriver()->timeline();
  bool isDone =
      timeline ? timeline->isDone(marker.operation) : marker.isReached();
  if (isDone && getDriver()->races)
    getDriver()->races->hostWaits({marker.operation});
  return isDone;
}

HETERO_CUDA_API cuEventQuery(cuda::Event handle) {
  std::shared_ptr<Event> event;
  if (cuda::Result error = getEvent(handle, event))
    return error;
  if (cuda::Result error = checkNotCaptured(*event))
    return error;
  std::shared_ptr<Marker> marker = event->current();
  if (marker && !isDone(*marker))
    return cuda::kNotReady;
  return event->context.fault();
}

static cuda::Result elapsed(float *milliseconds, cuda::Event first,
                            cuda::Event second) {
  std::shared_ptr<Event> begin, end;
  if (cuda::Result error = getEvent(first, begin))
    return error;
  if (cuda::Result error = getEvent(second, end))
    return error;
  for (Event *event : {begin.get(), end.get()})
    if (cuda::Result error = checkNotCaptured(*event))
      return error;
  std::shared_ptr<Marker> from = begin->current(), to = end->current();
  if (!milliseconds || !begin->timed || !end->timed || !from || !to)
    return milliseconds ? cuda::kInvalidHandle : cuda::kInvalidValue;
  if (!isDone(*from) || !isDone(*to))
    return cuda::kNotReady;
  if (getDriver()->timelines) {
    auto picoseconds = static_cast<double>(Timeline::endOf(to->operation)) -
                       static_cast<double>(Timeline::endOf(from->operation));
    *milliseconds = static_cast<float>(picoseconds * 1e-9);
    return cuda::kSuccess;
  }
  *milliseconds =
      std::chrono::duration<float, std::milli>(to->time() - from->time())
          .count();
  return cuda::kSuccess;
}

HETERO_CUDA_API cuEventElapsedTime(float *milliseconds, cuda::Event first,
                                   cuda::Event second) {
  return elapsed(milliseconds, first, second);
}

HETERO_CUDA_API cuEventElapsedTime_v2(float *milliseconds, cuda::Event first,
                                      cuda::Event second) {
  return elapsed(milliseconds, first, second);
}
