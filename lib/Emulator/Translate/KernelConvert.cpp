//===- KernelConvert.cpp - Conversion between types -----------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Emulator/Translate/Kernel.h"

#include "Emulator/Translate/Math.h"
#include "llvm/IR/Intrinsics.h"

using namespace hetero::emulator;
using namespace hetero::emulator::ptx;
using llvm::Intrinsic::ID;

/// The direction that the modifiers ask for; none means nearest.
uint32_t KernelTranslator::rounding() const {
  Rounding result = has("rz")    ? Rounding::Zero
                    : has("rm")  ? Rounding::Down
                    : has("rp")  ? Rounding::Up
                    : has("rna") ? Rounding::NearestAway
                                 : Rounding::Nearest;
  return static_cast<uint32_t>(result);
}

/// The rounding to an integer that the modifiers ask for, or none.
static ID toIntegral(llvm::ArrayRef<Name> modifiers) {
  for (Name modifier : modifiers) {
    if (modifier == "rni")
      return llvm::Intrinsic::roundeven;
    if (modifier == "rzi")
      return llvm::Intrinsic::trunc;
    if (modifier == "rmi")
      return llvm::Intrinsic::floor;
    if (modifier == "rpi")
      return llvm::Intrinsic::ceil;
  }
  return llvm::Intrinsic::not_intrinsic;
}

/// Rounds a double in the direction asked for, to a format of 32 or 16 bits.
llvm::Value *KernelTranslator::roundTo(Op op, Value *value, ScalarType to) {
  Format format = to.kind == ScalarType::TFloat   ? Format::TF32
                  : to.kind == ScalarType::BFloat ? Format::BF16
                  : to.bits == 16                 ? Format::F16
                                                  : Format::F32;
  Value *rounded = callback("heteroPtxRound", b.getDoubleTy(),
                            {value, b.getInt32(rounding()),
                             b.getInt32(static_cast<uint32_t>(format))});
  Value *single = b.CreateFPTrunc(rounded, b.getFloatTy());
  if (to.kind == ScalarType::TFloat)
    return b.CreateBitCast(single, b.getInt32Ty());
  return narrow(single, to);
}

llvm::Value *KernelTranslator::convertFloat(Op op, Value *value,
                                            ScalarType from, ScalarType to) {
  value = widen(value);
  if (ID id = toIntegral(op.modifiers))
    value = intrinsic(id, {value});
  bool hasDirection = has("rn") || has("rz") || has("rm") || has("rp");
  bool narrows = to.bits < from.bits || (to.bits == 16 && to.kind != from.kind);
  if (to.kind == ScalarType::TFloat ? !has("rna") && !hasDirection
                                    : narrows && !hasDirection)
    fail(op, "expected a rounding such as '.rn'");
  bool isNearest = rounding() == static_cast<uint32_t>(Rounding::Nearest);
  bool byHost = value->getType()->isFloatTy() || to.bits >= 32;
  if (to.kind == ScalarType::TFloat || (narrows && !(isNearest && byHost)))
    return roundTo(op, b.CreateFPCast(value, b.getDoubleTy()), to);
  if (to.bits == 16)
    return narrow(value, to);
  return b.CreateFPCast(value, valueType(to));
}

/// Out of range stops at the limits; NaN is zero, or in 64 bits the least.
llvm::Value *KernelTranslator::floatToInteger(Op op, Value *value,
                                              ScalarType from, ScalarType to) {
  ID id = toIntegral(op.modifiers);
  if (!id)
    fail(op, "expected a rounding such as '.rzi'");
  value = intrinsic(id, {widen(value)});
  Type *type = valueType(to);
  Value *result = b.CreateIntrinsic(to.isSigned() ? llvm::Intrinsic::fptosi_sat
                                                  : llvm::Intrinsic::fptoui_sat,
                                    {type, value->getType()}, {value});
  if (from.bits < 64 && to.bits < 64)
    return result;
  Value *ofNaN = llvm::ConstantInt::get(
      b.getContext(), llvm::APInt::getSignedMinValue(to.bits));
  return b.CreateSelect(b.CreateFCmpUNO(value, value), ofNaN, result);
}

llvm::Value *KernelTranslator::integerToFloat(Op op, Value *value,
                                              ScalarType from, ScalarType to) {
  if (!has("rn") && !has("rz") && !has("rm") && !has("rp"))
    fail(op, "expected a rounding such as '.rn'");
  bool isSigned = from.isSigned();
  bool isNearest = rounding() == static_cast<uint32_t>(Rounding::Nearest);
  if (isNearest && to.bits >= 32)
    return isSigned ? b.CreateSIToFP(value, valueType(to))
                    : b.CreateUIToFP(value, valueType(to));
  auto *wide = b.getInt64Ty();
  value = isSigned ? b.CreateSExt(value, wide) : b.CreateZExt(value, wide);
  if (to.bits == 64)
    return callback(isSigned ? "heteroPtxFromSigned" : "heteroPtxFromUnsigned",
                    b.getDoubleTy(), {value, b.getInt32(rounding())});
  Value *odd =
      callback(isSigned ? "heteroPtxSignedToOdd" : "heteroPtxUnsignedToOdd",
               b.getDoubleTy(), {value});
  return roundTo(op, odd, to);
}

llvm::Value *KernelTranslator::convertInteger(Value *value, ScalarType from,
                                              ScalarType to) {
  auto extend = [&](Type *type) {
    return from.isSigned() ? b.CreateSExtOrTrunc(value, type)
                           : b.CreateZExtOrTrunc(value, type);
  };
  Type *type = valueType(to);
  if (!has("sat"))
    return extend(type);
  // One more bit than either holds the limits of both.
  unsigned bits = std::max(from.bits, to.bits) + 1;
  llvm::APInt least(bits, 0), most = llvm::APInt::getMaxValue(to.bits);
  if (to.isSigned()) {
    least = llvm::APInt::getSignedMinValue(to.bits).sext(bits);
    most = llvm::APInt::getSignedMaxValue(to.bits);
  }
  Value *wide = extend(bitsType(bits));
  wide = intrinsic(llvm::Intrinsic::smax,
                   {wide, llvm::ConstantInt::get(b.getContext(), least)});
  wide = intrinsic(
      llvm::Intrinsic::smin,
      {wide, llvm::ConstantInt::get(b.getContext(), most.zext(bits))});
  return b.CreateTrunc(wide, type);
}

/// .satfinite: infinity becomes the largest number.
llvm::Value *KernelTranslator::makeFinite(Value *value, ScalarType type) {
  bool isHalf = type.kind == ScalarType::Float;
  double most = isHalf                            ? 65504
                : type.kind == ScalarType::BFloat ? 0x1.fep127
                                                  : 0x1.ffcp127;
  Value *wide = type.kind == ScalarType::TFloat
                    ? b.CreateBitCast(value, b.getFloatTy())
                    : widen(value);
  Type *single = wide->getType();
  Value *magnitude = intrinsic(llvm::Intrinsic::fabs, {wide});
  Value *isInfinite = b.CreateFCmpOEQ(
      magnitude, llvm::ConstantFP::getInfinity(single, /*Negative=*/false));
  Value *limit =
      intrinsic(llvm::Intrinsic::copysign, {splat(single, most), wide});
  wide = b.CreateSelect(isInfinite, limit, wide);
  return type.kind == ScalarType::TFloat ? b.CreateBitCast(wide, b.getInt32Ty())
                                         : narrow(wide, type);
}

llvm::Value *KernelTranslator::convert(Op op, Value *value, ScalarType from,
                                       ScalarType to) {
  auto isSingle = [](ScalarType type) {
    return type.kind == ScalarType::Float && type.bits == 32;
  };
  if (has("ftz") && isSingle(from))
    value = flush(value, from);
  if (!to.isFloat() && has("satfinite"))
    fail(op, "'.satfinite' goes with f32 and a shorter type");
  if (!to.isFloat())
    return from.isFloat() ? floatToInteger(op, value, from, to)
                          : convertInteger(value, from, to);
  Value *result = from.isFloat() ? convertFloat(op, value, from, to)
                                 : integerToFloat(op, value, from, to);
  bool isShort = to.bits == 16 || to.kind == ScalarType::TFloat;
  if (has("satfinite") && !(isSingle(from) && isShort))
    fail(op, "'.satfinite' goes with f32 and a shorter type");
  if (has("satfinite"))
    result = makeFinite(result, to);
  if (to.kind == ScalarType::TFloat)
    return result;
  return finishFloat(result, to);
}

void KernelTranslator::emitCvt(Op op) {
  ScalarType to = types()[0], from = types()[1];
  if (from.kind == ScalarType::TFloat || from.elements != 1 ||
      op.operands.size() != size_t(1 + to.elements))
    fail(op, "these types with " + std::to_string(op.operands.size()) +
                 " operands");
  if (to.elements == 1) {
    Value *value = read(op, op.operands[1], from, /*mayBeWider=*/true);
    return write(op, op.operands[0], convert(op, value, from, to),
                 /*mayBeWider=*/true, to.isSigned());
  }
  // Two values into one register, the first into the high half.
  ScalarType half = to;
  half.elements = 1;
  Value *pair = llvm::PoisonValue::get(valueType(to));
  for (unsigned i = 0; i < 2; ++i)
    pair = b.CreateInsertElement(
        pair, convert(op, read(op, op.operands[1 + i], from), from, half),
        1 - i);
  write(op, op.operands[0], pair);
}

/// cvt.pack: two numbers, saturated to few bits each, the first above the
/// second; above both the lower bits of a third operand.
void KernelTranslator::emitPack(Op op) {
  std::vector<Name> names;
  for (Name name : op.modifiers)
    if (name != "pack" && name != "sat")
      names.push_back(name);
  unsigned bits = 0;
  for (char digit : names[0].substr(1))
    bits = 10 * bits + (digit - '0');
  bool packsMore = op.operands.size() == 4;
  if ((packsMore ? bits > 8 : bits != 16) || names[1] != "s32" ||
      (packsMore && names[2] != "b32"))
    fail(op, "its types do not go together");
  bool isSigned = names[0][0] == 's';
  llvm::APInt least(32, 0), most = llvm::APInt::getMaxValue(bits).zext(32);
  if (isSigned) {
    least = llvm::APInt::getSignedMinValue(bits).sext(32);
    most = llvm::APInt::getSignedMaxValue(bits).zext(32);
  }
  Value *result = packsMore ? readWord(op, op.operands[3]) : b.getInt32(0);
  for (unsigned i = 1; i <= 2; ++i) {
    Value *value = readWord(op, op.operands[i]);
    value = intrinsic(llvm::Intrinsic::smax, {value, b.getInt(least)});
    value = intrinsic(llvm::Intrinsic::smin, {value, b.getInt(most)});
    value = b.CreateAnd(value, (1u << bits) - 1);
    result = b.CreateOr(b.CreateShl(result, bits), value);
  }
  write(op, op.operands[0], result);
}
