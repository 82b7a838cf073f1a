//===- Matrix.h - Matrices that a warp holds --------------------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Where the lanes of a warp have the elements of the operands of mma, as the
// section "Matrix Fragments" of the PTX ISA says. All shapes follow one rule: a
// register of A or B holds elements that are neighbours along the inner
// dimension, four lanes stand beside each other along it, and eight groups of
// them along the other.
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_LIB_EMULATOR_MATRIX_H
#define HETERO_LIB_EMULATOR_MATRIX_H

#include "hetero/Emulator/MatrixTypes.h"

#include <array>
#include <cstdint>

namespace hetero::emulator {

constexpr unsigned kMostMatrixRegisters = 8;

/// What one lane brings: registers of 32 bits, or of 64 for f64.
struct MatrixOperand {
  std::array<uint64_t, kMostMatrixRegisters> registers{};
};

/// D = A * B + C of `rows` x 8 elements, as one lane sees it.
struct MatrixMultiply {
  unsigned rows, depth; ///< 16 or 8, and the inner dimension.
  MatrixElement a, b;   ///< They have the same size.
  MatrixElement c;      ///< Of C and D.
  bool saturates;       ///< Integers.

  unsigned registersOfA() const { return rows / 8 * registersOfB(); }
  unsigned registersOfB() const;

  /// The lane's registers of D, from all lanes' of A and B and its own of C.
  void compute(unsigned lane, const MatrixOperand (&lanesA)[32],
               const MatrixOperand (&lanesB)[32], const uint64_t *c,
               uint64_t *d) const;

private:
  template <typename Number, typename Decode>
  Number sumProducts(const MatrixOperand *rowOfA, unsigned upper,
                     const MatrixOperand *columnOfB, Number start,
                     Decode decode) const;
};

} // namespace hetero::emulator

#endif // HETERO_LIB_EMULATOR_MATRIX_H
