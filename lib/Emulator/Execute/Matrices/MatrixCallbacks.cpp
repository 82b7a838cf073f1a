//===- MatrixCallbacks.cpp - What a warp does with matrices ---------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Emulator/Execute/Blocks/Block.h"
#include "Emulator/Execute/Matrices/Matrix.h"
#include "Emulator/Execute/Matrices/MatrixMemory.h"

#include "Emulator/ABI/ExecutorCallbacks.h"

#include <utility>

using namespace hetero::emulator;
using namespace hetero;

//===----------------------------------------------------------------------===//
// Products
//===----------------------------------------------------------------------===//

/// Brings the registers of an operand to all lanes, two of 32 bits at a time.
static void exchange(ThreadContext *context, const uint64_t *own,
                     unsigned count, unsigned bits,
                     MatrixOperand (&all)[kWarpSize]) {
  unsigned atOnce = bits == 64 ? 1 : 2;
  for (unsigned i = 0; i < count; i += atOnce) {
    bool isPair = atOnce == 2 && i + 1 < count;
    uint64_t value = isPair ? own[i] | own[i + 1] << 32 : own[i];
    PTXThread &thread = meetAll(context, kWarpMultiply, value);
    for (unsigned lane = 0; lane < kWarpSize; ++lane) {
      uint64_t word = thread.lanes[lane];
      all[lane].registers[i] = isPair ? word & 0xffffffff : word;
      if (isPair)
        all[lane].registers[i + 1] = word >> 32;
    }
  }
}

void heteroEmuMatrixMultiply(ThreadContext *context, uint32_t rows,
                             uint32_t depth, uint32_t typeOfA, uint32_t typeOfB,
                             uint32_t typeOfC, uint32_t saturates,
                             const uint64_t *a, const uint64_t *b,
                             const uint64_t *c, uint64_t *d) {
  MatrixMultiply multiply(rows, depth, typeOfA, typeOfB, typeOfC, saturates);
  MatrixOperand lanesA[kWarpSize], lanesB[kWarpSize];
  unsigned bits = bitsOf(multiply.a);
  exchange(context, a, multiply.registersOfA(), bits, lanesA);
  exchange(context, b, multiply.registersOfB(), bits, lanesB);
  multiply.compute(context->laneid, lanesA, lanesB, c, d);
}

void heteroEmuQuadMultiply(ThreadContext *context, uint32_t isColumnsOfA,
                           uint32_t isRowsOfB, uint32_t typeOfC,
                           uint32_t typeOfD, const uint64_t *a,
                           const uint64_t *b, const uint64_t *c, uint64_t *d) {
  QuadMultiply multiply{isColumnsOfA != 0, isRowsOfB != 0,
                        MatrixElement(typeOfC), MatrixElement(typeOfD)};
  MatrixOperand lanesA[kWarpSize], lanesB[kWarpSize], lanesC[kWarpSize];
  exchange(context, a, 2, 32, lanesA);
  exchange(context, b, 2, 32, lanesB);
  exchange(context, c, bitsOf(multiply.c) / 4, 32, lanesC);
  multiply.compute(context->laneid, lanesA, lanesB, lanesC, d);
}

void heteroEmuMultiplyFragments(ThreadContext *context,
                                const FragmentType *types, uint32_t saturates,
                                const uint64_t *a, const uint64_t *b,
                                const uint64_t *c, uint64_t *d) {
  FragmentMultiply multiply(types, saturates);
  MatrixOperand lanesA[kWarpSize], lanesB[kWarpSize];
  unsigned bits = multiply.a.bits();
  exchange(context, a, multiply.a.numRegisters, bits, lanesA);
  exchange(context, b, multiply.b.numRegisters, bits, lanesB);
  multiply.compute(context->laneid, lanesA, lanesB, c, d);
}

//===----------------------------------------------------------------------===//
// Loads and moves
//===----------------------------------------------------------------------===//

void heteroEmuLoadMatrix(ThreadContext *context, uint32_t matrices,
                         uint32_t isTransposed, uint32_t isShared,
                         uint64_t address, uint32_t line, uint64_t *registers) {
  uint8_t *row = context->laneid < 8 * matrices
                     ? matrixRow(context, isShared != 0, address, line)
                     : nullptr;
  PTXThread &thread =
      meetAll(context, kWarpLoadMatrix, reinterpret_cast<uint64_t>(row));
  for (uint32_t i = 0; i < matrices; ++i)
    registers[i] =
        pickElements(&thread.lanes[8 * i], context->laneid, isTransposed != 0);
  // None goes on, and writes to the rows, before all have read.
  meetAll(context, kWarpLoadMatrix, 0);
}

void heteroEmuStoreMatrix(ThreadContext *context, uint32_t matrices,
                          uint32_t layout, uint32_t isShared, uint64_t address,
                          uint32_t line, uint64_t *registers) {
  uint8_t *row = context->laneid < 8 * matrices
                     ? matrixRow(context, isShared != 0, address, line, kWrites)
                     : nullptr;
  PTXThread &thread =
      meetAll(context, kWarpStoreMatrix, reinterpret_cast<uint64_t>(row));
  for (uint32_t i = 0; i < matrices; ++i)
    placeElements(&thread.lanes[8 * i], context->laneid, MatrixLayout(layout),
                  static_cast<uint32_t>(registers[i]));
  // None goes on, and reads the rows, before all have written.
  meetAll(context, kWarpStoreMatrix, 0);
}

uint32_t heteroEmuMoveMatrix(ThreadContext *context, uint32_t value) {
  PTXThread &thread = meetAll(context, kWarpMoveMatrix, value);
  return transposeElements(thread.lanes, context->laneid);
}

void heteroEmuAccessFragment(ThreadContext *context,
                             const FragmentAccess *access, uint64_t address,
                             uint32_t stride, uint64_t *registers) {
  // What others of the warp did before is done, and they do nothing of what
  // comes after.
  meetAll(context, kWarpAccessFragment, 0);
  accessFragment(context, *access, address, stride, registers);
  meetAll(context, kWarpAccessFragment, 0);
}
