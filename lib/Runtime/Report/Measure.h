//===- Measure.h - Times of kernels and host regions ------------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// While the runtime measures parts, a kernel is launched when its device is
// idle and waited for, so that its time is its own and has the launch in it; so
// is a copy. A host region's time is that of its own work: calls of the thread
// that start, copy, order or wait for something meanwhile are no part of it.
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_LIB_RUNTIME_REPORT_MEASURE_H
#define HETERO_LIB_RUNTIME_REPORT_MEASURE_H

#include "Runtime/Report/Trace.h"
#include "hetero/Runtime/HeteroRuntime.h"

#include <cstdint>
#include <string>

namespace hetero::runtime {

/// Parts.
bool isMeasuring();
/// Counts what a kernel took that the thread has launched. A trace has times of
/// its own, in which nothing waits for the host.
void countMeasured(int32_t device, const std::string &name,
                   int64_t nanoseconds);

/// Of the calling thread.
void beginHostRegion(const char *name);
void endHostRegion();

/// While it lives, the thread's host region does not run.
class HostRegionPause {
public:
  HostRegionPause();
  ~HostRegionPause();
  HostRegionPause(const HostRegionPause &) = delete;
  HostRegionPause &operator=(const HostRegionPause &) = delete;
};

/// What the thread does for devices while it lives, for a trace and the
/// report's sums; no host region runs meanwhile.
class HostSpan {
public:
  /// `describe` returns the name, and is not called without a trace.
  template <typename Describe>
  HostSpan(const char *category, int32_t device, Describe describe)
      : category(isTracing() ? category : nullptr), device(device) {
    if (!this->category)
      return;
    name = describe();
    begin = Moment::now();
  }
  ~HostSpan();
  HostSpan(const HostSpan &) = delete;
  HostSpan &operator=(const HostSpan &) = delete;

  /// Nothing was done.
  void drop() { category = nullptr; }

private:
  HostRegionPause pause;
  const char *category;
  int32_t device;
  std::string name;
  Moment begin;
};

} // namespace hetero::runtime

#endif // HETERO_LIB_RUNTIME_REPORT_MEASURE_H
