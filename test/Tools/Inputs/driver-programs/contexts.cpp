//===- contexts.cpp - Contexts for each device, and one that fails ------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Program.h"

#include <thread>

/// Counts to 3 * rounds on a device, in a context of its own.
static void work(const char *path, CUdevice device, int rounds, int *wrong) {
  CUcontext context;
  CHECK(cuCtxCreate(&context, nullptr, CU_CTX_SCHED_BLOCKING_SYNC, device));
  CUfunction count = load(path, "count");
  CUdeviceptr counter;
  CHECK(cuMemAlloc(&counter, 4));
  CHECK(cuMemsetD32(counter, 0, 1));
  unsigned number = 3, result = 0;
  void *params[] = {&counter, &number};
  for (int i = 0; i < rounds; ++i)
    CHECK(cuLaunchKernel(count, 1, 1, 1, 1, 1, 1, 0, nullptr, params, nullptr));
  CHECK(cuMemcpyDtoH(&result, counter, 4));
  *wrong = result != 3u * unsigned(rounds);
  CHECK(cuCtxDestroy(context));
}

/// A context that fails does not trouble others.
static int fail(const char *path) {
  CUcontext context;
  CHECK(cuCtxCreate(&context, nullptr, 0, 0));
  CUfunction stray = load(path, "stray");
  CHECK(cuLaunchKernel(stray, 1, 1, 1, 1, 1, 1, 0, nullptr, nullptr, nullptr));
  int wrong = cuCtxSynchronize() != CUDA_ERROR_ILLEGAL_ADDRESS;
  CUdeviceptr pointer;
  wrong += cuMemAlloc(&pointer, 4) != CUDA_ERROR_ILLEGAL_ADDRESS;
  CHECK(cuCtxDestroy(context));
  return wrong;
}

int main(int, char **arguments) {
  CHECK(cuInit(0));
  int devices = 0, wrong = 0;
  CHECK(cuDeviceGetCount(&devices));
  wrong += fail(arguments[1]);
  std::vector<int> results(2 * devices);
  std::vector<std::thread> threads;
  for (size_t i = 0; i < results.size(); ++i)
    threads.emplace_back(work, arguments[1], CUdevice(i) % devices, 10 + int(i),
                         &results[i]);
  for (std::thread &thread : threads)
    thread.join();
  for (int result : results)
    wrong += result;
  return report("contexts", wrong);
}
