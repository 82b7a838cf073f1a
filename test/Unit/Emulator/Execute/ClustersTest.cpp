//===- ClustersTest.cpp - Clusters of one block, and of more --------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../PTXLaunchHarness.h"

namespace {
class ClustersTest : public PTXLaunchTest {
protected:
  static std::string kernel(const std::string &directives,
                            const std::string &body) {
    return ".version 8.0\n.target sm_90\n.address_size 64\n"
           ".visible .entry k(.param .u64 p) " +
           directives +
           " { .reg .u64 a, o; .reg .u32 t, x, y, z; .reg .pred c; "
           ".shared .b32 s[64];\n"
           "ld.param.u64 a, [p]; mov.u32 t, %tid.x; mul.wide.u32 o, t, 4; "
           "add.u64 a, a, o;\n" +
           body + "\nret; }\n";
  }

  /// What a launch of four blocks of 64 threads returns.
  cuda::Result launchBlocks(const std::string &text) {
    cuda::Module module;
    cuda::Function function;
    cuda::DevicePointer words = upload(std::vector<uint32_t>(64));
    void *params[] = {&words};
    EXPECT_EQ(cuModuleLoadData(&module, text.c_str()), cuda::kSuccess)
        << compileLog(text);
    EXPECT_EQ(cuModuleGetFunction(&function, module, "k"), cuda::kSuccess);
    return cuLaunchKernel(function, 4, 1, 1, 64, 1, 1, 0, nullptr, params,
                          nullptr);
  }

  /// What a block of so many threads leaves.
  std::vector<uint32_t> run(const std::string &text, unsigned threads = 64) {
    cuda::DevicePointer words = upload(std::vector<uint32_t>(64));
    launchText(text, "k", 1, threads, {words});
    return download(words, 64);
  }
};
} // namespace

// A kernel that asks for a cluster of several blocks is not launched.
TEST_F(ClustersTest, SeveralBlocksAreRefused) {
  EXPECT_EQ(launchBlocks(kernel(".reqnctapercluster 2", "")),
            cuda::kNotSupported);
  EXPECT_EQ(
      launchBlocks(kernel(".explicitcluster .reqnctapercluster 1, 2, 1", "")),
      cuda::kNotSupported);
}

// One of one block is, and finds itself in it.
TEST_F(ClustersTest, OneBlockIsACluster) {
  ASSERT_OK(launchBlocks(kernel(".reqnctapercluster 1, 1, 1", "")));
  std::string body =
      "mov.u32 x, %cluster_nctarank; mov.u32 y, %cluster_ctarank;"
      "mov.pred c, %is_explicit_cluster; selp.u32 z, 100, 0, c;"
      "add.u32 x, x, z; st.global.u32 [a], x;";
  EXPECT_EQ(run(kernel(".reqnctapercluster 1", body))[7], 101u);
  EXPECT_EQ(run(kernel("", body))[7], 1u);
}

// The barrier of the cluster is one of the block, in halves between which
// threads go on.
TEST_F(ClustersTest, BarrierInHalves) {
  std::string body =
      "shl.b32 x, t, 2; mov.u32 y, s; add.u32 x, x, y; st.shared.u32 [x], t;\n"
      "barrier.cluster.arrive.aligned; setp.lt.u32 c, t, 32; @c bra W;\n"
      "bar.sync 1, 32;\n"
      "W: barrier.cluster.wait.aligned; mov.u32 z, 63; sub.u32 z, z, t;\n"
      "shl.b32 z, z, 2; add.u32 z, z, y; ld.shared.u32 x, [z];\n"
      "barrier.cluster.arrive.release; barrier.cluster.wait.acquire;\n"
      "st.global.u32 [a], x;";
  std::vector<uint32_t> words = run(kernel("", body));
  for (uint32_t i = 0; i < 64; ++i)
    EXPECT_EQ(words[i], 63 - i);
  run(kernel("", body), /*threads=*/1);
  // Threads that have ended are not waited for, whether they came or not.
  run(kernel("", "setp.lt.u32 c, t, 5; @c exit; barrier.cluster.arrive; "
                 "setp.lt.u32 c, t, 9; @c exit; barrier.cluster.wait;"));
}

// The memory of its only block is the cluster's.
TEST_F(ClustersTest, MemoryOfTheCluster) {
  std::string body =
      "shl.b32 x, t, 2; mov.u32 y, s; add.u32 x, x, y;\n"
      "mapa.shared::cluster.u32 z, x, 0; st.shared::cluster.u32 [z], t;\n"
      "atom.shared::cluster.add.u32 y, [z], 1; ld.shared::cluster.u32 x, [z];\n"
      "getctarank.shared::cluster.u32 y, z; add.u32 x, x, y;\n"
      "st.global.u32 [a], x;";
  std::vector<uint32_t> words = run(kernel("", body));
  for (uint32_t i = 0; i < 64; ++i)
    EXPECT_EQ(words[i], i + 1);
}

// Other blocks, and a wait for nothing, are errors.
TEST_F(ClustersTest, Faults) {
  heteroEmulatorPrintFaults(0);
  cuda::DevicePointer words = upload(std::vector<uint32_t>(64));
  launchText(kernel("", "mapa.shared::cluster.u32 z, t, 1;"), "k", 1, 64,
             {words}, cuda::kLaunchFailed);
  EXPECT_NE(std::string(heteroEmulatorLastFault())
                .find("mapa names a block that the cluster does not have"),
            std::string::npos);
}

TEST_F(ClustersTest, WaitForNothing) {
  heteroEmulatorPrintFaults(0);
  cuda::DevicePointer words = upload(std::vector<uint32_t>(64));
  launchText(kernel("", "barrier.cluster.wait;"), "k", 1, 64, {words},
             cuda::kLaunchFailed);
  EXPECT_NE(std::string(heteroEmulatorLastFault()).find("has not arrived"),
            std::string::npos);
}
