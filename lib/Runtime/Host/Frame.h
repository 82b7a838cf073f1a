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

  void use(int32_t device) {
    std::lock_guard<std::mutex> lock(mutex);
    if (std::find(devices.begin(), devices.end(), device) == devices.end())
      devices.push_back(device);
  }
};

/// Holds the allocation from now on, for the calling thread's frame.
HeteroStatus holdInFrame(int32_t device, void *pointer, int64_t bytes);

Frame *currentFrame();
/// Lets the calling thread's frame wait for the device, if it is one.
void useInFrame(int32_t device);
/// Sets the calling thread's frame and returns the one before.
Frame *exchangeCurrentFrame(Frame *frame);

/// Whose an allocation is: what devices share with the host is the host's.
int32_t ownerOf(int32_t device, const void *pointer);
/// Allocates on a device or the host, or in HETERO_SHARED memory, outside of
/// any frame.
HeteroStatus allocate(int32_t device, int64_t bytes, int64_t alignment,
                      void **pointer);
HeteroStatus release(int32_t device, void *pointer, int64_t bytes);

/// Bytes of an allocation that left its frame; it is then no longer known.
bool takeDetached(int32_t device, void *pointer, int64_t &bytes);
void rememberDetached(int32_t device, void *pointer, int64_t bytes);
/// Their memory went with the devices' contexts.
void forgetDetachedOnDevices();

} // namespace hetero::runtime

#endif // HETERO_LIB_RUNTIME_HOST_FRAME_H
