//===- Groups.cu - Cooperative groups and special registers ---------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>

namespace cg = cooperative_groups;

#define KERNEL extern "C" __global__ void

#define READ(result, name) asm volatile("mov.u32 %0, %" name ";" : "=r"(result))

// What the registers say of a block's shared memory: of 40 bytes and what the
// launch adds.
KERNEL sharedSizes(unsigned *out) {
  __shared__ int own[10];
  extern __shared__ int dynamic[];
  own[threadIdx.x % 10] = threadIdx.x;
  READ(out[0], "%dynamic_smem_size");
  READ(out[1], "%total_smem_size");
  unsigned begin, end, size;
  READ(begin, "%reserved_smem_offset_begin");
  READ(end, "%reserved_smem_offset_end");
  READ(size, "%reserved_smem_offset_cap");
  out[2] = end - begin == size;
  out[3] = begin >= out[1];
  out[4] = (char *)dynamic - (char *)own;
  unsigned first, second;
  READ(first, "%reserved_smem_offset_0");
  READ(second, "%reserved_smem_offset_1");
  out[5] = first >= begin && second > first && second < end;
  *(int *)__cvta_shared_to_generic(second) = 7;
  out[6] = *(int *)__cvta_shared_to_generic(second) + own[0];
}

// Registers of profilers and drivers, which say nothing.
KERNEL emptyRegisters(unsigned *out) {
  READ(out[0], "%pm0");
  READ(out[1], "%pm7");
  READ(out[2], "%envreg0");
  READ(out[3], "%envreg31");
  READ(out[4], "%tid.w");
  asm volatile("{.reg .u64 %%w;\n mov.u64 %%w, %%pm3_64;\n"
               "cvt.u32.u64 %0, %%w;}"
               : "=r"(out[5]));
}

// Tiles of two warps meet in memory that the library takes from the block.
KERNEL tilesOfWarps(const int *in, int *out) {
  __shared__ cg::block_tile_memory<128> memory;
  auto block = cg::this_thread_block(memory);
  auto tile = cg::tiled_partition<64>(block);
  int value = in[block.thread_rank()];
  tile.sync();
  int sum = cg::reduce(tile, value, cg::plus<int>());
  int first = tile.shfl(value, 0), any = tile.any(value == 5);
  out[block.thread_rank()] = sum * 4 + any * 2 + (first > value);
}

// Tiles of a warp, each of which sums, finds, votes and scans.
KERNEL tiles(const int *in, int *out) {
  auto block = cg::this_thread_block();
  auto tile = cg::tiled_partition<8>(cg::tiled_partition<32>(block));
  int i = block.thread_rank(), value = in[i];
  int *to = out + 6 * i;
  to[0] = cg::reduce(tile, value, cg::plus<int>());
  to[1] = cg::reduce(tile, value, cg::greater<int>());
  to[2] = tile.shfl_down(value, 3) + tile.ballot(value > 0);
  to[3] = cg::inclusive_scan(tile, value);
  to[4] = cg::exclusive_scan(tile, value, cg::bit_xor<int>());
  to[5] = tile.meta_group_rank() * 100 + tile.thread_rank();
}

// Threads of a warp in groups of those with the same label or answer.
KERNEL partitions(const int *in, int *out) {
  auto warp = cg::tiled_partition<32>(cg::this_thread_block());
  int i = threadIdx.x, value = in[i];
  auto labelled = cg::labeled_partition(warp, value & 3);
  auto odd = cg::binary_partition(warp, value % 2 != 0);
  out[3 * i] = cg::reduce(labelled, value, cg::plus<int>());
  out[3 * i + 1] = labelled.thread_rank() * 100 + odd.size();
  out[3 * i + 2] = odd.shfl(value, 0);
}

// Each group of threads that are there counts for all of them with one atomic
// operation, however many groups they are.
KERNEL countTogether(const int *in, int *count, int *places) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (in[i] <= 0)
    return;
  auto there = cg::coalesced_threads();
  int first = 0;
  if (there.thread_rank() == 0)
    first = atomicAdd(count, (int)there.num_threads());
  places[i] = there.shfl(first, 0) + there.thread_rank();
}
