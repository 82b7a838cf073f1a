//===- TensorMap.cpp - Maps of tensors for bulk copies --------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Emulator/Execute/Async/TensorMap.h"
#include "Emulator/Driver/Errors.h"
#include "Emulator/Driver/State/Driver.h"

#include <cstring>

using namespace hetero::emulator;
using namespace hetero;

/// CUtensorMapInterleave.
enum TensorInterleave : int { kNotInterleaved, kInterleaved16, kInterleaved32 };

/// CUtensorMapSwizzle, but for those that Swizzle has too.
enum TensorSwizzle : int { kSwizzle32 = 1, kSwizzle128 = 3, kLastSwizzle = 6 };

namespace {
/// The arguments of cuTensorMapEncodeTiled.
struct TiledTensor {
  int type;
  uint32_t rank;
  uint64_t address;
  const uint64_t *sizes, *strides;
  const uint32_t *box, *steps;
  int interleave, swizzle, promotion, fill;

  bool isPacked() const { return type >= kPacked8; }
  /// Packed in lines of 16 bytes.
  bool isPackedInLines() const { return type >= kPacked16; }
  /// Of what addresses and strides are multiples.
  uint64_t alignment() const {
    return interleave == kInterleaved32 || isPackedInLines() ? 32 : 16;
  }

  bool isValid() const;

private:
  bool areChoicesValid() const;
  bool areSizesValid() const;
  bool areStridesValid() const;
  bool isBoxValid() const;
};
} // namespace

/// Enumerators that there are, and that go together.
bool TiledTensor::areChoicesValid() const {
  if (type < 0 || type > kPackedSixes || interleave < 0 ||
      interleave > kInterleaved32 || swizzle < 0 || swizzle > kLastSwizzle ||
      promotion < 0 || promotion > 3 || fill < 0 || fill > 1)
    return false;
  if (interleave == kInterleaved32 && swizzle != kSwizzle32)
    return false;
  if (type == kPackedSixes && interleave != kNotInterleaved)
    return false;
  bool isLineSwizzle = swizzle == 0 || swizzle == kSwizzle128 || swizzle == 4 ||
                       (swizzle == kLastSwizzle && type == kPackedSixes);
  if (isPackedInLines() && !isLineSwizzle)
    return false;
  return fill == 0 || isFloat(static_cast<uint8_t>(type));
}

bool TiledTensor::areSizesValid() const {
  for (uint32_t i = 0; i < rank; ++i)
    if (sizes[i] == 0 || sizes[i] > UINT64_C(1) << 32)
      return false;
  return !isPacked() || sizes[0] % (isPackedInLines() ? 128 : 2) == 0;
}

bool TiledTensor::areStridesValid() const {
  for (uint32_t i = 0; i + 1 < rank; ++i)
    if (strides[i] % alignment() != 0 || strides[i] >= UINT64_C(1) << 40)
      return false;
  return true;
}

bool TiledTensor::isBoxValid() const {
  for (uint32_t i = 0; i < rank; ++i)
    if (box[i] == 0 || box[i] > 256 || steps[i] == 0 || steps[i] > 8)
      return false;
  if (isPackedInLines())
    return box[0] == 128;
  uint64_t row = isPacked()
                     ? box[0] / 2
                     : uint64_t(box[0]) * bytesOf(static_cast<uint8_t>(type));
  if (interleave != kNotInterleaved)
    return true;
  if (row % 16 != 0)
    return false;
  uint64_t span = swizzle > kSwizzle128 ? 128 : 16u << swizzle;
  return swizzle == 0 || row <= span;
}

/// What the API's documentation asks for.
bool TiledTensor::isValid() const {
  if (rank == 0 || rank > TensorMap::kMostRank || !sizes || !box || !steps ||
      (rank > 1 && !strides) || !areChoicesValid())
    return false;
  if (interleave != kNotInterleaved && rank < 3)
    return false;
  return address % alignment() == 0 && areSizesValid() && areStridesValid() &&
         isBoxValid();
}

static cuda::Result encode(const TiledTensor &tensor, TensorMap &map) {
  if (tensor.interleave != kNotInterleaved)
    return refuse("a tensor map with interleaved dimensions");
  if (tensor.swizzle > kSwizzle128)
    return refuse("a tensor map that swizzles chunks of more than 16 bytes");
  if (tensor.type >= kFlushingFloat32)
    return refuse("a tensor map whose elements are packed or rounded");
  map = {};
  map.magic = TensorMap::kMagic;
  map.address = tensor.address;
  map.rank = static_cast<uint8_t>(tensor.rank);
  map.type = static_cast<uint8_t>(tensor.type);
  map.swizzle = static_cast<uint8_t>(tensor.swizzle);
  map.fillsNaN = static_cast<uint8_t>(tensor.fill);
  for (uint32_t i = 0; i < tensor.rank; ++i) {
    map.last[i] = static_cast<uint32_t>(tensor.sizes[i] - 1);
    map.box[i] = static_cast<uint16_t>(tensor.box[i]);
    map.steps[i] = static_cast<uint8_t>(tensor.steps[i]);
    if (i > 0)
      map.strides[i - 1] = tensor.strides[i - 1];
  }
  return cuda::kSuccess;
}

HETERO_CUDA_API cuTensorMapEncodeTiled(void *map, int type, uint32_t rank,
                                       void *address, const uint64_t *sizes,
                                       const uint64_t *strides,
                                       const uint32_t *box,
                                       const uint32_t *steps, int interleave,
                                       int swizzle, int promotion, int fill) {
  if (!getDriver())
    return cuda::kNotInitialized;
  TiledTensor tensor = {
      type,      rank,       reinterpret_cast<uint64_t>(address),
      sizes,     strides,    box,
      steps,     interleave, swizzle,
      promotion, fill};
  // Drivers take maps at any address, whatever their documentation says.
  if (!map || !tensor.isValid())
    return cuda::kInvalidValue;
  TensorMap encoded;
  if (cuda::Result error = encode(tensor, encoded))
    return error;
  std::memcpy(map, &encoded, sizeof encoded);
  return cuda::kSuccess;
}
