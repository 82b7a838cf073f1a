//===- AsyncTest.cpp - Tests of wrong copies and products -----------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../../PTXFaultHarness.h"

namespace {
class PTXAsync : public PTXFaultTest {
protected:
  PTXAsync() : PTXFaultTest("async.ptx") {}

  /// A context fails for good: another fault needs another one, with `values`
  /// in its memory.
  template <typename T>
  cuda::DevicePointer uploadAnew(const std::vector<T> &values) {
    TearDown();
    SetUp();
    return upload(values);
  }
};
} // namespace

//===----------------------------------------------------------------------===//
// Bulk copies
//===----------------------------------------------------------------------===//

TEST_F(PTXAsync, BytesComplete) {
  cuda::DevicePointer out = upload(std::vector<uint32_t>(4));
  launch("async.ptx", "countBytes", 1, 1, {out});
  EXPECT_EQ(download(out, 4), (std::vector<uint32_t>{0, 1, 1, 0}));
}

TEST_F(PTXAsync, MisalignedLines) {
  auto expectMisaligned = [&](uint64_t from, uint64_t to, uint64_t bytes,
                              const char *what, uint64_t value) {
    cuda::DevicePointer memory = uploadAnew(std::vector<uint32_t>(128));
    uint64_t shown = value ? value : memory + from;
    expectFault("copyLine", 1, 1, {memory + from, to, bytes, 1},
                cuda::kMisalignedAddress,
                "(0, 0, 0), thread (0, 0, 0) gives an asynchronous operation "
                "the " +
                    (what + (" " + hex(shown))) + " " + lineOf("copyLine") +
                    ", which is not a multiple of 16");
  };
  expectMisaligned(8, 0, 32, "global address", 0);
  expectMisaligned(0, 4, 32, "shared address", 4);
  expectMisaligned(0, 0, 24, "size", 24);
}

TEST_F(PTXAsync, LinesBeyondMemory) {
  cuda::DevicePointer memory = upload(std::vector<uint32_t>(128));
  expectFault("copyLine", 1, 1, {memory, 240, 32, 1}, cuda::kIllegalAddress,
              "(0, 0, 0), thread (0, 0, 0) stores 32 bytes to shared address "
              "0xf0 " +
                  lineOf("copyLine") + ", where there are 264 bytes");
  memory = uploadAnew(std::vector<uint32_t>(128));
  expectFault("copyLine", 1, 1, {memory + 480, 0, 64, 1}, cuda::kIllegalAddress,
              "(0, 0, 0), thread (0, 0, 0) loads 64 bytes from global "
              "address " +
                  hex(memory + 480) + " " + lineOf("copyLine") +
                  ", crosses the end of " + allocation(512, memory));
}

TEST_F(PTXAsync, BarriersOfCopies) {
  cuda::DevicePointer memory = upload(std::vector<uint32_t>(128));
  expectFault("copyLine", 1, 1, {memory, 0, 32, 0}, cuda::kLaunchFailed,
              "(0, 0, 0), thread (0, 0, 0) uses an mbarrier that was not "
              "initialized " +
                  lineOf("copyLine"));
  memory = uploadAnew(std::vector<uint32_t>(128));
  expectFault("copyLine", 1, 1, {memory, 0, 1 << 20, 1}, cuda::kLaunchFailed,
              "(0, 0, 0), thread (0, 0, 0) makes the transaction count of an "
              "mbarrier 1048576, beyond 1048575 " +
                  lineOf("expect"));
}

//===----------------------------------------------------------------------===//
// Boxes
//===----------------------------------------------------------------------===//

extern "C" cuda::Result
cuTensorMapEncodeTiled(void *, int, uint32_t, void *, const uint64_t *,
                       const uint64_t *, const uint32_t *, const uint32_t *,
                       int, int, int, int);

TEST_F(PTXAsync, NoTensorMap) {
  cuda::DevicePointer map = upload(std::vector<uint64_t>(17));
  expectFault("copyBox", 1, 1, {map, 0}, cuda::kLaunchFailed,
              "(0, 0, 0), thread (0, 0, 0) uses a tensor map that "
              "cuTensorMapEncodeTiled has not made " +
                  lineOf("copyBox"));
  map = uploadAnew(std::vector<uint64_t>(17));
  expectFault("copyBox", 1, 1, {map + 8, 0}, cuda::kMisalignedAddress,
              "(0, 0, 0), thread (0, 0, 0) gives an asynchronous operation the "
              "tensor map's address " +
                  hex(map + 8) + " " + lineOf("copyBox") +
                  ", which is not a multiple of 64");
}

/// A map of more dimensions, and one of memory that is too small.
TEST_F(PTXAsync, WrongTensorMaps) {
  cuda::DevicePointer memory = 0;
  alignas(64) uint64_t map[16];
  uint64_t sizes[] = {8, 16, 2}, strides[] = {32, 512};
  uint32_t box[] = {8, 4, 1}, steps[] = {1, 1, 1};
  auto encode = [&](uint32_t rank) {
    memory = uploadAnew(std::vector<float>(64));
    EXPECT_EQ(cuTensorMapEncodeTiled(map, 7, rank,
                                     reinterpret_cast<void *>(memory), sizes,
                                     strides, box, steps, 0, 0, 0, 0),
              cuda::kSuccess);
    return upload(std::vector<uint64_t>(map, map + 16));
  };
  expectFault("copyBox", 1, 1, {encode(3), 0}, cuda::kLaunchFailed,
              "(0, 0, 0), thread (0, 0, 0) copies a box whose dimensions are "
              "not as many as those of its tensor map " +
                  lineOf("copyBox"));
  cuda::DevicePointer small = encode(2);
  expectFault("copyBox", 1, 1, {small, 7}, cuda::kIllegalAddress,
              "(0, 0, 0), thread (0, 0, 0) loads 4 bytes from global address " +
                  hex(memory + 8 * 32 + 28) + " " + lineOf("copyBox") +
                  ", 28 bytes after the end of " + allocation(256, memory));
}

//===----------------------------------------------------------------------===//
// Products
//===----------------------------------------------------------------------===//

TEST_F(PTXAsync, ProductsAreAdded) {
  cuda::DevicePointer out = upload(std::vector<float>(512));
  launch("async.ptx", "product", 1, 128, {out, 0, 0});
  EXPECT_EQ(download<float>(out, 512), std::vector<float>(512, 1));
}

TEST_F(PTXAsync, PartOfAWarpgroup) {
  expectFault("product", 1, 96, {upload(std::vector<float>(512)), 0, 0},
              cuda::kLaunchFailed,
              "(0, 0, 0), thread (0, 0, 0) takes part in an operation of a "
              "warpgroup, but its block has not all of its 4 warps " +
                  lineOf("product"));
}

TEST_F(PTXAsync, Descriptors) {
  auto expectRefused = [&](uint64_t descriptor, uint64_t more,
                           const char *what) {
    cuda::DevicePointer out = uploadAnew(std::vector<float>(512));
    expectFault("product", 1, 128, {out, descriptor, more}, cuda::kLaunchFailed,
                "(0, 0, 0), thread (0, 0, 0) " + std::string(what) + " " +
                    lineOf("product"));
  };
  expectRefused(0, 16,
                "brings other descriptors to a product than the rest of "
                "its warp");
  expectRefused(uint64_t(3) << 49 | uint64_t(1) << 62, 0,
                "multiplies a matrix with a base offset, which the emulator "
                "does not support");
  expectRefused(uint64_t(1) << 62 | 8, 0,
                "multiplies a matrix that begins within the pattern of its "
                "swizzle; let it begin at a multiple of eight rows");
  cuda::DevicePointer out = uploadAnew(std::vector<float>(512));
  expectFault("product", 1, 128, {out, 0x3fff, 0}, cuda::kIllegalAddress,
              "(0, 0, 0), thread (0, 0, 0) loads 16 bytes from shared address "
              "0x3fff0 " +
                  lineOf("product") + ", where there are 8192 bytes");
}
