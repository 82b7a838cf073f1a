//===- ProgramsTest.cpp - What programs are made of besides arithmetic ----===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CUDAHarness.h"

#include <algorithm>

extern "C" hetero::cuda::Result cuFuncSetAttribute(hetero::cuda::Function, int,
                                                   int);

namespace {
struct ProgramsFamily {
  static constexpr const char *kName = "Programs";
};

class Programs : public CUDATest<ProgramsFamily> {
protected:
  cuda::Function find(const char *kernel) {
    cuda::Function function = nullptr;
    EXPECT_OK(cuModuleGetFunction(&function, module, kernel));
    return function;
  }

  /// A kernel that fails, and what the message has to say. The context is lost
  /// with it, so that the module is loaded anew.
  template <typename... Arguments>
  void expectFault(const char *kernel, unsigned threads, cuda::Result error,
                   std::initializer_list<const char *> parts,
                   Arguments... arguments) {
    void *pointers[] = {&arguments..., nullptr};
    ASSERT_OK(cuLaunchKernel(find(kernel), 1, 1, 1, threads, 1, 1, 0, nullptr,
                             pointers, nullptr));
    EXPECT_EQ(cuCtxSynchronize(), error);
    std::string message = heteroEmulatorLastFault();
    for (const char *part : parts)
      EXPECT_NE(message.find(part), std::string::npos) << message;
    ASSERT_OK(cuDevicePrimaryCtxReset_v2(0));
    module = load(text);
  }

  cuda::DevicePointer allocate(size_t bytes) {
    cuda::DevicePointer pointer = 0;
    EXPECT_OK(cuMemAlloc_v2(&pointer, bytes));
    return pointer;
  }
};
} // namespace

TEST_F(Programs, ParametersByValue) {
  struct Shape {
    char kind;
    double scale;
    short strides[5];
    long long offset;
  } shape = {3, -0.5, {1, 2, 3, 5, 7}, 11};
  for (int size : kSizes) {
    std::vector<double> in = draw(size, -9.0, 9.0), expected;
    for (int i = 0; i < size; ++i)
      expected.push_back(std::fma(
          in[(i * shape.strides[i % 5] + shape.offset) % size], -0.5, 3.0));
    DeviceArray<double> from(in), to(size);
    run("byValue", {cover(size, kBlock), 1, 1}, {kBlock, 1, 1}, shape, from, to,
        size);
    EXPECT_EQ(to.download(), expected);
  }
}

TEST_F(Programs, ShufflesOfWords) {
  std::vector<double> in;
  for (int value : draw(64, -100, 100))
    in.push_back(value * 0.25);
  std::vector<double> expected(64);
  for (int i = 0; i < 64; ++i)
    for (int lane = 0; lane < 32; ++lane)
      expected[i] += in[i / 32 * 32 + lane];
  DeviceArray<double> from(in), to(64);
  run("shuffleWide", {1, 1, 1}, {64, 1, 1}, from, to);
  EXPECT_EQ(to.download(), expected);
}

TEST_F(Programs, ComparesAndSwaps) {
  for (int size : kSizes) {
    std::vector<double> in(size, 1.0);
    for (int i = 0; i < size; i += 7)
      in[i] = i % 2 ? 2 : 0.5;
    double expected = 3;
    for (double value : in)
      expected *= value;
    DeviceArray<double> product(std::vector<double>{3}), from(in);
    run("multiplyAtomically", {cover(size, kBlock), 1, 1}, {kBlock, 1, 1},
        product, from, size);
    EXPECT_EQ(product.download().front(), expected);
  }
}

TEST_F(Programs, BlocksWaitForBlocks) {
  constexpr unsigned kBlocks = 9;
  DeviceArray<int> flags(kBlocks), values(kBlocks * 32);
  run("handOver", {kBlocks, 1, 1}, {32, 1, 1}, flags, values);
  std::vector<int> expected;
  for (unsigned block = 0; block < kBlocks; ++block)
    for (int i = 0; i < 32; ++i)
      expected.push_back(2 * (block ? expected[expected.size() - 32] : i) + 1);
  EXPECT_EQ(values.download(), expected);
}

TEST_F(Programs, SharedMemoryOnRequest) {
  for (int size : {100, 20000}) {
    std::vector<int> values = draw(size, -100, 100);
    DeviceArray<int> array(values);
    int bytes = 4 * size;
    EXPECT_OK(cuFuncSetAttribute(find("reverseLarge"),
                                 cuda::kMaxDynamicSharedSizeBytes, bytes));
    runWithShared("reverseLarge", {1, 1, 1}, {128, 1, 1}, bytes, array, size);
    std::reverse(values.begin(), values.end());
    EXPECT_EQ(array.download(), values);
  }
}

TEST_F(Programs, TheHostSetsVariables) {
  std::vector<float> values = draw(16, -1.0f, 1.0f), expected;
  for (int shift : {0, 5}) {
    cuda::DevicePointer pointer = 0;
    size_t bytes = 0;
    ASSERT_OK(cuModuleGetGlobal_v2(&pointer, &bytes, module, "table"));
    ASSERT_EQ(bytes, 64u);
    ASSERT_OK(cuMemcpyHtoD_v2(pointer, values.data(), bytes));
    ASSERT_OK(cuModuleGetGlobal_v2(&pointer, &bytes, module, "shift"));
    ASSERT_OK(cuMemcpyHtoD_v2(pointer, &shift, sizeof shift));
    expected = values;
    std::rotate(expected.begin(), expected.begin() + shift, expected.end());
    DeviceArray<float> out(16);
    run("useVariables", {1, 1, 1}, {16, 1, 1}, out);
    EXPECT_EQ(out.download(), expected);
  }
}

TEST_F(Programs, GridsOfThreeDimensions) {
  DeviceArray<int> out(12 * 10 * 6);
  run("grid3D", {4, 5, 3}, {3, 2, 2}, out);
  std::vector<int> expected;
  for (int z = 0; z < 6; ++z)
    for (int y = 0; y < 10; ++y)
      for (int x = 0; x < 12; ++x)
        expected.push_back(x + 100 * y + 10000 * z);
  EXPECT_EQ(out.download(), expected);
}

TEST_F(Programs, Prints) {
  testing::internal::CaptureStdout();
  run("print", {2, 1, 1}, {32, 1, 1}, 12);
  std::fflush(stdout);
  EXPECT_EQ(testing::internal::GetCapturedStdout(),
            "value 12, 1.500, text, x%\nvalue 12, 1.500, text, x%\n");
}

//===----------------------------------------------------------------------===//
// Errors
//===----------------------------------------------------------------------===//

TEST_F(Programs, AccessesOutOfBounds) {
  cuda::DevicePointer in = allocate(40), out = allocate(128);
  expectFault("readBeyond", 4, cuda::kIllegalAddress,
              {"kernel readBeyond", "thread (0, 0, 0)", "loads 4 bytes",
               "allocation of 40 bytes"},
              in, out, 10);
  expectFault("writeSharedBeyond", 1, cuda::kIllegalAddress,
              {"stores 4 bytes to shared address", "32 bytes"}, 8);
}

TEST_F(Programs, AccessesThatAreMisaligned) {
  cuda::DevicePointer in = allocate(40), out = allocate(128);
  expectFault("readMisaligned", 1, cuda::kMisalignedAddress,
              {"loads 4 bytes", "not a multiple of the size"}, in, out);
}

TEST_F(Programs, AssertionsAndTraps) {
  run("assertPositive", {1, 1, 1}, {8, 1, 1}, 1);
  expectFault("assertPositive", 8, cuda::kAssert,
              {"kernel assertPositive", "assertion `value > 0` of",
               "Programs.cu", "failed"},
              -1);
  expectFault("stopHere", 8, cuda::kLaunchFailed, {"kernel stopHere", "stops"});
}

TEST_F(Programs, BarriersThatNobodyReaches) {
  run("barrierForSome", {1, 1, 1}, {64, 1, 1}, 64);
  expectFault("barrierForSome", 64, cuda::kLaunchFailed,
              {"kernel barrierForSome", "barrier 1"}, 32);
}
