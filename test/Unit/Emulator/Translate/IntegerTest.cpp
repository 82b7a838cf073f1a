//===- IntegerTest.cpp - Integers and bits against C++ --------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../PTXHarness.h"
#include "gtest/gtest.h"

#include <algorithm>
#include <cstdlib>

using namespace hetero::emulator::test;

static const std::vector<uint32_t> kWords = {
    0,          1,          2,          31,         32,         33,
    0x7f,       0x80,       0xff,       0x1234,     0x8000,     0xffff,
    0x12345678, 0x7fffffff, 0x80000000, 0x80000001, 0xfffffffe, 0xffffffff};

/// Compares an instruction of two words with `expected` for all pairs.
template <typename Expected>
static void checkPairs(const std::string &instruction, Expected expected) {
  Sweep sweep(instruction + "\nmov.b64 %rd9, {%r9, 0};");
  ASSERT_EQ(sweep.error(), "") << instruction;
  for (uint32_t x : kWords)
    for (uint32_t y : kWords)
      EXPECT_EQ(static_cast<uint32_t>(sweep.run({x, y})), expected(x, y))
          << instruction << " of " << x << ", " << y;
}

static uint32_t signedWord(int64_t x) { return static_cast<uint32_t>(x); }
static int64_t extend(uint32_t x) { return static_cast<int32_t>(x); }

static int64_t clampWord(int64_t x) {
  return std::min<int64_t>(std::max<int64_t>(x, INT32_MIN), INT32_MAX);
}

//===----------------------------------------------------------------------===//
// Arithmetic
//===----------------------------------------------------------------------===//

TEST(PTXInteger, Saturation) {
  checkPairs("add.sat.s32 %r9, %r0, %r1;", [](uint32_t x, uint32_t y) {
    return signedWord(clampWord(extend(x) + extend(y)));
  });
  checkPairs("sub.sat.s32 %r9, %r0, %r1;", [](uint32_t x, uint32_t y) {
    return signedWord(clampWord(extend(x) - extend(y)));
  });
  checkPairs("mad.hi.sat.s32 %r9, %r0, %r1, %r0;", [](uint32_t x, uint32_t y) {
    return signedWord(clampWord((extend(x) * extend(y) >> 32) + extend(x)));
  });
}

TEST(PTXInteger, Products24) {
  auto low = [](uint32_t x) { return int64_t(x & 0xffffff); };
  auto lowSigned = [](uint32_t x) { return int64_t(int32_t(x << 8) >> 8); };
  checkPairs("mul24.lo.u32 %r9, %r0, %r1;",
             [&](uint32_t x, uint32_t y) { return uint32_t(low(x) * low(y)); });
  checkPairs("mul24.hi.u32 %r9, %r0, %r1;", [&](uint32_t x, uint32_t y) {
    return uint32_t(low(x) * low(y) >> 16);
  });
  checkPairs("mul24.hi.s32 %r9, %r0, %r1;", [&](uint32_t x, uint32_t y) {
    return uint32_t(lowSigned(x) * lowSigned(y) >> 16);
  });
  checkPairs("mad24.lo.s32 %r9, %r0, %r1, %r1;", [&](uint32_t x, uint32_t y) {
    return uint32_t(lowSigned(x) * lowSigned(y)) + y;
  });
  checkPairs(
      "mad24.hi.sat.s32 %r9, %r0, %r1, %r1;", [&](uint32_t x, uint32_t y) {
        return signedWord(clampWord(
            extend(uint32_t(lowSigned(x) * lowSigned(y) >> 16)) + extend(y)));
      });
}

TEST(PTXInteger, SumsOfDifferences) {
  checkPairs("sad.u32 %r9, %r0, %r1, %r1;", [](uint32_t x, uint32_t y) {
    return std::max(x, y) - std::min(x, y) + y;
  });
  checkPairs("sad.s32 %r9, %r0, %r1, %r1;", [](uint32_t x, uint32_t y) {
    return signedWord(std::abs(extend(x) - extend(y))) + y;
  });
}

TEST(PTXInteger, DotProducts) {
  auto dot = [](uint32_t x, uint32_t y, unsigned width, unsigned first,
                bool xSigned, bool ySigned) {
    uint32_t sum = y;
    for (unsigned i = 0; i < 32 / width; ++i) {
      uint32_t a = x >> i * width & ((1u << width) - 1);
      uint32_t c = y >> (first + i * 8) & 255;
      if (xSigned && a >> (width - 1))
        a -= 1u << width;
      if (ySigned && c >> 7)
        c -= 256;
      sum += a * c;
    }
    return sum;
  };
  for (bool xSigned : {false, true})
    for (bool ySigned : {false, true}) {
      std::string types = std::string(xSigned ? ".s32" : ".u32") +
                          (ySigned ? ".s32" : ".u32") + " %r9, %r0, %r1, %r1;";
      checkPairs("dp4a" + types, [&](uint32_t x, uint32_t y) {
        return dot(x, y, 8, 0, xSigned, ySigned);
      });
      checkPairs("dp2a.lo" + types, [&](uint32_t x, uint32_t y) {
        return dot(x, y, 16, 0, xSigned, ySigned);
      });
      checkPairs("dp2a.hi" + types, [&](uint32_t x, uint32_t y) {
        return dot(x, y, 16, 16, xSigned, ySigned);
      });
    }
}

TEST(PTXInteger, AbsoluteDifferences) {
  auto differences = [](uint32_t x, uint32_t y, unsigned bits, bool isSigned,
                        bool adds) {
    uint32_t result = adds ? y : 0, most = (1u << bits) - 1;
    for (unsigned shift = 0; shift < 32; shift += bits) {
      int64_t a = x >> shift & most, c = y >> shift & most;
      if (isSigned) {
        a -= a >> (bits - 1) << bits;
        c -= c >> (bits - 1) << bits;
      }
      auto difference = static_cast<uint32_t>(std::abs(a - c));
      result += adds ? difference : (difference & most) << shift;
    }
    return result;
  };
  for (unsigned bits : {8u, 16u})
    for (bool isSigned : {false, true})
      for (bool adds : {false, true}) {
        std::string types = isSigned ? ".s32.s32" : ".u32.u32";
        checkPairs((bits == 8 ? "vabsdiff4.u32" : "vabsdiff2.u32") + types +
                       (adds ? ".add" : "") + " %r9, %r0, %r1, %r" +
                       (adds ? "1;" : "0;"),
                   [&](uint32_t x, uint32_t y) {
                     return differences(x, y, bits, isSigned, adds);
                   });
      }
}

TEST(PTXInteger, Packed) {
  Outcome o = runBody("add.u16x2 %r4, %r0, %r1;\nmax.s16x2 %r5, %r0, %r1;\n"
                      "st.global.v2.b32 [%rd1], {%r4, %r5};",
                      {0x0001ffff, 0xffff0001});
  // Only newer devices have these, but they are well-formed.
  EXPECT_EQ(o.error, "");
  EXPECT_EQ(o.out[0], 0x0001000100000000ull);
}

//===----------------------------------------------------------------------===//
// Carry
//===----------------------------------------------------------------------===//

using Wide = unsigned __int128;

/// An instruction sequence on 128-bit numbers (low halves %rd10, %rd12).
static Wide run128(const std::string &body, Wide x, Wide y) {
  Outcome o =
      runBody(body + "\nst.global.v2.b64 [%rd1], {%rd4, %rd5};",
              {uint64_t(x), uint64_t(x >> 64), uint64_t(y), uint64_t(y >> 64)});
  EXPECT_EQ(o.error, "");
  return Wide(o.out[1]) << 64 | o.out[0];
}

TEST(PTXInteger, CarryChains) {
  const Wide values[] = {0,
                         1,
                         ~Wide(0),
                         Wide(~0ull),
                         Wide(1) << 127,
                         (Wide(0x123456789abcdef) << 64) | ~0ull};
  for (Wide x : values)
    for (Wide y : values) {
      EXPECT_TRUE(run128("add.cc.u64 %rd4, %rd10, %rd12;\n"
                         "addc.u64 %rd5, %rd11, %rd13;",
                         x, y) == x + y);
      EXPECT_TRUE(run128("sub.cc.s64 %rd4, %rd10, %rd12;\n"
                         "subc.cc.s64 %rd5, %rd11, %rd13;",
                         x, y) == x - y);
    }
}

namespace {
/// An instruction that leaves a flag, or takes one, and what it does: as
/// processors do, a difference is a sum of the complement.
struct CarryOp {
  const char *text; ///< Of %r0 and %r1.
  bool subtracts, takes, multiplies;

  uint32_t compute(uint32_t x, uint32_t y, bool in, bool &out) const {
    uint64_t first = multiplies ? uint32_t(x * y) : x;
    uint64_t second = subtracts ? ~y : y;
    uint64_t sum = first + second + (takes ? in : subtracts);
    out = sum >> 32;
    return static_cast<uint32_t>(sum);
  }
};
} // namespace

/// Any may follow any.
TEST(PTXInteger, FlagsOfSumsAndDifferences) {
  const CarryOp leaving[] = {
      {"add.cc.u32 %r4, %r0, %r1;", false, false, false},
      {"sub.cc.u32 %r4, %r0, %r1;", true, false, false},
      {"addc.cc.u32 %r4, %r0, %r1;", false, true, false},
      {"subc.cc.s32 %r4, %r0, %r1;", true, true, false},
      {"mad.lo.cc.u32 %r4, %r0, %r1, %r1;", false, false, true},
      {"madc.lo.cc.u32 %r4, %r0, %r1, %r1;", false, true, true}};
  const CarryOp taking[] = {
      {"addc.u32 %r5, %r0, %r1;", false, true, false},
      {"addc.cc.s32 %r5, %r0, %r1;", false, true, false},
      {"subc.u32 %r5, %r0, %r1;", true, true, false},
      {"subc.cc.u32 %r5, %r0, %r1;", true, true, false},
      {"madc.lo.u32 %r5, %r0, %r1, %r1;", false, true, true}};
  const uint32_t values[] = {0, 1, 2, 0x7fffffff, 0x80000000, ~0u};
  for (const CarryOp &first : leaving)
    for (const CarryOp &second : taking) {
      Sweep sweep("add.cc.u32 %r6, %r2, 0xffffffff;\n" +
                  std::string(first.text) + second.text +
                  "mov.b64 %rd9, {%r4, %r5};");
      ASSERT_EQ(sweep.error(), "");
      for (uint32_t x : values)
        for (uint32_t y : values)
          for (uint32_t before : {0u, 1u}) {
            bool flag = false, last;
            uint32_t low = first.compute(x, y, before, flag);
            uint64_t high = second.compute(x, y, flag, last);
            EXPECT_EQ(sweep.run({x, y, before}), high << 32 | low)
                << first.text << second.text << x << " " << y << " " << before;
          }
    }
}

/// What was not borrowed is a carry.
TEST(PTXInteger, CarryAfterADifference) {
  EXPECT_EQ(word("sub.cc.u32 %r4, %r0, 2;\naddc.u32 %r9, 0, 0;", {1}), 0u);
  EXPECT_EQ(word("sub.cc.u32 %r4, %r0, 2;\naddc.u32 %r9, 0, 0;", {2}), 1u);
  EXPECT_EQ(word("add.cc.u32 %r4, %r0, 2;\nsubc.u32 %r9, 0, 0;", {1}), ~0u);
  EXPECT_EQ(word("sub.cc.u32 %r4, %r0, 2;\nsubc.u32 %r9, 0, 0;", {1}), ~0u);
}

// 64 by 64 bits in words: the carries of madc reach the top.
TEST(PTXInteger, CarryOfProducts) {
  const char *body = "mul.lo.u32 %r4, %r0, %r2;\nmul.hi.u32 %r5, %r0, %r2;\n"
                     "mad.lo.cc.u32 %r5, %r0, %r3, %r5;\n"
                     "madc.hi.u32 %r6, %r0, %r3, 0;\n"
                     "mad.lo.cc.u32 %r5, %r1, %r2, %r5;\n"
                     "madc.hi.cc.u32 %r6, %r1, %r2, %r6;\n"
                     "addc.u32 %r7, 0, 0;\n"
                     "mad.lo.cc.u32 %r6, %r1, %r3, %r6;\n"
                     "madc.hi.u32 %r7, %r1, %r3, %r7;\n"
                     "st.global.v4.b32 [%rd1], {%r4, %r5, %r6, %r7};";
  for (uint64_t x : {~0ull, 0x123456789abcdef0ull, 0xffffffff00000001ull}) {
    uint64_t y = 0xfedcba9876543211ull ^ x << 7;
    Outcome o = runBody(body, {x & ~0u, x >> 32, y & ~0u, y >> 32});
    EXPECT_EQ(o.error, "");
    EXPECT_EQ(o.out[0], uint64_t(Wide(x) * y));
    EXPECT_EQ(o.out[1], uint64_t(Wide(x) * y >> 64));
  }
}

//===----------------------------------------------------------------------===//
// Bits
//===----------------------------------------------------------------------===//

TEST(PTXInteger, FindsTheHighestBit) {
  auto highest = [](uint32_t x) { return x ? 31u - __builtin_clz(x) : ~0u; };
  checkPairs("bfind.u32 %r9, %r0;",
             [&](uint32_t x, uint32_t) { return highest(x); });
  checkPairs("bfind.s32 %r9, %r0;", [&](uint32_t x, uint32_t) {
    return highest(int32_t(x) < 0 ? ~x : x);
  });
  checkPairs("bfind.shiftamt.u32 %r9, %r0;",
             [&](uint32_t x, uint32_t) { return x ? 31 - highest(x) : ~0u; });
  EXPECT_EQ(word("bfind.u64 %r9, %rd10;", {1ull << 40}), 40u);
  EXPECT_EQ(word("bfind.s64 %r9, %rd10;", {~0ull}), ~0u);
  EXPECT_EQ(word("clz.b64 %r9, %rd10;", {1ull << 40}), 23u);
}

TEST(PTXInteger, FindsTheNextSetBit) {
  auto find = [](uint32_t mask, uint32_t base, int offset) {
    return word("fns.b32 %r9, %r0, %r1, %r2;", {mask, base, uint32_t(offset)});
  };
  EXPECT_EQ(find(0xb0, 4, 0), 4u);
  EXPECT_EQ(find(0xb0, 6, 0), ~0u);
  EXPECT_EQ(find(0xb0, 0, 1), 4u);
  EXPECT_EQ(find(0xb0, 0, 3), 7u);
  EXPECT_EQ(find(0xb0, 0, 4), ~0u);
  EXPECT_EQ(find(0xb0, 31, -2), 5u);
  EXPECT_EQ(find(0xb0, 32, 1), ~0u);
}

TEST(PTXInteger, LogicWithPredicate) {
  std::string yes = "setp.eq.u32 %p1, %r0, %r0;\n";
  EXPECT_TRUE(predicate(yes + "lop3.or.b32 %r9|%p9, %r0, %r1, %r2, 0, %p1;",
                        {1, 2, 3}));
  EXPECT_FALSE(predicate(yes + "lop3.and.b32 %r9|%p9, %r0, %r1, 0, 0x80, %p1;",
                         {1, 2, 3}));
}

TEST(PTXInteger, Masks) {
  checkPairs("bmsk.clamp.b32 %r9, %r0, %r1;", [](uint32_t at, uint32_t n) {
    uint64_t field = n >= 32 ? 0xffffffffull : (1ull << n) - 1;
    return at >= 32 ? 0u : uint32_t(field << at);
  });
  checkPairs("bmsk.wrap.b32 %r9, %r0, %r1;", [](uint32_t at, uint32_t n) {
    return uint32_t(((1ull << (n & 31)) - 1) << (at & 31));
  });
}

TEST(PTXInteger, Extension) {
  auto extended = [](uint32_t x, uint32_t n, bool isSigned) {
    if (n == 0)
      return 0u;
    if (n >= 32)
      return x;
    uint32_t mask = (1u << n) - 1;
    return isSigned && x >> (n - 1) & 1 ? x | ~mask : x & mask;
  };
  checkPairs("szext.clamp.s32 %r9, %r0, %r1;",
             [&](uint32_t x, uint32_t n) { return extended(x, n, true); });
  checkPairs("szext.wrap.s32 %r9, %r0, %r1;",
             [&](uint32_t x, uint32_t n) { return extended(x, n & 31, true); });
  checkPairs("szext.clamp.u32 %r9, %r0, %r1;",
             [&](uint32_t x, uint32_t n) { return extended(x, n, false); });
}

TEST(PTXInteger, PermuteModes) {
  const uint32_t expected[][4] = {
      {0x33221100, 0x44332211, 0x55443322, 0x66554433},  // f4e
      {0x55667700, 0x66770011, 0x77001122, 0x00112233},  // b4e
      {0x00000000, 0x11111111, 0x22222222, 0x33333333},  // rc8
      {0x33221100, 0x33221111, 0x33222222, 0x33333333},  // ecl
      {0x00000000, 0x11111100, 0x22221100, 0x33221100},  // ecr
      {0x11001100, 0x33223322, 0x11001100, 0x33223322}}; // rc16
  const char *modes[] = {"f4e", "b4e", "rc8", "ecl", "ecr", "rc16"};
  for (unsigned mode = 0; mode < 6; ++mode)
    for (uint64_t selector = 0; selector < 4; ++selector)
      EXPECT_EQ(
          word("prmt.b32." + std::string(modes[mode]) + " %r9, %r0, %r1, %r2;",
               {0x33221100, 0x77665544, selector + 4}),
          expected[mode][selector])
          << modes[mode] << " " << selector;
}

TEST(PTXInteger, FunnelShifts) {
  auto pair = [](uint32_t low, uint32_t high) {
    return uint64_t(high) << 32 | low;
  };
  checkPairs("shf.l.wrap.b32 %r9, %r0, %r1, %r1;", [&](uint32_t x, uint32_t y) {
    return uint32_t(pair(x, y) << (y & 31) >> 32);
  });
  checkPairs("shf.l.clamp.b32 %r9, %r0, %r1, %r1;",
             [&](uint32_t x, uint32_t y) {
               return uint32_t(y >= 32 ? x : pair(x, y) << y >> 32);
             });
  checkPairs("shf.r.wrap.b32 %r9, %r0, %r1, %r1;", [&](uint32_t x, uint32_t y) {
    return uint32_t(pair(x, y) >> (y & 31));
  });
}

TEST(PTXInteger, LogicOfPredicatesAndHalves) {
  EXPECT_EQ(word("cnot.b32 %r9, %r0;", {0}), 1u);
  EXPECT_EQ(word("cnot.b32 %r9, %r0;", {7}), 0u);
  EXPECT_EQ(half("not.b16 %h9, %h0;", {0x00ff}), 0xff00u);
  EXPECT_TRUE(predicate("setp.eq.u32 %p1, %r0, 1;\nnot.pred %p2, %p1;\n"
                        "xor.pred %p9, %p1, %p2;",
                        {1}));
  EXPECT_EQ(wide("bfi.b64 %rd9, %rd10, %rd11, 60, 10;", {0x3ff, 0}),
            0xfull << 60);
  EXPECT_EQ(wide("bfe.s64 %rd9, %rd10, 8, 8;", {0xf000}), ~0ull << 4);
}
