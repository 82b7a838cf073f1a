//===- TensorCopies.cu - Bulk copies and boxes of tensors -----------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include <cstdint>
#include <cuda.h>

#define KERNEL extern "C" __global__ void

__device__ uint32_t addressOf(const void *shared) {
  return static_cast<uint32_t>(__cvta_generic_to_shared(shared));
}

__device__ void initialize(uint64_t *barrier, int arrivals) {
  asm volatile(
      "mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(addressOf(barrier)),
      "r"(arrivals)
      : "memory");
  asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
}

__device__ void expect(uint64_t *barrier, uint32_t bytes) {
  asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(
                   addressOf(barrier)),
               "r"(bytes)
               : "memory");
}

__device__ void wait(uint64_t *barrier, uint32_t parity) {
  asm volatile("{\n"
               ".reg .pred done;\n"
               "again:\n"
               "mbarrier.try_wait.parity.shared::cta.b64 done, [%0], %1;\n"
               "@done bra end;\n"
               "bra again;\n"
               "end:\n"
               "}" ::"r"(addressOf(barrier)),
               "r"(parity)
               : "memory");
}

// Each block doubles `rounds` lines of `count` numbers, in two stages.
KERNEL doubleLines(const float *in, float *out, int count, int rounds) {
  extern __shared__ __align__(128) float lines[];
  __shared__ uint64_t full[2];
  uint32_t bytes = count * sizeof(float);
  size_t first = size_t(blockIdx.x) * rounds * count;
  if (threadIdx.x == 0)
    for (int i = 0; i < 2; ++i)
      initialize(&full[i], 1);
  __syncthreads();
  auto load = [&](int round) {
    expect(&full[round % 2], bytes);
    asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx"
                 "::bytes [%0], [%1], %2, [%3];" ::"r"(
                     addressOf(lines + round % 2 * count)),
                 "l"(in + first + round * count), "r"(bytes),
                 "r"(addressOf(&full[round % 2]))
                 : "memory");
  };
  if (threadIdx.x == 0)
    load(0);
  for (int round = 0; round < rounds; ++round) {
    float *line = lines + round % 2 * count;
    wait(&full[round % 2], round / 2 % 2);
    for (int i = threadIdx.x; i < count; i += blockDim.x)
      line[i] *= 2;
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    __syncthreads();
    if (threadIdx.x != 0)
      continue;
    asm volatile(
        "cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;\n"
        "cp.async.bulk.commit_group;" ::"l"(out + first + round * count),
        "r"(addressOf(line)), "r"(bytes)
        : "memory");
    // The line of the next round has been read.
    asm volatile("cp.async.bulk.wait_group.read 1;" ::: "memory");
    if (round + 1 < rounds)
      load(round + 1);
  }
  if (threadIdx.x == 0)
    asm volatile("cp.async.bulk.wait_group 0;" ::: "memory");
}

struct Coordinates {
  int at[5];
};

#define BOX_1 "{%3}"
#define BOX_2 "{%3, %4}"
#define BOX_3 "{%3, %4, %5}"
#define BOX_4 "{%3, %4, %5, %6}"
#define BOX_5 "{%3, %4, %5, %6, %7}"

// Copies a box from a tensor, and what then is in shared memory to `out`; and
// the other way. All bytes of shared memory are 0xee before.
#define COPIES(rank)                                                           \
  KERNEL loadBox##rank(const __grid_constant__ CUtensorMap map,                \
                       Coordinates from, uint8_t *out, int bytes, int boxed) { \
    extern __shared__ __align__(1024) uint8_t box[];                           \
    __shared__ uint64_t full;                                                  \
    for (int i = threadIdx.x; i < bytes; i += blockDim.x)                      \
      box[i] = 0xee;                                                           \
    asm volatile("fence.proxy.async;" ::: "memory");                           \
    if (threadIdx.x == 0)                                                      \
      initialize(&full, 1);                                                    \
    __syncthreads();                                                           \
    if (threadIdx.x == 0) {                                                    \
      asm volatile("prefetch.tensormap [%0];" ::"l"(&map));                    \
      expect(&full, boxed);                                                    \
      asm volatile(                                                            \
          "cp.async.bulk.tensor." #rank                                        \
          "d.shared::cluster.global.tile.mbarrier::complete_tx"                \
          "::bytes [%0], [%1, " BOX_##rank "], [%2];" ::"r"(addressOf(box)),   \
          "l"(&map), "r"(addressOf(&full)), "r"(from.at[0]), "r"(from.at[1]),  \
          "r"(from.at[2]), "r"(from.at[3]), "r"(from.at[4])                    \
          : "memory");                                                         \
    }                                                                          \
    wait(&full, 0);                                                            \
    for (int i = threadIdx.x; i < bytes; i += blockDim.x)                      \
      out[i] = box[i];                                                         \
  }                                                                            \
  KERNEL storeBox##rank(const __grid_constant__ CUtensorMap map,               \
                        Coordinates to, const uint8_t *in, int bytes) {        \
    extern __shared__ __align__(1024) uint8_t box[];                           \
    for (int i = threadIdx.x; i < bytes; i += blockDim.x)                      \
      box[i] = in[i];                                                          \
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");               \
    __syncthreads();                                                           \
    if (threadIdx.x == 0)                                                      \
      asm volatile("cp.async.bulk.tensor." #rank                               \
                   "d.global.shared::cta.tile.bulk_group [%1, " BOX_##rank     \
                   "], [%0];\n"                                                \
                   "cp.async.bulk.commit_group;\n"                             \
                   "cp.async.bulk.wait_group 0; // %2" ::"r"(addressOf(box)),  \
                   "l"(&map), "r"(0), "r"(to.at[0]), "r"(to.at[1]),            \
                   "r"(to.at[2]), "r"(to.at[3]), "r"(to.at[4])                 \
                   : "memory");                                                \
  }
COPIES(1)
COPIES(2)
COPIES(3)
COPIES(4)
COPIES(5)

struct Replaced {
  uint64_t address, stride;
  unsigned sizes[2], box[2], steps[2];
  int at[2];
};

#define REPLACE(field, value, constraint)                                      \
  asm volatile("tensormap.replace.tile." field ", %1;" ::PLACE,                \
               constraint(value)                                               \
               : "memory")
#define CHOOSE(field, value)                                                   \
  asm volatile("tensormap.replace.tile." field ", " value ";" ::PLACE          \
               : "memory")

#define REPLACE_ALL(space)                                                     \
  REPLACE("global_address" space ".b1024.b64 [%0]", map.address, "l");         \
  REPLACE("rank" space ".b1024.b32 [%0]", 1, "r");                             \
  REPLACE("box_dim" space ".b1024.b32 [%0], 0", map.box[0], "r");              \
  REPLACE("box_dim" space ".b1024.b32 [%0], 1", map.box[1], "r");              \
  REPLACE("global_dim" space ".b1024.b32 [%0], 0", map.sizes[0], "r");         \
  REPLACE("global_dim" space ".b1024.b32 [%0], 1", map.sizes[1], "r");         \
  REPLACE("global_stride" space ".b1024.b64 [%0], 0", map.stride, "l");        \
  REPLACE("element_stride" space ".b1024.b32 [%0], 0", map.steps[0], "r");     \
  REPLACE("element_stride" space ".b1024.b32 [%0], 1", map.steps[1], "r");     \
  CHOOSE("elemtype" space ".b1024.b32 [%0]", "0x6");                           \
  CHOOSE("interleave_layout" space ".b1024.b32 [%0]", "0x0");                  \
  CHOOSE("swizzle_mode" space ".b1024.b32 [%0]", "0x1");                       \
  CHOOSE("fill_mode" space ".b1024.b32 [%0]", "0x1")

// Loads a box with a map that lies in global memory, as half words.
__device__ void loadBy(const uint8_t *map, const int *at, uint16_t *out) {
  __shared__ __align__(128) uint16_t box[64];
  __shared__ uint64_t full;
  if (threadIdx.x == 0) {
    initialize(&full, 1);
    asm volatile(
        "fence.proxy.tensormap::generic.acquire.gpu [%0], 128;" ::"l"(map)
        : "memory");
    expect(&full, sizeof box);
    asm volatile(
        "cp.async.bulk.tensor.2d.shared::cluster.global.tile"
        ".mbarrier::complete_tx::bytes [%0], [%1, {%3, %4}], [%2];" ::"r"(
            addressOf(box)),
        "l"(map), "r"(addressOf(&full)), "r"(at[0]), "r"(at[1])
        : "memory");
  }
  __syncthreads();
  wait(&full, 0);
  for (int i = threadIdx.x; i < 64; i += blockDim.x)
    out[i] = box[i];
}

// Copies the map to global memory as Triton does, with the whole warp.
__device__ void publish(uint8_t *to, const uint8_t *from) {
  asm volatile(
      "tensormap.cp_fenceproxy.global.shared::cta"
      ".tensormap::generic.release.gpu.sync.aligned [%0], [%1], 128;" ::"l"(to),
      "r"(addressOf(from))
      : "memory");
}

KERNEL loadReplaced(const Replaced map, uint8_t *maps, uint16_t *out) {
  __shared__ __align__(128) uint8_t made[128];
  for (int i = threadIdx.x; i < 128; i += blockDim.x)
    made[i] = 0;
  __syncwarp();
#define PLACE "r"(addressOf(made))
  if (threadIdx.x == 0) {
    REPLACE_ALL(".shared::cta");
  }
#undef PLACE
  __syncwarp();
  publish(maps + 128, made);
  loadBy(maps + 128, map.at, out);
}

KERNEL loadReplacedGeneric(const Replaced map, uint8_t *maps, uint16_t *out) {
  __shared__ __align__(128) uint8_t made[128];
  for (int i = threadIdx.x; i < 128; i += blockDim.x)
    made[i] = 0;
  __syncwarp();
#define PLACE "l"(made)
  if (threadIdx.x == 0) {
    REPLACE_ALL("");
  }
#undef PLACE
  __syncwarp();
  publish(maps, made);
  loadBy(maps, map.at, out);
}

KERNEL loadReplacedInGlobal(const Replaced map, uint8_t *maps, uint16_t *out) {
#define PLACE "l"(maps)
  if (threadIdx.x == 0) {
    REPLACE_ALL(".global");
  }
#undef PLACE
  __syncwarp();
  loadBy(maps, map.at, out);
}
