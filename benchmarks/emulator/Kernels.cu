//===- Kernels.cu - What the benchmark runs on the emulator ---------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Host.cpp has the same computations for the CPU.
//
//===----------------------------------------------------------------------===//

#include <cuda_fp16.h>

constexpr int kTile = 16;

// c[n][n] = a * b through tiles in shared memory; n is a multiple of the tile.
extern "C" __global__ void matmul(const float *a, const float *b, float *c,
                                  int n) {
  __shared__ float tileA[kTile][kTile], tileB[kTile][kTile];
  int x = threadIdx.x, y = threadIdx.y;
  int column = blockIdx.x * kTile + x, row = blockIdx.y * kTile + y;
  float sum = 0;
  for (int first = 0; first < n; first += kTile) {
    tileA[y][x] = a[row * n + first + x];
    tileB[y][x] = b[(first + y) * n + column];
    __syncthreads();
    for (int i = 0; i < kTile; ++i)
      sum += tileA[y][i] * tileB[i][x];
    __syncthreads();
  }
  c[row * n + column] = sum;
}

// The average of a point and its four neighbours; borders stay.
extern "C" __global__ void stencil(const float *in, float *out, int n) {
  int column = blockIdx.x * blockDim.x + threadIdx.x;
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row >= n || column >= n)
    return;
  int i = row * n + column;
  bool isBorder = row == 0 || column == 0 || row == n - 1 || column == n - 1;
  out[i] = isBorder
               ? in[i]
               : 0.2f * (in[i] + in[i - 1] + in[i + 1] + in[i - n] + in[i + n]);
}

// The sum of each block's elements, with shuffles.
extern "C" __global__ void reduce(const float *in, float *sums, int n) {
  __shared__ float partial[32];
  int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  float sum = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n;
       i += gridDim.x * blockDim.x)
    sum += in[i];
  for (int step = 16; step > 0; step /= 2)
    sum += __shfl_down_sync(~0u, sum, step);
  if (lane == 0)
    partial[warp] = sum;
  __syncthreads();
  if (warp == 0) {
    sum = lane < blockDim.x / 32 ? partial[lane] : 0;
    for (int step = 16; step > 0; step /= 2)
      sum += __shfl_down_sync(~0u, sum, step);
    if (lane == 0)
      sums[blockIdx.x] = sum;
  }
}

extern "C" __global__ void saxpy(const float *x, float *y, float a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    y[i] = a * x[i] + y[i];
}

// c[n][n] = a * b with tensor cores: a warp per 16 x 8 elements. The columns of
// b are contiguous.
extern "C" __global__ void tensor(const half *a, const half *b, float *c,
                                  int n) {
  int lane = threadIdx.x, row = blockIdx.y * 16, column = blockIdx.x * 8;
  int group = lane / 4, pair = lane % 4 * 2;
  auto load = [](const half *from) {
    return *reinterpret_cast<const unsigned *>(from);
  };
  float sums[4] = {};
  for (int k = 0; k < n; k += 16) {
    const half *x = a + (row + group) * n + k + pair;
    const half *y = b + (column + group) * n + k + pair;
    asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 "
                 "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "
                 "{%0, %1, %2, %3};"
                 : "+f"(sums[0]), "+f"(sums[1]), "+f"(sums[2]), "+f"(sums[3])
                 : "r"(load(x)), "r"(load(x + 8 * n)), "r"(load(x + 8)),
                   "r"(load(x + 8 * n + 8)), "r"(load(y)), "r"(load(y + 8)));
  }
  for (int i = 0; i < 4; ++i)
    c[(row + group + i / 2 * 8) * n + column + pair + i % 2] = sums[i];
}
