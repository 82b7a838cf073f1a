//===- FloatTest.cpp - Floating point against C++ -------------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../PTXHarness.h"
#include "gtest/gtest.h"

#include <cfenv>
#include <cmath>
#include <limits>

using namespace hetero::emulator::test;

static const float kNaN = std::numeric_limits<float>::quiet_NaN();
static const float kInfinity = std::numeric_limits<float>::infinity();

static float asFloat(uint64_t bits) {
  uint32_t word = static_cast<uint32_t>(bits);
  float value;
  std::memcpy(&value, &word, sizeof value);
  return value;
}

/// The value of a 16-bit number.
static float valueOf(uint16_t bits, bool isBFloat) {
  if (isBFloat)
    return asFloat(uint64_t(bits) << 16);
  int exponent = bits >> 10 & 31;
  float mantissa = bits & 1023;
  float value = exponent == 31  ? (mantissa != 0 ? kNaN : kInfinity)
                : exponent == 0 ? std::ldexp(mantissa, -24)
                                : std::ldexp(mantissa + 1024, exponent - 25);
  return bits >> 15 ? -value : value;
}

//===----------------------------------------------------------------------===//
// 32 and 64 bits
//===----------------------------------------------------------------------===//

static int modeOf(const std::string &name) {
  return name == "rz"   ? FE_TOWARDZERO
         : name == "rm" ? FE_DOWNWARD
         : name == "rp" ? FE_UPWARD
                        : FE_TONEAREST;
}

template <typename T, typename Operation>
static T rounded(const std::string &mode, T x, T y, Operation operation) {
  std::fesetround(modeOf(mode));
  volatile T a = x, b = y;
  volatile T result = operation(a, b);
  std::fesetround(FE_TONEAREST);
  return result;
}

template <typename T>
static void checkDirected(const std::string &type, const char *registers,
                          const char *unary) {
  const T values[] = {1, -3, T(0.1), T(1e30), T(-1e-30), T(7), 0};
  auto add = [](T x, T y) { return x + y; };
  auto mul = [](T x, T y) { return x * y; };
  auto div = [](T x, T y) { return x / y; };
  auto sub = [](T x, T y) { return x - y; };
  auto fma = [](T x, T y) { return std::fma(x, y, x); };
  auto root = [](T x, T) { return std::sqrt(x); };
  auto check = [&](const std::string &text, const std::string &mode,
                   auto operation) {
    Sweep sweep(text);
    ASSERT_EQ(sweep.error(), "") << text;
    for (T x : values)
      for (T y : values) {
        T expected = rounded<T>(mode, x, y, operation);
        uint64_t got = sweep.run({bits(x), bits(y)});
        if (std::isnan(expected))
          continue;
        EXPECT_EQ(got, bits(expected)) << text << " of " << x << ", " << y;
      }
  };
  for (std::string mode : {"rn", "rz", "rm", "rp"}) {
    std::string tail = "." + mode + type + registers;
    check("add" + tail, mode, add);
    check("sub" + tail, mode, sub);
    check("mul" + tail, mode, mul);
    check("div" + tail, mode, div);
    std::string three = tail;
    three.insert(three.find(';'), type == ".f32" ? ", %r0" : ", %rd10");
    check("fma" + three, mode, fma);
    check("sqrt." + mode + type + unary, mode, root);
  }
}

TEST(PTXFloat, EveryDirection) {
  checkDirected<float>(".f32", " %r9, %r0, %r1;\nmov.b64 %rd9, {%r9, 0};",
                       " %r9, %r0;\nmov.b64 %rd9, {%r9, 0};");
  checkDirected<double>(".f64", " %rd9, %rd10, %rd11;", " %rd9, %rd10;");
  EXPECT_EQ(word("rcp.rz.f32 %r9, %r0;", {bits(3.0f)}), 0x3eaaaaaau);
  EXPECT_EQ(word("rcp.rp.f32 %r9, %r0;", {bits(3.0f)}), 0x3eaaaaabu);
}

TEST(PTXFloat, ApproximateFunctionsAreAccurate) {
  struct {
    const char *name;
    float (*function)(float);
  } functions[] = {{"sin.approx", std::sin},   {"cos.approx", std::cos},
                   {"ex2.approx", std::exp2},  {"lg2.approx", std::log2},
                   {"tanh.approx", std::tanh}, {"sqrt.approx", std::sqrt}};
  for (const auto &f : functions)
    for (float x : {0.25f, 1.0f, 2.5f, 10.0f})
      EXPECT_NEAR(
          asFloat(word(std::string(f.name) + ".f32 %r9, %r0;", {bits(x)})),
          f.function(x), 1e-6f * std::fabs(f.function(x)) + 1e-7f)
          << f.name << " of " << x;
  EXPECT_EQ(word("rcp.approx.ftz.f32 %r9, %r0;", {bits(4.0f)}), bits(0.25f));
  EXPECT_EQ(word("rsqrt.approx.f32 %r9, %r0;", {bits(4.0f)}), bits(0.5f));
  EXPECT_EQ(wide("rsqrt.approx.f64 %rd9, %rd10;", {bits(4.0)}), bits(0.5));
  EXPECT_EQ(wide("rcp.approx.ftz.f64 %rd9, %rd10;", {bits(4.0)}), bits(0.25));
  EXPECT_EQ(word("div.full.f32 %r9, %r0, %r1;", {bits(1.0f), bits(4.0f)}),
            bits(0.25f));
  EXPECT_EQ(word("lg2.approx.f32 %r9, %r0;", {bits(0.0f)}), bits(-kInfinity));
}

TEST(PTXFloat, SignsAndClasses) {
  EXPECT_EQ(word("copysign.f32 %r9, %r0, %r1;", {bits(-1.0f), bits(5.0f)}),
            bits(-5.0f));
  EXPECT_EQ(wide("copysign.f64 %rd9, %rd10, %rd11;", {bits(1.0), bits(-5.0)}),
            bits(5.0));
  EXPECT_EQ(word("abs.ftz.f32 %r9, %r0;", {bits(-1e-40f)}), 0u);
  EXPECT_EQ(word("neg.f32 %r9, %r0;", {0}), 0x80000000u);
  struct {
    const char *name;
    bool (*test)(float);
  } classes[] = {{"finite", [](float x) { return bool(std::isfinite(x)); }},
                 {"infinite", [](float x) { return bool(std::isinf(x)); }},
                 {"number", [](float x) { return !std::isnan(x); }},
                 {"notanumber", [](float x) { return bool(std::isnan(x)); }},
                 {"normal", [](float x) { return bool(std::isnormal(x)); }},
                 {"subnormal",
                  [](float x) { return std::fpclassify(x) == FP_SUBNORMAL; }}};
  for (const auto &c : classes)
    for (float x : {0.0f, 1.0f, -1e-40f, kInfinity, kNaN})
      EXPECT_EQ(predicate("testp." + std::string(c.name) + ".f32 %p9, %r0;",
                          {bits(x)}),
                c.test(x))
          << c.name << " of " << x;
}

//===----------------------------------------------------------------------===//
// 16 bits
//===----------------------------------------------------------------------===//

/// Every operation on pairs gives in each half what cvt makes of the result.
template <typename Operation>
static void checkHalves(const std::string &name, bool isBFloat,
                        Operation operation) {
  std::string type = isBFloat ? "bf16" : "f16";
  bool isUnary = name[0] == 'u';
  std::string text = name.substr(isUnary);
  Sweep packed(text + "." + type + "x2 %r9, %r0" + (isUnary ? "" : ", %r1") +
               ";\nmov.b64 %rd9, {%r9, 0};");
  Sweep scalar(text + "." + type + " %h9, %h0" + (isUnary ? "" : ", %h1") +
               ";\nmov.b64 %rd9, {%h9, 0, 0, 0};");
  Sweep narrow("cvt.rn." + type +
               ".f32 %h9, %r0;\nmov.b64 %rd9, {%h9, 0, 0, 0};");
  ASSERT_EQ(packed.error() + scalar.error(), "") << text;
  for (uint64_t x = 0x0123; x < 0x10000; x += 0x0457)
    for (uint64_t y : {0x3c00, 0xc123, 0x0001, 0x4248, 0x8000}) {
      float expected = operation(valueOf(x, isBFloat), valueOf(y, isBFloat));
      if (std::isnan(expected) || std::isnan(valueOf(x, isBFloat)))
        continue;
      uint64_t result = narrow.run({bits(expected)});
      EXPECT_EQ(scalar.run({x, y}), result) << text << " of " << x << ", " << y;
      EXPECT_EQ(packed.run({x << 16 | x, y << 16 | y}), result << 16 | result)
          << text << " of " << x << ", " << y;
    }
}

TEST(PTXHalf, Arithmetic) {
  for (bool isBFloat : {false, true}) {
    checkHalves("add.rn", isBFloat, [](float x, float y) { return x + y; });
    checkHalves("sub.rn", isBFloat, [](float x, float y) { return x - y; });
    checkHalves("mul.rn", isBFloat, [](float x, float y) { return x * y; });
    checkHalves("min", isBFloat, [](float x, float y) {
      return x == y ? (std::signbit(x) ? x : y) : std::fmin(x, y);
    });
    checkHalves("max.NaN", isBFloat, [](float x, float y) {
      return x == y ? (std::signbit(x) ? y : x) : std::fmax(x, y);
    });
    checkHalves("uabs", isBFloat, [](float x, float) { return std::fabs(x); });
    checkHalves("uneg", isBFloat, [](float x, float) { return -x; });
    checkHalves("utanh.approx", isBFloat,
                [](float x, float) { return std::tanh(x); });
  }
  checkHalves("uex2.approx", false,
              [](float x, float) { return std::exp2(x); });
  checkHalves("add.sat", false, [](float x, float y) {
    return std::fmin(std::fmax(x + y, 0.0f), 1.0f) + 0.0f;
  });
  EXPECT_EQ(half("ex2.approx.ftz.bf16 %h9, %h0;", {0x4000}), 0x4080u);
}

TEST(PTXHalf, NaNAndSubnormals) {
  EXPECT_EQ(half("min.f16 %h9, %h0, %h1;", {0x7e00, 0x3c00}), 0x3c00u);
  EXPECT_EQ(half("min.NaN.f16 %h9, %h0, %h1;", {0x7e00, 0x3c00}) & 0x7c00,
            0x7c00u);
  EXPECT_EQ(word("max.NaN.bf16x2 %r9, %r0, %r1;", {0x7fc03f80, 0x3f804000}) &
                0x7f80ffffu,
            0x7f804000u);
  EXPECT_EQ(half("mul.ftz.f16 %h9, %h0, %h1;", {0x0400, 0x3800}), 0u);
  EXPECT_EQ(half("mul.f16 %h9, %h0, %h1;", {0x0400, 0x3800}), 0x0200u);
  EXPECT_EQ(half("abs.ftz.f16 %h9, %h0;", {0x8001}), 0u);
  // The host's instructions for bf16 would flush these.
  EXPECT_EQ(half("neg.bf16 %h9, %h0;", {0x0006}), 0x8006u);
  EXPECT_EQ(word("abs.bf16x2 %r9, %r0;", {0x80058006}), 0x00050006u);
  EXPECT_EQ(half("add.rn.bf16 %h9, %h0, %h1;", {0x0006, 0x0001}), 0x0007u);
  EXPECT_EQ(half("fma.rn.relu.bf16 %h9, %h0, %h1, %h2;", {0x0006, 0x3f80, 1}),
            0x0007u);
  EXPECT_EQ(half("max.bf16 %h9, %h0, %h1;", {0x0006, 0x8001}), 0x0006u);
  EXPECT_EQ(half("cvt.rn.relu.bf16.f32 %h9, %r0;", {0x00060000}), 0x0006u);
}

TEST(PTXHalf, SignsOfMagnitudes) {
  EXPECT_EQ(
      word("min.xorsign.abs.f32 %r9, %r0, %r1;", {bits(-3.0f), bits(2.0f)}),
      bits(-2.0f));
  EXPECT_EQ(
      word("max.xorsign.abs.f32 %r9, %r0, %r1;", {bits(-3.0f), bits(-2.0f)}),
      bits(3.0f));
  EXPECT_EQ(
      word("max.xorsign.abs.bf16x2 %r9, %r0, %r1;", {0xbf803f80, 0x40004000}),
      0xc0004000u);
}

TEST(PTXHalf, FmaWithRelu) {
  EXPECT_EQ(
      half("fma.rn.relu.f16 %h9, %h0, %h1, %h2;", {0x3c00, 0xbc00, 0x3800}),
      0u);
  EXPECT_EQ(word("fma.rn.relu.f16x2 %r9, %r0, %r1, %r2;",
                 {0x3c003c00, 0x3c00bc00, 0x38003800}),
            0x3e000000u);
  EXPECT_EQ(word("fma.rn.relu.bf16x2 %r9, %r0, %r1, %r2;",
                 {0x3f803f80, 0x3f80bf80, 0x3f003f00}),
            0x3fc00000u);
  EXPECT_EQ(
      half("fma.rn.sat.f16 %h9, %h0, %h1, %h2;", {0x4000, 0x4000, 0x3c00}),
      0x3c00u);
}

//===----------------------------------------------------------------------===//
// Comparison and selection
//===----------------------------------------------------------------------===//

TEST(PTXComparison, Relations) {
  const float values[] = {-1, 0, 1, kNaN};
  struct {
    const char *name;
    bool (*holds)(float, float);
  } relations[] = {{"eq", [](float x, float y) { return x == y; }},
                   {"ne", [](float x, float y) { return x < y || x > y; }},
                   {"lt", [](float x, float y) { return x < y; }},
                   {"le", [](float x, float y) { return x <= y; }},
                   {"gt", [](float x, float y) { return x > y; }},
                   {"ge", [](float x, float y) { return x >= y; }},
                   {"equ", [](float x, float y) { return !(x < y || x > y); }},
                   {"neu", [](float x, float y) { return x != y; }},
                   {"ltu", [](float x, float y) { return !(x >= y); }},
                   {"leu", [](float x, float y) { return !(x > y); }},
                   {"gtu", [](float x, float y) { return !(x <= y); }},
                   {"geu", [](float x, float y) { return !(x < y); }},
                   {"num", [](float x, float y) { return x == x && y == y; }},
                   {"nan", [](float x, float y) { return x != x || y != y; }}};
  for (const auto &relation : relations) {
    std::string name(relation.name);
    Sweep mask("set." + name +
               ".u32.f32 %r9, %r0, %r1;\nmov.b64 %rd9, {%r9, 0};");
    Sweep one("set." + name +
              ".f32.f32 %r9, %r0, %r1;\nmov.b64 %rd9, {%r9, 0};");
    ASSERT_EQ(mask.error() + one.error(), "");
    for (float x : values)
      for (float y : values) {
        bool holds = relation.holds(x, y);
        EXPECT_EQ(mask.run({bits(x), bits(y)}), holds ? 0xffffffffu : 0u)
            << name << " " << x << " " << y;
        EXPECT_EQ(one.run({bits(x), bits(y)}), holds ? bits(1.0f) : 0u);
      }
  }
}

TEST(PTXComparison, JoinsAndPairs) {
  auto both = [](const std::string &text, std::vector<uint64_t> in) {
    Outcome o = runBody(text + "\nselp.b32 %r4, 1, 0, %p1;\n"
                               "selp.b32 %r5, 1, 0, %p2;\n"
                               "st.global.v2.b32 [%rd1], {%r4, %r5};",
                        std::move(in));
    EXPECT_EQ(o.error, "") << text;
    return std::make_pair(uint32_t(o.out[0]), uint32_t(o.out[0] >> 32));
  };
  using Two = std::pair<uint32_t, uint32_t>;
  EXPECT_EQ(both("setp.lt.s32 %p1|%p2, %r0, %r1;", {1, 2}), Two(1, 0));
  std::string no = "setp.ne.s32 %p3, %r0, %r0;\n";
  EXPECT_EQ(both(no + "setp.lt.and.s32 %p1|%p2, %r0, %r1, %p3;", {1, 2}),
            Two(0, 0));
  EXPECT_EQ(both(no + "setp.gt.or.s32 %p1|%p2, %r0, %r1, !%p3;", {1, 2}),
            Two(1, 1));
  EXPECT_EQ(both(no + "setp.lt.xor.u16 %p1|%p2, %h0, %h1, %p3;", {1, 2}),
            Two(1, 0));
  // The halves of packed numbers.
  EXPECT_EQ(both("setp.lt.f16x2 %p1|%p2, %r0, %r1;", {0x3c004000, 0x40003c00}),
            Two(0, 1));
  EXPECT_EQ(both("setp.ge.bf16x2 %p1|%p2, %r0, %r1;", {0x3f803f80, 0x3f804000}),
            Two(0, 1));
}

TEST(PTXComparison, PackedSet) {
  EXPECT_EQ(word("set.gt.f16x2.f16x2 %r9, %r0, %r1;", {0x40003c00, 0x3c003c00}),
            0x3c000000u);
  EXPECT_EQ(word("set.gt.u32.f16x2 %r9, %r0, %r1;", {0x40003c00, 0x3c003c00}),
            0xffff0000u);
  EXPECT_EQ(
      word("set.eq.bf16x2.bf16x2 %r9, %r0, %r1;", {0x40003f80, 0x3f803f80}),
      0x00003f80u);
  EXPECT_EQ(half("set.eq.u16.f16 %h9, %h0, %h1;", {0x3c00, 0x3c00}), 0xffffu);
}

TEST(PTXComparison, Selection) {
  EXPECT_EQ(word("slct.u32.s32 %r9, 1, 2, %r0;", {uint32_t(-1)}), 2u);
  EXPECT_EQ(word("slct.u32.s32 %r9, 1, 2, %r0;", {0}), 1u);
  EXPECT_EQ(wide("slct.f64.f32 %rd9, %rd10, %rd11, %r2;", {1, 2, bits(-0.0f)}),
            1u);
  EXPECT_EQ(word("slct.b32.f32 %r9, 1, 2, %r0;", {bits(kNaN)}), 2u);
  EXPECT_EQ(word("slct.ftz.b32.f32 %r9, 1, 2, %r0;", {bits(-1e-40f)}), 1u);
  EXPECT_EQ(half("setp.eq.u32 %p1, %r0, 0;\nselp.b16 %h9, %h1, %h2, !%p1;",
                 {0, 5, 6}),
            6u);
}
