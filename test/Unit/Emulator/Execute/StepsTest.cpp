//===- StepsTest.cpp - Warps whose threads keep step ----------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CUDAHarness.h"

#include <algorithm>
#include <chrono>
#include <numeric>

namespace {
struct StepsFamily {
  static constexpr const char *kName = "Steps";
};
class Steps : public CUDATest<StepsFamily> {
protected:
  /// Sums of each warp's values up to each.
  static std::vector<int> scan(const std::vector<int> &in) {
    std::vector<int> out(in.size());
    for (size_t first = 0; first < in.size(); first += 32)
      std::partial_sum(in.begin() + first, in.begin() + first + 32,
                       out.begin() + first);
    return out;
  }
};
} // namespace

TEST_F(Steps, VolatileSums) {
  for (unsigned threads : {64u, 128u, 512u}) {
    constexpr unsigned kBlocks = 5;
    std::vector<int> numbers = draw(kBlocks * threads, -9, 9);
    std::vector<float> in(numbers.begin(), numbers.end()), expected;
    for (unsigned i = 0; i < kBlocks; ++i)
      expected.push_back(std::accumulate(in.begin() + i * threads,
                                         in.begin() + (i + 1) * threads, 0.0f));
    DeviceArray<float> from(in), to(kBlocks);
    runWithShared("sumVolatile", {kBlocks, 1, 1}, {threads, 1, 1}, 4 * threads,
                  from, to);
    EXPECT_EQ(to.download(), expected);
  }
}

TEST_F(Steps, ScansWhoseThreadsPart) {
  std::vector<int> in = draw(256, -99, 99);
  DeviceArray<int> from(in), to(256);
  run("scanVolatile", {1, 1, 1}, {256, 1, 1}, from, to);
  EXPECT_EQ(to.download(), scan(in));
  run("scanGlobal", {1, 1, 1}, {256, 1, 1}, from);
  EXPECT_EQ(from.download(), scan(in));
}

TEST_F(Steps, PlainSharedMemory) {
  constexpr int kRounds = 9;
  std::vector<int> values = draw(256, -99, 99);
  DeviceArray<int> array(values);
  run("swapPlain", {1, 1, 1}, {256, 1, 1}, array, kRounds);
  for (int i = 0; i < kRounds; ++i) {
    std::vector<int> before = values;
    for (size_t j = 0; j < values.size(); ++j)
      values[j] = 3 * before[j ^ 1] + i;
  }
  EXPECT_EQ(array.download(), values);
}

TEST_F(Steps, StoresToOnePlace) {
  DeviceArray<int> from(draw(32, 0, 9)), to(32);
  run("storeAndLoad", {1, 1, 1}, {32, 1, 1}, from, to);
  std::vector<int> got = to.download();
  EXPECT_EQ(got, std::vector<int>(32, got[0]));
  EXPECT_EQ(got[0] % 100 % 3, 0);
  std::vector<int> in = from.download();
  EXPECT_NE(std::find(in.begin(), in.end(), got[0] / 100), in.end());
}

TEST_F(Steps, MeetAfterALoop) {
  std::vector<int> counts = draw(32, 0, 200), expected(32);
  for (int i = 0; i < 32; ++i)
    for (int other : {(i + 1) % 32, (i + 31) % 32})
      expected[i] += counts[other] * (counts[other] - 1) / 2;
  DeviceArray<int> from(counts), to(32);
  run("loopAndMeet", {1, 1, 1}, {32, 1, 1}, from, to);
  EXPECT_EQ(to.download(), expected);
}

/// As threads may do since they have program counters of their own.
TEST_F(Steps, ThreadsOfAWarpMayWaitForEachOther) {
  std::vector<int> expected(32);
  for (int i = 0; i < 32; ++i)
    expected[i] = 10 * i;
  DeviceArray<int> out(32);
  run("waitWithinWarp", {1, 1, 1}, {32, 1, 1}, out);
  EXPECT_EQ(out.download(), expected);
}

TEST_F(Steps, LocksAndFunctions) {
  std::vector<int> in = draw(64, -99, 99);
  DeviceArray<int> from(in), to(1);
  for (const char *kernel : {"addUnderLock", "sumInFunction"}) {
    run(kernel, {1, 1, 1}, {64, 1, 1}, from, to);
    EXPECT_EQ(to.download()[0], std::accumulate(in.begin(), in.end(), 0))
        << kernel;
  }
}

TEST_F(Steps, WarpsMayWaitForEachOther) {
  DeviceArray<int> flags(std::vector<int>{5, 0, 0, 0, 0}), out(4);
  run("passOn", {1, 1, 1}, {128, 1, 1}, flags, out);
  EXPECT_EQ(out.download(), (std::vector<int>{5, 6, 7, 8}));
}

TEST_F(Steps, ActiveMasks) {
  constexpr unsigned kAll = ~0u, kFourth = 0x11111111;
  std::vector<unsigned> expected(128);
  for (unsigned lane = 0; lane < 32; ++lane) {
    expected[lane] = expected[96 + lane] = kAll;
    expected[32 + lane] = lane % 4 == 0 ? kFourth
                          : lane < 10   ? ~(0x3ffu & ~kFourth)
                                        : 0;
    if (unsigned loops = lane / 8)
      expected[64 + lane] = kAll << 8 * loops;
  }
  DeviceArray<unsigned> out(128);
  run("activeMasks", {1, 1, 1}, {32, 1, 1}, out);
  EXPECT_EQ(out.download(), expected);
}

TEST_F(Steps, LeadersOfActiveMasks) {
  for (int modulus : {1, 2, 3, 7}) {
    DeviceArray<int> counter(1), places(std::vector<int>(96, -1));
    run("countTogether", {1, 1, 1}, {96, 1, 1}, counter, places, modulus);
    std::vector<int> got = places.download(), expected;
    std::vector<int> seen;
    for (int i = 0; i < 96; i += modulus) {
      seen.push_back(got[i]);
      expected.push_back(i / modulus);
    }
    std::sort(seen.begin(), seen.end());
    EXPECT_EQ(seen, expected);
    EXPECT_EQ(counter.download()[0], int(expected.size()));
  }
}

TEST_F(Steps, SleepTakesTime) {
  constexpr int kTimes = 5;
  constexpr long long kLeast = kTimes * 1'000'000LL;
  DeviceArray<long long> out(64);
  auto before = std::chrono::steady_clock::now();
  run("sleepLong", {2, 1, 1}, {64, 1, 1}, out, kTimes);
  EXPECT_GE(std::chrono::steady_clock::now() - before,
            std::chrono::nanoseconds(kLeast));
  for (long long time : out.download())
    EXPECT_GE(time, kLeast);
}
