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

#ifndef HETERO_LIB_EMULATOR_EXECUTE_MATRICES_MATRIX_H
#define HETERO_LIB_EMULATOR_EXECUTE_MATRICES_MATRIX_H

#include "Emulator/ABI/CompiledCode.h"
#include "Emulator/ABI/MatrixTypes.h"

#include <array>
#include <cstdint>

namespace hetero::emulator {

constexpr unsigned kMostMatrixRegisters = 8;

/// A floating-point element as a number, and back. The low bits of a tf32 do
/// not count.
double decodeFloat(MatrixElement element, uint64_t bits);
uint64_t encodeFloat(MatrixElement element, double value);

/// What one lane brings: registers of 32 bits, or of 64 for f64.
struct MatrixOperand {
  std::array<uint64_t, kMostMatrixRegisters> registers{};
};

/// The words of all lanes: an address, and the distance from lane to lane.
template <typename Word> struct Words {
  Word *first;
  unsigned distance; ///< In words.

  Word *of(unsigned lane) const { return first + lane * distance; }
};

/// D = A * B + C of `rows` x 8 elements, as one lane sees it.
struct MatrixMultiply {
  /// From the arguments of callbacks.
  MatrixMultiply(uint32_t rows, uint32_t depth, uint32_t typeOfA,
                 uint32_t typeOfB, uint32_t typeOfC, uint32_t saturates)
      : rows(rows), depth(depth), a(MatrixElement(typeOfA)),
        b(MatrixElement(typeOfB)), c(MatrixElement(typeOfC)),
        saturates(saturates != 0) {}

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
  /// The same for all lanes. The words of D are not those of C.
  void computeAll(const MatrixOperand (&lanesA)[32],
                  const MatrixOperand (&lanesB)[32],
                  const Words<const uint64_t> &c,
                  const Words<uint64_t> &d) const;

private:
  template <typename Number, typename Decode, typename Encode>
  void computeLines(const MatrixOperand (&lanesA)[32],
                    const MatrixOperand (&lanesB)[32],
                    const Words<const uint64_t> &from,
                    const Words<uint64_t> &to, Decode decode,
                    Encode encode) const;
  template <typename Number, typename Decode>
  Number sumProducts(const MatrixOperand *rowOfA, unsigned upper,
                     const MatrixOperand *columnOfB, Number start,
                     Decode decode) const;
};

/// D = A * B + C of 8 x 8 elements and an inner dimension of 4, of f16: lanes 0
/// to 3 and 16 to 19 have one product, the next four of each the next one.
struct QuadMultiply {
  bool isColumnsOfA, isRowsOfB; ///< What of an operand a lane has.
  MatrixElement c, d;

  void compute(unsigned lane, const MatrixOperand (&lanesA)[32],
               const MatrixOperand (&lanesB)[32],
               const MatrixOperand (&lanesC)[32], uint64_t *to) const;
};

/// A matrix of wmma. The PTX ISA leaves open who holds what: here each lane has
/// as many neighbours along rows (of B along columns) as it has elements, and
/// the lanes begin anew when all are held.
struct Fragment : FragmentType {
  explicit Fragment(const FragmentType &type) : FragmentType(type) {}

  unsigned bits() const { return bitsOf(element); }
  unsigned perLane() const {
    return bits() == 64 ? numRegisters : numRegisters * (32 / bits());
  }
  /// Row and column of an element of a lane.
  std::array<unsigned, 2> place(unsigned lane, unsigned i) const;
  /// The bits of an element, from all lanes' registers.
  uint64_t get(const MatrixOperand (&lanes)[32], unsigned row,
               unsigned column) const;
  uint64_t get(const uint64_t *registers, unsigned i) const;
  void set(uint64_t *registers, unsigned i, uint64_t value) const;
};

/// D = A * B + C.
struct FragmentMultiply {
  /// From the arguments of callbacks: the types of A, B, C and D.
  FragmentMultiply(const FragmentType *types, uint32_t saturates)
      : a(types[0]), b(types[1]), c(types[2]), d(types[3]),
        saturates(saturates != 0) {}

  Fragment a, b, c, d;
  bool saturates; ///< Integers.

  void compute(unsigned lane, const MatrixOperand (&lanesA)[32],
               const MatrixOperand (&lanesB)[32], const uint64_t *from,
               uint64_t *to) const;
};

} // namespace hetero::emulator

#endif // HETERO_LIB_EMULATOR_EXECUTE_MATRICES_MATRIX_H
