//===- FunctionBuilder.h - Operands and modifiers ---------------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_LIB_EMULATOR_TRANSLATE_FUNCTIONBUILDER_H
#define HETERO_LIB_EMULATOR_TRANSLATE_FUNCTIONBUILDER_H

#include "Emulator/Translate/FunctionState.h"

namespace hetero::emulator::ptx {

/// The modifiers and operands of the instruction at hand. Registers have the
/// width of the type; loads, stores and conversions allow wider ones.
class FunctionBuilder : public FunctionState {
public:
  using FunctionState::FunctionState;

  // Modifiers.
  bool has(Name modifier) const;
  /// Names shared memory; that of a cluster is the block's own.
  bool isShared() const {
    return has("shared") || has("shared::cta") || has("shared::cluster");
  }
  std::vector<ScalarType> types() const;
  ScalarType type(Op op) const;
  Type *valueType(ScalarType type);

  // Operands.
  Value *readBits(Op op, const Operand &operand, ScalarType type,
                  bool mayBeWider = false);
  Value *read(Op op, const Operand &operand, ScalarType type,
              bool mayBeWider = false);
  Value *readWord(Op op, const Operand &operand);
  Value *readPredicate(Op op, const Operand &operand);
  void write(Op op, const Operand &operand, Value *value,
             bool mayBeWider = false, bool isSigned = false);

  // What several families of instructions do.
  Value *intrinsic(llvm::Intrinsic::ID id, llvm::ArrayRef<Value *> operands);
  Value *combine(Op op, Value *value, Value *with);
  void countFlops(Op op);
  void fence(Op op);
  /// Where a thread may wait for another one in a loop.
  void letOthersRun(Op op);

private:
  Value *readLiteral(const Operand &operand, ScalarType type);
  Value *specialRegister(Op op, const Operand &operand);
  Value *vectorRegister(const Operand &operand);
  Value *wordRegister(Name name);
  Value *laneMask(Name name);
  Value *symbolAddress(Op op, const Symbol &symbol);
};

} // namespace hetero::emulator::ptx

#endif // HETERO_LIB_EMULATOR_TRANSLATE_FUNCTIONBUILDER_H
