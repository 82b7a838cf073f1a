//===- GroupMultiplyEmitter.h - Products of warpgroups ----------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_LIB_EMULATOR_TRANSLATE_MATRICES_GROUPMULTIPLYEMITTER_H
#define HETERO_LIB_EMULATOR_TRANSLATE_MATRICES_GROUPMULTIPLYEMITTER_H

#include "Emulator/Translate/Emitter.h"
#include "Emulator/Translate/Matrices/MatrixOperands.h"

namespace hetero::emulator::ptx {

/// wgmma.
class GroupMultiplyEmitter : public Emitter {
public:
  using Emitter::Emitter;
  static llvm::ArrayRef<Rule> rules();

private:
  void emitGroupMultiply(Op op);
  bool readSign(Op op, const Operand &operand);
  bool readFlag(Op op, const Operand &operand);

  MatrixOperands matrices{f};
  Value *groupWords = nullptr; ///< Registers of wgmma, once it is used.
};

} // namespace hetero::emulator::ptx

#endif // HETERO_LIB_EMULATOR_TRANSLATE_MATRICES_GROUPMULTIPLYEMITTER_H
