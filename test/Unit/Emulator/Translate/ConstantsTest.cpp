//===- ConstantsTest.cpp - Constants, vectors and variables of PTX --------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../PTXHarness.h"

#include <gtest/gtest.h>

using namespace hetero::emulator::test;

namespace {
/// The value of a constant expression in 64 bits.
uint64_t valueOf(const std::string &expression) {
  return wide("mov.u64 %rd9, " + expression + ";", {});
}

uint64_t negative(int64_t number) { return static_cast<uint64_t>(number); }

Outcome runKernel(const std::string &body, const std::string &before = "") {
  return runModule(
      ".version 8.0\n.target sm_80\n.address_size 64\n" + before +
      ".visible .entry k(.param .u64 in, .param .u64 out) { .reg .u64 o, q; "
      ".reg .u32 x, y;\nld.param.u64 o, [out];\n" +
      body + "\nst.global.u32 [o], x; ret; }\n");
}
} // namespace

// Constant expressions have C's operators, their order and their types.
TEST(PTXConstants, Expressions) {
  EXPECT_EQ(valueOf("(1<<4)+3*2-(7/2)"), 19u);
  EXPECT_EQ(valueOf("WARP_SZ*2+1"), 65u);
  EXPECT_EQ(valueOf("3>2?11:12"), 11u);
  EXPECT_EQ(valueOf("1 ? 0 ? 1 : 2 : 3"), 2u);
  EXPECT_EQ(valueOf("~5"), negative(-6));
  EXPECT_EQ(valueOf("!5 + !0"), 1u);
  EXPECT_EQ(valueOf("-7/2"), negative(-3));
  EXPECT_EQ(valueOf("-7 % 3"), negative(-1));
  EXPECT_EQ(valueOf("-8>>1"), negative(-4));
  EXPECT_EQ(valueOf("(.u64)-8>>1"), negative(-8) >> 1);
  EXPECT_EQ(valueOf("0xff & 0x0f | 0x30 ^ 0x10"), 0x2fu);
  EXPECT_EQ(valueOf("1 && 0 || 2 == 2"), 1u);
  EXPECT_EQ(valueOf("-1 < 1"), 1u);
  EXPECT_EQ(valueOf("-1 < 1U"), 0u);
  EXPECT_EQ(valueOf("5U-6 >= 0"), 1u);
  EXPECT_EQ(valueOf("07+0b11+0x1F"), 41u);
  EXPECT_EQ(valueOf("1<<63>>63"), negative(-1));
  EXPECT_EQ(valueOf("1<<64"), 0u);
  EXPECT_EQ(wide("mov.f64 %rd9, 1.0/4+2.5*-2.0;", {}), bits(-4.75));
  EXPECT_EQ(word("mov.f32 %r9, 1.5+2.0;", {}), bits(3.5f));
}

// What is no constant is told, and nothing divides by zero.
TEST(PTXConstants, Errors) {
  auto error = [](const char *expression) {
    return runBody("mov.u64 %rd9, " + std::string(expression) + ";").error;
  };
  EXPECT_NE(error("7/(3-3)").find("division by zero"), std::string::npos);
  EXPECT_NE(error("(1+2").find("expected ')'"), std::string::npos);
  EXPECT_NE(error("1 ? 2").find("expected ':'"), std::string::npos);
  EXPECT_NE(error("1+").find("expected an operand"), std::string::npos);
  EXPECT_NE(error("~1.5").find("does not go with"), std::string::npos);
  EXPECT_NE(error(std::string(1000, '(').c_str()).find("too deeply"),
            std::string::npos);
}

// Offsets and initial values are expressions, too; an array has elements.
TEST(PTXConstants, Addresses) {
  std::string array = ".global .u32 g[4] = {1+2, 3*4, WARP_SZ, -1};\n"
                      ".global .u64 h[2] = {generic(g)+4*2, 1};\n";
  EXPECT_EQ(runKernel("ld.global.u32 x, [g+4*1];", array).word(0), 12u);
  EXPECT_EQ(runKernel("ld.global.u32 x, [g+12-(1<<2)];", array).word(0), 32u);
  EXPECT_EQ(runKernel("ld.global.u32 x, g[1];", array).word(0), 12u);
  EXPECT_EQ(runKernel("mov.u64 q, g[2]; ld.global.u32 x, [q];", array).word(0),
            32u);
  EXPECT_EQ(runKernel("ld.global.u64 q, h[0]; ld.u32 x, [q];", array).word(0),
            32u);
  EXPECT_NE(runKernel("ld.global.u32 x, o[1];", array).error.find("no array"),
            0u);
}

// A register that is a vector is its elements, by themselves and together.
TEST(PTXConstants, VectorRegisters) {
  std::string array = ".global .align 16 .u32 g[4] = {1, 2, 3, 4};\n";
  EXPECT_EQ(runKernel(".reg .v4 .u32 v; ld.global.v4.u32 v, [g]; mad.lo.u32 x, "
                      "v.y, 10, v.w; mad.lo.u32 x, x, 10, v.b;",
                      array)
                .word(0),
            243u);
  EXPECT_EQ(runKernel(".reg .v2 .u32 v<3>; mov.u32 v1.x, 7; mov.u32 v1.g, 9; "
                      "mov.v2.u32 v2, v1; mov.b64 q, v2; shr.u64 q, q, 32; "
                      "cvt.u32.u64 x, q;")
                .word(0),
            9u);
  EXPECT_NE(runKernel(".reg .v2 .u32 v; mov.u32 x, v.z;")
                .error.find("'v' has no element 'z'"),
            std::string::npos);
  // The name is another register's outside.
  EXPECT_EQ(runKernel("{ .reg .v2 .u32 v; mov.u32 v.x, 1; } { .reg .u32 v; "
                      "mov.u32 v, 5; mov.u32 x, v; }")
                .word(0),
            5u);
}

// A function's variables of global and constant memory are its own, once.
TEST(PTXConstants, VariablesOfFunctions) {
  std::string function = ".func (.reg .u32 r) f() { .global .u32 n = 5; .reg "
                         ".u32 x; ld.global.u32 r, [n]; add.u32 x, r, 1; "
                         "st.global.u32 [n], x; ret; }\n";
  Outcome o = runKernel(".const .u32 n[2] = {70, 80}; call (x), f; call (y), "
                        "f; ld.const.u32 x, [n+4]; add.u32 x, x, y;",
                        function);
  EXPECT_EQ(o.error, "");
  EXPECT_EQ(o.faults, 0u);
  EXPECT_EQ(o.word(0), 86u);
}

// A call by an address goes to the targets that a table names, and to no
// others.
TEST(PTXConstants, TargetsOfCalls) {
  std::string functions =
      ".func (.reg .u32 r) f(.reg .u32 a) { add.u32 r, a, 1; ret; }\n"
      ".func (.reg .u32 r) g(.reg .u32 a) { add.u32 r, a, 2; ret; }\n";
  EXPECT_EQ(
      runKernel("P: .calltargets f, g; mov.u64 q, g; call (x), q, (4), P;",
                functions)
          .word(0),
      6u);
  EXPECT_NE(runKernel("P: .calltargets x; mov.u64 q, g; call (x), q, (4), P;",
                      functions)
                .error.find("'x' is not a function"),
            std::string::npos);
}
