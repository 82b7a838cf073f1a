//===- ArenaLayoutTest.cpp - Offsets of buffers in one arena --------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "hetero/Support/Solvers/ArenaLayout.h"

#include "gtest/gtest.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>
#include <vector>

using namespace mlir::hetero;

namespace {
using Buffers = std::vector<BufferLifetime>;

/// What lives at each step, counted step by step.
int64_t countLive(const Buffers &buffers, int64_t alignment) {
  int64_t most = 0;
  for (const BufferLifetime &at : buffers) {
    int64_t live = 0;
    for (const BufferLifetime &buffer : buffers)
      if (buffer.begin <= at.begin && at.begin < buffer.end)
        live += (buffer.bytes + alignment - 1) / alignment * alignment;
    most = std::max(most, live);
  }
  return most;
}

void checkLayout(const Buffers &buffers, const ArenaLayout &layout,
                 int64_t alignment) {
  ASSERT_EQ(layout.offsets.size(), buffers.size());
  for (size_t i = 0; i < buffers.size(); ++i) {
    EXPECT_EQ(layout.offsets[i] % alignment, 0);
    EXPECT_GE(layout.offsets[i], 0);
    EXPECT_LE(layout.offsets[i] + buffers[i].bytes, layout.bytes);
    for (size_t j = 0; j < i; ++j) {
      bool meet = buffers[i].begin < buffers[j].end &&
                  buffers[j].begin < buffers[i].end;
      bool overlap = layout.offsets[i] < layout.offsets[j] + buffers[j].bytes &&
                     layout.offsets[j] < layout.offsets[i] + buffers[i].bytes;
      EXPECT_FALSE(meet && overlap) << i << " and " << j;
    }
  }
}

/// The least arena over all orders of placing buffers at their lowest place,
/// which is the least of all: of any layout, the order of its offsets is one.
int64_t findLeast(const Buffers &buffers) {
  std::vector<unsigned> order(buffers.size());
  std::iota(order.begin(), order.end(), 0);
  int64_t least = INT64_MAX;
  do {
    std::vector<int64_t> offsets(buffers.size(), 0);
    int64_t bytes = 0;
    for (size_t k = 0; k < order.size(); ++k) {
      const BufferLifetime &buffer = buffers[order[k]];
      // Offsets ascend along the order.
      int64_t offset = 0;
      for (size_t l = 0; l < k; ++l) {
        const BufferLifetime &other = buffers[order[l]];
        if (buffer.begin < other.end && other.begin < buffer.end)
          offset = std::max(offset, offsets[order[l]] + other.bytes);
      }
      offsets[order[k]] = offset;
      bytes = std::max(bytes, offset + buffer.bytes);
    }
    least = std::min(least, bytes);
  } while (std::next_permutation(order.begin(), order.end()));
  return least;
}

Buffers getRandom(std::mt19937 &random, size_t count, int64_t unit) {
  Buffers buffers;
  for (size_t i = 0; i < count; ++i) {
    int64_t begin = random() % (2 * count);
    int64_t life = 1 + random() % count;
    buffers.push_back({begin, begin + life, int64_t(1 + random() % 16) * unit});
  }
  return buffers;
}
} // namespace

TEST(ArenaLayoutTest, BuffersThatDoNotMeetShareMemory) {
  Buffers buffers = {{0, 2, 100}, {1, 4, 200}, {3, 5, 50}};
  ArenaLayout layout = layOutArena(buffers, 64);
  checkLayout(buffers, layout, 64);
  EXPECT_EQ(layout.bytes, 128 + 256);
  EXPECT_EQ(layout.offsets[0], layout.offsets[2]);
}

TEST(ArenaLayoutTest, NothingNeedsNothing) {
  EXPECT_EQ(layOutArena({}, 256).bytes, 0);
  EXPECT_EQ(layOutArena({{0, 9, 0}, {1, 2, 0}}, 256).bytes, 0);
}

TEST(ArenaLayoutTest, SizesThatOverflowSaturate) {
  Buffers buffers = {{0, 2, INT64_MAX}, {1, 3, INT64_MAX}};
  EXPECT_EQ(layOutArena(buffers, 256).bytes, INT64_MAX);
  EXPECT_EQ(findLivePeak(buffers, 256).bytes, INT64_MAX);
  // Only together are they too large.
  buffers = {{0, 2, INT64_MAX / 2}, {1, 3, INT64_MAX / 2 + 512}};
  EXPECT_EQ(findLivePeak(buffers, 256).bytes, INT64_MAX);
}

TEST(ArenaLayoutTest, PeakIsWhatLivesAtOnce) {
  std::mt19937 random(1);
  for (unsigned seed = 0; seed < 200; ++seed) {
    Buffers buffers = getRandom(random, 1 + seed % 40, 10);
    EXPECT_EQ(findLivePeak(buffers, 64).bytes, countLive(buffers, 64));
  }
}

TEST(ArenaLayoutTest, LayoutsAreValid) {
  std::mt19937 random(2);
  for (unsigned seed = 0; seed < 200; ++seed) {
    Buffers buffers = getRandom(random, 1 + seed % 60, 100);
    checkLayout(buffers, layOutArena(buffers, 256), 256);
  }
  // Beyond what is searched.
  Buffers many = getRandom(random, 3000, 100);
  checkLayout(many, layOutArena(many, 256), 256);
}

/// A stream that is not after what another has done takes no memory from it.
TEST(ArenaLayoutTest, StreamsWaitForEachOther) {
  Buffers buffers = {{0, 10, 256, /*stream=*/0, /*ends=*/{10, 30}},
                     {10, 20, 256, /*stream=*/0, /*ends=*/{20, 20}},
                     {20, 30, 256, /*stream=*/1, /*ends=*/{30, 30}},
                     {30, 40, 256, /*stream=*/1, /*ends=*/{40, 40}}};
  ArenaLayout layout = layOutArena(buffers, 256);
  EXPECT_EQ(layout.bytes, 512);
  EXPECT_NE(layout.offsets[0], layout.offsets[2]);
  // What lives at the end of the text alone is less.
  EXPECT_EQ(findLivePeak(buffers, 256).bytes, 256);
}

/// Against every order of seven buffers.
TEST(ArenaLayoutTest, SmallLayoutsAreTheLeastNearlyAlways) {
  std::mt19937 random(3);
  unsigned least = 0, total = 100;
  for (unsigned seed = 0; seed < total; ++seed) {
    Buffers buffers = getRandom(random, 7, 64);
    int64_t bytes = layOutArena(buffers, 64).bytes;
    int64_t best = findLeast(buffers);
    EXPECT_GE(bytes, best);
    least += bytes == best;
  }
  EXPECT_GE(least, total * 95 / 100);
}

/// What lives at once bounds the arena of larger sets.
TEST(ArenaLayoutTest, ArenasAreCloseToWhatLivesAtOnce) {
  std::mt19937 random(4);
  double product = 0;
  unsigned total = 100;
  for (unsigned seed = 0; seed < total; ++seed) {
    Buffers buffers = getRandom(random, 20 + seed, 64);
    product += std::log(double(layOutArena(buffers, 64).bytes) /
                        double(countLive(buffers, 64)));
  }
  EXPECT_LE(std::exp(product / total), 1.02);
}
