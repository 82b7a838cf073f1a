//===- PTXConvertTest.cpp - cvt between all types -------------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PTXHarness.h"
#include "gtest/gtest.h"

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

TEST(PTXConvert, RefusesWhatHasNoMeaning) {
  for (const char *text :
       {"cvt.pack.sat.u8.s32 %r9, %r0, %r1;",
        "cvt.pack.sat.u16.s32.b32 %r9, %r0, %r1, %r2;",
        "cvt.pack.u16.s32 %r9, %r0, %r1;", "cvt.s32.f32 %r9, %r0;",
        "cvt.f32.s32 %r9, %r0;", "cvt.f16.f32 %h9, %r0;",
        "cvt.rn.f32.f32.f32 %r9, %r0;", "cvt.rn.f16x2.f32 %r9, %r0;",
        "cvt.rn.f32.f64 %h9, %rd10;", "cvt.u32.u64 %r9, %r0;",
        "cvt.rn.f16.f32 %h9, %h0;"})
    EXPECT_NE(runBody(text).error, "") << text;
}
