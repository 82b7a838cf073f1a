//===- CompilerTest.cpp - Instructions against C++ ------------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../PTXHarness.h"
#include "gtest/gtest.h"

#include <cmath>
#include <limits>

using namespace hetero::emulator;
using namespace hetero::emulator::test;

static const float kNaN = std::numeric_limits<float>::quiet_NaN();

//===----------------------------------------------------------------------===//
// Integers
//===----------------------------------------------------------------------===//

TEST(PTXInteger, Arithmetic) {
  EXPECT_EQ(word("add.s32 %r9, %r0, %r1;", {7, 5}), 12u);
  EXPECT_EQ(word("sub.s32 %r9, %r0, %r1;", {5, 7}), 0xfffffffeu);
  EXPECT_EQ(word("mul.lo.s32 %r9, %r0, %r1;", {0xffffffff, 7}), 0xfffffff9u);
  EXPECT_EQ(word("mul.hi.u32 %r9, %r0, %r1;", {0xffffffff, 7}), 6u);
  EXPECT_EQ(word("mul.hi.s32 %r9, %r0, %r1;", {0xffffffff, 7}), 0xffffffffu);
  EXPECT_EQ(wide("mul.wide.s32 %rd9, %r0, %r1;", {0xffffffff, 7}),
            uint64_t(-7));
  EXPECT_EQ(
      wide("mad.wide.u32 %rd9, %r0, %r1, %rd12;", {0xffffffff, 7, 1ull << 40}),
      0xffffffffull * 7 + (1ull << 40));
  EXPECT_EQ(word("min.s32 %r9, %r0, %r1;", {0xffffffff, 7}), 0xffffffffu);
  EXPECT_EQ(word("min.u32 %r9, %r0, %r1;", {0xffffffff, 7}), 7u);
  EXPECT_EQ(word("abs.s32 %r9, %r0;", {uint32_t(-9)}), 9u);
}

// Nothing traps on the host, whatever the operands.
TEST(PTXInteger, DivisionHasNoUndefinedCase) {
  EXPECT_EQ(word("div.s32 %r9, %r0, %r1;", {uint32_t(-7), 2}), uint32_t(-3));
  EXPECT_EQ(word("rem.s32 %r9, %r0, %r1;", {uint32_t(-7), 2}), uint32_t(-1));
  EXPECT_EQ(word("div.s32 %r9, %r0, %r1;", {0x80000000, 0xffffffff}),
            0x80000000u);
  EXPECT_EQ(word("rem.s32 %r9, %r0, %r1;", {0x80000000, 0xffffffff}), 0u);
  EXPECT_EQ(word("div.u32 %r9, %r0, %r1;", {5, 0}), 0xffffffffu);
  EXPECT_EQ(wide("div.u64 %rd9, %rd10, %rd11;", {1ull << 40, 3}),
            (1ull << 40) / 3);
}

TEST(PTXInteger, ShiftsClamp) {
  EXPECT_EQ(word("shl.b32 %r9, %r0, %r1;", {1, 31}), 0x80000000u);
  EXPECT_EQ(word("shl.b32 %r9, %r0, %r1;", {1, 32}), 0u);
  EXPECT_EQ(word("shr.u32 %r9, %r0, %r1;", {0x80000000, 40}), 0u);
  EXPECT_EQ(word("shr.s32 %r9, %r0, %r1;", {0x80000000, 40}), 0xffffffffu);
  EXPECT_EQ(wide("shl.b64 %rd9, %rd10, %r1;", {1, 63}), 1ull << 63);
  EXPECT_EQ(half("shl.b16 %h9, %h0, %r1;", {1, 15}), 0x8000u);
}

TEST(PTXInteger, BitFields) {
  EXPECT_EQ(word("bfe.u32 %r9, %r0, %r1, %r2;", {0x12345678, 8, 8}), 0x56u);
  EXPECT_EQ(word("bfe.s32 %r9, %r0, %r1, %r2;", {0x0000f000, 8, 8}),
            0xfffffff0u);
  EXPECT_EQ(word("bfe.s32 %r9, %r0, %r1, %r2;", {0x80000000, 28, 8}),
            0xfffffff8u);
  EXPECT_EQ(word("bfe.s32 %r9, %r0, %r1, %r2;", {0x80000000, 40, 8}),
            0xffffffffu);
  EXPECT_EQ(word("bfe.u32 %r9, %r0, %r1, %r2;", {0xffffffff, 0, 0}), 0u);
  EXPECT_EQ(word("bfi.b32 %r9, %r0, %r1, %r2, %r3;", {0xab, 0x11111111, 8, 8}),
            0x1111ab11u);
  EXPECT_EQ(word("bfi.b32 %r9, %r0, %r1, 0, 32;", {5, 0x11111111}), 5u);
  EXPECT_EQ(word("bfi.b32 %r9, %r0, %r1, 40, 8;", {5, 0x11111111}),
            0x11111111u);
  EXPECT_EQ(word("prmt.b32 %r9, %r0, %r1, 0x7531;", {0x33221100, 0x77665544}),
            0x77553311u);
  EXPECT_EQ(word("prmt.b32 %r9, %r0, %r1, 0x9;", {0x00008000, 0}), 0x000000ffu);
}

TEST(PTXInteger, BitLogic) {
  EXPECT_EQ(word("lop3.b32 %r9, %r0, %r1, %r2, 0x96;", {12, 10, 6}),
            12u ^ 10 ^ 6);
  EXPECT_EQ(word("lop3.b32 %r9, %r0, %r1, %r2, 0xE8;", {12, 10, 6}), 14u);
  EXPECT_EQ(word("clz.b32 %r9, %r0;", {0}), 32u);
  EXPECT_EQ(word("popc.b64 %r9, %rd10;", {~0ull}), 64u);
  EXPECT_EQ(word("brev.b32 %r9, %r0;", {1}), 0x80000000u);
  EXPECT_EQ(word("shf.l.wrap.b32 %r9, %r0, %r1, 8;", {0x11223344, 0x55667788}),
            0x66778811u);
  EXPECT_EQ(word("shf.r.clamp.b32 %r9, %r0, %r1, 40;", {1, 2}), 2u);
}

//===----------------------------------------------------------------------===//
// Floating point
//===----------------------------------------------------------------------===//

TEST(PTXFloat, Arithmetic) {
  EXPECT_EQ(word("add.rn.f32 %r9, %r0, %r1;", {bits(0.1f), bits(0.2f)}),
            bits(0.1f + 0.2f));
  EXPECT_EQ(word("fma.rn.f32 %r9, %r0, %r1, %r2;",
                 {bits(1.0000001f), bits(1.0000001f), bits(-1.0f)}),
            bits(std::fmaf(1.0000001f, 1.0000001f, -1.0f)));
  EXPECT_EQ(wide("div.rn.f64 %rd9, %rd10, %rd11;", {bits(1.0), bits(3.0)}),
            bits(1.0 / 3.0));
  EXPECT_EQ(word("sqrt.rn.f32 %r9, %r0;", {bits(2.0f)}), bits(std::sqrt(2.f)));
  EXPECT_EQ(word("add.sat.f32 %r9, %r0, %r1;", {bits(0.7f), bits(0.7f)}),
            bits(1.0f));
  EXPECT_EQ(word("add.sat.f32 %r9, %r0, %r1;", {bits(kNaN), bits(0.7f)}),
            bits(0.0f));
}

TEST(PTXFloat, DirectedRounding) {
  EXPECT_EQ(word("add.rz.f32 %r9, %r0, %r1;", {bits(1.0f), bits(1e-10f)}),
            bits(1.0f));
  EXPECT_EQ(word("add.rp.f32 %r9, %r0, %r1;", {bits(1.0f), bits(1e-10f)}),
            bits(std::nextafter(1.0f, 2.0f)));
  EXPECT_EQ(word("mul.rm.f32 %r9, %r0, %r1;", {bits(0.0f), bits(1.0f)}),
            bits(0.0f));
  EXPECT_EQ(word("mul.rp.f32 %r9, %r0, %r1;", {bits(-0.0f), bits(1.0f)}),
            bits(-0.0f));
}

// .ftz flushes operands and results and keeps their signs.
TEST(PTXFloat, Subnormals) {
  uint64_t small = bits(-1e-40f);
  EXPECT_EQ(word("add.rn.ftz.f32 %r9, %r0, %r1;", {small, small}), bits(-0.0f));
  EXPECT_EQ(word("add.rn.f32 %r9, %r0, %r1;", {small, bits(-0.0f)}), small);
  EXPECT_TRUE(predicate("setp.eq.ftz.f32 %p9, %r0, %r1;", {small, 0}));
  EXPECT_FALSE(predicate("setp.eq.f32 %p9, %r0, %r1;", {small, 0}));
}

TEST(PTXFloat, NaN) {
  EXPECT_EQ(word("min.f32 %r9, %r0, %r1;", {bits(kNaN), bits(2.0f)}),
            bits(2.0f));
  EXPECT_EQ(word("min.f32 %r9, %r0, %r1;", {bits(0.0f), bits(-0.0f)}),
            bits(-0.0f));
  EXPECT_TRUE(std::isnan(
      runBody("max.NaN.f32 %r9, %r0, %r1;\nst.global.f32 [%rd1], %r9;",
              {bits(kNaN), bits(2.0f)})
          .f32(0)));
  EXPECT_FALSE(predicate("setp.ne.f32 %p9, %r0, %r0;", {bits(kNaN)}));
  EXPECT_TRUE(predicate("setp.neu.f32 %p9, %r0, %r0;", {bits(kNaN)}));
  EXPECT_TRUE(predicate("setp.nan.f32 %p9, %r0, %r1;", {bits(kNaN), 0}));
}

// One rounding: by way of f32 these would come out one unit lower.
TEST(PTXFloat, HalfFmaRoundsOnce) {
  EXPECT_EQ(half("fma.rn.f16 %h9, %h0, %h1, %h2;", {0x3c00, 0x4000, 0x3c00}),
            0x4200u);
  // 1.0078125 * 1.0078125 is 1.01568603515625, then a tiny addend.
  EXPECT_EQ(half("fma.rn.bf16 %h9, %h0, %h1, %h2;", {0x3f80, 0x3f80, 0x3380}),
            0x3f80u);
  // 257/256 is half way between 1 and 1.0078125: the addend decides.
  EXPECT_EQ(word("fma.rn.bf16x2 %r9, %r0, %r1, %r2;",
                 {0x3f803f80, 0x3f803f80, 0x3b803b80}),
            0x3f803f80u);
  EXPECT_EQ(half("fma.rn.bf16 %h9, %h0, %h1, %h2;", {0x3f81, 0x3f84, 0x0080}),
            0x3f85u);
}

//===----------------------------------------------------------------------===//
// Conversion
//===----------------------------------------------------------------------===//

TEST(PTXConvert, FloatToInteger) {
  EXPECT_EQ(word("cvt.rzi.s32.f32 %r9, %r0;", {bits(-2.7f)}), uint32_t(-2));
  EXPECT_EQ(word("cvt.rni.s32.f32 %r9, %r0;", {bits(2.5f)}), 2u);
  EXPECT_EQ(word("cvt.rpi.s32.f32 %r9, %r0;", {bits(2.1f)}), 3u);
  EXPECT_EQ(word("cvt.rzi.s32.f32 %r9, %r0;", {bits(1e20f)}), 0x7fffffffu);
  EXPECT_EQ(word("cvt.rzi.u32.f32 %r9, %r0;", {bits(-1.0f)}), 0u);
  EXPECT_EQ(word("cvt.rzi.s32.f32 %r9, %r0;", {bits(kNaN)}), 0u);
  EXPECT_EQ(wide("cvt.rzi.s64.f32 %rd9, %r0;", {bits(kNaN)}), 1ull << 63);
}

TEST(PTXConvert, ToSmallFloats) {
  EXPECT_EQ(half("cvt.rn.f16.f32 %h9, %r0;", {bits(1.0f)}), 0x3c00u);
  EXPECT_EQ(half("cvt.rn.f16.f32 %h9, %r0;", {bits(65520.0f)}), 0x7c00u);
  EXPECT_EQ(half("cvt.rn.f16.f64 %h9, %rd10;", {bits(1.00048828125000022)}),
            0x3c01u);
  EXPECT_EQ(half("cvt.rn.bf16.f32 %h9, %r0;", {bits(1.00390625f)}), 0x3f80u);
  EXPECT_EQ(half("cvt.rn.bf16.f32 %h9, %r0;", {bits(1.0040f)}), 0x3f81u);
  EXPECT_EQ(word("cvt.rn.f16x2.f32 %r9, %r0, %r1;", {bits(2.0f), bits(1.0f)}),
            0x40003c00u);
  EXPECT_EQ(word("cvt.f32.f16 %r9, %h0;", {0x3c00}), bits(1.0f));
  EXPECT_EQ(half("cvt.rn.f16.s32 %h9, %r0;", {2049}), 0x6800u);
}

TEST(PTXConvert, IntegersExtendAndTruncate) {
  EXPECT_EQ(word("cvt.s32.s8 %r9, %r0;", {0x180}), 0xffffff80u);
  EXPECT_EQ(word("cvt.u32.u8 %r9, %r0;", {0x180}), 0x80u);
  EXPECT_EQ(wide("cvt.s64.s32 %rd9, %r0;", {0xffffffff}), ~0ull);
}

TEST(PTXMove, PacksAndUnpacks) {
  EXPECT_EQ(wide("mov.b64 %rd9, {%r0, %r1};", {1, 2}), 0x200000001ull);
  EXPECT_EQ(word("mov.b64 {_, %r9}, %rd10;", {0x200000001}), 2u);
  EXPECT_EQ(word("mov.b32 %r9, {%h0, %h1};", {1, 2}), 0x20001u);
}

//===----------------------------------------------------------------------===//
// Memory, control, collectives
//===----------------------------------------------------------------------===//

TEST(PTXMemory, Vectors) {
  Outcome o = runBody("ld.global.v4.b32 {%r4,%r5,%r6,%r7}, [%rd0+16];\n"
                      "st.global.v2.b32 [%rd1], {%r7, %r4};",
                      {0, 0, 0x200000001, 0x400000003});
  EXPECT_EQ(o.error, "");
  EXPECT_EQ(o.out[0], 0x100000004ull);
}

TEST(PTXMemory, SharedAndLocalThroughGenericAddresses) {
  const char *body = ".shared .align 8 .b8 s[64];\n.local .align 8 .b8 l[16];\n"
                     "mov.u64 %rd2, s;\ncvta.shared.u64 %rd3, %rd2;\n"
                     "st.u32 [%rd3+4], %r0;\nld.shared.u32 %r4, [%rd2+4];\n"
                     "mov.u64 %rd4, l;\ncvta.local.u64 %rd5, %rd4;\n"
                     "st.local.u32 [%rd4+8], %r4;\nld.u32 %r5, [%rd5+8];\n"
                     "st.global.u32 [%rd1], %r5;";
  Outcome o = runBody(body, {77});
  EXPECT_EQ(o.error, "");
  EXPECT_EQ(o.word(0), 77u);
  EXPECT_EQ(o.faults, 0u);
}

// Each of these must reach the executor, which reports it.
TEST(PTXMemory, BadAccesses) {
  EXPECT_EQ(runBody("ld.global.b32 %r4, [%rd0+4096];\n"
                    "st.global.b32 [%rd1], %r4;")
                .faults,
            1u);
  EXPECT_EQ(runBody("st.global.b32 [%rd1+2], %r0;").faults, 1u);
  EXPECT_EQ(runBody("st.global.b32 [%rd1+-4096], %r0;").faults, 1u);
  EXPECT_EQ(runBody(".shared .align 4 .b8 s[8];\nmov.u32 %r4, s;\n"
                    "st.shared.b32 [%r4+8], %r0;")
                .faults,
            1u);
}

TEST(PTXMemory, Atomics) {
  auto after = [](const char *op) {
    Outcome o = runBody(std::string(op) + "\nld.global.b32 %r5, [%rd0];\n"
                                          "st.global.v2.b32 [%rd1], "
                                          "{%r9, %r5};",
                        {10, 3, 10});
    EXPECT_EQ(o.error, "") << op;
    EXPECT_EQ(o.word(0), 10u) << op;
    return o.out[0] >> 32;
  };
  EXPECT_EQ(after("atom.global.add.u32 %r9, [%rd0], %r1;"), 13u);
  EXPECT_EQ(after("atom.global.max.s32 %r9, [%rd0], %r1;"), 10u);
  EXPECT_EQ(after("atom.global.exch.b32 %r9, [%rd0], %r1;"), 3u);
  EXPECT_EQ(after("atom.global.cas.b32 %r9, [%rd0], %r2, %r1;"), 3u);
  EXPECT_EQ(after("atom.global.inc.u32 %r9, [%rd0], %r1;"), 0u);
  EXPECT_EQ(after("atom.global.dec.u32 %r9, [%rd0], %r1;"), 3u);
}

TEST(PTXControl, LoopsAndPredicates) {
  Outcome o = runBody("mov.b32 %r4, 0;\nmov.b32 %r5, 0;\n"
                      "$L: add.s32 %r4, %r4, %r5;\nadd.s32 %r5, %r5, 1;\n"
                      "setp.lt.s32 %p1, %r5, %r0;\n@%p1 bra $L;\n"
                      "@!%p1 add.s32 %r4, %r4, 1000;\n"
                      "st.global.b32 [%rd1], %r4;",
                      {10});
  EXPECT_EQ(o.error, "");
  EXPECT_EQ(o.word(0), 1045u);
}

TEST(PTXCollectives, ReachTheExecutor) {
  EXPECT_EQ(word("shfl.sync.bfly.b32 %r9|%p1, %r0, 3, 31, -1;", {7}), 2338u);
  EXPECT_EQ(word("setp.ne.s32 %p1, %r0, 0;\n"
                 "vote.sync.ballot.b32 %r9, %p1, -1;",
                 {7}),
            16u);
  EXPECT_TRUE(predicate("setp.ne.s32 %p1, %r0, 0;\n"
                        "vote.sync.any.pred %p9, %p1, -1;",
                        {7}));
}
