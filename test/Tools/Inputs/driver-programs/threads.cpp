//===- threads.cpp - A default stream for each thread -------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#define CUDA_API_PER_THREAD_DEFAULT_STREAM
#include "Program.h"

#include <atomic>
#include <thread>

static std::atomic<int> wrong{0};

static void work(CUcontext context, CUfunction count) {
  CHECK(cuCtxSetCurrent(context));
  CUdeviceptr counter;
  CHECK(cuMemAlloc(&counter, 4));
  CHECK(cuMemsetD32Async(counter, 0, 1, nullptr));
  unsigned number = 2, result = 0;
  void *params[] = {&counter, &number};
  for (int i = 0; i < 10; ++i)
    CHECK(cuLaunchKernel(count, 1, 1, 1, 8, 1, 1, 0, nullptr, params, nullptr));
  CHECK(cuMemcpyDtoHAsync(&result, counter, 4, nullptr));
  CHECK(cuStreamSynchronize(nullptr));
  wrong += result != 160;
  CHECK(cuMemFree(counter));
}

/// Waits until the other threads are done, though they use the same handle.
static void waitForOthers(void *flag) {
  while (!*static_cast<std::atomic<bool> *>(flag))
    std::this_thread::yield();
}

int main(int, char **arguments) {
  CUcontext context;
  CHECK(cuInit(0));
  CHECK(cuCtxCreate(&context, nullptr, 0, 0));
  CUfunction count = load(arguments[1], "count");
  std::vector<std::thread> threads;
  for (int i = 0; i < 3; ++i)
    threads.emplace_back(work, context, count);
  for (std::thread &thread : threads)
    thread.join();
  // This thread's stream is busy; another thread's is not.
  std::atomic<bool> isOver{false};
  CHECK(cuLaunchHostFunc(nullptr, waitForOthers, &isOver));
  wrong += cuStreamQuery(nullptr) != CUDA_ERROR_NOT_READY;
  std::thread([&] {
    CHECK(cuCtxSetCurrent(context));
    wrong += cuStreamQuery(nullptr) != CUDA_SUCCESS;
  }).join();
  isOver = true;
  CHECK(cuStreamSynchronize(nullptr));
  CHECK(cuCtxDestroy(context));
  return report("threads", wrong);
}
