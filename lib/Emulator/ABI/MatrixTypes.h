//===- MatrixTypes.h - Elements of a warp's matrices ------------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_LIB_EMULATOR_ABI_MATRIXTYPES_H
#define HETERO_LIB_EMULATOR_ABI_MATRIXTYPES_H

#include <cstdint>

namespace hetero::emulator {

/// Bits are multiplied by `and` or by `xor`.
enum class MatrixElement : uint32_t {
  F16,
  BF16,
  TF32,
  F32,
  F64,
  E4M3,
  E5M2,
  S8,
  U8,
  S32,
  S4,
  U4,
  AndBit,
  XorBit
};

/// In bits; a TF32 takes those of an F32.
constexpr unsigned bitsOf(MatrixElement element) {
  switch (element) {
  case MatrixElement::AndBit:
  case MatrixElement::XorBit:
    return 1;
  case MatrixElement::S4:
  case MatrixElement::U4:
    return 4;
  case MatrixElement::E4M3:
  case MatrixElement::E5M2:
  case MatrixElement::S8:
  case MatrixElement::U8:
    return 8;
  case MatrixElement::F16:
  case MatrixElement::BF16:
    return 16;
  case MatrixElement::F64:
    return 64;
  default:
    return 32;
  }
}

constexpr bool isInteger(MatrixElement element) {
  return element >= MatrixElement::S8;
}

/// How stmatrix puts elements into rows of 16 bytes: 8 x 8 of 16 bits, or a
/// transposed matrix of 16 x 8 bytes.
enum class MatrixLayout : uint32_t { Plain, Transposed, Bytes };

// Compiled code passes these as arrays of 32-bit words.

/// A matrix of wmma.
struct FragmentType {
  MatrixElement element;
  uint32_t rows, columns;
  uint32_t isByColumn;   ///< B, whose lanes hold columns.
  uint32_t numRegisters; ///< Of a lane.
};

/// A wgmma.mma_async.
struct GroupMultiply {
  MatrixElement a, b, d; ///< F16, BF16, TF32, S8, U8; F16, F32, S32.
  uint32_t columns;
  uint32_t hasRegistersOfA; ///< Else a descriptor.
  uint32_t isTransposedA, isTransposedB;
  uint32_t isNegatedA, isNegatedB;
  uint32_t saturates; ///< Integers.
  uint32_t line;

  /// A row of A has 32 bytes.
  unsigned depth() const { return 256 / bitsOf(a); }
};

/// A wmma.load or wmma.store.
struct FragmentAccess {
  FragmentType type;
  uint32_t isColumnMajor; ///< In memory.
  uint32_t isShared, isStore;
  uint32_t line;
};

} // namespace hetero::emulator

#endif // HETERO_LIB_EMULATOR_ABI_MATRIXTYPES_H
