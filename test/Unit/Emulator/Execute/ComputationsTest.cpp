//===- ComputationsTest.cpp - What threads compute alone ------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CUDAHarness.h"

#include "llvm/ADT/APFloat.h"
#include "llvm/Support/CRC.h"
#include "llvm/Support/MathExtras.h"

#include <cfenv>
#include <complex>
#include <numeric>

namespace {
struct ComputationsFamily {
  static constexpr const char *kName = "Computations";
};

class Computations : public CUDATest<ComputationsFamily> {};

template <typename To, typename From> To bitCast(From from) {
  static_assert(sizeof(To) == sizeof(From));
  To to;
  std::memcpy(&to, &from, sizeof to);
  return to;
}

/// Rounds a number to a format of LLVM's; its bits.
uint16_t roundTo(const llvm::fltSemantics &format, double value) {
  llvm::APFloat number(value);
  bool losesInfo;
  number.convert(format, llvm::APFloat::rmNearestTiesToEven, &losesInfo);
  return static_cast<uint16_t>(number.bitcastToAPInt().getZExtValue());
}
double fromHalf(uint16_t bits) {
  return llvm::APFloat(llvm::APFloat::IEEEhalf(), llvm::APInt(16, bits))
      .convertToDouble();
}

/// The exact result rounded in a direction; it is exact in a double, or its
/// error there is known.
float roundFrom(double value, double error, int direction) {
  auto result = static_cast<float>(value);
  bool isBelow = result < value || (result == value && error > 0);
  bool isAbove = result > value || (result == value && error < 0);
  if (direction == FE_UPWARD && isBelow)
    return std::nextafterf(result, HUGE_VALF);
  if (direction == FE_DOWNWARD && isAbove)
    return std::nextafterf(result, -HUGE_VALF);
  if (direction == FE_TOWARDZERO && (value < 0 ? isBelow : isAbove))
    return std::nextafterf(result, 0);
  return result;
}
} // namespace

//===----------------------------------------------------------------------===//
// Floating point
//===----------------------------------------------------------------------===//

TEST_F(Computations, Axpy) {
  for (int size : kSizes) {
    std::vector<float> x = draw(size, -9.0f, 9.0f), y = draw(size, -9.0f, 9.0f);
    DeviceArray<float> from(x), to(y);
    run("axpy", {2, 1, 1}, {kBlock, 1, 1}, 1.7f, from, to, size);
    for (int i = 0; i < size; ++i)
      y[i] = std::fma(1.7f, x[i], y[i]);
    EXPECT_EQ(to.download(), y);
  }
}

TEST_F(Computations, Gelu) {
  for (int size : kSizes) {
    std::vector<float> x = draw(size, -5.0f, 5.0f), expected;
    for (float value : x)
      expected.push_back(static_cast<float>(
          0.5 * value * (1 + std::erf(value * 0.70710678118654752))));
    expectNear(map<float>("gelu", size, 1, DeviceArray<float>(x)), expected,
               1e-6);
  }
}

TEST_F(Computations, Transcendental) {
  for (int size : kSizes) {
    std::vector<double> x = draw(size, -5.0, 5.0), expected;
    for (double v : x)
      expected.push_back(std::sin(v) * std::exp(v) + std::log(std::abs(v) + 1) +
                         std::pow(std::abs(v), 1.5) + std::atan2(v, 2.0) +
                         std::cbrt(v) + std::tanh(v));
    expectNear(map<double>("transcendental", size, 1, DeviceArray<double>(x)),
               expected, 1e-14);
  }
}

TEST_F(Computations, FastMath) {
  for (int size : kSizes) {
    std::vector<float> x = draw(size, -3.0f, 3.0f), expected;
    for (double v : x)
      expected.push_back(static_cast<float>(
          std::sin(v) + std::cos(v) + std::exp(v) + std::log2(v + 20) +
          1 / (v + 20) + std::sqrt(v + 20) + 1 / std::sqrt(v + 20) +
          std::pow(v + 20, 0.3)));
    expectNear(map<float>("fastMath", size, 1, DeviceArray<float>(x)), expected,
               1e-5);
  }
}

TEST_F(Computations, DirectedRounding) {
  for (int size : kSizes) {
    std::vector<float> x = draw(size, -9.0f, 9.0f), y = draw(size, 1.0f, 9.0f),
                       expected;
    for (int i = 0; i < size; ++i) {
      double a = x[i], b = y[i], product = a * b, quotient = a / b;
      double root = std::sqrt(std::abs(a)), fused = product + 1;
      // Products of two singles are exact; sums are of numbers this close.
      for (float value :
           {roundFrom(a + b, 0, FE_UPWARD), roundFrom(a + b, 0, FE_DOWNWARD),
            roundFrom(product, 0, FE_TOWARDZERO),
            roundFrom(product, 0, FE_UPWARD),
            roundFrom(quotient, -std::fma(quotient, b, -a), FE_DOWNWARD),
            roundFrom(root, -std::fma(root, root, -std::abs(a)), FE_UPWARD),
            roundFrom(product, 0, FE_DOWNWARD),
            roundFrom(fused, product - (fused - 1), FE_TOWARDZERO)})
        expected.push_back(value);
    }
    EXPECT_EQ(map<float>("directedRounding", size, 8, DeviceArray<float>(x),
                         DeviceArray<float>(y)),
              expected);
  }
}

TEST_F(Computations, MinimaAndNaN) {
  const float special[] = {0.0f, -0.0f,     1.5f,      -2.0f,
                           NAN,  HUGE_VALF, -HUGE_VALF};
  std::vector<float> x, y, expected;
  for (float a : special)
    for (float b : special) {
      x.push_back(a);
      y.push_back(b);
      expected.push_back(std::isnan(a)   ? b
                         : std::isnan(b) ? a
                                         : std::min(a, b));
      expected.push_back(std::isnan(a)   ? b
                         : std::isnan(b) ? a
                                         : std::max(a, b));
      expected.push_back(a < b ? 1 : a > b ? 2 : a == b ? 3 : 4);
      expected.push_back(std::copysign(a, b) +
                         float(std::isnan(a) || std::isinf(b)));
    }
  expectNear(map<float>("minimaAndNaN", static_cast<int>(x.size()), 4,
                        DeviceArray<float>(x), DeviceArray<float>(y)),
             expected, 0);
}

TEST_F(Computations, Halves) {
  const llvm::fltSemantics &half = llvm::APFloat::IEEEhalf();
  for (int size : kSizes) {
    std::vector<uint16_t> x, y, expected;
    for (int i = 0; i < 2 * size; ++i) {
      x.push_back(roundTo(half, draw(1, -9.0, 9.0).front()));
      y.push_back(roundTo(half, draw(1, -9.0, 9.0).front()));
      double a = fromHalf(x.back()), b = fromHalf(y.back());
      double most = std::max(a, fromHalf(roundTo(half, b - a)));
      expected.push_back(roundTo(half, std::fma(a, b, most)));
    }
    EXPECT_EQ(map<uint16_t>("halves", size, 2, DeviceArray<uint16_t>(x),
                            DeviceArray<uint16_t>(y))
                  .size(),
              expected.size());
    EXPECT_EQ(map<uint32_t>("halves", size, 1, DeviceArray<uint16_t>(x),
                            DeviceArray<uint16_t>(y)),
              [&] {
                std::vector<uint32_t> pairs(size);
                std::memcpy(pairs.data(), expected.data(), 4 * size);
                return pairs;
              }());
  }
}

TEST_F(Computations, RoundsToHalf) {
  for (int size : kSizes) {
    std::vector<float> x = draw(size, -70000.0f, 70000.0f);
    for (int i = 0; i < size; i += 3)
      x[i] *= 1e-9f; // Subnormal as halves, or zero.
    DeviceArray<float> from(x);
    DeviceArray<uint16_t> half(size), brain(size);
    run("roundToHalf", {cover(size, kBlock), 1, 1}, {kBlock, 1, 1}, from, half,
        brain, size);
    std::vector<uint16_t> halves, brains;
    for (float value : x) {
      halves.push_back(roundTo(llvm::APFloat::IEEEhalf(), value));
      brains.push_back(roundTo(llvm::APFloat::BFloat(), value));
    }
    EXPECT_EQ(half.download(), halves);
    EXPECT_EQ(brain.download(), brains);
  }
}

TEST_F(Computations, Conversions) {
  for (int size : kSizes) {
    std::vector<float> x = draw(size, -300.0f, 300.0f);
    for (int i = 0; i < size; i += 4)
      x[i] *= 1e9f;
    std::vector<int> expected;
    auto clamp = [](double value) {
      return static_cast<int>(
          std::max(-2147483648.0, std::min(2147483647.0, value)));
    };
    for (double v : x) {
      int truncated = clamp(std::trunc(v));
      for (int value :
           {clamp(std::nearbyint(v)), truncated, clamp(std::ceil(v)),
            clamp(std::floor(v)),
            static_cast<int>(static_cast<uint32_t>(
                std::max(0.0, std::min(4294967295.0, std::nearbyint(v))))),
            std::max(-128, std::min(127, clamp(std::nearbyint(v)))),
            bitCast<int>(static_cast<float>(truncated)),
            static_cast<int>(static_cast<int64_t>(std::nearbyint(v)) >> 3)})
        expected.push_back(value);
    }
    EXPECT_EQ(map<int>("conversions", size, 8, DeviceArray<float>(x)),
              expected);
  }
}

//===----------------------------------------------------------------------===//
// Integers
//===----------------------------------------------------------------------===//

TEST_F(Computations, Bits) {
  for (int size : kSizes) {
    std::vector<unsigned> x = anyBits(size), y = anyBits(size), expected;
    for (int i = 0; i < size; ++i) {
      unsigned a = x[i], b = y[i], clamped = std::min(32u, b % 40);
      uint64_t both = uint64_t(b) << 32 | a, product = uint64_t(a) * b;
      auto byte = [&](int n) { return unsigned(both >> 8 * n & 255); };
      for (unsigned value :
           {unsigned(llvm::popcount(a)), unsigned(llvm::countl_zero(a)),
            a ? unsigned(llvm::countr_zero(a)) + 1 : 0, llvm::reverseBits(a),
            byte(1) | byte(4) << 8 | byte(7) << 16 | byte(2) << 24,
            unsigned(both << 11 >> 32), unsigned(both >> clamped),
            (a & b) ^ (a | ~b), unsigned(llvm::popcount(a) + llvm::popcount(b)),
            unsigned(llvm::countl_zero(product))})
        expected.push_back(value);
    }
    EXPECT_EQ(map<unsigned>("bits", size, 10, DeviceArray<unsigned>(x),
                            DeviceArray<unsigned>(y)),
              expected);
  }
}

TEST_F(Computations, Integers) {
  for (int size : kSizes) {
    std::vector<int> x(size), y(size);
    for (int i = 0; i < size; ++i) {
      x[i] = static_cast<int>(anyBits(1).front());
      y[i] = i % 5 == 0 ? 0 : static_cast<int>(anyBits(1).front());
      if (y[i] == -1) // The quotient of the least number would not fit.
        y[i] = 1;
    }
    std::vector<int64_t> expected;
    for (int i = 0; i < size; ++i) {
      int64_t a = x[i], b = y[i];
      auto low = [](int64_t n) { return static_cast<int>(uint32_t(n)); };
      auto narrow = [](int64_t n) { return (n & 0xffffff) << 40 >> 40; };
      auto shifted = [](int64_t n) {
        return static_cast<unsigned __int128>(uint64_t(n) << 20);
      };
      for (int64_t value :
           {a * b >> 32, int64_t(uint64_t(uint32_t(a)) * uint32_t(b) >> 32),
            int64_t(low(narrow(a) * narrow(b))),
            int64_t(uint32_t(std::abs(a - b)) + 5u), b ? a / b : 0,
            b ? a % b : 0, a * b, int64_t(shifted(a) * shifted(b) >> 64),
            (a + b) >> 1,
            int64_t(low(int64_t(low(std::abs(a))) +
                        low(std::min(a, b) * std::max<int64_t>(b, 3))))})
        expected.push_back(value);
    }
    EXPECT_EQ(map<int64_t>("integers", size, 10, DeviceArray<int>(x),
                           DeviceArray<int>(y)),
              expected);
  }
}

TEST_F(Computations, DividesWide) {
  for (int size : kSizes) {
    std::vector<int64_t> x = draw<int64_t>(size, INT64_MIN / 2, INT64_MAX / 2),
                         y, expected;
    for (int i = 0; i < size; ++i) {
      y.push_back(draw<int64_t>(1, 1, INT64_MAX).front() >> random() % 60 | 1);
      if (i % 2)
        y.back() = -y.back();
      expected.push_back(x[i] / y[i]);
      expected.push_back(x[i] % y[i]);
      expected.push_back(int64_t(uint64_t(x[i]) / uint64_t(y[i])));
    }
    EXPECT_EQ(map<int64_t>("divideWide", size, 3, DeviceArray<int64_t>(x),
                           DeviceArray<int64_t>(y)),
              expected);
  }
}

TEST_F(Computations, CarriesThroughEightWords) {
  for (int size : kSizes) {
    std::vector<unsigned> x = draw<unsigned>(8 * size, 0, ~0u),
                          y = draw<unsigned>(8 * size, 0, ~0u), expected;
    for (int i = 0; i < size; ++i) {
      if (i % 3 == 0) // A carry that runs through all of them.
        for (int j = 0; j < 8; ++j)
          y[8 * i + j] = ~x[8 * i + j] + (j == 0);
      uint64_t carry = 0;
      for (int j = 0; j < 8; ++j) {
        carry += uint64_t(x[8 * i + j]) + y[8 * i + j];
        expected.push_back(static_cast<unsigned>(carry));
        carry >>= 32;
      }
    }
    EXPECT_EQ(map<unsigned>("addWide", size, 8, DeviceArray<unsigned>(x),
                            DeviceArray<unsigned>(y)),
              expected);
  }
}

TEST_F(Computations, Crc32) {
  constexpr int kBytes = 19;
  for (int size : kSizes) {
    std::vector<uint8_t> text = draw<uint8_t>(size * kBytes, 0, 255);
    std::vector<unsigned> expected;
    for (int i = 0; i < size; ++i)
      expected.push_back(llvm::crc32({&text[i * kBytes], size_t(kBytes)}));
    EXPECT_EQ(
        map<unsigned>("crc32", size, 1, DeviceArray<uint8_t>(text), kBytes),
        expected);
  }
}

//===----------------------------------------------------------------------===//
// Control
//===----------------------------------------------------------------------===//

TEST_F(Computations, Collatz) {
  for (int size : kSizes) {
    std::vector<unsigned> x = draw<unsigned>(size, 1, 100000), expected;
    for (uint64_t n : x) {
      unsigned count = 0;
      for (; n != 1; ++count)
        n = n % 2 ? 3 * n + 1 : n / 2;
      expected.push_back(count);
    }
    EXPECT_EQ(map<unsigned>("collatz", size, 1, DeviceArray<unsigned>(x)),
              expected);
  }
}

TEST_F(Computations, Interprets) {
  for (int size : kSizes)
    for (int length : {0, 5, 60}) {
      std::vector<int> program = draw(length, 0, 7), expected;
      for (int i = 0; i < size; ++i) {
        uint32_t value = i;
        bool returns = false;
        for (int at = 0; at < length && !returns; ++at)
          switch (program[at]) {
          case 0:
            value += 3;
            break;
          case 1:
            value *= 2;
            break;
          case 2:
            value ^= 0x55;
            break;
          case 3:
            value -= i;
            break;
          case 4:
            at += value % 2 == 0;
            break;
          case 5:
            returns = true;
            break;
          case 6:
            value = -value;
            break;
          default:
            value = ~value;
          }
        expected.push_back(static_cast<int>(value + (returns ? 0 : 1000000)));
      }
      EXPECT_EQ(
          map<int>("interpret", size, 1, DeviceArray<int>(program), length),
          expected);
    }
}

TEST_F(Computations, Recursion) {
  DeviceArray<uint64_t> out(16);
  run("recursion", {1, 1, 1}, {16, 1, 1}, out);
  EXPECT_EQ(out.download(),
            (std::vector<uint64_t>{0, 1, 1, 2, 3, 5, 8, 13, 21, 34, 55, 89, 144,
                                   233, 377, 610}));
}

TEST_F(Computations, CallsByAddress) {
  for (int size : kSizes) {
    std::vector<int> which = draw(size, 0, 2);
    std::vector<float> x = draw(size, -9.0f, 9.0f), y = draw(size, -9.0f, 9.0f),
                       expected;
    for (int i = 0; i < size; ++i)
      expected.push_back(which[i] == 0   ? x[i] + y[i]
                         : which[i] == 1 ? x[i] * y[i]
                                         : std::abs(x[i] - y[i]));
    EXPECT_EQ(map<float>("byAddress", size, 1, DeviceArray<int>(which),
                         DeviceArray<float>(x), DeviceArray<float>(y)),
              expected);
  }
}

TEST_F(Computations, VariablesOfTheModule) {
  int before = 100;
  for (int size : kSizes) {
    std::vector<float> x = draw(size, -2.0f, 2.0f), expected;
    for (float v : x)
      expected.push_back(1 + v * (-2 + v * (0.5f + v * (3 + v * -0.25f))));
    DeviceArray<float> from(x), to(size);
    DeviceArray<int> count(1);
    run("polynomial", {cover(size, kBlock), 1, 1}, {kBlock, 1, 1}, from, to,
        size, count);
    expectNear(to.download(), expected, 1e-5);
    before += size; // The variable lasts from launch to launch.
    EXPECT_EQ(count.download().front(), before - 1);
  }
}

TEST_F(Computations, ArraysOfAThread) {
  for (int size : kSizes) {
    std::vector<unsigned> x = anyBits(size), expected;
    for (unsigned n : x) {
      unsigned digits[10] = {}, best = 0;
      for (; n; n /= 10)
        ++digits[n % 10];
      for (unsigned j = 1; j < 10; ++j)
        if (digits[j] > digits[best])
          best = j;
      expected.push_back(best * 100 + digits[best]);
    }
    EXPECT_EQ(map<unsigned>("countDigits", size, 1, DeviceArray<unsigned>(x)),
              expected);
  }
}

TEST_F(Computations, Mandelbrot) {
  for (int width : {1, 33, 60}) {
    int height = width / 2 + 1;
    std::vector<int> expected;
    for (int row = 0; row < height; ++row)
      for (int column = 0; column < width; ++column) {
        double x = 3.0 * column / width - 2, y = 2.0 * row / height - 1;
        std::complex<double> z = 0, c(x, y);
        int steps = 0;
        for (; steps < 100 && std::norm(z) < 4; ++steps)
          z = z * z + c;
        expected.push_back(steps);
      }
    DeviceArray<int> out(width * height);
    run("mandelbrot", {cover(width, 8), cover(height, 8), 1}, {8, 8, 1}, out,
        width, height);
    std::vector<int> got = out.download();
    // Points at the edge depend on how products are rounded.
    int different = 0;
    for (size_t i = 0; i < got.size(); ++i)
      different += got[i] != expected[i];
    EXPECT_LE(different, static_cast<int>(got.size()) / 50);
  }
}
