//===- PoolsTest.cpp - Memory in the order of streams ---------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DriverAPIHarness.h"

namespace {
class PoolsTest : public DriverAPITest {
protected:
  static CUmemoryPool create(size_t most = 0) {
    CUmemPoolProps properties = {};
    properties.allocType = CU_MEM_ALLOCATION_TYPE_PINNED;
    properties.location = {CU_MEM_LOCATION_TYPE_DEVICE, 0};
    properties.maxSize = most;
    CUmemoryPool pool = nullptr;
    EXPECT_OK(cuMemPoolCreate(&pool, &properties));
    return pool;
  }
  static cuuint64_t get(CUmemoryPool pool, CUmemPool_attribute attribute) {
    cuuint64_t value = 0;
    EXPECT_OK(cuMemPoolGetAttribute(pool, attribute, &value));
    return value;
  }
};
} // namespace

TEST_F(PoolsTest, GivesAndTakesInTheOrderOfAStream) {
  CUmemoryPool pool = create();
  CUstream stream;
  ASSERT_OK(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
  CUdeviceptr first, second;
  CUfunction add = kernel("add");
  ASSERT_OK(cuMemAllocFromPoolAsync(&first, 64, pool, stream));
  ASSERT_OK(cuMemAllocFromPoolAsync(&second, 96, pool, stream));
  EXPECT_EQ(get(pool, CU_MEMPOOL_ATTR_USED_MEM_CURRENT), 160u);
  std::vector<unsigned> words = countFrom(1, 16), result(16);
  EXPECT_OK(cuMemcpyHtoDAsync(first, words.data(), 64, stream));
  EXPECT_OK(launchAdd(add, second, first, 8, 16, stream));
  EXPECT_OK(cuMemFreeAsync(first, stream));
  EXPECT_OK(cuMemcpyDtoHAsync(result.data(), second, 64, stream));
  EXPECT_OK(cuMemFreeAsync(second, stream));
  EXPECT_OK(cuStreamSynchronize(stream));
  EXPECT_EQ(result, countFrom(9, 16));
  EXPECT_EQ(get(pool, CU_MEMPOOL_ATTR_USED_MEM_CURRENT), 0u);
  EXPECT_EQ(get(pool, CU_MEMPOOL_ATTR_USED_MEM_HIGH), 160u);
  cuuint64_t none = 0;
  EXPECT_OK(cuMemPoolSetAttribute(pool, CU_MEMPOOL_ATTR_USED_MEM_HIGH, &none));
  EXPECT_EQ(get(pool, CU_MEMPOOL_ATTR_USED_MEM_HIGH), 0u);
  EXPECT_OK(cuMemPoolTrimTo(pool, 0));
  EXPECT_OK(cuMemPoolDestroy(pool));
  EXPECT_EQ(cuMemPoolDestroy(pool), CUDA_ERROR_INVALID_VALUE);
}

TEST_F(PoolsTest, HasALimit) {
  CUmemoryPool pool = create(/*most=*/1024);
  CUdeviceptr first, second;
  EXPECT_OK(cuMemAllocFromPoolAsync(&first, 1000, pool, nullptr));
  EXPECT_EQ(cuMemAllocFromPoolAsync(&second, 25, pool, nullptr),
            CUDA_ERROR_OUT_OF_MEMORY);
  EXPECT_OK(cuMemFree(first));
  EXPECT_OK(cuMemAllocFromPoolAsync(&second, 25, pool, nullptr));
  CUmemoryPool owner = nullptr;
  EXPECT_OK(cuPointerGetAttribute(&owner, CU_POINTER_ATTRIBUTE_MEMPOOL_HANDLE,
                                  second + 24));
  EXPECT_EQ(owner, pool);
  // What a pool gave outlives it.
  EXPECT_OK(cuMemPoolDestroy(pool));
  EXPECT_OK(cuMemsetD8(second, 1, 25));
  EXPECT_OK(cuMemFree(second));
}

TEST_F(PoolsTest, EachDeviceHasACurrentOne) {
  CUmemoryPool standard, current, mine = create();
  EXPECT_OK(cuDeviceGetDefaultMemPool(&standard, 0));
  EXPECT_OK(cuDeviceGetMemPool(&current, 0));
  EXPECT_EQ(current, standard);
  EXPECT_EQ(cuMemPoolDestroy(standard), CUDA_ERROR_INVALID_VALUE);
  EXPECT_OK(cuDeviceSetMemPool(0, mine));
  EXPECT_EQ(cuDeviceSetMemPool(1, mine), CUDA_ERROR_INVALID_VALUE);
  CUdeviceptr pointer;
  EXPECT_OK(cuMemAllocAsync(&pointer, 48, nullptr));
  EXPECT_EQ(get(mine, CU_MEMPOOL_ATTR_RESERVED_MEM_CURRENT), 48u);
  EXPECT_OK(cuMemFreeAsync(pointer, nullptr));
  EXPECT_OK(cuMemPoolDestroy(mine));
  EXPECT_OK(cuDeviceGetMemPool(&current, 0));
  EXPECT_EQ(current, standard);
}

TEST_F(PoolsTest, KnowsWhoHasAccess) {
  CUmemoryPool pool = create();
  CUmemLocation here = {CU_MEM_LOCATION_TYPE_DEVICE, 0},
                there = {CU_MEM_LOCATION_TYPE_DEVICE, 1};
  CUmemAccess_flags flags;
  EXPECT_OK(cuMemPoolGetAccess(&flags, pool, &here));
  EXPECT_EQ(flags, CU_MEM_ACCESS_FLAGS_PROT_READWRITE);
  EXPECT_OK(cuMemPoolGetAccess(&flags, pool, &there));
  EXPECT_EQ(flags, CU_MEM_ACCESS_FLAGS_PROT_NONE);
  CUmemAccessDesc grant = {there, CU_MEM_ACCESS_FLAGS_PROT_READWRITE};
  EXPECT_EQ(cuMemPoolSetAccess(pool, &grant, 1), CUDA_ERROR_INVALID_DEVICE);
  cuuint64_t threshold = 1 << 20;
  EXPECT_OK(cuMemPoolSetAttribute(pool, CU_MEMPOOL_ATTR_RELEASE_THRESHOLD,
                                  &threshold));
  EXPECT_EQ(get(pool, CU_MEMPOOL_ATTR_RELEASE_THRESHOLD), 1u << 20);
  int handle = -1;
  EXPECT_EQ(cuMemPoolExportToShareableHandle(
                &handle, pool, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR, 0),
            CUDA_ERROR_NOT_SUPPORTED);
  EXPECT_OK(cuMemPoolDestroy(pool));
}

/// Memory that the host accesses too.
TEST_F(PoolsTest, OfTheHost) {
  struct Kind {
    CUmemAllocationType type;
    CUmemLocation location;
    bool isManaged;
  };
  const CUmemLocation host = {CU_MEM_LOCATION_TYPE_HOST, 0};
  const CUmemLocation node = {CU_MEM_LOCATION_TYPE_HOST_NUMA, 0};
  const CUmemLocation device = {CU_MEM_LOCATION_TYPE_DEVICE, 1};
  const CUmemLocation nowhere = {CU_MEM_LOCATION_TYPE_NONE, 0};
  for (const Kind &kind :
       {Kind{CU_MEM_ALLOCATION_TYPE_PINNED, host, false},
        Kind{CU_MEM_ALLOCATION_TYPE_PINNED, node, false},
        Kind{CU_MEM_ALLOCATION_TYPE_MANAGED, host, true},
        Kind{CU_MEM_ALLOCATION_TYPE_MANAGED, device, true},
        Kind{CU_MEM_ALLOCATION_TYPE_MANAGED, nowhere, true}}) {
    CUmemPoolProps properties = {};
    properties.allocType = kind.type;
    properties.location = kind.location;
    CUmemoryPool pool;
    ASSERT_OK(cuMemPoolCreate(&pool, &properties));
    CUdeviceptr first, second;
    ASSERT_OK(cuMemAllocFromPoolAsync(&first, 64, pool, nullptr));
    ASSERT_OK(cuMemAllocFromPoolAsync(&second, 64, pool, nullptr));
    EXPECT_EQ(get(pool, CU_MEMPOOL_ATTR_USED_MEM_CURRENT), 128u);
    bool isManaged = !kind.isManaged;
    EXPECT_OK(cuPointerGetAttribute(&isManaged, CU_POINTER_ATTRIBUTE_IS_MANAGED,
                                    first));
    EXPECT_EQ(isManaged, kind.isManaged);
    auto *words = reinterpret_cast<unsigned *>(first);
    for (unsigned i = 0; i < 16; ++i)
      words[i] = i;
    EXPECT_OK(launchAdd(kernel("add"), first, first, 5, 16));
    EXPECT_OK(cuCtxSynchronize());
    EXPECT_EQ(std::vector<unsigned>(words, words + 16), countFrom(5, 16));
    EXPECT_OK(cuMemFreeAsync(first, nullptr));
    EXPECT_OK(cuStreamSynchronize(nullptr));
    EXPECT_EQ(get(pool, CU_MEMPOOL_ATTR_USED_MEM_CURRENT), 64u);
    EXPECT_OK(cuMemFree(second));
    EXPECT_EQ(get(pool, CU_MEMPOOL_ATTR_USED_MEM_CURRENT), 0u);
    EXPECT_EQ(cuMemFree(second), CUDA_ERROR_INVALID_VALUE);
    CUmemAccessDesc grant = {{CU_MEM_LOCATION_TYPE_DEVICE, 1},
                             CU_MEM_ACCESS_FLAGS_PROT_READWRITE};
    EXPECT_OK(cuMemPoolSetAccess(pool, &grant, 1));
    EXPECT_OK(cuMemPoolDestroy(pool));
  }
}

TEST_F(PoolsTest, TheHostHasACurrentOne) {
  CUmemLocation host = {CU_MEM_LOCATION_TYPE_HOST, 0};
  CUmemoryPool standard, current, managed;
  EXPECT_OK(
      cuMemGetDefaultMemPool(&standard, &host, CU_MEM_ALLOCATION_TYPE_PINNED));
  EXPECT_OK(cuMemGetMemPool(&current, &host, CU_MEM_ALLOCATION_TYPE_PINNED));
  EXPECT_EQ(current, standard);
  EXPECT_OK(
      cuMemGetDefaultMemPool(&managed, &host, CU_MEM_ALLOCATION_TYPE_MANAGED));
  EXPECT_NE(managed, standard);
  EXPECT_EQ(cuMemSetMemPool(&host, CU_MEM_ALLOCATION_TYPE_PINNED, managed),
            CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cuMemPoolDestroy(standard), CUDA_ERROR_INVALID_VALUE);
}
