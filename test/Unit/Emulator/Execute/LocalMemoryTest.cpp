//===- LocalMemoryTest.cpp - Generic addresses of local memory ------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../PTXLaunchHarness.h"

namespace {
constexpr unsigned kBlocks = 16, kLaunchedThreads = 256,
                   kTotal = kBlocks * kLaunchedThreads;

/// A launch that is large enough for warps to run as one.
class LocalMemoryTest : public PTXLaunchTest {
protected:
  void SetUp() override {
    PTXLaunchTest::SetUp();
    words = upload(std::vector<uint32_t>(kTotal));
  }

  /// A kernel with a thread's number in t, the address of its word in a, the
  /// generic address of 32 bytes of its local memory in g.
  static std::string kernel(const std::string &body,
                            const std::string &functions = "") {
    return ".version 8.0\n.target sm_80\n.address_size 64\n" + functions +
           ".visible .entry k(.param .u64 p, .param .u64 q) {\n"
           ".local .align 16 .b8 depot[32]; .reg .u64 p0, a, o, g, h;\n"
           ".reg .u32 t, b, x, y, z, w; .reg .pred c, d;\n"
           "ld.param.u64 p0, [p]; mov.u32 t, %tid.x; mov.u32 b, %ctaid.x;\n"
           "mad.lo.u32 t, b, 256, t; mul.wide.u32 o, t, 4; add.u64 a, p0, o;\n"
           "mov.u64 g, depot; cvta.local.u64 g, g;\n" +
           body + "\nst.global.u32 [a], x; ret; }\n";
  }

  /// Each thread leaves its number.
  void expectOwn(const std::string &body, const std::string &functions = "") {
    launchText(kernel(body, functions), "k", kBlocks, kLaunchedThreads,
               {words, 0});
    std::vector<uint32_t> result = download(words, kTotal);
    for (uint32_t i = 0; i < kTotal; ++i)
      ASSERT_EQ(result[i], i) << body;
  }

  cuda::DevicePointer words = 0;
};
} // namespace

// An address that all lanes have alike is each thread's own memory, in loads
// and stores of all widths.
TEST_F(LocalMemoryTest, LoadsAndStores) {
  expectOwn("st.u32 [g], t; ld.u32 x, [g];");
  expectOwn("st.volatile.u32 [g], t; ld.volatile.u32 x, [g];");
  expectOwn("st.u16 [g+2], t; ld.u16 x, [g+2];");
  expectOwn("st.v4.u32 [g], {t, 1, 2, t}; ld.v4.u32 {y, z, w, x}, [g];");
  expectOwn("st.u32 [g+8], 7; st.u32 [g+12], t; ld.v2.u32 {y, x}, [g+8];");
}

// So it is in atomic operations.
TEST_F(LocalMemoryTest, Atomics) {
  expectOwn("st.u32 [g], 0; atom.add.u32 y, [g], t; ld.u32 x, [g];");
  expectOwn("st.u32 [g], 0; red.max.u32 [g], t; atom.exch.b32 x, [g], 1;");
  expectOwn("st.u32 [g], 5; atom.cas.b32 y, [g], 5, t; ld.u32 x, [g];");
}

// So it is where the address went through memory, a choice, a loop or a call.
TEST_F(LocalMemoryTest, AddressesFromElsewhere) {
  // From shared memory, which holds one address for all.
  expectOwn(".shared .u64 s; st.shared.u64 [s], g; bar.sync 0; "
            "ld.shared.u64 h, [s]; st.u32 [h], t; ld.u32 x, [h];");
  // From local memory.
  expectOwn("st.u64 [g+8], g; ld.u64 h, [g+8]; st.u32 [h], t; ld.u32 x, [g];");
  // One of two spaces, by a condition that is the same in all lanes.
  expectOwn("setp.eq.u32 c, b, 3; selp.b64 h, g, a, c; st.u32 [h], t; "
            "ld.u32 x, [h];");
  // In turn, as memcpy goes.
  expectOwn("st.u32 [g], t; mov.u64 h, g; mov.u32 y, 0;\n"
            "L: ld.u8 z, [h]; st.u8 [h+4], z; add.u64 h, h, 1; "
            "add.u32 y, y, 1; setp.lt.u32 c, y, 4; @c bra L; ld.u32 x, [g+4];");
  expectOwn("{ .param .u64 to; .param .u32 n; st.param.u64 [to], g; "
            "st.param.u32 [n], t; call f, (to, n); } ld.u32 x, [g];",
            ".func f(.param .u64 to, .param .u32 n) { .reg .u64 a; .reg .u32 "
            "x; ld.param.u64 a, [to]; ld.param.u32 x, [n]; st.u32 [a], x; "
            "ret; }\n");
}

// The window is found by isspacep, and left by cvta.to.
TEST_F(LocalMemoryTest, Windows) {
  expectOwn("isspacep.local c, g; isspacep.global d, g; @!c trap; @d trap; "
            "st.u32 [g], t; cvta.to.local.u64 h, g; ld.local.u32 x, [h];");
}

// What may be no local memory, and is, is an error and no other thread's
// number.
TEST_F(LocalMemoryTest, WhatIsNotLocal) {
  heteroEmulatorPrintFaults(0);
  launchText(kernel("st.u32 [g], t; ld.global.u32 x, [g];"), "k", kBlocks,
             kLaunchedThreads, {words, 0}, cuda::kIllegalAddress);
  EXPECT_NE(std::string(heteroEmulatorLastFault())
                .find("which is that of local memory"),
            std::string::npos);
}

TEST_F(LocalMemoryTest, LocalAddressesOfTheHost) {
  heteroEmulatorPrintFaults(0);
  launchText(kernel("ld.param.u64 h, [q]; ld.u32 x, [h];"), "k", kBlocks,
             kLaunchedThreads, {words, 0x200000000}, cuda::kIllegalAddress);
}
