//===- CollectivesTest.cpp - Threads that work together -------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CUDAHarness.h"

#include <algorithm>
#include <map>
#include <numeric>

namespace {
struct CollectivesFamily {
  static constexpr const char *kName = "Collectives";
};

class Collectives : public CUDATest<CollectivesFamily> {
protected:
  /// Rows of numbers, and a function of each row, for odd numbers of columns.
  template <typename Function>
  void checkRows(const char *kernel, bool keepsColumns, Function function) {
    for (int columns : {1, 31, 257, 1000}) {
      constexpr unsigned kRows = 3;
      std::vector<float> in = draw(kRows * columns, -3.0f, 3.0f), expected;
      for (unsigned row = 0; row < kRows; ++row) {
        std::vector<double> one(in.begin() + row * columns,
                                in.begin() + (row + 1) * columns);
        for (double value : function(one))
          expected.push_back(static_cast<float>(value));
      }
      DeviceArray<float> from(in), to(kRows * (keepsColumns ? columns : 1));
      for (unsigned threads : {32u, 96u, 256u}) {
        run(kernel, {kRows, 1, 1}, {threads, 1, 1}, from, to, columns);
        expectNear(to.download(), expected, 1e-5);
      }
    }
  }
};
} // namespace

TEST_F(Collectives, SumsRows) {
  checkRows("sumRows", false, [](const std::vector<double> &row) {
    return std::vector<double>{std::accumulate(row.begin(), row.end(), 0.0)};
  });
}

TEST_F(Collectives, Softmax) {
  checkRows("softmax", true, [](std::vector<double> row) {
    double most = *std::max_element(row.begin(), row.end()), sum = 0;
    for (double &value : row)
      sum += value = std::exp(value - most);
    for (double &value : row)
      value /= sum;
    return row;
  });
}

TEST_F(Collectives, LayerNorm) {
  checkRows("layerNorm", true, [](std::vector<double> row) {
    double mean = std::accumulate(row.begin(), row.end(), 0.0) / row.size();
    double squares = 0;
    for (double &value : row) {
      value -= mean;
      squares += value * value;
    }
    for (double &value : row)
      value /= std::sqrt(squares / row.size() + 1e-5);
    return row;
  });
}

TEST_F(Collectives, FindsTheLargest) {
  for (int size : {1, 40, 999}) {
    std::vector<double> in = draw(size, -9.0, 9.0);
    DeviceArray<double> from(in);
    DeviceArray<int> to(1);
    run("argmax", {1, 1, 1}, {128, 1, 1}, from, to, size);
    EXPECT_EQ(to.download().front(),
              std::max_element(in.begin(), in.end()) - in.begin());
  }
}

TEST_F(Collectives, ScansABlock) {
  for (int size : {1, 33, 512, 1000}) {
    std::vector<int> in = draw(size, -50, 50), expected(size);
    std::partial_sum(in.begin(), in.end(), expected.begin());
    DeviceArray<int> from(in), to(size);
    run("scanBlock", {1, 1, 1}, {1024, 1, 1}, from, to, size);
    EXPECT_EQ(to.download(), expected);
  }
}

TEST_F(Collectives, ScansATree) {
  for (unsigned threads : {1u, 16u, 128u}) {
    unsigned size = 2 * threads;
    std::vector<int> in = draw(size, -50, 50), expected(size);
    for (unsigned i = 1; i < size; ++i)
      expected[i] = expected[i - 1] + in[i - 1];
    DeviceArray<int> from(in), to(size);
    runWithShared("scanTree", {1, 1, 1}, {threads, 1, 1}, 4 * size, from, to);
    EXPECT_EQ(to.download(), expected);
  }
}

TEST_F(Collectives, Compacts) {
  for (int size : {5, 256, 777}) {
    std::vector<int> in = draw(size, -100, 100), expected;
    DeviceArray<int> from(in), to(size), count(1);
    run("compact", {cover(size, 128), 1, 1}, {128, 1, 1}, from, to, count,
        size);
    std::copy_if(in.begin(), in.end(), std::back_inserter(expected),
                 [](int value) { return value >= 0; });
    std::vector<int> got = to.download();
    got.resize(count.download().front());
    std::sort(got.begin(), got.end());
    std::sort(expected.begin(), expected.end());
    EXPECT_EQ(got, expected);
  }
}

TEST_F(Collectives, Histogram) {
  for (int size : {1, 300, 5000}) {
    std::vector<uint8_t> in = draw<uint8_t>(size, 0, 255);
    std::vector<unsigned> expected(256);
    for (uint8_t value : in)
      ++expected[value];
    DeviceArray<uint8_t> from(in);
    DeviceArray<unsigned> to(256);
    run("histogram", {3, 1, 1}, {64, 1, 1}, from, size, to);
    EXPECT_EQ(to.download(), expected);
  }
}

TEST_F(Collectives, SumsByKey) {
  for (int size : {7, 64, 500}) {
    std::vector<int> keys = draw(size, 0, 9), values = draw(size, -99, 99),
                     expected(10);
    for (int i = 0; i < size; ++i)
      expected[keys[i]] += values[i];
    DeviceArray<int> from(keys), with(values), to(10);
    run("sumByKey", {cover(size, 64), 1, 1}, {64, 1, 1}, from, with, to, size);
    EXPECT_EQ(to.download(), expected);
  }
}

TEST_F(Collectives, Votes) {
  for (int least : {-5, 1, 60, 91, 95}) {
    constexpr unsigned kThreads = 64;
    std::vector<int> in = draw(kThreads, std::min(least, 95), 95);
    if (least == 95)
      in[40] = 77;
    std::vector<unsigned> expected(kThreads);
    auto count = [&](unsigned from, unsigned to, auto test) {
      return static_cast<unsigned>(
          std::count_if(in.begin() + from, in.begin() + to, test));
    };
    for (unsigned i = 0; i < kThreads; ++i) {
      unsigned first = i / 32 * 32, last = first + 32;
      unsigned result = count(first, last, [](int x) { return x > 0; }) == 32;
      result |= (count(first, last, [](int x) { return x > 90; }) > 0) << 1;
      result |= (count(first, last, [&](int x) { return x == in[i]; }) == 32)
                << 2;
      result |= count(0, kThreads, [](int x) { return x > 50; }) << 8;
      result |= unsigned(count(0, kThreads, [](int x) { return x == 77; }) > 0)
                << 30;
      result |=
          unsigned(count(0, kThreads, [](int x) { return x > 0; }) == kThreads)
          << 31;
      expected[i] = result;
    }
    DeviceArray<int> from(in);
    DeviceArray<unsigned> to(kThreads);
    run("votes", {1, 1, 1}, {kThreads, 1, 1}, from, to);
    EXPECT_EQ(to.download(), expected);
  }
}

TEST_F(Collectives, HalvesOfAWarpPart) {
  std::vector<int> in = draw(96, -100, 100), expected(96);
  for (unsigned first = 0; first < 96; first += 16) {
    auto begin = in.begin() + first, end = begin + 16;
    int value = first % 32 == 0 ? std::accumulate(begin, end, 0)
                                : *std::max_element(begin, end);
    std::fill_n(expected.begin() + first, 16, value);
  }
  DeviceArray<int> from(in), to(96);
  run("halves", {1, 1, 1}, {96, 1, 1}, from, to);
  EXPECT_EQ(to.download(), expected);
}

TEST_F(Collectives, Sorts) {
  for (unsigned size : {2u, 64u, 512u}) {
    std::vector<float> values = draw(size, -9.0f, 9.0f);
    DeviceArray<float> array(values);
    runWithShared("sortBitonic", {1, 1, 1}, {size, 1, 1}, 4 * size, array);
    std::sort(values.begin(), values.end());
    EXPECT_EQ(array.download(), values);
  }
}

TEST_F(Collectives, TheLastBlockAddsUp) {
  for (int size : {10, 1000, 4096}) {
    std::vector<int> in = draw(size, -100, 100);
    DeviceArray<int> from(in), partial(7), to(1);
    run("sumOfBlocks", {7, 1, 1}, {64, 1, 1}, from, size, partial, to);
    EXPECT_EQ(to.download().front(), std::accumulate(in.begin(), in.end(), 0));
  }
}

TEST_F(Collectives, TilesOfAWarp) {
  std::vector<int> in = draw(128, -100, 100), expected(16);
  for (unsigned i = 0; i < 128; ++i)
    expected[i / 8] += in[i];
  DeviceArray<int> from(in), to(16);
  run("tiles", {1, 1, 1}, {128, 1, 1}, from, to);
  EXPECT_EQ(to.download(), expected);
}

TEST_F(Collectives, Atomics) {
  constexpr int kThreads = 5 * 64;
  DeviceArray<int> words(6);
  DeviceArray<uint64_t> wide(1);
  DeviceArray<float> single(1);
  run("atomics", {5, 1, 1}, {64, 1, 1}, words, wide, single);
  int exclusive = 0;
  for (int i = 0; i < kThreads; ++i)
    exclusive ^= i;
  EXPECT_EQ(words.download(),
            (std::vector<int>{1 - kThreads, 3 * (kThreads - 1), 0x7fffffff,
                              exclusive, -2 * kThreads, kThreads}));
  EXPECT_EQ(wide.download().front(), uint64_t(kThreads) << 20);
  EXPECT_EQ(single.download().front(), 0.5f * kThreads);
}
