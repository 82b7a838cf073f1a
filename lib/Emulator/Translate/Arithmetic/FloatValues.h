//===- FloatValues.h - Floating point of 16 bits and more -------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_LIB_EMULATOR_TRANSLATE_ARITHMETIC_FLOATVALUES_H
#define HETERO_LIB_EMULATOR_TRANSLATE_ARITHMETIC_FLOATVALUES_H

#include "Emulator/Translate/FunctionBuilder.h"

namespace hetero::emulator::ptx {

/// How floating-point values are read, and what modifiers make of them. 16-bit
/// numbers are computed with in f32.
class FloatValues {
public:
  using Value = llvm::Value;
  using Type = llvm::Type;
  using Op = const Instruction &;

  explicit FloatValues(FunctionBuilder &f) : f(f), b(f.b) {}

  Value *readFloat(Op op, const Operand &operand, ScalarType type);
  Value *finishFloat(Value *value, ScalarType type);
  Value *widen(Value *value);
  Value *narrow(Value *value, ScalarType type);
  Value *flush(Value *value, ScalarType type);
  Value *splat(Type *type, double value);

  /// The type, with other elements if it is a vector.
  static Type *withElement(Type *type, Type *element);

private:
  Value *saturate(Value *value);

  FunctionBuilder &f;
  llvm::IRBuilder<> &b;
};

} // namespace hetero::emulator::ptx

#endif // HETERO_LIB_EMULATOR_TRANSLATE_ARITHMETIC_FLOATVALUES_H
