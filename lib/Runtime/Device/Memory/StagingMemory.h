//===- StagingMemory.h - Host memory that copies pass through ---*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_LIB_RUNTIME_DEVICE_MEMORY_STAGINGMEMORY_H
#define HETERO_LIB_RUNTIME_DEVICE_MEMORY_STAGINGMEMORY_H

#include "Runtime/Device/Context.h"
#include "Runtime/Device/Submit/Operation.h"
#include "Runtime/Host/Reuse.h"

#include <mutex>
#include <string>
#include <vector>

namespace hetero::runtime {

/// Pinned memory of the host for copies of a device. Calls need the device's
/// lock, except for dropCopiesTo().
class StagingMemory {
public:
  /// In flight before the stream is waited for.
  static constexpr int64_t kLimit = 64 << 20;

  explicit StagingMemory(Context &context) : context(context) {}

  /// Whether that many bytes more are too many before there was a wait.
  bool isFull(int64_t bytes) const {
    return busyBytes + bytes > kLimit && !busy.empty();
  }
  /// At least `bytes`, for one operation.
  HeteroStatus take(int64_t bytes, Staging *staging);
  /// What the operation takes until its stream is done.
  void keep(const Operation &operation);
  /// Completes copies to the host and takes the memory back, of one unit or of
  /// all.
  void finish(bool areDone, int32_t unit);
  /// Forgets copies to host memory that is about to be freed.
  void dropCopiesTo(const void *host, int64_t bytes);
  /// It went with its context.
  void clear();

private:
  /// A copy to pageable host memory that is finished at the next wait: from
  /// rows without gaps in staging memory.
  struct PendingCopy {
    int32_t unit;
    Staging staging;
    void *target;
    Rows rows;
    /// For a trace, which the program may not outlive.
    std::string name;
  };
  struct BusyStaging {
    int32_t unit;
    Staging staging;
  };

  Context &context;
  /// Free, and in use until the next synchronization.
  FreeBlocks free;
  std::vector<BusyStaging> busy;
  int64_t busyBytes = 0;
  /// Taken after the device's lock, and without it by dropCopiesTo().
  std::mutex pendingMutex;
  std::vector<PendingCopy> pending;
};

} // namespace hetero::runtime

#endif // HETERO_LIB_RUNTIME_DEVICE_MEMORY_STAGINGMEMORY_H
