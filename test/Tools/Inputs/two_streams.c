//===- two_streams.c - What two-streams.mlir calls ------------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A library of the user's own, which fills memory of a GPU on two streams.
//
//===----------------------------------------------------------------------===//

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

void *mgpuStreamCreate(void);
void mgpuStreamDestroy(void *stream);
void mgpuStreamSynchronize(void *stream);
void mgpuStreamWaitEvent(void *stream, void *event);
void *mgpuEventCreate(void);
void mgpuEventDestroy(void *event);
void mgpuEventRecord(void *event, void *stream);
void *mgpuMemAlloc(uint64_t bytes, void *stream, bool isHostShared);
void mgpuMemFree(void *memory, void *stream);
void mgpuMemset32(void *to, unsigned value, size_t count, void *stream);

void fill_twice(bool isOrdered) {
  void *first = mgpuStreamCreate(), *second = mgpuStreamCreate();
  void *event = mgpuEventCreate();
  void *memory = mgpuMemAlloc(256, first, false);
  mgpuStreamSynchronize(first);
  mgpuMemset32(memory, 1, 64, first);
  mgpuEventRecord(event, first);
  if (isOrdered)
    mgpuStreamWaitEvent(second, event);
  mgpuMemset32(memory, 2, 64, second);
  mgpuStreamSynchronize(first);
  mgpuStreamSynchronize(second);
  mgpuMemFree(memory, first);
  mgpuStreamSynchronize(first);
  mgpuEventDestroy(event);
  mgpuStreamDestroy(second);
  mgpuStreamDestroy(first);
}
