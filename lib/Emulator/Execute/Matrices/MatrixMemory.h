//===- MatrixMemory.h - Matrices in memory and registers --------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_LIB_EMULATOR_EXECUTE_MATRICES_MATRIXMEMORY_H
#define HETERO_LIB_EMULATOR_EXECUTE_MATRICES_MATRIXMEMORY_H

#include "Emulator/ABI/CompiledCode.h"
#include "Emulator/ABI/MatrixTypes.h"

#include <cstdint>

namespace hetero::emulator {

/// A lane's two elements of an 8 x 8 matrix of 16 bits, from the addresses of
/// its rows: neighbours in a row, or in a column of the transposed one.
uint32_t pickElements(const uint64_t *rows, uint32_t lane, bool isTransposed);

/// The converse: puts a lane's elements into rows.
void placeElements(const uint64_t *rows, uint32_t lane, MatrixLayout layout,
                   uint32_t value);

/// The host memory of a row that ldmatrix or stmatrix accesses, as an
/// AccessKind says.
uint8_t *matrixRow(ThreadContext *context, bool isShared, uint64_t address,
                   uint32_t line, uint32_t kind = 0);

/// Loads or stores a lane's elements one by one.
void accessFragment(ThreadContext *context, const FragmentAccess &access,
                    uint64_t address, uint32_t stride, uint64_t *registers);

/// A lane's two elements of the transposed matrix whose pairs lanes have.
template <typename Word>
uint32_t transposeElements(const Word *lanes, uint32_t lane) {
  uint32_t result = 0, row = lane / 4;
  for (uint32_t i = 0; i < 2; ++i) {
    uint32_t from = lane % 4 * 2 + i;
    auto pair = static_cast<uint32_t>(lanes[from * 4 + row / 2]);
    result |= (pair >> row % 2 * 16 & 0xffff) << 16 * i;
  }
  return result;
}

} // namespace hetero::emulator

#endif // HETERO_LIB_EMULATOR_EXECUTE_MATRICES_MATRIXMEMORY_H
