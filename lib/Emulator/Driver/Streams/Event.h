//===- Event.h - Events, and work that waits for them -----------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_LIB_EMULATOR_DRIVER_STREAMS_EVENT_H
#define HETERO_LIB_EMULATOR_DRIVER_STREAMS_EVENT_H

#include "Emulator/Driver/Graphs/Capture.h"
#include "Emulator/Driver/Graphs/Graph.h"

#include <optional>

namespace hetero::emulator {

/// What cuEventRecord recorded last; nothing at first.
struct Event {
  Event(Context &context, bool timed) : context(context), timed(timed) {}
  Context &context;
  const bool timed;
  std::mutex mutex;
  std::shared_ptr<Marker> marker;
  std::optional<CapturedPoint> point;

  std::shared_ptr<Marker> current() {
    std::lock_guard<std::mutex> lock(mutex);
    return marker;
  }
  std::optional<CapturedPoint> capturedPoint() {
    std::lock_guard<std::mutex> lock(mutex);
    return point;
  }
};

cuda::Result getEvent(cuda::Event handle, std::shared_ptr<Event> &event);
/// Work of nodes that record an event or wait for one.
IssueWork issueRecord(std::shared_ptr<Event> event);
IssueWork issueWait(std::shared_ptr<Event> event);
/// cuEventRecord.
cuda::Result recordEvent(cuda::Event event, cuda::Stream stream);

} // namespace hetero::emulator

#endif // HETERO_LIB_EMULATOR_DRIVER_STREAMS_EVENT_H
