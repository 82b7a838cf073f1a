//===- ChecksTest.cpp - Tests of races, unwritten memory and limits -------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Of programs that are wrong in ways that a run may not show.
//
//===----------------------------------------------------------------------===//

#include "../PTXFaultHarness.h"

extern "C" {
cuda::Result cuMemsetD32_v2(cuda::DevicePointer, unsigned, size_t);
cuda::Result cuMemcpyDtoD_v2(cuda::DevicePointer, cuda::DevicePointer, size_t);
}

namespace {
class PTXChecks : public PTXFaultTest {
protected:
  PTXChecks() : PTXFaultTest("checks.ptx") {}

  cuda::DevicePointer allocate(size_t bytes) {
    cuda::DevicePointer pointer = 0;
    EXPECT_EQ(cuMemAlloc_v2(&pointer, bytes), cuda::kSuccess);
    return pointer;
  }
};
} // namespace

//===----------------------------------------------------------------------===//
// Shared memory
//===----------------------------------------------------------------------===//

TEST_F(PTXChecks, NoBarrierAtAll) {
  expectFault("noBarrier", 1, 64, {allocate(256)}, cuda::kLaunchFailed,
              "(0, 0, 0), thread (0, 0, 0) loads 4 bytes from shared address "
              "0x80 " +
                  lineOf("noBarrier load") + ", which nothing has written");
}

TEST_F(PTXChecks, ABarrierThatIsMissing) {
  expectFault("oneBarrier", 1, 64, {allocate(256), 2}, cuda::kLaunchFailed,
              "(0, 0, 0), thread (32, 0, 0) loads 4 bytes from shared address "
              "0x0 " +
                  lineOf("oneBarrier load") +
                  ", where thread (0, 0, 0) stores " +
                  lineOf("oneBarrier store") +
                  ", and nothing orders them; let a barrier lie between them");
}

TEST_F(PTXChecks, BarriersOrder) {
  cuda::DevicePointer out = allocate(256);
  launch("checks.ptx", "oneBarrier", 3, 64, {out, 1});
  std::vector<uint32_t> got = download(out, 64);
  for (uint32_t i = 0; i < 64; ++i)
    EXPECT_EQ(got[i], i ^ 32);
}

TEST_F(PTXChecks, BarriersOfWarpsOrder) {
  cuda::DevicePointer out = allocate(256);
  launch("checks.ptx", "neighbours", 1, 64, {out, 1});
  std::vector<uint32_t> got = download(out, 64);
  for (uint32_t i = 0; i < 64; ++i)
    EXPECT_EQ(got[i], i ^ 1);
}

/// Thread 0 reads what thread 1 would write.
TEST_F(PTXChecks, ABarrierOfTheWarpThatIsMissing) {
  expectFault("neighbours", 1, 64, {allocate(256), 0}, cuda::kLaunchFailed,
              "(0, 0, 0), thread (0, 0, 0) loads 4 bytes from shared address "
              "0x4 " +
                  lineOf("neighbours load") + ", which nothing has written");
}

TEST_F(PTXChecks, AtomicOperationsDoNotRace) {
  cuda::DevicePointer out = allocate(4);
  launch("checks.ptx", "countTogether", 1, 96, {out});
  EXPECT_EQ(download(out, 1)[0], 96u);
}

TEST_F(PTXChecks, NamedBarriersOrder) {
  cuda::DevicePointer out = allocate(4);
  launch("checks.ptx", "handOver", 2, 64, {out});
  EXPECT_EQ(download(out, 1)[0], 124u);
}

//===----------------------------------------------------------------------===//
// What nothing has written
//===----------------------------------------------------------------------===//

/// Two of four bytes are written.
TEST_F(PTXChecks, SharedMemoryThatIsNotWritten) {
  expectFault("loadShared", 1, 1, {allocate(4)}, cuda::kLaunchFailed,
              "(0, 0, 0), thread (0, 0, 0) loads 4 bytes from shared address "
              "0x4 " +
                  lineOf("loadShared") + ", which nothing has written");
}

TEST_F(PTXChecks, GlobalMemoryThatIsNotWritten) {
  cuda::DevicePointer out = upload(std::vector<uint32_t>(64));
  cuda::DevicePointer in = allocate(256);
  ASSERT_OK(cuMemsetD32_v2(in, 7, 40));
  expectFault(
      "addTo", 1, 64, {out, in}, cuda::kLaunchFailed,
      "(0, 0, 0), thread (40, 0, 0) loads 4 bytes from global address " +
          hex(in + 160) + " " + lineOf("addTo load") +
          ", which nothing has written, at offset 160 of " +
          allocation(256, in));
}

TEST_F(PTXChecks, AtomicOperationsReadToo) {
  cuda::DevicePointer in = upload(std::vector<uint32_t>(64));
  cuda::DevicePointer out = allocate(256);
  expectFault("addTo", 1, 64, {out, in}, cuda::kLaunchFailed,
              "(0, 0, 0), thread (0, 0, 0) stores 4 bytes to global address " +
                  hex(out) + " " + lineOf("addTo add") +
                  ", which nothing has written, at offset 0 of " +
                  allocation(256, out));
}

/// Kernels, fills and copies from the host write; a copy writes what was.
TEST_F(PTXChecks, CopiesOfWhatIsWritten) {
  cuda::DevicePointer a = upload(std::vector<uint32_t>(64, 3));
  cuda::DevicePointer sum = allocate(256), b = allocate(256);
  ASSERT_OK(cuMemsetD32_v2(sum, 0, 64));
  ASSERT_OK(cuMemcpyDtoD_v2(b, a, 256));
  launch("checks.ptx", "addTo", 1, 64, {sum, b});
  EXPECT_EQ(download(sum, 64), std::vector<uint32_t>(64, 3));
  ASSERT_OK(cuMemcpyDtoD_v2(b, allocate(4), 4));
  expectFault("addTo", 1, 64, {sum, b}, cuda::kLaunchFailed,
              "(0, 0, 0), thread (0, 0, 0) loads 4 bytes from global address " +
                  hex(b) + " " + lineOf("addTo load") +
                  ", which nothing has written, at offset 0 of " +
                  allocation(256, b));
}

//===----------------------------------------------------------------------===//
// Limits
//===----------------------------------------------------------------------===//

TEST_F(PTXChecks, LoopsWithoutEnd) {
  cuda::DevicePointer word = upload(std::vector<uint32_t>(1, 0));
  expectFault("waitFor", 1, 32, {word}, cuda::kLaunchFailed,
              "(0, 0, 0), thread (0, 0, 0) stops: has executed 100000 "
              "instructions, as many as it may " +
                  lineOf("waitFor"));
}

TEST_F(PTXChecks, LoopsThatEnd) {
  launch("checks.ptx", "waitFor", 200, 32,
         {upload(std::vector<uint32_t>(1, 1))});
}

//===----------------------------------------------------------------------===//
// Copies and products that threads do not wait for
//===----------------------------------------------------------------------===//

namespace {
class PTXAsyncChecks : public PTXFaultTest {
protected:
  PTXAsyncChecks() : PTXFaultTest("async.ptx") {}
};
} // namespace

TEST_F(PTXAsyncChecks, CopiesThatNobodyWaitsFor) {
  std::vector<uint32_t> values(32);
  for (uint32_t i = 0; i < 32; ++i)
    values[i] = 7 * i;
  cuda::DevicePointer in = upload(values),
                      out = upload(std::vector<uint32_t>(64));
  expectFault("loadCopied", 1, 64, {in, out, 0}, cuda::kLaunchFailed,
              "(0, 0, 0), thread (0, 0, 0) loads 4 bytes from shared address "
              "0x0 " +
                  lineOf("loadCopied load") + ", where a bulk copy stores " +
                  lineOf("loadCopied copy") +
                  ", and nothing orders them; let a barrier lie between them");
}

TEST_F(PTXAsyncChecks, BarriersOrderCopies) {
  std::vector<uint32_t> values(32);
  for (uint32_t i = 0; i < 32; ++i)
    values[i] = 7 * i;
  cuda::DevicePointer in = upload(values),
                      out = upload(std::vector<uint32_t>(64));
  launch("async.ptx", "loadCopied", 1, 64, {in, out, 1});
  std::vector<uint32_t> got = download(out, 64);
  for (uint32_t i = 0; i < 64; ++i)
    EXPECT_EQ(got[i], values[i % 32]);
}

TEST_F(PTXAsyncChecks, LinesThatCopiesMayStillRead) {
  cuda::DevicePointer out = upload(std::vector<uint32_t>(8));
  expectFault("storeTwice", 1, 1, {out, 0}, cuda::kLaunchFailed,
              "(0, 0, 0), thread (0, 0, 0) stores 16 bytes to shared address "
              "0x0 " +
                  lineOf("storeTwice store") + ", where a bulk copy loads " +
                  lineOf("storeTwice copy") +
                  ", and nothing orders them; let a barrier lie between them");
}

TEST_F(PTXAsyncChecks, GroupsOrderCopies) {
  cuda::DevicePointer out = upload(std::vector<uint32_t>(8));
  launch("async.ptx", "storeTwice", 1, 1, {out, 1});
  EXPECT_EQ(download(out, 8), (std::vector<uint32_t>{1, 1, 1, 1, 2, 2, 2, 2}));
}

TEST_F(PTXAsyncChecks, FactorsThatProductsMayStillRead) {
  expectFault("overwriteFactor", 1, 128, {0}, cuda::kLaunchFailed,
              "(0, 0, 0), thread (0, 0, 0) stores 16 bytes to shared address "
              "0x0 " +
                  lineOf("overwriteFactor store") +
                  ", where a product of a warpgroup loads " +
                  lineOf("overwriteFactor product") +
                  ", and nothing orders them; let a barrier lie between them");
}

TEST_F(PTXAsyncChecks, GroupsOrderProducts) {
  launch("async.ptx", "overwriteFactor", 1, 128, {1});
}
