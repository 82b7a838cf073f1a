//===- MatrixEmitter.h - Products of matrices that a warp holds -*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_LIB_EMULATOR_TRANSLATE_MATRICES_MATRIXEMITTER_H
#define HETERO_LIB_EMULATOR_TRANSLATE_MATRICES_MATRIXEMITTER_H

#include "Emulator/Translate/Emitter.h"
#include "Emulator/Translate/Matrices/MatrixOperands.h"
#include "Emulator/Translate/Memory/Addresses.h"

namespace hetero::emulator::ptx {

/// mma, and matrices of shared memory in registers.
class MatrixEmitter : public Emitter {
public:
  using Emitter::Emitter;
  static llvm::ArrayRef<Rule> rules();

private:
  void emitMatrixMultiply(Op op);
  void emitQuadMultiply(Op op);
  void emitLoadMatrix(Op op);
  void emitStoreMatrix(Op op);
  void emitMoveMatrix(Op op);

  Addresses addresses{f};
  MatrixOperands matrices{f};
};

} // namespace hetero::emulator::ptx

#endif // HETERO_LIB_EMULATOR_TRANSLATE_MATRICES_MATRIXEMITTER_H
