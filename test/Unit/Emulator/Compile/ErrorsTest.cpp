//===- ErrorsTest.cpp - What malformed PTX says ---------------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../PTXHarness.h"
#include "gtest/gtest.h"

using namespace hetero::emulator::test;

namespace {
/// A text and a part of the one error that it must give.
struct Case {
  const char *text, *message;
};
} // namespace

static void check(const Case &c, const Outcome &outcome) {
  const std::string &error = outcome.error;
  EXPECT_EQ(error.rfind("line ", 0), 0u) << c.text << ": " << error;
  EXPECT_NE(error.find(c.message), std::string::npos)
      << c.text << ": " << error;
  EXPECT_EQ(error.find('\n'), std::string::npos) << c.text << ": " << error;
}

//===----------------------------------------------------------------------===//
// Instructions
//===----------------------------------------------------------------------===//

TEST(PTXErrors, Instructions) {
  const Case cases[] = {
      {"frobnicate.s32 %r1, %r2;", "'frobnicate.s32' is not supported"},
      {"add.s32 %r1, %r2;", "expected 3 operands, got 2"},
      {"add.s32 %r1, %r2, %r3, %r4;", "expected 3 operands, got 4"},
      {"add.b32 %r1, %r2, %r3;", "the type '.b32'"},
      {"add %r1, %r2, %r3;", "expected 1 types, got 0"},
      {"add.s32.s32 %r1, %r2, %r3;", "expected 1 types, got 2"},
      {"add.rz.s32 %r1, %r2, %r3;", "the modifier '.rz'"},
      {"mul.s32 %r1, %r2, %r3;", "one of the modifiers 'lo hi', got 0"},
      {"mul.lo.hi.s32 %r1, %r2, %r3;", "one of the modifiers 'lo hi', got 2"},
      {"mul.wide.u64 %rd1, %rd2, %rd3;", "the modifier '.wide'"},
      {"add.s32 %r1, %r2, %rd3;", "expected an operand of 32 bits, got '%rd3'"},
      {"add.s64 %rd1, %rd2, %r3;", "expected an operand of 64 bits"},
      {"add.s32 %rd1, %r2, %r3;", "expected a destination of 32 bits"},
      {"add.s32 %r1, %p2, %r3;", "expected an operand of 32 bits"},
      {"add.s32 %r1, %r2, %r77;", "unknown name '%r77'"},
      {"add.s32 1, %r2, %r3;", "the destination is not a register"},
      {"add.s32 %tid.x, %r2, %r3;", "'%tid' is not a register"},
      {"mov.u32 %r1, %tid.q;", "unknown name '%tid.q'"},
      {"mov.u32 %r1, {%r2};", "expected two or four elements"},
      {"mov.b64 %rd1, {%r1, %rd2};", "expected an operand of 32 bits"},
      {"mov.u32 %r1, [%rd1];", "expected a register or a number"},
      {"ld.global.u32 %r1, %rd0;", "expected an address in brackets"},
      {"ld.global.v2.u32 %r1, [%rd0];", "expected 2 elements, got 1"},
      {"ld.global.v4.f64 {%rd1,%rd2,%rd3,%rd4,%rd5}, [%rd0];",
       "expected 4 elements, got 5"},
      {"ld.u64 %r1, [%rd0];", "expected a destination of 64 bits"},
      {"st.param.u32 [in], %r0, %r1;", "L2::cache_hint"},
      {"setp.foo.s32 %p1, %r1, %r2;", "the modifier '.foo'"},
      {"setp.equ.s32 %p1, %r1, %r2;", "the relation 'equ'"},
      {"setp.eq.and.s32 %p1, %r1, %r2;", "expected a predicate"},
      {"setp.eq.s32 %p1, %r1, %r2, %p3;", "a fourth operand needs"},
      {"lop3.b32 %r1, %r2, %r3, %r4, 256;", "a number from 0 to 255"},
      {"@%r1 add.s32 %r1, %r2, %r3;", "expected an operand of 1 bits"},
      {"bra missing;", "unknown label 'missing'"},
      {"bra 7;", "expected a label"},
      {"brx.idx %r1, missing;", "'.branchtargets'"},
      {"cvt.f16.f32 %h1, %r1;", "expected a rounding"},
      {"atom.global.add.u32 %r1, [%rd0];", "operands, got 2"},
      {"atom.global.cas.b32 %r1, [%rd0], 1;", "operands, got 3"},
      {"atom.global.frob.u32 %r1, [%rd0], 1;", "'.frob'"},
      {"add.u32 %r1, !%r2, 1;", "not a predicate"},
      {"cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes"
       ".multicast::cluster [%r1], [%rd1], 16, [%r2], %h1;",
       "the modifier '.multicast::cluster'"},
      {"cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes "
       "[%r1], [%rd1], 16, [%r2], %rd2;",
       "expected 4 operands, got 5"},
      {"cp.async.bulk.tensor.2d.shared::cluster.global.im2col"
       ".mbarrier::complete_tx::bytes [%r1], [%rd1, {%r2, %r3}], [%r4];",
       "the modifier '.im2col'"},
      {"cp.async.bulk.tensor.2d.shared::cluster.global"
       ".mbarrier::complete_tx::bytes [%r1], [%rd1, {%r2}], [%r4];",
       "expected 2 coordinates, got 1"},
      {"cp.async.bulk.tensor.2d.shared::cluster.global"
       ".mbarrier::complete_tx::bytes [%r1], [%rd1], [%r4];",
       "expected a tensor map and coordinates in brackets"},
      {"cp.async.bulk.wait_group 64;", "expected a number of groups below 64"},
      {"setmaxnreg.inc.sync.aligned.u32 250;",
       "expected a number of registers from 24 to 256, a multiple of 8"},
      {"wgmma.mma_async.sync.aligned.m64n12k16.f32.f16.f16 {%r1}, %rd1, %rd2, "
       "%p1, 1, 1, 0, 0;",
       "its types do not go with its shape"},
      {"wgmma.mma_async.sync.aligned.m64n40k32.s32.s8.s8 {%r1}, %rd1, %rd2, "
       "%p1;",
       "its types do not go with its shape"},
      {"wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%r1, %r2}, %rd1, "
       "%rd2, %p1, 1, 1, 0, 0;",
       "expected 4 registers, got 2"},
      {"wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%r1, %r2, %r3, %r4},"
       " %rd1, %rd2, %p1, 2, 1, 0, 0;",
       "expected 1 or -1 as the scale of an operand"},
      {"wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%r1, %r2, %r3, %r4},"
       " %rd1, %rd2, %p1, 1, 1, 0, 2;",
       "expected 0 or 1 for the order of an operand"},
      {"wgmma.mma_async.sync.aligned.m64n8k32.f32.e4m3.s8 {%r1, %r2, %r3, "
       "%r4}, %rd1, %rd2, %p1, 1, 1;",
       "is not supported"},
      {"wgmma.mma_async.sp.sync.aligned.m64n8k32.f32.f16.f16 {%r1, %r2, %r3, "
       "%r4}, %rd1, %rd2, %r5, 0, %p1, 1, 1, 0, 0;",
       "the modifier '.sp'"},
      {"tex.2d.v4.f32.f32 {%r1,%r2,%r3,%r4}, [t, {%r5,%r6}];",
       "it is of textures or surfaces; use global memory"},
      {"sust.b.2d.b32.trap [%rd1, {%r1,%r2}], {%r3};",
       "it is of textures or surfaces; use global memory"},
      {"ld.global.u32 %r1, [%rd0, %rd1];", "expected an address in brackets"},
      {"cvt.pack.sat.u16.s32 %r1, %r2, %r3, %r4;", "'cvt.pack.sat.u16.s32'"},
      {"wmma.load.a.sync.row.f16 %r1, [%rd0];", "'wmma.load.a.sync.row.f16'"},
      {"vote.ballot.b32 %r1, %p1, 7;", "expected 2 operands, got 3"}};
  for (const Case &c : cases) {
    check(c, runBody(c.text));
    // The body begins in line 24.
    EXPECT_EQ(runBody(c.text).error.rfind("line 24: ", 0), 0u)
        << runBody(c.text).error;
  }
}

//===----------------------------------------------------------------------===//
// Syntax
//===----------------------------------------------------------------------===//

TEST(PTXErrors, Syntax) {
  const Case cases[] = {
      {"add.s32 %r1, %r2, %r3", "expected ';', got 'ret'"},
      {"add.s32 %r1 %r2, %r3;", "expected ';', got '%r2'"},
      {"add.s32 %r1, , %r3;", "expected an operand, got ','"},
      {"ld.global.u32 %r1, [%rd0;", "expected ']', got ';'"},
      {"ld.global.u32 %r1, [%rd0+];", "expected an offset, got ']'"},
      {"ld.global.u32 %r1, [];", "expected an operand, got ']'"},
      {"mov.b64 %rd1, {%r1, %r2;", "expected '}', got ';'"},
      {"mov.f32 %r1, 0f3F80;", "expected 8 hexadecimal digits"},
      {"mov.f64 %rd1, 0d3F80000000000;", "expected 16 hexadecimal digits"},
      {"mov.u32 %r1, 0x;", "malformed number '0x;'"},
      {"mov.u32 %r1, 12abc;", "malformed number"},
      {"mov.u32 %r1, \"text\";", "expected an operand"},
      {"mov.u32 %r1, 1; \"text", "string does not end"},
      {"/* mov.u32 %r1, 1;", "comment does not end"},
      {"mov.u32 %r1, \x01;", "has no meaning in PTX"},
      {"@ add.s32 %r1, %r2, %r3;", ""},
      {"@!;", "expected a predicate register"},
      {".reg .b32;", "expected the name of a variable"},
      {".reg %x;", "expected a type"},
      {".reg .b99 %x;", "expected a type"},
      {".reg .b32 %x<;", "expected a number of registers"},
      {".reg .b32 %x<2000000>;", "at most 1000000"},
      {".reg .b32 %r3;", "'%r3' is declared twice"},
      {".shared .align 3 .b8 s[4];", "a power of two, got 3"},
      {".shared .b8 s[9999999999999];", "is too large"},
      {".local .b8 l[1000000][1000000][1000000];", "is too large"},
      {".frob 1;", "a directive of a function body, got '.frob'"},
      {"L: add.s32 %r1, %r2, %r3; L: ret;", "label 'L' is set twice"},
      {"{ add.s32 %r1, %r2, %r3;", "expected '}' at the end of a block"},
      {"}", "directive of a module"},
      {"ts: .branchtargets;", "expected a label or function"},
      {"7;", "expected an instruction, got '7'"}};
  for (const Case &c : cases)
    check(c, runBody(c.text));
}

TEST(PTXErrors, Modules) {
  const std::string head = ".version 8.0\n.target sm_80\n.address_size 64\n";
  const Case cases[] = {
      {"", "'.version'"},
      {"hello", "'.version'"},
      {".version", "a version such as"},
      {".version 8", "a version such as"},
      {".version 8.0\n", "'.target'"},
      {".version 8.0\n.target", "a target such as"},
      {".version 8.0\n.target debug\n", "a target such as"},
      {".version 8.0\n.target sm_80\n.address_size 32\n", "expected '.addre"},
      {".version 8.0\n.target sm_80\n.entry", "the name of a function"},
      {".version 8.0\n.target sm_80\n.entry k(", "a parameter"},
      {".version 8.0\n.target sm_80\n.entry k(.param .u32", "the name of a"},
      {".version 8.0\n.target sm_80\n.entry k()", "expected ';'"},
      {".version 8.0\n.target sm_80\n.entry k() .frob {}", "'.frob'"},
      {".version 8.0\n.target sm_80\n.entry k()\n{", "expected '}'"},
      {".version 8.0\n.target sm_80\n.entry k()\n.maxntid 1,2,3,4\n{\n}",
       "at most three"},
      {".version 8.0\n.target sm_80\n.global .u32 a[2] = {1, 2, 3};",
       "at most 2 initial values"},
      {".version 8.0\n.target sm_80\n.global .texref t;",
       "textures and surfaces are not supported by the emulator; use global "
       "memory"},
      {".version 8.0\n.target sm_80\n.global .u32 a = ;", "an initial value"},
      {".version 8.0\n.target sm_80\n.section .debug {", "end of a section"},
      {".version 8.0\n.target sm_80\n.local .u32 a;", "only functions have"},
      {".version 8.0\n.target sm_80\nadd.s32 %r1, %r2, %r3;",
       "a directive of a module"}};
  for (const Case &c : cases)
    check(c, runModule(c.text));
  std::string deep = head + ".entry k()\n";
  for (int i = 0; i < 10000; ++i)
    deep += "{";
  check({"{{{...", "nested too deeply"}, runModule(deep));
  std::string lists = head + ".global .u32 a = ";
  for (int i = 0; i < 10000; ++i)
    lists += "{";
  check({"= {{{...", "nested too deeply"}, runModule(lists));
}

// A device that is too old, or another one, is told apart from malformed text.
TEST(PTXErrors, NewerTargets) {
  for (const char *target : {"sm_121", "sm_90a", "sm_100f"}) {
    Outcome newer = runModule(".version 9.0\n.target " + std::string(target) +
                              "\n.address_size 64\n");
    EXPECT_EQ(newer.kind, hetero::emulator::CompileError::InvalidImage);
    EXPECT_NE(newer.error.find("sm_"), std::string::npos) << newer.error;
  }
}

// Whatever is cut off or changed, there is an error or none, and no crash.
TEST(PTXErrors, DamagedText) {
  const std::string text =
      ".version 8.0\n.target sm_80\n.address_size 64\n"
      ".global .align 4 .u32 g[2] = {1, 0xFF};\n"
      ".func (.param .b32 r) f(.param .b32 x)\n{\n.reg .b32 %r<3>;\n"
      "ld.param.b32 %r0, [x];\nst.param.b32 [r], %r0;\nret;\n}\n"
      ".visible .entry k(.param .u64 in, .param .u64 out)\n{\n"
      ".reg .b32 %r<4>;\n.reg .b64 %rd<3>;\n.reg .pred %p;\n"
      "ld.param.u64 %rd1, [out];\nmov.u32 %r1, %tid.x;\n"
      "L: {\n.param .b32 a;\n.param .b32 b;\nst.param.b32 [a], %r1;\n"
      "call (b), f, (a);\nld.param.b32 %r2, [b];\n}\n"
      "setp.eq.u32 %p, %r2, 3;\n@!%p bra L;\n"
      "st.global.v2.u32 [%rd1+8], {%r1, %r2};\nret;\n}\n";
  EXPECT_EQ(runModule(text).error, "");
  for (size_t length = 0; length < text.size(); length += 3)
    compileOnly(text.substr(0, length));
  for (size_t i = 0; i < text.size(); ++i)
    for (char c : {';', '{', '.', '7'}) {
      std::string damaged = text;
      damaged[i] = c;
      compileOnly(damaged);
    }
}
