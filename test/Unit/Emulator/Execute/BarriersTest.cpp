//===- BarriersTest.cpp - Tests of barriers in memory and groups ----------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CUDAHarness.h"

#include <algorithm>

extern "C" {
cuda::Result cuLaunchCooperativeKernel(cuda::Function, unsigned, unsigned,
                                       unsigned, unsigned, unsigned, unsigned,
                                       unsigned, cuda::Stream, void **);
cuda::Result cuOccupancyMaxActiveBlocksPerMultiprocessor(int *, cuda::Function,
                                                         int, size_t);
cuda::Result cuFuncSetAttribute(cuda::Function, int, int);
cuda::Result cuOccupancyMaxPotentialBlockSize(int *, int *, cuda::Function,
                                              size_t (*)(int), size_t, int);
cuda::Result cuOccupancyAvailableDynamicSMemPerBlock(size_t *, cuda::Function,
                                                     int, int);
}

namespace {
struct BarriersFamily {
  static constexpr const char *kName = "Barriers";
};

class Barriers : public CUDATest<BarriersFamily> {
protected:
  /// Launches a kernel whose blocks run at once.
  template <typename... Arguments>
  cuda::Result launchTogether(const char *kernel, unsigned blocks,
                              unsigned threads, const Arguments &...arguments) {
    cuda::Function function;
    EXPECT_OK(cuModuleGetFunction(&function, module, kernel));
    void *pointers[] = {addressOf(arguments)...};
    return cuLaunchCooperativeKernel(function, blocks, 1, 1, threads, 1, 1, 0,
                                     nullptr, pointers);
  }

  /// Each row of `width` backwards.
  static std::vector<float> reversed(std::vector<float> values,
                                     unsigned width) {
    for (size_t row = 0; row < values.size(); row += width)
      std::reverse(values.begin() + row, values.begin() + row + width);
    return values;
  }
};
} // namespace

TEST_F(Barriers, CopiesArriveAtABarrier) {
  for (unsigned width : {1u, 32u, 100u, 256u})
    for (int rounds : {1, 5}) {
      std::vector<float> in = draw<float>(3 * rounds * width, -1, 1);
      DeviceArray<float> from(in), to(in.size());
      run("reverseRows", {3, 1, 1}, {width, 1, 1}, from, to, rounds);
      EXPECT_EQ(to.download(), reversed(in, width));
    }
}

TEST_F(Barriers, MakersAndTakers) {
  for (unsigned width : {64u, 160u}) {
    std::vector<int> in = draw<int>(9, -100, 100);
    DeviceArray<int> from(in), to(2 * (width - 32));
    run("makeAndTake", {2, 1, 1}, {width, 1, 1}, from, to, 9);
    std::vector<int> got = to.download();
    int sum = 0;
    for (int value : in)
      sum += value;
    for (size_t i = 0; i < got.size(); ++i)
      EXPECT_EQ(got[i], sum * int(i % (width - 32) + 1));
  }
}

TEST_F(Barriers, ThreadsLeave) {
  for (unsigned width : {1u, 33u, 96u}) {
    DeviceArray<int> out(2 * width);
    run("leaveOneByOne", {2, 1, 1}, {width, 1, 1}, out);
    std::vector<int> got = out.download();
    for (size_t i = 0; i < got.size(); ++i)
      EXPECT_EQ(got[i], int(i % width));
  }
}

/// Five arrivals are expected at first and four, after one has dropped out.
TEST_F(Barriers, PhasesCount) {
  DeviceArray<unsigned long long> out(5);
  run("phases", {1, 1, 1}, {1, 1, 1}, out);
  EXPECT_EQ(out.download(), (std::vector<unsigned long long>{5, 0, 2, 1, 4}));
}

TEST_F(Barriers, Pipelines) {
  for (unsigned width : {4u, 64u, 130u})
    for (int rounds : {1, 2, 7}) {
      std::vector<float> in = draw<float>(2 * rounds * width, -1, 1);
      DeviceArray<float> from(in), to(in.size());
      runWithShared("reverseInPipeline", {2, 1, 1}, {width, 1, 1}, 8 * width,
                    from, to, rounds);
      EXPECT_EQ(to.download(), reversed(in, width));
    }
}

TEST_F(Barriers, Groups) {
  for (int size : kSizes) {
    std::vector<int> in = draw<int>(size, -1000, 1000);
    unsigned blocks = cover(size, kBlock);
    DeviceArray<int> from(in), tiles(blocks * kBlock / 8), odd(2);
    run("sumGroups", {blocks, 1, 1}, {kBlock, 1, 1}, from, tiles, odd, size);
    std::vector<int> sums(blocks * kBlock / 8), counts(2);
    for (int i = 0; i < size; ++i) {
      sums[i / 8] += in[i];
      if (in[i] & 1)
        ++counts[in[i] >> 1 & 1];
    }
    EXPECT_EQ(tiles.download(), sums);
    EXPECT_EQ(odd.download(), counts);
  }
}

TEST_F(Barriers, GridsMeet) {
  for (unsigned blocks : {1u, 3u, 16u})
    for (unsigned threads : {1u, 64u, 70u}) {
      size_t size = blocks * threads;
      std::vector<int> values = draw<int>(size, -9, 9);
      DeviceArray<int> memory(values);
      ASSERT_OK(launchTogether("addAround", blocks, threads, memory, 4, 5));
      ASSERT_OK(cuCtxSynchronize()) << heteroEmulatorLastFault();
      for (int round = 0; round < 4; ++round) {
        std::vector<int> before = values;
        for (size_t i = 0; i < size; ++i)
          values[i] += before[(i + 5) % size];
      }
      EXPECT_EQ(memory.download(), values);
    }
}

/// As many blocks as there is room for, and one more.
TEST_F(Barriers, GridsThatAreTooLarge) {
  int cores, most;
  cuda::Function function;
  ASSERT_OK(cuModuleGetFunction(&function, module, "addAround"));
  ASSERT_OK(cuDeviceGetAttribute(&cores, 16, 0));
  ASSERT_OK(
      cuOccupancyMaxActiveBlocksPerMultiprocessor(&most, function, 1024, 0));
  EXPECT_EQ(most, 2);
  DeviceArray<int> memory(1024 * (cores * most + 1));
  ASSERT_OK(launchTogether("addAround", cores * most, 1024, memory, 1, 1));
  ASSERT_OK(cuCtxSynchronize()) << heteroEmulatorLastFault();
  EXPECT_EQ(launchTogether("addAround", cores * most + 1, 1024, memory, 1, 1),
            cuda::kCooperativeLaunchTooLarge);
}

TEST_F(Barriers, RoomForBlocks) {
  cuda::Function function;
  ASSERT_OK(cuModuleGetFunction(&function, module, "reverseRows"));
  int blocks, threads, minGrid, cores;
  size_t bytes;
  ASSERT_OK(cuDeviceGetAttribute(&cores, 16, 0));
  // 64 warps, 32 blocks, or 228 KiB of which each block uses 1 KiB more.
  ASSERT_OK(
      cuOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, function, 512, 0));
  EXPECT_EQ(blocks, 4);
  ASSERT_OK(
      cuOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, function, 1, 0));
  EXPECT_EQ(blocks, 32);
  // More shared memory than that has to be asked for.
  ASSERT_OK(cuOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, function, 32,
                                                        60 * 1024));
  EXPECT_EQ(blocks, 0);
  ASSERT_OK(cuFuncSetAttribute(function, cuda::kMaxDynamicSharedSizeBytes,
                               60 * 1024));
  ASSERT_OK(cuOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, function, 32,
                                                        60 * 1024));
  EXPECT_EQ(blocks, 3);
  ASSERT_OK(cuOccupancyMaxPotentialBlockSize(&minGrid, &threads, function,
                                             nullptr, 0, 0));
  EXPECT_EQ(threads, 1024);
  EXPECT_EQ(minGrid, 2 * cores);
  ASSERT_OK(cuOccupancyAvailableDynamicSMemPerBlock(&bytes, function, 2, 256));
  // Of 113 KiB, less what the kernel has.
  EXPECT_EQ(bytes, 113 * 1024 - 1032u);
}
