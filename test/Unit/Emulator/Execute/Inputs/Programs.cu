//===- Programs.cu - What programs are made of besides arithmetic ---------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include <cassert>
#include <cstdio>

#define KERNEL extern "C" __global__ void

__device__ int globalIndex() { return blockIdx.x * blockDim.x + threadIdx.x; }

// Parameters by value, with padding between their members.
struct Shape {
  char kind;
  double scale;
  short strides[5];
  long long offset;
};
KERNEL byValue(Shape shape, const double *in, double *out, int size) {
  int i = globalIndex();
  if (i < size)
    out[i] =
        in[(i * shape.strides[i % 5] + shape.offset) % size] * shape.scale +
        shape.kind;
}

KERNEL shuffleWide(const double *in, double *out) {
  double value = in[threadIdx.x];
  for (int step = 16; step > 0; step /= 2)
    value += __shfl_xor_sync(~0u, value, step);
  out[threadIdx.x] = value;
}

// What atomicAdd does where a device has none for the type.
KERNEL multiplyAtomically(double *product, const double *in, int size) {
  int i = globalIndex();
  if (i >= size)
    return;
  auto *word = reinterpret_cast<unsigned long long *>(product);
  unsigned long long seen = *word, assumed;
  do {
    assumed = seen;
    seen =
        atomicCAS(word, assumed,
                  __double_as_longlong(__longlong_as_double(assumed) * in[i]));
  } while (seen != assumed);
}

// A block waits for what the one before it has written.
KERNEL handOver(volatile int *flags, int *values) {
  int block = blockIdx.x;
  if (threadIdx.x == 0 && block > 0)
    while (flags[block - 1] == 0)
      ;
  __syncthreads();
  int before = block ? ((volatile int *)values)[(block - 1) * 32 + threadIdx.x]
                     : int(threadIdx.x);
  values[block * 32 + threadIdx.x] = 2 * before + 1;
  __threadfence();
  __syncthreads();
  if (threadIdx.x == 0)
    flags[block] = 1;
}

// More shared memory than a kernel has unless it asks for it.
KERNEL reverseLarge(int *values, int size) {
  extern __shared__ int shared[];
  for (int i = threadIdx.x; i < size; i += blockDim.x)
    shared[i] = values[i];
  __syncthreads();
  for (int i = threadIdx.x; i < size; i += blockDim.x)
    values[i] = shared[size - 1 - i];
}

__device__ float table[16];
__constant__ int shift;
KERNEL useVariables(float *out) {
  out[threadIdx.x] = table[(threadIdx.x + shift) % 16];
}

KERNEL grid3D(int *out) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  int z = blockIdx.z * blockDim.z + threadIdx.z;
  int width = gridDim.x * blockDim.x, height = gridDim.y * blockDim.y;
  out[(z * height + y) * width + x] = x + 100 * y + 10000 * z;
}

KERNEL print(int value) {
  if (threadIdx.x == 0)
    printf("value %d, %.3f, %s, %c%%\n", value, value / 8.0, "text", 'x');
}

// Errors that the emulator has to find.
KERNEL readBeyond(const int *in, int *out, int size) {
  out[threadIdx.x] = in[size + threadIdx.x];
}
KERNEL readMisaligned(const char *in, int *out) {
  *out = *reinterpret_cast<const int *>(in + 1);
}
KERNEL writeSharedBeyond(int index) {
  __shared__ volatile int words[8];
  words[index] = 1;
}
KERNEL assertPositive(int value) { assert(value > 0); }
KERNEL stopHere() { __trap(); }
KERNEL barrierForSome(int threads) {
  if (threadIdx.x < threads)
    asm volatile("bar.sync 1, 64;");
}
