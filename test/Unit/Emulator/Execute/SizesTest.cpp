//===- SizesTest.cpp - Kernels of many instructions -----------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../PTXLaunchHarness.h"

#include <ctime>

namespace {
class SizesTest : public PTXLaunchTest {
protected:
  static std::string repeat(const std::string &text, unsigned count) {
    std::string result;
    for (unsigned i = 0; i < count; ++i)
      result += text;
    return result;
  }
  static std::string kernel(const std::string &body,
                            const std::string &functions = "") {
    return ".version 8.0\n.target sm_80\n.address_size 64\n" + functions +
           ".visible .entry k(.param .u64 p) { .reg .u64 a; .reg .b32 x, y; "
           ".reg .f32 f<4>; ld.param.u64 a, [p]; mov.u32 x, 0;\n" +
           body + "st.global.u32 [a], x; ret; }\n";
  }

  /// Runs a kernel by threads and by warps, in at most five seconds each of a
  /// processor, and returns what it leaves.
  uint32_t run(const std::string &text) {
    uint32_t result = 0;
    for (unsigned blocks : {1, 64}) {
      cuda::DevicePointer word = upload(std::vector<uint32_t>(1));
      std::clock_t start = std::clock();
      launchText(text, "k", blocks, 64, {word});
      EXPECT_LT(double(std::clock() - start) / CLOCKS_PER_SEC, 5);
      result = download(word, 1)[0];
    }
    return result;
  }

  /// Functions each of which calls the one before it so often.
  static std::string chain(unsigned depth, unsigned calls) {
    std::string text = ".func (.reg .u32 r) f0(.reg .u32 a) { add.u32 r, a, 1; "
                       "ret; }\n";
    for (unsigned i = 1; i <= depth; ++i)
      text +=
          ".func (.reg .u32 r) f" + std::to_string(i) +
          "(.reg .u32 a) { .reg .u32 x; mov.u32 x, a;\n" +
          repeat("call (x), f" + std::to_string(i - 1) + ", (x);\n", calls) +
          "mov.u32 r, x; ret; }\n";
    return text;
  }
};
} // namespace

// A thousand products of matrices fit the stack; a large launch compiles them,
// and leaves them out.
TEST_F(SizesTest, Products) {
  run(kernel("{ .reg .pred c; .reg .u32 n; mov.u32 n, %nctaid.x; "
             "setp.gt.u32 c, n, 1; @c bra E;\n" +
             repeat("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 "
                    "{f0,f1,f2,f3},{x,x,x,x},{x,x},{f0,f1,f2,f3};\n",
                    1000) +
             "E: }\n"));
}

// Four thousand atomic operations compile in time, as do values that live
// across a barrier.
TEST_F(SizesTest, Atomics) {
  EXPECT_EQ(run(kernel(repeat("atom.global.add.u32 y, [a], 0;\n", 4000) +
                       "add.u32 x, y, 0;\n")),
            0u);
}

TEST_F(SizesTest, ValuesAcrossABarrier) {
  std::string loads, sums;
  for (unsigned i = 0; i < 4000; ++i) {
    std::string name = "t" + std::to_string(i);
    loads += "ld.global.u32 " + name + ", [a];\n";
    sums += "xor.b32 x, x, " + name + ";\n";
  }
  EXPECT_EQ(run(kernel("{ .reg .u32 t<4000>;\n" + loads + "bar.sync 0;\n" +
                       sums + "}\n")),
            0u);
}

// Calls that would grow without end when inlined are calls: 3^12 of them, and
// 2^10.
TEST_F(SizesTest, CallsOfCalls) {
  EXPECT_EQ(run(kernel("call (x), f9, (x);\n", chain(9, 3))), 19683u);
  EXPECT_EQ(run(kernel("call (x), f10, (x);\n", chain(10, 2))), 1024u);
}

// Each call's parameters have memory that the next one's have, too.
TEST_F(SizesTest, ParametersOfCalls) {
  std::string function = ".func (.param .b32 r) f(.param .align 16 .b8 s[256])"
                         " { .reg .u32 x; ld.param.u32 x, [s+252]; add.u32 x, "
                         "x, 1; st.param.u32 [r], x; ret; }\n";
  EXPECT_EQ(run(kernel(repeat("{ .param .align 16 .b8 s[256]; .param .b32 r; "
                              "st.param.u32 [s+252], x; call (r), f, (s); "
                              "ld.param.u32 x, [r]; }\n",
                              2000),
                       function)),
            2000u);
}
