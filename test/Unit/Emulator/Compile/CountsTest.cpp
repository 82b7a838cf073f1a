//===- CountsTest.cpp - What compiled code counts -------------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../PTXHarness.h"

#include <gtest/gtest.h>

using namespace hetero::emulator;
using namespace hetero::emulator::test;

/// A kernel with registers %f, %d (64 bits), %h2 (pairs), %r and %p.
static Outcome run(const std::string &body, const std::string &before = "") {
  return runCounted(
      ".version 8.0\n.target sm_80\n.address_size 64\n" + before +
          ".visible .entry k(.param .u64 in, .param .u64 out)\n{\n"
          ".reg .pred %p<4>;\n.reg .b32 %r<8>;\n.reg .f32 %f<8>;\n"
          ".reg .f64 %d<8>;\n.reg .b32 %h<8>;\n.reg .b64 %a<8>;\n"
          ".shared .align 16 .b8 tile[64];\n"
          "ld.param.u64 %a0, [in];\nld.param.u64 %a1, [out];\n" +
          body + "\n}\n",
      {1, 2, 3, 4});
}

/// Expects these counts; both are 0 for what does not count.
static void expectCounts(const std::string &body, uint64_t flops,
                         uint64_t bytes, const std::string &before = "") {
  Outcome outcome = run(body, before);
  EXPECT_EQ(outcome.error, "") << body;
  EXPECT_EQ(outcome.counted[kCountedFlops], flops) << body;
  EXPECT_EQ(outcome.counted[kCountedBytes], bytes) << body;
}

TEST(PTXCounts, Operations) {
  expectCounts("add.f32 %f1, %f2, %f3;", 1, 0);
  expectCounts("fma.rn.f32 %f1, %f2, %f3, %f4;", 2, 0);
  expectCounts("fma.rn.f64 %d1, %d2, %d3, %d4;", 2, 0);
  expectCounts("fma.rn.f16x2 %h1, %h2, %h3, %h4;", 4, 0);
  expectCounts("add.rz.f32 %f1, %f2, %f3;\nex2.approx.f32 %f1, %f1;", 2, 0);
  expectCounts("add.s32 %r1, %r2, %r3;\nmov.f32 %f1, %f2;\n"
               "neg.f32 %f1, %f2;\nsetp.lt.f32 %p1, %f1, %f2;",
               0, 0);
}

TEST(PTXCounts, GlobalBytes) {
  expectCounts("ld.global.f32 %f1, [%a0];\nst.global.f64 [%a1], %d1;", 0, 12);
  expectCounts("ld.global.v4.f32 {%f1, %f2, %f3, %f4}, [%a0];", 0, 16);
  expectCounts("ld.f32 %f1, [%a0];", 0, 4);
  expectCounts("red.global.add.f32 [%a1], %f1;", 1, 4);
  expectCounts("st.shared.f32 [tile], %f1;\nmov.u64 %a2, tile;\n"
               "cvta.shared.u64 %a2, %a2;\nld.f32 %f1, [%a2];",
               0, 0);
}

/// What runs counts: each time around a loop, not a path that is not taken, and
/// both before and after a return that stands in the middle of the text.
TEST(PTXCounts, ControlFlow) {
  expectCounts("mov.u32 %r1, 0;\nloop:\nadd.f32 %f1, %f1, %f2;\n"
               "add.u32 %r1, %r1, 1;\nsetp.lt.u32 %p1, %r1, 10;\n"
               "@%p1 bra loop;",
               10, 0);
  expectCounts("setp.eq.u32 %p1, 1, 2;\n@%p1 add.f32 %f1, %f1, %f2;\n"
               "@!%p1 mul.f32 %f1, %f1, %f2;",
               1, 0);
  expectCounts("bra first;\nsecond:\nadd.f32 %f1, %f1, %f2;\nret;\n"
               "first:\nmul.f32 %f1, %f1, %f2;\nbra second;",
               2, 0);
}

/// Each instruction that a thread comes by, with the two that load parameters.
TEST(PTXCounts, Instructions) {
  Outcome outcome = run("mov.u32 %r1, 0;\nloop:\nadd.u32 %r1, %r1, 1;\n"
                        "setp.lt.u32 %p1, %r1, 10;\n@%p1 bra loop;\nret;");
  EXPECT_EQ(outcome.error, "");
  EXPECT_EQ(outcome.counted[kCountedInstructions], 2 + 1 + 30 + 1u);
}

/// Functions count, also when one of them ends the thread.
TEST(PTXCounts, Functions) {
  const char *square = ".func (.reg .f32 r) square(.reg .f32 x)\n{\n"
                       "mul.f32 r, x, x;\nret;\n}\n"
                       ".func last()\n{\n.reg .f32 %f<3>;\n"
                       "add.f32 %f1, %f1, %f2;\nexit;\n}\n";
  expectCounts("call (%f1), square, (%f1);\ncall (%f1), square, (%f1);\n"
               "add.f32 %f1, %f1, %f2;\ncall last;\nadd.f32 %f1, %f1, %f2;",
               4, 0, square);
}

/// Code that does not count leaves the counters alone.
TEST(PTXCounts, OnlyWhenAsked) {
  Outcome outcome = runBody("add.f32 %r4, %r5, %r6;");
  EXPECT_EQ(outcome.error, "");
  EXPECT_EQ(outcome.counted[kCountedFlops], 0u);
  EXPECT_EQ(outcome.counted[kCountedBytes], 0u);
}
