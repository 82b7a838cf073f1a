//===- MemoryTest.cpp - Loads, stores, jumps and registers ----------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../PTXHarness.h"
#include "gtest/gtest.h"

#include <algorithm>

using namespace hetero::emulator::test;

static const std::vector<uint64_t> kInput = {
    0x8899aabbccddeeffull, 0x0123456789abcdefull, 0xfedcba9876543210ull,
    0x1122334455667788ull};

//===----------------------------------------------------------------------===//
// Widths
//===----------------------------------------------------------------------===//

/// Loads a vector and stores it again, through a state space.
static Outcome copy(const std::string &type, unsigned width, unsigned bits,
                    const std::string &modifiers) {
  std::string registers = bits == 64 ? "%rd" : bits == 32 ? "%r" : "%h";
  std::string vector = width > 1 ? ".v" + std::to_string(width) : "";
  std::string parts;
  for (unsigned i = 0; i < width; ++i)
    parts += (i ? ", " : "") + registers + std::to_string(4 + i);
  if (width > 1)
    parts = "{" + parts + "}";
  return runBody("ld" + modifiers + vector + type + " " + parts +
                     ", [%rd0];\nst.global" + vector + type + " [%rd1], " +
                     parts + ";",
                 kInput);
}

TEST(PTXMemory, EveryWidth) {
  for (unsigned bits : {8, 16, 32, 64})
    for (const char *kind : {"b", "u", "s", "f"})
      for (unsigned width : {1, 2, 4}) {
        if (*kind == 'f' && bits < 32)
          continue;
        std::string type = "." + std::string(kind) + std::to_string(bits);
        Outcome o = copy(type, width, bits, ".global");
        EXPECT_EQ(o.error, "") << type;
        EXPECT_EQ(o.faults, 0u) << type;
        size_t bytes = width * bits / 8;
        EXPECT_EQ(std::memcmp(o.out.data(), kInput.data(), bytes), 0)
            << type << " " << width;
        // What follows is untouched.
        if (bytes < 8)
          EXPECT_EQ(o.out[0] >> bytes * 8, 0u) << type << " " << width;
      }
  EXPECT_EQ(copy(".b32", 8, 32, ".global").out[3], kInput[3]);
}

TEST(PTXMemory, WiderRegistersAreExtended) {
  EXPECT_EQ(wide("ld.global.s8 %rd9, [%rd0];", kInput), ~0ull);
  EXPECT_EQ(wide("ld.global.u8 %rd9, [%rd0];", kInput), 0xffu);
  EXPECT_EQ(word("ld.global.s16 %r9, [%rd0];", kInput), 0xffffeeffu);
  EXPECT_EQ(half("ld.global.s8 %h9, [%rd0+8];", kInput), 0xffefu);
  Outcome o = runBody("st.global.u8 [%rd1], %rd10;\n"
                      "st.global.u16 [%rd1+2], %r0;",
                      kInput);
  EXPECT_EQ(o.error, "");
  EXPECT_EQ(o.out[0], 0xeeff00ffu);
}

// A vector of one register is that register.
TEST(PTXMemory, OneElementInBraces) {
  for (const char *text :
       {"st.global.b32 [%rd1+0], { %r0 };", "st.global.b32 [%rd1], {%r0};",
        "ld.global.b32 { %r4 }, [%rd0];\nst.global.u32 [%rd1], {%r4};",
        "ld.global.b16 {%h4}, [%rd0];\nst.global.b16 [%rd1], {%h4};\n"
        "ld.global.b16 {%h4}, [%rd0+2];\nst.global.b16 [%rd1+2], {%h4};",
        "mov.b32 %r4, {%r0};\nmov.b32 {%r4}, %r4;\nst.volatile.global.b32 "
        "[%rd1], {%r4};"}) {
    Outcome o = runBody(text, kInput);
    EXPECT_EQ(o.error, "") << text;
    EXPECT_EQ(o.word(0), uint32_t(kInput[0])) << text;
  }
  EXPECT_NE(runBody("st.global.b32 [%rd1], {%r0, %r1};").error, "");
  EXPECT_NE(runBody("st.global.v2.b32 [%rd1], {%r0};").error, "");
}

TEST(PTXMemory, OrdersAndHintsChangeNothing) {
  for (const char *modifiers :
       {"", ".weak", ".volatile.global", ".relaxed.gpu.global",
        ".acquire.sys.global", ".global.nc", ".global.ca", ".global.cg",
        ".global.cs", ".global.lu", ".global.cv", ".global.nc.L2::128B",
        ".global.L1::evict_last", ".global.L1::no_allocate.L2::64B"}) {
    Outcome o = copy(".u32", 1, 32, modifiers);
    EXPECT_EQ(o.error, "") << modifiers;
    EXPECT_EQ(o.word(0), uint32_t(kInput[0])) << modifiers;
  }
  for (const char *text :
       {"st.global.wb.b32 [%rd1], %r0;", "st.volatile.global.b32 [%rd1], %r0;",
        "st.release.gpu.global.b32 [%rd1], %r0;", "st.wt.b32 [%rd1], %r0;",
        "st.global.L1::no_allocate.b32 [%rd1], %r0;",
        "st.global.L2::cache_hint.b32 [%rd1], %r0, %rd10;",
        "createpolicy.fractional.L2::evict_last.L2::evict_unchanged.b64 %rd10, "
        "0.5;\nst.global.L2::cache_hint.b32 [%rd1], %r0, %rd10;",
        "createpolicy.range.global.L2::evict_first.b64 %rd10, [%rd1], 64, "
        "128;\ncreatepolicy.cvt.L2.b64 %rd10, %rd0;\n"
        "applypriority.global.L2::evict_normal [%rd0], 128;\n"
        "st.global.b32 [%rd1], %r0;",
        "discard.global.L2 [%rd1], 128;\nst.global.b32 [%rd1], %r0;",
        "membar.gl;\nfence.sc.sys;\nfence.acq_rel.cta;\nmembar.cta;\n"
        "prefetch.global.L2 [%rd0];\nst.b32 [%rd1], %r0;"}) {
    Outcome o = runBody(text, kInput);
    EXPECT_EQ(o.error, "") << text;
    EXPECT_EQ(o.word(0), uint32_t(kInput[0])) << text;
  }
}

// Shared memory has offsets of 32 bits too.
TEST(PTXMemory, SharedAddresses) {
  EXPECT_EQ(word(".shared .align 16 .b32 a[4];\n.shared .b32 c;\n"
                 "mov.u32 %r4, a;\nst.shared.u32 [%r4+12], %r0;\n"
                 "st.shared.u32 [c], 5;\nld.shared.u32 %r9, [a+12];",
                 kInput),
            uint32_t(kInput[0]));
  // They wrap, on the way to an address and back.
  EXPECT_EQ(word(".shared .align 16 .b32 a[4];\nmov.u32 %r4, a;\n"
                 "add.u32 %r4, %r4, -128;\nst.shared.u32 [%r4+140], %r0;\n"
                 "ld.shared.u32 %r9, [a+12];",
                 kInput),
            uint32_t(kInput[0]));
}

TEST(PTXMemory, SpacesOfAddresses) {
  auto isIn = [](const std::string &space, const std::string &address) {
    return predicate(".shared .b32 s;\n.local .b32 l;\nmov.u64 %rd2, s;\n"
                     "cvta.shared.u64 %rd2, %rd2;\nmov.u64 %rd3, l;\n"
                     "cvta.local.u64 %rd3, %rd3;\nisspacep." +
                         space + " %p9, " + address + ";",
                     kInput);
  };
  EXPECT_TRUE(isIn("global", "%rd0"));
  EXPECT_FALSE(isIn("global", "%rd2"));
  EXPECT_TRUE(isIn("shared", "%rd2"));
  EXPECT_FALSE(isIn("shared", "%rd0"));
  EXPECT_TRUE(isIn("local", "%rd3"));
  EXPECT_FALSE(isIn("local", "%rd2"));
}

//===----------------------------------------------------------------------===//
// Names and jumps
//===----------------------------------------------------------------------===//

// The harness runs thread 3 of 32.
TEST(PTXMove, SpecialRegisters) {
  const std::pair<const char *, uint32_t> registers[] = {
      {"%tid.x", 3},           {"%tid.y", 0},         {"%ntid.x", 32},
      {"%laneid", 3},          {"%lanemask_eq", 8},   {"%lanemask_lt", 7},
      {"%lanemask_le", 15},    {"%lanemask_ge", ~7u}, {"%lanemask_gt", ~15u},
      {"WARP_SZ", 32},         {"%clock_hi", 256},    {"%cluster_ctarank", 0},
      {"%cluster_nctarank", 1}};
  for (const auto &[name, value] : registers)
    EXPECT_EQ(word("mov.u32 %r9, " + std::string(name) + ";", {}), value)
        << name;
  EXPECT_EQ(wide("mov.u64 %rd9, %clock64;", {}), 1ull << 40);
  EXPECT_EQ(wide("mov.u64 %rd9, %globaltimer;", {}), 1ull << 40);
}

// An inner name hides an outer one; both may be declared again later.
TEST(PTXMove, Scopes) {
  EXPECT_EQ(word("mov.u32 %r9, 1;\n"
                 "{\n.reg .b32 %r9;\nmov.u32 %r9, 2;\n}\n"
                 "{\n.reg .b64 %r9;\nmov.u64 %r9, 3;\nbra L;\nL:\n}\n"
                 "{\nbra L;\nL:\nadd.u32 %r9, %r9, 10;\n}",
                 {}),
            11u);
}

TEST(PTXControl, IndexedBranches) {
  auto reach = [](uint64_t index) {
    return runBody("brx.idx %r0, table;\nA: mov.u32 %r4, 10;\nbra.uni Out;\n"
                   "B: mov.u32 %r4, 20;\nbra.uni Out;\nC: mov.u32 %r4, 30;\n"
                   "bra.uni Out;\ntable: .branchtargets A, B, C, A;\n"
                   "Out: st.global.u32 [%rd1], %r4;",
                   {index});
  };
  EXPECT_EQ(reach(0).error, "");
  const uint32_t expected[] = {10, 20, 30, 10};
  for (uint64_t i = 0; i < 4; ++i)
    EXPECT_EQ(reach(i).word(0), expected[i]);
  EXPECT_EQ(reach(4).faults, 1u);
}

TEST(PTXControl, TrapsAndSleep) {
  EXPECT_EQ(runBody("trap;").faults, 1u);
  EXPECT_EQ(runBody("brkpt;").faults, 1u);
  EXPECT_EQ(runBody("nanosleep.u32 100;\nexit;\ntrap;").faults, 0u);
}

/// A number of bytes, or a predicate that leaves the source out.
TEST(PTXMemory, AsynchronousCopies) {
  for (const auto &[more, expected] :
       {std::pair<const char *, uint64_t>{"", 0x1122334455667788},
        {", 3", 0x667788},
        {", 0", 0},
        {", %p1", 0},
        {", %p2", 0x1122334455667788}}) {
    Outcome outcome =
        runBody(".shared .align 16 .b8 place[16];\n"
                "setp.eq.s32 %p1, 0, 0;\nsetp.ne.s32 %p2, 0, 0;\n"
                "cp.async.ca.shared.global [place], [%rd0], 8" +
                    std::string(more) +
                    ";\ncp.async.wait_all;\nmembar.proxy.alias;\n"
                    "ld.shared.b64 %rd9, [place];\nst.global.b64 [%rd1], %rd9;",
                {0x1122334455667788});
    EXPECT_EQ(outcome.error, "");
    EXPECT_EQ(outcome.out[0], expected) << more;
  }
}
