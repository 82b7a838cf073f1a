//===- DriverTest.cpp - The runtime on a driver that the test steers ------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What no real or emulated device does on command: refused launches, work that
// does not end, programs that leave.
//
//===----------------------------------------------------------------------===//

#include "FakeDriver.h"
#include "hetero/Runtime/CudaDriver.h"
#include "hetero/Runtime/HeteroRuntime.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <cstdlib>
#include <future>
#include <iterator>
#include <string>
#include <thread>
#include <tuple>
#include <utility>
#include <vector>

namespace {

std::string lastError() { return heteroLastError(); }

class SteeredDriver : public ::testing::Test {
protected:
  static void SetUpTestSuite() {
    setenv("HETERO_CUDA_DRIVER", HETERO_FAKE_DRIVER, /*overwrite=*/1);
    int32_t count = 0;
    ASSERT_EQ(heteroDeviceCount(&count), HETERO_OK) << lastError();
    ASSERT_EQ(count, 2);
  }
  void SetUp() override { ASSERT_EQ(heteroFrameBegin("test"), HETERO_OK); }
  void TearDown() override {
    driver.launchResult = 0;
    driver.stuckDevice = -1;
    driver.sharedBytes.clear();
    driver.major = driver.minor = 8;
    heteroFrameEnd(HETERO_OK);
    EXPECT_EQ(heteroReset(), HETERO_OK);
  }

  HeteroStatus launch(const HeteroImage &image, int64_t sharedBytes = 0) {
    return heteroLaunch(0, &image, "k", 1, 1, 1, 32, 1, 1, sharedBytes, nullptr,
                        0);
  }

  FakeDriver &driver = *heteroFakeDriver();
  HeteroCode code = {"", 1, HETERO_CODE_PTX, 8, 0, HETERO_REACH_LATER};
  HeteroImage image = {"image", &code, 1, 0};
};

/// An older driver.
TEST_F(SteeredDriver, NoTensorMaps) {
  alignas(HETERO_TENSOR_MAP_ALIGNMENT) char map[HETERO_TENSOR_MAP_BYTES];
  int64_t size = 64, box = 64;
  EXPECT_EQ(heteroTensorMap(map, HETERO_TYPE_F16, 1, nullptr, &size, nullptr,
                            &box, 128),
            HETERO_ERROR_DRIVER);
  EXPECT_EQ(lastError(), HETERO_FAKE_DRIVER
            " has no cuTensorMapEncodeTiled; update the driver, or compile for "
            "another chip than sm_90a");
}

TEST_F(SteeredDriver, RefusedLaunchesLoseNoDevice) {
  driver.launchResult = hetero::cuda::kLaunchOutOfResources;
  EXPECT_EQ(launch(image), HETERO_ERROR_LAUNCH);
  EXPECT_NE(lastError().find("--chip"), std::string::npos) << lastError();
  driver.launchResult = 0;
  EXPECT_EQ(launch(image), HETERO_OK) << lastError();
}

TEST_F(SteeredDriver, FaultsLoseTheDeviceUntilReset) {
  driver.launchResult = hetero::cuda::kIllegalAddress;
  EXPECT_EQ(launch(image), HETERO_ERROR_LAUNCH);
  driver.launchResult = 0;
  EXPECT_EQ(launch(image), HETERO_ERROR_DEVICE_LOST);
  ASSERT_EQ(heteroReset(), HETERO_OK);
  EXPECT_EQ(launch(image), HETERO_OK) << lastError();
}

TEST_F(SteeredDriver, MuchSharedMemoryIsAskedFor) {
  EXPECT_EQ(launch(image, 48 * 1024), HETERO_OK);
  EXPECT_TRUE(driver.sharedBytes.empty());
  EXPECT_EQ(launch(image, 100 * 1024), HETERO_OK) << lastError();
  EXPECT_EQ(launch(image, 64 * 1024), HETERO_OK);
  EXPECT_EQ(driver.sharedBytes, std::vector<int>{100 * 1024});
  EXPECT_EQ(launch(image, 1024 * 1024), HETERO_ERROR_LAUNCH);
  EXPECT_EQ(lastError(), "kernel k needs 1048576 bytes of shared memory, more "
                         "than gpu:0 offers; use smaller tiles");
}

// A program that is unloaded takes its modules and constants along: another one
// at the same addresses must not meet them.
TEST_F(SteeredDriver, ForgottenImagesAreLoadedAgain) {
  HeteroImage other = image;
  ASSERT_EQ(launch(image), HETERO_OK);
  ASSERT_EQ(launch(other), HETERO_OK);
  ASSERT_EQ(driver.modules, 2);
  ASSERT_EQ(heteroForget(&image, sizeof image), HETERO_OK);
  EXPECT_EQ(driver.modules, 1);
  int loads = driver.loads;
  ASSERT_EQ(launch(other), HETERO_OK);
  EXPECT_EQ(driver.loads, loads);
  ASSERT_EQ(launch(image), HETERO_OK);
  EXPECT_EQ(driver.loads, loads + 1);
}

// Of code for several chips a device takes the latest that it runs.
TEST_F(SteeredDriver, TakesTheCodeOfItsChip) {
  auto code = [](HeteroCodeFormat format, int32_t major, int32_t minor,
                 HeteroCodeReach reach = HETERO_REACH_LATER) {
    return HeteroCode{"", 1, format, major, minor, reach};
  };
  // By compute capability, the bytes that are loaded.
  const HeteroCode codes[] = {code(HETERO_CODE_PTX, 8, 0),
                              code(HETERO_CODE_CUBIN, 8, 0),
                              code(HETERO_CODE_CUBIN, 8, 6),
                              code(HETERO_CODE_PTX, 9, 0, HETERO_REACH_SAME),
                              code(HETERO_CODE_PTX, 10, 0, HETERO_REACH_MAJOR)};
  const std::tuple<int, int, int> expected[] = {
      {8, 0, 1}, {8, 6, 2},  {8, 9, 2}, {9, 0, 3},
      {9, 1, 0}, {10, 3, 4}, {12, 0, 0}};
  char bytes[5];
  std::vector<HeteroCode> all(std::begin(codes), std::end(codes));
  for (size_t i = 0; i < all.size(); ++i)
    all[i].bytes = &bytes[i];
  HeteroImage several = {"several", all.data(), int64_t(all.size()), 0};
  for (auto [major, minor, index] : expected) {
    ASSERT_EQ(heteroReset(), HETERO_OK);
    driver.major = major;
    driver.minor = minor;
    ASSERT_EQ(launch(several), HETERO_OK) << lastError();
    EXPECT_EQ(driver.loaded, &bytes[index]) << major << "." << minor;
  }
}

TEST_F(SteeredDriver, CodeForNoChipThatIsThereIsAnError) {
  ASSERT_EQ(heteroReset(), HETERO_OK);
  code.reach = HETERO_REACH_SAME;
  EXPECT_EQ(launch(image), HETERO_ERROR_MODULE);
  EXPECT_EQ(lastError(),
            "module image has code for compute capability 8.0 only, but gpu:0 "
            "is of 8.8; name the device's chip in the topology, compile for it "
            "with --chip, or map to another one with --device-map");
}

// One that was unloaded without a word is told from its successor by the code.
TEST_F(SteeredDriver, OtherCodeAtTheSameAddressIsLoaded) {
  HeteroImage successor = image;
  ASSERT_EQ(launch(successor), HETERO_OK);
  int loads = driver.loads;
  ASSERT_EQ(launch(successor), HETERO_OK);
  EXPECT_EQ(driver.loads, loads);
  successor.hash = 1;
  ASSERT_EQ(launch(successor), HETERO_OK);
  EXPECT_EQ(driver.loads, loads + 1);
}

std::string report() {
  char *text = heteroReport();
  std::string copy = text;
  heteroFreeString(text);
  return copy;
}

/// The constants of a program with one entry point.
struct Constants {
  explicit Constants(std::vector<HeteroConstant> values)
      : values(std::move(values)) {
    for (HeteroConstant &value : this->values)
      list.push_back(&value);
    needed = {"main", list.data(), static_cast<int64_t>(list.size()), 0};
  }

  std::vector<HeteroConstant> values;
  std::vector<HeteroConstant *> list;
  HeteroConstants needed;
};

HeteroConstant describe(const int32_t (&data)[4], int32_t device) {
  return {data, sizeof data, "c", device, 0, nullptr, 0};
}

/// The first element of a constant on gpu:0.
int32_t readBack(const HeteroConstant &constant) {
  int32_t seen = 0;
  EXPECT_EQ(heteroCopy(HETERO_HOST, &seen, 0, constant.address, 4, "c"),
            HETERO_OK);
  EXPECT_EQ(heteroWait(0), HETERO_OK);
  return seen;
}

TEST_F(SteeredDriver, ForgottenConstantsAreUploadedAgain) {
  int32_t data[4] = {};
  Constants constants({describe(data, 0)});
  for (int32_t value : {1, 5}) {
    data[0] = value;
    constants.needed.epoch = constants.values[0].epoch = 0;
    ASSERT_EQ(heteroUpload(&constants.needed), HETERO_OK);
    EXPECT_EQ(readBack(constants.values[0]), value);
    ASSERT_EQ(heteroForget(&constants.values[0], sizeof(HeteroConstant)),
              HETERO_OK);
  }
}

// A program that is loaded where another one was, which nobody unloaded, has
// its own constants; the memory of the old ones goes.
TEST_F(SteeredDriver, ConstantsOfAFreshProgramReplaceOldOnes) {
  int32_t data[4] = {1};
  Constants constants({describe(data, 0)});
  ASSERT_EQ(heteroUpload(&constants.needed), HETERO_OK);
  data[0] = 5;
  ASSERT_EQ(heteroUpload(&constants.needed), HETERO_OK);
  EXPECT_EQ(readBack(constants.values[0]), 1);
  constants.needed.epoch = constants.values[0].epoch = 0;
  ASSERT_EQ(heteroUpload(&constants.needed), HETERO_OK);
  EXPECT_EQ(readBack(constants.values[0]), 5);
}

TEST_F(SteeredDriver, EntryPointsShareConstants) {
  int32_t data[4] = {1};
  Constants constants({describe(data, 0)});
  HeteroConstants other = {"other", constants.list.data(), 1, 0};
  ASSERT_EQ(heteroUpload(&constants.needed), HETERO_OK);
  void *address = constants.values[0].address;
  int allocations = driver.allocations;
  ASSERT_EQ(heteroUpload(&other), HETERO_OK);
  EXPECT_EQ(constants.values[0].address, address);
  EXPECT_EQ(driver.allocations, allocations);
}

TEST_F(SteeredDriver, ThreadsUploadConstantsOnce) {
  int32_t data[4] = {1};
  Constants constants({describe(data, 0), describe(data, 0)});
  std::vector<std::thread> threads;
  std::atomic<int> failures{0};
  for (int i = 0; i < 4; ++i)
    threads.emplace_back([&] {
      // What a call of the program reads.
      if (heteroUpload(&constants.needed) != HETERO_OK ||
          !constants.values[1].address)
        ++failures;
    });
  for (std::thread &thread : threads)
    thread.join();
  EXPECT_EQ(failures, 0);
  EXPECT_NE(constants.values[0].address, constants.values[1].address);
}

// All constants are there or none.
TEST_F(SteeredDriver, FailedUploadsLeaveNothing) {
  int32_t data[4] = {1};
  Constants constants({describe(data, 0), describe(data, 77)});
  EXPECT_EQ(heteroUpload(&constants.needed), HETERO_ERROR_NO_DEVICE);
  EXPECT_EQ(lastError().find("the program needs gpu:77, but "), 0u)
      << lastError();
  EXPECT_EQ(constants.values[0].epoch, 0);
  EXPECT_EQ(constants.needed.epoch, 0);
}

TEST_F(SteeredDriver, ResetOutdatesConstants) {
  int32_t data[4] = {1};
  Constants constants({describe(data, 0)});
  ASSERT_EQ(heteroUpload(&constants.needed), HETERO_OK);
  ASSERT_EQ(heteroReset(), HETERO_OK);
  data[0] = 5;
  ASSERT_EQ(heteroUpload(&constants.needed), HETERO_OK);
  EXPECT_EQ(readBack(constants.values[0]), 5);
}

TEST_F(SteeredDriver, ResetForgetsWhatWasOnDevices) {
  HeteroValue value{};
  value.type = HETERO_TYPE_F32;
  value.rank = 1;
  value.sizes[0] = 1000;
  ASSERT_EQ(heteroAllocateValue(&value, 0), HETERO_OK);
  static const int32_t data[16] = {};
  Constants constants({{data, sizeof data, "c", 0, 0, nullptr, 0}});
  ASSERT_EQ(heteroUpload(&constants.needed), HETERO_OK);
  EXPECT_NE(report().find("\"peak_bytes\": 4064"), std::string::npos);
  ASSERT_EQ(heteroReset(), HETERO_OK);
  heteroResetReport();
  EXPECT_NE(report().find("\"peak_bytes\": 0"), std::string::npos) << report();
  EXPECT_EQ(heteroReleaseValue(&value), HETERO_ERROR_INVALID_ARGUMENT);
  EXPECT_NE(lastError().find("before heteroReset()"), std::string::npos);
}

// Whoever frees memory of a busy device waits for it; nobody else does.
TEST_F(SteeredDriver, OneDeviceDoesNotHoldUpAnother) {
  void *first = nullptr, *second = nullptr, *host = nullptr;
  ASSERT_EQ(heteroAlloc(0, 64, 64, &first), HETERO_OK) << lastError();
  ASSERT_EQ(heteroAlloc(HETERO_HOST, 64, 64, &host), HETERO_OK);
  HeteroValue value{};
  value.rank = 1;
  value.sizes[0] = 64;
  ASSERT_EQ(heteroAllocateValue(&value, 0), HETERO_OK);
  driver.isWaiting = false;
  driver.stuckDevice = 0;
  std::thread waiter([] { heteroWait(0); });
  while (!driver.isWaiting)
    std::this_thread::yield();
  std::thread releaser([&] { heteroReleaseValue(&value); });
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
  std::promise<void> done;
  std::thread other([&] {
    ASSERT_EQ(heteroFrameBegin("other"), HETERO_OK);
    EXPECT_EQ(heteroAlloc(1, 64, 64, &second), HETERO_OK);
    EXPECT_EQ(heteroFree(1, second), HETERO_OK);
    EXPECT_EQ(heteroAlloc(HETERO_HOST, 64, 64, &second), HETERO_OK);
    EXPECT_EQ(heteroFree(HETERO_HOST, second), HETERO_OK);
    EXPECT_EQ(heteroFrameEnd(HETERO_OK), HETERO_OK);
    done.set_value();
  });
  EXPECT_EQ(done.get_future().wait_for(std::chrono::seconds(20)),
            std::future_status::ready);
  driver.stuckDevice = -1;
  for (std::thread *thread : {&waiter, &releaser, &other})
    thread->join();
}

} // namespace
