//===- Operation.h - What a stream of a device is given ---------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One call of the driver that gives a stream something to do, with all that the
// call needs, so that it can be made later or be compared with another one.
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_LIB_RUNTIME_DEVICE_SUBMIT_OPERATION_H
#define HETERO_LIB_RUNTIME_DEVICE_SUBMIT_OPERATION_H

#include "Runtime/Report/Trace.h"
#include "hetero/Runtime/CudaDriver.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace hetero::runtime {

class Device;

/// Memory and its size: pinned host memory that a copy of the device's stream
/// uses, or that of a constant on the device.
struct Staging {
  void *memory = nullptr;
  int64_t bytes = 0;
};

/// Rows of `width` bytes, on either side a pitch apart.
struct Rows {
  int64_t width, count = 1;
  int64_t toPitch = 0, fromPitch = 0;

  int64_t bytes() const { return width * count; }
  /// Whether no side has gaps.
  bool isContiguous() const {
    return count == 1 || (toPitch == width && fromPitch == width);
  }
  static Rows contiguous(int64_t bytes) { return {bytes, 1, bytes, bytes}; }
};

/// Copies rows within the host's memory.
void copyRowsOnHost(void *to, const void *from, Rows rows);

/// A loaded kernel and the dynamic shared memory that it may ask for.
struct Kernel {
  cuda::Function function = nullptr;
  int64_t mostShared = 48 * 1024;
  /// Nothing is left to load when it is launched.
  bool isPrepared = false;
  /// Bytes of its parameters; none where the driver does not say them.
  std::optional<std::vector<size_t>> parameters;
};

/// A launch, and how its arguments are found.
struct LaunchShape {
  const Kernel *kernel = nullptr;
  int64_t grid[3] = {}, block[3] = {}, sharedBytes = 0;
  void **arguments = nullptr;
};

/// What a library enqueues on a stream by itself.
using LibraryWork = std::function<int32_t(cuda::Stream)>;

struct Operation {
  enum Kind { Launch, Library, CopyIn, CopyOut, CopyWithin, CopyPeer, Order };

  Kind kind;
  /// Where its stream is.
  Device *device;
  int32_t unit;
  /// The kernel's or the value's, for errors and the trace.
  const char *name = "";
  LaunchShape launch = {};
  /// Of Library, which is never held: returns the status, with its text.
  const LibraryWork *work = nullptr;
  /// The source of CopyPeer; Order: whose stream it waits for.
  Device *other = nullptr;
  int32_t otherUnit = 0;
  void *to = nullptr;
  const void *from = nullptr;
  Rows rows = {0};
  /// Of CopyIn and CopyOut: the host's end.
  Staging staging = {};
  /// Of CopyOut: where staging memory goes when the device has been waited for.
  void *target = nullptr;
  int64_t targetPitch = 0;

  /// The driver's function.
  const char *call() const;
};

/// What the unit gets from now on runs after what the other has got so far.
inline Operation orderOf(Device &device, int32_t unit, Device &other,
                         int32_t otherUnit) {
  Operation order{Operation::Order, &device, unit};
  order.other = &other;
  order.otherUnit = otherUnit;
  return order;
}

/// The driver's call for anything but Order and Library.
cuda::Result issue(const Operation &operation, cuda::Stream stream);
TraceOperation traceOf(const Operation &operation);
/// For errors.
std::string describe(const Operation &operation);

} // namespace hetero::runtime

#endif // HETERO_LIB_RUNTIME_DEVICE_SUBMIT_OPERATION_H
