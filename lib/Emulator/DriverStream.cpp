//===- DriverStream.cpp - Streams and events ------------------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Device.h"

using namespace hetero::emulator;
using namespace hetero;

cuda::Result hetero::emulator::getStream(cuda::Stream handle,
                                         std::shared_ptr<Stream> &stream) {
  if (!getDriver())
    return cuda::kNotInitialized;
  // 1 and 2 are CU_STREAM_LEGACY and CU_STREAM_PER_THREAD.
  if (reinterpret_cast<uintptr_t>(handle) <= 2) {
    Device *device;
    if (cuda::Result error = getCurrent(device))
      return error;
    stream = device->defaultStream();
    return cuda::kSuccess;
  }
  stream = getDriver()->streams.find(handle);
  return stream ? stream->device.countedFault() : cuda::kInvalidHandle;
}

HETERO_CUDA_API cuStreamCreate(cuda::Stream *result, unsigned flags) {
  Device *device;
  if (cuda::Result error = getCurrent(device))
    return error;
  if (!result || flags > cuda::kStreamNonBlocking)
    return cuda::kInvalidValue;
  auto stream = Stream::create(*device, flags != cuda::kStreamNonBlocking);
  *result = reinterpret_cast<cuda::Stream>(
      getDriver()->streams.add(std::move(stream)));
  return cuda::kSuccess;
}

HETERO_CUDA_API cuStreamCreateWithPriority(cuda::Stream *result, unsigned flags,
                                           int) {
  return cuStreamCreate(result, flags);
}

HETERO_CUDA_API cuStreamDestroy_v2(cuda::Stream handle) {
  if (!getDriver())
    return cuda::kNotInitialized;
  std::shared_ptr<Stream> stream = getDriver()->streams.find(handle);
  if (!stream)
    return cuda::kInvalidHandle;
  if (cuda::Result loss = stream->device.loss())
    return loss;
  getDriver()->streams.remove(handle);
  stream->synchronize();
  stream->stop();
  return cuda::kSuccess;
}

HETERO_CUDA_API cuStreamSynchronize(cuda::Stream handle) {
  std::shared_ptr<Stream> stream;
  if (cuda::Result error = getStream(handle, stream))
    return error;
  stream->device.synchronize(*stream);
  return stream->device.fault();
}

HETERO_CUDA_API cuStreamQuery(cuda::Stream handle) {
  std::shared_ptr<Stream> stream;
  if (cuda::Result error = getStream(handle, stream))
    return error;
  Timeline *timeline = getDriver()->timeline.get();
  bool isIdle = timeline
                    ? timeline->isDone(stream->device.lastOperation(*stream))
                    : stream->isIdle();
  return isIdle ? stream->device.fault() : cuda::kNotReady;
}

HETERO_CUDA_API cuLaunchHostFunc(cuda::Stream handle, void (*function)(void *),
                                 void *argument) {
  std::shared_ptr<Stream> stream;
  if (cuda::Result error = getStream(handle, stream))
    return error;
  if (!function)
    return cuda::kInvalidValue;
  Work work;
  work.name = "host function";
  stream->device.submit(stream, work, [=] { function(argument); });
  return cuda::kSuccess;
}

//===----------------------------------------------------------------------===//
// Events
//===----------------------------------------------------------------------===//

HETERO_CUDA_API cuEventCreate(cuda::Event *result, unsigned flags) {
  Device *device;
  if (cuda::Result error = getCurrent(device))
    return error;
  if (!result)
    return cuda::kInvalidValue;
  bool timed = !(flags & cuda::kEventDisableTiming);
  *result = reinterpret_cast<cuda::Event>(
      getDriver()->events.add(std::make_shared<Event>(*device, timed)));
  return cuda::kSuccess;
}

static cuda::Result getEvent(cuda::Event handle,
                             std::shared_ptr<Event> &event) {
  if (!getDriver())
    return cuda::kNotInitialized;
  event = getDriver()->events.find(handle);
  return event ? cuda::kSuccess : cuda::kInvalidHandle;
}

HETERO_CUDA_API cuEventDestroy_v2(cuda::Event handle) {
  if (!getDriver())
    return cuda::kNotInitialized;
  std::shared_ptr<Event> event = getDriver()->events.find(handle);
  if (!event)
    return cuda::kInvalidHandle;
  if (cuda::Result loss = event->device.loss())
    return loss;
  getDriver()->events.remove(handle);
  return cuda::kSuccess;
}

HETERO_CUDA_API cuEventRecord(cuda::Event handle, cuda::Stream streamHandle) {
  std::shared_ptr<Event> event;
  std::shared_ptr<Stream> stream;
  if (cuda::Result error = getEvent(handle, event))
    return error;
  if (cuda::Result error = getStream(streamHandle, stream))
    return error;
  if (&event->device != &stream->device)
    return cuda::kInvalidHandle;
  auto marker = std::make_shared<Marker>();
  Work work;
  work.name = "record";
  marker->operation =
      stream->device.submitAlways(stream, work, [marker] { marker->signal(); });
  std::lock_guard<std::mutex> lock(event->mutex);
  event->marker = marker;
  return cuda::kSuccess;
}

HETERO_CUDA_API cuStreamWaitEvent(cuda::Stream streamHandle, cuda::Event handle,
                                  unsigned) {
  std::shared_ptr<Event> event;
  std::shared_ptr<Stream> stream;
  if (cuda::Result error = getEvent(handle, event))
    return error;
  if (cuda::Result error = getStream(streamHandle, stream))
    return error;
  Work work;
  work.name = "wait";
  if (std::shared_ptr<Marker> marker = event->current())
    stream->device.submitAlways(
        stream, work, [marker] { marker->wait(); }, marker->operation);
  return cuda::kSuccess;
}

HETERO_CUDA_API cuEventSynchronize(cuda::Event handle) {
  std::shared_ptr<Event> event;
  if (cuda::Result error = getEvent(handle, event))
    return error;
  if (std::shared_ptr<Marker> marker = event->current()) {
    marker->wait();
    getDriver()->hostWaits({marker->operation});
  }
  return event->device.fault();
}

/// By the clock that the driver has.
static bool isDone(Marker &marker) {
  Timeline *timeline = getDriver()->timeline.get();
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
  std::shared_ptr<Marker> marker = event->current();
  if (marker && !isDone(*marker))
    return cuda::kNotReady;
  return event->device.fault();
}

static cuda::Result elapsed(float *milliseconds, cuda::Event first,
                            cuda::Event second) {
  std::shared_ptr<Event> begin, end;
  if (cuda::Result error = getEvent(first, begin))
    return error;
  if (cuda::Result error = getEvent(second, end))
    return error;
  std::shared_ptr<Marker> from = begin->current(), to = end->current();
  if (!milliseconds || !begin->timed || !end->timed || !from || !to)
    return milliseconds ? cuda::kInvalidHandle : cuda::kInvalidValue;
  if (!isDone(*from) || !isDone(*to))
    return cuda::kNotReady;
  if (Timeline *timeline = getDriver()->timeline.get()) {
    auto picoseconds = static_cast<double>(timeline->endOf(to->operation)) -
                       static_cast<double>(timeline->endOf(from->operation));
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
