//===- VectorAtomicsTest.cpp - Atomic operations on several numbers -------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../PTXLaunchHarness.h"

namespace {
class VectorAtomicsTest : public PTXLaunchTest {
protected:
  /// What a launch leaves of memory whose address is in a; t is the thread.
  std::vector<uint32_t> run(const std::string &body,
                            std::vector<uint32_t> memory) {
    size_t count = memory.size();
    cuda::DevicePointer pointer = upload(memory);
    launchText(".version 8.4\n.target sm_90\n.address_size 64\n"
               ".visible .entry k(.param .u64 p) { .reg .u64 a, o; .reg .b64 "
               "q<4>; .reg .b32 x, y, t; .reg .f32 f, g; .reg .b16 h, i; .reg "
               ".b128 r, s, w;\nld.param.u64 a, [p]; mov.u32 t, %tid.x;\n" +
                   body + "\nret; }\n",
               "k", 16, 256, {pointer});
    return download(pointer, count);
  }
};
} // namespace

// Each element is added to by all threads.
TEST_F(VectorAtomicsTest, Sums) {
  std::vector<uint32_t> sums =
      run("mov.f32 f, 0f3F800000; mov.f32 g, 0f40000000; "
          "red.global.add.v2.f32 [a], {f, g};",
          {0, 0});
  EXPECT_EQ(sums, (std::vector<uint32_t>{0x45800000, 0x46000000}));
  sums = run("mov.f32 f, 0f3F800000; mov.f32 g, 0f40000000; "
             "atom.global.v4.f32.add {f, g, _, _}, [a], {f, g, f, g};",
             {0, 0, 0, 0});
  EXPECT_EQ(sums[3], 0x46000000u);
  // 1.0 and 0.5 in bf16 and f16.
  sums = run("mov.b16 h, 0x3f80; mov.b16 i, 0x3f00; "
             "red.global.add.noftz.v2.bf16 [a], {h, i};",
             {0});
  EXPECT_EQ(sums[0], 0x43004380u);
}

// The least and the greatest of halves.
TEST_F(VectorAtomicsTest, LeastAndGreatest) {
  // Numbers from 1024 on are neighbours in f16.
  std::vector<uint32_t> words =
      run("and.b32 x, t, 255; add.u32 x, x, 0x6400; prmt.b32 x, x, x, 0x1010;\n"
          "red.global.max.noftz.v2.f16x2 [a], {x, x};\n"
          "mov.b32 {h, i}, x; "
          "atom.global.min.noftz.v2.f16 {h, i}, [a+8], {h, i};",
          {0, 0, 0x7bff7bff});
  EXPECT_EQ(words, (std::vector<uint32_t>{0x64ff64ff, 0x64ff64ff, 0x64006400}));
}

// Sixteen bytes are exchanged, and compared, at once.
TEST_F(VectorAtomicsTest, SixteenBytes) {
  std::vector<uint32_t> words =
      run("cvt.u64.u32 q0, t; mov.b128 r, {q0, q0};\n"
          "atom.global.exch.b128 s, [a], r; mov.b128 {q1, q2}, s;\n"
          "{ .reg .pred c; setp.ne.u64 c, q1, q2; "
          "@c st.global.u32 [a+16], 1; }",
          {0, 0, 0, 0, 0, 0, 0, 0});
  EXPECT_EQ(words[0], words[2]);
  EXPECT_EQ(words[4], 0u);
  words = run("mov.u64 q0, 5; mov.u64 q1, 6; mov.b128 r, {q0, q1}; "
              "mov.b128 w, {q1, q0};\n"
              "atom.global.cas.b128 s, [a], r, w;",
              {5, 0, 6, 0});
  EXPECT_EQ(words, (std::vector<uint32_t>{6, 0, 5, 0}));
}
