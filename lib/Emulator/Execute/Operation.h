//===- Operation.h - Work that streams were given ---------------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_LIB_EMULATOR_EXECUTE_OPERATION_H
#define HETERO_LIB_EMULATOR_EXECUTE_OPERATION_H

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace hetero::emulator {

class Timeline;

/// What a device can do at the same time.
enum class Engine : uint8_t { Compute, CopyIn, CopyOut };
constexpr int kNumEngines = 3;

/// Addresses [begin, end) of a device or the host; none when both are 0.
struct Span {
  uint64_t begin = 0, end = 0;
};

/// What a driver call asks a stream to do.
struct Work {
  enum Kind : uint8_t { Kernel, CopyIn, CopyOut, CopyPeer, Local, None };

  Kind kind = None;
  /// Of the kernel, or what the work is. It lives as long as the task.
  std::string_view name;
  /// That a copy moves, or that local work (a fill, a copy within the device)
  /// reads and writes.
  uint64_t bytes = 0;
  int device = 0;     ///< Of the kernel; the destination of a copy.
  int source = 0;     ///< Of a copy between devices.
  Span read, written; ///< By what is not a kernel; of rows the first one.
  uint64_t rows = 1, readPitch = 0, writtenPitch = 0;
};

/// Work that was given to a stream, as the clock and the check see it.
struct Operation {
  Work::Kind kind;
  std::string name;
  uint64_t bytes, flops = 0;
  uint64_t slept = 0; ///< By threads of a kernel, in picoseconds.
  int device, source;
  uint64_t stream;     ///< Its number.
  uint64_t number = 0; ///< In the order of the calls.
  /// What it comes after; empty once the operation has its times.
  std::vector<std::shared_ptr<Operation>> after;
  bool isExecuted = false, isResolved = false;
  uint64_t issued = 0, start = 0, end = 0; ///< Picoseconds.
  /// The clock of the host that has issued it, if it is virtual.
  Timeline *timeline = nullptr;

  /// Its place in the stream, from 1, and how far each stream was.
  uint64_t position = 0;
  std::vector<uint64_t> clock;
  std::vector<Span> reads, writes;
};
using OperationRef = std::shared_ptr<Operation>;

/// What a kernel has done, if anybody wants to know.
struct Effects {
  std::atomic<uint64_t> flops{0}, bytes{0}, instructions{0};
  std::atomic<uint64_t> slept{0};  ///< By the last thread, in nanoseconds.
  std::vector<Span> reads, writes; ///< Under the launch's mutex.

  void noteSleep(uint64_t nanoseconds) {
    uint64_t before = slept;
    while (before < nanoseconds &&
           !slept.compare_exchange_weak(before, nanoseconds))
      ;
  }
};

} // namespace hetero::emulator

#endif // HETERO_LIB_EMULATOR_EXECUTE_OPERATION_H
