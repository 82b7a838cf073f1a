//===- ConvertTest.cpp - cvt between all types ----------------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../PTXHarness.h"
#include "gtest/gtest.h"

#include <algorithm>
#include <cfenv>
#include <cmath>
#include <limits>

using namespace hetero::emulator::test;

static const double kNaN = std::numeric_limits<double>::quiet_NaN();
static const double kInfinity = std::numeric_limits<double>::infinity();

/// Runs the instructions for each value and compares with `expected`.
template <typename From, typename Expected>
static void checkAll(const std::string &instruction,
                     const std::vector<From> &values, Expected expected) {
  Sweep sweep(instruction);
  ASSERT_EQ(sweep.error(), "") << instruction;
  for (From value : values)
    EXPECT_EQ(sweep.run({bits(value)}), expected(value))
        << instruction << " of " << value;
}

//===----------------------------------------------------------------------===//
// Floating point to integer
//===----------------------------------------------------------------------===//

static double roundIn(const std::string &mode, double x) {
  return mode == "rzi"   ? std::trunc(x)
         : mode == "rni" ? std::nearbyint(x)
         : mode == "rmi" ? std::floor(x)
                         : std::ceil(x);
}

/// What cvt gives for an integer type of `bits`, as stored in 64 bits.
static uint64_t clampTo(double x, unsigned bits, bool isSigned, bool isWide) {
  if (std::isnan(x)) {
    if (!isWide)
      return 0;
    uint64_t least = 1ull << (bits - 1);
    return isSigned ? 0 - least : least;
  }
  double most = std::ldexp(1.0, isSigned ? bits - 1 : bits);
  double least = isSigned ? -most : 0;
  uint64_t top = isSigned    ? (1ull << (bits - 1)) - 1
                 : bits < 64 ? (1ull << bits) - 1
                             : ~0ull;
  if (x >= most)
    return top;
  if (x <= least)
    return isSigned ? 0 - (1ull << (bits - 1)) : 0;
  return x < 0 ? static_cast<uint64_t>(static_cast<int64_t>(x))
               : static_cast<uint64_t>(x);
}

TEST(PTXConvert, FloatToEveryInteger) {
  std::vector<double> values = {
      0,     -0.0,  0.5,  1.5,       2.5,   -0.5,      -1.5, -2.5,
      127.5, 128,   -128, -129,      255,   255.5,     256,  65535,
      65536, 40000, 3e9,  -3e9,      1e10,  -1e10,     0.25, 1e19,
      -1e19, 1e20,  kNaN, kInfinity, 1e-40, -kInfinity};
  std::vector<float> singles(values.begin(), values.end());
  for (const char *mode : {"rzi", "rni", "rmi", "rpi"})
    for (unsigned bits : {8, 16, 32, 64})
      for (bool isSigned : {false, true}) {
        std::string type = (isSigned ? "s" : "u") + std::to_string(bits);
        std::string extended = "cvt." + std::string(mode) + "." + type;
        // Into a wider register: the sign is extended.
        auto of = [&](bool isWide) {
          return [=](double x) {
            return clampTo(roundIn(mode, x), bits, isSigned, isWide);
          };
        };
        checkAll(extended + ".f64 %rd9, %rd10;", values, of(true));
        checkAll(extended + ".f32 %rd9, %r0;", singles, of(bits == 64));
      }
}

TEST(PTXConvert, FlushesSubnormalSources) {
  EXPECT_EQ(word("cvt.rpi.s32.f32 %r9, %r0;", {bits(1e-40f)}), 1u);
  EXPECT_EQ(word("cvt.rpi.ftz.s32.f32 %r9, %r0;", {bits(1e-40f)}), 0u);
  EXPECT_EQ(word("cvt.rn.ftz.f32.f64 %r9, %rd10;", {bits(-1e-40)}),
            bits(-0.0f));
}

//===----------------------------------------------------------------------===//
// Integer to floating point
//===----------------------------------------------------------------------===//

static int modeOf(const std::string &name) {
  return name == "rz"   ? FE_TOWARDZERO
         : name == "rm" ? FE_DOWNWARD
         : name == "rp" ? FE_UPWARD
                        : FE_TONEAREST;
}

/// The host's conversion in a direction.
template <typename To, typename From>
static To hostConvert(From x, const std::string &mode) {
  std::fesetround(modeOf(mode));
  volatile long double exact = x;
  volatile To result = exact;
  std::fesetround(FE_TONEAREST);
  return result;
}

TEST(PTXConvert, IntegerToFloat) {
  std::vector<uint64_t> values = {0,
                                  1,
                                  16777217,
                                  33554435,
                                  0x7fffffff,
                                  0x80000000,
                                  0xffffffff,
                                  (1ull << 53) + 1,
                                  ~0ull,
                                  ~0ull - 1023,
                                  1ull << 63,
                                  (1ull << 62) + 1,
                                  0x8000004000000001ull};
  for (std::string mode : {"rn", "rz", "rm", "rp"}) {
    checkAll("cvt." + mode + ".f32.u64 %r9, %rd10;\nmov.b64 %rd9, {%r9, 0};",
             values,
             [&](uint64_t x) { return bits(hostConvert<float>(x, mode)); });
    checkAll(
        "cvt." + mode + ".f32.s64 %r9, %rd10;\nmov.b64 %rd9, {%r9, 0};", values,
        [&](uint64_t x) { return bits(hostConvert<float>(int64_t(x), mode)); });
    checkAll(
        "cvt." + mode + ".f32.s32 %r9, %r0;\nmov.b64 %rd9, {%r9, 0};", values,
        [&](uint64_t x) { return bits(hostConvert<float>(int32_t(x), mode)); });
    checkAll("cvt." + mode + ".f64.u64 %rd9, %rd10;", values,
             [&](uint64_t x) { return bits(hostConvert<double>(x, mode)); });
    checkAll("cvt." + mode + ".f64.s64 %rd9, %rd10;", values, [&](uint64_t x) {
      return bits(hostConvert<double>(int64_t(x), mode));
    });
    checkAll("cvt." + mode + ".f64.s8 %rd9, %r0;", values, [&](uint64_t x) {
      return bits(hostConvert<double>(int8_t(x), mode));
    });
  }
}

//===----------------------------------------------------------------------===//
// Floating point to floating point
//===----------------------------------------------------------------------===//

TEST(PTXConvert, DoubleToSingle) {
  std::vector<double> values = {
      1.0,     1.0 / 3,      -1.0 / 3, 1e-40,   -1e-50,        3.5e38,
      -3.5e38, kInfinity,    1e300,    0.0,     -0.0,          1e-45,
      7e-46,   0x1.000001p0, 0x1p-126, -1e-300, 0x1.ffffffp127};
  for (std::string mode : {"rn", "rz", "rm", "rp"})
    checkAll("cvt." + mode + ".f32.f64 %r9, %rd10;\nmov.b64 %rd9, {%r9, 0};",
             values,
             [&](double x) { return bits(hostConvert<float>(x, mode)); });
}

/// Every 16-bit number to f32 and back is itself.
TEST(PTXConvert, HalvesGoThereAndBack) {
  for (const char *type : {"f16", "bf16"}) {
    std::string text(type);
    for (const char *mode : {"rn", "rz"}) {
      Sweep sweep("cvt.f32." + text + " %r9, %h0;\ncvt." + mode + "." + text +
                  ".f32 %h9, %r9;\nmov.b64 %rd9, {%h9, 0, 0, 0};");
      ASSERT_EQ(sweep.error(), "");
      unsigned exponent = text == "f16" ? 0x7c00 : 0x7f80;
      for (uint64_t h = 0; h < 65536; h += 7)
        if ((h & exponent) != exponent)
          EXPECT_EQ(sweep.run({h}), h) << text;
    }
  }
}

TEST(PTXConvert, HalvesInEveryDirection) {
  auto convert = [](const std::string &modes, float x) {
    return half("cvt." + modes + ".f32 %h9, %r0;", {bits(x)});
  };
  float above = 1 + 0x1p-20f;
  EXPECT_EQ(convert("rn.f16", above), 0x3c00);
  EXPECT_EQ(convert("rz.f16", above), 0x3c00);
  EXPECT_EQ(convert("rp.f16", above), 0x3c01);
  EXPECT_EQ(convert("rm.f16", above), 0x3c00);
  EXPECT_EQ(convert("rm.f16", -above), 0xbc01);
  EXPECT_EQ(convert("rz.f16", 1e9f), 0x7bff);
  EXPECT_EQ(convert("rn.f16", 1e9f), 0x7c00);
  EXPECT_EQ(convert("rp.f16", -1e9f), 0xfbff);
  EXPECT_EQ(convert("rp.f16", 1e-10f), 0x0001);
  EXPECT_EQ(convert("rn.bf16", above), 0x3f80);
  EXPECT_EQ(convert("rp.bf16", above), 0x3f81);
  EXPECT_EQ(convert("rz.bf16", 3.4e38f), 0x7f7f);
  EXPECT_EQ(convert("rn.relu.f16", -1.0f), 0x0000);
  EXPECT_EQ(convert("rn.relu.bf16", 2.0f), 0x4000);
  EXPECT_EQ(convert("rn.sat.f16", 7.0f), 0x3c00);
  EXPECT_EQ(half("cvt.rn.bf16.f32 %h9, %r0;", {0x00018000}), 0x0002);
}

// By way of f32 each would be rounded twice.
TEST(PTXConvert, HalvesFromDoubleRoundOnce) {
  EXPECT_EQ(half("cvt.rn.f16.f64 %h9, %rd10;", {bits(1 + 0x1p-11 + 0x1p-40)}),
            0x3c01);
  EXPECT_EQ(half("cvt.rn.bf16.f64 %h9, %rd10;", {bits(1 + 0x1p-8 - 0x1p-40)}),
            0x3f80);
  EXPECT_EQ(
      half("cvt.rn.bf16.s64 %h9, %rd10;", {(1ull << 60) + (1ull << 52) + 1}),
      0x5d81);
}

TEST(PTXConvert, PairsAndTensorFloats) {
  EXPECT_EQ(
      word("cvt.rz.bf16x2.f32 %r9, %r0, %r1;", {bits(1.999f), bits(-1.999f)}),
      0x3fffbfffu);
  EXPECT_EQ(
      word("cvt.rn.relu.f16x2.f32 %r9, %r0, %r1;", {bits(-2.0f), bits(1.0f)}),
      0x00003c00u);
  EXPECT_EQ(word("cvt.rna.tf32.f32 %r9, %r0;", {bits(1 + 0x1p-11f)}),
            bits(1 + 0x1p-10f));
}

TEST(PTXConvert, FloatToIntegralFloat) {
  for (const char *mode : {"rzi", "rni", "rmi", "rpi"})
    checkAll("cvt." + std::string(mode) + ".f64.f64 %rd9, %rd10;",
             std::vector<double>{2.5, -2.5, 0.3, -0.3, 1e300, -0.0},
             [&](double x) { return bits(roundIn(mode, x)); });
  EXPECT_EQ(word("cvt.sat.f32.f32 %r9, %r0;", {bits(-0.5f)}), 0u);
  EXPECT_EQ(word("cvt.sat.f32.f32 %r9, %r0;", {bits(float(kNaN))}), 0u);
  EXPECT_EQ(half("cvt.rni.f16.f16 %h9, %h0;", {0x3e00}), 0x4000u);
}

//===----------------------------------------------------------------------===//
// Integer to integer
//===----------------------------------------------------------------------===//

TEST(PTXConvert, IntegersSaturate) {
  EXPECT_EQ(word("cvt.sat.u8.s32 %r9, %r0;", {uint32_t(-5)}), 0u);
  EXPECT_EQ(word("cvt.sat.u8.s32 %r9, %r0;", {300}), 255u);
  EXPECT_EQ(word("cvt.sat.s8.s32 %r9, %r0;", {300}), 127u);
  EXPECT_EQ(word("cvt.sat.s8.s32 %r9, %r0;", {uint32_t(-300)}), uint32_t(-128));
  EXPECT_EQ(word("cvt.sat.s32.u32 %r9, %r0;", {0xffffffff}), 0x7fffffffu);
  EXPECT_EQ(wide("cvt.sat.u64.s64 %rd9, %rd10;", {~0ull}), 0u);
  EXPECT_EQ(wide("cvt.sat.s64.u64 %rd9, %rd10;", {~0ull}), ~0ull >> 1);
  EXPECT_EQ(word("cvt.sat.u16.u64 %r9, %rd10;", {1ull << 40}), 0xffffu);
}

TEST(PTXConvert, Packs) {
  EXPECT_EQ(word("cvt.pack.sat.u16.s32 %r9, %r0, %r1;", {70000, uint32_t(-5)}),
            0xffff0000u);
  EXPECT_EQ(word("cvt.pack.sat.s16.s32 %r9, %r0, %r1;", {1, uint32_t(-40000)}),
            0x00018000u);
  EXPECT_EQ(
      word("cvt.pack.sat.u8.s32.b32 %r9, %r0, %r1, %r2;", {300, 7, 0x12345678}),
      0x5678ff07u);
  EXPECT_EQ(word("cvt.pack.sat.s8.s32.b32 %r9, %r0, %r1, 0;",
                 {uint32_t(-300), uint32_t(-1)}),
            0x000080ffu);
  EXPECT_EQ(word("cvt.pack.sat.s4.s32.b32 %r9, %r0, %r1, %r2;",
                 {uint32_t(-9), 5, 0xabcdef01}),
            0xcdef0185u);
  EXPECT_EQ(
      word("cvt.pack.sat.u2.s32.b32 %r9, %r0, %r1, %r2;", {2, 4, 0x80000001}),
      0x0000001bu);
}

//===----------------------------------------------------------------------===//
// Less than 16 bits
//===----------------------------------------------------------------------===//

namespace {
/// A format, by the table of its numbers.
struct SmallNumbers {
  const char *name;
  int bits, mantissa, bias;
  double most;
  bool hasInfinity, hasNaN;

  double decode(uint32_t code) const {
    double sign = code >> (bits - 1) & 1 ? -1 : 1;
    uint32_t magnitude = code & ((1u << (bits - 1)) - 1);
    int exponent = int(magnitude >> mantissa);
    double fraction =
        (magnitude & ((1u << mantissa) - 1)) / double(1u << mantissa);
    double number = exponent ? std::ldexp(1 + fraction, exponent - bias)
                             : std::ldexp(fraction, 1 - bias);
    if (number <= most)
      return sign * number;
    return hasInfinity && fraction == 0 ? sign * kInfinity : kNaN;
  }
  /// The nearest, of two the even one; what is too large is the largest.
  uint32_t encode(double x) const {
    uint32_t sign = std::signbit(x) ? 1u << (bits - 1) : 0, best = 0;
    if (std::isnan(x))
      return hasNaN ? 0x7f : (1u << (bits - 1)) - 1;
    double magnitude = std::min(std::fabs(x), most);
    for (uint32_t code = 0; code < 1u << (bits - 1); ++code) {
      double distance = std::fabs(decode(code) - magnitude);
      double least = std::fabs(decode(best) - magnitude);
      if (distance < least || (distance == least && code % 2 == 0))
        best = code;
    }
    return sign | best;
  }
};
} // namespace

static const SmallNumbers kSmallNumbers[] = {
    {"e4m3x2", 8, 3, 7, 448, false, true},
    {"e5m2x2", 8, 2, 15, 57344, true, true},
    {"e2m3x2", 6, 3, 1, 7.5, false, false},
    {"e3m2x2", 6, 2, 3, 28, false, false},
    {"e2m1x2", 4, 1, 1, 6, false, false}};

/// An instruction whose small operand is in %h4; that of four bits is a byte.
static std::string withSmall(const SmallNumbers &format,
                             const std::string &before,
                             const std::string &after) {
  std::string place = format.bits == 4 ? "%small" : "%h4";
  std::string load =
      format.bits == 4 ? "mov.b16 {%small, %unused}, %h4;\n" : "";
  std::string store = format.bits == 4 ? "mov.b16 %h4, {%small, 0};\n" : "";
  bool isResult = after[0] == ',';
  return "{\n.reg .b8 %small, %unused;\n" + (isResult ? "" : load) + before +
         place + after + "\n" + (isResult ? store : "") + "}\n";
}

/// Each number of each format is one of f16.
TEST(PTXConvert, SmallFormatsToHalves) {
  for (const SmallNumbers &format : kSmallNumbers)
    for (const char *relu : {"", ".relu"}) {
      unsigned width = format.bits == 4 ? 4 : 8;
      Sweep sweep("cvt.u16.u32 %h4, %r0;\n" +
                  withSmall(format,
                            "cvt.rn" + std::string(relu) + ".f16x2." +
                                format.name + " %r9, ",
                            ";") +
                  "cvt.u64.u32 %rd9, %r9;");
      ASSERT_EQ(sweep.error(), "") << format.name;
      for (uint32_t code = 0; code < 1u << format.bits; ++code) {
        uint32_t other = (code * 7 + 3) & ((1u << format.bits) - 1);
        uint64_t got = sweep.run({code | other << width});
        for (uint32_t one : {code, other}) {
          double expected = format.decode(one);
          if (*relu && expected < 0)
            expected = 0;
          _Float16 number;
          auto half = static_cast<uint16_t>(got);
          std::memcpy(&number, &half, 2);
          if (std::isnan(expected))
            EXPECT_EQ(half, 0x7fff) << format.name << " " << one;
          else
            EXPECT_EQ(double(number), expected) << format.name << " " << one;
          got >>= 16;
        }
      }
    }
}

/// Numbers of each format, and what lies between and beyond.
static std::vector<float> numbersAround(const SmallNumbers &format) {
  std::vector<float> values = {
      0,           -0.0f,  float(kInfinity), float(-kInfinity),
      float(kNaN), 1e-30f, -1e30f,           3e38f,
      65504};
  for (uint32_t code = 0; code + 1 < 1u << (format.bits - 1); ++code) {
    auto low = float(format.decode(code)),
         high = float(format.decode(code + 1));
    if (!std::isfinite(low) || !std::isfinite(high))
      continue;
    float middle = (low + high) / 2;
    for (float value : {low, middle, std::nextafter(middle, 0.0f),
                        std::nextafter(middle, 1e9f)})
      values.insert(values.end(), {value, -value});
  }
  return values;
}

TEST(PTXConvert, SinglesToSmallFormats) {
  for (const SmallNumbers &format : kSmallNumbers)
    for (const char *relu : {"", ".relu"}) {
      unsigned width = format.bits == 4 ? 4 : 8;
      Sweep sweep(withSmall(format,
                            "cvt.rn.satfinite" + std::string(relu) + "." +
                                format.name + ".f32 ",
                            ", %r1, %r0;") +
                  "cvt.u64.u16 %rd9, %h4;");
      ASSERT_EQ(sweep.error(), "") << format.name;
      for (float value : numbersAround(format)) {
        bool isCut = *relu && std::signbit(value);
        uint32_t expected = isCut ? 0 : format.encode(value);
        EXPECT_EQ(sweep.run({bits(value), bits(1.0f)}),
                  expected | format.encode(1) << width)
            << format.name << relu << " " << value;
      }
    }
}

TEST(PTXConvert, HalvesToSmallFormats) {
  for (const SmallNumbers &format : kSmallNumbers)
    for (const char *relu : {"", ".relu"}) {
      unsigned width = format.bits == 4 ? 4 : 8;
      Sweep sweep(withSmall(format,
                            "cvt.rn.satfinite" + std::string(relu) + "." +
                                format.name + ".f16x2 ",
                            ", %r0;") +
                  "cvt.u64.u16 %rd9, %h4;");
      ASSERT_EQ(sweep.error(), "") << format.name;
      for (uint32_t low = 0; low < 0x10000; low += 0x1f) {
        auto half = static_cast<uint16_t>(low);
        _Float16 number;
        std::memcpy(&number, &half, 2);
        bool isCut = *relu && low >> 15 && !std::isnan(double(number));
        uint32_t expected = isCut ? 0 : format.encode(double(number));
        EXPECT_EQ(sweep.run({low | 0x3c000000}), expected | format.encode(1)
                                                                << width)
            << format.name << relu << " " << low;
      }
    }
}

TEST(PTXConvert, PowersOfTwo) {
  struct Case {
    float value;
    uint32_t down, up;
  };
  for (Case c :
       {Case{1, 127, 127}, Case{-1.5f, 127, 128}, Case{0, 0, 0},
        Case{0x1p-127f, 0, 0}, Case{0x1.8p-127f, 0, 1}, Case{0x1p-126f, 1, 1},
        Case{3.4e38f, 254, 255}, Case{float(kInfinity), 255, 255},
        Case{float(kNaN), 255, 255}}) {
    auto encode = [&](const char *modifiers) {
      return half("cvt." + std::string(modifiers) +
                      ".ue8m0x2.f32 %h9, %r1, %r0;",
                  {bits(c.value), bits(2.0f)});
    };
    bool isNaN = std::isnan(c.value);
    EXPECT_EQ(encode("rz"), 0x8000 | c.down) << c.value;
    EXPECT_EQ(encode("rp"), 0x8000 | c.up) << c.value;
    EXPECT_EQ(encode("rp.satfinite"),
              0x8000 | (isNaN ? 255 : std::min(c.up, 254u)))
        << c.value;
  }
  EXPECT_EQ(half("cvt.rp.ue8m0x2.bf16x2 %h9, %r0;", {0x3f803fc0}), 0x7f80);
  EXPECT_EQ(word("cvt.rn.bf16x2.ue8m0x2 %r9, %h0;", {0x007f}), 0x00403f80u);
  EXPECT_EQ(word("cvt.rn.bf16x2.ue8m0x2 %r9, %h0;", {0xff80}), 0x7fff4000u);
}

/// What is too large for a shorter type is its largest number.
TEST(PTXConvert, StaysFinite) {
  EXPECT_EQ(half("cvt.rn.satfinite.f16.f32 %h9, %r0;", {bits(1e6f)}), 0x7bff);
  EXPECT_EQ(half("cvt.rn.satfinite.f16.f32 %h9, %r0;", {bits(1.0f)}), 0x3c00);
  EXPECT_EQ(half("cvt.rn.relu.satfinite.f16.f32 %h9, %r0;", {bits(-1e6f)}), 0);
  EXPECT_EQ(
      half("cvt.rz.satfinite.bf16.f32 %h9, %r0;", {bits(float(-kInfinity))}),
      0xff7f);
  EXPECT_EQ(word("cvt.rn.satfinite.f16x2.f32 %r9, %r0, %r1;",
                 {bits(-1e6f), bits(2.0f)}),
            0xfbff4000u);
  EXPECT_EQ(word("cvt.rna.satfinite.tf32.f32 %r9, %r0;", {0x7f7fffff}),
            0x7f7fe000u);
  EXPECT_NE(runBody("cvt.rn.satfinite.f16.f64 %h9, %rd10;").error, "");
  EXPECT_NE(runBody("cvt.rni.satfinite.s32.f32 %r9, %r0;").error, "");
}

TEST(PTXConvert, RefusesWhatHasNoMeaning) {
  for (const char *text :
       {"cvt.pack.sat.u8.s32 %r9, %r0, %r1;",
        "cvt.pack.sat.u16.s32.b32 %r9, %r0, %r1, %r2;",
        "cvt.pack.u16.s32 %r9, %r0, %r1;", "cvt.s32.f32 %r9, %r0;",
        "cvt.f32.s32 %r9, %r0;", "cvt.f16.f32 %h9, %r0;",
        "cvt.rn.f32.f32.f32 %r9, %r0;", "cvt.rn.f16x2.f32 %r9, %r0;",
        "cvt.rn.f32.f64 %h9, %rd10;", "cvt.u32.u64 %r9, %r0;",
        "cvt.rn.f16.f32 %h9, %h0;", "cvt.rn.e4m3x2.f32 %h9, %r0, %r1;",
        "cvt.rn.satfinite.f16x2.e4m3x2 %r9, %h0;",
        "cvt.rn.satfinite.e4m3x2.e5m2x2 %h9, %h0;",
        "cvt.rn.satfinite.f32.e4m3x2 %r9, %h0, %h1;",
        "cvt.rn.e4m3x2.f16x2 %h9, %r0;"})
    EXPECT_NE(runBody(text).error, "") << text;
}
