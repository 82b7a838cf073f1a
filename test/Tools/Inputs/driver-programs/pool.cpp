//===- pool.cpp - Memory in the order of a stream -----------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Program.h"

int main(int, char **arguments) {
  constexpr int kSize = 1000, kRounds = 20;
  constexpr size_t kBytes = kSize * sizeof(float);
  CUcontext context;
  CHECK(cuInit(0));
  CHECK(cuDevicePrimaryCtxRetain(&context, 0));
  CHECK(cuCtxSetCurrent(context));
  CUfunction add = load(arguments[1], "add");
  int isThere = 0;
  CHECK(cuDeviceGetAttribute(&isThere,
                             CU_DEVICE_ATTRIBUTE_MEMORY_POOLS_SUPPORTED, 0));
  CUmemPoolProps properties = {};
  properties.allocType = CU_MEM_ALLOCATION_TYPE_PINNED;
  properties.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
  CUmemoryPool pool;
  CHECK(cuMemPoolCreate(&pool, &properties));
  cuuint64_t keep = UINT64_MAX;
  CHECK(cuMemPoolSetAttribute(pool, CU_MEMPOOL_ATTR_RELEASE_THRESHOLD, &keep));
  CUstream stream;
  CHECK(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
  std::vector<float> values(kSize, 1.5f), result(kSize);
  int wrong = !isThere, size = kSize;
  for (int round = 0; round < kRounds; ++round) {
    CUdeviceptr from, to;
    CHECK(cuMemAllocFromPoolAsync(&from, kBytes, pool, stream));
    CHECK(cuMemcpyHtoDAsync(from, values.data(), kBytes, stream));
    CHECK(cuMemAllocAsync(&to, kBytes, stream));
    void *params[] = {&to, &from, &from, &size};
    CHECK(cuLaunchKernel(add, 8, 1, 1, 128, 1, 1, 0, stream, params, nullptr));
    CHECK(cuMemFreeAsync(from, stream));
    CHECK(cuMemcpyDtoHAsync(result.data(), to, kBytes, stream));
    CHECK(cuMemFreeAsync(to, stream));
    CHECK(cuStreamSynchronize(stream));
    for (float value : result)
      wrong += value != 3.0f;
  }
  cuuint64_t used = 1, most = 0;
  CHECK(cuMemPoolGetAttribute(pool, CU_MEMPOOL_ATTR_USED_MEM_CURRENT, &used));
  CHECK(cuMemPoolGetAttribute(pool, CU_MEMPOOL_ATTR_USED_MEM_HIGH, &most));
  wrong += used != 0 || most < kBytes;
  CHECK(cuMemPoolTrimTo(pool, 0));
  CHECK(cuMemPoolDestroy(pool));
  CHECK(cuDevicePrimaryCtxRelease(0));
  return report("pool", wrong);
}
