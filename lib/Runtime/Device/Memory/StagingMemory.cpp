//===- StagingMemory.cpp - Host memory that copies pass through -----------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Runtime/Device/Memory/StagingMemory.h"

#include "Runtime/Report/Measure.h"

#include <algorithm>

using namespace hetero::runtime;
using namespace hetero;

HeteroStatus StagingMemory::take(int64_t bytes, Staging *staging) {
  staging->bytes = bytes;
  staging->memory = free.takeAtLeast(staging->bytes);
  if (staging->memory)
    return HETERO_OK;
  staging->bytes = blockSize(bytes);
  HeteroStatus status = context.enter();
  if (status == HETERO_OK)
    status = context.check(
        context.getFunctions().memHostAlloc(&staging->memory, staging->bytes,
                                            cuda::kMemHostAllocPortable),
        "cuMemHostAlloc", inBytes(bytes));
  if (status == HETERO_OK)
    free.announce(staging->bytes);
  return status;
}

void StagingMemory::keep(const Operation &operation) {
  const Staging &staging = operation.staging;
  if (!staging.memory)
    return;
  busy.push_back({operation.unit, staging});
  busyBytes += staging.bytes;
  if (operation.kind != Operation::CopyOut || !operation.target)
    return;
  Rows rows = operation.rows;
  rows.fromPitch = rows.width;
  rows.toPitch = operation.targetPitch;
  std::lock_guard<std::mutex> lock(pendingMutex);
  pending.push_back({operation.unit, staging, operation.target, rows,
                     isTracing() ? operation.name : ""});
}

void StagingMemory::finish(bool areDone, int32_t unit) {
  auto isPart = [&](int32_t other) {
    return unit == Context::kNoUnit || other == unit;
  };
  {
    // Not held while the device works: whoever frees host memory must not wait
    // for a device.
    std::lock_guard<std::mutex> lock(pendingMutex);
    auto last = std::remove_if(
        pending.begin(), pending.end(), [&](const PendingCopy &copy) {
          if (isPart(copy.unit) && areDone) {
            HostSpan span("staging", context.getId(),
                          [&] { return copy.name; });
            copyRowsOnHost(copy.target, copy.staging.memory, copy.rows);
          }
          return isPart(copy.unit);
        });
    pending.erase(last, pending.end());
  }
  // So that the next call gets it in the same order.
  for (auto it = busy.rbegin(); it != busy.rend(); ++it)
    if (isPart(it->unit)) {
      free.put(it->staging.bytes, it->staging.memory);
      busyBytes -= it->staging.bytes;
    }
  busy.erase(std::remove_if(
                 busy.begin(), busy.end(),
                 [&](const BusyStaging &used) { return isPart(used.unit); }),
             busy.end());
}

void StagingMemory::dropCopiesTo(const void *host, int64_t bytes) {
  std::lock_guard<std::mutex> lock(pendingMutex);
  const char *begin = static_cast<const char *>(host), *end = begin + bytes;
  pending.erase(std::remove_if(pending.begin(), pending.end(),
                               [&](const PendingCopy &copy) {
                                 auto *target =
                                     static_cast<const char *>(copy.target);
                                 return target >= begin && target < end;
                               }),
                pending.end());
}

void StagingMemory::clear() {
  free.clear();
  busy.clear();
  busyBytes = 0;
  std::lock_guard<std::mutex> lock(pendingMutex);
  pending.clear();
}
