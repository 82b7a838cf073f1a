//===- Steps.cu - Warps whose threads keep step ---------------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Code that relies on threads of a warp being at the same instruction, as CUDA
// code did before version 9.
//
//===----------------------------------------------------------------------===//

#define KERNEL extern "C" __global__ void

// A sum whose last warp has no barriers.
KERNEL sumVolatile(const float *in, float *out) {
  extern __shared__ float part[];
  unsigned thread = threadIdx.x;
  part[thread] = in[blockIdx.x * blockDim.x + thread];
  __syncthreads();
  for (unsigned half = blockDim.x / 2; half > 32; half /= 2) {
    if (thread < half)
      part[thread] += part[thread + half];
    __syncthreads();
  }
  if (thread < 32) {
    volatile float *mine = part;
    mine[thread] += mine[thread + 32];
    mine[thread] += mine[thread + 16];
    mine[thread] += mine[thread + 8];
    mine[thread] += mine[thread + 4];
    mine[thread] += mine[thread + 2];
    mine[thread] += mine[thread + 1];
  }
  if (thread == 0)
    out[blockIdx.x] = part[0];
}

// Sums up to each thread of a warp; threads part at each step.
KERNEL scanVolatile(const int *in, int *out) {
  __shared__ volatile int part[256];
  unsigned thread = threadIdx.x, lane = thread % 32;
  part[thread] = in[thread];
  for (unsigned distance = 1; distance < 32; distance *= 2)
    if (lane >= distance)
      part[thread] += part[thread - distance];
  out[thread] = part[thread];
}

// The same in global memory.
KERNEL scanGlobal(volatile int *part) {
  unsigned thread = threadIdx.x, lane = thread % 32;
#pragma unroll
  for (unsigned distance = 1; distance < 32; distance *= 2)
    if (lane >= distance)
      part[thread] += part[thread - distance];
}

// Neighbours swap values many times, without `volatile`.
KERNEL swapPlain(int *values, int rounds) {
  __shared__ int part[256];
  unsigned thread = threadIdx.x;
  int value = values[thread];
  for (int i = 0; i < rounds; ++i) {
    part[thread] = value;
    value = 3 * part[thread ^ 1] + i;
  }
  values[thread] = value;
}

// Of stores to one place, each thread reads the last.
KERNEL storeAndLoad(const int *in, int *out) {
  __shared__ volatile int last;
  unsigned lane = threadIdx.x;
  last = in[lane];
  int first = last;
  if (lane % 3 == 0)
    last = lane;
  out[lane] = 100 * first + last;
}

// Threads loop as often as they like, and are in step again after the loop.
KERNEL loopAndMeet(const int *counts, int *out) {
  __shared__ volatile int part[32], steps[32];
  unsigned lane = threadIdx.x;
  steps[lane] = 0;
  for (int i = 0; i < counts[lane]; ++i)
    steps[lane] += i;
  part[lane] = steps[lane];
  out[lane] = part[(lane + 1) % 32] + part[(lane + 31) % 32];
}

// A thread of a warp waits for another one, in shared memory.
KERNEL waitWithinWarp(int *out) {
  __shared__ volatile int turn;
  unsigned lane = threadIdx.x;
  turn = 0;
  __syncthreads();
  bool isDone = false;
  while (!isDone)
    if (turn == lane) {
      out[lane] = 10 * lane;
      turn = lane + 1;
      isDone = true;
    }
}

// The threads of a block take a lock one after the other, and hold it over
// volatile accesses.
KERNEL addUnderLock(const int *in, int *out) {
  __shared__ int lock;
  __shared__ volatile int sum;
  if (threadIdx.x == 0)
    lock = sum = 0;
  __syncthreads();
  for (bool isDone = false; !isDone;)
    if (atomicCAS(&lock, 0, 1) == 0) {
      sum = sum + in[threadIdx.x];
      __threadfence_block();
      atomicExch(&lock, 0);
      isDone = true;
    }
  __syncthreads();
  if (threadIdx.x == 0)
    *out = sum;
}

// Sums in a function that is called.
__device__ __noinline__ void sumWarp(volatile int *part, unsigned thread) {
  for (int half = 32; half > 0; half /= 2)
    part[thread] += part[thread + half];
}
KERNEL sumInFunction(const int *in, int *out) {
  __shared__ int part[64];
  part[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  if (threadIdx.x < 32)
    sumWarp(part, threadIdx.x);
  if (threadIdx.x == 0)
    *out = part[0];
}

// Warps wait for each other: each passes a value.
KERNEL passOn(volatile int *flags, int *out) {
  unsigned warp = threadIdx.x / 32;
  while (flags[warp] == 0)
    ;
  if (threadIdx.x % 32 == 0) {
    out[warp] = flags[warp];
    __threadfence();
    flags[warp + 1] = flags[warp] + 1;
  }
}

KERNEL activeMasks(unsigned *out) {
  unsigned lane = threadIdx.x;
  out[lane] = __activemask();
  if (lane % 4 == 0)
    out[32 + lane] = __activemask();
  else if (lane < 10)
    out[32 + lane] = ~__activemask();
  for (unsigned i = 0; i < lane / 8; ++i)
    out[64 + lane] = __activemask();
  out[96 + lane] = __activemask();
}

// One thread of those that are there adds for all.
KERNEL countTogether(int *counter, int *places, int modulus) {
  unsigned lane = threadIdx.x % 32;
  if (threadIdx.x % modulus != 0)
    return;
  unsigned mask = __activemask();
  int leader = __ffs(mask) - 1, first = 0;
  if (lane == leader)
    first = atomicAdd(counter, __popc(mask));
  first = __shfl_sync(mask, first, leader);
  places[threadIdx.x] = first + __popc(mask & ((1u << lane) - 1));
}

KERNEL sleepLong(long long *out, int times) {
  long long before, after;
  asm volatile("mov.u64 %0, %globaltimer;" : "=l"(before));
  for (int i = 0; i < times; ++i)
    __nanosleep(1000000);
  asm volatile("mov.u64 %0, %globaltimer;" : "=l"(after));
  out[threadIdx.x] = after - before;
}
