//===- DeviceTest.cpp - The runtime on the emulator -----------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "hetero/Runtime/HeteroRuntime.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <cstring>
#include <string>
#include <thread>
#include <vector>

namespace {

std::string lastError() { return heteroLastError(); }

class Device : public ::testing::Test {
protected:
  static void SetUpTestSuite() {
    setenv("HETERO_CUDA_DRIVER", "emulator", /*overwrite=*/1);
    setenv("HETERO_EMULATOR", "devices=2,memory=64MiB", /*overwrite=*/1);
  }
  void TearDown() override {
    EXPECT_EQ(heteroReset(), HETERO_OK);
    EXPECT_EQ(heteroSetDeviceMap(nullptr), HETERO_OK);
  }
};

/// Sends numbers through a chain of devices and back.
void roundTrip(std::vector<int32_t> devices, int64_t count) {
  ASSERT_EQ(heteroFrameBegin("test"), HETERO_OK);
  std::vector<int32_t> input(count), output(count);
  for (int64_t i = 0; i < count; ++i)
    input[i] = static_cast<int32_t>(i * 7);
  int64_t bytes = count * sizeof(int32_t);
  const void *from = input.data();
  int32_t fromDevice = HETERO_HOST;
  for (int32_t device : devices) {
    void *to = nullptr;
    ASSERT_EQ(heteroAlloc(device, bytes, 64, &to), HETERO_OK) << lastError();
    ASSERT_EQ(heteroCopy(device, to, fromDevice, from, bytes, "x"), HETERO_OK)
        << lastError();
    from = to;
    fromDevice = device;
  }
  ASSERT_EQ(
      heteroCopy(HETERO_HOST, output.data(), fromDevice, from, bytes, "y"),
      HETERO_OK);
  ASSERT_EQ(heteroWait(fromDevice), HETERO_OK);
  EXPECT_EQ(input, output);
  EXPECT_EQ(heteroFrameEnd(HETERO_OK), HETERO_OK);
}

/// A map of a matrix of f16 at an address that no map may have, then others.
TEST_F(Device, TensorMaps) {
  alignas(HETERO_TENSOR_MAP_ALIGNMENT) char map[HETERO_TENSOR_MAP_BYTES];
  int64_t sizes[] = {64, 128}, strides[] = {128}, box[] = {64, 128};
  auto encode = [&](int32_t rank, uint64_t address) {
    return heteroTensorMap(map, HETERO_TYPE_F16, rank,
                           reinterpret_cast<void *>(address), sizes, strides,
                           box, 128);
  };
  EXPECT_EQ(encode(2, 1 << 20), HETERO_OK) << lastError();
  EXPECT_EQ(encode(2, (1 << 20) + 8), HETERO_ERROR_DRIVER);
  EXPECT_EQ(lastError().rfind("cuTensorMapEncodeTiled failed: "
                              "CUDA_ERROR_INVALID_VALUE",
                              0),
            0u)
      << lastError();
  EXPECT_EQ(encode(0, 1 << 20), HETERO_ERROR_PROGRAM);
  EXPECT_EQ(lastError(), "a tensor map has 1 to 5 dimensions of integers or "
                         "floats, got type 5 and 0 dimensions; compile the "
                         "program again");
}

TEST_F(Device, CopiesThereAndBack) { roundTrip({0}, 1000); }

/// Rows of a matrix on the host go to rows of one on the device, and back; the
/// rest of both matrices stays. Long ones pass through staging memory in parts.
void copyRows(int64_t rows, int64_t width, int64_t hostPitch,
              int64_t devicePitch) {
  ASSERT_EQ(heteroFrameBegin("test"), HETERO_OK);
  std::vector<char> input(rows * hostPitch), output(rows * hostPitch, 1),
      between(rows * devicePitch, 2);
  for (size_t i = 0; i < input.size(); ++i)
    input[i] = static_cast<char>(i * 7);
  void *device = nullptr;
  int64_t bytes = between.size();
  ASSERT_EQ(heteroAlloc(0, bytes, 64, &device), HETERO_OK);
  ASSERT_EQ(heteroCopy(0, device, HETERO_HOST, between.data(), bytes, "x"),
            HETERO_OK);
  ASSERT_EQ(heteroCopyRows(0, device, devicePitch, HETERO_HOST, input.data(),
                           hostPitch, width, rows, "x"),
            HETERO_OK)
      << lastError();
  ASSERT_EQ(heteroCopyRows(HETERO_HOST, output.data(), hostPitch, 0, device,
                           devicePitch, width, rows, "y"),
            HETERO_OK)
      << lastError();
  ASSERT_EQ(heteroCopy(HETERO_HOST, between.data(), 0, device, bytes, "z"),
            HETERO_OK);
  ASSERT_EQ(heteroWait(0), HETERO_OK);
  bool areRows = true, areGaps = true;
  for (int64_t i = 0; i < rows * hostPitch; ++i)
    (i % hostPitch < width ? areRows : areGaps) &=
        output[i] == (i % hostPitch < width ? input[i] : 1);
  for (int64_t i = 0; i < rows * devicePitch; ++i)
    areGaps &= i % devicePitch < width || between[i] == 2;
  EXPECT_TRUE(areRows);
  EXPECT_TRUE(areGaps);
  EXPECT_EQ(heteroFrameEnd(HETERO_OK), HETERO_OK);
}

TEST_F(Device, CopiesRows) {
  copyRows(5, 3, 3, 8);
  copyRows(5, 3, 8, 3);
  copyRows(5, 3, 7, 8);
  copyRows(1, 3, 3, 3);
  copyRows(1000, 20000, 20001, 20000);
}

TEST_F(Device, CopiesBetweenDevices) { roundTrip({0, 1, 0}, 100000); }

/// A measured copy has the time of the largest of its value, and what was not
/// measured has none.
TEST_F(Device, MeasuresCopies) {
  std::vector<char> host(1000, 1);
  void *device = nullptr;
  heteroResetReport();
  ASSERT_EQ(heteroFrameBegin("f"), HETERO_OK);
  ASSERT_EQ(heteroAlloc(0, 1000, 64, &device), HETERO_OK) << lastError();
  auto copy = [&](int64_t bytes, const char *name) {
    ASSERT_EQ(heteroCopy(0, device, HETERO_HOST, host.data(), bytes, name),
              HETERO_OK)
        << lastError();
  };
  copy(500, "before");
  ASSERT_EQ(heteroMeasure(HETERO_MEASURE_PARTS), HETERO_OK);
  copy(10, "x");
  copy(1000, "x");
  copy(10, "x");
  ASSERT_EQ(heteroMeasure(HETERO_MEASURE_NOTHING), HETERO_OK);
  EXPECT_EQ(heteroFrameEnd(HETERO_OK), HETERO_OK);
  char *text = heteroReport();
  std::string report = text;
  heteroFreeString(text);
  EXPECT_NE(report.find("\"bytes\": 500, \"count\": 1}"), report.npos)
      << report;
  EXPECT_NE(report.find("\"bytes\": 1020, \"count\": 3, \"measured\": 3, "
                        "\"measured_bytes\": 1000, \"measured_seconds\": "),
            report.npos)
      << report;
}

TEST_F(Device, DescribesDevices) {
  HeteroDeviceInfo info;
  ASSERT_EQ(heteroDescribeDevice(1, &info), HETERO_OK) << lastError();
  EXPECT_GT(info.major, 0);
  EXPECT_EQ(heteroDescribeDevice(77, &info), HETERO_ERROR_NO_DEVICE);
}

TEST_F(Device, SeveralThreads) {
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i)
    threads.emplace_back([i] { roundTrip({i % 2, 1 - i % 2}, 5000 + i); });
  for (std::thread &thread : threads)
    thread.join();
}

/// A copy between devices is in the trace of both.
TEST_F(Device, SeveralThreadsAreTraced) {
  ASSERT_EQ(heteroTrace(1), HETERO_OK);
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i)
    threads.emplace_back([i] { roundTrip({i % 2, 1 - i % 2}, 5000 + i); });
  for (std::thread &thread : threads)
    thread.join();
  ASSERT_EQ(heteroTrace(0), HETERO_OK);
  char *text = heteroTraceJSON();
  std::string trace = text;
  heteroFreeString(text);
  int copies = 0, hosts = 0;
  for (size_t at = 0; (at = trace.find("\"cat\": \"copy\"", at)) != trace.npos;
       ++at)
    ++copies;
  for (size_t at = 0;
       (at = trace.find("\"name\": \"thread ", at)) != trace.npos; ++at)
    ++hosts;
  EXPECT_EQ(copies, 16) << trace;
  EXPECT_EQ(hosts, 4) << trace;
}

/// Each of two units has its stream: what one makes and the other reads is
/// ordered by the program.
TEST_F(Device, UnitsAreOrdered) {
  ASSERT_EQ(heteroFrameBegin("test"), HETERO_OK);
  std::vector<int32_t> input(1 << 16), output(1 << 16);
  for (size_t i = 0; i < input.size(); ++i)
    input[i] = static_cast<int32_t>(i);
  int64_t bytes = input.size() * sizeof(int32_t);
  constexpr int32_t kA = HETERO_UNIT(0, 1), kB = HETERO_UNIT(0, 2);
  void *x, *y;
  ASSERT_EQ(heteroAlloc(0, bytes, 64, &x), HETERO_OK);
  ASSERT_EQ(heteroAlloc(0, bytes, 64, &y), HETERO_OK);
  for (int round = 0; round < 20; ++round) {
    input[0] = round;
    ASSERT_EQ(heteroOrder(kA, kB), HETERO_OK);
    ASSERT_EQ(heteroCopy(kA, x, HETERO_HOST, input.data(), bytes, "x"),
              HETERO_OK);
    ASSERT_EQ(heteroOrder(kB, kA), HETERO_OK);
    ASSERT_EQ(heteroCopy(kB, y, kB, x, bytes, "y"), HETERO_OK);
    ASSERT_EQ(heteroCopy(HETERO_HOST, output.data(), kB, y, bytes, "z"),
              HETERO_OK);
    ASSERT_EQ(heteroWait(0), HETERO_OK);
    EXPECT_EQ(input, output);
  }
  EXPECT_EQ(heteroFrameEnd(HETERO_OK), HETERO_OK);
}

/// A wait for one unit completes its copies to the host, and no others.
TEST_F(Device, UnitsAreWaitedForAlone) {
  ASSERT_EQ(heteroFrameBegin("test"), HETERO_OK);
  constexpr int32_t kA = HETERO_UNIT(0, 1), kB = HETERO_UNIT(0, 2);
  int32_t input = 0, first = 0, second = 0;
  void *x;
  ASSERT_EQ(heteroAlloc(0, 64, 64, &x), HETERO_OK);
  for (int round = 1; round < 6; ++round) {
    input = round;
    ASSERT_EQ(heteroCopy(0, x, HETERO_HOST, &input, 4, "x"), HETERO_OK);
    ASSERT_EQ(heteroOrder(kA, 0), HETERO_OK);
    ASSERT_EQ(heteroOrder(kB, 0), HETERO_OK);
    ASSERT_EQ(heteroCopy(HETERO_HOST, &first, kA, x, 4, "y"), HETERO_OK);
    ASSERT_EQ(heteroCopy(HETERO_HOST, &second, kB, x, 4, "z"), HETERO_OK);
    ASSERT_EQ(heteroWaitUnit(kA), HETERO_OK);
    EXPECT_EQ(first, round);
    EXPECT_EQ(second, round - 1);
    ASSERT_EQ(heteroWaitUnit(HETERO_UNIT(0, 7)), HETERO_OK);
    ASSERT_EQ(heteroWaitUnit(kB), HETERO_OK);
    EXPECT_EQ(second, round);
    ASSERT_EQ(heteroWait(0), HETERO_OK);
  }
  EXPECT_EQ(heteroFrameEnd(HETERO_OK), HETERO_OK);
}

/// What is freed while several streams exist is there again once they are done,
/// although it does not fit into memory twice.
TEST_F(Device, MemoryOfUnitsIsReused) {
  ASSERT_EQ(heteroFrameBegin("test"), HETERO_OK);
  constexpr int64_t kBytes = 40 << 20;
  std::vector<char> input(1 << 10, 'x');
  for (int round = 0; round < 4; ++round) {
    void *pointer;
    ASSERT_EQ(heteroAlloc(0, kBytes, 64, &pointer), HETERO_OK) << lastError();
    for (int32_t unit : {1, 2}) {
      // Each unit fills a part of its own: nothing orders one after the other.
      void *part = static_cast<char *>(pointer) + unit * input.size();
      ASSERT_EQ(heteroCopy(HETERO_UNIT(0, unit), part, HETERO_HOST,
                           input.data(), input.size(), "x"),
                HETERO_OK);
    }
    ASSERT_EQ(heteroFree(0, pointer), HETERO_OK);
  }
  EXPECT_EQ(heteroFrameEnd(HETERO_OK), HETERO_OK);
}

TEST_F(Device, ConstantsAreUploadedOnce) {
  static const int32_t data[] = {1, 2, 3, 4};
  HeteroConstant constant = {data, sizeof data, "c", 0, 0, nullptr, 0};
  HeteroConstant *list[] = {&constant};
  HeteroConstants needed = {"main", list, 1, 0};
  ASSERT_EQ(heteroUpload(&needed), HETERO_OK) << lastError();
  void *address = constant.address;
  EXPECT_NE(address, nullptr);
  ASSERT_EQ(heteroUpload(&needed), HETERO_OK) << lastError();
  EXPECT_EQ(constant.address, address);
}

TEST_F(Device, FreeingATargetDropsItsCopy) {
  ASSERT_EQ(heteroFrameBegin("test"), HETERO_OK);
  void *device, *host;
  ASSERT_EQ(heteroAlloc(0, 4096, 64, &device), HETERO_OK);
  ASSERT_EQ(heteroAlloc(HETERO_HOST, 4096, 64, &host), HETERO_OK);
  ASSERT_EQ(heteroCopy(HETERO_HOST, host, 0, device, 4096, "x"), HETERO_OK);
  ASSERT_EQ(heteroFree(HETERO_HOST, host), HETERO_OK);
  EXPECT_EQ(heteroWait(0), HETERO_OK);
  EXPECT_EQ(heteroFrameEnd(HETERO_OK), HETERO_OK);
}

TEST_F(Device, OutOfMemoryNamesTheDevice) {
  ASSERT_EQ(heteroFrameBegin("test"), HETERO_OK);
  void *pointer;
  EXPECT_EQ(heteroAlloc(1, int64_t(1) << 30, 64, &pointer),
            HETERO_ERROR_OUT_OF_MEMORY);
  EXPECT_NE(lastError().find("gpu:1"), std::string::npos) << lastError();
  EXPECT_EQ(heteroFrameEnd(HETERO_OK), HETERO_OK);
  roundTrip({1}, 100);
}

TEST_F(Device, MissingDeviceNamesTheDeviceMap) {
  ASSERT_EQ(heteroFrameBegin("test"), HETERO_OK);
  void *pointer;
  EXPECT_EQ(heteroAlloc(7, 16, 64, &pointer), HETERO_ERROR_NO_DEVICE);
  EXPECT_NE(lastError().find("--device-map"), std::string::npos);
  // The frame ends well although it asked for a device that is not there.
  heteroFrameEnd(HETERO_OK);
  ASSERT_EQ(heteroSetDeviceMap("gpu:7=gpu:1"), HETERO_OK);
  roundTrip({7}, 100);
  EXPECT_EQ(heteroSetDeviceMap("gpu:7->gpu:1"), HETERO_ERROR_INVALID_ARGUMENT);
}

TEST_F(Device, BrokenCodeIsRefused) {
  ASSERT_EQ(heteroFrameBegin("test"), HETERO_OK);
  const char ptx[] = "this is not PTX";
  HeteroCode code = {ptx, sizeof ptx, HETERO_CODE_PTX, 8, 0, 0};
  HeteroImage image = {"broken", &code, 1, 0};
  EXPECT_EQ(heteroLaunch(0, &image, "k", 1, 1, 1, 32, 1, 1, 0, nullptr, 0),
            HETERO_ERROR_MODULE);
  EXPECT_EQ(heteroLaunch(0, &image, "k", 0, 1, 1, 32, 1, 1, 0, nullptr, 0),
            HETERO_OK);
  EXPECT_EQ(heteroFrameEnd(HETERO_OK), HETERO_OK);
}

/// What the host writes a device finds at the same address, and the other way
/// around; nobody copies.
TEST_F(Device, SharedMemoryHasOneAddress) {
  heteroResetReport();
  for (int call = 0; call < 2; ++call) {
    ASSERT_EQ(heteroFrameBegin("test"), HETERO_OK);
    void *shared, *own;
    ASSERT_EQ(heteroAlloc(HETERO_SHARED(1), 4096, 64, &shared), HETERO_OK)
        << lastError();
    ASSERT_EQ(heteroAlloc(1, 4096, 64, &own), HETERO_OK);
    std::memset(shared, 7, 4096);
    // As a device's memory, although the host has written it.
    ASSERT_EQ(heteroCopy(1, own, 1, shared, 4096, "in"), HETERO_OK);
    ASSERT_EQ(heteroWait(1), HETERO_OK);
    std::memset(shared, 0, 4096);
    ASSERT_EQ(heteroCopy(1, shared, 1, own, 4096, "out"), HETERO_OK);
    ASSERT_EQ(heteroWait(1), HETERO_OK);
    EXPECT_EQ(static_cast<char *>(shared)[4095], 7);
    // From and to another device, too.
    void *other;
    ASSERT_EQ(heteroAlloc(0, 4096, 64, &other), HETERO_OK);
    ASSERT_EQ(heteroCopy(0, other, 1, shared, 4096, "there"), HETERO_OK)
        << lastError();
    ASSERT_EQ(heteroWait(0), HETERO_OK);
    std::memset(shared, 0, 4096);
    ASSERT_EQ(heteroCopy(1, shared, 0, other, 4096, "back"), HETERO_OK)
        << lastError();
    ASSERT_EQ(heteroWait(1), HETERO_OK);
    EXPECT_EQ(static_cast<char *>(shared)[4095], 7);
    ASSERT_EQ(heteroFree(0, other), HETERO_OK);
    // Under the name of either.
    ASSERT_EQ(heteroFree(call == 0 ? 1 : HETERO_HOST, shared), HETERO_OK);
    ASSERT_EQ(heteroFree(1, own), HETERO_OK);
    EXPECT_EQ(heteroFrameEnd(HETERO_OK), HETERO_OK);
  }
  char *report = heteroReport();
  EXPECT_NE(
      std::string(report).find("{\"device\": \"cpu:0\", \"peak_bytes\": 4096"),
      std::string::npos)
      << report;
  heteroFreeString(report);
}

/// A caller's value in shared memory is used where it is, any other is copied
/// once and in the report.
TEST_F(Device, SharedArgumentsAreCopiedOnlyFromOtherMemory) {
  std::vector<float> data = {1, 2, 3, 4};
  HeteroValue plain = {};
  plain.type = HETERO_TYPE_F32;
  plain.rank = 1;
  plain.sizes[0] = 4;
  plain.strides[0] = 1;
  plain.device = HETERO_HOST;
  HeteroValue shared = plain;
  plain.data = data.data();
  ASSERT_EQ(heteroAllocateValue(&shared, HETERO_SHARED(0)), HETERO_OK)
      << lastError();
  EXPECT_EQ(shared.device, HETERO_HOST);
  heteroResetReport();
  ASSERT_EQ(heteroFrameBegin("test"), HETERO_OK);
  void *address;
  ASSERT_EQ(heteroShareArgument(&shared, 0, "x", &address), HETERO_OK);
  EXPECT_EQ(address, shared.data);
  ASSERT_EQ(heteroShareArgument(&plain, 0, "y", &address), HETERO_OK);
  EXPECT_NE(address, plain.data);
  EXPECT_EQ(std::memcmp(address, data.data(), 16), 0);
  EXPECT_EQ(heteroFrameEnd(HETERO_OK), HETERO_OK);
  char *report = heteroReport();
  std::string text = report;
  heteroFreeString(report);
  EXPECT_EQ(text.find("\"x\""), std::string::npos) << text;
  EXPECT_NE(text.find("{\"value\": \"y\", \"from\": \"cpu:0\", \"to\": "
                      "\"gpu:0\", \"bytes\": 16, \"count\": 1}"),
            std::string::npos)
      << text;
  EXPECT_EQ(text.find("\"leftover_bytes\": 16"), std::string::npos) << text;
  EXPECT_EQ(heteroReleaseValue(&shared), HETERO_OK) << lastError();
}

/// A reset takes shared memory along, as it does a device's.
TEST_F(Device, SharedMemoryEndsWithAReset) {
  HeteroValue value = {};
  value.type = HETERO_TYPE_I8;
  value.rank = 1;
  value.sizes[0] = 300;
  ASSERT_EQ(heteroAllocateValue(&value, HETERO_SHARED(0)), HETERO_OK);
  ASSERT_EQ(heteroReset(), HETERO_OK);
  EXPECT_EQ(heteroReleaseValue(&value), HETERO_ERROR_INVALID_ARGUMENT);
  ASSERT_EQ(heteroFrameBegin("test"), HETERO_OK);
  void *pointer;
  EXPECT_EQ(heteroAlloc(HETERO_SHARED(7), 16, 64, &pointer),
            HETERO_ERROR_NO_DEVICE);
  heteroFrameEnd(HETERO_OK);
}

} // namespace
