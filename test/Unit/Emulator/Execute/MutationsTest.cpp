//===- MutationsTest.cpp - Changed PTX computes something else ------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The emulator knows no kernel: constants and operations are changed in the
// text that nvcc has made, and the results follow.
//
//===----------------------------------------------------------------------===//

#include "CUDAHarness.h"

#include "llvm/ADT/bit.h"

#include <utility>

namespace {
struct MutationsFamily {
  static constexpr const char *kName = "Computations";
};

class Mutations : public CUDATest<MutationsFamily> {
protected:
  void TearDown() override {
    if (!mutant)
      return;
    EXPECT_OK(cuModuleUnload(mutant));
    module = original;
  }

  /// Tests see the module with `from` replaced by `to` in the kernel.
  void mutate(const std::string &kernel, const std::string &from,
              const std::string &to) {
    std::string changed = text;
    size_t at = changed.find(".entry " + kernel + "(");
    ASSERT_NE(at, std::string::npos) << kernel;
    size_t end = changed.find("\n}", at);
    unsigned count = 0;
    for (; (at = changed.find(from, at)) < end; ++count, at += to.size()) {
      changed.replace(at, from.size(), to);
      end += to.size() - from.size();
    }
    EXPECT_GT(count, 0u) << kernel << " has no " << from;
    mutant = load(changed);
    original = std::exchange(module, mutant);
  }

  cuda::Module mutant = nullptr, original = nullptr;
};
} // namespace

TEST_F(Mutations, AConstant) {
  constexpr int kBytes = 11, kSize = 100;
  // Another polynomial: that of CRC-32C.
  mutate("crc32", "-306674912", "-2097792136");
  std::vector<uint8_t> bytes = draw<uint8_t>(kSize * kBytes, 0, 255);
  std::vector<unsigned> expected;
  for (int i = 0; i < kSize; ++i) {
    unsigned crc = ~0u;
    for (int bit = 0; bit < 8 * kBytes; ++bit) {
      crc ^= bit % 8 == 0 ? bytes[i * kBytes + bit / 8] : 0;
      crc = crc & 1 ? crc >> 1 ^ 0x82f63b78u : crc >> 1;
    }
    expected.push_back(~crc);
  }
  EXPECT_EQ(
      map<unsigned>("crc32", kSize, 1, DeviceArray<uint8_t>(bytes), kBytes),
      expected);
}

TEST_F(Mutations, AnOperation) {
  constexpr int kSize = 100;
  mutate("minimaAndNaN", "min.f32", "max.f32");
  std::vector<float> x = draw(kSize, -9.0f, 9.0f), y = draw(kSize, -9.0f, 9.0f);
  std::vector<float> got = map<float>(
      "minimaAndNaN", kSize, 4, DeviceArray<float>(x), DeviceArray<float>(y));
  for (int i = 0; i < kSize; ++i)
    EXPECT_EQ(got[4 * i], std::max(x[i], y[i]));
}

TEST_F(Mutations, AnOperationOnBits) {
  constexpr int kSize = 100;
  mutate("bits", "popc.b32", "clz.b32");
  std::vector<unsigned> x = anyBits(kSize), y = anyBits(kSize);
  std::vector<unsigned> got = map<unsigned>(
      "bits", kSize, 10, DeviceArray<unsigned>(x), DeviceArray<unsigned>(y));
  for (int i = 0; i < kSize; ++i)
    EXPECT_EQ(got[10 * i], unsigned(llvm::countl_zero(x[i])));
}

TEST_F(Mutations, ARounding) {
  constexpr int kSize = 100;
  mutate("axpy", "fma.rn.f32", "fma.rp.f32");
  std::vector<float> x = draw(kSize, -9.0f, 9.0f), y = draw(kSize, -9.0f, 9.0f);
  DeviceArray<float> from(x), to(y);
  run("axpy", {2, 1, 1}, {kBlock, 1, 1}, 1.7f, from, to, kSize);
  std::vector<float> got = to.download();
  int above = 0;
  for (int i = 0; i < kSize; ++i) {
    float nearest = std::fma(1.7f, x[i], y[i]);
    EXPECT_TRUE(got[i] == nearest || got[i] == std::nextafterf(nearest, 99));
    above += got[i] > nearest;
  }
  EXPECT_GT(above, kSize / 4);
}

/// With (n ^ 1) == 1 for the test of odd numbers every number is halved, since
/// only 0 would pass.
TEST_F(Mutations, ABranch) {
  constexpr int kSize = 50;
  mutate("collatz", "and.b64", "xor.b64");
  std::vector<unsigned> x = draw<unsigned>(kSize, 2, 100000), expected;
  for (unsigned n : x) {
    unsigned count = 0;
    for (; n != 1; n /= 2)
      ++count;
    expected.push_back(count);
  }
  EXPECT_EQ(map<unsigned>("collatz", kSize, 1, DeviceArray<unsigned>(x)),
            expected);
}
