//===- Frame.h - What one call of an entry point holds ----------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_LIB_RUNTIME_HOST_FRAME_H
#define HETERO_LIB_RUNTIME_HOST_FRAME_H

#include "Runtime/Host/Reuse.h"
#include "hetero/Runtime/HeteroRuntime.h"

#include <algorithm>
#include <mutex>
#include <utility>
#include <vector>

namespace hetero::runtime {

/// (device, address) to bytes.
using Allocations = ReusingMap<std::pair<int32_t, void *>, int64_t>;

/// The record of one call: frames nest, and the threads of a parallel loop
/// share the frame of the thread that started it.
struct Frame {
  Frame *parent = nullptr;
  std::mutex mutex;
  Allocations allocations;
  /// Few.
  std::vector<int32_t> devices;
  /// Allocations that callers gave away: the frame frees those that the program
  /// has no use for.
  std::vector<void *> donated;
  /// State that no other call may use meanwhile.
  std::vector<std::unique_lock<std::recursive_mutex>> states;

  void use(int32_t device) {
    std::lock_guard<std::mutex> lock(mutex);
    if (std::find(devices.begin(), devices.end(), device) == devices.end())
      devices.push_back(device);
  }
  void hold(int32_t device, void *pointer, int64_t bytes) {
    std::lock_guard<std::mutex> lock(mutex);
    allocations.insert({device, pointer}, bytes);
  }
};

/// Begins a frame of the calling thread within the one that it has.
void pushFrame();
/// Goes back to the one before; what the frame held is gone.
void popFrame();
/// The calling thread's, or null.
Frame *currentFrame();
/// The error of a call that needs one.
HeteroStatus failWithoutFrame(const char *call);
/// Sets the calling thread's frame and returns the one before.
Frame *exchangeCurrentFrame(Frame *frame);

/// Lets the calling thread's frame wait for the device, if it is one.
void useInFrame(int32_t device);
/// Holds a donated allocation from now on, for the calling thread's frame.
HeteroStatus holdInFrame(int32_t device, void *pointer, int64_t bytes);
/// Takes an allocation out of the calling thread's frames.
bool takeFromFrames(int32_t device, void *pointer, int64_t &bytes);

} // namespace hetero::runtime

#endif // HETERO_LIB_RUNTIME_HOST_FRAME_H
