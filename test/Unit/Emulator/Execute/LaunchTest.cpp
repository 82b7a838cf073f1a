//===- LaunchTest.cpp - Many threads run PTX ------------------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Loads the texts in Inputs through the emulated driver.
//
//===----------------------------------------------------------------------===//

#include "../PTXLaunchHarness.h"

using namespace hetero;

namespace {
class PTXLaunch : public PTXLaunchTest {};
} // namespace

static constexpr unsigned kThreads = 64, kWarp = 32;

/// Values that differ between the warps and repeat in them.
static std::vector<uint32_t> values() {
  std::vector<uint32_t> result;
  for (uint32_t i = 0; i < kThreads; ++i)
    result.push_back(i < kWarp ? i * 7 % 13 : 0xfffffff0 + i % 5);
  return result;
}

TEST_F(PTXLaunch, VotesAndMatches) {
  std::vector<uint32_t> in = values();
  cuda::DevicePointer out = upload(std::vector<uint32_t>(4 * kThreads));
  launch("warps.ptx", "votes", 1, kThreads, {upload(in), out});
  std::vector<uint32_t> got = download(out, 4 * kThreads);
  for (uint32_t i = 0; i < kThreads; ++i) {
    uint32_t first = i / kWarp * kWarp, ballot = 0, same = 0;
    for (uint32_t lane = 0; lane < kWarp; ++lane) {
      ballot |= uint32_t(in[first + lane] > 5) << lane;
      same |= uint32_t((in[first + lane] & 3) == (in[i] & 3)) << lane;
    }
    EXPECT_EQ(got[i], ballot);
    uint32_t flags =
        (ballot != 0) | (ballot == 0) * 2 | (ballot == 0 || ballot == ~0u) * 4;
    EXPECT_EQ(got[kThreads + i], flags);
    EXPECT_EQ(got[2 * kThreads + i], same);
    EXPECT_EQ(got[3 * kThreads + i], same == ~0u ? same + 1 : 0);
  }
}

TEST_F(PTXLaunch, Reductions) {
  std::vector<uint32_t> in = values();
  cuda::DevicePointer out = upload(std::vector<uint32_t>(6 * kThreads));
  launch("warps.ptx", "reductions", 1, kThreads, {upload(in), out});
  std::vector<uint32_t> got = download(out, 6 * kThreads);
  for (uint32_t i = 0; i < kThreads; ++i) {
    const uint32_t *own = &in[i / kWarp * kWarp];
    uint32_t expected[6] = {0, own[0], own[0], ~0u, 0, 0};
    for (uint32_t lane = 0; lane < kWarp; ++lane) {
      uint32_t x = own[lane];
      expected[0] += x;
      if (int32_t(x) < int32_t(expected[1]))
        expected[1] = x;
      expected[2] = std::max(expected[2], x);
      expected[3] &= x;
      expected[4] |= x;
      expected[5] ^= x;
    }
    for (uint32_t j = 0; j < 6; ++j)
      EXPECT_EQ(got[j * kThreads + i], expected[j]) << j;
  }
}

TEST_F(PTXLaunch, BarriersReduce) {
  std::vector<uint32_t> in = values();
  cuda::DevicePointer out = upload(std::vector<uint32_t>(2 * kThreads));
  launch("warps.ptx", "barriers", 1, kThreads, {upload(in), out});
  uint32_t count = 0;
  for (uint32_t x : in)
    count += x > 5;
  std::vector<uint32_t> got = download(out, 2 * kThreads);
  for (uint32_t i = 0; i < kThreads; ++i) {
    EXPECT_EQ(got[i], count);
    EXPECT_EQ(got[kThreads + i], (count == kThreads) | (count < kThreads) * 2u);
  }
}

TEST_F(PTXLaunch, OneWarpArrivesTheOtherWaits) {
  cuda::DevicePointer out = upload(std::vector<uint32_t>(kWarp));
  launch("warps.ptx", "hands_over", 1, kThreads, {0, out});
  std::vector<uint32_t> got = download(out, kWarp);
  for (uint32_t i = 0; i < kWarp; ++i)
    EXPECT_EQ(got[i], i * 10);
}

TEST_F(PTXLaunch, ThreadsThatWaitForOthersLetThemRun) {
  cuda::DevicePointer out = upload(std::vector<uint32_t>(kThreads));
  launch("warps.ptx", "waits", 1, kThreads, {0, out});
  std::vector<uint32_t> got = download(out, kThreads);
  for (uint32_t i = 0; i < kThreads; ++i)
    EXPECT_EQ(got[i], kThreads - i);
}

TEST_F(PTXLaunch, AsynchronousCopies) {
  std::vector<uint32_t> in;
  for (uint32_t i = 0; i < 4 * kWarp; ++i)
    in.push_back(0x10101010 + i);
  cuda::DevicePointer out = upload(std::vector<uint32_t>(4 * kWarp));
  launch("warps.ptx", "copies", 1, kWarp, {upload(in), out});
  std::vector<uint32_t> got = download(out, 4 * kWarp);
  for (uint32_t i = 0; i < 4 * kWarp; i += 4) {
    EXPECT_EQ(got[i], in[i]);
    EXPECT_EQ(got[i + 1], in[i + 1]);
    EXPECT_EQ(got[i + 2], in[i + 2] & 0xffff);
    EXPECT_EQ(got[i + 3], in[i]);
  }
}

/// What is not copied need not be there.
TEST_F(PTXLaunch, AsynchronousCopiesAtAnEdge) {
  for (uint32_t size : {500u, 17u, 16u, 1u}) {
    std::vector<uint8_t> in;
    for (uint32_t i = 0; i < size; ++i)
      in.push_back(i % 250 + 1);
    cuda::DevicePointer out = upload(std::vector<uint8_t>(512, 0xff));
    launch("warps.ptx", "copies_edge", 1, kWarp, {upload(in), out, size});
    in.resize(512);
    EXPECT_EQ(download<uint8_t>(out, 512), in) << size;
  }
  launch("warps.ptx", "copies_edge", 1, kWarp,
         {upload(std::vector<uint8_t>(500)), upload(std::vector<uint8_t>(512)),
          501},
         cuda::kIllegalAddress);
}

// The caller of the driver sees which instruction, and where.
TEST_F(PTXLaunch, BadInstructionsAreNamed) {
  const char *text = ".version 8.0\n.target sm_80\n.address_size 64\n"
                     ".entry k()\n{\n.reg .b32 %r<2>;\nfrob.b32 %r1;\n}\n";
  cuda::Module module;
  EXPECT_EQ(cuModuleLoadData(&module, text), cuda::kInvalidPtx);
  EXPECT_EQ(compileLog(text),
            "line 7: instruction 'frob.b32' is not supported by the "
            "emulator");
}

TEST_F(PTXLaunch, IntegerAtomics) {
  std::vector<uint32_t> words(12);
  words[6] = 0xff;
  cuda::DevicePointer out = upload(words);
  constexpr uint32_t blocks = 5, threads = blocks * kThreads;
  launch("atomics.ptx", "integers", blocks, kThreads, {out});
  std::vector<uint32_t> got = download(out, 12);
  EXPECT_EQ(got[0], blocks * (kThreads * (kThreads - 1) / 2));
  EXPECT_EQ(got[1], threads % 10);
  EXPECT_EQ(got[2], (10 - threads % 10) % 10);
  EXPECT_EQ(got[3], uint32_t(-3));
  EXPECT_EQ(got[4], kThreads - 1);
  EXPECT_EQ(got[5], kThreads - 1);
  EXPECT_EQ(got[6], 0xf0u);
  EXPECT_EQ(got[7], threads % 2);
  EXPECT_EQ(got[8], 0u);
  EXPECT_EQ(got[9], threads);
  EXPECT_EQ(got[10], threads);
  EXPECT_EQ(got[11], 77u);
}

TEST_F(PTXLaunch, FloatAtomics) {
  cuda::DevicePointer out = upload(std::vector<uint32_t>(8));
  launch("atomics.ptx", "floats", 2, kThreads, {out});
  std::vector<uint32_t> got = download(out, 8);
  float single;
  double wide;
  std::memcpy(&single, &got[0], 4);
  std::memcpy(&wide, &got[2], 8);
  EXPECT_EQ(single, 192.0f);
  EXPECT_EQ(wide, 320.0);
  EXPECT_EQ(got[4], 0x58005c00u); // 128 and 256
  EXPECT_EQ(got[5], 0x58000000u);
  EXPECT_EQ(got[6], 0x3c00u);
}

/// Code of the time before `.sync`: the threads that come together take part.
TEST_F(PTXLaunch, ShufflesAndVotesWithoutSync) {
  const char *text =
      ".version 6.0\n.target sm_60\n.address_size 64\n"
      ".visible .entry old(.param .u64 out) {\n"
      ".reg .b64 %rd<3>;\n.reg .b32 %r<6>;\n.reg .pred %p<4>;\n"
      "ld.param.u64 %rd1, [out];\nmov.u32 %r1, %tid.x;\n"
      "mul.wide.u32 %rd2, %r1, 4;\nadd.u64 %rd1, %rd1, %rd2;\n"
      "shfl.bfly.b32 %r2, %r1, 3, 31;\nst.global.u32 [%rd1], %r2;\n"
      "setp.lt.u32 %p1, %r1, 20;\n"
      "setp.gt.u32 %p2, %r1, 9;\n"
      "mov.u32 %r3, 0;\n"
      "@!%p1 bra after;\n"
      "vote.ballot.b32 %r3, %p2;\n"
      "vote.all.pred %p3, %p1;\n"
      "@!%p3 mov.u32 %r3, 1;\n"
      "after:\nst.global.u32 [%rd1+128], %r3;\nret;\n}\n";
  cuda::DevicePointer out = upload(std::vector<uint32_t>(64));
  launchText(text, "old", 1, 32, {out});
  std::vector<uint32_t> got = download(out, 64);
  for (uint32_t lane = 0; lane < 32; ++lane) {
    EXPECT_EQ(got[lane], lane ^ 3);
    EXPECT_EQ(got[32 + lane], lane < 20 ? 0xffc00u : 0u);
  }
}

/// Launches of a stream come one after the other.
TEST_F(PTXLaunch, DependentGrids) {
  const char *text = ".version 8.0\n.target sm_90\n.address_size 64\n"
                     ".visible .entry k(.param .u64 p) {\n"
                     ".reg .b64 %rd<2>;\n.reg .b32 %r<2>;\n"
                     "ld.param.u64 %rd1, [p];\ngriddepcontrol.wait;\n"
                     "ld.global.u32 %r1, [%rd1];\nadd.u32 %r1, %r1, 1;\n"
                     "st.global.u32 [%rd1], %r1;\n"
                     "griddepcontrol.launch_dependents;\nret;\n}\n";
  cuda::DevicePointer out = upload(std::vector<uint32_t>{5});
  launchText(text, "k", 1, 1, {out});
  launchText(text, "k", 1, 1, {out});
  EXPECT_EQ(download(out, 1)[0], 7u);
  EXPECT_NE(compileLog(".version 8.0\n.target sm_90\n.address_size 64\n"
                       ".visible .entry k() {\ngriddepcontrol;\nret;\n}\n"),
            "");
}
