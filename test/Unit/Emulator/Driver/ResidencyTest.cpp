//===- ResidencyTest.cpp - Blocks that wait for each other ----------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DriverAPIHarness.h"

#include <string>

namespace {
class ResidencyTest : public DriverAPITest {
protected:
  /// Each block counts itself, and `wait` loops until all have.
  CUfunction barrierOfGrid(const std::string &wait) {
    std::string text = R"(
.version 8.0
.target sm_80
.address_size 64
.visible .entry meet(.param .u64 counter)
{
  .reg .u64 %p;
  .reg .u32 %r<4>;
  .reg .pred %q<3>;
  ld.param.u64 %p, [counter];
  mov.u32 %r2, %nctaid.x;
  mov.u32 %r3, %tid.x;
  setp.ne.u32 %q1, %r3, 0;
  @%q1 bra L;
  atom.global.add.u32 %r1, [%p], 1;
L:
)" + wait + R"(
  setp.lt.u32 %q2, %r1, %r2;
  @%q2 bra L;
  ret;
}
)";
    CUmodule module = nullptr;
    CUfunction function = nullptr;
    EXPECT_OK(cuModuleLoadData(&module, text.c_str()));
    EXPECT_OK(cuModuleGetFunction(&function, module, "meet"));
    return function;
  }
  /// Launches as many blocks as the driver promises to run at once.
  void run(CUfunction function, int threads) {
    int blocks = 0, processors = 0;
    EXPECT_OK(cuOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, function,
                                                          threads, 0));
    EXPECT_OK(cuDeviceGetAttribute(
        &processors, CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT, 0));
    CUdeviceptr counter = upload({0});
    void *params[] = {&counter};
    unsigned count = blocks * processors;
    EXPECT_OK(cuLaunchKernel(function, count, 1, 1, threads, 1, 1, 0, nullptr,
                             params, nullptr));
    EXPECT_OK(cuCtxSynchronize());
    EXPECT_EQ(download(counter, 1).front(), count);
  }
};
} // namespace

// As many blocks as occupancy promises go on together in an ordinary launch,
// however they wait.
TEST_F(ResidencyTest, PromisedBlocksWaitForEachOther) {
  run(barrierOfGrid("ld.volatile.global.u32 %r1, [%p];"), 1);
  run(barrierOfGrid("ld.acquire.gpu.global.u32 %r1, [%p];"), 64);
  run(barrierOfGrid("atom.global.add.u32 %r1, [%p], 0;"), 32);
  run(barrierOfGrid("nanosleep.u32 100; ld.relaxed.gpu.global.u32 %r1, [%p];"),
      256);
}

// A barrier of the block in the loop is no progress of the grid.
TEST_F(ResidencyTest, BlocksWaitWithBarriers) {
  run(barrierOfGrid("ld.volatile.global.u32 %r1, [%p]; bar.sync 0;"), 128);
}
