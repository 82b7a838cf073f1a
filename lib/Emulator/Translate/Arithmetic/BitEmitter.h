//===- BitEmitter.h - Logic, shifts and bit fields --------------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_LIB_EMULATOR_TRANSLATE_ARITHMETIC_BITEMITTER_H
#define HETERO_LIB_EMULATOR_TRANSLATE_ARITHMETIC_BITEMITTER_H

#include "Emulator/Translate/Emitter.h"

namespace hetero::emulator::ptx {

/// What takes integers for rows of bits.
class BitEmitter : public Emitter {
public:
  using Emitter::Emitter;
  static llvm::ArrayRef<Rule> rules();

private:
  void emitShift(Op op);
  void emitLogic(Op op);
  void emitLop3(Op op);
  void emitCount(Op op);
  void emitFindSet(Op op);
  void emitBitFieldExtract(Op op);
  void emitBitFieldInsert(Op op);
  void emitMask(Op op);
  void emitExtend(Op op);
  void emitFunnelShift(Op op);
  void emitPermute(Op op);
  Value *shiftLeft(Value *value, Value *amount);
  Value *shiftRight(Value *value, Value *amount);
  Value *byteOf(Op op, const Operand &operand, Type *type);
};

} // namespace hetero::emulator::ptx

#endif // HETERO_LIB_EMULATOR_TRANSLATE_ARITHMETIC_BITEMITTER_H
