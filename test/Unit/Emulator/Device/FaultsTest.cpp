//===- FaultsTest.cpp - Calls that fail on purpose ------------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../DriverHarness.h"

#include "Emulator/Device/Config.h"

namespace {
class FaultsTest : public DriverTest {
protected:
  void TearDown() override {
    ASSERT_EQ(heteroEmulatorFail(nullptr), 0);
    for (int device = 0; device < 2; ++device)
      EXPECT_OK(cuDevicePrimaryCtxReset_v2(device));
    DriverTest::TearDown();
    EXPECT_EQ(heteroEmulatorLive(nullptr), 0u);
  }
  /// The only fault is the one of the test.
  void fail(const char *points) { ASSERT_EQ(heteroEmulatorFail(points), 0); }
  void expectFault(const char *text) {
    EXPECT_NE(std::string(heteroEmulatorLastFault()).find(text),
              std::string::npos)
        << heteroEmulatorLastFault();
  }
};
} // namespace

TEST(Faults, AreConfigured) {
  Config config;
  std::string error;
  ASSERT_TRUE(parseConfig("fail=alloc:3,launch:5+,fail=device-lost:7,leaks=f",
                          config, error))
      << error;
  ASSERT_EQ(config.fail.size(), 3u);
  EXPECT_EQ(config.fail[1].kind, CallClass::Launch);
  EXPECT_EQ(config.fail[1].number, 5u);
  EXPECT_TRUE(config.fail[1].andLater);
  EXPECT_EQ(config.fail[2].kind, CallClass::Device);
  EXPECT_EQ(config.leaks, "f");
  for (const char *text : {"fail=alloc", "fail=alloc:0", "fail=copy:x",
                           "fail=free:1", "fail=", "fail=alloc:1x", "copy:"})
    EXPECT_FALSE(parseConfig(text, config, error)) << text;
}

/// One allocation fails, the next one works: nothing has happened.
TEST_F(FaultsTest, AnAllocationFails) {
  fail("alloc:2");
  cuda::DevicePointer a, b;
  void *host;
  EXPECT_OK(cuMemAlloc_v2(&a, 16));
  EXPECT_EQ(cuMemHostAlloc(&host, 16, 0), cuda::kOutOfMemory);
  EXPECT_OK(cuMemAlloc_v2(&b, 16));
  EXPECT_EQ(heteroEmulatorCalls("alloc"), 3u);
  EXPECT_EQ(heteroEmulatorLive("allocations"), 2u);
  EXPECT_EQ(heteroEmulatorLive("bytes"), 32u);
  fail("alloc:2+");
  EXPECT_OK(cuMemAlloc_v2(&a, 16));
  EXPECT_EQ(cuMemAlloc_v2(&b, 16), cuda::kOutOfMemory);
  EXPECT_EQ(cuMemAlloc_v2(&b, 16), cuda::kOutOfMemory);
}

/// A kernel that fails is noticed when somebody waits, and every later call of
/// the context has the same error.
TEST_F(FaultsTest, ALaunchFails) {
  fail("launch:2");
  cuda::DevicePointer a = upload(std::vector<uint32_t>(4, 0));
  EXPECT_OK(launch("increment", 1, 4, {a}));
  EXPECT_EQ(launch("increment", 1, 4, {a}), cuda::kLaunchFailed);
  expectFault("kernel increment on gpu:0 fails (fail=launch:2)");
  EXPECT_EQ(cuMemAlloc_v2(&a, 16), cuda::kLaunchFailed);
  EXPECT_OK(cuCtxSetCurrent(context[1]));
  EXPECT_OK(cuMemAlloc_v2(&a, 16));
}

TEST_F(FaultsTest, ACopyFails) {
  fail("copy:2");
  cuda::DevicePointer a = upload(std::vector<uint32_t>(4, 7));
  std::vector<uint32_t> values(4, 1);
  EXPECT_EQ(cuMemcpyDtoH_v2(values.data(), a, 16), cuda::kEccUncorrectable);
  EXPECT_EQ(values, std::vector<uint32_t>(4, 1));
  expectFault("a copy of 16 bytes on gpu:0 fails (fail=copy:2)");
}

/// A lost device answers nothing but the error until it is reset; the other one
/// goes on.
TEST_F(FaultsTest, ADeviceIsLost) {
  cuda::DevicePointer a = upload(std::vector<uint32_t>(4, 7));
  cuda::Stream stream;
  cuda::Event event;
  EXPECT_OK(cuStreamCreate(&stream, 1));
  EXPECT_OK(cuEventCreate(&event, 0));
  fail("device-lost:2");
  EXPECT_OK(cuStreamSynchronize(stream));
  for (int i = 0; i < 2; ++i) {
    EXPECT_EQ(cuEventRecord(event, stream), cuda::kDeviceLost);
    EXPECT_EQ(cuMemFree_v2(a), cuda::kDeviceLost);
    EXPECT_EQ(cuStreamDestroy_v2(stream), cuda::kDeviceLost);
    EXPECT_EQ(cuEventDestroy_v2(event), cuda::kDeviceLost);
    EXPECT_EQ(cuCtxSetCurrent(context[0]), cuda::kDeviceLost);
  }
  expectFault("gpu:0 is lost (fail=device-lost:2)");
  EXPECT_EQ(heteroEmulatorLive("streams"), 1u);
  EXPECT_OK(cuCtxSetCurrent(context[1]));
  upload(std::vector<uint32_t>(4, 7));
  EXPECT_OK(cuDevicePrimaryCtxReset_v2(0));
  EXPECT_EQ(heteroEmulatorLive("streams"), 0u);
  EXPECT_OK(cuCtxSetCurrent(context[0]));
  a = upload(std::vector<uint32_t>(4, 8));
  EXPECT_EQ(download<uint32_t>(a, 4)[3], 8u);
}
