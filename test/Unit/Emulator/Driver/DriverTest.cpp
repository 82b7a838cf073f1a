//===- DriverTest.cpp - Tests of the emulated driver ----------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../DriverHarness.h"

#include "Emulator/Device/Config.h"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <thread>

namespace {
uint32_t globalIndex(ThreadContext *context) {
  return context->ctaid[0] * context->ntid[0] + context->tid[0];
}

/// Registers every kernel before the first test.
struct Kernels {
  Kernels();
} kernels;
} // namespace

Kernels::Kernels() {
  using fake::at;
  using fake::param;
  fake::addKernel(
      "increment",
      [](ThreadContext *c) {
        at<uint32_t>(c, param(c, 0) + 4 * globalIndex(c)) += 1;
      },
      1, false);
  // Sums each block through shared memory.
  fake::addKernel(
      "block_sum",
      [](ThreadContext *c) {
        auto *shared = reinterpret_cast<uint32_t *>(c->shared);
        uint32_t tid = c->tid[0];
        shared[tid] = at<uint32_t>(c, param(c, 0) + 4 * globalIndex(c));
        for (uint32_t step = c->ntid[0] / 2; step > 0; step /= 2) {
          heteroEmuBarrier(c, 0, 0);
          if (tid < step)
            shared[tid] += shared[tid + step];
        }
        if (tid == 0)
          at<uint32_t>(c, param(c, 1) + 4 * c->ctaid[0]) = shared[0];
      },
      2, true);
  // Warp sum by butterflies, then a ballot of odd lanes.
  fake::addKernel(
      "warp",
      [](ThreadContext *c) {
        uint32_t tid = c->tid[0], sum = tid;
        for (uint32_t step = 16; step > 0; step /= 2)
          sum +=
              static_cast<uint32_t>(heteroEmuShuffle(c, 2, sum, step, 31, ~0u));
        uint64_t both = heteroEmuShuffle(c, 0, tid, 1, 0, ~0u);
        auto up = static_cast<uint32_t>(both);
        auto in = static_cast<uint32_t>(both >> 32);
        uint32_t odd = heteroEmuVote(c, 3, tid & 1, ~0u);
        uint64_t out = param(c, 0) + 16 * tid;
        at<uint32_t>(c, out) = sum;
        at<uint32_t>(c, out + 4) = up;
        at<uint32_t>(c, out + 8) = in;
        at<uint32_t>(c, out + 12) = odd;
      },
      1, true);
  // Half of the threads leave early; the rest meets without them.
  fake::addKernel(
      "early_exit",
      [](ThreadContext *c) {
        if (c->tid[0] % 2)
          return;
        heteroEmuBarrier(c, 0, 0);
        uint32_t ones = heteroEmuVote(c, 3, 1, ~0u);
        at<uint32_t>(c, param(c, 0) + 4 * c->tid[0]) = ones;
      },
      1, true);
  fake::addKernel(
      "deadlock",
      [](ThreadContext *c) { heteroEmuBarrier(c, c->tid[0] < 32 ? 1 : 2, 64); },
      0, true);
  // Producer warp arrives, consumer warp waits; counts come back.
  fake::addKernel(
      "named",
      [](ThreadContext *c) {
        auto *shared = reinterpret_cast<uint32_t *>(c->shared);
        uint32_t tid = c->tid[0];
        if (tid < 32) {
          shared[tid] = tid * 10;
          heteroEmuBarrierArrive(c, 3, 64);
        } else {
          heteroEmuBarrier(c, 3, 64);
          at<uint32_t>(c, param(c, 0) + 4 * tid) = shared[tid - 32];
        }
        uint32_t n = heteroEmuBarrierReduce(c, 0, 0, 0, tid % 3 == 0);
        if (tid == 0)
          at<uint32_t>(c, param(c, 0)) = n;
      },
      1, true);
  fake::addKernel(
      "misaligned",
      [](ThreadContext *c) { at<uint32_t>(c, param(c, 0) + 2) = 1; }, 1, false);
  fake::addKernel(
      "trap", [](ThreadContext *c) { heteroEmuTrap(c, "trap", 42); }, 0, true);
}

//===----------------------------------------------------------------------===//
// Configuration
//===----------------------------------------------------------------------===//

TEST(EmulatorConfig, ReadsEveryKey) {
  Config config;
  std::string error;
  ASSERT_TRUE(parseConfig("devices=3,memory=64MiB,cc=8.6,threads=2,log=/tmp/l",
                          config, error))
      << error;
  EXPECT_EQ(config.devices, 3);
  EXPECT_EQ(config.memory, uint64_t(64) << 20);
  EXPECT_EQ(config.capability(2), std::pair(8, 6));
  EXPECT_EQ(config.threads, 2);
  EXPECT_EQ(config.log, "/tmp/l");
  EXPECT_TRUE(parseConfig("", config, error));
}

TEST(EmulatorConfig, DevicesHaveCapabilitiesOfTheirOwn) {
  Config config;
  std::string error;
  ASSERT_TRUE(parseConfig("cc=8.0/9.0", config, error)) << error;
  EXPECT_EQ(config.capability(0), std::pair(8, 0));
  EXPECT_EQ(config.capability(1), std::pair(9, 0));
  EXPECT_EQ(config.capability(2), std::pair(9, 0));
}

TEST(EmulatorConfig, RefusesWhatItCannotRead) {
  for (const char *text :
       {"devices=x", "devices=65", "devices", "memory=1TiB", "memory=0",
        "memory=99999999999999999999", "cc=8", "cc=8.x", "cc=8.0.1", "cc=8.0/",
        "log=", "colour=red", "devices=1,,memory=1GiB", "threads=-1"}) {
    Config config;
    std::string error;
    EXPECT_FALSE(parseConfig(text, config, error)) << text;
    EXPECT_NE(error.find("; write it like"), std::string::npos) << error;
  }
}

//===----------------------------------------------------------------------===//
// Devices and memory
//===----------------------------------------------------------------------===//

TEST_F(DriverTest, OffersTwoDevicesOfCapability90) {
  int count = 0, major = 0, minor = -1;
  EXPECT_OK(cuDeviceGetCount(&count));
  EXPECT_EQ(count, 2);
  EXPECT_OK(cuDeviceGetAttribute(&major, cuda::kComputeCapabilityMajor, 0));
  EXPECT_OK(cuDeviceGetAttribute(&minor, cuda::kComputeCapabilityMinor, 1));
  EXPECT_EQ(major, 9);
  EXPECT_EQ(minor, 0);
  EXPECT_EQ(cuDeviceGetAttribute(&major, 1, 2), cuda::kInvalidDevice);
}

TEST_F(DriverTest, CopiesAndFills) {
  cuda::DevicePointer a = upload<int>({1, 2, 3, 4});
  EXPECT_EQ(download<int>(a, 4), (std::vector<int>{1, 2, 3, 4}));
  EXPECT_OK(cuMemsetD32_v2(a + 4, 7, 2));
  EXPECT_EQ(download<int>(a, 4), (std::vector<int>{1, 7, 7, 4}));
  int value;
  EXPECT_EQ(cuMemcpyDtoH_v2(&value, a + 13, 4), cuda::kInvalidValue);
  EXPECT_EQ(cuMemcpyHtoD_v2(reinterpret_cast<uintptr_t>(&value), &value, 4),
            cuda::kInvalidValue);
  EXPECT_OK(cuMemFree_v2(a));
  EXPECT_EQ(cuMemFree_v2(a), cuda::kInvalidValue);
  EXPECT_EQ(cuMemcpyDtoH_v2(&value, a, 4), cuda::kInvalidValue);
}

TEST_F(DriverTest, FillsRows) {
  cuda::DevicePointer a = upload(std::vector<uint8_t>(20, 1));
  EXPECT_OK(cuMemsetD2D8_v2(a + 1, 8, 5, 3, 2));
  EXPECT_OK(cuMemsetD2D16_v2(a + 16, 0, 0x0706, 1, 1));
  EXPECT_EQ(download<uint8_t>(a, 20),
            (std::vector<uint8_t>{1, 5, 5, 5, 1, 1, 1, 1, 1, 5,
                                  5, 5, 1, 1, 1, 1, 6, 7, 1, 1}));
  EXPECT_OK(cuMemsetD2D32Async(a, 8, 0, 1, 3, nullptr));
  EXPECT_EQ(download<uint8_t>(a, 20),
            (std::vector<uint8_t>{0, 0, 0, 0, 1, 1, 1, 1, 0, 0,
                                  0, 0, 1, 1, 1, 1, 0, 0, 0, 0}));
  // Of no rows nothing is asked; the others must fit.
  EXPECT_OK(cuMemsetD2D8_v2(a, 8, 5, 3, 0));
  EXPECT_EQ(cuMemsetD2D8_v2(a, 8, 5, 5, 3), cuda::kInvalidValue);
  EXPECT_EQ(cuMemsetD2D8_v2(a, 2, 5, 3, 2), cuda::kInvalidValue);
  EXPECT_EQ(cuMemsetD2D16_v2(a, 5, 5, 1, 2), cuda::kInvalidValue);
  EXPECT_EQ(cuMemsetD2D8_v2(a, SIZE_MAX, 5, 3, SIZE_MAX), cuda::kInvalidValue);
  EXPECT_OK(cuMemFree_v2(a));
}

/// Rows of two bytes: four apart on the device, next to each other on the host.
TEST_F(DriverTest, CopiesRows) {
  std::vector<char> wide(10, 1), narrow = {5, 6, 7, 8, 9, 10};
  cuda::DevicePointer a = 0;
  ASSERT_OK(cuMemAlloc_v2(&a, wide.size()));
  ASSERT_OK(cuMemcpyHtoD_v2(a, wide.data(), wide.size()));
  cuda::Copy2D copy = {};
  copy.fromType = cuda::kMemoryHost;
  copy.fromHost = narrow.data();
  copy.fromPitch = 2;
  copy.toType = cuda::kMemoryDevice;
  copy.toDevice = a;
  copy.toPitch = 4;
  copy.width = 2;
  copy.height = 3;
  ASSERT_OK(cuMemcpy2DAsync_v2(&copy, nullptr));
  EXPECT_EQ(download<char>(a, 10),
            (std::vector<char>{5, 6, 1, 1, 7, 8, 1, 1, 9, 10}));
  copy.toX = 3; // The last row ends past the allocation.
  EXPECT_EQ(cuMemcpy2DAsync_v2(&copy, nullptr), cuda::kInvalidValue);
  copy.toX = 0;
  copy.toPitch = 1; // Rows would overlap.
  EXPECT_EQ(cuMemcpy2DAsync_v2(&copy, nullptr), cuda::kInvalidValue);
  EXPECT_OK(cuMemFree_v2(a));
}

TEST_F(DriverTest, KeepsToTheMemoryLimit) {
  cuda::DevicePointer a = 0, b = 0;
  EXPECT_OK(cuMemAlloc_v2(&a, size_t(700) << 20));
  EXPECT_EQ(cuMemAlloc_v2(&b, size_t(700) << 20), cuda::kOutOfMemory);
  EXPECT_OK(cuCtxSetCurrent(context[1]));
  EXPECT_OK(cuMemAlloc_v2(&b, size_t(700) << 20));
  EXPECT_NE(a, b);
}

TEST_F(DriverTest, RefusesUnknownHandles) {
  auto *wild = reinterpret_cast<cuda::Stream>(0x1234);
  EXPECT_EQ(cuStreamSynchronize(wild), cuda::kInvalidHandle);
  EXPECT_EQ(cuCtxSetCurrent(reinterpret_cast<cuda::Context>(wild)),
            cuda::kInvalidContext);
  EXPECT_EQ(cuModuleUnload(reinterpret_cast<cuda::Module>(wild)),
            cuda::kInvalidHandle);
  EXPECT_EQ(cuEventDestroy_v2(reinterpret_cast<cuda::Event>(wild)),
            cuda::kInvalidHandle);
  EXPECT_EQ(cuLaunchKernel(reinterpret_cast<cuda::Function>(wild), 1, 1, 1, 1,
                           1, 1, 0, nullptr, nullptr, nullptr),
            cuda::kInvalidHandle);
}

//===----------------------------------------------------------------------===//
// Streams and events
//===----------------------------------------------------------------------===//

TEST_F(DriverTest, StreamsRunConcurrentlyAndEventsOrderThem) {
  cuda::Stream first, second;
  cuda::Event event;
  ASSERT_OK(cuStreamCreate(&first, cuda::kStreamNonBlocking));
  ASSERT_OK(cuStreamCreate(&second, cuda::kStreamNonBlocking));
  ASSERT_OK(cuEventCreate(&event, cuda::kEventDisableTiming));
  struct State {
    std::atomic<bool> open{false}, passed{false}, sawPassed{false};
  } state;
  // The first stream is held until the second one has run a task: they could
  // not both finish if they were one queue.
  ASSERT_OK(cuLaunchHostFunc(
      first,
      [](void *s) {
        while (!static_cast<State *>(s)->open)
          std::this_thread::yield();
        static_cast<State *>(s)->passed = true;
      },
      &state));
  ASSERT_OK(cuEventRecord(event, first));
  EXPECT_EQ(cuStreamQuery(first), cuda::kNotReady);
  ASSERT_OK(cuLaunchHostFunc(
      second, [](void *s) { static_cast<State *>(s)->open = true; }, &state));
  ASSERT_OK(cuStreamWaitEvent(second, event, 0));
  ASSERT_OK(cuLaunchHostFunc(
      second,
      [](void *s) {
        static_cast<State *>(s)->sawPassed =
            static_cast<State *>(s)->passed.load();
      },
      &state));
  ASSERT_OK(cuEventDestroy_v2(event));
  ASSERT_OK(cuStreamSynchronize(second));
  EXPECT_TRUE(state.sawPassed);
  EXPECT_OK(cuStreamDestroy_v2(first));
  EXPECT_OK(cuStreamDestroy_v2(second));
}

TEST_F(DriverTest, CopiesBetweenDevicesInOrder) {
  constexpr size_t kCount = 1 << 16;
  std::vector<int> values(kCount);
  for (size_t i = 0; i < kCount; ++i)
    values[i] = static_cast<int>(i);
  cuda::DevicePointer a = upload(values), b = 0;
  ASSERT_OK(cuCtxSetCurrent(context[1]));
  ASSERT_OK(cuMemAlloc_v2(&b, kCount * 4));
  cuda::Stream stream;
  ASSERT_OK(cuStreamCreate(&stream, cuda::kStreamNonBlocking));
  EXPECT_EQ(cuMemcpyPeerAsync(b, context[0], a, context[1], kCount * 4, stream),
            cuda::kInvalidValue);
  ASSERT_OK(
      cuMemcpyPeerAsync(b, context[1], a, context[0], kCount * 4, stream));
  std::vector<int> back(kCount);
  ASSERT_OK(cuMemcpyDtoHAsync_v2(back.data(), b, kCount * 4, stream));
  ASSERT_OK(cuStreamSynchronize(stream));
  EXPECT_EQ(back, values);
  ASSERT_OK(cuCtxSetCurrent(context[0]));
}

TEST_F(DriverTest, ReadsPageableMemoryBeforeItReturns) {
  cuda::Stream stream;
  ASSERT_OK(cuStreamCreate(&stream, cuda::kStreamNonBlocking));
  cuda::DevicePointer a;
  ASSERT_OK(cuMemAllocAsync(&a, 4, stream));
  int value = 5;
  ASSERT_OK(cuMemcpyHtoDAsync_v2(a, &value, 4, stream));
  value = 6;
  int *pinned;
  ASSERT_OK(cuMemHostAlloc(reinterpret_cast<void **>(&pinned), 4, 0));
  ASSERT_OK(cuMemcpyDtoHAsync_v2(pinned, a, 4, stream));
  ASSERT_OK(cuMemFreeAsync(a, stream));
  ASSERT_OK(cuStreamSynchronize(stream));
  EXPECT_EQ(*pinned, 5);
  EXPECT_OK(cuMemFreeHost(pinned));
}

TEST_F(DriverTest, ManyThreadsUseOneDevice) {
  std::vector<std::thread> threads;
  std::atomic<int> failures{0};
  for (int t = 0; t < 8; ++t)
    threads.emplace_back([&, t] {
      cuda::Stream stream;
      cuda::DevicePointer a;
      cuda::Context mine = context[t % 2];
      if (cuCtxSetCurrent(mine) ||
          cuStreamCreate(&stream, cuda::kStreamNonBlocking) ||
          cuMemAlloc_v2(&a, 4096)) {
        ++failures;
        return;
      }
      for (int i = 0; i < 20; ++i) {
        std::vector<int> out(1024, t * 100 + i), in(1024);
        failures += cuMemcpyHtoDAsync_v2(a, out.data(), 4096, stream) != 0 ||
                    cuMemcpyDtoHAsync_v2(in.data(), a, 4096, stream) != 0 ||
                    cuStreamSynchronize(stream) != 0 || in != out;
      }
      failures += cuStreamDestroy_v2(stream) != 0 || cuMemFree_v2(a) != 0;
    });
  for (std::thread &thread : threads)
    thread.join();
  EXPECT_EQ(failures, 0);
}

//===----------------------------------------------------------------------===//
// Modules
//===----------------------------------------------------------------------===//

TEST_F(DriverTest, LoadsModules) {
  cuda::Module module;
  ASSERT_OK(cuModuleLoadData(&module, "fake"));
  cuda::DevicePointer table;
  size_t bytes = 0;
  ASSERT_OK(cuModuleGetGlobal_v2(&table, &bytes, module, "table"));
  EXPECT_EQ(bytes, 8u);
  EXPECT_EQ(download<uint8_t>(table, 8),
            (std::vector<uint8_t>{1, 2, 3, 4, 0, 0, 0, 0}));
  cuda::Function function;
  EXPECT_EQ(cuModuleGetFunction(&function, module, "nothing"), cuda::kNotFound);
  EXPECT_OK(cuModuleUnload(module));
}

TEST_F(DriverTest, ExplainsModulesThatItRefuses) {
  char log[64] = "";
  int options[] = {cuda::kJitErrorLogBuffer, cuda::kJitErrorLogBufferSizeBytes};
  void *values[] = {log, reinterpret_cast<void *>(sizeof log)};
  cuda::Module module;
  EXPECT_EQ(cuModuleLoadDataEx(&module, "bad", 2, options, values),
            cuda::kInvalidPtx);
  EXPECT_STREQ(log, "line 1: no such thing");
  EXPECT_EQ(reinterpret_cast<size_t>(values[1]), std::string(log).size());
  values[1] = reinterpret_cast<void *>(sizeof log);
  EXPECT_EQ(cuModuleLoadDataEx(&module,
                               "\x7f"
                               "ELF",
                               2, options, values),
            cuda::kNoBinaryForGpu);
  EXPECT_NE(std::string(log).find("got a cubin"), std::string::npos);
}

//===----------------------------------------------------------------------===//
// Kernels
//===----------------------------------------------------------------------===//

TEST_F(DriverTest, RunsEveryThreadOfTheGridOnce) {
  cuda::DevicePointer a = upload(std::vector<uint32_t>(64 * 100, 3));
  ASSERT_OK(launch("increment", 100, 64, {a}));
  EXPECT_EQ(download<uint32_t>(a, 6400), std::vector<uint32_t>(6400, 4));
}

TEST_F(DriverTest, BarriersOrderSharedMemory) {
  constexpr unsigned kBlocks = 37, kThreads = 256;
  cuda::DevicePointer a = upload(std::vector<uint32_t>(kBlocks * kThreads, 2));
  cuda::DevicePointer sums = upload(std::vector<uint32_t>(kBlocks, 0));
  ASSERT_OK(launch("block_sum", kBlocks, kThreads, {a, sums}, kThreads * 4));
  EXPECT_EQ(download<uint32_t>(sums, kBlocks),
            std::vector<uint32_t>(kBlocks, 2 * kThreads));
}

TEST_F(DriverTest, ShufflesAndVotes) {
  cuda::DevicePointer out = upload(std::vector<uint32_t>(4 * 64, 0));
  ASSERT_OK(launch("warp", 1, 64, {out}));
  auto got = download<uint32_t>(out, 4 * 64);
  for (uint32_t tid = 0; tid < 64; ++tid) {
    uint32_t first = tid / 32 * 32;
    EXPECT_EQ(got[4 * tid], 32 * first + 496);
    EXPECT_EQ(got[4 * tid + 1], tid == first ? tid : tid - 1);
    EXPECT_EQ(got[4 * tid + 2], tid == first ? 0u : 1u);
    EXPECT_EQ(got[4 * tid + 3], 0xaaaaaaaau);
  }
}

TEST_F(DriverTest, DoesNotWaitForThreadsThatAreGone) {
  cuda::DevicePointer out = upload(std::vector<uint32_t>(40, 0));
  // The second warp has eight threads.
  ASSERT_OK(launch("early_exit", 1, 40, {out}));
  auto got = download<uint32_t>(out, 40);
  for (uint32_t tid = 0; tid < 40; ++tid)
    EXPECT_EQ(got[tid], tid % 2 ? 0u : tid < 32 ? 0x55555555u : 0x55u) << tid;
}

TEST_F(DriverTest, NamedBarriersCountArrivals) {
  cuda::DevicePointer out = upload(std::vector<uint32_t>(64, 0));
  ASSERT_OK(launch("named", 1, 64, {out}, 128));
  auto got = download<uint32_t>(out, 64);
  EXPECT_EQ(got[0], 22u);
  for (uint32_t tid = 32; tid < 64; ++tid)
    EXPECT_EQ(got[tid], (tid - 32) * 10);
}

TEST_F(DriverTest, RefusesLaunchesThatNoDeviceTakes) {
  EXPECT_EQ(launch("trap", 1, 1025, {}), cuda::kInvalidValue);
  EXPECT_EQ(launch("trap", 0, 1, {}), cuda::kInvalidValue);
  EXPECT_EQ(launch("trap", 1, 1, {}, 64 * 1024), cuda::kInvalidValue);
  EXPECT_OK(cuCtxSynchronize());
}

//===----------------------------------------------------------------------===//
// Faults
//===----------------------------------------------------------------------===//

static void expectFault(const char *part) {
  EXPECT_NE(std::string(heteroEmulatorLastFault()).find(part),
            std::string::npos)
      << heteroEmulatorLastFault();
}

TEST_F(DriverTest, ReportsAccessesOutsideOfAllocations) {
  cuda::DevicePointer a = upload(std::vector<uint32_t>(35, 0));
  EXPECT_EQ(launch("increment", 1, 64, {a}), cuda::kIllegalAddress);
  expectFault("kernel increment, block (0, 0, 0), thread (35, 0, 0) stores 4 "
              "bytes to global address 0x");
  expectFault("(line 7 of the PTX), 0 bytes after the end of the allocation of "
              "140 bytes at 0x");
  // Sticky: the context answers everything with it, the other device works.
  cuda::DevicePointer b;
  EXPECT_EQ(cuMemAlloc_v2(&b, 4), cuda::kIllegalAddress);
  EXPECT_OK(cuCtxSetCurrent(context[1]));
  EXPECT_OK(cuMemAlloc_v2(&b, 4));
  // A reset makes the device usable again.
  EXPECT_OK(cuDevicePrimaryCtxReset_v2(0));
  EXPECT_OK(cuCtxSetCurrent(context[0]));
  EXPECT_OK(cuMemAlloc_v2(&b, 4));
}

/// Of devices that have both failed, each says its own fault, until it is
/// reset.
TEST_F(DriverTest, TellsFaultsOfDevicesApart) {
  auto getFault = [](int device) {
    return std::string(heteroEmulatorDeviceFault(device));
  };
  EXPECT_EQ(getFault(0), "");
  cuda::DevicePointer a = upload(std::vector<uint32_t>(4, 0));
  EXPECT_EQ(launch("misaligned", 1, 1, {a}), cuda::kMisalignedAddress);
  std::string first = getFault(0);
  EXPECT_NE(first.find("kernel misaligned"), std::string::npos) << first;
  EXPECT_EQ(getFault(1), "");
  ASSERT_OK(cuCtxSetCurrent(context[1]));
  EXPECT_EQ(launch("trap", 1, 1, {}), cuda::kLaunchFailed);
  EXPECT_NE(getFault(1).find("kernel trap"), std::string::npos) << getFault(1);
  expectFault("kernel trap");
  EXPECT_EQ(getFault(0), first);
  EXPECT_OK(cuDevicePrimaryCtxReset_v2(1));
  EXPECT_EQ(getFault(1), "");
  EXPECT_EQ(getFault(0), first);
  EXPECT_EQ(getFault(7), "");
}

TEST_F(DriverTest, ReportsOtherFaults) {
  cuda::DevicePointer a = upload(std::vector<uint32_t>(4, 0));
  EXPECT_EQ(launch("misaligned", 1, 1, {a}), cuda::kMisalignedAddress);
  expectFault("which is not a multiple of the size");
  EXPECT_OK(cuDevicePrimaryCtxReset_v2(0));
  EXPECT_EQ(launch("deadlock", 4, 64, {}), cuda::kLaunchFailed);
  expectFault("can never go on: 32 of its 64 threads wait at barrier 1");
  EXPECT_OK(cuDevicePrimaryCtxReset_v2(0));
  EXPECT_EQ(launch("trap", 3, 33, {}), cuda::kLaunchFailed);
  expectFault("stops: trap (line 42 of the PTX)");
  EXPECT_OK(cuDevicePrimaryCtxReset_v2(0));
  // The fibers that were left in the middle are used again.
  cuda::DevicePointer sums = upload(std::vector<uint32_t>(1, 0));
  a = upload(std::vector<uint32_t>(64, 1));
  EXPECT_OK(launch("block_sum", 1, 64, {a, sums}, 256));
  EXPECT_EQ(download<uint32_t>(sums, 1)[0], 64u);
}

TEST_F(DriverTest, KernelsDoNotReachTheOtherDevice) {
  cuda::DevicePointer a = upload(std::vector<uint32_t>(4, 0));
  ASSERT_OK(cuCtxSetCurrent(context[1]));
  EXPECT_EQ(launch("increment", 1, 4, {a}), cuda::kIllegalAddress);
  ASSERT_OK(cuCtxSetCurrent(context[0]));
}
