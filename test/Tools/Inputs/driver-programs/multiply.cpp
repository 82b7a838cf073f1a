//===- multiply.cpp - Matrices through shared memory --------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Program.h"

int main(int, char **arguments) {
  constexpr int kSize = 40;
  CUcontext context;
  CHECK(cuInit(0));
  CHECK(cuCtxCreate(&context, nullptr, 0, 0));
  CUfunction function = load(arguments[1], "multiply");
  std::vector<float> a(kSize * kSize), b(a.size()), c(a.size());
  for (size_t i = 0; i < a.size(); ++i) {
    a[i] = float(i % 7);
    b[i] = float(i % 5) - 2;
  }
  size_t bytes = a.size() * sizeof(float);
  CUdeviceptr pointers[3];
  for (CUdeviceptr &pointer : pointers)
    CHECK(cuMemAlloc(&pointer, bytes));
  CHECK(cuMemcpyHtoD(pointers[1], a.data(), bytes));
  CHECK(cuMemcpyHtoD(pointers[2], b.data(), bytes));

  // The arguments as one block of memory.
  struct {
    CUdeviceptr c, a, b;
    int size;
  } block = {pointers[0], pointers[1], pointers[2], kSize};
  size_t blockBytes = 28;
  void *extra[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, &block,
                   CU_LAUNCH_PARAM_BUFFER_SIZE, &blockBytes,
                   CU_LAUNCH_PARAM_END};
  int suggested, least;
  CHECK(cuOccupancyMaxPotentialBlockSize(&least, &suggested, function, nullptr,
                                         0, 64));
  CHECK(cuLaunchKernel(function, kSize / 8, kSize / 8, 1, 8, 8, 1, 0, nullptr,
                       nullptr, extra));
  CHECK(cuMemcpyDtoH(c.data(), pointers[0], bytes));
  int wrong = suggested != 64;
  for (int row = 0; row < kSize; ++row)
    for (int column = 0; column < kSize; ++column) {
      float sum = 0;
      for (int k = 0; k < kSize; ++k)
        sum += a[row * kSize + k] * b[k * kSize + column];
      wrong += c[row * kSize + column] != sum;
    }
  for (CUdeviceptr pointer : pointers)
    CHECK(cuMemFree(pointer));
  CHECK(cuCtxDestroy(context));
  return report("multiply", wrong);
}
