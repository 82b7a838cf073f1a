//===- ComparisonEmitter.h - Comparison and selection -----------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_LIB_EMULATOR_TRANSLATE_ARITHMETIC_COMPARISONEMITTER_H
#define HETERO_LIB_EMULATOR_TRANSLATE_ARITHMETIC_COMPARISONEMITTER_H

#include "Emulator/Translate/Arithmetic/FloatValues.h"
#include "Emulator/Translate/Emitter.h"

namespace hetero::emulator::ptx {

/// Comparisons, and choices by what they say.
class ComparisonEmitter : public Emitter {
public:
  using Emitter::Emitter;
  static llvm::ArrayRef<Rule> rules();

private:
  void emitSetp(Op op);
  void emitSet(Op op);
  void emitSelp(Op op);
  void emitSlct(Op op);
  void emitTestp(Op op);
  Value *comparison(Op op);
  Value *joinedPredicate(Op op);
  Value *compare(Op op, Name relation, ScalarType type, Value *x, Value *y);

  FloatValues floats{f};
};

} // namespace hetero::emulator::ptx

#endif // HETERO_LIB_EMULATOR_TRANSLATE_ARITHMETIC_COMPARISONEMITTER_H
