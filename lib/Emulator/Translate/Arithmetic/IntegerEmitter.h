//===- IntegerEmitter.h - Integer arithmetic --------------------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_LIB_EMULATOR_TRANSLATE_ARITHMETIC_INTEGEREMITTER_H
#define HETERO_LIB_EMULATOR_TRANSLATE_ARITHMETIC_INTEGEREMITTER_H

#include "Emulator/Translate/Emitter.h"

namespace hetero::emulator::ptx {

/// Sums, products, quotients and the like of integers.
class IntegerEmitter : public Emitter {
public:
  using Emitter::Emitter;
  static llvm::ArrayRef<Rule> rules();

private:
  void emitInteger(Op op);
  void emitMultiply(Op op);
  void emitCarry(Op op);
  void emitDotProduct(Op op);
  void emitAbsoluteDifferences(Op op);
  Value *carrySlot();

  Value *carry = nullptr; ///< The condition code, once it is used.
};

} // namespace hetero::emulator::ptx

#endif // HETERO_LIB_EMULATOR_TRANSLATE_ARITHMETIC_INTEGEREMITTER_H
