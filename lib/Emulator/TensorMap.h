//===- TensorMap.h - What cuTensorMapEncode has encoded ---------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_LIB_EMULATOR_TENSORMAP_H
#define HETERO_LIB_EMULATOR_TENSORMAP_H

#include <cstdint>

namespace hetero::emulator {

/// Where the chunks of 16 bytes of a tile lie in shared memory: those of rows
/// of so many bytes change places, by the row. As wgmma's descriptors and
/// tensor maps have it.
enum class Swizzle : uint8_t { None, Span32, Span64, Span128 };

/// Bytes of a row whose chunks change places; 16 where none do.
constexpr uint32_t spanOf(Swizzle swizzle) {
  return 16u << static_cast<uint32_t>(swizzle);
}

/// The place in shared memory of what lies at `offset` without swizzle: the
/// bits from 4 on are combined with those from 7 on.
constexpr uint64_t swizzled(uint64_t offset, Swizzle swizzle) {
  uint64_t mask = spanOf(swizzle) / 16 - 1;
  return offset ^ (offset >> 7 & mask) << 4;
}

/// The 128 bytes of a CUtensorMap are opaque; these are ours. Dimensions are in
/// the order of the API: the first one's elements are neighbours.
struct TensorMap {
  static constexpr uint64_t kMagic = 0x70616d726f736e74;
  static constexpr uint32_t kMostRank = 5;

  uint64_t magic;
  uint64_t address;
  uint64_t strides[4]; ///< In bytes, from the second dimension on.
  uint32_t last[5];    ///< Sizes less one.
  uint16_t box[5];     ///< Elements of a box, those between steps included.
  uint8_t steps[5];    ///< From element to element.
  uint8_t rank, elementBytes;
  Swizzle swizzle;
  uint8_t unused[42];
};
static_assert(sizeof(TensorMap) == 128, "as CUtensorMap");

} // namespace hetero::emulator

#endif // HETERO_LIB_EMULATOR_TENSORMAP_H
