//===- AtomicEmitter.h - Atomic operations and fences -----------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_LIB_EMULATOR_TRANSLATE_MEMORY_ATOMICEMITTER_H
#define HETERO_LIB_EMULATOR_TRANSLATE_MEMORY_ATOMICEMITTER_H

#include "Emulator/Translate/Arithmetic/FloatValues.h"
#include "Emulator/Translate/Emitter.h"
#include "Emulator/Translate/Memory/Addresses.h"

namespace hetero::emulator::ptx {

/// What other threads see at once or in order.
class AtomicEmitter : public Emitter {
public:
  using Emitter::Emitter;
  static llvm::ArrayRef<Rule> rules();

private:
  void emitAtom(Op op);
  void emitVectorAtom(Op op);
  void checkOperands(Op op, size_t expected) const;
  void emitFence(Op op);
  Value *atomicHalf(Value *host, Value *operand, ScalarType type);

  Addresses addresses{f};
  FloatValues floats{f};
};

} // namespace hetero::emulator::ptx

#endif // HETERO_LIB_EMULATOR_TRANSLATE_MEMORY_ATOMICEMITTER_H
