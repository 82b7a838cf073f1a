//===- MgpuTest.cpp - MLIR's own runtime functions on the emulator --------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "hetero/Runtime/HeteroRuntime.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <numeric>
#include <string>
#include <thread>
#include <vector>

extern "C" {
void mgpuSetDefaultDevice(int32_t device);
void *mgpuModuleLoad(void *data, size_t size);
void *mgpuModuleLoadJIT(void *data, int level, size_t size);
void mgpuModuleUnload(void *module);
void *mgpuModuleGetFunction(void *module, const char *name);
void mgpuLaunchKernel(void *function, intptr_t gridX, intptr_t gridY,
                      intptr_t gridZ, intptr_t blockX, intptr_t blockY,
                      intptr_t blockZ, int32_t sharedBytes, void *stream,
                      void **params, void **extra, size_t paramsCount);
void mgpuLaunchClusterKernel(void *function, intptr_t clusterX,
                             intptr_t clusterY, intptr_t clusterZ,
                             intptr_t gridX, intptr_t gridY, intptr_t gridZ,
                             intptr_t blockX, intptr_t blockY, intptr_t blockZ,
                             int32_t sharedBytes, void *stream, void **params,
                             void **extra, size_t paramsCount);
void *mgpuTensorMapEncodeTiledMemref(int64_t rank, void *descriptor, int type,
                                     int interleave, int swizzle, int promotion,
                                     int fill, const int64_t *box);
void *mgpuStreamCreate();
void mgpuStreamDestroy(void *stream);
void mgpuStreamSynchronize(void *stream);
void mgpuStreamWaitEvent(void *stream, void *event);
void *mgpuEventCreate();
void mgpuEventDestroy(void *event);
void mgpuEventSynchronize(void *event);
void mgpuEventRecord(void *event, void *stream);
void *mgpuMemAlloc(uint64_t bytes, void *stream, bool isHostShared);
void mgpuMemFree(void *pointer, void *stream);
void mgpuMemcpy(void *to, void *from, size_t bytes, void *stream);
void mgpuMemset32(void *to, unsigned value, size_t count, void *stream);
void mgpuMemset16(void *to, unsigned short value, size_t count, void *stream);
void mgpuMemHostRegisterMemRef(int64_t rank, void *descriptor,
                               int64_t elementBytes);
void mgpuMemHostUnregisterMemRef(int64_t rank, void *descriptor,
                                 int64_t elementBytes);
}

namespace {

/// k(p, n): p[i] += n through dynamic shared memory; for one block.
const char kAdd[] = R"(.version 7.0
.target sm_80
.address_size 64
.extern .shared .align 16 .b8 room[];
.visible .entry k(.param .u64 p, .param .u32 n)
{
  .reg .u32 %r<6>;
  .reg .u64 %d<5>;
  ld.param.u64 %d1, [p];
  ld.param.u32 %r1, [n];
  mov.u32 %r2, %tid.x;
  mul.wide.u32 %d2, %r2, 4;
  cvta.to.global.u64 %d1, %d1;
  add.s64 %d3, %d1, %d2;
  ld.global.u32 %r3, [%d3];
  add.u32 %r3, %r3, %r1;
  mov.u64 %d4, room;
  add.s64 %d4, %d4, %d2;
  st.shared.u32 [%d4], %r3;
  bar.sync 0;
  ld.shared.u32 %r4, [%d4];
  st.global.u32 [%d3], %r4;
  ret;
}
)";

std::string takeError() {
  std::string text = heteroLastError();
  EXPECT_EQ(heteroReset(), HETERO_OK); // forgets the text
  return text;
}

class Mgpu : public ::testing::Test {
protected:
  static void SetUpTestSuite() {
    setenv("HETERO_CUDA_DRIVER", "emulator", /*overwrite=*/1);
    setenv("HETERO_EMULATOR", "devices=2,memory=64MiB", /*overwrite=*/1);
  }
  void SetUp() override {
    mgpuSetDefaultDevice(0);
    takeError();
    stream = mgpuStreamCreate();
    ASSERT_NE(stream, nullptr);
  }
  void TearDown() override {
    mgpuStreamDestroy(stream);
    mgpuSetDefaultDevice(0);
  }

  /// The numbers 0, 1, ... on the device.
  void *upload(std::vector<uint32_t> &numbers) {
    std::iota(numbers.begin(), numbers.end(), 0);
    void *device = mgpuMemAlloc(4 * numbers.size(), stream, false);
    mgpuMemcpy(device, numbers.data(), 4 * numbers.size(), stream);
    return device;
  }
  void download(std::vector<uint32_t> &numbers, void *device) {
    mgpuMemcpy(numbers.data(), device, 4 * numbers.size(), stream);
    mgpuStreamSynchronize(stream);
  }
  void launchAdd(void *function, void *device, uint32_t n, int32_t shared) {
    void *params[] = {&device, &n};
    mgpuLaunchKernel(function, 1, 1, 1, 64, 1, 1, shared, stream, params,
                     nullptr, 2);
  }

  char *code = const_cast<char *>(kAdd);
  void *stream = nullptr;
};

TEST_F(Mgpu, LoadsAndLaunches) {
  for (bool jit : {false, true}) {
    void *module = jit ? mgpuModuleLoadJIT(code, 2, sizeof kAdd)
                       : mgpuModuleLoad(code, sizeof kAdd);
    ASSERT_NE(module, nullptr) << heteroLastError();
    void *function = mgpuModuleGetFunction(module, "k");
    ASSERT_NE(function, nullptr);
    std::vector<uint32_t> numbers(64);
    void *device = upload(numbers);
    launchAdd(function, device, 100, 256);
    // Nothing to do is no error.
    mgpuLaunchKernel(function, 0, 1, 1, 64, 1, 1, 0, stream, nullptr, nullptr,
                     0);
    download(numbers, device);
    for (uint32_t i = 0; i < 64; ++i)
      ASSERT_EQ(numbers[i], i + 100);
    mgpuMemFree(device, stream);
    mgpuModuleUnload(module);
    EXPECT_STREQ(heteroLastError(), "");
  }
}

// Upstream's code loads a binary before it chooses a device.
TEST_F(Mgpu, KernelsRunOnEveryDevice) {
  void *module = mgpuModuleLoad(code, sizeof kAdd);
  void *function = mgpuModuleGetFunction(module, "k");
  void *first = stream;
  mgpuSetDefaultDevice(1);
  stream = mgpuStreamCreate();
  std::vector<uint32_t> numbers(64);
  void *device = upload(numbers);
  launchAdd(function, device, 5, 256);
  download(numbers, device);
  EXPECT_EQ(numbers[63], 68u) << heteroLastError();
  mgpuMemFree(device, stream);
  mgpuStreamDestroy(stream);
  stream = first;
  mgpuModuleUnload(module);
  EXPECT_STREQ(heteroLastError(), "");
}

TEST_F(Mgpu, LaunchesWithMuchSharedMemory) {
  void *module = mgpuModuleLoad(code, sizeof kAdd);
  void *function = mgpuModuleGetFunction(module, "k");
  std::vector<uint32_t> numbers(64);
  void *device = upload(numbers);
  launchAdd(function, device, 1, 100 * 1024);
  download(numbers, device);
  EXPECT_EQ(numbers[63], 64u) << heteroLastError();
  launchAdd(function, device, 1, 1024 * 1024);
  EXPECT_NE(takeError().find("cuFuncSetAttribute"), std::string::npos);
  mgpuMemFree(device, stream);
  mgpuModuleUnload(module);
}

/// The host and the device read and write the same bytes.
TEST_F(Mgpu, SharesMemoryWithTheHost) {
  auto *shared = static_cast<uint32_t *>(mgpuMemAlloc(256, stream, true));
  ASSERT_NE(shared, nullptr) << heteroLastError();
  std::iota(shared, shared + 64, 0);
  void *module = mgpuModuleLoad(code, sizeof kAdd);
  launchAdd(mgpuModuleGetFunction(module, "k"), shared, 100, 256);
  mgpuStreamSynchronize(stream);
  for (uint32_t i = 0; i < 64; ++i)
    ASSERT_EQ(shared[i], i + 100);
  mgpuMemFree(shared, stream);
  mgpuModuleUnload(module);
  EXPECT_STREQ(heteroLastError(), "");
}

TEST_F(Mgpu, LaunchesClusters) {
  void *module = mgpuModuleLoad(code, sizeof kAdd);
  void *function = mgpuModuleGetFunction(module, "k");
  std::vector<uint32_t> numbers(64);
  void *device = upload(numbers);
  uint32_t n = 3;
  void *params[] = {&device, &n};
  auto launch = [&](intptr_t size) {
    mgpuLaunchClusterKernel(function, size, 1, 1, 1, 1, 1, 64, 1, 1, 256,
                            stream, params, nullptr, 2);
  };
  // The grid is not a multiple of the cluster, or the chip has none.
  launch(2);
  EXPECT_NE(takeError().find("cuLaunchKernelEx failed on gpu:0"),
            std::string::npos);
  mgpuMemFree(device, stream);
  mgpuModuleUnload(module);
}

/// Upstream's code has the map in memory of the device.
TEST_F(Mgpu, MakesTensorMaps) {
  struct {
    void *allocated, *aligned;
    int64_t offset, sizes[2], strides[2];
  } memref = {nullptr, nullptr, 0, {64, 32}, {32, 1}};
  memref.allocated = memref.aligned = mgpuMemAlloc(64 * 32 * 4, stream, false);
  int64_t box[] = {16, 32};
  constexpr int kFloat32 = 7;
  void *map =
      mgpuTensorMapEncodeTiledMemref(2, &memref, kFloat32, 0, 0, 0, 0, box);
  EXPECT_NE(map, nullptr) << heteroLastError();
  mgpuMemFree(map, stream);
  EXPECT_EQ(
      mgpuTensorMapEncodeTiledMemref(6, &memref, kFloat32, 0, 0, 0, 0, box),
      nullptr);
  EXPECT_NE(takeError().find("expected 1 to 5 dimensions"), std::string::npos);
  mgpuMemFree(memref.allocated, stream);
}

TEST_F(Mgpu, FillsMemory) {
  void *device = mgpuMemAlloc(64, stream, false);
  mgpuMemset32(device, 0x01020304, 16, stream);
  mgpuMemset16(device, 0x0506, 8, stream);
  std::vector<uint32_t> numbers(16);
  download(numbers, device);
  EXPECT_EQ(numbers[3], 0x05060506u);
  EXPECT_EQ(numbers[4], 0x01020304u);
  mgpuMemFree(device, stream);
  EXPECT_STREQ(heteroLastError(), "");
}

TEST_F(Mgpu, EventsOrderStreams) {
  void *second = mgpuStreamCreate(), *event = mgpuEventCreate();
  std::vector<uint32_t> numbers(1 << 16), copy(1 << 16);
  void *device = upload(numbers);
  mgpuEventRecord(event, stream);
  mgpuStreamWaitEvent(second, event);
  mgpuMemcpy(copy.data(), device, 4 * copy.size(), second);
  mgpuEventSynchronize(event);
  mgpuStreamSynchronize(second);
  EXPECT_EQ(copy, numbers);
  mgpuEventDestroy(event);
  mgpuStreamDestroy(second);
  mgpuMemFree(device, stream);
  EXPECT_STREQ(heteroLastError(), "");
}

TEST_F(Mgpu, ThreadsChooseTheirDevices) {
  mgpuSetDefaultDevice(1);
  std::thread([] {
    // A new thread starts at gpu:0; memory of gpu:1 is none of its business.
    void *own = mgpuMemAlloc(40 << 20, nullptr, false);
    EXPECT_NE(own, nullptr) << heteroLastError();
    mgpuMemFree(own, nullptr);
  }).join();
  void *device = mgpuMemAlloc(40 << 20, nullptr, false);
  EXPECT_NE(device, nullptr) << heteroLastError();
  mgpuMemFree(device, nullptr);
  mgpuSetDefaultDevice(0);
}

TEST_F(Mgpu, RegistersHostMemory) {
  std::vector<float> numbers(24);
  struct {
    float *allocated, *aligned;
    int64_t offset, sizes[2], strides[2];
  } memref = {numbers.data(), numbers.data(), 4, {4, 5}, {5, 1}};
  mgpuMemHostRegisterMemRef(2, &memref, sizeof(float));
  mgpuMemHostUnregisterMemRef(2, &memref, sizeof(float));
  memref.sizes[0] = 0;
  mgpuMemHostRegisterMemRef(2, &memref, sizeof(float));
  EXPECT_STREQ(heteroLastError(), "");
}

TEST_F(Mgpu, FailuresNameTheStream) {
  void *module = mgpuModuleLoad(code, sizeof kAdd);
  void *kernel = mgpuModuleGetFunction(module, "k");
  ASSERT_NE(kernel, nullptr) << heteroLastError();
  mgpuLaunchKernel(kernel, 1, 1, 1, 0, 1, 1, 0, stream, nullptr, nullptr, 0);
  std::string launch = takeError();
  EXPECT_EQ(launch.find("cuLaunchKernel failed on gpu:0, stream "), 0u)
      << launch;
  EXPECT_NE(launch.find(": kernel k; "), std::string::npos) << launch;
  mgpuLaunchKernel(kernel, 1, 1, 1, 0, 1, 1, 0, nullptr, nullptr, nullptr, 0);
  EXPECT_EQ(takeError().find("cuLaunchKernel failed on gpu:0, stream 0: "), 0u);
  mgpuModuleUnload(module);
}

TEST_F(Mgpu, FailuresAreNullWithAText) {
  char broken[] = "this is not PTX";
  EXPECT_EQ(mgpuModuleLoad(broken, sizeof broken), nullptr);
  EXPECT_NE(takeError().find("cuModuleLoadDataEx failed on gpu:0"),
            std::string::npos);
  void *module = mgpuModuleLoad(code, sizeof kAdd);
  EXPECT_EQ(mgpuModuleGetFunction(module, "other"), nullptr);
  EXPECT_NE(takeError().find("kernel other"), std::string::npos);
  mgpuModuleUnload(module);
  EXPECT_EQ(mgpuMemAlloc(uint64_t(1) << 40, stream, false), nullptr);
  EXPECT_NE(takeError().find("CUDA_ERROR_OUT_OF_MEMORY"), std::string::npos);
  mgpuSetDefaultDevice(7);
  EXPECT_EQ(mgpuStreamCreate(), nullptr);
  EXPECT_NE(takeError().find("gpu:7"), std::string::npos);
}

} // namespace
