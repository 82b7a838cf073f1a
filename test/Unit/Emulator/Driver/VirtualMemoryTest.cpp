//===- VirtualMemoryTest.cpp - Addresses apart from memory ----------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DriverAPIHarness.h"

namespace {
/// Two pieces of memory, and addresses for twice as much.
class VirtualMemoryTest : public DriverAPITest {
protected:
  void SetUp() override {
    DriverAPITest::SetUp();
    properties.type = CU_MEM_ALLOCATION_TYPE_PINNED;
    properties.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
    grant.location = properties.location;
    grant.flags = CU_MEM_ACCESS_FLAGS_PROT_READWRITE;
    ASSERT_OK(cuMemGetAllocationGranularity(&bytes, &properties,
                                            CU_MEM_ALLOC_GRANULARITY_MINIMUM));
    for (CUmemGenericAllocationHandle &piece : pieces)
      ASSERT_OK(cuMemCreate(&piece, bytes, &properties, 0));
    ASSERT_OK(cuMemAddressReserve(&range, 4 * bytes, 0, 0, 0));
  }
  void TearDown() override {
    EXPECT_OK(cuMemAddressFree(range, 4 * bytes));
    for (CUmemGenericAllocationHandle piece : pieces)
      EXPECT_OK(cuMemRelease(piece));
    EXPECT_EQ(cuMemRelease(pieces[0]), CUDA_ERROR_INVALID_VALUE);
    DriverAPITest::TearDown();
  }

  size_t bytes = 0;
  CUmemAllocationProp properties = {};
  CUmemAccessDesc grant = {};
  CUmemGenericAllocationHandle pieces[2];
  CUdeviceptr range = 0;
};
} // namespace

TEST_F(VirtualMemoryTest, NeighboursAreOnePiece) {
  EXPECT_OK(cuMemMap(range, bytes, 0, pieces[0], 0));
  EXPECT_OK(cuMemMap(range + bytes, bytes, 0, pieces[1], 0));
  EXPECT_EQ(cuMemMap(range + bytes, bytes, 0, pieces[1], 0),
            CUDA_ERROR_INVALID_VALUE);
  // Nobody has access before it is given.
  EXPECT_EQ(cuMemsetD8(range, 1, 4), CUDA_ERROR_INVALID_VALUE);
  EXPECT_OK(cuMemSetAccess(range, 2 * bytes, &grant, 1));
  EXPECT_OK(cuMemsetD32(range, 5, 2 * bytes / 4));
  CUdeviceptr seam = range + bytes - 32;
  EXPECT_OK(launchAdd(kernel("add"), seam, seam, 2, 16));
  EXPECT_OK(cuCtxSynchronize());
  EXPECT_EQ(download(seam, 16), std::vector<unsigned>(16, 7));
  EXPECT_EQ(cuMemcpyDtoD(range, range + bytes, bytes + 1),
            CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cuMemFree(range), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cuMemAddressFree(range, 4 * bytes), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cuMemUnmap(range, bytes + 4096), CUDA_ERROR_INVALID_VALUE);
  EXPECT_OK(cuMemUnmap(range, 2 * bytes));
  // What is not mapped is not there.
  EXPECT_OK(launchAdd(kernel("add"), range, range, 2, 16));
  EXPECT_EQ(cuCtxSynchronize(), CUDA_ERROR_ILLEGAL_ADDRESS);
}

TEST_F(VirtualMemoryTest, MemoryStaysWhereverItIsMapped) {
  EXPECT_OK(cuMemMap(range, bytes, 0, pieces[0], 0));
  EXPECT_OK(cuMemSetAccess(range, bytes, &grant, 1));
  EXPECT_OK(cuMemsetD32(range, 9, 16));
  EXPECT_OK(cuMemUnmap(range, bytes));
  EXPECT_OK(cuMemMap(range + 2 * bytes, bytes, 0, pieces[0], 0));
  EXPECT_OK(cuMemSetAccess(range + 2 * bytes, bytes, &grant, 1));
  EXPECT_EQ(download(range + 2 * bytes, 16), std::vector<unsigned>(16, 9));
  unsigned long long flags = 0;
  EXPECT_OK(cuMemGetAccess(&flags, &properties.location, range + 2 * bytes));
  EXPECT_EQ(flags, unsigned(CU_MEM_ACCESS_FLAGS_PROT_READWRITE));
  CUmemAccessDesc other = grant;
  other.location.id = 1;
  EXPECT_EQ(cuMemSetAccess(range + 2 * bytes, bytes, &other, 1),
            CUDA_ERROR_INVALID_DEVICE);
  CUmemGenericAllocationHandle known;
  EXPECT_OK(cuMemRetainAllocationHandle(
      &known, reinterpret_cast<void *>(range + 2 * bytes)));
  EXPECT_EQ(known, pieces[0]);
  EXPECT_OK(cuMemRelease(known));
  EXPECT_OK(cuMemUnmap(range + 2 * bytes, bytes));
}

// Memory that is mapped for reading is read, and nothing writes it.
TEST_F(VirtualMemoryTest, MappingsMayBeReadOnly) {
  EXPECT_OK(cuMemMap(range, bytes, 0, pieces[0], 0));
  EXPECT_OK(cuMemMap(range + bytes, bytes, 0, pieces[1], 0));
  EXPECT_OK(cuMemSetAccess(range, 2 * bytes, &grant, 1));
  EXPECT_OK(cuMemsetD32(range, 9, 2 * bytes / 4));
  CUmemAccessDesc reading = grant;
  reading.flags = CU_MEM_ACCESS_FLAGS_PROT_READ;
  EXPECT_OK(cuMemSetAccess(range + bytes, bytes, &reading, 1));
  unsigned long long flags = 0;
  EXPECT_OK(cuMemGetAccess(&flags, &grant.location, range + bytes));
  EXPECT_EQ(flags, unsigned(CU_MEM_ACCESS_FLAGS_PROT_READ));
  CUfunction add = kernel("add");
  EXPECT_OK(launchAdd(add, range, range + bytes, 2, 16));
  EXPECT_EQ(download(range, 16), std::vector<unsigned>(16, 11));
  EXPECT_EQ(cuMemsetD32(range + bytes, 1, 4), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cuMemcpyDtoD(range + bytes - 4, range, 8),
            CUDA_ERROR_INVALID_VALUE);
  // The loads come first, so that the address is known to be there.
  EXPECT_OK(launchAdd(add, range + bytes, range + bytes, 2, 16));
  EXPECT_EQ(cuCtxSynchronize(), CUDA_ERROR_ILLEGAL_ADDRESS);
  EXPECT_OK(cuMemUnmap(range, 2 * bytes));
}

TEST_F(VirtualMemoryTest, CountsWhatThereIs) {
  size_t free = 0, total = 0;
  EXPECT_OK(cuMemGetInfo(&free, &total));
  EXPECT_EQ(total - free, 2 * bytes);
  CUmemGenericAllocationHandle large;
  EXPECT_EQ(cuMemCreate(&large, total, &properties, 0),
            CUDA_ERROR_OUT_OF_MEMORY);
  EXPECT_EQ(cuMemCreate(&large, bytes + 1, &properties, 0),
            CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cuMemExportToShareableHandle(
                &large, pieces[0], CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR, 0),
            CUDA_ERROR_NOT_SUPPORTED);
}
