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

/// Looking took so long that something was moved: there is more to come.
inline constexpr std::chrono::microseconds kMovingTime(15);

/// The pauses of one wait. What is about to come is met at once; later the
/// core goes to others, and then it rests. It begins anew when something moves:
/// large messages do so in parts, one when one looks.
class Backoff {
public:
  using Clock = std::chrono::steady_clock;

  void pause() {
    auto now = Clock::now();
    if (now - resumed > kMovingTime)
      moved = now;
    rest(now - moved);
    resumed = Clock::now();
  }

  /// Whether it has begun just now, or something has moved.
  bool isFresh() const { return resumed - moved < kFreshTime; }

  double seconds() const {
    return std::chrono::duration<double>(Clock::now() - start).count();
  }

private:
  static void rest(Clock::duration waited) {
    if (waited < kFreshTime)
      return;
    if (waited < std::chrono::milliseconds(10))
      return std::this_thread::yield();
    // A small part of what was waited, so that no wait gets much longer by it.
    std::this_thread::sleep_for(
        std::min<Clock::duration>(waited / 50, std::chrono::milliseconds(1)));
  }

  static constexpr std::chrono::microseconds kFreshTime{100};

  Clock::time_point start = Clock::now(), moved = start, resumed = start;
};

} // namespace hetero::runtime

#endif // HETERO_LIB_RUNTIME_NODES_BACKOFF_H
