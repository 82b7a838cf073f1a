//===- DeviceTrace.h - When each operation of a device was ------*- C++ -*-===//
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
// tied to the host's by an event that the host waits for on a stream of its
// own.
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_LIB_RUNTIME_DEVICE_DEVICETRACE_H
#define HETERO_LIB_RUNTIME_DEVICE_DEVICETRACE_H

#include "Runtime/Report/Trace.h"
#include "hetero/Runtime/CudaDriver.h"

#include <string>
#include <vector>

namespace hetero::runtime {

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
    Moment issued = Moment::now();
    cuda::Result result = enqueue();
    finish(driver, stream, operation, {begin, issued}, result);
    return result;
  }

  /// Takes the times of all operations, which are done on `device`.
  void resolve(const cuda::Functions &driver, int32_t device);
  /// Forgets events that went with their context.
  void clear();

private:
  /// It cannot have begun before either.
  struct Start {
    cuda::Event event;
    Moment issued;
  };
  struct Pending {
    TraceOperation operation;
    std::string name;
    Start start;
    cuda::Event end;
  };

  bool tie(const cuda::Functions &driver);
  int64_t tryTie(const cuda::Functions &driver, cuda::Stream stream,
                 int64_t best);
  cuda::Event record(const cuda::Functions &driver, cuda::Stream stream);
  void finish(const cuda::Functions &driver, cuda::Stream stream,
              const TraceOperation &operation, const Start &start,
              cuda::Result result);
  /// Whether both moments of an operation that is done are known.
  bool find(const cuda::Functions &driver, const Pending &entry, Moment &begin,
            Moment &end) const;

  /// The event whose moment is known, or null.
  cuda::Event base = nullptr;
  Moment baseMoment;
  std::vector<cuda::Event> spare;
  std::vector<Pending> pending;
};

} // namespace hetero::runtime

#endif // HETERO_LIB_RUNTIME_DEVICE_DEVICETRACE_H
