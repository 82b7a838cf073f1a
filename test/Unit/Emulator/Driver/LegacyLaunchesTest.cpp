//===- LegacyLaunchesTest.cpp - Launches as before CUDA 4 -----------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// The declarations of these calls say that they are old.
#pragma clang diagnostic ignored "-Wdeprecated-declarations"
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

#include "DriverAPIHarness.h"

namespace {
class LegacyLaunchesTest : public DriverAPITest {
protected:
  void SetUp() override {
    DriverAPITest::SetUp();
    add = kernel("add");
    from = upload(countFrom(1, 32));
    to = upload(std::vector<unsigned>(32));
  }
  CUfunction add;
  CUdeviceptr from, to;
};
} // namespace

TEST_F(LegacyLaunchesTest, ArgumentsOneByOne) {
  EXPECT_OK(cuFuncSetBlockShape(add, 8, 1, 1));
  EXPECT_OK(cuParamSetv(add, 0, &to, sizeof to));
  EXPECT_OK(cuParamSetv(add, 8, &from, sizeof from));
  EXPECT_OK(cuParamSeti(add, 16, 100));
  EXPECT_OK(cuParamSetSize(add, 20));
  EXPECT_OK(cuLaunchGrid(add, 4, 1));
  EXPECT_EQ(download(to, 32), countFrom(101, 32));
  // The block and the arguments stay.
  EXPECT_OK(cuParamSetf(add, 16, 1.0f));
  CUstream stream;
  ASSERT_OK(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
  EXPECT_OK(cuLaunchGridAsync(add, 2, 1, stream));
  EXPECT_OK(cuStreamSynchronize(stream));
  EXPECT_EQ(download(to, 16), countFrom(0x3f800001, 16));
  EXPECT_EQ(download(to + 64, 16), countFrom(117, 16));
  EXPECT_OK(cuStreamDestroy(stream));
}

TEST_F(LegacyLaunchesTest, OneBlock) {
  EXPECT_OK(cuParamSetSize(add, 20));
  EXPECT_OK(cuFuncSetSharedSize(add, 64));
  EXPECT_OK(cuParamSetv(add, 0, &to, sizeof to));
  EXPECT_OK(cuParamSetv(add, 8, &from, sizeof from));
  EXPECT_OK(cuParamSeti(add, 16, 5));
  EXPECT_OK(cuLaunch(add));
  EXPECT_EQ(download(to, 2), (std::vector<unsigned>{6, 0}));
}

TEST_F(LegacyLaunchesTest, WhatIsRefused) {
  EXPECT_EQ(cuFuncSetBlockShape(add, 0, 1, 1), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cuFuncSetBlockShape(add, 64, 64, 1), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cuFuncSetSharedSize(add, 1 << 20), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cuParamSetv(add, -4, &to, 8), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cuParamSetv(add, 40000, &to, 8), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cuParamSetv(add, 0, nullptr, 8), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cuParamSetSize(add, 40000), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cuLaunchGrid(add, 0, 1), CUDA_ERROR_INVALID_VALUE);
  // Fewer arguments than there are parameters.
  EXPECT_EQ(cuLaunch(add), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cuParamSeti(nullptr, 0, 1), CUDA_ERROR_INVALID_HANDLE);
}
