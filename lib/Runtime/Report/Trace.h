//===- Trace.h - When each kernel, copy, region and wait was ----*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_LIB_RUNTIME_REPORT_TRACE_H
#define HETERO_LIB_RUNTIME_REPORT_TRACE_H

#include <atomic>
#include <cstdint>
#include <string>

namespace hetero::runtime {

/// The virtual clock of the calling thread's host, and what moves it on, both
/// in picoseconds. Called where there is one.
void setVirtualClock(uint64_t (*clock)(), void (*hostWorks)(uint64_t));
/// The host has worked so many nanoseconds, of which the virtual clock does not
/// know.
void advanceVirtualClock(int64_t nanoseconds);

extern std::atomic<bool> traceIsOn;
inline bool isTracing() { return traceIsOn.load(std::memory_order_relaxed); }

/// Nanoseconds of the host: by its own clock, and by the emulator's virtual
/// one, which is 0 until there is one.
struct Moment {
  int64_t real = 0, emulated = 0;

  static Moment now();
  Moment after(int64_t nanoseconds) const {
    return {real + nanoseconds, emulated + nanoseconds};
  }
  /// The clock that counts: the emulator's if it is virtual.
  static int64_t Moment::*clock();
};

/// The row of an operation among those of its device.
enum class TraceRow { Work, CopyIn, CopyOut };

/// What the caller of an operation knows of it.
struct TraceOperation {
  const char *name;
  int32_t unit = 0;
  TraceRow row = TraceRow::Work;
  /// Of a copy; a kernel has none.
  int64_t bytes = -1;
  int32_t from = 0, to = 0;
  /// A copy between devices is one on the source's row as well.
  int32_t fromUnit = 0;
};

/// An operation of the device ran from `begin` to `end`.
void traceDevice(const TraceOperation &operation, const std::string &name,
                 int32_t device, Moment begin, Moment end);
/// From now on so many bytes are allocated on a device.
void traceMemory(int32_t device, int64_t bytes);
/// Something that the calling thread did from `begin` until now: a "region", a
/// "wait", "staging" (it moved what crosses to or from pinned memory), a
/// "copy" within the host's memory, "transfer" (it waited for another node),
/// "load" (it got a kernel ready), or "issue" (it gave a stream something to
/// do). A wait is for a device.
void traceHost(const char *category, const std::string &name, Moment begin,
               int32_t device);

} // namespace hetero::runtime

#endif // HETERO_LIB_RUNTIME_REPORT_TRACE_H
