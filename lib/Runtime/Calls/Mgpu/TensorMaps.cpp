//===- TensorMaps.cpp - Tensor maps of gpu-to-llvm ------------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Runtime/Calls/Mgpu/MgpuDriver.h"

#include <iterator>

using namespace hetero::runtime;
using namespace hetero::runtime::mgpu;
using namespace hetero;

HETERO_MGPU void *mgpuMemAlloc(uint64_t bytes, cuda::Stream, bool isHostShared);
HETERO_MGPU void mgpuMemcpy(void *to, void *from, size_t bytes,
                            cuda::Stream stream);
HETERO_MGPU void mgpuStreamSynchronize(cuda::Stream stream);

/// Bytes of the elements of a CUtensorMapDataType; 0 of a number that is none.
static int64_t tensorMapElementBytes(int type) {
  static constexpr int64_t kBytes[] = {1, 2, 4, 4, 8, 8, 2, 4, 8, 2, 4, 4, 4};
  return type >= 0 && type < int(std::size(kBytes)) ? kBytes[type] : 0;
}

/// Numbers as the driver's interface has them.
HETERO_MGPU void
mgpuTensorMapEncodeTiled(void *map, int type, unsigned rank, void *address,
                         const uint64_t *sizes, const uint64_t *strides,
                         const unsigned *box, const unsigned *steps,
                         int interleave, int swizzle, int promotion, int fill) {
  const Driver *driver = enter();
  if (driver &&
      isThere(*driver,
              reinterpret_cast<void *>(driver->functions.tensorMapEncodeTiled),
              "cuTensorMapEncodeTiled"))
    check(*driver,
          driver->functions.tensorMapEncodeTiled(
              map, type, rank, address, sizes, strides, box, steps, interleave,
              swizzle, promotion, fill),
          "cuTensorMapEncodeTiled", std::to_string(rank) + " dimensions");
}

/// The map of a memref, in memory of the device that lives as long as the
/// process: upstream's code never frees it. The map has the innermost dimension
/// first, and the memref and the box have it last.
HETERO_MGPU void *mgpuTensorMapEncodeTiledMemref(int64_t rank, void *descriptor,
                                                 int type, int interleave,
                                                 int swizzle, int promotion,
                                                 int fill, const int64_t *box) {
  constexpr int64_t kMostRank = 5;
  int64_t bytes = tensorMapElementBytes(type);
  const Driver *driver = enter();
  if (!driver)
    return nullptr;
  if (rank < 1 || rank > kMostRank || bytes == 0) {
    print(fail(HETERO_ERROR_PROGRAM,
               "mgpuTensorMapEncodeTiledMemref: expected 1 to 5 dimensions and "
               "a type of CUtensorMapDataType, got " +
                   std::to_string(rank) + " and " + std::to_string(type) +
                   "; change the type of the memref"));
    return nullptr;
  }
  auto &memref = *static_cast<MemRef *>(descriptor);
  uint64_t sizes[kMostRank], strides[kMostRank];
  unsigned boxes[kMostRank], steps[kMostRank] = {1, 1, 1, 1, 1};
  for (int64_t i = 0; i < rank; ++i) {
    int64_t from = rank - 1 - i;
    sizes[i] = memref.sizesAndStrides[from];
    boxes[i] = static_cast<unsigned>(box[from]);
    if (i > 0)
      strides[i - 1] = memref.sizesAndStrides[rank + from] * bytes;
  }
  alignas(HETERO_TENSOR_MAP_ALIGNMENT) char map[HETERO_TENSOR_MAP_BYTES] = {};
  mgpuTensorMapEncodeTiled(map, type, static_cast<unsigned>(rank),
                           memref.aligned + memref.offset * bytes, sizes,
                           strides, boxes, steps, interleave, swizzle,
                           promotion, fill);
  void *copy = mgpuMemAlloc(sizeof map, nullptr, /*isHostShared=*/false);
  if (copy) {
    mgpuMemcpy(copy, map, sizeof map, nullptr);
    mgpuStreamSynchronize(nullptr);
  }
  return copy;
}
