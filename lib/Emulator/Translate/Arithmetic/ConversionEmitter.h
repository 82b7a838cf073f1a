//===- ConversionEmitter.h - Conversion between types -----------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_LIB_EMULATOR_TRANSLATE_ARITHMETIC_CONVERSIONEMITTER_H
#define HETERO_LIB_EMULATOR_TRANSLATE_ARITHMETIC_CONVERSIONEMITTER_H

#include "Emulator/Translate/Arithmetic/FloatValues.h"
#include "Emulator/Translate/Emitter.h"

namespace hetero::emulator::ptx {

/// cvt, between all types; numbers of 8 bits and less come in pairs.
class ConversionEmitter : public Emitter {
public:
  using Emitter::Emitter;
  static llvm::ArrayRef<Rule> rules();

private:
  void emitCvt(Op op);
  void emitPack(Op op);
  void emitToSmall(Op op);
  void emitFromSmall(Op op);
  Value *convert(Op op, Value *value, ScalarType from, ScalarType to);
  Value *convertFloat(Op op, Value *value, ScalarType from, ScalarType to);
  Value *floatToInteger(Op op, Value *value, ScalarType from, ScalarType to);
  Value *integerToFloat(Op op, Value *value, ScalarType from, ScalarType to);
  Value *convertInteger(Value *value, ScalarType from, ScalarType to);
  Value *roundTo(Op op, Value *value, ScalarType to);
  Value *makeFinite(Value *value, ScalarType type);
  uint32_t rounding() const;

  FloatValues floats{f};
};

} // namespace hetero::emulator::ptx

#endif // HETERO_LIB_EMULATOR_TRANSLATE_ARITHMETIC_CONVERSIONEMITTER_H
