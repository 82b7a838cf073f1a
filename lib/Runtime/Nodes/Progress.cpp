//===- Progress.cpp - Messages that move while the program works ----------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Runtime/Nodes/Progress.h"

#include "Runtime/Nodes/Backoff.h"

#include <chrono>
#include <system_error>

using namespace hetero::runtime;

/// A message of 10 GB/s moves 2 MB meanwhile: longer ones gain.
static constexpr std::chrono::microseconds kPause(200);
/// After so many pauses without anything new it sleeps.
static constexpr int kPausesAwake = 500;

void Progress::note() {
  ++numNoted;
  if (isAsleep) {
    isAsleep = false;
    wake.notify_one();
  }
  if (thread.joinable() || wasRefused)
    return;
  try {
    thread = std::thread(&Progress::run, this);
  } catch (const std::system_error &) {
    wasRefused = true;
  }
}

void Progress::stop() {
  {
    std::lock_guard<std::mutex> lock(mutex);
    isOver = true;
    wake.notify_one();
  }
  if (thread.joinable())
    thread.join();
}

void Progress::run() {
  std::unique_lock<std::mutex> lock(mutex);
  int64_t seen = numNoted;
  for (int pauses = 0; !isOver; ++pauses) {
    if (pauses == kPausesAwake) {
      isAsleep = true;
      wake.wait(lock, [this] { return isOver || !isAsleep; });
    }
    if (seen != numNoted) {
      seen = numNoted;
      pauses = 0;
    }
    auto start = std::chrono::steady_clock::now();
    step();
    bool isMoving = std::chrono::steady_clock::now() - start > kMovingTime;
    lock.unlock();
    if (isMoving)
      std::this_thread::yield();
    else
      std::this_thread::sleep_for(kPause);
    lock.lock();
  }
}
