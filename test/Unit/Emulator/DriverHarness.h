//===- DriverHarness.h - Calls the emulated driver --------------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_TEST_UNIT_EMULATOR_DRIVERHARNESS_H
#define HETERO_TEST_UNIT_EMULATOR_DRIVERHARNESS_H

#include "FakeKernels.h"

#include "hetero/Emulator/EmulatorControl.h"

#include <gtest/gtest.h>

#include <vector>

using namespace hetero;
using namespace hetero::emulator;

// The functions of the driver under their exported names.
extern "C" {
#define HETERO_DECLARE(name, ...) cuda::Result name(__VA_ARGS__)
HETERO_DECLARE(cuInit, unsigned);
HETERO_DECLARE(cuDeviceGetCount, int *);
HETERO_DECLARE(cuDeviceGetAttribute, int *, int, cuda::Device);
HETERO_DECLARE(cuDevicePrimaryCtxRetain, cuda::Context *, cuda::Device);
HETERO_DECLARE(cuDevicePrimaryCtxRelease_v2, cuda::Device);
HETERO_DECLARE(cuDevicePrimaryCtxReset_v2, cuda::Device);
HETERO_DECLARE(cuCtxSetCurrent, cuda::Context);
HETERO_DECLARE(cuCtxSynchronize);
HETERO_DECLARE(cuMemAlloc_v2, cuda::DevicePointer *, size_t);
HETERO_DECLARE(cuMemFree_v2, cuda::DevicePointer);
HETERO_DECLARE(cuMemAllocAsync, cuda::DevicePointer *, size_t, cuda::Stream);
HETERO_DECLARE(cuMemFreeAsync, cuda::DevicePointer, cuda::Stream);
HETERO_DECLARE(cuMemGetInfo_v2, size_t *, size_t *);
HETERO_DECLARE(cuMemHostAlloc, void **, size_t, unsigned);
HETERO_DECLARE(cuMemFreeHost, void *);
HETERO_DECLARE(cuMemcpyHtoD_v2, cuda::DevicePointer, const void *, size_t);
HETERO_DECLARE(cuMemcpyDtoH_v2, void *, cuda::DevicePointer, size_t);
HETERO_DECLARE(cuMemcpyHtoDAsync_v2, cuda::DevicePointer, const void *, size_t,
               cuda::Stream);
HETERO_DECLARE(cuMemcpyDtoHAsync_v2, void *, cuda::DevicePointer, size_t,
               cuda::Stream);
HETERO_DECLARE(cuMemcpyPeerAsync, cuda::DevicePointer, cuda::Context,
               cuda::DevicePointer, cuda::Context, size_t, cuda::Stream);
HETERO_DECLARE(cuMemcpy2DAsync_v2, const cuda::Copy2D *, cuda::Stream);
HETERO_DECLARE(cuMemsetD32_v2, cuda::DevicePointer, unsigned, size_t);
HETERO_DECLARE(cuMemsetD2D8_v2, cuda::DevicePointer, size_t, unsigned char,
               size_t, size_t);
HETERO_DECLARE(cuMemsetD2D16_v2, cuda::DevicePointer, size_t, unsigned short,
               size_t, size_t);
HETERO_DECLARE(cuMemsetD2D32Async, cuda::DevicePointer, size_t, unsigned,
               size_t, size_t, cuda::Stream);
HETERO_DECLARE(cuStreamCreate, cuda::Stream *, unsigned);
HETERO_DECLARE(cuStreamDestroy_v2, cuda::Stream);
HETERO_DECLARE(cuStreamSynchronize, cuda::Stream);
HETERO_DECLARE(cuStreamQuery, cuda::Stream);
HETERO_DECLARE(cuStreamWaitEvent, cuda::Stream, cuda::Event, unsigned);
HETERO_DECLARE(cuLaunchHostFunc, cuda::Stream, void (*)(void *), void *);
HETERO_DECLARE(cuEventCreate, cuda::Event *, unsigned);
HETERO_DECLARE(cuEventDestroy_v2, cuda::Event);
HETERO_DECLARE(cuEventRecord, cuda::Event, cuda::Stream);
HETERO_DECLARE(cuEventSynchronize, cuda::Event);
HETERO_DECLARE(cuEventQuery, cuda::Event);
HETERO_DECLARE(cuEventElapsedTime, float *, cuda::Event, cuda::Event);
HETERO_DECLARE(cuModuleLoadData, cuda::Module *, const void *);
HETERO_DECLARE(cuModuleLoadDataEx, cuda::Module *, const void *, unsigned,
               int *, void **);
HETERO_DECLARE(cuModuleUnload, cuda::Module);
HETERO_DECLARE(cuModuleGetFunction, cuda::Function *, cuda::Module,
               const char *);
HETERO_DECLARE(cuModuleGetGlobal_v2, cuda::DevicePointer *, size_t *,
               cuda::Module, const char *);
HETERO_DECLARE(cuLaunchKernel, cuda::Function, unsigned, unsigned, unsigned,
               unsigned, unsigned, unsigned, unsigned, cuda::Stream, void **,
               void **);
HETERO_DECLARE(cuStreamBeginCapture_v2, cuda::Stream, int);
HETERO_DECLARE(cuStreamEndCapture, cuda::Stream, cuda::Graph *);
HETERO_DECLARE(cuStreamIsCapturing, cuda::Stream, int *);
HETERO_DECLARE(cuThreadExchangeStreamCaptureMode, int *);
HETERO_DECLARE(cuEventRecordWithFlags, cuda::Event, cuda::Stream, unsigned);
HETERO_DECLARE(cuFuncGetParamInfo, cuda::Function, size_t, size_t *, size_t *);
HETERO_DECLARE(cuGraphDestroy, cuda::Graph);
HETERO_DECLARE(cuGraphGetNodes, cuda::Graph, cuda::GraphNode *, size_t *);
HETERO_DECLARE(cuGraphInstantiateWithFlags, cuda::GraphExec *, cuda::Graph,
               unsigned long long);
HETERO_DECLARE(cuGraphExecDestroy, cuda::GraphExec);
HETERO_DECLARE(cuGraphLaunch, cuda::GraphExec, cuda::Stream);
HETERO_DECLARE(cuGraphExecUpdate_v2, cuda::GraphExec, cuda::Graph, void *);
HETERO_DECLARE(cuGetErrorName, cuda::Result, const char **);
}

#define EXPECT_OK(call) EXPECT_EQ(call, cuda::kSuccess)
#define ASSERT_OK(call) ASSERT_EQ(call, cuda::kSuccess)

/// Two devices, the first one current.
class DriverTest : public testing::Test {
protected:
  void SetUp() override {
    ASSERT_OK(cuInit(0));
    for (int device = 0; device < 2; ++device)
      ASSERT_OK(cuDevicePrimaryCtxRetain(&context[device], device));
    ASSERT_OK(cuCtxSetCurrent(context[0]));
  }
  void TearDown() override {
    for (int device = 0; device < 2; ++device)
      EXPECT_OK(cuDevicePrimaryCtxRelease_v2(device));
    // The last release gives the memory back and forgets faults.
    ASSERT_OK(cuDevicePrimaryCtxRetain(&context[0], 0));
    ASSERT_OK(cuCtxSetCurrent(context[0]));
    size_t free = 0, total = 1;
    EXPECT_OK(cuMemGetInfo_v2(&free, &total));
    EXPECT_EQ(free, total);
    EXPECT_OK(cuDevicePrimaryCtxRelease_v2(0));
  }

  /// Allocates and copies in.
  template <typename T>
  cuda::DevicePointer upload(const std::vector<T> &values) {
    cuda::DevicePointer pointer = 0;
    EXPECT_OK(cuMemAlloc_v2(&pointer, values.size() * sizeof(T)));
    EXPECT_OK(
        cuMemcpyHtoD_v2(pointer, values.data(), values.size() * sizeof(T)));
    return pointer;
  }
  template <typename T>
  std::vector<T> download(cuda::DevicePointer pointer, size_t count) {
    std::vector<T> values(count);
    EXPECT_OK(cuMemcpyDtoH_v2(values.data(), pointer, count * sizeof(T)));
    return values;
  }

  cuda::Function kernel(const char *name) {
    cuda::Module module = nullptr;
    cuda::Function function = nullptr;
    EXPECT_OK(cuModuleLoadData(&module, "fake"));
    EXPECT_OK(cuModuleGetFunction(&function, module, name));
    return function;
  }

  cuda::Result launch(const char *name, unsigned grid, unsigned block,
                      std::vector<uint64_t> params, unsigned shared = 0) {
    std::vector<void *> pointers;
    for (uint64_t &param : params)
      pointers.push_back(&param);
    if (cuda::Result error =
            cuLaunchKernel(kernel(name), grid, 1, 1, block, 1, 1, shared,
                           nullptr, pointers.data(), nullptr))
      return error;
    return cuCtxSynchronize();
  }

  cuda::Context context[2];
};

#endif // HETERO_TEST_UNIT_EMULATOR_DRIVERHARNESS_H
