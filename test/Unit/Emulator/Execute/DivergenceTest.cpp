//===- DivergenceTest.cpp - Tests of threads of a warp that part ----------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CUDAHarness.h"

#include "Emulator/Compile/Compiler.h"
#include "Emulator/Execute/Warps/WarpCallbacks.h"

#include <algorithm>
#include <numeric>

namespace {
struct DivergenceFamily {
  static constexpr const char *kName = "Divergence";
};

class Divergence : public CUDATest<DivergenceFamily> {
protected:
  /// Runs a kernel of one number per thread, and the same for the host.
  template <typename Expected>
  void check(const char *kernel, int from, int to, Expected expected) {
    for (int size : kSizes) {
      std::vector<int> in = draw<int>(size, from, to), wanted;
      for (int value : in)
        wanted.push_back(expected(value));
      EXPECT_EQ(map<int>(kernel, size, 1, DeviceArray<int>(in)), wanted);
    }
  }
};
} // namespace

TEST_F(Divergence, TripCounts) {
  check("tripCounts", -10, 1000, [](int value) {
    unsigned sum = 0;
    for (int k = 0; k < value % 50; ++k)
      sum = sum * 3 + k;
    return static_cast<int>(sum);
  });
}

TEST_F(Divergence, EarlyReturns) {
  check("earlyReturns", 0, 60, [](int value) {
    if (value == 0)
      return 0;
    if (value % 3 == 0)
      return 1;
    for (int k = 2;; ++k) {
      if (value % (k + 2) == 1 || k > 40)
        return k;
      if (value % 7 == k)
        return -k;
    }
  });
}

TEST_F(Divergence, NestedBreaks) {
  check("nestedBreaks", 0, 5000, [](int value) {
    int sum = 0;
    for (int outer = 1; outer < 12; ++outer) {
      if (value % outer == 2)
        continue;
      for (int inner = 0; inner < outer; ++inner) {
        sum += inner ^ outer;
        if ((value + inner) % 5 == 0)
          break;
        if (sum > 100 + value % 60)
          return sum;
      }
      sum += outer;
    }
    return sum;
  });
}

static int switchOf(int value) {
  int result = 0;
  for (int round = 0; round < 4; ++round) {
    switch ((value + round) % 9) {
    case 0:
      result += 3;
      [[fallthrough]];
    case 1:
      result ^= value;
      break;
    case 2:
      for (int k = 0; k < value % 6; ++k)
        result += k * round;
      break;
    case 3:
      continue;
    case 4:
      return result - 1000;
    case 7:
      result *= 5;
      break;
    default:
      --result;
    }
    result += round;
  }
  return result;
}

TEST_F(Divergence, Switches) { check("switches", 0, 5000, switchOf); }

TEST_F(Divergence, BothSidesMeet) {
  check("sides", -2000, 2000, [](int value) {
    int a = 1, b = 2;
    if (value & 1) {
      a = value;
      if (a & 2)
        b = a * 7;
      else
        a = b + 5;
    } else {
      b = value / 3;
      while (b > 10)
        b -= a + 6;
    }
    return a * 100 + b;
  });
}

//===----------------------------------------------------------------------===//
// Threads that part and meet
//===----------------------------------------------------------------------===//

TEST_F(Divergence, HalvesMeetApart) {
  for (unsigned blocks : {1u, 3u}) {
    std::vector<int> in = draw<int>(blocks * 64, -8, 8), result(in.size());
    for (size_t i = 0; i < in.size(); ++i) {
      size_t lane = i % 32, half = i / 16 * 16;
      auto count = [&](auto isSo) {
        return static_cast<int>(std::count_if(&in[half], &in[half] + 16, isSo));
      };
      if (lane < 16)
        result[i] = in[half + (lane ^ 5)] +
                    1000 * count([](int value) { return value > 0; }) +
                    (count([](int value) { return value == 7; }) ? 100000 : 0);
      else
        result[i] =
            in[lane - 16 >= 3 ? i - 3 : i] -
            1000 * count([&](int value) { return !((value ^ in[i]) & 3); }) +
            (count([](int value) { return value > -8; }) == 16 ? 100000 : 0);
    }
    std::vector<int> wanted(in.size());
    for (size_t i = 0; i < in.size(); ++i)
      wanted[i] = result[i] + result[i / 32 * 32 + 31 - i % 32];
    DeviceArray<int> from(in), to(in.size());
    run("halves", {blocks, 1, 1}, {64, 1, 1}, from, to);
    EXPECT_EQ(to.download(), wanted);
  }
}

TEST_F(Divergence, VotesInALoop) {
  std::vector<int> in = draw<int>(128, 0, 15), wanted(in.size());
  for (size_t i = 0; i < in.size(); ++i)
    for (int round = 0; round < in[i]; ++round)
      for (size_t lane = 0; lane < 32; ++lane)
        wanted[i] += in[i / 32 * 32 + lane] > round;
  DeviceArray<int> from(in), to(in.size());
  run("votesInALoop", {2, 1, 1}, {64, 1, 1}, from, to);
  EXPECT_EQ(to.download(), wanted);
}

TEST_F(Divergence, BarriersBetweenLoops) {
  for (unsigned width : {32u, 100u, 128u}) {
    std::vector<int> in = draw<int>(2 * width, 0, 1000), wanted(in.size());
    for (size_t first = 0; first < in.size(); first += width) {
      std::vector<int> sums(width);
      for (unsigned round = 0; round < 3; ++round) {
        std::vector<int> before = sums;
        for (unsigned own = 0; own < width; ++own) {
          int value = in[first + own];
          int sum = round ? before[(own + round) % width] : value;
          for (int k = 0; k < (value + int(round)) % 5; ++k)
            sum = sum * 2 - k;
          sums[own] = sum;
        }
      }
      for (unsigned own = 0; own < width; ++own)
        wanted[first + own] = sums[width - 1 - own];
    }
    DeviceArray<int> from(in), to(in.size());
    run("barriersBetweenLoops", {2, 1, 1}, {width, 1, 1}, from, to);
    EXPECT_EQ(to.download(), wanted);
  }
}

//===----------------------------------------------------------------------===//
// Threads that wait for others of their warp
//===----------------------------------------------------------------------===//

TEST_F(Divergence, Locks) {
  for (unsigned threads : {1u, 32u, 96u}) {
    DeviceArray<int> count(1), order(std::vector<int>(threads, -1));
    run("lockEach", {1, 1, 1}, {threads, 1, 1}, count, order);
    EXPECT_EQ(count.download()[0], static_cast<int>(threads));
    std::vector<int> got = order.download(), all(threads);
    std::sort(got.begin(), got.end());
    std::iota(all.begin(), all.end(), 0);
    EXPECT_EQ(got, all);
  }
}

TEST_F(Divergence, WaitsForLaterThreads) {
  const std::pair<const char *, int> kernels[] = {{"waitByAtomics", 2},
                                                  {"waitByExchange", 3},
                                                  {"waitByFences", 5},
                                                  {"waitInAFunction", 7}};
  for (auto [kernel, factor] : kernels)
    for (unsigned threads : {1u, 32u, 70u}) {
      DeviceArray<int> turn(1), out(threads);
      run(kernel, {1, 1, 1}, {threads, 1, 1}, turn, out);
      std::vector<int> expected;
      for (unsigned i = 0; i < threads; ++i)
        expected.push_back(factor * static_cast<int>(threads - 1 - i));
      EXPECT_EQ(out.download(), expected) << kernel;
    }
}

TEST_F(Divergence, BarrierInBothSides) {
  for (int width : {32, 100}) {
    std::vector<int> in = draw<int>(width, 0, 5), expected(width);
    for (int i = 0; i < width; ++i)
      if (in[i] != 0)
        expected[i] = (in[i] & 1 ? in[i] * 3 : in[i] - 4) + in[width - 1 - i];
    DeviceArray<int> from(in), to(width);
    run("barrierInBothSides", {1, 1, 1}, {unsigned(width), 1, 1}, from, to);
    EXPECT_EQ(to.download(), expected);
  }
}

TEST_F(Divergence, GroupsInCases) {
  std::vector<int> in = draw<int>(2 * 64, 0, 99), expected;
  for (size_t i = 0; i < in.size(); ++i) {
    const int *group = &in[i / 8 * 8];
    int place = i % 8, number = i / 8 % 4, sum = 0, same = 0, high = 0,
        most = 0;
    for (int k = 0; k < 8; ++k) {
      sum += group[k];
      same += (group[k] & 1) == (in[i] & 1);
      high += (group[k] & 64) != 0;
      most = std::max(most, group[k]);
    }
    int shuffled = 0;
    for (int round = 0; round < 3; ++round)
      shuffled += group[place ^ 1 << round] + round;
    expected.push_back(number == 0   ? shuffled
                       : number == 1 ? sum + group[3] * 10
                       : number == 2 ? group[3] * 10
                                     : same + (high % 8 == 0) + most * 100);
  }
  DeviceArray<int> from(in), to(in.size());
  run("groupsInCases", {2, 1, 1}, {64, 1, 1}, from, to);
  EXPECT_EQ(to.download(), expected);
}

TEST_F(Divergence, MatricesOfSomeWarps) {
  std::vector<int> in = draw<int>(96, 0, 1 << 30);
  auto byte = [&](int word, int i) {
    return static_cast<int8_t>(in[word] >> 8 * i);
  };
  std::vector<int> sums(32 * 4), expected(4 * 32 * 4);
  for (int lane = 0; lane < 32; ++lane)
    for (int k = 0; k < 4; ++k) {
      int &sum = sums[4 * lane + k] = lane, column = lane % 4 * 2 + k % 2;
      for (int part = 0; part < 4; ++part)
        for (int i = 0; i < 4; ++i)
          sum += byte(k / 2 * 32 + lane / 4 * 4 + part, i) *
                 byte(64 + column * 4 + part, i);
    }
  for (int i = 0; i < 4 * 32; ++i)
    for (int k = 0; k < 4; ++k) {
      int warp = i / 32, lane = i % 32;
      auto value = [&](int which) {
        return warp == 0 ? sums[4 * which + k]
                         : which + (k < in[which] % 4 ? 1 : 0);
      };
      if (warp != 2)
        expected[4 * i + k] = value(lane) + value(lane ^ 1);
    }
  DeviceArray<int> from(in), to(4 * 32 * 4);
  run("matricesOfSomeWarps", {1, 1, 1}, {4 * 32, 1, 1}, from, to);
  EXPECT_EQ(to.download(), expected);
}

/// The others' threads run one by one: they meet where some may be elsewhere.
TEST_F(Divergence, RunAsWarps) {
  CompileOptions options;
  options.warpCallbacks = addWarpCallbacks;
  auto compiled = compilePTX(text, 9, 0, options);
  auto *code = std::get_if<std::unique_ptr<CompiledModule>>(&compiled);
  ASSERT_NE(code, nullptr);
  for (const char *kernel : {"tripCounts", "earlyReturns", "nestedBreaks",
                             "switches", "sides", "barriersBetweenLoops"})
    EXPECT_NE((*code)->warpFunction(*(*code)->lookup(kernel)), nullptr)
        << kernel;
  for (const char *kernel : {"halves", "votesInALoop"})
    EXPECT_EQ((*code)->warpFunction(*(*code)->lookup(kernel)), nullptr)
        << kernel;
}
