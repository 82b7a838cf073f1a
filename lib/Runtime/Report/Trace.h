//===- Trace.h - When each kernel, copy, region and wait was ----*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// While the runtime traces, it records an event before and after each kernel
// and copy on its stream. What they say is read when the device has been waited
// for anyway, so that the order of work stays the same. A device's clock is
// tied to the host's by one event that the host waits for on a stream of its
// own.
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_LIB_RUNTIME_REPORT_TRACE_H
#define HETERO_LIB_RUNTIME_REPORT_TRACE_H

#include "Runtime/Device/Driver.h"

#include <atomic>
#include <string>
#include <vector>

namespace hetero::runtime {

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

/// Operations of one device that it has not been waited for. Calls need the
/// device's lock and its context.
class DeviceTrace {
public:
  /// Calls `enqueue`, between two events on the stream while it traces.
  template <typename Enqueue>
  cuda::Result run(const cuda::Functions &driver, cuda::Stream stream,
                   const TraceOperation &operation, Enqueue enqueue) {
    if (!isTracing())
      return enqueue();
    cuda::Event begin = record(driver, stream);
    cuda::Result result = enqueue();
    finish(driver, stream, operation, begin, result);
    return result;
  }

  /// Takes the times of all operations, which are done on `device`.
  void resolve(const cuda::Functions &driver, int32_t device);
  /// Forgets events that went with their context.
  void clear();

private:
  struct Pending {
    TraceOperation operation;
    std::string name;
    cuda::Event begin, end;
  };

  bool tie(const cuda::Functions &driver);
  cuda::Event record(const cuda::Functions &driver, cuda::Stream stream);
  void finish(const cuda::Functions &driver, cuda::Stream stream,
              const TraceOperation &operation, cuda::Event begin,
              cuda::Result result);

  /// The event whose moment is known, or null.
  cuda::Event base = nullptr;
  Moment baseMoment;
  std::vector<cuda::Event> spare;
  std::vector<Pending> pending;
};

/// Something that the calling thread did from `begin` until now: a "region" or
/// a "wait".
void traceHost(const char *category, const std::string &name, Moment begin);

} // namespace hetero::runtime

#endif // HETERO_LIB_RUNTIME_REPORT_TRACE_H
