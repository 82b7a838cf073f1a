//===- Collectives.cu - Threads that work together ------------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include <cooperative_groups.h>

constexpr unsigned kAll = 0xffffffff;

// Shuffles, and one word per warp in shared memory.
template <typename T, typename Combine>
__device__ T reduceBlock(T value, T neutral, Combine combine) {
  __shared__ T partial[32];
  for (int step = 16; step > 0; step /= 2)
    value = combine(value, __shfl_down_sync(kAll, value, step));
  if (threadIdx.x % 32 == 0)
    partial[threadIdx.x / 32] = value;
  __syncthreads();
  int warps = (blockDim.x + 31) / 32;
  value = threadIdx.x < warps ? partial[threadIdx.x] : neutral;
  if (threadIdx.x < 32)
    for (int step = 16; step > 0; step /= 2)
      value = combine(value, __shfl_xor_sync(kAll, value, step));
  if (threadIdx.x == 0)
    partial[0] = value;
  __syncthreads();
  T result = partial[0];
  __syncthreads();
  return result;
}

extern "C" __global__ void sumRows(const float *in, float *out, int columns) {
  float sum = 0;
  for (int i = threadIdx.x; i < columns; i += blockDim.x)
    sum += in[blockIdx.x * columns + i];
  sum = reduceBlock(sum, 0.0f, [](float a, float b) { return a + b; });
  if (threadIdx.x == 0)
    out[blockIdx.x] = sum;
}

extern "C" __global__ void softmax(const float *in, float *out, int columns) {
  const float *row = in + blockIdx.x * columns;
  float most = -INFINITY;
  for (int i = threadIdx.x; i < columns; i += blockDim.x)
    most = fmaxf(most, row[i]);
  most = reduceBlock(most, -INFINITY,
                     [](float a, float b) { return fmaxf(a, b); });
  float sum = 0;
  for (int i = threadIdx.x; i < columns; i += blockDim.x)
    sum += __expf(row[i] - most);
  sum = reduceBlock(sum, 0.0f, [](float a, float b) { return a + b; });
  for (int i = threadIdx.x; i < columns; i += blockDim.x)
    out[blockIdx.x * columns + i] = __fdividef(__expf(row[i] - most), sum);
}

extern "C" __global__ void layerNorm(const float *in, float *out, int columns) {
  const float *row = in + blockIdx.x * columns;
  auto add = [](float a, float b) { return a + b; };
  float sum = 0, squares = 0;
  for (int i = threadIdx.x; i < columns; i += blockDim.x)
    sum += row[i];
  float mean = reduceBlock(sum, 0.0f, add) / columns;
  for (int i = threadIdx.x; i < columns; i += blockDim.x)
    squares += (row[i] - mean) * (row[i] - mean);
  float scale = rsqrtf(reduceBlock(squares, 0.0f, add) / columns + 1e-5f);
  for (int i = threadIdx.x; i < columns; i += blockDim.x)
    out[blockIdx.x * columns + i] = (row[i] - mean) * scale;
}

extern "C" __global__ void argmax(const double *in, int *out, int size) {
  // The index is in the low bits of what the maximum is taken of.
  unsigned long long best = 0;
  for (int i = threadIdx.x; i < size; i += blockDim.x) {
    long long bits = __double_as_longlong(in[i]);
    unsigned long long ordered =
        bits < 0 ? ~bits : bits | 0x8000000000000000ull;
    ordered = (ordered & ~0xffffull) | (0xffff - i);
    best = best > ordered ? best : ordered;
  }
  best =
      reduceBlock(best, 0ull, [](unsigned long long a, unsigned long long b) {
        return a > b ? a : b;
      });
  if (threadIdx.x == 0)
    *out = 0xffff - int(best & 0xffff);
}

// Hillis and Steele within warps, then over the warps.
extern "C" __global__ void scanBlock(const int *in, int *out, int size) {
  __shared__ int totals[32];
  int i = threadIdx.x, lane = i % 32;
  int value = i < size ? in[i] : 0;
  for (int step = 1; step < 32; step *= 2) {
    int other = __shfl_up_sync(kAll, value, step);
    if (lane >= step)
      value += other;
  }
  if (lane == 31)
    totals[i / 32] = value;
  __syncthreads();
  if (i < 32) {
    int total = i < blockDim.x / 32 ? totals[i] : 0;
    for (int step = 1; step < 32; step *= 2) {
      int other = __shfl_up_sync(kAll, total, step);
      if (lane >= step)
        total += other;
    }
    totals[i] = total;
  }
  __syncthreads();
  if (i < size)
    out[i] = value + (i >= 32 ? totals[i / 32 - 1] : 0);
}

// Blelloch's exclusive scan in dynamic shared memory.
extern "C" __global__ void scanTree(const int *in, int *out) {
  extern __shared__ int tree[];
  int size = 2 * blockDim.x, i = threadIdx.x;
  tree[2 * i] = in[2 * i];
  tree[2 * i + 1] = in[2 * i + 1];
  int step = 1;
  for (int active = size / 2; active > 0; active /= 2, step *= 2) {
    __syncthreads();
    if (i < active)
      tree[step * (2 * i + 2) - 1] += tree[step * (2 * i + 1) - 1];
  }
  if (i == 0)
    tree[size - 1] = 0;
  for (int active = 1; active < size; active *= 2) {
    step /= 2;
    __syncthreads();
    if (i < active) {
      int left = tree[step * (2 * i + 1) - 1];
      tree[step * (2 * i + 1) - 1] = tree[step * (2 * i + 2) - 1];
      tree[step * (2 * i + 2) - 1] += left;
    }
  }
  __syncthreads();
  out[2 * i] = tree[2 * i];
  out[2 * i + 1] = tree[2 * i + 1];
}

// A place for each value that is kept, in any order of the warps.
extern "C" __global__ void compact(const int *in, int *out, int *count,
                                   int size) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int value = i < size ? in[i] : -1;
  bool keeps = value >= 0;
  unsigned ballot = __ballot_sync(kAll, keeps);
  int lane = threadIdx.x % 32, first = 0;
  if (lane == 0)
    first = atomicAdd(count, __popc(ballot));
  first = __shfl_sync(kAll, first, 0);
  if (keeps)
    out[first + __popc(ballot & ((1u << lane) - 1))] = value;
}

extern "C" __global__ void histogram(const unsigned char *in, int size,
                                     unsigned *out) {
  __shared__ unsigned bins[256];
  for (int i = threadIdx.x; i < 256; i += blockDim.x)
    bins[i] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < size;
       i += gridDim.x * blockDim.x)
    atomicAdd(&bins[in[i]], 1);
  __syncthreads();
  for (int i = threadIdx.x; i < 256; i += blockDim.x)
    atomicAdd(&out[i], bins[i]);
}

// Lanes with the same key add up among themselves.
extern "C" __global__ void sumByKey(const int *keys, const int *values,
                                    int *out, int size) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned active = __ballot_sync(kAll, i < size);
  if (i >= size)
    return;
  unsigned same = __match_any_sync(active, keys[i]);
  int sum = __reduce_add_sync(same, values[i]);
  if (threadIdx.x % 32 == __ffs(same) - 1)
    atomicAdd(&out[keys[i]], sum);
}

extern "C" __global__ void votes(const int *in, unsigned *out) {
  int value = in[threadIdx.x];
  unsigned result = __all_sync(kAll, value > 0);
  result |= __any_sync(kAll, value > 90) << 1;
  int agreed;
  __match_all_sync(kAll, value, &agreed);
  result |= unsigned(agreed) << 2;
  result |= __syncthreads_count(value > 50) << 8;
  result |= unsigned(__syncthreads_or(value == 77)) << 30;
  result |= unsigned(__syncthreads_and(value > 0)) << 31;
  out[threadIdx.x] = result;
}

// Halves of a warp that go different ways, and each shuffles.
extern "C" __global__ void halves(const int *in, int *out) {
  int i = threadIdx.x, value = in[i];
  if (i % 32 < 16)
    for (int step = 8; step > 0; step /= 2)
      value += __shfl_xor_sync(0x0000ffff, value, step, 16);
  else
    for (int step = 8; step > 0; step /= 2)
      value = max(value, __shfl_xor_sync(0xffff0000, value, step, 16));
  out[i] = value;
}

extern "C" __global__ void sortBitonic(float *values) {
  extern __shared__ float keys[];
  int i = threadIdx.x;
  keys[i] = values[i];
  for (int size = 2; size <= blockDim.x; size *= 2)
    for (int step = size / 2; step > 0; step /= 2) {
      __syncthreads();
      int other = i ^ step;
      if (other > i) {
        bool descends = i & size;
        float a = keys[i], b = keys[other];
        if ((a > b) != descends) {
          keys[i] = b;
          keys[other] = a;
        }
      }
    }
  __syncthreads();
  values[i] = keys[i];
}

// The last block to finish adds up what the others wrote.
__device__ unsigned finished;
extern "C" __global__ void sumOfBlocks(const int *in, int size, int *partial,
                                       int *out) {
  int sum = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < size;
       i += gridDim.x * blockDim.x)
    sum += in[i];
  auto add = [](int a, int b) { return a + b; };
  sum = reduceBlock(sum, 0, add);
  __shared__ bool isLast;
  if (threadIdx.x == 0) {
    partial[blockIdx.x] = sum;
    __threadfence();
    isLast = atomicInc(&finished, gridDim.x - 1) == gridDim.x - 1;
  }
  __syncthreads();
  if (!isLast)
    return;
  sum = 0;
  for (int i = threadIdx.x; i < gridDim.x; i += blockDim.x)
    sum += ((volatile int *)partial)[i];
  sum = reduceBlock(sum, 0, add);
  if (threadIdx.x == 0)
    *out = sum;
}

extern "C" __global__ void tiles(const int *in, int *out) {
  namespace cg = cooperative_groups;
  cg::thread_block block = cg::this_thread_block();
  auto tile = cg::tiled_partition<8>(block);
  int value = in[block.thread_rank()];
  for (int step = tile.size() / 2; step > 0; step /= 2)
    value += tile.shfl_down(value, step);
  block.sync();
  if (tile.thread_rank() == 0)
    out[block.thread_rank() / 8] = value;
}

extern "C" __global__ void atomics(int *words, unsigned long long *wide,
                                   float *single) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  atomicMin(&words[0], -i);
  atomicMax(&words[1], i * 3);
  atomicOr(&words[2], 1 << i % 31);
  atomicXor(&words[3], i);
  atomicSub(&words[4], 2);
  atomicAdd(wide, 1ull << 20);
  atomicAdd(single, 0.5f);
  // Adds one by comparing and swapping, as a lock would.
  int seen = words[5], assumed;
  do {
    assumed = seen;
    seen = atomicCAS(&words[5], assumed, assumed + 1);
  } while (seen != assumed);
}
