//===- Stream.cpp - Streams and events ------------------------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Emulator/Driver/Streams/Stream.h"

#include "Emulator/Driver/Context.h"
#include "Emulator/Driver/Errors.h"
#include "Emulator/Driver/Graphs/Capture.h"
#include "Emulator/Driver/Graphs/Graph.h"
#include "Emulator/Driver/State/Context.h"
#include "Emulator/Driver/State/Driver.h"
#include "Emulator/Driver/Streams/PerThread.h"

#include <algorithm>

using namespace hetero::emulator;
using namespace hetero;

cuda::Result hetero::emulator::getStream(cuda::Stream handle,
                                         std::shared_ptr<Stream> &stream) {
  if (!getDriver())
    return cuda::kNotInitialized;
  if (isOwnStream(handle) || isDefaultStream(handle)) {
    Context *context;
    if (cuda::Result error = getCurrent(context))
      return error;
    if (isOwnStream(handle)) {
      stream = ownStream(*context);
      return cuda::kSuccess;
    }
    stream = context->defaultStream();
    return Capture::checkDefaultStream(*context);
  }
  stream = getDriver()->streams.find(handle);
  return stream ? stream->context.countedFault() : cuda::kInvalidHandle;
}

HETERO_CUDA_API cuStreamCreate(cuda::Stream *result, unsigned flags) {
  Context *context;
  if (cuda::Result error = getCurrent(context))
    return error;
  if (!result || flags > cuda::kStreamNonBlocking)
    return cuda::kInvalidValue;
  auto stream = Stream::create(*context, flags != cuda::kStreamNonBlocking);
  *result = reinterpret_cast<cuda::Stream>(
      getDriver()->streams.add(std::move(stream)));
  return cuda::kSuccess;
}

/// A priority that there is not becomes the next that there is.
HETERO_CUDA_API cuStreamCreateWithPriority(cuda::Stream *result, unsigned flags,
                                           int priority) {
  if (cuda::Result error = cuStreamCreate(result, flags))
    return error;
  getDriver()->streams.find(*result)->priority =
      std::clamp(priority, kGreatestPriority, kLeastPriority);
  return cuda::kSuccess;
}

HETERO_CUDA_API cuStreamDestroy_v2(cuda::Stream handle) {
  if (!getDriver())
    return cuda::kNotInitialized;
  std::shared_ptr<Stream> stream = getDriver()->streams.find(handle);
  if (!stream)
    return cuda::kInvalidHandle;
  if (cuda::Result loss = stream->context.loss())
    return loss;
  if (std::shared_ptr<CaptureLane> lane = getLane(*stream))
    lane->capture->abandon();
  getDriver()->streams.remove(handle);
  stream->synchronize();
  stream->stop();
  return cuda::kSuccess;
}

HETERO_CUDA_API cuStreamSynchronize(cuda::Stream handle) {
  std::shared_ptr<Stream> stream;
  if (cuda::Result error = getStream(handle, stream))
    return error;
  if (cuda::Result error = checkNotCaptured(*stream))
    return error;
  stream->context.synchronize(*stream);
  return stream->context.fault();
}

HETERO_CUDA_API cuStreamQuery(cuda::Stream handle) {
  std::shared_ptr<Stream> stream;
  if (cuda::Result error = getStream(handle, stream))
    return error;
  if (cuda::Result error = checkNotCaptured(*stream))
    return error;
  Timeline *timeline = getDriver()->timeline();
  bool isIdle = timeline
                    ? timeline->isDone(stream->context.lastOperation(*stream))
                    : stream->isIdle();
  return isIdle ? stream->context.fault() : cuda::kNotReady;
}

/// Writes what `property` says of the stream.
template <typename Value, typename Property>
static cuda::Result getProperty(cuda::Stream handle, Value *result,
                                Property property) {
  std::shared_ptr<Stream> stream;
  if (cuda::Result error = getStream(handle, stream))
    return error;
  if (!result)
    return cuda::kInvalidValue;
  *result = property(*stream);
  return cuda::kSuccess;
}

HETERO_CUDA_API cuStreamGetFlags(cuda::Stream handle, unsigned *flags) {
  return getProperty(handle, flags, [](Stream &stream) {
    return stream.blocking ? 0 : cuda::kStreamNonBlocking;
  });
}

HETERO_CUDA_API cuStreamGetPriority(cuda::Stream handle, int *priority) {
  return getProperty(handle, priority,
                     [](Stream &stream) { return stream.priority.load(); });
}

HETERO_CUDA_API cuStreamGetCtx(cuda::Stream handle, cuda::Context *context) {
  return getProperty(handle, context, [](Stream &stream) {
    return reinterpret_cast<cuda::Context>(&stream.context);
  });
}

/// No stream is of a part of a device.
HETERO_CUDA_API cuStreamGetCtx_v2(cuda::Stream handle, cuda::Context *context,
                                  void **part) {
  if (part)
    *part = nullptr;
  return cuStreamGetCtx(handle, context);
}

HETERO_CUDA_API cuStreamGetDevice(cuda::Stream handle, cuda::Device *device) {
  return getProperty(handle, device, [](Stream &stream) {
    return stream.context.device.ordinal;
  });
}

HETERO_CUDA_API cuStreamGetId(cuda::Stream handle, unsigned long long *id) {
  return getProperty(handle, id, [](Stream &stream) { return stream.number; });
}

IssueWork hetero::emulator::issueOf(HostCall call) {
  return [=](const std::shared_ptr<Stream> &stream) {
    Work work;
    work.name = "host function";
    stream->context.submit(stream, work, [=] { call.function(call.argument); });
  };
}

HETERO_CUDA_API cuLaunchHostFunc(cuda::Stream handle, void (*function)(void *),
                                 void *argument) {
  std::shared_ptr<Stream> stream;
  if (cuda::Result error = getStream(handle, stream))
    return error;
  if (!function)
    return cuda::kInvalidValue;
  HostCall call = {function, argument};
  return issueOrCapture(stream, NodeKind::Host, issueOf(call), call);
}

using StreamCallback = void (*)(cuda::Stream, cuda::Result, void *);

/// The program's declarations of the types have other names than ours, which
/// would look like an error.
__attribute__((no_sanitize("function"))) static void
callBack(StreamCallback callback, cuda::Stream stream, cuda::Result result,
         void *argument) {
  callback(stream, result, argument);
}

/// Runs when what is before it is done, also when that has failed.
HETERO_CUDA_API cuStreamAddCallback(cuda::Stream handle,
                                    StreamCallback callback, void *argument,
                                    unsigned flags) {
  std::shared_ptr<Stream> stream;
  if (cuda::Result error = getStream(handle, stream))
    return error;
  if (cuda::Result error = checkNotCaptured(*stream))
    return error;
  if (!callback || flags != 0)
    return cuda::kInvalidValue;
  Work work;
  work.name = "callback";
  Context &context = stream->context;
  context.submitAlways(stream, work, [=, &context] {
    callBack(callback, handle, context.fault(), argument);
  });
  return cuda::kSuccess;
}
