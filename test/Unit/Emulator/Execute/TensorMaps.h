//===- TensorMaps.h - Maps of tensors for tests -----------------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_TEST_UNIT_CUDA_TENSORMAPS_H
#define HETERO_TEST_UNIT_CUDA_TENSORMAPS_H

#include "hetero/Runtime/CudaDriver.h"

#include <array>
#include <cstdint>
#include <vector>

/// CUtensorMap.
struct alignas(128) TensorMap {
  uint64_t words[16];
};

extern "C" hetero::cuda::Result
cuTensorMapEncodeTiled(void *, int, uint32_t, void *, const uint64_t *,
                       const uint64_t *, const uint32_t *, const uint32_t *,
                       int, int, int, int);

/// The arguments of cuTensorMapEncodeTiled; the first dimension is the inner
/// one.
struct TensorShape {
  enum Type { U8, U16, U32, S32, U64, S64, F16, F32, F64, BF16 };

  Type type;
  std::vector<uint64_t> sizes;
  std::vector<uint32_t> box;
  int swizzle = 0;
  std::vector<uint32_t> steps = std::vector<uint32_t>(sizes.size(), 1);
  /// From the second dimension on, in bytes.
  std::vector<uint64_t> strides = packed();

  size_t elementBytes() const {
    static const size_t bytes[] = {1, 2, 4, 4, 8, 8, 2, 4, 8, 2};
    return bytes[type];
  }
  hetero::cuda::Result encode(hetero::cuda::DevicePointer address,
                              void *map) const {
    return cuTensorMapEncodeTiled(map, type, uint32_t(sizes.size()),
                                  reinterpret_cast<void *>(address),
                                  sizes.data(), strides.data(), box.data(),
                                  steps.data(), 0, swizzle, 0, 0);
  }

private:
  /// Each row in a multiple of 16 bytes.
  std::vector<uint64_t> packed() const {
    std::vector<uint64_t> result;
    uint64_t bytes = (sizes[0] * elementBytes() + 15) / 16 * 16;
    for (size_t i = 1; i < sizes.size(); ++i) {
      result.push_back(bytes);
      bytes *= sizes[i];
    }
    return result;
  }
};

#endif // HETERO_TEST_UNIT_CUDA_TENSORMAPS_H
