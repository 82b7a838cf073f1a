//===- FragmentEmitter.h - Matrices in fragments ----------------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_LIB_EMULATOR_TRANSLATE_MATRICES_FRAGMENTEMITTER_H
#define HETERO_LIB_EMULATOR_TRANSLATE_MATRICES_FRAGMENTEMITTER_H

#include "Emulator/Translate/Emitter.h"
#include "Emulator/Translate/Matrices/MatrixOperands.h"
#include "Emulator/Translate/Memory/Addresses.h"

namespace hetero::emulator::ptx {

/// wmma, whose fragments lie in registers as the emulator likes.
class FragmentEmitter : public Emitter {
public:
  using Emitter::Emitter;
  static llvm::ArrayRef<Rule> rules();

private:
  void emitFragmentLoad(Op op);
  void emitFragmentStore(Op op);
  void emitFragmentMultiply(Op op);
  FragmentType fragmentType(Op op, char operand, MatrixElement element) const;
  void accessFragment(Op op, const FragmentType &type, const Operand &address,
                      bool isStore, Value *words);

  Addresses addresses{f};
  MatrixOperands matrices{f};
};

} // namespace hetero::emulator::ptx

#endif // HETERO_LIB_EMULATOR_TRANSLATE_MATRICES_FRAGMENTEMITTER_H
