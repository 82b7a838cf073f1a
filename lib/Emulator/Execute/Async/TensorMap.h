//===- TensorMap.h - What describes a tensor to its copies ------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_LIB_EMULATOR_EXECUTE_ASYNC_TENSORMAP_H
#define HETERO_LIB_EMULATOR_EXECUTE_ASYNC_TENSORMAP_H

#include <cstdint>

namespace hetero::emulator {

struct ThreadContext;

/// How rows of a matrix in shared memory are mixed: each chunk of 16 bytes has
/// its place within its span.
enum class Swizzle : uint8_t { None, Span32, Span64, Span128 };

constexpr uint32_t spanOf(Swizzle swizzle) {
  return 16u << static_cast<uint32_t>(swizzle);
}

/// Where the byte at an offset is. Bits that count lines of 128 bytes are mixed
/// into those that count chunks.
constexpr uint64_t swizzled(uint64_t offset, Swizzle swizzle) {
  uint64_t mask = spanOf(swizzle) / 16 - 1;
  return offset ^ (offset >> 7 & mask) << 4;
}

/// CUtensorMapDataType.
enum TensorType : uint8_t {
  kFloat16 = 6,
  kFloat32 = 7,
  kFloat64 = 8,
  kBFloat16 = 9,
  kFlushingFloat32 = 10, ///< It and what follows changes what it copies.
  kTFloat32 = 11,
  kPacked8 = 13,
  kPacked16 = 14,
  kPackedSixes = 15
};

inline bool isFloat(uint8_t type) {
  return type == kFloat16 || (type >= kFloat32 && type < kPacked8);
}

/// 0 for packed types.
inline uint32_t bytesOf(uint8_t type) {
  constexpr uint8_t kBytes[] = {1, 2, 4, 4, 8, 8, 2, 4, 8, 2, 4, 4, 4};
  return type < kPacked8 ? kBytes[type] : 0;
}

/// The 128 bytes of a CUtensorMap, as cuTensorMapEncodeTiled and
/// tensormap.replace fill them in.
struct TensorMap {
  static constexpr uint64_t kMagic = 0x70616d726f736e74;
  static constexpr uint32_t kMostRank = 5;

  uint64_t magic;
  uint64_t address;
  uint64_t strides[4]; ///< In bytes, from the second dimension on.
  uint32_t last[5];    ///< Sizes less one.
  uint16_t box[5];     ///< Elements of a box, those between steps included.
  uint8_t steps[5];    ///< From element to element.
  uint8_t rank;
  uint8_t type;       ///< A TensorType.
  uint8_t swizzle;    ///< A Swizzle, if copies know it.
  uint8_t atomicity;  ///< The size of chunks; 0 for 16 bytes.
  uint8_t interleave; ///< 0: none.
  uint8_t fillsNaN;   ///< What elements outside of the tensor are, not zero.
  uint8_t unused[38];

  Swizzle swizzleMode() const { return static_cast<Swizzle>(swizzle); }
  /// What copies cannot do, or null.
  const char *problem() const;
};
static_assert(sizeof(TensorMap) == 128, "as CUtensorMap");

/// The map at a generic address, a multiple of 64.
TensorMap readTensorMap(ThreadContext *context, uint64_t address,
                        uint32_t line);

} // namespace hetero::emulator

#endif // HETERO_LIB_EMULATOR_EXECUTE_ASYNC_TENSORMAP_H
