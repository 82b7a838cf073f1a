//===- Context.h - What fails and goes together -----------------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_LIB_EMULATOR_DRIVER_STATE_CONTEXT_H
#define HETERO_LIB_EMULATOR_DRIVER_STATE_CONTEXT_H

#include "Emulator/Device/Stream.h"
#include "Emulator/Execute/Executor.h"

#include <atomic>

namespace hetero::emulator {

class Device;

/// Streams, events, modules and memory that fail and go together: the primary
/// context of a device, or one that a program has created.
class Context {
public:
  Context(Device &device, bool isPrimary, unsigned flags = 0);

  Device &device;
  const bool isPrimary;
  const uint64_t id; ///< Unique in the process.
  std::atomic<unsigned> flags;
  std::atomic<int> cacheConfig{0};
  /// CUlimit, with what hardware has at first.
  static constexpr int kNumLimits = 7, kHeapLimit = 2;
  std::atomic<size_t> limits[kNumLimits] = {1024, 1 << 20, 8 << 20, 0,
                                            2048, 128,     0};
  Heap heap;

  /// Appends work to a stream; the task is skipped after a fault. A kernel has
  /// filled in `effects` when it is done.
  void submit(const std::shared_ptr<Stream> &stream, const Work &work,
              Stream::Task task, Effects *effects = nullptr);
  /// The same for what others wait for: it is never skipped. Returns the
  /// operation if operations are tracked; it also comes after `after`. The
  /// marker is reached when the task is done.
  OperationRef submitAlways(const std::shared_ptr<Stream> &stream,
                            const Work &work, Stream::Task task,
                            const OperationRef &after = nullptr,
                            Effects *effects = nullptr,
                            const std::shared_ptr<Marker> &marker = nullptr);
  /// A point after what the stream was given.
  std::shared_ptr<Marker> record(const std::shared_ptr<Stream> &stream);
  /// Lets the stream go on when the point is reached.
  void wait(const std::shared_ptr<Stream> &stream,
            const std::shared_ptr<Marker> &marker);
  std::shared_ptr<Stream> defaultStream();
  /// Waits for all streams.
  void synchronize();
  /// Waits for one.
  void synchronize(Stream &stream);
  OperationRef lastOperation(Stream &stream);

  /// Makes every later call of the context fail with `code`.
  /// True if that is the first one.
  bool setFault(const Fault &fault);
  /// The same of a kernel's, which is printed unless the program asks for it.
  void reportFault(const Fault &fault);
  cuda::Result fault() const;
  /// The same for calls that give things back: they work after a fault of a
  /// kernel, but not on a device that is lost.
  cuda::Result loss() const {
    return fault() == cuda::kDeviceLost ? cuda::kDeviceLost : cuda::kSuccess;
  }
  /// Counts a call on the device, which may be the one that loses it.
  cuda::Result countedFault();

  /// A created context has one user until it is destroyed.
  bool isActive() const { return users > 0; }
  int numUsers() const { return users; }
  void retain() { ++users; }
  /// False when it was not retained.
  bool release();
  void reset();

private:
  void complete(const OperationRef &operation, Effects *effects);

  std::mutex mutex; ///< Orders work of the default and the blocking streams.
  std::shared_ptr<Stream> nullStream;
  std::atomic<int> users{0};
  std::atomic<cuda::Result> faultCode{cuda::kSuccess};
};

} // namespace hetero::emulator

#endif // HETERO_LIB_EMULATOR_DRIVER_STATE_CONTEXT_H
