//===- Backoff.h - Waiting by looking again and again -------- -*- C++ -*--===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_LIB_RUNTIME_NODES_BACKOFF_H
#define HETERO_LIB_RUNTIME_NODES_BACKOFF_H

#include <algorithm>
#include <chrono>
#include <thread>

namespace hetero::runtime {

/// The pauses of one wait. What is about to come is met at once; later the
/// core goes to others, and then it rests.
class Backoff {
public:
  using Clock = std::chrono::steady_clock;

  void pause() {
    auto waited = Clock::now() - start;
    if (waited < std::chrono::microseconds(20))
      return;
    if (waited < std::chrono::milliseconds(2))
      return std::this_thread::yield();
    // A small part of what was waited, so that no wait gets much longer by it.
    std::this_thread::sleep_for(
        std::min<Clock::duration>(waited / 50, std::chrono::milliseconds(1)));
  }

  double seconds() const {
    return std::chrono::duration<double>(Clock::now() - start).count();
  }

private:
  Clock::time_point start = Clock::now();
};

} // namespace hetero::runtime

#endif // HETERO_LIB_RUNTIME_NODES_BACKOFF_H
