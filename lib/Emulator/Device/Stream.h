//===- Stream.h - Streams of an emulated device -----------------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_LIB_EMULATOR_DEVICE_STREAM_H
#define HETERO_LIB_EMULATOR_DEVICE_STREAM_H

#include "Emulator/Device/AttributeValues.h"
#include "Emulator/Execute/Operation.h"

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>

namespace hetero::emulator {

class Context;
struct CaptureLane;

/// A point in a stream that others wait for.
class Marker {
public:
  using Clock = std::chrono::steady_clock;

  void signal();
  void wait();
  bool isReached();
  Clock::time_point time();

  /// With a virtual clock; set before others see the marker.
  OperationRef operation;

private:
  std::mutex mutex;
  std::condition_variable changed;
  bool reached = false;
  Clock::time_point when;
};

/// Work in order, on a thread of its own.
class Stream {
public:
  using Task = std::function<void()>;

  /// `blocking` streams and the context's default stream wait for each other.
  Stream(Context &context, bool blocking);
  /// The thread keeps the stream alive until stop() and the last task.
  static std::shared_ptr<Stream> create(Context &context, bool blocking);

  /// Appends a task; returns its number. Who sees that the marker is reached
  /// also sees that the task is done.
  uint64_t enqueue(Task task, std::shared_ptr<Marker> marker = nullptr);
  /// Number of the last task.
  uint64_t last();
  /// Waits until task `number` is done.
  void waitFor(uint64_t number);
  void synchronize() { waitFor(last()); }
  bool isIdle();
  void stop();

  Context &context;
  const bool blocking;
  const uint64_t number; ///< In the order in which streams were made.
  std::atomic<int> priority{0};
  std::mutex attributesMutex;
  AttributeValues attributes; ///< Under it.
  /// With a virtual clock, under the context's mutex.
  OperationRef lastOperation;
  /// While it is captured; atomic, see Graph.h.
  std::shared_ptr<CaptureLane> lane;

private:
  void run();

  std::mutex mutex;
  std::condition_variable changed;
  std::deque<std::pair<Task, std::shared_ptr<Marker>>> tasks;
  uint64_t submitted = 0, completed = 0;
  bool stopped = false;
};

} // namespace hetero::emulator

#endif // HETERO_LIB_EMULATOR_DEVICE_STREAM_H
