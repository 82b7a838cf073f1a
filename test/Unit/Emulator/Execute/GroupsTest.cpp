//===- GroupsTest.cpp - Tests of cooperative groups and registers ---------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CUDAHarness.h"

#include <algorithm>
#include <numeric>

namespace {
struct GroupsFamily {
  static constexpr const char *kName = "Groups";
};

using Groups = CUDATest<GroupsFamily>;
} // namespace

TEST_F(Groups, SizesOfSharedMemory) {
  for (unsigned dynamic : {0u, 4u, 1000u}) {
    DeviceArray<unsigned> out(7);
    runWithShared("sharedSizes", {1, 1, 1}, {1, 1, 1}, dynamic, out);
    // The dynamic part begins at a multiple of 16 bytes.
    unsigned total = (48 + dynamic + 127) / 128 * 128;
    EXPECT_EQ(out.download(),
              (std::vector<unsigned>{dynamic, total, 1, 1, 48, 1, 7}));
  }
}

TEST_F(Groups, EmptyRegisters) {
  DeviceArray<unsigned> out(std::vector<unsigned>(6, 9));
  run("emptyRegisters", {1, 1, 1}, {1, 1, 1}, out);
  EXPECT_EQ(out.download(), std::vector<unsigned>(6));
}

TEST_F(Groups, TilesOfSeveralWarps) {
  std::vector<int> in = draw<int>(128, -20, 20), expected;
  in[70] = 5;
  for (size_t i = 0; i < in.size(); ++i) {
    auto first = in.begin() + i / 64 * 64;
    expected.push_back(std::accumulate(first, first + 64, 0) * 4 +
                       2 * (std::find(first, first + 64, 5) != first + 64) +
                       (*first > in[i]));
  }
  DeviceArray<int> from(in), to(in.size());
  run("tilesOfWarps", {1, 1, 1}, {128, 1, 1}, from, to);
  EXPECT_EQ(to.download(), expected);
}

TEST_F(Groups, TilesOfAWarp) {
  std::vector<int> in = draw<int>(64, -20, 20), expected;
  for (int i = 0; i < 64; ++i) {
    int rank = i % 8, ballot = 0, mix = 0;
    auto first = in.begin() + i / 8 * 8;
    for (int lane = 0; lane < 8; ++lane)
      ballot |= (first[lane] > 0) << lane;
    for (int lane = 0; lane < rank; ++lane)
      mix ^= first[lane];
    expected.insert(expected.end(),
                    {std::accumulate(first, first + 8, 0),
                     *std::max_element(first, first + 8),
                     first[rank + 3 < 8 ? rank + 3 : rank] + ballot,
                     std::accumulate(first, first + rank + 1, 0), mix,
                     i % 32 / 8 * 100 + rank});
  }
  DeviceArray<int> from(in), to(6 * in.size());
  run("tiles", {1, 1, 1}, {64, 1, 1}, from, to);
  EXPECT_EQ(to.download(), expected);
}

TEST_F(Groups, Partitions) {
  std::vector<int> in = draw<int>(32, -20, 20), expected;
  for (int i = 0; i < 32; ++i) {
    int sum = 0, rank = 0, same = 0, first = -1;
    for (int other = 0; other < 32; ++other) {
      bool isSame = (in[other] & 3) == (in[i] & 3);
      sum += isSame ? in[other] : 0;
      rank += isSame && other < i;
      if (in[other] % 2 != 0 == (in[i] % 2 != 0)) {
        first = first < 0 ? other : first;
        ++same;
      }
    }
    expected.insert(expected.end(), {sum, rank * 100 + same, in[first]});
  }
  DeviceArray<int> from(in), to(3 * in.size());
  run("partitions", {1, 1, 1}, {32, 1, 1}, from, to);
  EXPECT_EQ(to.download(), expected);
}

/// Which threads form a group is not defined; that they count together is.
TEST_F(Groups, CoalescedThreads) {
  std::vector<int> in = draw<int>(3 * 64, -2, 3);
  DeviceArray<int> from(in), count(1), places(std::vector<int>(in.size(), -1));
  run("countTogether", {3, 1, 1}, {64, 1, 1}, from, count, places);
  std::vector<int> got = places.download(), used;
  for (size_t i = 0; i < in.size(); ++i) {
    EXPECT_EQ(got[i] >= 0, in[i] > 0);
    if (got[i] >= 0)
      used.push_back(got[i]);
  }
  std::sort(used.begin(), used.end());
  std::vector<int> all(used.size());
  std::iota(all.begin(), all.end(), 0);
  EXPECT_EQ(used, all);
  EXPECT_EQ(count.download()[0], static_cast<int>(all.size()));
}
