//===- pipeline.cpp - Chunks that flow through streams, ordered by events ===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Program.h"

#include <cstring>

int main(int, char **arguments) {
  constexpr int kChunks = 8, kSize = 256;
  constexpr size_t kBytes = kSize * sizeof(float);
  CUcontext context;
  CHECK(cuInit(0));
  CHECK(cuDevicePrimaryCtxRetain(&context, 0));
  CHECK(cuCtxSetCurrent(context));
  CUfunction add = load(arguments[1], "add");
  void *memory;
  CHECK(cuMemHostAlloc(&memory, 2 * kChunks * kBytes, 0));
  float *in = static_cast<float *>(memory), *out = in + kChunks * kSize;
  for (int i = 0; i < kChunks * kSize; ++i)
    in[i] = float(i);

  // Each of the streams has a buffer, which the next chunk waits for.
  CUstream up, compute, down;
  for (CUstream *stream : {&up, &compute, &down})
    CHECK(cuStreamCreate(stream, CU_STREAM_NON_BLOCKING));
  CUevent start, end, loaded[2], computed[2], stored[2];
  CHECK(cuEventCreate(&start, 0));
  CHECK(cuEventCreate(&end, 0));
  CUdeviceptr from[2], to[2];
  for (int i = 0; i < 2; ++i) {
    for (CUevent *event : {&loaded[i], &computed[i], &stored[i]})
      CHECK(cuEventCreate(event, CU_EVENT_DISABLE_TIMING));
    CHECK(cuMemAlloc(&from[i], kBytes));
    CHECK(cuMemAlloc(&to[i], kBytes));
  }
  CHECK(cuEventRecord(start, up));
  int size = kSize;
  for (int chunk = 0; chunk < kChunks; ++chunk) {
    int slot = chunk % 2;
    if (chunk > 1)
      CHECK(cuStreamWaitEvent(up, computed[slot], 0));
    CHECK(cuMemcpyHtoDAsync(from[slot], in + chunk * kSize, kBytes, up));
    CHECK(cuEventRecord(loaded[slot], up));
    CHECK(cuStreamWaitEvent(compute, loaded[slot], 0));
    if (chunk > 1)
      CHECK(cuStreamWaitEvent(compute, stored[slot], 0));
    void *params[] = {&to[slot], &from[slot], &from[slot], &size};
    CHECK(cuLaunchKernel(add, 2, 1, 1, 128, 1, 1, 0, compute, params, nullptr));
    CHECK(cuEventRecord(computed[slot], compute));
    CHECK(cuStreamWaitEvent(down, computed[slot], 0));
    CHECK(cuMemcpyDtoHAsync(out + chunk * kSize, to[slot], kBytes, down));
    CHECK(cuEventRecord(stored[slot], down));
  }
  int calls = 0;
  CHECK(cuLaunchHostFunc(
      down, [](void *data) { ++*static_cast<int *>(data); }, &calls));
  CHECK(cuEventRecord(end, down));
  CHECK(cuEventSynchronize(end));
  float milliseconds = -1;
  CHECK(cuEventElapsedTime(&milliseconds, start, end));
  int wrong = (milliseconds < 0) + (calls != 1);
  for (int i = 0; i < kChunks * kSize; ++i)
    wrong += out[i] != 2 * in[i];
  CHECK(cuMemFreeHost(memory));
  CHECK(cuDevicePrimaryCtxRelease(0));
  return report("pipeline", wrong);
}
