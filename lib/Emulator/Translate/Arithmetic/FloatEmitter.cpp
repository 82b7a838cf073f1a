//===- FloatEmitter.cpp - Floating-point arithmetic -----------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Emulator/Translate/Arithmetic/FloatEmitter.h"

#include "Emulator/Translate/Math.h"
#include "Emulator/Translate/RuleWords.h"
#include "llvm/IR/Intrinsics.h"

using namespace hetero::emulator;
using namespace hetero::emulator::ptx;
using llvm::Intrinsic::ID;

llvm::ArrayRef<Rule> FloatEmitter::rules() {
  using E = FloatEmitter;
  static const Rule table[] = {
      {"add sub mul", "f32", "", "rn ftz sat", 3, 3, &E::emitFloat},
      {"add sub mul", "f64", "", "rn", 3, 3, &E::emitFloat},
      {"add sub mul", HALVES, "", "rn ftz sat", 3, 3, &E::emitFloat},
      {"add sub mul", BHALVES, "", "rn", 3, 3, &E::emitFloat},
      {"fma mad", "f32", "rn", "ftz sat", 4, 4, &E::emitFloat},
      {"fma mad", "f64", "rn", "", 4, 4, &E::emitFloat},
      {"fma", HALVES, "rn", "ftz sat", 4, 4, &E::emitFloat},
      {"fma", HALVES, "rn|relu", "ftz", 4, 4, &E::emitFloat},
      {"fma", BHALVES, "rn", "relu ftz sat", 4, 4, &E::emitFloat},
      {"div", "f32", "rn approx full", "ftz", 3, 3, &E::emitFloat},
      {"div", "f64", "rn", "", 3, 3, &E::emitFloat},
      {"rcp sqrt", "f32", "rn approx", "ftz", 2, 2, &E::emitFloat},
      {"rcp sqrt", "f64", "rn", "", 2, 2, &E::emitFloat},
      {"rcp rsqrt", "f64", "approx|ftz", "", 2, 2, &E::emitFloat},
      {"rsqrt", "f32", "approx", "ftz", 2, 2, &E::emitFloat},
      {"rsqrt", "f64", "approx", "", 2, 2, &E::emitFloat},
      {"sin cos lg2 ex2", "f32", "approx", "ftz", 2, 2, &E::emitFloat},
      {"ex2", HALVES, "approx", "", 2, 2, &E::emitFloat},
      {"ex2", BHALVES, "approx|ftz", "", 2, 2, &E::emitFloat},
      {"tanh", "f32 " HALVES " " BHALVES, "approx", "", 2, 2, &E::emitFloat},
      {"min max", "f32 " HALVES, "", "ftz NaN", 3, 3, &E::emitFloat},
      {"min max", BHALVES, "", "NaN", 3, 3, &E::emitFloat},
      {"min max", "f64", "", "", 3, 3, &E::emitFloat},
      {"min max", "f32 " HALVES, "xorsign|abs", "ftz NaN", 3, 3,
       &E::emitXorSign},
      {"min max", BHALVES, "xorsign|abs", "NaN", 3, 3, &E::emitXorSign},
      {"add sub mul", "f32", "rz rm rp", "ftz sat", 3, 3, &E::emitDirected},
      {"fma mad", "f32", "rz rm rp", "ftz sat", 4, 4, &E::emitDirected},
      {"div", "f32", "rz rm rp", "ftz", 3, 3, &E::emitDirected},
      {"rcp sqrt", "f32", "rz rm rp", "ftz", 2, 2, &E::emitDirected},
      {"add sub mul div", "f64", "rz rm rp", "", 3, 3, &E::emitDirected},
      {"fma mad", "f64", "rz rm rp", "", 4, 4, &E::emitDirected},
      {"rcp sqrt", "f64", "rz rm rp", "", 2, 2, &E::emitDirected},
      {"abs neg", "f32 " HALVES, "", "ftz", 2, 2, &E::emitSign},
      {"abs neg", "f64 " BHALVES, "", "", 2, 2, &E::emitSign},
      {"copysign", "f32 f64", "", "", 3, 3, &E::emitSign},
  };
  return table;
}

llvm::Value *FloatEmitter::halfFma(llvm::ArrayRef<Value *> x, ScalarType type) {
  if (type.elements == 1)
    return floats.narrow(f.callback("heteroPtxFmaToOdd", b.getFloatTy(), x),
                         type);
  ScalarType element = type;
  element.elements = 1;
  Value *result = llvm::PoisonValue::get(f.valueType(type));
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
llvm::Value *FloatEmitter::floatResult(Op op, llvm::ArrayRef<Value *> x) {
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
    return f.intrinsic(llvm::Intrinsic::fma, x);
  if (name == "min")
    return f.intrinsic(f.has("NaN") ? llvm::Intrinsic::minimum
                                    : llvm::Intrinsic::minimumnum,
                       x);
  if (name == "max")
    return f.intrinsic(f.has("NaN") ? llvm::Intrinsic::maximum
                                    : llvm::Intrinsic::maximumnum,
                       x);
  if (name == "sqrt")
    return f.intrinsic(llvm::Intrinsic::sqrt, x);
  if (name == "rcp")
    return b.CreateFDiv(floats.splat(x[0]->getType(), 1), x[0]);
  if (name == "rsqrt")
    return b.CreateFDiv(floats.splat(x[0]->getType(), 1),
                        f.intrinsic(llvm::Intrinsic::sqrt, x));
  return f.intrinsic(transcendental(name), x);
}

void FloatEmitter::emitFloat(Op op) {
  f.countFlops(op);
  ScalarType t = f.type(op);
  std::vector<Value *> x;
  for (size_t i = 1; i < op.operands.size(); ++i)
    x.push_back(floats.readFloat(op, op.operands[i], t));
  Value *result = t.bits == 16 && op.opcode == "fma"
                      ? halfFma(x, t)
                      : floats.narrow(floatResult(op, x), t);
  f.write(op, op.operands[0], floats.finishFloat(result, t));
}

static Rounding roundingOf(Name name) {
  return name == "rz"   ? Rounding::Zero
         : name == "rm" ? Rounding::Down
         : name == "rp" ? Rounding::Up
                        : Rounding::Nearest;
}

/// Rounds to zero, down or up.
void FloatEmitter::emitDirected(Op op) {
  f.countFlops(op);
  ScalarType t = f.type(op);
  Rounding rounding = Rounding::Nearest;
  for (Name modifier : op.modifiers)
    if (roundingOf(modifier) != Rounding::Nearest)
      rounding = roundingOf(modifier);
  Value *one = floats.splat(f.valueType(t), 1);
  std::vector<Value *> x;
  if (op.opcode == "rcp")
    x.push_back(one);
  for (size_t i = 1; i < op.operands.size(); ++i)
    x.push_back(floats.readFloat(op, op.operands[i], t));
  x.resize(3, one);
  Value *result = f.callback(
      t.bits == 32 ? "heteroPtxArithmetic32" : "heteroPtxArithmetic64",
      f.valueType(t),
      {b.getInt32(static_cast<uint32_t>(arithmeticOf(op.opcode))),
       b.getInt32(static_cast<uint32_t>(rounding)), x[0], x[1], x[2]});
  f.write(op, op.operands[0], floats.finishFloat(result, t));
}

/// The lesser or greater magnitude with the product of the signs.
void FloatEmitter::emitXorSign(Op op) {
  ScalarType t = f.type(op);
  Value *x[2], *sign = nullptr;
  for (unsigned i = 0; i < 2; ++i) {
    Value *value = floats.readFloat(op, op.operands[1 + i], t);
    Value *bits = b.CreateBitCast(
        value, FloatValues::withElement(value->getType(), b.getInt32Ty()));
    sign = sign ? b.CreateXor(sign, bits) : bits;
    x[i] = f.intrinsic(llvm::Intrinsic::fabs, {value});
  }
  Value *result =
      f.intrinsic(llvm::Intrinsic::copysign,
                  {floatResult(op, x), b.CreateBitCast(sign, x[0]->getType())});
  f.write(op, op.operands[0], floats.finishFloat(floats.narrow(result, t), t));
}

/// abs, neg and copysign change the sign, also that of NaN; as integers, so
/// that nothing else changes.
void FloatEmitter::emitSign(Op op) {
  ScalarType t = f.type(op);
  Value *x = f.read(op, op.operands[1], t);
  if (f.has("ftz"))
    x = floats.narrow(floats.readFloat(op, op.operands[1], t), t);
  auto *bits = f.bitsType(t.totalBits());
  llvm::APInt mask =
      llvm::APInt::getSplat(t.totalBits(), llvm::APInt::getSignMask(t.bits));
  Value *sign = llvm::ConstantInt::get(b.getContext(), mask);
  Value *rest = llvm::ConstantInt::get(b.getContext(), ~mask);
  x = b.CreateBitCast(x, bits);
  if (op.opcode == "neg")
    return f.write(op, op.operands[0], b.CreateXor(x, sign));
  if (op.opcode == "abs")
    return f.write(op, op.operands[0], b.CreateAnd(x, rest));
  // copysign: the sign of the first operand.
  Value *y = b.CreateAnd(f.readBits(op, op.operands[2], t), rest);
  f.write(op, op.operands[0], b.CreateOr(b.CreateAnd(x, sign), y));
}
