//===- TensorMap.cpp - Maps of tensors for bulk copies --------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Runtime/Device/Driver.h"
#include "Runtime/Host/Error.h"

#include <algorithm>
#include <string>

using namespace hetero;
using namespace hetero::runtime;

/// CUtensorMapDataType of HETERO_TYPE_*, or -1.
static int tensorTypeOf(int32_t type) {
  switch (type) {
  case HETERO_TYPE_I8:
    return 0;
  case HETERO_TYPE_I16:
    return 1;
  case HETERO_TYPE_I32:
    return 3;
  case HETERO_TYPE_I64:
    return 5;
  case HETERO_TYPE_F16:
    return 6;
  case HETERO_TYPE_F32:
    return 7;
  case HETERO_TYPE_F64:
    return 8;
  case HETERO_TYPE_BF16:
    return 9;
  default:
    return -1;
  }
}

/// Lists of the API's width.
template <typename To>
static void convert(const int64_t *from, int32_t count, To *to) {
  std::transform(from, from + count, to,
                 [](int64_t number) { return static_cast<To>(number); });
}

HeteroStatus heteroTensorMap(void *map, int32_t type, int32_t rank,
                             void *address, const int64_t *sizes,
                             const int64_t *strides, const int64_t *box,
                             int32_t span) {
  constexpr int32_t kMostRank = 5;
  int tensorType = tensorTypeOf(type);
  if (rank < 1 || rank > kMostRank || tensorType < 0)
    return fail(HETERO_ERROR_PROGRAM,
                "a tensor map has 1 to 5 dimensions of integers or floats, got "
                "type " +
                    std::to_string(type) + " and " + std::to_string(rank) +
                    " dimensions; compile the program again");
  Driver *driver;
  if (HeteroStatus status = getDriver(&driver))
    return status;
  if (!driver->functions.tensorMapEncodeTiled)
    return fail(HETERO_ERROR_DRIVER,
                driver->name + " has no cuTensorMapEncodeTiled; update the "
                               "driver, or compile for another chip than "
                               "sm_90a");
  uint64_t apiSizes[kMostRank], apiStrides[kMostRank];
  unsigned apiBox[kMostRank], steps[kMostRank] = {1, 1, 1, 1, 1};
  convert(sizes, rank, apiSizes);
  convert(strides, rank - 1, apiStrides);
  convert(box, rank, apiBox);
  int swizzle = span == 128 ? 3 : span == 64 ? 2 : span == 32 ? 1 : 0;
  // What is not there is zero; lines of 128 bytes come to the second cache.
  constexpr int kNotInterleaved = 0, kPromotion = 2, kFillZero = 0;
  cuda::Result result = driver->functions.tensorMapEncodeTiled(
      map, tensorType, rank, address, apiSizes, apiStrides, apiBox, steps,
      kNotInterleaved, swizzle, kPromotion, kFillZero);
  if (result == cuda::kSuccess)
    return HETERO_OK;
  return fail(HETERO_ERROR_DRIVER,
              "cuTensorMapEncodeTiled failed: " + driver->describe(result) +
                  " (" + std::to_string(rank) + " dimensions)");
}
