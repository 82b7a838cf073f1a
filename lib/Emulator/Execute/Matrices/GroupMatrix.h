//===- GroupMatrix.h - Products of warpgroups -------------------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The layouts of matrices in shared memory that the section "Asynchronous
// warpgroup level matrix" of the PTX ISA describes. A chunk is 16 bytes of
// neighbours: along the inner dimension, or along rows of A (columns of B) when
// the operand is transposed.
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_LIB_EMULATOR_EXECUTE_MATRICES_GROUPMATRIX_H
#define HETERO_LIB_EMULATOR_EXECUTE_MATRICES_GROUPMATRIX_H

#include "Emulator/Execute/Async/AsyncProxy.h"
#include "Emulator/Execute/Async/TensorMap.h"

#include "Emulator/ABI/MatrixTypes.h"

namespace hetero::emulator {

/// A matrix in shared memory, as the 64 bits of its descriptor say.
struct SharedMatrix {
  uint64_t bits;

  uint64_t start() const { return field(0); }
  uint64_t leading() const { return field(16); }
  uint64_t stride() const { return field(32); }
  unsigned baseOffset() const { return bits >> 49 & 7; }
  Swizzle swizzle() const {
    unsigned mode = bits >> 62;
    return static_cast<Swizzle>(mode ? 4 - mode : 0);
  }

  /// Where a chunk lies. `line` is a row of A or a column of B, and `depth` the
  /// number of the chunk along the inner dimension; of a transposed matrix,
  /// `line` is the number of the chunk and `depth` an element.
  uint64_t place(unsigned line, unsigned depth, bool isTransposed) const;

private:
  /// Offsets have 14 bits, in units of 16 bytes.
  uint64_t field(unsigned shift) const { return (bits >> shift & 0x3fff) << 4; }
};

/// A warp's 16 rows of D = A * B + D.
class GroupMultiplier {
public:
  /// `addsD`: the product is added to D.
  GroupMultiplier(AsyncProxy &proxy, const GroupMultiply &operation, bool addsD)
      : proxy(proxy), operation(operation), addsD(addsD) {}

  static constexpr unsigned kRows = 16, kMostColumns = 256, kMostDepth = 32,
                            kLanes = 32;

  /// A from registers, four of each lane.
  void readA(uint64_t *const (&lanes)[kLanes]);
  /// A and B from shared memory; `firstRow` is the warp's.
  void readA(SharedMatrix matrix, unsigned firstRow);
  void readB(SharedMatrix matrix);
  /// Adds to the lanes' registers of D, or replaces them.
  void multiply(uint64_t *const (&lanes)[kLanes]);

private:
  void readMatrix(SharedMatrix matrix, MatrixElement element,
                  unsigned firstLine, unsigned lines, bool isTransposed,
                  bool isNegated, float *to, unsigned lineStep,
                  unsigned depthStep);
  void checkMatrix(SharedMatrix matrix);
  template <typename Number> void multiplyRows(uint64_t *const (&lanes)[32]);

  AsyncProxy &proxy;
  const GroupMultiply &operation;
  bool addsD;
};

} // namespace hetero::emulator

#endif // HETERO_LIB_EMULATOR_EXECUTE_MATRICES_GROUPMATRIX_H
