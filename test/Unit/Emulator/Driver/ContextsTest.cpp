//===- ContextsTest.cpp - Created contexts, limits, devices ---------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DriverAPIHarness.h"

#include <cstring>
#include <string>
#include <thread>

namespace {
class ContextsTest : public DriverAPITest {
protected:
  static CUcontext create(unsigned flags = 0, CUdevice device = 0) {
    CUcontext context = nullptr;
    EXPECT_OK(cuCtxCreate(&context, nullptr, flags, device));
    return context;
  }
};
} // namespace

TEST_F(ContextsTest, CreatedContextsAreTheirOwn) {
  CUcontext first = create(), second = create(), current;
  EXPECT_NE(first, second);
  EXPECT_NE(first, primary);
  EXPECT_OK(cuCtxGetCurrent(&current));
  EXPECT_EQ(current, second);
  unsigned long long ids[2];
  EXPECT_OK(cuCtxGetId(first, &ids[0]));
  EXPECT_OK(cuCtxGetId(nullptr, &ids[1]));
  EXPECT_NE(ids[0], ids[1]);
  // The one that was current before comes back.
  EXPECT_OK(cuCtxDestroy(second));
  EXPECT_OK(cuCtxGetCurrent(&current));
  EXPECT_EQ(current, first);
  EXPECT_OK(cuCtxDestroy(first));
  EXPECT_OK(cuCtxGetCurrent(&current));
  EXPECT_EQ(current, primary);
  EXPECT_EQ(cuCtxDestroy(primary), CUDA_ERROR_INVALID_CONTEXT);
}

TEST_F(ContextsTest, AnErrorStaysInItsContext) {
  CUcontext bad = create();
  CUfunction fail = kernel("fail");
  EXPECT_OK(
      cuLaunchKernel(fail, 1, 1, 1, 1, 1, 1, 0, nullptr, nullptr, nullptr));
  EXPECT_EQ(cuCtxSynchronize(), CUDA_ERROR_ILLEGAL_ADDRESS);
  CUdeviceptr pointer;
  EXPECT_EQ(cuMemAlloc(&pointer, 16), CUDA_ERROR_ILLEGAL_ADDRESS);
  // Another context of the same device goes on, and one made afterwards does.
  CUcontext good = create();
  std::vector<unsigned> words = countFrom(3, 16);
  CUdeviceptr array = upload(words);
  EXPECT_OK(launchAdd(kernel("add"), array, array, 4, 16));
  EXPECT_OK(cuCtxSynchronize());
  EXPECT_EQ(download(array, 16), countFrom(7, 16));
  EXPECT_OK(cuCtxDestroy(good));
  EXPECT_OK(cuCtxSetCurrent(bad));
  EXPECT_EQ(cuCtxSynchronize(), CUDA_ERROR_ILLEGAL_ADDRESS);
  EXPECT_OK(cuCtxDestroy(bad));
  EXPECT_OK(cuCtxSynchronize());
}

TEST_F(ContextsTest, DestructionFreesAll) {
  size_t before, after, total;
  EXPECT_OK(cuMemGetInfo(&before, &total));
  CUdeviceptr mine = upload({1, 2, 3, 4});
  CUcontext context = create();
  CUdeviceptr array = upload(countFrom(0, 64));
  CUstream stream;
  CUevent event;
  EXPECT_OK(cuStreamCreate(&stream, 0));
  EXPECT_OK(cuEventCreate(&event, 0));
  CUfunction add = kernel("add");
  EXPECT_OK(launchAdd(add, array, array, 1, 64, stream));
  EXPECT_OK(cuCtxDestroy(context));
  EXPECT_EQ(cuStreamSynchronize(stream), CUDA_ERROR_INVALID_HANDLE);
  EXPECT_EQ(cuEventQuery(event), CUDA_ERROR_INVALID_HANDLE);
  EXPECT_EQ(launchAdd(add, mine, mine, 1, 8), CUDA_ERROR_INVALID_HANDLE);
  EXPECT_EQ(cuMemFree(array), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(download(mine, 4), countFrom(1, 4));
  EXPECT_OK(cuMemFree(mine));
  EXPECT_OK(cuMemGetInfo(&after, &total));
  EXPECT_EQ(after, before);
}

/// Contexts of a device see the same addresses, but not each other's modules.
TEST_F(ContextsTest, ModulesAndStreamsAreOfOneContext) {
  CUfunction add = kernel("add");
  CUdeviceptr array = upload(countFrom(0, 8));
  CUcontext context = create();
  EXPECT_EQ(launchAdd(add, array, array, 1, 8), CUDA_ERROR_INVALID_HANDLE);
  EXPECT_OK(launchAdd(kernel("add"), array, array, 1, 8));
  EXPECT_OK(cuCtxSynchronize());
  EXPECT_EQ(download(array, 8), countFrom(1, 8));
  CUstream stream;
  CUcontext owner;
  EXPECT_OK(cuStreamCreate(&stream, 0));
  EXPECT_OK(cuStreamGetCtx(stream, &owner));
  EXPECT_EQ(owner, context);
  CUdeviceptr other;
  EXPECT_OK(cuMemAlloc(&other, 32));
  EXPECT_OK(cuMemcpyPeer(other, context, array, primary, 32));
  EXPECT_EQ(download(other, 8), countFrom(1, 8));
  EXPECT_OK(cuCtxDestroy(context));
}

TEST_F(ContextsTest, OthersSeeThatAContextIsGone) {
  CUcontext context = create();
  EXPECT_OK(cuCtxPopCurrent(nullptr));
  std::thread([&] {
    EXPECT_OK(cuCtxSetCurrent(context));
    std::thread([&] { EXPECT_OK(cuCtxDestroy(context)); }).join();
    EXPECT_EQ(cuCtxSynchronize(), CUDA_ERROR_CONTEXT_IS_DESTROYED);
    CUdeviceptr pointer;
    EXPECT_EQ(cuMemAlloc(&pointer, 4), CUDA_ERROR_CONTEXT_IS_DESTROYED);
  }).join();
  EXPECT_EQ(cuCtxSetCurrent(context), CUDA_ERROR_CONTEXT_IS_DESTROYED);
  EXPECT_EQ(cuCtxDestroy(context), CUDA_ERROR_CONTEXT_IS_DESTROYED);
  EXPECT_EQ(cuCtxPushCurrent(reinterpret_cast<CUcontext>(64)),
            CUDA_ERROR_INVALID_CONTEXT);
}

TEST_F(ContextsTest, HasFlagsAndLimits) {
  CUcontext context = create(CU_CTX_SCHED_BLOCKING_SYNC);
  unsigned flags = 0;
  EXPECT_OK(cuCtxGetFlags(&flags));
  EXPECT_EQ(flags, unsigned(CU_CTX_SCHED_BLOCKING_SYNC));
  EXPECT_EQ(cuCtxCreate(&context, nullptr, 3, 0), CUDA_ERROR_INVALID_VALUE);
  size_t value = 0;
  EXPECT_OK(cuCtxGetLimit(&value, CU_LIMIT_STACK_SIZE));
  EXPECT_EQ(value, 1024u);
  EXPECT_OK(cuCtxSetLimit(CU_LIMIT_STACK_SIZE, 4096));
  EXPECT_OK(cuCtxGetLimit(&value, CU_LIMIT_STACK_SIZE));
  EXPECT_EQ(value, 4096u);
  EXPECT_OK(cuCtxGetLimit(&value, CU_LIMIT_MALLOC_HEAP_SIZE));
  EXPECT_EQ(value, 8u << 20);
  EXPECT_EQ(cuCtxGetLimit(&value, static_cast<CUlimit>(15)),
            CUDA_ERROR_UNSUPPORTED_LIMIT);
  CUfunc_cache config;
  EXPECT_OK(cuCtxSetCacheConfig(CU_FUNC_CACHE_PREFER_L1));
  EXPECT_OK(cuCtxGetCacheConfig(&config));
  EXPECT_EQ(config, CU_FUNC_CACHE_PREFER_L1);
  int least = -1, greatest = 0;
  EXPECT_OK(cuCtxGetStreamPriorityRange(&least, &greatest));
  EXPECT_GT(least, greatest);
  EXPECT_EQ(cuCtxEnablePeerAccess(primary, 0),
            CUDA_ERROR_PEER_ACCESS_UNSUPPORTED);
  EXPECT_OK(cuCtxGetCurrent(&context));
  EXPECT_OK(cuCtxDestroy(context));
}

TEST_F(ContextsTest, DevicesHaveNames) {
  char name[64];
  CUuuid first, second;
  CUdevice device = -1;
  EXPECT_OK(cuDeviceGetPCIBusId(name, sizeof name, 1));
  EXPECT_OK(cuDeviceGetByPCIBusId(&device, name));
  EXPECT_EQ(device, 1);
  EXPECT_EQ(cuDeviceGetByPCIBusId(&device, "0000:77:00.0"),
            CUDA_ERROR_INVALID_DEVICE);
  EXPECT_OK(cuDeviceGetUuid(&first, 0));
  EXPECT_OK(cuDeviceGetUuid(&second, 1));
  EXPECT_NE(std::memcmp(&first, &second, sizeof first), 0);
  CUdevprop properties;
  EXPECT_OK(cuDeviceGetProperties(&properties, 0));
  EXPECT_EQ(properties.maxThreadsPerBlock, 1024);
  EXPECT_EQ(properties.SIMDWidth, 32);
  EXPECT_EQ(properties.textureAlign, 512);
  int value = -1;
  EXPECT_OK(cuDeviceGetP2PAttribute(
      &value, CU_DEVICE_P2P_ATTRIBUTE_ACCESS_SUPPORTED, 0, 1));
  EXPECT_EQ(value, 0);
}

/// Every error of the header has a name, which is its own.
TEST_F(ContextsTest, ErrorsHaveNames) {
  const char *text = nullptr;
  EXPECT_OK(cuGetErrorName(CUDA_ERROR_CONTEXT_IS_DESTROYED, &text));
  EXPECT_EQ(std::string(text), "CUDA_ERROR_CONTEXT_IS_DESTROYED");
  EXPECT_OK(cuGetErrorName(CUDA_ERROR_INVALID_CLUSTER_SIZE, &text));
  EXPECT_EQ(std::string(text), "CUDA_ERROR_INVALID_CLUSTER_SIZE");
  EXPECT_OK(cuGetErrorString(CUDA_ERROR_UNSUPPORTED_LIMIT, &text));
  EXPECT_EQ(std::string(text), "limit is not supported on this architecture");
  EXPECT_EQ(cuGetErrorName(static_cast<CUresult>(1000), &text),
            CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(text, nullptr);
}
