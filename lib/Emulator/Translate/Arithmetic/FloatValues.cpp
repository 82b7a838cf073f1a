//===- FloatValues.cpp - Floating point of 16 bits and more ---------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Emulator/Translate/Arithmetic/FloatValues.h"

#include "llvm/IR/Intrinsics.h"

using namespace hetero::emulator;
using namespace hetero::emulator::ptx;

llvm::Type *FloatValues::withElement(llvm::Type *type, llvm::Type *element) {
  if (auto *vector = llvm::dyn_cast<llvm::FixedVectorType>(type))
    return llvm::FixedVectorType::get(element, vector->getNumElements());
  return element;
}

llvm::Value *FloatValues::splat(Type *type, double value) {
  return llvm::ConstantFP::get(type, value);
}

/// Clamps to [0, 1]; NaN becomes 0.
llvm::Value *FloatValues::saturate(Value *value) {
  Type *type = value->getType();
  Value *low =
      f.intrinsic(llvm::Intrinsic::maximumnum, {value, splat(type, 0)});
  return f.intrinsic(llvm::Intrinsic::minimumnum, {low, splat(type, 1)});
}

/// Subnormal numbers of the type become zeros of the same sign. 16-bit numbers
/// come widened.
llvm::Value *FloatValues::flush(Value *value, ScalarType type) {
  bool isHalf = type.kind == ScalarType::Float && type.bits == 16;
  Value *least = splat(value->getType(), isHalf ? 0x1p-14 : 0x1p-126);
  Value *zero = f.intrinsic(llvm::Intrinsic::copysign,
                            {splat(value->getType(), 0), value});
  Value *magnitude = f.intrinsic(llvm::Intrinsic::fabs, {value});
  return b.CreateSelect(b.CreateFCmpOLT(magnitude, least), zero, value);
}

/// What .ftz, .sat and .relu make of a result.
llvm::Value *FloatValues::finishFloat(Value *value, ScalarType type) {
  bool flushes = f.has("ftz") && type.bits < 64;
  if (!flushes && !f.has("sat") && !f.has("relu"))
    return value;
  value = widen(value);
  if (flushes)
    value = flush(value, type);
  if (f.has("sat"))
    value = saturate(value);
  if (f.has("relu")) // NaN stays.
    value = f.intrinsic(llvm::Intrinsic::maximum,
                        {value, splat(value->getType(), 0)});
  return narrow(value, type);
}

/// An operand, as f32 if it has 16 bits.
llvm::Value *FloatValues::readFloat(Op op, const Operand &operand,
                                    ScalarType type) {
  Value *value = widen(f.read(op, operand, type));
  return f.has("ftz") && type.bits < 64 ? flush(value, type) : value;
}

//===----------------------------------------------------------------------===//
// 16 bits
//===----------------------------------------------------------------------===//

/// f16 and bf16 as f32; other types stay. For bf16 in integers: LLVM may
/// choose the host's instructions for bf16, which flush subnormal numbers.
llvm::Value *FloatValues::widen(Value *value) {
  Type *type = value->getType();
  if (type->getScalarSizeInBits() != 16)
    return value;
  Type *single = withElement(type, b.getFloatTy());
  if (!type->getScalarType()->isBFloatTy())
    return b.CreateFPExt(value, single);
  Value *bits = b.CreateBitCast(value, withElement(type, b.getInt16Ty()));
  bits = b.CreateZExt(bits, withElement(type, b.getInt32Ty()));
  return b.CreateBitCast(b.CreateShl(bits, 16), single);
}

/// f32 to nearest f16 or bf16.
llvm::Value *FloatValues::narrow(Value *value, ScalarType type) {
  if (type.bits != 16)
    return value;
  if (type.kind == ScalarType::Float)
    return b.CreateFPTrunc(value, f.valueType(type));
  Type *words = withElement(value->getType(), b.getInt32Ty());
  Type *halves = withElement(value->getType(), b.getInt16Ty());
  auto number = [&](uint32_t n) { return llvm::ConstantInt::get(words, n); };
  Value *bits = b.CreateBitCast(value, words);
  Value *isOdd = b.CreateAnd(b.CreateLShr(bits, number(16)), number(1));
  Value *rounded = b.CreateAdd(b.CreateAdd(bits, number(0x7fff)), isOdd);
  Value *isNaN = b.CreateFCmpUNO(value, value);
  rounded = b.CreateSelect(isNaN, number(0x7fff0000), rounded);
  Value *upper = b.CreateTrunc(b.CreateLShr(rounded, number(16)), halves);
  return b.CreateBitCast(upper, f.valueType(type));
}
