//===- FloatEmitter.h - Floating-point arithmetic ---------------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_LIB_EMULATOR_TRANSLATE_ARITHMETIC_FLOATEMITTER_H
#define HETERO_LIB_EMULATOR_TRANSLATE_ARITHMETIC_FLOATEMITTER_H

#include "Emulator/Translate/Arithmetic/FloatValues.h"
#include "Emulator/Translate/Emitter.h"

namespace hetero::emulator::ptx {

/// Arithmetic of floating point. The 24 bits of f32 are enough to round 16-bit
/// numbers twice without harm, except for fma.
class FloatEmitter : public Emitter {
public:
  using Emitter::Emitter;
  static llvm::ArrayRef<Rule> rules();

private:
  void emitFloat(Op op);
  void emitDirected(Op op);
  void emitXorSign(Op op);
  void emitSign(Op op);
  Value *floatResult(Op op, llvm::ArrayRef<Value *> x);
  Value *halfFma(llvm::ArrayRef<Value *> x, ScalarType type);

  FloatValues floats{f};
};

} // namespace hetero::emulator::ptx

#endif // HETERO_LIB_EMULATOR_TRANSLATE_ARITHMETIC_FLOATEMITTER_H
