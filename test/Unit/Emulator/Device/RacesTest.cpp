//===- RacesTest.cpp - Accesses that nothing orders -----------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../DriverHarness.h"

#include "Emulator/Device/Races.h"
#include "Emulator/Execute/Schedule.h"

#include <cstdlib>
#include <cstring>
#include <set>

namespace {
[[maybe_unused]] const int environment =
    setenv("HETERO_EMULATOR", "check=races,schedule=random,seed=7",
           /*overwrite=*/1);

/// "add" reads one word of the first array and writes one of the second, per
/// thread.
[[maybe_unused]] const bool kernels = [] {
  fake::addKernel(
      "add",
      [](ThreadContext *c) {
        uint64_t offset = 4 * (c->ctaid[0] * c->ntid[0] + c->tid[0]);
        uint32_t word =
            fake::at<uint32_t>(c, fake::param(c, 0) + offset, false);
        fake::at<uint32_t>(c, fake::param(c, 1) + offset) = word + 1;
      },
      2, false);
  return true;
}();

/// Two streams on each device, two arrays of 64 words on the first.
class RacesTest : public DriverTest {
protected:
  void SetUp() override {
    DriverTest::SetUp();
    for (int device : {1, 0}) {
      ASSERT_OK(cuCtxSetCurrent(context[device]));
      for (cuda::Stream &stream : streams[device])
        ASSERT_OK(cuStreamCreate(&stream, cuda::kStreamNonBlocking));
    }
    for (cuda::DevicePointer &array : arrays)
      ASSERT_OK(cuMemAlloc_v2(&array, kBytes));
    ASSERT_OK(cuMemHostAlloc(&host, kBytes, 0));
    add = kernel("add");
    before = heteroEmulatorRaces();
  }
  void TearDown() override {
    for (int device = 0; device < 2; ++device)
      EXPECT_OK(cuDevicePrimaryCtxReset_v2(device));
    DriverTest::TearDown();
  }

  void copyIn(int stream, cuda::DevicePointer to, size_t bytes = kBytes) {
    ASSERT_OK(cuMemcpyHtoDAsync_v2(to, host, bytes, streams[0][stream]));
  }
  void launch(int stream, uint64_t from, uint64_t to, unsigned words = 64) {
    void *params[] = {&from, &to};
    ASSERT_OK(cuLaunchKernel(add, words / 8, 1, 1, 8, 1, 1, 0,
                             streams[0][stream], params, nullptr));
  }
  /// The first stream belongs to that device.
  void order(cuda::Stream after, cuda::Stream stream, int device = 0) {
    cuda::Event event;
    ASSERT_OK(cuCtxSetCurrent(context[device]));
    ASSERT_OK(cuEventCreate(&event, 0));
    ASSERT_OK(cuEventRecord(event, after));
    ASSERT_OK(cuStreamWaitEvent(stream, event, 0));
    ASSERT_OK(cuEventDestroy_v2(event));
    ASSERT_OK(cuCtxSetCurrent(context[0]));
  }
  /// Those of the test, once all streams are done: a context with a fault
  /// answers before it waits, a reset waits.
  uint64_t races() {
    for (int device = 0; device < 2; ++device)
      EXPECT_OK(cuDevicePrimaryCtxReset_v2(device));
    return heteroEmulatorRaces() - before;
  }

  static constexpr size_t kBytes = 256;
  cuda::Stream streams[2][2];
  cuda::DevicePointer arrays[2];
  void *host;
  cuda::Function add;
  uint64_t before;
};
} // namespace

/// The kernel may read before the copy is done, although it need not.
TEST_F(RacesTest, AMissingEventIsFound) {
  copyIn(0, arrays[0]);
  launch(1, arrays[0], arrays[1]);
  EXPECT_EQ(cuCtxSynchronize(), cuda::kLaunchFailed);
  EXPECT_EQ(races(), 1u);
  std::string text = heteroEmulatorLastFault();
  for (const char *part :
       {"race: ", "kernel add (stream ", "a copy (stream ", " of gpu:0)",
        "256 bytes at offset 0 of the allocation of 256 bytes at 0x",
        "nothing orders them"})
    EXPECT_NE(text.find(part), std::string::npos) << text;
}

TEST_F(RacesTest, EventsOrder) {
  copyIn(0, arrays[0]);
  order(streams[0][0], streams[0][1]);
  launch(1, arrays[0], arrays[1]);
  EXPECT_OK(cuCtxSynchronize());
  EXPECT_EQ(races(), 0u);
}

/// An event orders what was there when it was recorded.
TEST_F(RacesTest, AnEventThatComesTooEarly) {
  order(streams[0][0], streams[0][1]);
  copyIn(0, arrays[0]);
  launch(1, arrays[0], arrays[1]);
  EXPECT_EQ(cuCtxSynchronize(), cuda::kLaunchFailed);
  EXPECT_EQ(races(), 1u);
}

TEST_F(RacesTest, TheHostOrders) {
  copyIn(0, arrays[0]);
  ASSERT_OK(cuStreamSynchronize(streams[0][0]));
  launch(1, arrays[0], arrays[1]);
  EXPECT_OK(cuCtxSynchronize());
  EXPECT_EQ(races(), 0u);
}

TEST_F(RacesTest, OrderGoesThroughOtherStreams) {
  copyIn(0, arrays[0]);
  order(streams[0][0], streams[1][0]);
  order(streams[1][0], streams[0][1], /*device=*/1);
  launch(1, arrays[0], arrays[1]);
  EXPECT_OK(cuCtxSynchronize());
  EXPECT_EQ(races(), 0u);
}

/// Readers need no order, and neither do writers of different parts of one
/// allocation.
TEST_F(RacesTest, OnlyConflictsCount) {
  copyIn(0, arrays[0]);
  ASSERT_OK(cuCtxSynchronize());
  launch(0, arrays[0], arrays[1], 32);
  launch(1, arrays[0], arrays[1] + 128, 32);
  EXPECT_OK(cuCtxSynchronize());
  EXPECT_EQ(heteroEmulatorRaces(), before);
  launch(0, arrays[0], arrays[1], 40);
  launch(1, arrays[0], arrays[1] + 128, 32);
  EXPECT_EQ(cuCtxSynchronize(), cuda::kLaunchFailed);
  EXPECT_EQ(races(), 1u);
  std::string text = heteroEmulatorLastFault();
  EXPECT_NE(text.find("32 bytes at offset 128"), std::string::npos) << text;
}

/// A copy between devices works on both.
TEST_F(RacesTest, CopiesBetweenDevices) {
  cuda::DevicePointer there;
  ASSERT_OK(cuCtxSetCurrent(context[1]));
  ASSERT_OK(cuMemAlloc_v2(&there, kBytes));
  ASSERT_OK(cuMemcpyPeerAsync(there, context[1], arrays[0], context[0], kBytes,
                              streams[1][0]));
  launch(0, arrays[1], arrays[0]);
  EXPECT_EQ(races(), 1u);
}

/// Pinned memory of the host that two streams use.
TEST_F(RacesTest, PinnedMemory) {
  copyIn(0, arrays[0]);
  ASSERT_OK(cuMemcpyDtoHAsync_v2(host, arrays[1], kBytes, streams[0][1]));
  EXPECT_EQ(cuCtxSynchronize(), cuda::kLaunchFailed);
  EXPECT_EQ(races(), 1u);
}

/// Memory that goes back in another stream than the one that uses it, and
/// memory that the host frees while the other device reads it.
TEST_F(RacesTest, Frees) {
  cuda::DevicePointer there;
  ASSERT_OK(cuMemFreeAsync(arrays[1], streams[0][0]));
  launch(1, arrays[0], arrays[0]);
  EXPECT_OK(cuCtxSynchronize());
  ASSERT_OK(cuCtxSetCurrent(context[1]));
  ASSERT_OK(cuMemAlloc_v2(&there, kBytes));
  ASSERT_OK(cuMemcpyPeerAsync(there, context[1], arrays[0], context[0], kBytes,
                              streams[1][0]));
  cuMemFree_v2(arrays[0]);
  EXPECT_EQ(races(), 1u);
  std::string text = heteroEmulatorLastFault();
  EXPECT_NE(text.find("race: the host frees 256 bytes"), std::string::npos)
      << text;
}

/// Pauses and the order of blocks change no result.
TEST_F(RacesTest, RandomSchedulesAreLegal) {
  std::vector<uint32_t> words(64), out(64);
  for (uint32_t i = 0; i < 64; ++i)
    words[i] = i;
  for (int round = 0; round < 10; ++round) {
    std::memcpy(host, words.data(), kBytes);
    copyIn(0, arrays[0]);
    order(streams[0][0], streams[0][1]);
    for (int i = 0; i < 3; ++i)
      launch(1, arrays[0], arrays[0]);
    order(streams[0][1], streams[0][0]);
    launch(0, arrays[0], arrays[1]);
    ASSERT_OK(
        cuMemcpyDtoHAsync_v2(out.data(), arrays[1], kBytes, streams[0][0]));
    for (uint32_t i = 0; i < 64; ++i)
      ASSERT_EQ(out[i], i + 4);
  }
  EXPECT_EQ(races(), 0u);
}

TEST(Schedule, EveryBlockRunsOnce) {
  setRandomSchedule(true, 11);
  for (uint64_t count : {1, 2, 3, 7, 12, 64, 100, 360}) {
    BlockOrder order = orderOfBlocks(5, count);
    std::set<uint64_t> blocks;
    for (uint64_t i = 0; i < count; ++i)
      blocks.insert(order(i, count));
    EXPECT_EQ(blocks.size(), count);
    EXPECT_LT(*blocks.rbegin(), count);
  }
  setRandomSchedule(false, 0);
  EXPECT_EQ(orderOfBlocks(5, 100)(7, 100), 7u);
}

/// Neighbours become one span, whatever the order in which they come.
TEST(AccessRecorder, MergesNeighbours) {
  AccessRecorder recorder;
  std::vector<Span> reads, writes;
  for (uint64_t i = 0; i < 20000; ++i)
    recorder.add(3, 4 * (i * 7 % 20000), 4, /*isWrite=*/false);
  recorder.add(3, 800, 8, /*isWrite=*/true);
  recorder.add(4, 900, 8, /*isWrite=*/true);
  recorder.moveTo(reads, writes);
  ASSERT_EQ(reads.size(), 1u);
  EXPECT_EQ(reads[0].begin, 0u);
  EXPECT_EQ(reads[0].end, 80000u);
  ASSERT_EQ(writes.size(), 2u);
  EXPECT_EQ(writes[1].begin, 900u);
}
