//===- WallTimes.h - When operations ran on the machine's clock -*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What `timeline=FILE` writes where the clock is not virtual: when each kernel,
// copy and fill was issued, began and ended, as the streams' threads see it.
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_LIB_EMULATOR_DEVICE_WALLTIMES_H
#define HETERO_LIB_EMULATOR_DEVICE_WALLTIMES_H

#include "Emulator/Device/Stream.h"

#include <deque>
#include <mutex>

namespace hetero::emulator {

class WallTimes {
public:
  /// The task, with its times taken; with the context's mutex held, so that
  /// operations of a stream come in the order of their calls.
  Stream::Task note(const Work &work, uint64_t stream, Stream::Task task);

  /// Those that have ended, and which nanosecond of the monotonic clock is 0.
  std::string report();

private:
  std::mutex mutex;
  /// Picoseconds since the origin; those that run have no end.
  std::deque<Operation> operations;
  const int64_t origin = now();

  /// Nanoseconds.
  static int64_t now();
  uint64_t time() const { return (now() - origin) * uint64_t(1000); }
};

} // namespace hetero::emulator

#endif // HETERO_LIB_EMULATOR_DEVICE_WALLTIMES_H
