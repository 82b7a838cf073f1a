//===- Divergence.cu - Threads of a warp that part ------------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#define KERNEL extern "C" __global__ void

__device__ int globalIndex() { return blockIdx.x * blockDim.x + threadIdx.x; }

// Each thread's loop runs another number of times.
KERNEL tripCounts(const int *in, int *out, int size) {
  int i = globalIndex();
  if (i >= size)
    return;
  int sum = 0;
  for (int k = 0; k < in[i] % 50; ++k)
    sum = sum * 3 + k;
  out[i] = sum;
}

// Threads end at several places, some in a loop.
KERNEL earlyReturns(const int *in, int *out, int size) {
  int i = globalIndex();
  if (i >= size || in[i] == 0)
    return;
  out[i] = 1;
  if (in[i] % 3 == 0)
    return;
  for (int k = 2;; ++k) {
    out[i] = k;
    if (in[i] % (k + 2) == 1 || k > 40)
      return;
    if (in[i] % 7 == k)
      break;
  }
  out[i] = -out[i];
}

// Loops in a loop, left from the inner one, from both, and gone on with.
KERNEL nestedBreaks(const int *in, int *out, int size) {
  int i = globalIndex();
  if (i >= size)
    return;
  int value = in[i], sum = 0;
  for (int outer = 1; outer < 12; ++outer) {
    if (value % outer == 2)
      continue;
    for (int inner = 0; inner < outer; ++inner) {
      sum += inner ^ outer;
      if ((value + inner) % 5 == 0)
        break;
      if (sum > 100 + value % 60)
        goto done;
    }
    sum += outer;
  }
done:
  out[i] = sum;
}

// Cases that fall through, that leave and that loop.
KERNEL switches(const int *in, int *out, int size) {
  int i = globalIndex();
  if (i >= size)
    return;
  int value = in[i], result = 0;
  for (int round = 0; round < 4; ++round) {
    switch ((value + round) % 9) {
    case 0:
      result += 3;
      [[fallthrough]];
    case 1:
      result ^= value;
      break;
    case 2:
      for (int k = 0; k < value % 6; ++k)
        result += k * round;
      break;
    case 3:
      continue;
    case 4:
      out[i] = result - 1000;
      return;
    case 7:
      result *= 5;
      break;
    default:
      --result;
    }
    result += round;
  }
  out[i] = result;
}

// What differs in the two sides of a branch is used behind it.
KERNEL sides(const int *in, int *out, int size) {
  int i = globalIndex();
  int a = 1, b = 2;
  if (i < size && in[i] & 1) {
    a = in[i];
    if (a & 2)
      b = a * 7;
    else
      a = b + 5;
  } else if (i < size) {
    b = in[i] / 3;
    while (b > 10)
      b -= a + 6;
  }
  if (i < size)
    out[i] = a * 100 + b;
}

// The halves of a warp shuffle, vote and match in their own side of a branch.
KERNEL halves(const int *in, int *out) {
  int i = globalIndex(), lane = threadIdx.x % 32;
  int value = in[i], result;
  if (lane < 16) {
    unsigned mask = 0x0000ffff;
    result = __shfl_xor_sync(mask, value, 5);
    result += __popc(__ballot_sync(mask, value > 0)) * 1000;
    result += __any_sync(mask, value == 7) ? 100000 : 0;
  } else {
    unsigned mask = 0xffff0000;
    result = __shfl_up_sync(mask, value, 3, 16);
    result -= __popc(__match_any_sync(mask, value & 3)) * 1000;
    result += __all_sync(mask, value > -8) ? 100000 : 0;
  }
  __syncwarp();
  out[i] = result + __shfl_sync(~0u, result, 31 - lane);
}

// Threads that are still in a loop vote with those that are.
KERNEL votesInALoop(const int *in, int *out) {
  int i = globalIndex(), rounds = in[i] & 15, seen = 0;
  unsigned mask = ~0u;
  for (int round = 0;; ++round) {
    unsigned stays = __ballot_sync(mask, round < rounds);
    if (round >= rounds)
      break;
    mask = stays;
    seen += __popc(mask);
  }
  out[i] = seen;
}

// Barriers between loops that threads leave at different times.
KERNEL barriersBetweenLoops(const int *in, int *out) {
  __shared__ int sums[128];
  int i = globalIndex(), own = threadIdx.x;
  for (int round = 0; round < 3; ++round) {
    int sum = round ? sums[(own + round) % blockDim.x] : in[i];
    __syncthreads();
    for (int k = 0; k < (in[i] + round) % 5; ++k)
      sum = sum * 2 - k;
    sums[own] = sum;
    __syncthreads();
  }
  out[i] = sums[blockDim.x - 1 - own];
}
