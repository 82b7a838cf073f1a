//===- Memory.cpp - Memory of gpu-to-llvm ---------------------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Runtime/Calls/Mgpu/MgpuDriver.h"

#include <utility>

using namespace hetero::runtime;
using namespace hetero::runtime::mgpu;
using namespace hetero;

static cuda::DevicePointer address(const void *pointer) {
  return reinterpret_cast<cuda::DevicePointer>(pointer);
}

HETERO_MGPU void *mgpuMemAlloc(uint64_t bytes, cuda::Stream,
                               bool isHostShared) {
  const Driver *driver = enter();
  if (!driver || bytes == 0)
    return nullptr;
  cuda::DevicePointer pointer = 0;
  if (isHostShared) {
    if (isThere(*driver,
                reinterpret_cast<void *>(driver->functions.memAllocManaged),
                "cuMemAllocManaged"))
      check(*driver,
            driver->functions.memAllocManaged(&pointer, bytes,
                                              cuda::kMemAttachGlobal),
            "cuMemAllocManaged", bytesText(bytes));
    return reinterpret_cast<void *>(pointer);
  }
  check(*driver, driver->functions.memAlloc(&pointer, bytes), "cuMemAlloc",
        bytesText(bytes));
  return reinterpret_cast<void *>(pointer);
}

HETERO_MGPU void mgpuMemFree(void *pointer, cuda::Stream stream) {
  const Driver *driver = pointer ? enter() : nullptr;
  // What the stream still has to do may use the memory.
  if (driver &&
      checkOn(stream, *driver, driver->functions.streamSynchronize(stream),
              "cuStreamSynchronize"))
    check(*driver, driver->functions.memFree(address(pointer)), "cuMemFree");
}

HETERO_MGPU void mgpuMemcpy(void *to, void *from, size_t bytes,
                            cuda::Stream stream) {
  if (const Driver *driver = enter())
    checkOn(stream, *driver,
            driver->functions.memcpyAsync(address(to), address(from), bytes,
                                          stream),
            "cuMemcpyAsync", bytesText(bytes));
}

HETERO_MGPU void mgpuMemset32(void *to, unsigned value, size_t count,
                              cuda::Stream stream) {
  if (const Driver *driver = enter())
    checkOn(stream, *driver,
            driver->functions.memsetD32Async(address(to), value, count, stream),
            "cuMemsetD32Async", bytesText(4 * count));
}

HETERO_MGPU void mgpuMemset16(void *to, unsigned short value, size_t count,
                              cuda::Stream stream) {
  if (const Driver *driver = enter())
    checkOn(stream, *driver,
            driver->functions.memsetD16Async(address(to), value, count, stream),
            "cuMemsetD16Async", bytesText(2 * count));
}

HETERO_MGPU void mgpuMemHostRegister(void *pointer, uint64_t bytes) {
  if (const Driver *driver = enter())
    check(*driver, driver->functions.memHostRegister(pointer, bytes, 0),
          "cuMemHostRegister", bytesText(bytes));
}

HETERO_MGPU void mgpuMemHostUnregister(void *pointer) {
  if (const Driver *driver = enter())
    check(*driver, driver->functions.memHostUnregister(pointer),
          "cuMemHostUnregister");
}

/// Address and bytes that the elements span.
static std::pair<char *, uint64_t> extent(int64_t rank, const MemRef &memref,
                                          int64_t elementBytes) {
  int64_t last = 0;
  for (int64_t i = 0; i < rank; ++i) {
    int64_t size = memref.sizesAndStrides[i];
    if (size == 0)
      return {memref.aligned, 0};
    last += (size - 1) * memref.sizesAndStrides[rank + i];
  }
  return {memref.aligned + memref.offset * elementBytes,
          static_cast<uint64_t>((last + 1) * elementBytes)};
}

HETERO_MGPU void mgpuMemHostRegisterMemRef(int64_t rank, void *descriptor,
                                           int64_t elementBytes) {
  auto [pointer, bytes] =
      extent(rank, *static_cast<MemRef *>(descriptor), elementBytes);
  if (bytes > 0)
    mgpuMemHostRegister(pointer, bytes);
}

HETERO_MGPU void mgpuMemHostUnregisterMemRef(int64_t rank, void *descriptor,
                                             int64_t elementBytes) {
  auto [pointer, bytes] =
      extent(rank, *static_cast<MemRef *>(descriptor), elementBytes);
  if (bytes > 0)
    mgpuMemHostUnregister(pointer);
}
