//===- PTXLaunchHarness.h - Runs PTX through the driver ---------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_TEST_UNIT_EMULATOR_PTXLAUNCHHARNESS_H
#define HETERO_TEST_UNIT_EMULATOR_PTXLAUNCHHARNESS_H

#include "Emulator/Driver/State/Driver.h"

#include <cstring>
#include <fstream>
#include <gtest/gtest.h>
#include <sstream>

namespace cuda = hetero::cuda;

extern "C" {
#define HETERO_DECLARE(name, ...) cuda::Result name(__VA_ARGS__)
HETERO_DECLARE(cuInit, unsigned);
HETERO_DECLARE(cuDevicePrimaryCtxRetain, cuda::Context *, cuda::Device);
HETERO_DECLARE(cuDevicePrimaryCtxRelease_v2, cuda::Device);
HETERO_DECLARE(cuCtxSetCurrent, cuda::Context);
HETERO_DECLARE(cuCtxSynchronize);
HETERO_DECLARE(cuMemAlloc_v2, cuda::DevicePointer *, size_t);
HETERO_DECLARE(cuMemcpyHtoD_v2, cuda::DevicePointer, const void *, size_t);
HETERO_DECLARE(cuMemcpyDtoH_v2, void *, cuda::DevicePointer, size_t);
HETERO_DECLARE(cuModuleLoadData, cuda::Module *, const void *);
HETERO_DECLARE(cuModuleLoadDataEx, cuda::Module *, const void *, unsigned,
               int *, void **);
HETERO_DECLARE(cuModuleGetFunction, cuda::Function *, cuda::Module,
               const char *);
HETERO_DECLARE(cuLaunchKernel, cuda::Function, unsigned, unsigned, unsigned,
               unsigned, unsigned, unsigned, unsigned, cuda::Stream, void **,
               void **);
const char *heteroEmulatorLastFault();
void heteroEmulatorPrintFaults(int);
}

#define ASSERT_OK(call) ASSERT_EQ(call, cuda::kSuccess)

class PTXLaunchTest : public testing::Test {
protected:
  void SetUp() override {
    cuda::Context context;
    ASSERT_OK(cuInit(0));
    ASSERT_OK(cuDevicePrimaryCtxRetain(&context, 0));
    ASSERT_OK(cuCtxSetCurrent(context));
  }
  void TearDown() override {
    EXPECT_EQ(cuDevicePrimaryCtxRelease_v2(0), cuda::kSuccess);
  }

  template <typename T>
  cuda::DevicePointer upload(const std::vector<T> &values) {
    cuda::DevicePointer pointer = 0;
    size_t bytes = values.size() * sizeof(T);
    EXPECT_EQ(cuMemAlloc_v2(&pointer, bytes), cuda::kSuccess);
    EXPECT_EQ(cuMemcpyHtoD_v2(pointer, values.data(), bytes), cuda::kSuccess);
    return pointer;
  }

  template <typename T = uint32_t>
  std::vector<T> download(cuda::DevicePointer pointer, size_t count) {
    std::vector<T> result(count);
    EXPECT_EQ(cuMemcpyDtoH_v2(result.data(), pointer, count * sizeof(T)),
              cuda::kSuccess);
    return result;
  }

  /// Runs a kernel of a file in Inputs.
  void launch(const std::string &file, const char *kernel, unsigned blocks,
              unsigned threads, std::vector<uint64_t> params,
              cuda::Result expected = cuda::kSuccess) {
    std::ifstream stream(std::string(HETERO_PTX_INPUTS "/") + file);
    std::stringstream text;
    text << stream.rdbuf();
    ASSERT_NE(text.str(), "") << file;
    launchText(text.str(), kernel, blocks, threads, params, expected);
  }

  void launchText(const std::string &text, const char *kernel, unsigned blocks,
                  unsigned threads, std::vector<uint64_t> params,
                  cuda::Result expected = cuda::kSuccess) {
    cuda::Module module;
    cuda::Function function;
    ASSERT_OK(cuModuleLoadData(&module, text.c_str())) << compileLog(text);
    ASSERT_OK(cuModuleGetFunction(&function, module, kernel));
    std::vector<void *> pointers;
    for (uint64_t &param : params)
      pointers.push_back(&param);
    ASSERT_OK(cuLaunchKernel(function, blocks, 1, 1, threads, 1, 1, 0, nullptr,
                             pointers.data(), nullptr));
    EXPECT_EQ(cuCtxSynchronize(), expected) << heteroEmulatorLastFault();
  }

  /// What the driver says of a text that it refuses.
  static std::string compileLog(const std::string &text) {
    char log[1024] = {};
    int options[] = {cuda::kJitErrorLogBuffer,
                     cuda::kJitErrorLogBufferSizeBytes};
    void *values[] = {log, reinterpret_cast<void *>(sizeof log)};
    cuda::Module module;
    cuModuleLoadDataEx(&module, text.c_str(), 2, options, values);
    return log;
  }
};

#endif // HETERO_TEST_UNIT_EMULATOR_PTXLAUNCHHARNESS_H
