//===- DriverAPIHarness.h - Programs against cuda.h -------------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_TEST_UNIT_DRIVERAPI_DRIVERAPIHARNESS_H
#define HETERO_TEST_UNIT_DRIVERAPI_DRIVERAPIHARNESS_H

#include <cuda.h>
#include <gtest/gtest.h>

#include <vector>

#define EXPECT_OK(call) EXPECT_EQ(call, CUDA_SUCCESS)
#define ASSERT_OK(call) ASSERT_EQ(call, CUDA_SUCCESS)

/// add(to, from, number): to[i] = from[i] + number, a word for each thread.
/// fail(): writes where nothing is. `counter` is a word that begins as 7.
inline constexpr char kPTX[] = R"(
.version 8.0
.target sm_80
.address_size 64
.visible .global .align 4 .u32 counter = 7;
.visible .entry add(.param .u64 to, .param .u64 from, .param .u32 number)
{
  .reg .u32 %r<8>;
  .reg .u64 %rd<8>;
  mov.u32 %r1, %ctaid.x;
  mov.u32 %r2, %ntid.x;
  mov.u32 %r3, %tid.x;
  mad.lo.u32 %r1, %r1, %r2, %r3;
  mul.wide.u32 %rd1, %r1, 4;
  ld.param.u64 %rd2, [to];
  ld.param.u64 %rd3, [from];
  add.u64 %rd2, %rd2, %rd1;
  add.u64 %rd3, %rd3, %rd1;
  ld.param.u32 %r4, [number];
  ld.global.u32 %r5, [%rd3];
  add.u32 %r5, %r5, %r4;
  st.global.u32 [%rd2], %r5;
  ret;
}
.visible .entry fail()
{
  .reg .u64 %rd<2>;
  mov.u64 %rd1, 64;
  st.global.u32 [%rd1], 1;
  ret;
}
)";

/// The first device's primary context is current. Each test leaves nothing.
class DriverAPITest : public testing::Test {
protected:
  void SetUp() override {
    ASSERT_OK(cuInit(0));
    ASSERT_OK(cuDevicePrimaryCtxRetain(&primary, 0));
    ASSERT_OK(cuCtxSetCurrent(primary));
  }
  void TearDown() override {
    ASSERT_OK(cuCtxSetCurrent(primary));
    EXPECT_OK(cuDevicePrimaryCtxReset(0));
    size_t free = 0, total = 1;
    EXPECT_OK(cuMemGetInfo(&free, &total));
    EXPECT_EQ(free, total);
    EXPECT_OK(cuDevicePrimaryCtxRelease(0));
  }

  CUfunction kernel(const char *name) {
    CUmodule module = nullptr;
    CUfunction function = nullptr;
    EXPECT_OK(cuModuleLoadData(&module, kPTX));
    EXPECT_OK(cuModuleGetFunction(&function, module, name));
    return function;
  }
  /// Runs add on `count` words, which is a multiple of 8.
  static CUresult launchAdd(CUfunction add, CUdeviceptr to, CUdeviceptr from,
                            unsigned number, unsigned count,
                            CUstream stream = nullptr) {
    void *params[] = {&to, &from, &number};
    return cuLaunchKernel(add, count / 8, 1, 1, 8, 1, 1, 0, stream, params,
                          nullptr);
  }
  static CUdeviceptr upload(const std::vector<unsigned> &words) {
    CUdeviceptr pointer = 0;
    EXPECT_OK(cuMemAlloc(&pointer, 4 * words.size()));
    EXPECT_OK(cuMemcpyHtoD(pointer, words.data(), 4 * words.size()));
    return pointer;
  }
  static std::vector<unsigned> download(CUdeviceptr pointer, size_t count) {
    std::vector<unsigned> words(count);
    EXPECT_OK(cuMemcpyDtoH(words.data(), pointer, 4 * count));
    return words;
  }
  static std::vector<unsigned> countFrom(unsigned first, size_t count) {
    std::vector<unsigned> words(count);
    for (unsigned &word : words)
      word = first++;
    return words;
  }

  CUcontext primary = nullptr;
};

#endif // HETERO_TEST_UNIT_DRIVERAPI_DRIVERAPIHARNESS_H
