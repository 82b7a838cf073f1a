//===- kernels.cu - Kernels of the programs -----------------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

extern "C" __global__ void add(float *sum, const float *a, const float *b,
                               int size) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < size)
    sum[i] = a[i] + b[i];
}

/// C = A * B of size * size numbers, by tiles in shared memory.
extern "C" __global__ void multiply(float *c, const float *a, const float *b,
                                    int size) {
  constexpr int kTile = 8;
  __shared__ float left[kTile][kTile], right[kTile][kTile];
  int x = threadIdx.x, y = threadIdx.y;
  int row = blockIdx.y * kTile + y, column = blockIdx.x * kTile + x;
  float sum = 0;
  for (int k = 0; k < size; k += kTile) {
    left[y][x] = a[row * size + k + x];
    right[y][x] = b[(k + y) * size + column];
    __syncthreads();
    for (int i = 0; i < kTile; ++i)
      sum += left[y][i] * right[i][x];
    __syncthreads();
  }
  c[row * size + column] = sum;
}

extern "C" __global__ void count(unsigned *counter, unsigned number) {
  atomicAdd(counter, number);
}

/// Writes where no memory is.
extern "C" __global__ void stray() { *reinterpret_cast<int *>(64) = 1; }
