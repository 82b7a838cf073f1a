//===- Progress.h - Messages move while the program works -------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_LIB_RUNTIME_NODES_PROGRESS_H
#define HETERO_LIB_RUNTIME_NODES_PROGRESS_H

#include <condition_variable>
#include <cstdint>
#include <functional>
#include <mutex>
#include <thread>

namespace hetero::runtime {

/// A thread that calls a function again and again, with a lock that it shares,
/// while there is something under way. It takes a hundredth of a core, and
/// after some time without anything sleeps.
class Progress {
public:
  Progress(std::mutex &mutex, std::function<void()> step)
      : mutex(mutex), step(std::move(step)) {}
  ~Progress() { stop(); }

  /// With the lock: something is under way. Begins the thread; without one all
  /// is right, and later.
  void note();
  /// Without the lock: the last call.
  void stop();

private:
  void run();

  std::mutex &mutex;
  const std::function<void()> step;
  std::thread thread;
  // With the lock.
  std::condition_variable wake;
  bool isOver = false, wasRefused = false, isAsleep = false;
  /// How often something was noted.
  int64_t numNoted = 0;
};

} // namespace hetero::runtime

#endif // HETERO_LIB_RUNTIME_NODES_PROGRESS_H
