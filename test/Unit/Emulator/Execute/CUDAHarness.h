//===- CUDAHarness.h - Runs what nvcc made of CUDA C++ ----------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Kernels/NAME.cu has the kernels of NAMETest.cpp, which has for each of them
// the same computation for the host.
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_TEST_UNIT_CUDA_CUDAHARNESS_H
#define HETERO_TEST_UNIT_CUDA_CUDAHARNESS_H

#include "../DriverHarness.h"

#include "hetero/Emulator/EmulatorControl.h"

#include <array>
#include <cmath>
#include <cstring>
#include <fstream>
#include <random>
#include <sstream>
#include <string>
#include <vector>

namespace cuda = hetero::cuda;

/// An array on the device.
template <typename T> struct DeviceArray {
  explicit DeviceArray(const std::vector<T> &values) : size(values.size()) {
    size_t bytes = std::max<size_t>(1, size * sizeof(T));
    EXPECT_OK(cuMemAlloc_v2(&pointer, bytes));
    if (size)
      EXPECT_OK(cuMemcpyHtoD_v2(pointer, values.data(), size * sizeof(T)));
  }
  explicit DeviceArray(size_t size) : DeviceArray(std::vector<T>(size)) {}
  DeviceArray(const DeviceArray &) = delete;
  DeviceArray &operator=(const DeviceArray &) = delete;
  ~DeviceArray() { EXPECT_OK(cuMemFree_v2(pointer)); }

  std::vector<T> download() const {
    std::vector<T> values(size);
    if (size)
      EXPECT_OK(cuMemcpyDtoH_v2(values.data(), pointer, size * sizeof(T)));
    return values;
  }

  size_t size;
  cuda::DevicePointer pointer = 0;
};

/// Numbers of elements, and threads of a block, of what has no shape.
inline constexpr int kSizes[] = {1, 63, 500};
inline constexpr unsigned kBlock = 64;

/// Tests of the kernels in Kernels/<Family::kName>.cu, which are loaded once.
template <typename Family> class CUDATest : public testing::Test {
protected:
  static void SetUpTestSuite() {
    cuda::Context context;
    ASSERT_OK(cuInit(0));
    ASSERT_OK(cuDevicePrimaryCtxRetain(&context, 0));
    ASSERT_OK(cuCtxSetCurrent(context));
    std::ifstream file(HETERO_CUDA_KERNELS "/" + std::string(Family::kName) +
                       ".ptx");
    if (!file)
      return;
    std::stringstream stream;
    stream << file.rdbuf();
    text = stream.str();
    module = load(text);
  }
  static cuda::Module load(const std::string &text) {
    cuda::Module loaded = nullptr;
    char log[4096] = "";
    int options[] = {cuda::kJitErrorLogBuffer,
                     cuda::kJitErrorLogBufferSizeBytes};
    void *values[] = {log, reinterpret_cast<void *>(sizeof log)};
    EXPECT_OK(cuModuleLoadDataEx(&loaded, text.c_str(), 2, options, values))
        << log;
    return loaded;
  }
  static void TearDownTestSuite() {
    size_t free = 0, total = 1;
    if (module)
      EXPECT_OK(cuModuleUnload(module));
    module = nullptr;
    EXPECT_OK(cuMemGetInfo_v2(&free, &total));
    EXPECT_EQ(free, total);
    EXPECT_OK(cuDevicePrimaryCtxRelease_v2(0));
  }
  void SetUp() override {
    if (!module)
      GTEST_SKIP() << Family::kName << ".cu was not compiled: there is no nvcc";
  }

  using Size = std::array<unsigned, 3>;

  /// Launches and waits. Arrays stand for their pointers.
  template <typename... Arguments>
  void run(const char *kernel, Size grid, Size block,
           const Arguments &...arguments) {
    runWithShared(kernel, grid, block, 0, arguments...);
  }
  template <typename... Arguments>
  void runWithShared(const char *kernel, Size grid, Size block,
                     unsigned sharedBytes, const Arguments &...arguments) {
    cuda::Function function;
    ASSERT_OK(cuModuleGetFunction(&function, module, kernel)) << kernel;
    void *pointers[] = {addressOf(arguments)...};
    ASSERT_OK(cuLaunchKernel(function, grid[0], grid[1], grid[2], block[0],
                             block[1], block[2], sharedBytes, nullptr, pointers,
                             nullptr))
        << kernel;
    ASSERT_OK(cuCtxSynchronize()) << heteroEmulatorLastFault();
  }

  /// Runs the kernel on arrays and their size; `width` results per element.
  template <typename Out, typename... Arrays>
  std::vector<Out> map(const char *kernel, int size, int width,
                       const Arrays &...arrays) {
    DeviceArray<Out> out(size * width);
    run(kernel, {cover(size, kBlock), 1, 1}, {kBlock, 1, 1}, arrays..., out,
        size);
    return out.download();
  }

  template <typename T> std::vector<T> draw(size_t size, T from, T to) {
    std::vector<T> values(size);
    for (T &value : values)
      if constexpr (std::is_floating_point_v<T>)
        value = std::uniform_real_distribution<T>(from, to)(random);
      else
        value = static_cast<T>(
            std::uniform_int_distribution<int64_t>(from, to)(random));
    return values;
  }

  /// Numbers of all magnitudes and of both signs.
  std::vector<unsigned> anyBits(size_t size) {
    std::vector<unsigned> values = draw<unsigned>(size, 0, ~0u);
    for (unsigned &value : values)
      value >>= random() % 32;
    return values;
  }

  /// Blocks that cover `size` threads.
  static unsigned cover(size_t size, unsigned block) {
    return static_cast<unsigned>(
        std::max<size_t>(1, (size + block - 1) / block));
  }

  /// Compares with a tolerance relative to the larger of 1 and the value.
  template <typename T>
  static void expectNear(const std::vector<T> &got,
                         const std::vector<T> &expected, double tolerance) {
    ASSERT_EQ(got.size(), expected.size());
    for (size_t i = 0; i < got.size(); ++i) {
      if (got[i] == expected[i] ||
          (std::isnan(expected[i]) && std::isnan(got[i])))
        continue;
      ASSERT_NEAR(got[i], expected[i],
                  tolerance * std::max(1.0, std::abs(double(expected[i]))))
          << "at " << i;
    }
  }

  inline static std::string text; ///< PTX.
  inline static cuda::Module module = nullptr;
  std::mt19937 random{5};

private:
  template <typename T> static void *addressOf(const DeviceArray<T> &array) {
    return const_cast<cuda::DevicePointer *>(&array.pointer);
  }
  template <typename T> static void *addressOf(const T &value) {
    return const_cast<T *>(&value);
  }
};

#endif // HETERO_TEST_UNIT_CUDA_CUDAHARNESS_H
