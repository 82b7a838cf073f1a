//===- PTXKernelFloat.cpp - Floating-point arithmetic ---------------------===//
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

#include "PTXKernel.h"

#include "PTXMath.h"
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

/// Subnormal numbers become zeros of the same sign.
llvm::Value *KernelTranslator::flush(Value *value) {
  Type *type = value->getType();
  double least = type->getScalarType()->isHalfTy() ? 0x1p-14 : 0x1p-126;
  Value *zero = intrinsic(llvm::Intrinsic::copysign, {splat(type, 0), value});
  Value *magnitude = intrinsic(llvm::Intrinsic::fabs, {value});
  return b.CreateSelect(b.CreateFCmpOLT(magnitude, splat(type, least)), zero,
                        value);
}

//===----------------------------------------------------------------------===//
// 16 bits
//===----------------------------------------------------------------------===//

static llvm::Type *withElement(llvm::Type *type, llvm::Type *element) {
  if (auto *vector = llvm::dyn_cast<llvm::FixedVectorType>(type))
    return llvm::FixedVectorType::get(element, vector->getNumElements());
  return element;
}

/// f16 and bf16 as f32; other types stay.
llvm::Value *KernelTranslator::widen(Value *value) {
  if (value->getType()->getScalarSizeInBits() != 16)
    return value;
  return b.CreateFPExt(value, withElement(value->getType(), b.getFloatTy()));
}

/// f32 to nearest f16 or bf16. For bf16 in integers: the host's instruction
/// flushes subnormal numbers.
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
    return narrow(callback("heteroPtxFmaToOdd", b.getFloatTy(),
                           {widen(x[0]), widen(x[1]), widen(x[2])}),
                  type);
  ScalarType element = type;
  element.elements = 1;
  Value *result = llvm::PoisonValue::get(x[0]->getType());
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
  ScalarType t = type(op);
  std::vector<Value *> x;
  for (size_t i = 1; i < op.operands.size(); ++i) {
    x.push_back(read(op, op.operands[i], t));
    if (has("ftz") && t.bits < 64)
      x.back() = flush(x.back());
  }
  Value *result;
  if (t.bits == 16 && op.opcode == "fma") {
    result = halfFma(x, t);
  } else {
    for (Value *&value : x)
      value = widen(value);
    result = narrow(floatResult(op, x), t);
  }
  if (has("ftz") && t.bits < 64)
    result = flush(result);
  if (has("sat"))
    result = saturate(result);
  if (has("relu")) // NaN stays.
    result = intrinsic(llvm::Intrinsic::maximum,
                       {result, splat(result->getType(), 0)});
  write(op, op.operands[0], result);
}

static Rounding roundingOf(Name name) {
  return name == "rz"   ? Rounding::Zero
         : name == "rm" ? Rounding::Down
         : name == "rp" ? Rounding::Up
                        : Rounding::Nearest;
}

/// Rounds to zero, down or up.
void KernelTranslator::emitDirected(Op op) {
  ScalarType t = type(op);
  Rounding rounding = Rounding::Nearest;
  for (Name modifier : op.modifiers)
    if (roundingOf(modifier) != Rounding::Nearest)
      rounding = roundingOf(modifier);
  Value *one = splat(valueType(t), 1);
  std::vector<Value *> x;
  if (op.opcode == "rcp")
    x.push_back(one);
  for (size_t i = 1; i < op.operands.size(); ++i) {
    x.push_back(read(op, op.operands[i], t));
    if (has("ftz"))
      x.back() = flush(x.back());
  }
  x.resize(3, one);
  Value *result =
      callback(t.bits == 32 ? "heteroPtxArithmetic32" : "heteroPtxArithmetic64",
               valueType(t),
               {b.getInt32(static_cast<uint32_t>(arithmeticOf(op.opcode))),
                b.getInt32(static_cast<uint32_t>(rounding)), x[0], x[1], x[2]});
  if (has("ftz"))
    result = flush(result);
  if (has("sat"))
    result = saturate(result);
  write(op, op.operands[0], result);
}

/// abs, neg and copysign change the sign, also that of NaN.
void KernelTranslator::emitSign(Op op) {
  ScalarType t = type(op);
  Value *x = read(op, op.operands[1], t);
  if (op.opcode == "copysign") // The sign of the first operand.
    return write(
        op, op.operands[0],
        intrinsic(llvm::Intrinsic::copysign, {read(op, op.operands[2], t), x}));
  if (has("ftz"))
    x = flush(x);
  write(op, op.operands[0],
        op.opcode == "neg" ? b.CreateFNeg(x)
                           : intrinsic(llvm::Intrinsic::fabs, {x}));
}
