//===- Warpgroups.cu - Products of matrices by warpgroups -----------------===//
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

// An operand of a product of 64 x 64 elements: boxes that a tensor map copies
// one after the other to shared memory, and where each step of the inner
// dimension begins there. WarpgroupsTest.cpp fills it in.
struct Tile {
  uint64_t descriptor; // Without the address.
  int boxes, moveX, moveY, boxBytes;
  int steps[8];
};

__device__ void load(const Tile &tile, const CUtensorMap *map, uint32_t to,
                     uint32_t barrier) {
  for (int i = 0; i < tile.boxes; ++i)
    asm volatile(
        "cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx"
        "::bytes [%0], [%1, {%2, %3}], [%4];" ::"r"(to + i * tile.boxBytes),
        "l"(map), "r"(i * tile.moveX), "r"(i * tile.moveY), "r"(barrier)
        : "memory");
}

__device__ uint64_t describe(const Tile &tile, uint32_t shared, int step) {
  return tile.descriptor | (shared + tile.steps[step]) >> 4;
}

__device__ void fence() {
  asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
}
__device__ void finish() {
  asm volatile("wgmma.commit_group.sync.aligned;\n"
               "wgmma.wait_group.sync.aligned 0;" ::
                   : "memory");
}

// Both operands are in shared memory after this.
#define LOAD_BOTH                                                              \
  extern __shared__ __align__(1024) uint8_t memory[];                          \
  __shared__ uint64_t full;                                                    \
  uint32_t sharedA = addressOf(memory);                                        \
  uint32_t sharedB = sharedA + a.boxes * a.boxBytes,                           \
           barrier = addressOf(&full);                                         \
  if (threadIdx.x == 0)                                                        \
    asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;\n"                    \
                 "fence.proxy.async.shared::cta;" ::"r"(barrier)               \
                 : "memory");                                                  \
  __syncthreads();                                                             \
  if (threadIdx.x == 0) {                                                      \
    int bytes = a.boxes * a.boxBytes + b.boxes * b.boxBytes;                   \
    asm volatile(                                                              \
        "mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(        \
            barrier),                                                          \
        "r"(bytes)                                                             \
        : "memory");                                                           \
    load(a, &mapA, sharedA, barrier);                                          \
    load(b, &mapB, sharedB, barrier);                                          \
  }                                                                            \
  asm volatile("{\n"                                                           \
               ".reg .pred done;\n"                                            \
               "again:\n"                                                      \
               "mbarrier.try_wait.parity.shared::cta.b64 done, [%0], 0;\n"     \
               "@!done bra again;\n"                                           \
               "}" ::"r"(barrier)                                              \
               : "memory");

#define FOUR(c, i) c(d[i]), c(d[i + 1]), c(d[i + 2]), c(d[i + 3])
#define SIXTEEN(c, i)                                                          \
  FOUR(c, i), FOUR(c, i + 4), FOUR(c, i + 8), FOUR(c, i + 12)
#define FLOATS SIXTEEN("+f", 0), SIXTEEN("+f", 16)
#define WORDS SIXTEEN("+r", 0), SIXTEEN("+r", 16)
#define HALVES SIXTEEN("+r", 0)
#define NAMES_16                                                               \
  "%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15"
#define NAMES_32                                                               \
  "{" NAMES_16                                                                 \
  ", %16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, "             \
  "%28, %29, %30, %31}"

// The sums of a thread, in rows of 64: registers are two neighbours in a row,
// then the same eight rows below, then eight columns on.
template <typename T> __device__ void store(T *out, const T (&d)[32]) {
  int lane = threadIdx.x % 32, row = threadIdx.x / 32 * 16 + lane / 4;
  for (int i = 0; i < 32; ++i)
    out[(row + i / 2 % 2 * 8) * 64 + i / 4 * 8 + lane % 4 * 2 + i % 2] = d[i];
}

// Products with operands of 16 bits, each of which may be by columns. Each sum
// is 1 before, which is kept or not.
#define PRODUCT_16(name, type, ordersA, ordersB)                               \
  KERNEL name(const __grid_constant__ CUtensorMap mapA,                        \
              const __grid_constant__ CUtensorMap mapB, Tile a, Tile b,        \
              int steps, int isKept, float *out) {                             \
    LOAD_BOTH                                                                  \
    float d[32];                                                               \
    for (float &sum : d)                                                       \
      sum = 1;                                                                 \
    fence();                                                                   \
    for (int i = 0; i < steps; ++i)                                            \
      asm volatile("{\n"                                                       \
                   ".reg .pred kept;\n"                                        \
                   "setp.ne.b32 kept, %34, 0;\n"                               \
                   "wgmma.mma_async.sync.aligned.m64n64k16.f32." type          \
                   " " NAMES_32 ", %32, %33, kept, 1, 1, " ordersA             \
                   ", " ordersB ";\n"                                          \
                   "}"                                                         \
                   : FLOATS                                                    \
                   : "l"(describe(a, sharedA, i)),                             \
                     "l"(describe(b, sharedB, i)), "r"(isKept + i));           \
    finish();                                                                  \
    store(out, d);                                                             \
  }
PRODUCT_16(halfRowsRows, "f16.f16", "0", "0")
PRODUCT_16(halfRowsColumns, "f16.f16", "0", "1")
PRODUCT_16(halfColumnsRows, "f16.f16", "1", "0")
PRODUCT_16(halfColumnsColumns, "f16.f16", "1", "1")
PRODUCT_16(brainRowsRows, "bf16.bf16", "0", "0")
PRODUCT_16(brainColumnsColumns, "bf16.bf16", "1", "1")

// -A * -B and A * -B.
KERNEL negatedProducts(const __grid_constant__ CUtensorMap mapA,
                       const __grid_constant__ CUtensorMap mapB, Tile a, Tile b,
                       float *out) {
  LOAD_BOTH
  float d[32] = {};
  fence();
  asm volatile("{\n"
               ".reg .pred kept;\n"
               "setp.ne.b32 kept, %34, %34;\n"
               "wgmma.mma_async.sync.aligned.m64n64k16.f32.f16.f16 " NAMES_32
               ", %32, %33, kept, -1, -1, 0, 0;\n"
               "}"
               : FLOATS
               : "l"(describe(a, sharedA, 0)), "l"(describe(b, sharedB, 0)),
                 "r"(0));
  asm volatile("wgmma.mma_async.sync.aligned.m64n64k16.f32.f16.f16 " NAMES_32
               ", %32, %33, 1, 1, -1, 0, 0;"
               : FLOATS
               : "l"(describe(a, sharedA, 1)), "l"(describe(b, sharedB, 1)));
  finish();
  store(out, d);
}

// Sums of 16 bits.
KERNEL halfSums(const __grid_constant__ CUtensorMap mapA,
                const __grid_constant__ CUtensorMap mapB, Tile a, Tile b,
                int steps, uint32_t *out) {
  LOAD_BOTH
  uint32_t d[16] = {};
  fence();
  for (int i = 0; i < steps; ++i)
    asm volatile("wgmma.mma_async.sync.aligned.m64n64k16.f16.f16.f16 {" NAMES_16
                 "}, %16, %17, 1, 1, 1, 0, 0;"
                 : HALVES
                 : "l"(describe(a, sharedA, i)), "l"(describe(b, sharedB, i)));
  finish();
  int lane = threadIdx.x % 32, row = threadIdx.x / 32 * 16 + lane / 4;
  for (int i = 0; i < 16; ++i)
    out[(row + i % 2 * 8) * 32 + i / 2 * 4 + lane % 4] = d[i];
}

// A comes from registers: pairs of a row-major matrix of 64 columns.
#define FROM_REGISTERS(name, orders)                                           \
  KERNEL name(const __grid_constant__ CUtensorMap mapA,                        \
              const __grid_constant__ CUtensorMap mapB, Tile a, Tile b,        \
              int steps, const uint32_t *in, float *out) {                     \
    LOAD_BOTH                                                                  \
    int lane = threadIdx.x % 32, row = threadIdx.x / 32 * 16 + lane / 4;       \
    float d[32] = {};                                                          \
    for (int i = 0; i < steps; ++i) {                                          \
      uint32_t x[4];                                                           \
      for (int j = 0; j < 4; ++j)                                              \
        x[j] = in[(row + j % 2 * 8) * 32 + i * 8 + j / 2 * 4 + lane % 4];      \
      fence();                                                                 \
      asm volatile(                                                            \
          "wgmma.mma_async.sync.aligned.m64n64k16.f32.f16.f16 " NAMES_32       \
          ", {%32, %33, %34, %35}, %36, 1, 1, 1, " orders ";"                  \
          : FLOATS                                                             \
          : "r"(x[0]), "r"(x[1]), "r"(x[2]), "r"(x[3]),                        \
            "l"(describe(b, sharedB, i)));                                     \
      finish();                                                                \
    }                                                                          \
    store(out, d);                                                             \
  }
FROM_REGISTERS(registersRows, "0")
FROM_REGISTERS(registersColumns, "1")

// Operands of 32 and of 8 bits are by rows.
KERNEL tensorFloats(const __grid_constant__ CUtensorMap mapA,
                    const __grid_constant__ CUtensorMap mapB, Tile a, Tile b,
                    int steps, float *out) {
  LOAD_BOTH
  float d[32] = {};
  fence();
  for (int i = 0; i < steps; ++i)
    asm volatile("wgmma.mma_async.sync.aligned.m64n64k8.f32.tf32.tf32 " NAMES_32
                 ", %32, %33, 1, 1, 1;"
                 : FLOATS
                 : "l"(describe(a, sharedA, i)), "l"(describe(b, sharedB, i)));
  finish();
  store(out, d);
}

#define BYTES(name, types)                                                     \
  KERNEL name(const __grid_constant__ CUtensorMap mapA,                        \
              const __grid_constant__ CUtensorMap mapB, Tile a, Tile b,        \
              int steps, int *out) {                                           \
    LOAD_BOTH                                                                  \
    int d[32] = {};                                                            \
    fence();                                                                   \
    for (int i = 0; i < steps; ++i)                                            \
      asm volatile("wgmma.mma_async.sync.aligned.m64n64k32." types             \
                   " " NAMES_32 ", %32, %33, 1;"                               \
                   : WORDS                                                     \
                   : "l"(describe(a, sharedA, i)),                             \
                     "l"(describe(b, sharedB, i)));                            \
    finish();                                                                  \
    store(out, d);                                                             \
  }
BYTES(signedBytes, "s32.s8.s8")
BYTES(unsignedBytes, "s32.u8.u8")
BYTES(mixedBytes, "s32.s8.u8")

#define SMALL_FLOATS(name, types)                                              \
  KERNEL name(const __grid_constant__ CUtensorMap mapA,                        \
              const __grid_constant__ CUtensorMap mapB, Tile a, Tile b,        \
              int steps, float *out) {                                         \
    LOAD_BOTH                                                                  \
    float d[32] = {};                                                          \
    fence();                                                                   \
    for (int i = 0; i < steps; ++i)                                            \
      asm volatile("wgmma.mma_async.sync.aligned.m64n64k32." types             \
                   " " NAMES_32 ", %32, %33, 1, 1, -1;"                        \
                   : FLOATS                                                    \
                   : "l"(describe(a, sharedA, i)),                             \
                     "l"(describe(b, sharedB, i)));                            \
    finish();                                                                  \
    store(out, d);                                                             \
  }
SMALL_FLOATS(fineBytes, "f32.e4m3.e4m3")
SMALL_FLOATS(wideBytes, "f32.e5m2.e5m2")
