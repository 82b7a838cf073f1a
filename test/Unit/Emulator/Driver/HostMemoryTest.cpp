//===- HostMemoryTest.cpp - Memory that host and devices share ------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DriverAPIHarness.h"

namespace {
using HostMemoryTest = DriverAPITest;

unsigned *words(void *pointer) { return static_cast<unsigned *>(pointer); }
} // namespace

TEST_F(HostMemoryTest, KernelsReachPinnedMemory) {
  void *memory = nullptr;
  ASSERT_OK(cuMemHostAlloc(&memory, 64, CU_MEMHOSTALLOC_DEVICEMAP));
  unsigned flags = 0;
  EXPECT_OK(cuMemHostGetFlags(&flags, memory));
  EXPECT_EQ(flags, unsigned(CU_MEMHOSTALLOC_DEVICEMAP));
  CUdeviceptr pointer = 0;
  ASSERT_OK(cuMemHostGetDevicePointer(&pointer, memory, 0));
  std::vector<unsigned> numbers = countFrom(5, 16);
  std::copy(numbers.begin(), numbers.end(), words(memory));
  CUfunction add = kernel("add");
  EXPECT_OK(launchAdd(add, pointer, pointer, 10, 16));
  EXPECT_OK(cuCtxSynchronize());
  EXPECT_EQ(words(memory)[15], 30u);
  // 16 words, and a 17th that is not there.
  EXPECT_OK(launchAdd(add, pointer, pointer, 10, 24));
  EXPECT_EQ(cuCtxSynchronize(), CUDA_ERROR_ILLEGAL_ADDRESS);
}

TEST_F(HostMemoryTest, RegistersWhatIsNotRegistered) {
  std::vector<unsigned> memory = countFrom(0, 64);
  EXPECT_EQ(cuMemHostUnregister(memory.data()),
            CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED);
  EXPECT_OK(cuMemHostRegister(memory.data(), 128, 0));
  EXPECT_EQ(cuMemHostRegister(memory.data() + 8, 128, 0),
            CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED);
  EXPECT_OK(cuMemHostRegister(memory.data() + 32, 128, 0));
  CUdeviceptr pointer = 0;
  EXPECT_OK(cuMemHostGetDevicePointer(&pointer, memory.data() + 4, 0));
  EXPECT_OK(launchAdd(kernel("add"), pointer, pointer, 1, 8));
  EXPECT_OK(cuCtxSynchronize());
  EXPECT_EQ(memory[4], 5u);
  EXPECT_EQ(memory[12], 12u);
  EXPECT_OK(cuMemHostUnregister(memory.data()));
  EXPECT_EQ(cuMemHostGetDevicePointer(&pointer, memory.data(), 0),
            CUDA_ERROR_INVALID_VALUE);
  EXPECT_OK(cuMemHostUnregister(memory.data() + 32));
}

/// What the host may touch at any time is no device's own memory.
TEST_F(HostMemoryTest, ManagedMemoryIsOfHostAndDevices) {
  CUdeviceptr managed = 0;
  EXPECT_EQ(cuMemAllocManaged(&managed, 64, 0), CUDA_ERROR_INVALID_VALUE);
  ASSERT_OK(cuMemAllocManaged(&managed, 64, CU_MEM_ATTACH_GLOBAL));
  unsigned *host = reinterpret_cast<unsigned *>(managed);
  EXPECT_OK(cuMemsetD32(managed, 3, 16));
  EXPECT_EQ(host[15], 3u);
  host[15] = 20;
  CUmemLocation location = {CU_MEM_LOCATION_TYPE_DEVICE, 0};
  EXPECT_OK(cuMemPrefetchAsync(managed, 64, location, 0, nullptr));
  EXPECT_OK(cuMemAdvise(managed, 64, CU_MEM_ADVISE_SET_READ_MOSTLY, location));
  EXPECT_OK(launchAdd(kernel("add"), managed, managed, 2, 16));
  EXPECT_OK(cuCtxSynchronize());
  EXPECT_EQ(host[0], 5u);
  EXPECT_EQ(host[15], 22u);
  EXPECT_EQ(download(managed, 16)[15], 22u);
  CUdeviceptr array = upload(countFrom(1, 16));
  EXPECT_EQ(cuMemPrefetchAsync(array, 64, location, 0, nullptr),
            CUDA_ERROR_INVALID_VALUE);
  EXPECT_OK(cuMemcpyDtoD(managed, array, 64));
  EXPECT_EQ(host[15], 16u);
  EXPECT_OK(cuMemFree(managed));
  EXPECT_EQ(cuMemFree(managed), CUDA_ERROR_INVALID_VALUE);
}

TEST_F(HostMemoryTest, TellsWhatAnAddressIs) {
  CUdeviceptr array = upload(countFrom(0, 64)), managed;
  void *pinned;
  ASSERT_OK(cuMemAllocHost(&pinned, 100));
  ASSERT_OK(cuMemAllocManaged(&managed, 64, CU_MEM_ATTACH_GLOBAL));
  CUmemorytype type;
  CUcontext context;
  int ordinal;
  CUdeviceptr begin;
  size_t bytes;
  bool isManaged;
  CUpointer_attribute names[] = {CU_POINTER_ATTRIBUTE_MEMORY_TYPE,
                                 CU_POINTER_ATTRIBUTE_CONTEXT,
                                 CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL,
                                 CU_POINTER_ATTRIBUTE_RANGE_START_ADDR,
                                 CU_POINTER_ATTRIBUTE_RANGE_SIZE,
                                 CU_POINTER_ATTRIBUTE_IS_MANAGED};
  void *values[] = {&type, &context, &ordinal, &begin, &bytes, &isManaged};
  EXPECT_OK(cuPointerGetAttributes(6, names, values, array + 12));
  EXPECT_EQ(type, CU_MEMORYTYPE_DEVICE);
  EXPECT_EQ(context, primary);
  EXPECT_EQ(ordinal, 0);
  EXPECT_EQ(begin, array);
  EXPECT_EQ(bytes, 256u);
  EXPECT_FALSE(isManaged);
  CUdeviceptr host = reinterpret_cast<CUdeviceptr>(pinned);
  EXPECT_OK(cuPointerGetAttributes(6, names, values, host + 99));
  EXPECT_EQ(type, CU_MEMORYTYPE_HOST);
  EXPECT_EQ(bytes, 100u);
  EXPECT_OK(cuPointerGetAttributes(6, names, values, managed));
  EXPECT_TRUE(isManaged);
  // What nobody has allocated, by each of the calls.
  EXPECT_OK(cuPointerGetAttributes(6, names, values, 1));
  EXPECT_EQ(type, 0);
  EXPECT_EQ(ordinal, -2);
  EXPECT_EQ(cuPointerGetAttribute(&type, names[0], 1),
            CUDA_ERROR_INVALID_VALUE);
  EXPECT_OK(cuMemGetAddressRange(&begin, &bytes, array + 255));
  EXPECT_EQ(begin, array);
  EXPECT_EQ(cuMemGetAddressRange(&begin, &bytes, array + 256),
            CUDA_ERROR_NOT_FOUND);
}

// What a program says of managed memory is read back where it holds for all of
// a range.
TEST_F(DriverAPITest, ManagedMemoryKeepsAdvice) {
  constexpr size_t kBytes = 64 * 1024;
  CUdeviceptr memory;
  ASSERT_OK(cuMemAllocManaged(&memory, kBytes, CU_MEM_ATTACH_GLOBAL));
  auto get = [&](CUmem_range_attribute attribute, size_t bytes) {
    int value = -7;
    EXPECT_OK(
        cuMemRangeGetAttribute(&value, sizeof value, attribute, memory, bytes));
    return value;
  };
  CUmemLocation device = {CU_MEM_LOCATION_TYPE_DEVICE, 0};
  CUmemLocation host = {CU_MEM_LOCATION_TYPE_HOST, 0};
  auto preferred = CU_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION;
  EXPECT_EQ(get(preferred, kBytes), CU_DEVICE_INVALID);
  EXPECT_OK(cuMemAdvise(memory, kBytes / 2,
                        CU_MEM_ADVISE_SET_PREFERRED_LOCATION, device));
  EXPECT_EQ(get(preferred, kBytes / 2), 0);
  EXPECT_EQ(get(preferred, kBytes), CU_DEVICE_INVALID);
  EXPECT_OK(
      cuMemAdvise(memory, kBytes, CU_MEM_ADVISE_SET_PREFERRED_LOCATION, host));
  EXPECT_EQ(get(preferred, kBytes), CU_DEVICE_CPU);
  EXPECT_OK(cuMemAdvise(memory, kBytes, CU_MEM_ADVISE_SET_READ_MOSTLY, host));
  EXPECT_EQ(get(CU_MEM_RANGE_ATTRIBUTE_READ_MOSTLY, kBytes), 1);
  EXPECT_OK(cuMemAdvise(memory, 4096, CU_MEM_ADVISE_UNSET_READ_MOSTLY, host));
  EXPECT_EQ(get(CU_MEM_RANGE_ATTRIBUTE_READ_MOSTLY, kBytes), 0);
  EXPECT_OK(cuMemAdvise(memory, kBytes, CU_MEM_ADVISE_SET_ACCESSED_BY, device));
  int devices[2] = {};
  EXPECT_OK(cuMemRangeGetAttribute(devices, sizeof devices,
                                   CU_MEM_RANGE_ATTRIBUTE_ACCESSED_BY, memory,
                                   kBytes));
  EXPECT_EQ(devices[0], 0);
  EXPECT_EQ(devices[1], CU_DEVICE_INVALID);
  EXPECT_OK(cuMemPrefetchAsync(memory, kBytes, device, 0, nullptr));
  EXPECT_EQ(get(CU_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION, kBytes), 0);
  EXPECT_OK(cuMemFree(memory));
}
