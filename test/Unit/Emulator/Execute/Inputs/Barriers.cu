//===- Barriers.cu - Barriers in memory, pipelines and groups -------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cooperative_groups/reduce.h>
#include <cuda/barrier>
#include <cuda/pipeline>

#define KERNEL extern "C" __global__ void

namespace cg = cooperative_groups;
using Barrier = cuda::barrier<cuda::thread_scope_block>;

// Reverses each block's part of each of `rounds` rows.
#pragma nv_diag_suppress static_var_with_dynamic_init
KERNEL reverseRows(const float *in, float *out, int rounds) {
  __shared__ Barrier barrier;
  __shared__ float row[256];
  int lane = threadIdx.x, width = blockDim.x;
  if (lane == 0)
    init(&barrier, width);
  __syncthreads();
  for (int i = 0; i < rounds; ++i) {
    int first = (blockIdx.x * rounds + i) * width;
    cuda::memcpy_async(row + lane, in + first + lane, sizeof(float), barrier);
    barrier.arrive_and_wait();
    out[first + lane] = row[width - 1 - lane];
    barrier.wait(barrier.arrive());
  }
}

// The first warp makes values, the others take them.
KERNEL makeAndTake(const int *in, int *out, int rounds) {
  __shared__ Barrier full, empty;
  __shared__ int value;
  bool makes = threadIdx.x < 32;
  if (threadIdx.x == 0) {
    init(&full, blockDim.x);
    init(&empty, blockDim.x);
  }
  __syncthreads();
  int sum = 0;
  for (int i = 0; i < rounds; ++i) {
    if (makes) {
      if (threadIdx.x == 0)
        value = in[i];
      (void)full.arrive();
      empty.arrive_and_wait();
    } else {
      full.arrive_and_wait();
      sum += value * (threadIdx.x - 31);
      (void)empty.arrive();
    }
    // Neither phase begins anew before all have seen its end.
    __syncthreads();
  }
  if (!makes)
    out[blockIdx.x * (blockDim.x - 32) + threadIdx.x - 32] = sum;
}

// Thread t leaves after round t; those that stay wait for each other only.
KERNEL leaveOneByOne(int *out) {
  __shared__ Barrier barrier;
  __shared__ int count;
  if (threadIdx.x == 0) {
    init(&barrier, blockDim.x);
    count = 0;
  }
  __syncthreads();
  for (int i = 0;; ++i) {
    if (i == threadIdx.x) {
      out[blockIdx.x * blockDim.x + i] = atomicAdd(&count, 1);
      barrier.arrive_and_drop();
      return;
    }
    barrier.arrive_and_wait();
  }
}

// The forms that C++ has no name for.
KERNEL phases(unsigned long long *out) {
  __shared__ unsigned long long object;
  unsigned address = __cvta_generic_to_shared(&object);
  unsigned long long state, second;
  unsigned pending, early, late;
  asm volatile("mbarrier.init.shared.b64 [%0], 5;" ::"r"(address));
  asm volatile("mbarrier.arrive.noComplete.shared.b64 %0, [%1], 3;"
               : "=l"(state)
               : "r"(address));
  asm volatile("mbarrier.pending_count.b64 %0, %1;"
               : "=r"(pending)
               : "l"(state));
  asm volatile("{ .reg .pred p;\n"
               "mbarrier.test_wait.parity.shared.b64 p, [%1], 0;\n"
               "selp.u32 %0, 1, 0, p; }"
               : "=r"(early)
               : "r"(address));
  out[0] = pending;
  out[1] = early;
  asm volatile("mbarrier.arrive_drop.shared.b64 %0, [%1];"
               : "=l"(second)
               : "r"(address));
  asm volatile(
      "cp.async.mbarrier.arrive.noinc.shared.b64 [%0];" ::"r"(address));
  asm volatile("{ .reg .pred p;\n"
               "mbarrier.test_wait.shared.b64 p, [%1], %2;\n"
               "selp.u32 %0, 1, 0, p; }"
               : "=r"(late)
               : "r"(address), "l"(second));
  asm volatile("mbarrier.pending_count.b64 %0, %1;"
               : "=r"(pending)
               : "l"(second));
  out[2] = pending;
  out[3] = late;
  asm volatile("mbarrier.arrive.shared.b64 %0, [%1];"
               : "=l"(state)
               : "r"(address));
  asm volatile("mbarrier.pending_count.b64 %0, %1;"
               : "=r"(pending)
               : "l"(state));
  out[4] = pending;
  asm volatile("mbarrier.inval.shared.b64 [%0];" ::"r"(address));
}

// Two rows are on their way while one is read.
KERNEL reverseInPipeline(const float *in, float *out, int rounds) {
  extern __shared__ float rows[];
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> state;
  auto block = cg::this_thread_block();
  auto pipeline = cuda::make_pipeline(block, &state);
  int lane = threadIdx.x, width = blockDim.x;
  const float *from = in + blockIdx.x * rounds * width;
  float *to = out + blockIdx.x * rounds * width;
  for (int next = 0, i = 0; i < rounds; ++i) {
    for (; next < rounds && next < i + 2; ++next) {
      pipeline.producer_acquire();
      cuda::memcpy_async(block, rows + next % 2 * width, from + next * width,
                         sizeof(float) * width, pipeline);
      pipeline.producer_commit();
    }
    pipeline.consumer_wait();
    to[i * width + lane] = rows[i % 2 * width + width - 1 - lane];
    pipeline.consumer_release();
  }
}

// Sums by tiles, by those that are in a branch, and by the rest of a block.
KERNEL sumGroups(const int *in, int *tiles, int *odd, int size) {
  auto block = cg::this_thread_block();
  auto tile = cg::tiled_partition<8>(block);
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int value = i < size ? in[i] : 0;
  int sum = cg::reduce(tile, value, cg::plus<int>());
  if (tile.thread_rank() == 0)
    tiles[i / 8] = sum;
  if (value & 1) {
    auto group = cg::coalesced_threads();
    auto same = cg::labeled_partition(group, value & 3);
    int count = cg::reduce(same, 1, cg::plus<int>());
    if (same.thread_rank() == 0)
      atomicAdd(&odd[value >> 1 & 1], count);
  }
}

// Each round adds what the thread `step` further has, around the grid.
KERNEL addAround(int *values, int rounds, int step) {
  auto grid = cg::this_grid();
  int size = grid.size(), own = grid.thread_rank();
  for (int i = 0; i < rounds; ++i) {
    int other = values[(own + step) % size];
    grid.sync();
    values[own] += other;
    grid.sync();
  }
}
