//===- CallsTest.cpp - Functions, calls and addresses of them -------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../PTXHarness.h"
#include "gtest/gtest.h"

using namespace hetero::emulator::test;

static const char kKernel[] =
    ".visible .entry k(.param .u64 in, .param .u64 out)\n{\n"
    ".reg .pred %p<9>;\n.reg .b32 %r<20>;\n.reg .b64 %rd<20>;\n"
    "ld.param.u64 %rd0, [in];\nld.param.u64 %rd1, [out];\n"
    "ld.global.u32 %r0, [%rd0];\nld.global.u32 %r1, [%rd0+8];\n";

/// Functions and the body of a kernel that calls them.
static Outcome run(const std::string &functions, const std::string &body,
                   std::vector<uint64_t> in = {}) {
  in.resize(4);
  return runModule(".version 8.0\n.target sm_80\n.address_size 64\n" +
                       functions + kKernel + body + "\nret;\n}\n",
                   in);
}

TEST(PTXCalls, PassThroughParameterSpace) {
  const char *function =
      ".func (.param .b32 result) twice(.param .b32 x)\n{\n.reg .b32 %r<2>;\n"
      "ld.param.u32 %r0, [x];\nadd.u32 %r1, %r0, %r0;\n"
      "st.param.b32 [result+0], %r1;\nret;\n}\n";
  // The names of one call's parameters are free again for the next.
  const char *call = "{\n.param .b32 param0;\nst.param.b32 [param0+0], %r0;\n"
                     ".param .b32 retval0;\n"
                     "call.uni (retval0), twice, (param0);\n"
                     "ld.param.b32 %r0, [retval0+0];\n}\n";
  Outcome o = run(function,
                  std::string(call) + call + "st.global.u32 [%rd1], %r0;", {5});
  EXPECT_EQ(o.error, "");
  EXPECT_EQ(o.word(0), 20u);
}

TEST(PTXCalls, PassThroughRegisters) {
  const char *function = ".func (.reg .b32 sum, .reg .pred isLess) "
                         "both(.reg .b32 x, .reg .b32 y)\n{\n"
                         "add.u32 sum, x, y;\nsetp.lt.u32 isLess, x, y;\n}\n";
  Outcome o = run(function,
                  "call (%r2, %p1), both, (%r0, 7);\n"
                  "selp.u32 %r3, 1, 0, %p1;\n"
                  "st.global.v2.u32 [%rd1], {%r2, %r3};",
                  {5});
  EXPECT_EQ(o.error, "");
  EXPECT_EQ(o.out[0], (1ull << 32) + 12);
}

TEST(PTXCalls, PassStructsByValue) {
  const char *function =
      ".func (.param .align 8 .b8 result[16]) "
      "swap(.param .align 8 .b8 pair[16])\n{\n.reg .b64 %rd<2>;\n"
      "ld.param.v2.b64 {%rd0, %rd1}, [pair];\n"
      "st.param.b64 [result], %rd1;\nst.param.b64 [result+8], %rd0;\nret;\n}\n";
  Outcome o = run(function,
                  "{\n.param .align 8 .b8 a[16];\n.param .align 8 .b8 b[16];\n"
                  "st.param.b32 [a], %r0;\nst.param.b64 [a+8], 9;\n"
                  "call (b), swap, (a);\n"
                  "ld.param.b64 %rd2, [b];\nld.param.b64 %rd3, [b+8];\n}\n"
                  "st.global.v2.b64 [%rd1], {%rd2, %rd3};",
                  {4});
  EXPECT_EQ(o.error, "");
  EXPECT_EQ(o.out[0], 9u);
  EXPECT_EQ(o.out[1], 4u);
}

// Each function has a frame of its own above its caller's.
TEST(PTXCalls, KeepLocalMemoryApart) {
  const char *function =
      ".func inner()\n{\n.local .b32 own;\nst.local.u32 [own], 99;\n}\n"
      ".func (.reg .b32 r) outer(.reg .b32 x)\n{\n"
      ".local .align 8 .b8 own[8];\n.reg .b64 %a;\n"
      "mov.u64 %a, own;\ncvta.local.u64 %a, %a;\nst.u32 [%a+4], x;\n"
      "call inner;\nld.u32 r, [%a+4];\n}\n";
  Outcome o = run(function,
                  ".local .b32 own;\nst.local.u32 [own], 1;\n"
                  "call (%r2), outer, (%r0);\nld.local.u32 %r3, [own];\n"
                  "st.global.v2.u32 [%rd1], {%r2, %r3};",
                  {6});
  EXPECT_EQ(o.error, "");
  EXPECT_EQ(o.out[0], (1ull << 32) + 6);
  EXPECT_EQ(o.faults, 0u);
}

static const char kFactorial[] =
    ".func (.reg .b32 r) factorial(.reg .b32 n)\n{\n.reg .pred %p;\n"
    ".reg .b32 %m;\nmov.u32 r, 1;\nsetp.eq.u32 %p, n, 0;\n@%p ret;\n"
    "sub.u32 %m, n, 1;\ncall (r), factorial, (%m);\nmul.lo.u32 r, r, n;\n}\n";

TEST(PTXCalls, Recursion) {
  Outcome o =
      run(kFactorial,
          "call (%r2), factorial, (%r0);\nst.global.u32 [%rd1], %r2;", {6});
  EXPECT_EQ(o.error, "");
  EXPECT_EQ(o.word(0), 720u);
}

// The thread stops before the stack of the host is used up.
TEST(PTXCalls, EndlessRecursion) {
  EXPECT_EQ(run(kFactorial,
                "call (%r2), factorial, (%r0);\nst.global.u32 [%rd1], %r2;",
                {~0u})
                .faults,
            1u);
}

TEST(PTXCalls, ExitEndsTheThread) {
  const char *function = ".func leave(.reg .b32 x)\n{\n.reg .pred %p;\n"
                         "setp.ne.u32 %p, x, 0;\n@%p exit;\nret;\n}\n"
                         ".func outer(.reg .b32 x)\n{\ncall leave, (x);\n}\n";
  const char *body = "st.global.u32 [%rd1], 1;\ncall outer, (%r0);\n"
                     "st.global.u32 [%rd1], 2;";
  EXPECT_EQ(run(function, body, {0}).word(0), 2u);
  EXPECT_EQ(run(function, body, {1}).word(0), 1u);
}

TEST(PTXCalls, DeclarationsAndAliases) {
  const char *function = ".visible .func (.reg .b32 r) later(.reg .b32 x);\n"
                         ".weak .func (.reg .b32 r) later(.reg .b32 x)\n{\n"
                         "not.b32 r, x;\n}\n"
                         ".extern .func unused(.param .b64 p);\n";
  Outcome o = run(function, "call (%r2), later, (%r0);\n"
                            "st.global.u32 [%rd1], %r2;");
  EXPECT_EQ(o.error, "");
  EXPECT_EQ(o.word(0), ~0u);
}

TEST(PTXCalls, Printf) {
  Outcome o = run(".extern .func (.param .b32 r) vprintf(.param .b64 a, "
                  ".param .b64 b);\n",
                  "{\n.param .b64 a;\n.param .b64 b;\n.param .b32 r;\n"
                  "st.param.b64 [a], %rd0;\nst.param.b64 [b], 0;\n"
                  "call (r), vprintf, (a, b);\nld.param.b32 %r2, [r];\n}\n"
                  "st.global.u32 [%rd1], %r2;");
  EXPECT_EQ(o.error, "");
  EXPECT_EQ(o.word(0), 7u);
}

TEST(PTXCalls, ByAddress) {
  const char *functions =
      ".func (.param .b32 r) next(.param .b32 x)\n{\n.reg .b32 %r;\n"
      "ld.param.b32 %r, [x];\nadd.u32 %r, %r, 1;\nst.param.b32 [r], %r;\n}\n"
      ".func (.param .b32 r) minus(.param .b32 x)\n{\n.reg .b32 %r;\n"
      "ld.param.b32 %r, [x];\nneg.s32 %r, %r;\nst.param.b32 [r], %r;\n}\n"
      ".global .align 8 .u64 both[2] = {next, minus};\n";
  const char *body = "mul.wide.u32 %rd2, %r0, 8;\nmov.u64 %rd3, both;\n"
                     "add.u64 %rd2, %rd3, %rd2;\nld.global.u64 %rd4, [%rd2];\n"
                     "{\n.param .b32 a;\n.param .b32 r;\nst.param.b32 [a], 5;\n"
                     "p: .callprototype (.param .b32 _) _ (.param .b32 _);\n"
                     "call (r), %rd4, (a), p;\nld.param.b32 %r2, [r];\n}\n"
                     "st.global.u32 [%rd1], %r2;";
  EXPECT_EQ(run(functions, body, {0}).error, "");
  EXPECT_EQ(run(functions, body, {0}).word(0), 6u);
  EXPECT_EQ(run(functions, body, {1}).word(0), uint32_t(-5));
  std::string wild = body;
  wild.replace(wild.find("call (r), %rd4"), 14, "call (r), %rd0");
  EXPECT_EQ(run(functions, wild, {0}).faults, 1u);
}

//===----------------------------------------------------------------------===//
// Addresses in initial values
//===----------------------------------------------------------------------===//

TEST(PTXGlobals, HoldAddresses) {
  const char *globals =
      ".global .align 4 .u32 numbers[3] = {10, 20, 30};\n"
      ".global .u64 second = numbers+4;\n"
      ".const .u64 third = generic(numbers)+8;\n"
      ".global .align 8 .b8 bytes[8] = {0xFF(numbers), 0xFF00(numbers), "
      "0xFF0000(numbers), 0xFF000000(numbers), 0xFF00000000(numbers), "
      "0xFF0000000000(numbers), 0xFF000000000000(numbers), "
      "0xFF00000000000000(numbers)};\n";
  Outcome o =
      run(globals, "ld.global.u64 %rd2, [second];\nld.global.u32 %r2, [%rd2];\n"
                   "ld.const.u64 %rd2, [third];\nld.u32 %r3, [%rd2];\n"
                   "ld.global.u64 %rd2, [bytes];\nld.global.u32 %r4, [%rd2];\n"
                   "mov.u64 %rd2, numbers+8;\nld.global.u32 %r5, [%rd2+-8];\n"
                   "st.global.v4.u32 [%rd1], {%r2, %r3, %r4, %r5};");
  EXPECT_EQ(o.error, "");
  EXPECT_EQ(o.out[0], (30ull << 32) + 20);
  EXPECT_EQ(o.out[1], (10ull << 32) + 10);
}

TEST(PTXGlobals, RoundInitialNumbers) {
  Outcome o = run(".global .f32 a[2] = {0.1, 0f3F800000};\n"
                  ".global .f64 b = 0.5;\n",
                  "ld.global.v2.u32 {%r2, %r3}, [a];\n"
                  "ld.global.b64 %rd2, [b];\n"
                  "st.global.v2.b32 [%rd1], {%r2, %r3};\n"
                  "st.global.b64 [%rd1+8], %rd2;");
  EXPECT_EQ(o.error, "");
  EXPECT_EQ(o.out[0], bits(1.0f) << 32 | bits(0.1f));
  EXPECT_EQ(o.out[1], bits(0.5));
}

//===----------------------------------------------------------------------===//
// Errors
//===----------------------------------------------------------------------===//

TEST(PTXCalls, RefuseWhatDoesNotFit) {
  const char *twice = ".func (.reg .b32 r) twice(.reg .b32 x)\n{\n"
                      "add.u32 r, x, x;\n}\n";
  struct {
    const char *functions, *body, *message;
  } cases[] = {
      {twice, "call (%r2), twice, (%r0, %r1);", "expected 1 arguments, got 2"},
      {twice, "call twice, (%r0);", "expected 1 results, got 0"},
      {twice, "call (%r2), missing, (%r0);", "'missing' is not a function"},
      {twice, "call (%r2), twice, (%rd0);", "expected an operand of 32 bits"},
      {twice, "call (%r2), %rd0, (%r0);", "callprototype"},
      {".extern .func gone();\n", "call gone;", "'gone' has no body"},
      {"", "call k, (%rd0, %rd1);", "'k' is not a function"},
      {"", ".param .b32 a;\nst.param.b64 [a], %rd0;", "has only 4 bytes"},
      {".global .u64 a = nothing;\n", "", "address of 'nothing'"},
      {".global .u32 a;\n.global .u32 b = a;\n", "", "in 32 bits"},
      {".extern .global .u32 a;\n", "", "'a' has no definition"},
      {".global .u32 a;\n.global .u32 a;\n", "", "declared twice"},
      {".func f()\n{\n}\n.func f()\n{\n}\n", "", "'f' is defined twice"}};
  for (const auto &c : cases) {
    Outcome o = run(c.functions, c.body);
    EXPECT_NE(o.error.find(c.message), std::string::npos)
        << c.body << ": " << o.error;
    EXPECT_EQ(o.error.rfind("line ", 0), 0u) << o.error;
  }
}
