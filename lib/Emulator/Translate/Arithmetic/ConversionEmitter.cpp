//===- ConversionEmitter.cpp - Conversion between types -------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Emulator/Translate/Arithmetic/ConversionEmitter.h"

#include "Emulator/PTX/Lexer.h"
#include "Emulator/Translate/Math.h"
#include "Emulator/Translate/RuleWords.h"
#include "llvm/IR/Intrinsics.h"

using namespace hetero::emulator;
using namespace hetero::emulator::ptx;
using llvm::Intrinsic::ID;

llvm::ArrayRef<Rule> ConversionEmitter::rules() {
  using E = ConversionEmitter;
  static const Rule table[] = {
      {"cvt", "u8 s8 " INTEGERS " f32 f64 tf32 " HALVES " " BHALVES, "",
       "rn rz rm rp rna rni rzi rmi rpi ftz sat satfinite relu", 2, 3,
       &E::emitCvt, 2},
      {"cvt", "e4m3x2 e5m2x2 e2m1x2 e2m3x2 e3m2x2 f32", "rn|satfinite", "relu",
       3, 3, &E::emitToSmall, 2},
      {"cvt", "e4m3x2 e5m2x2 e2m1x2 e2m3x2 e3m2x2 f16x2", "rn|satfinite",
       "relu", 2, 2, &E::emitToSmall, 2},
      {"cvt", "ue8m0x2 f32", "rz rp", "satfinite", 3, 3, &E::emitToSmall, 2},
      {"cvt", "ue8m0x2 bf16x2", "rz rp", "satfinite", 2, 2, &E::emitToSmall, 2},
      {"cvt", "e4m3x2 e5m2x2 e2m1x2 e2m3x2 e3m2x2 f16x2", "rn", "relu", 2, 2,
       &E::emitFromSmall, 2},
      {"cvt", "ue8m0x2 bf16x2", "rn", "", 2, 2, &E::emitFromSmall, 2},
      {"cvt", "u16 s16 s32", "pack|sat", "", 3, 3, &E::emitPack, 2},
      {"cvt", "u2 s2 u4 s4 u8 s8 s32 b32", "pack|sat", "", 4, 4, &E::emitPack,
       3},
  };
  return table;
}

/// The direction that the modifiers ask for; none means nearest.
uint32_t ConversionEmitter::rounding() const {
  Rounding result = f.has("rz")    ? Rounding::Zero
                    : f.has("rm")  ? Rounding::Down
                    : f.has("rp")  ? Rounding::Up
                    : f.has("rna") ? Rounding::NearestAway
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
llvm::Value *ConversionEmitter::roundTo(Op op, Value *value, ScalarType to) {
  Format format = to.kind == ScalarType::TFloat   ? Format::TF32
                  : to.kind == ScalarType::BFloat ? Format::BF16
                  : to.bits == 16                 ? Format::F16
                                                  : Format::F32;
  Value *rounded = f.callback("heteroPtxRound", b.getDoubleTy(),
                              {value, b.getInt32(rounding()),
                               b.getInt32(static_cast<uint32_t>(format))});
  Value *single = b.CreateFPTrunc(rounded, b.getFloatTy());
  if (to.kind == ScalarType::TFloat)
    return b.CreateBitCast(single, b.getInt32Ty());
  return floats.narrow(single, to);
}

llvm::Value *ConversionEmitter::convertFloat(Op op, Value *value,
                                             ScalarType from, ScalarType to) {
  value = floats.widen(value);
  if (ID id = toIntegral(op.modifiers))
    value = f.intrinsic(id, {value});
  bool hasDirection = f.has("rn") || f.has("rz") || f.has("rm") || f.has("rp");
  bool narrows = to.bits < from.bits || (to.bits == 16 && to.kind != from.kind);
  if (to.kind == ScalarType::TFloat ? !f.has("rna") && !hasDirection
                                    : narrows && !hasDirection)
    f.fail(op, "expected a rounding such as '.rn'");
  bool isNearest = rounding() == static_cast<uint32_t>(Rounding::Nearest);
  bool byHost = value->getType()->isFloatTy() || to.bits >= 32;
  if (to.kind == ScalarType::TFloat || (narrows && !(isNearest && byHost)))
    return roundTo(op, b.CreateFPCast(value, b.getDoubleTy()), to);
  if (to.bits == 16)
    return floats.narrow(value, to);
  return b.CreateFPCast(value, f.valueType(to));
}

/// Out of range stops at the limits; NaN is zero, or in 64 bits the least.
llvm::Value *ConversionEmitter::floatToInteger(Op op, Value *value,
                                               ScalarType from, ScalarType to) {
  ID id = toIntegral(op.modifiers);
  if (!id)
    f.fail(op, "expected a rounding such as '.rzi'");
  value = f.intrinsic(id, {floats.widen(value)});
  Type *type = f.valueType(to);
  Value *result = b.CreateIntrinsic(to.isSigned() ? llvm::Intrinsic::fptosi_sat
                                                  : llvm::Intrinsic::fptoui_sat,
                                    {type, value->getType()}, {value});
  if (from.bits < 64 && to.bits < 64)
    return result;
  Value *ofNaN = llvm::ConstantInt::get(
      b.getContext(), llvm::APInt::getSignedMinValue(to.bits));
  return b.CreateSelect(b.CreateFCmpUNO(value, value), ofNaN, result);
}

llvm::Value *ConversionEmitter::integerToFloat(Op op, Value *value,
                                               ScalarType from, ScalarType to) {
  if (!f.has("rn") && !f.has("rz") && !f.has("rm") && !f.has("rp"))
    f.fail(op, "expected a rounding such as '.rn'");
  bool isSigned = from.isSigned();
  bool isNearest = rounding() == static_cast<uint32_t>(Rounding::Nearest);
  if (isNearest && to.bits >= 32)
    return isSigned ? b.CreateSIToFP(value, f.valueType(to))
                    : b.CreateUIToFP(value, f.valueType(to));
  auto *wide = b.getInt64Ty();
  value = isSigned ? b.CreateSExt(value, wide) : b.CreateZExt(value, wide);
  if (to.bits == 64)
    return f.callback(isSigned ? "heteroPtxFromSigned"
                               : "heteroPtxFromUnsigned",
                      b.getDoubleTy(), {value, b.getInt32(rounding())});
  Value *odd =
      f.callback(isSigned ? "heteroPtxSignedToOdd" : "heteroPtxUnsignedToOdd",
                 b.getDoubleTy(), {value});
  return roundTo(op, odd, to);
}

llvm::Value *ConversionEmitter::convertInteger(Value *value, ScalarType from,
                                               ScalarType to) {
  auto extend = [&](Type *type) {
    return from.isSigned() ? b.CreateSExtOrTrunc(value, type)
                           : b.CreateZExtOrTrunc(value, type);
  };
  Type *type = f.valueType(to);
  if (!f.has("sat"))
    return extend(type);
  // One more bit than either holds the limits of both.
  unsigned bits = std::max(from.bits, to.bits) + 1;
  llvm::APInt least(bits, 0), most = llvm::APInt::getMaxValue(to.bits);
  if (to.isSigned()) {
    least = llvm::APInt::getSignedMinValue(to.bits).sext(bits);
    most = llvm::APInt::getSignedMaxValue(to.bits);
  }
  Value *wide = extend(f.bitsType(bits));
  wide = f.intrinsic(llvm::Intrinsic::smax,
                     {wide, llvm::ConstantInt::get(b.getContext(), least)});
  wide = f.intrinsic(
      llvm::Intrinsic::smin,
      {wide, llvm::ConstantInt::get(b.getContext(), most.zext(bits))});
  return b.CreateTrunc(wide, type);
}

/// .satfinite: infinity becomes the largest number.
llvm::Value *ConversionEmitter::makeFinite(Value *value, ScalarType type) {
  bool isHalf = type.kind == ScalarType::Float;
  double most = isHalf                            ? 65504
                : type.kind == ScalarType::BFloat ? 0x1.fep127
                                                  : 0x1.ffcp127;
  Value *wide = type.kind == ScalarType::TFloat
                    ? b.CreateBitCast(value, b.getFloatTy())
                    : floats.widen(value);
  Type *single = wide->getType();
  Value *magnitude = f.intrinsic(llvm::Intrinsic::fabs, {wide});
  Value *isInfinite = b.CreateFCmpOEQ(
      magnitude, llvm::ConstantFP::getInfinity(single, /*Negative=*/false));
  Value *limit = f.intrinsic(llvm::Intrinsic::copysign,
                             {floats.splat(single, most), wide});
  wide = b.CreateSelect(isInfinite, limit, wide);
  return type.kind == ScalarType::TFloat ? b.CreateBitCast(wide, b.getInt32Ty())
                                         : floats.narrow(wide, type);
}

llvm::Value *ConversionEmitter::convert(Op op, Value *value, ScalarType from,
                                        ScalarType to) {
  auto isSingle = [](ScalarType type) {
    return type.kind == ScalarType::Float && type.bits == 32;
  };
  if (f.has("ftz") && isSingle(from))
    value = floats.flush(value, from);
  if (!to.isFloat() && f.has("satfinite"))
    f.fail(op, "'.satfinite' goes with f32 and a shorter type");
  if (!to.isFloat())
    return from.isFloat() ? floatToInteger(op, value, from, to)
                          : convertInteger(value, from, to);
  Value *result = from.isFloat() ? convertFloat(op, value, from, to)
                                 : integerToFloat(op, value, from, to);
  bool isShort = to.bits == 16 || to.kind == ScalarType::TFloat;
  if (f.has("satfinite") && !(isSingle(from) && isShort))
    f.fail(op, "'.satfinite' goes with f32 and a shorter type");
  if (f.has("satfinite"))
    result = makeFinite(result, to);
  if (to.kind == ScalarType::TFloat)
    return result;
  return floats.finishFloat(result, to);
}

void ConversionEmitter::emitCvt(Op op) {
  ScalarType to = f.types()[0], from = f.types()[1];
  if (from.kind == ScalarType::TFloat || from.elements != 1 ||
      op.operands.size() != size_t(1 + to.elements))
    f.fail(op, "these types with " + std::to_string(op.operands.size()) +
                   " operands");
  if (to.elements == 1) {
    Value *value = f.read(op, op.operands[1], from, /*mayBeWider=*/true);
    return f.write(op, op.operands[0], convert(op, value, from, to),
                   /*mayBeWider=*/true, to.isSigned());
  }
  // Two values into one register, the first into the high half.
  ScalarType half = to;
  half.elements = 1;
  Value *pair = llvm::PoisonValue::get(f.valueType(to));
  for (unsigned i = 0; i < 2; ++i)
    pair = b.CreateInsertElement(
        pair, convert(op, f.read(op, op.operands[1 + i], from), from, half),
        1 - i);
  f.write(op, op.operands[0], pair);
}

/// cvt.pack: two numbers, saturated to few bits each, the first above the
/// second; above both the lower bits of a third operand.
void ConversionEmitter::emitPack(Op op) {
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
    f.fail(op, "its types do not go together");
  bool isSigned = names[0][0] == 's';
  llvm::APInt least(32, 0), most = llvm::APInt::getMaxValue(bits).zext(32);
  if (isSigned) {
    least = llvm::APInt::getSignedMinValue(bits).sext(32);
    most = llvm::APInt::getSignedMaxValue(bits).zext(32);
  }
  Value *result = packsMore ? f.readWord(op, op.operands[3]) : b.getInt32(0);
  for (unsigned i = 1; i <= 2; ++i) {
    Value *value = f.readWord(op, op.operands[i]);
    value = f.intrinsic(llvm::Intrinsic::smax, {value, b.getInt(least)});
    value = f.intrinsic(llvm::Intrinsic::smin, {value, b.getInt(most)});
    value = b.CreateAnd(value, (1u << bits) - 1);
    result = b.CreateOr(b.CreateShl(result, bits), value);
  }
  f.write(op, op.operands[0], result);
}

//===----------------------------------------------------------------------===//
// Floating point of 8 bits and less
//===----------------------------------------------------------------------===//

namespace {
struct NamedFormat {
  Name name;
  SmallFormat format;
  unsigned bits; ///< That an element takes.
};
} // namespace

static constexpr NamedFormat kFormats[] = {
    {"e4m3x2", SmallFormat::E4M3, 8}, {"e5m2x2", SmallFormat::E5M2, 8},
    {"e2m1x2", SmallFormat::E2M1, 4}, {"e2m3x2", SmallFormat::E2M3, 8},
    {"e3m2x2", SmallFormat::E3M2, 8}, {"ue8m0x2", SmallFormat::UE8M0, 8}};

/// The format among the types, which stands before or after the other one.
static const NamedFormat *findFormat(const Instruction &op, bool isFirst) {
  ScalarType unused;
  bool hasOther = false;
  for (Name name : op.modifiers) {
    for (const NamedFormat &format : kFormats)
      if (name == format.name)
        return hasOther != isFirst ? &format : nullptr;
    hasOther |= parseScalarType(name, unused);
  }
  return nullptr;
}

/// cvt: two numbers of f32, or a pair, into a pair. The first goes to the high
/// part.
void ConversionEmitter::emitToSmall(Op op) {
  const NamedFormat *format = findFormat(op, /*isFirst=*/true);
  if (!format)
    f.fail(op, "its types do not go together");
  ScalarType from = f.type(op);
  Value *numbers[2];
  if (from.elements == 1) {
    for (unsigned i = 0; i < 2; ++i)
      numbers[i] = f.read(op, op.operands[1 + i], from);
  } else {
    Value *pair = floats.widen(f.read(op, op.operands[1], from));
    for (unsigned i = 0; i < 2; ++i)
      numbers[i] = b.CreateExtractElement(pair, 1 - i);
  }
  uint32_t flags = (f.has("relu") ? kSmallRelu : 0) |
                   (f.has("rp") ? kSmallUp : 0) |
                   (f.has("satfinite") ? kSmallFinite : 0);
  Value *result = b.getInt32(0);
  for (Value *number : numbers)
    result =
        b.CreateOr(b.CreateShl(result, format->bits),
                   f.callback("heteroPtxToSmall", b.getInt32Ty(),
                              {number, b.getInt32(uint32_t(format->format)),
                               b.getInt32(flags)}));
  f.write(op, op.operands[0],
          b.CreateTrunc(result, f.bitsType(2 * format->bits)));
}

/// cvt: a pair into one of f16 or bf16, which have all its numbers.
void ConversionEmitter::emitFromSmall(Op op) {
  const NamedFormat *format = findFormat(op, /*isFirst=*/false);
  if (!format)
    f.fail(op, "its types do not go together");
  ScalarType to = f.type(op), half = to, source;
  half.elements = 1;
  source.bits = 2 * format->bits;
  Value *bits =
      b.CreateZExt(f.readBits(op, op.operands[1], source), b.getInt32Ty());
  Value *pair = llvm::PoisonValue::get(f.valueType(to));
  for (unsigned i = 0; i < 2; ++i) {
    Value *element = b.CreateAnd(b.CreateLShr(bits, i * format->bits),
                                 (1u << format->bits) - 1);
    Value *number = f.callback("heteroPtxFromSmall", b.getFloatTy(),
                               {element, b.getInt32(uint32_t(format->format))});
    Value *isNaN = b.CreateFCmpUNO(number, number);
    Value *result = b.CreateSelect(
        isNaN, b.getInt16(0x7fff),
        b.CreateBitCast(floats.narrow(number, half), b.getInt16Ty()));
    pair = b.CreateInsertElement(pair,
                                 b.CreateBitCast(result, f.valueType(half)), i);
  }
  f.write(op, op.operands[0], floats.finishFloat(pair, to));
}
