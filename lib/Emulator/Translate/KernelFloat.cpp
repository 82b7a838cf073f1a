//===- KernelFloat.cpp - Floating-point arithmetic ------------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// 16-bit numbers are computed with in f32, whose 24 bits are enough to round
// twice without harm, except for fma.
//
//===----------------------------------------------------------------------===//

#include "Emulator/Translate/Kernel.h"

#include "Emulator/Translate/Math.h"
#include "llvm/IR/Intrinsics.h"

using namespace hetero::emulator;
using namespace hetero::emulator::ptx;
using llvm::Intrinsic::ID;

llvm::Value *KernelTranslator::intrinsic(ID id,
                                         llvm::ArrayRef<Value *> operands) {
  return b.CreateIntrinsic(id, {operands[0]->getType()}, operands);
}

llvm::Value *KernelTranslator::splat(Type *type, double value) {
  return llvm::ConstantFP::get(type, value);
}

/// Clamps to [0, 1]; NaN becomes 0.
llvm::Value *KernelTranslator::saturate(Value *value) {
  Type *type = value->getType();
  Value *low = intrinsic(llvm::Intrinsic::maximumnum, {value, splat(type, 0)});
  return intrinsic(llvm::Intrinsic::minimumnum, {low, splat(type, 1)});
}

/// Subnormal numbers of the type become zeros of the same sign. 16-bit numbers
/// come widened.
llvm::Value *KernelTranslator::flush(Value *value, ScalarType type) {
  bool isHalf = type.kind == ScalarType::Float && type.bits == 16;
  Value *least = splat(value->getType(), isHalf ? 0x1p-14 : 0x1p-126);
  Value *zero =
      intrinsic(llvm::Intrinsic::copysign, {splat(value->getType(), 0), value});
  Value *magnitude = intrinsic(llvm::Intrinsic::fabs, {value});
  return b.CreateSelect(b.CreateFCmpOLT(magnitude, least), zero, value);
}

/// What .ftz, .sat and .relu make of a result.
llvm::Value *KernelTranslator::finishFloat(Value *value, ScalarType type) {
  bool flushes = has("ftz") && type.bits < 64;
  if (!flushes && !has("sat") && !has("relu"))
    return value;
  value = widen(value);
  if (flushes)
    value = flush(value, type);
  if (has("sat"))
    value = saturate(value);
  if (has("relu")) // NaN stays.
    value = intrinsic(llvm::Intrinsic::maximum,
                      {value, splat(value->getType(), 0)});
  return narrow(value, type);
}

/// An operand, as f32 if it has 16 bits.
llvm::Value *KernelTranslator::readFloat(Op op, const Operand &operand,
                                         ScalarType type) {
  Value *value = widen(read(op, operand, type));
  return has("ftz") && type.bits < 64 ? flush(value, type) : value;
}

//===----------------------------------------------------------------------===//
// 16 bits
//===----------------------------------------------------------------------===//

static llvm::Type *withElement(llvm::Type *type, llvm::Type *element) {
  if (auto *vector = llvm::dyn_cast<llvm::FixedVectorType>(type))
    return llvm::FixedVectorType::get(element, vector->getNumElements());
  return element;
}

/// f16 and bf16 as f32; other types stay. For bf16 in integers: LLVM may
/// choose the host's instructions for bf16, which flush subnormal numbers.
llvm::Value *KernelTranslator::widen(Value *value) {
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
llvm::Value *KernelTranslator::narrow(Value *value, ScalarType type) {
  if (type.bits != 16)
    return value;
  if (type.kind == ScalarType::Float)
    return b.CreateFPTrunc(value, valueType(type));
  Type *words = withElement(value->getType(), b.getInt32Ty());
  Type *halves = withElement(value->getType(), b.getInt16Ty());
  auto number = [&](uint32_t n) { return llvm::ConstantInt::get(words, n); };
  Value *bits = b.CreateBitCast(value, words);
  Value *isOdd = b.CreateAnd(b.CreateLShr(bits, number(16)), number(1));
  Value *rounded = b.CreateAdd(b.CreateAdd(bits, number(0x7fff)), isOdd);
  Value *isNaN = b.CreateFCmpUNO(value, value);
  rounded = b.CreateSelect(isNaN, number(0x7fff0000), rounded);
  Value *upper = b.CreateTrunc(b.CreateLShr(rounded, number(16)), halves);
  return b.CreateBitCast(upper, valueType(type));
}

llvm::Value *KernelTranslator::halfFma(llvm::ArrayRef<Value *> x,
                                       ScalarType type) {
  if (type.elements == 1)
    return narrow(callback("heteroPtxFmaToOdd", b.getFloatTy(), x), type);
  ScalarType element = type;
  element.elements = 1;
  Value *result = llvm::PoisonValue::get(valueType(type));
  for (unsigned i = 0; i < type.elements; ++i) {
    Value *parts[3];
    for (unsigned j = 0; j < 3; ++j)
      parts[j] = b.CreateExtractElement(x[j], i);
    result = b.CreateInsertElement(result, halfFma(parts, element), i);
  }
  return result;
}

//===----------------------------------------------------------------------===//
// Arithmetic
//===----------------------------------------------------------------------===//

/// Approximate on a GPU, exact here.
static ID transcendental(Name name) {
  if (name == "ex2")
    return llvm::Intrinsic::exp2;
  if (name == "lg2")
    return llvm::Intrinsic::log2;
  if (name == "sin")
    return llvm::Intrinsic::sin;
  if (name == "cos")
    return llvm::Intrinsic::cos;
  if (name == "tanh")
    return llvm::Intrinsic::tanh;
  return llvm::Intrinsic::not_intrinsic;
}

static Arithmetic arithmeticOf(Name name) {
  if (name == "add")
    return Arithmetic::Add;
  if (name == "sub")
    return Arithmetic::Sub;
  if (name == "mul")
    return Arithmetic::Mul;
  if (name == "div" || name == "rcp")
    return Arithmetic::Div;
  return name == "sqrt" ? Arithmetic::Sqrt : Arithmetic::Fma;
}

/// The result of the operation on f32 or f64, rounded to nearest.
llvm::Value *KernelTranslator::floatResult(Op op, llvm::ArrayRef<Value *> x) {
  Name name = op.opcode;
  if (name == "add")
    return b.CreateFAdd(x[0], x[1]);
  if (name == "sub")
    return b.CreateFSub(x[0], x[1]);
  if (name == "mul")
    return b.CreateFMul(x[0], x[1]);
  if (name == "div")
    return b.CreateFDiv(x[0], x[1]);
  if (name == "fma" || name == "mad")
    return intrinsic(llvm::Intrinsic::fma, x);
  if (name == "min")
    return intrinsic(
        has("NaN") ? llvm::Intrinsic::minimum : llvm::Intrinsic::minimumnum, x);
  if (name == "max")
    return intrinsic(
        has("NaN") ? llvm::Intrinsic::maximum : llvm::Intrinsic::maximumnum, x);
  if (name == "sqrt")
    return intrinsic(llvm::Intrinsic::sqrt, x);
  if (name == "rcp")
    return b.CreateFDiv(splat(x[0]->getType(), 1), x[0]);
  if (name == "rsqrt")
    return b.CreateFDiv(splat(x[0]->getType(), 1),
                        intrinsic(llvm::Intrinsic::sqrt, x));
  return intrinsic(transcendental(name), x);
}

void KernelTranslator::emitFloat(Op op) {
  countFlops(op);
  ScalarType t = type(op);
  std::vector<Value *> x;
  for (size_t i = 1; i < op.operands.size(); ++i)
    x.push_back(readFloat(op, op.operands[i], t));
  Value *result = t.bits == 16 && op.opcode == "fma"
                      ? halfFma(x, t)
                      : narrow(floatResult(op, x), t);
  write(op, op.operands[0], finishFloat(result, t));
}

static Rounding roundingOf(Name name) {
  return name == "rz"   ? Rounding::Zero
         : name == "rm" ? Rounding::Down
         : name == "rp" ? Rounding::Up
                        : Rounding::Nearest;
}

/// Rounds to zero, down or up.
void KernelTranslator::emitDirected(Op op) {
  countFlops(op);
  ScalarType t = type(op);
  Rounding rounding = Rounding::Nearest;
  for (Name modifier : op.modifiers)
    if (roundingOf(modifier) != Rounding::Nearest)
      rounding = roundingOf(modifier);
  Value *one = splat(valueType(t), 1);
  std::vector<Value *> x;
  if (op.opcode == "rcp")
    x.push_back(one);
  for (size_t i = 1; i < op.operands.size(); ++i)
    x.push_back(readFloat(op, op.operands[i], t));
  x.resize(3, one);
  Value *result =
      callback(t.bits == 32 ? "heteroPtxArithmetic32" : "heteroPtxArithmetic64",
               valueType(t),
               {b.getInt32(static_cast<uint32_t>(arithmeticOf(op.opcode))),
                b.getInt32(static_cast<uint32_t>(rounding)), x[0], x[1], x[2]});
  write(op, op.operands[0], finishFloat(result, t));
}

/// The lesser or greater magnitude with the product of the signs.
void KernelTranslator::emitXorSign(Op op) {
  ScalarType t = type(op);
  Value *x[2], *sign = nullptr;
  for (unsigned i = 0; i < 2; ++i) {
    Value *value = readFloat(op, op.operands[1 + i], t);
    Value *bits =
        b.CreateBitCast(value, withElement(value->getType(), b.getInt32Ty()));
    sign = sign ? b.CreateXor(sign, bits) : bits;
    x[i] = intrinsic(llvm::Intrinsic::fabs, {value});
  }
  Value *result =
      intrinsic(llvm::Intrinsic::copysign,
                {floatResult(op, x), b.CreateBitCast(sign, x[0]->getType())});
  write(op, op.operands[0], finishFloat(narrow(result, t), t));
}

/// abs, neg and copysign change the sign, also that of NaN; as integers, so
/// that nothing else changes.
void KernelTranslator::emitSign(Op op) {
  ScalarType t = type(op);
  Value *x = read(op, op.operands[1], t);
  if (has("ftz"))
    x = narrow(readFloat(op, op.operands[1], t), t);
  auto *bits = bitsType(t.totalBits());
  llvm::APInt mask =
      llvm::APInt::getSplat(t.totalBits(), llvm::APInt::getSignMask(t.bits));
  Value *sign = llvm::ConstantInt::get(b.getContext(), mask);
  Value *rest = llvm::ConstantInt::get(b.getContext(), ~mask);
  x = b.CreateBitCast(x, bits);
  if (op.opcode == "neg")
    return write(op, op.operands[0], b.CreateXor(x, sign));
  if (op.opcode == "abs")
    return write(op, op.operands[0], b.CreateAnd(x, rest));
  // copysign: the sign of the first operand.
  Value *y = b.CreateAnd(readBits(op, op.operands[2], t), rest);
  write(op, op.operands[0], b.CreateOr(b.CreateAnd(x, sign), y));
}
