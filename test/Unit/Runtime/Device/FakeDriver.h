//===- FakeDriver.h - A CUDA driver that does as a test says ----*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_TEST_UNIT_RUNTIME_FAKEDRIVER_H
#define HETERO_TEST_UNIT_RUNTIME_FAKEDRIVER_H

#include <atomic>
#include <string>
#include <vector>

/// What the driver has seen and is told to do. Its devices' memory is the
/// host's, and its kernels do nothing.
struct FakeDriver {
  /// Result of the next launches.
  std::atomic<int> launchResult{0};
  /// Device whose stream does not finish, or -1; and who waits for it.
  std::atomic<int> stuckDevice{-1};
  std::atomic<bool> isWaiting{false};
  /// Live modules, loads so far, and the bytes of each cuFuncSetAttribute.
  std::atomic<int> modules{0}, loads{0};
  std::vector<int> sharedBytes;
  /// Allocations of device and pinned memory so far.
  std::atomic<int> allocations{0};
  /// Live events, and the time between every two of them.
  std::atomic<int> events{0};
  std::atomic<float> elapsedMilliseconds{0};
  /// Launches of graphs, which may fail as those of kernels do.
  std::atomic<int> graphLaunches{0};
  /// Compute capability of devices that are opened from now on, and the code
  /// that was loaded last.
  int major = 8, minor = 8;
  const void *loaded = nullptr;
  int mostSharedBytes = 227 * 1024;
};

extern "C" __attribute__((visibility("default"))) FakeDriver *
heteroFakeDriver();

#endif // HETERO_TEST_UNIT_RUNTIME_FAKEDRIVER_H
