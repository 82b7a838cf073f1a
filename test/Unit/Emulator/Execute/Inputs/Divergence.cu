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

// What differs in the two sides of a branch is used after it.
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

//===----------------------------------------------------------------------===//
// Threads that wait for others of their warp
//===----------------------------------------------------------------------===//

// A lock that the threads of a block take one after the other.
KERNEL lockEach(int *count, int *order) {
  __shared__ int lock, next;
  if (threadIdx.x == 0)
    lock = next = 0;
  __syncthreads();
  bool isDone = false;
  while (!isDone)
    if (atomicCAS(&lock, 0, 1) == 0) {
      order[threadIdx.x] = ((volatile int *)&next)[0]++;
      __threadfence_block();
      atomicExch(&lock, 0);
      isDone = true;
    }
  atomicAdd(count, 1);
}

// Each thread waits for the one after it, in ways that are no volatile load.
KERNEL waitByAtomics(int *turn, int *out) {
  int i = threadIdx.x;
  while (atomicAdd(turn, 0) != (int)blockDim.x - 1 - i)
    ;
  out[i] = *(volatile int *)turn * 2;
  atomicAdd(turn, 1);
}
KERNEL waitByExchange(unsigned *turn, int *out) {
  int i = threadIdx.x;
  unsigned wanted = blockDim.x - 1 - i;
  while (atomicCAS(turn, wanted, wanted) != wanted)
    ;
  out[i] = wanted * 3;
  atomicExch(turn, wanted + 1);
}
KERNEL waitByFences(int *turn, int *out) {
  int i = threadIdx.x, wanted = blockDim.x - 1 - i;
  while (*turn != wanted)
    __threadfence();
  out[i] = wanted * 5;
  __threadfence();
  *turn = wanted + 1;
}
__device__ __noinline__ bool isTurn(int *turn, int wanted) {
  return atomicOr(turn, 0) == wanted;
}
KERNEL waitInAFunction(int *turn, int *out) {
  int i = threadIdx.x, wanted = blockDim.x - 1 - i;
  while (!isTurn(turn, wanted))
    __nanosleep(10);
  out[i] = wanted * 7;
  atomicAdd(turn, 1);
}

// Both sides of a branch come to one barrier, each by its own instruction;
// some threads have left before.
KERNEL barrierInBothSides(const int *in, int *out) {
  __shared__ int values[128];
  int i = threadIdx.x;
  values[i] = in[i];
  if (in[i] == 0)
    return;
  int value;
  if (in[i] & 1) {
    value = in[i] * 3;
    asm volatile("barrier.sync 0;" ::: "memory");
  } else {
    value = in[i] - 4;
    asm volatile("barrier.sync 0;" ::: "memory");
  }
  out[i] = value + values[blockDim.x - 1 - i];
}

// Groups of eight threads shuffle, vote, match and reduce in cases of a switch,
// each as often as it likes.
KERNEL groupsInCases(const int *in, int *out) {
  int i = globalIndex(), lane = threadIdx.x % 32, group = lane / 8;
  unsigned mask = 0xffu << 8 * group;
  int value = in[i], result = 0;
  switch (group) {
  case 0:
    for (int round = 0; round < 3; ++round)
      result += __shfl_xor_sync(mask, value + round, 1 << round, 8);
    break;
  case 1:
    result = __reduce_add_sync(mask, value);
    [[fallthrough]];
  case 2:
    result += __shfl_sync(mask, value, 3, 8) * 10;
    break;
  default:
    int all;
    result = __popc(__match_any_sync(mask, value & 1));
    result += (__match_all_sync(mask, value & 64, &all) & mask) != 0 && all;
    result += __reduce_max_sync(mask, value) * 100;
  }
  __syncwarp();
  out[i] = result;
}

// Only some warps multiply matrices, others have left or do something else.
KERNEL matricesOfSomeWarps(const int *in, int *out) {
  int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  if (warp == 2)
    return;
  int d[4] = {lane, lane, lane, lane};
  if (warp % 2 == 0) {
    asm volatile("mma.sync.aligned.m16n8k16.row.col.s32.s8.s8.s32 "
                 "{%0,%1,%2,%3}, {%4,%5}, {%6}, {%0,%1,%2,%3};"
                 : "+r"(d[0]), "+r"(d[1]), "+r"(d[2]), "+r"(d[3])
                 : "r"(in[lane]), "r"(in[lane + 32]), "r"(in[lane + 64]));
  } else {
    for (int k = 0; k < in[lane] % 4; ++k)
      d[k % 4] += __popc(__activemask()) > 0;
  }
  __syncwarp();
  for (int k = 0; k < 4; ++k)
    out[threadIdx.x * 4 + k] = d[k] + __shfl_xor_sync(~0u, d[k], 1);
}
