//===- Operation.h - Work that streams were given ---------------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_LIB_EMULATOR_OPERATION_H
#define HETERO_LIB_EMULATOR_OPERATION_H

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace hetero::emulator {

/// What a device can do at the same time.
enum class Engine : uint8_t { Compute, CopyIn, CopyOut };
constexpr int kNumEngines = 3;

/// What a driver call asks a stream to do.
struct Work {
  enum Kind : uint8_t { Kernel, CopyIn, CopyOut, CopyPeer, Local, None };

  Kind kind = None;
  /// Of the kernel, or what the work is. It lives as long as the task.
  std::string_view name;
  /// That a copy moves, or that local work (a fill, a copy within the device)
  /// reads and writes.
  uint64_t bytes = 0;
  int device = 0; ///< Of the kernel; the destination of a copy.
  int source = 0; ///< Of a copy between devices.
};

/// Work that was given to a stream, as the clock sees it.
struct Operation {
  Work::Kind kind;
  std::string name;
  uint64_t bytes, flops = 0;
  int device, source;
  uint64_t stream; ///< Its number.
  uint64_t number; ///< In the order of the calls.
  /// What it comes after; empty once the operation has its times.
  std::vector<std::shared_ptr<Operation>> after;
  bool isExecuted = false, isResolved = false;
  uint64_t issued = 0, start = 0, end = 0; ///< Picoseconds.
};
using OperationRef = std::shared_ptr<Operation>;

} // namespace hetero::emulator

#endif // HETERO_LIB_EMULATOR_OPERATION_H
