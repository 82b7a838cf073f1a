//===- IntegerEmitter.cpp - Integer arithmetic ----------------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Emulator/Translate/Arithmetic/IntegerEmitter.h"

#include "Emulator/Translate/RuleWords.h"
#include "llvm/IR/Intrinsics.h"

using namespace hetero::emulator;
using namespace hetero::emulator::ptx;
using llvm::Intrinsic::ID;

llvm::ArrayRef<Rule> IntegerEmitter::rules() {
  using E = IntegerEmitter;
  static const Rule table[] = {
      {"add sub", INTEGERS " " PACKED_INTEGERS, "", "", 3, 3, &E::emitInteger},
      {"add sub", "s32", "sat", "", 3, 3, &E::emitInteger},
      {"div rem", INTEGERS, "", "", 3, 3, &E::emitInteger},
      {"min max", INTEGERS " " PACKED_INTEGERS, "", "", 3, 3, &E::emitInteger},
      {"min max", "s32 s16x2", "relu", "", 3, 3, &E::emitInteger},
      {"abs neg", "s16 s32 s64", "", "", 2, 2, &E::emitInteger},
      {"sad", INTEGERS, "", "", 4, 4, &E::emitInteger},
      {"mul", INTEGERS, "lo hi", "", 3, 3, &E::emitMultiply},
      {"mul", "u16 s16 u32 s32", "wide", "", 3, 3, &E::emitMultiply},
      {"mad", INTEGERS, "lo hi", "", 4, 4, &E::emitMultiply},
      {"mad", "u16 s16 u32 s32", "wide", "", 4, 4, &E::emitMultiply},
      {"mad mad24", "s32", "hi|sat", "", 4, 4, &E::emitMultiply},
      {"mul24", "u32 s32", "lo hi", "", 3, 3, &E::emitMultiply},
      {"mad24", "u32 s32", "lo hi", "", 4, 4, &E::emitMultiply},
      {"add sub", WORDS, "cc", "", 3, 3, &E::emitCarry},
      {"addc subc", WORDS, "", "cc", 3, 3, &E::emitCarry},
      {"mad", WORDS, "lo hi|cc", "", 4, 4, &E::emitCarry},
      {"madc", WORDS, "lo hi", "cc", 4, 4, &E::emitCarry},
      {"dp4a", "u32 s32", "", "", 4, 4, &E::emitDotProduct, 2},
      {"dp2a", "u32 s32", "lo hi", "", 4, 4, &E::emitDotProduct, 2},
      {"vabsdiff2 vabsdiff4", "u32 s32", "", "add", 4, 4,
       &E::emitAbsoluteDifferences, 3},
  };
  return table;
}

/// x / y or x % y without LLVM's undefined cases.
static llvm::Value *divide(llvm::IRBuilder<> &b, llvm::Value *x, llvm::Value *y,
                           bool isSigned, bool remainder) {
  llvm::Type *type = x->getType();
  llvm::Value *zero = llvm::ConstantInt::get(type, 0);
  llvm::Value *one = llvm::ConstantInt::get(type, 1);
  llvm::Value *ones = llvm::ConstantInt::getAllOnesValue(type);
  llvm::Value *isZero = b.CreateICmpEQ(y, zero);
  llvm::Value *isMinusOne = isSigned ? b.CreateICmpEQ(y, ones) : b.getFalse();
  llvm::Value *safe = b.CreateSelect(b.CreateOr(isZero, isMinusOne), one, y);
  if (remainder) {
    llvm::Value *result =
        isSigned ? b.CreateSRem(x, safe) : b.CreateURem(x, safe);
    return b.CreateSelect(isZero, x, result);
  }
  llvm::Value *result =
      isSigned ? b.CreateSDiv(x, safe) : b.CreateUDiv(x, safe);
  result = b.CreateSelect(isMinusOne, b.CreateNeg(x), result);
  return b.CreateSelect(isZero, ones, result);
}

/// add, sub, div, rem, min, max, abs, neg and sad.
void IntegerEmitter::emitInteger(Op op) {
  ScalarType t = f.type(op);
  bool isSigned = t.isSigned();
  Name name = op.opcode;
  Value *x = f.read(op, op.operands[1], t), *result;
  Value *y = op.operands.size() > 2 ? f.read(op, op.operands[2], t) : nullptr;
  ID least = isSigned ? llvm::Intrinsic::smin : llvm::Intrinsic::umin;
  ID most = isSigned ? llvm::Intrinsic::smax : llvm::Intrinsic::umax;
  if (name == "add")
    result = f.has("sat") ? f.intrinsic(llvm::Intrinsic::sadd_sat, {x, y})
                          : b.CreateAdd(x, y);
  else if (name == "sub")
    result = f.has("sat") ? f.intrinsic(llvm::Intrinsic::ssub_sat, {x, y})
                          : b.CreateSub(x, y);
  else if (name == "div" || name == "rem")
    result = divide(b, x, y, isSigned, name == "rem");
  else if (name == "min" || name == "max")
    result = f.intrinsic(name == "min" ? least : most, {x, y});
  else if (name == "neg")
    result = b.CreateNeg(x);
  else if (name == "abs")
    result = b.CreateIntrinsic(llvm::Intrinsic::abs, {x->getType()},
                               {x, b.getFalse()});
  else // sad: |x - y| + z
    result = b.CreateAdd(
        b.CreateSub(f.intrinsic(most, {x, y}), f.intrinsic(least, {x, y})),
        f.read(op, op.operands[3], t));
  if (f.has("relu"))
    result = f.intrinsic(llvm::Intrinsic::smax,
                         {result, llvm::Constant::getNullValue(x->getType())});
  f.write(op, op.operands[0], result);
}

/// mul, mad, mul24 and mad24: the low, high or all bits of the product.
void IntegerEmitter::emitMultiply(Op op) {
  ScalarType t = f.type(op);
  bool is24 = op.opcode.substr(3) == "24", isSigned = t.isSigned();
  unsigned factorBits = is24 ? 24 : t.bits;
  auto *wide = f.bitsType(2 * t.bits);
  auto factor = [&](const Operand &operand) {
    Value *value =
        b.CreateTrunc(f.read(op, operand, t), f.bitsType(factorBits));
    return isSigned ? b.CreateSExt(value, wide) : b.CreateZExt(value, wide);
  };
  Value *product = b.CreateMul(factor(op.operands[1]), factor(op.operands[2]));
  // The upper 32 of 48 bits, or the upper half.
  unsigned shift = is24 ? 16 : t.bits;
  Value *result = f.has("wide") ? product
                  : f.has("hi") ? b.CreateTrunc(b.CreateLShr(product, shift),
                                                f.bitsType(t.bits))
                                : b.CreateTrunc(product, f.bitsType(t.bits));
  if (op.opcode.substr(0, 3) == "mad") {
    ScalarType sum = t;
    sum.bits = result->getType()->getIntegerBitWidth();
    Value *addend = f.read(op, op.operands[3], sum);
    result = f.has("sat")
                 ? f.intrinsic(llvm::Intrinsic::sadd_sat, {result, addend})
                 : b.CreateAdd(result, addend);
  }
  f.write(op, op.operands[0], result);
}

//===----------------------------------------------------------------------===//
// Carry
//===----------------------------------------------------------------------===//

llvm::Value *IntegerEmitter::carrySlot() {
  if (!carry)
    carry = f.atEntry(b.getInt1Ty(), /*isZero=*/true);
  return carry;
}

/// add.cc, addc, sub.cc, subc, mad.cc and madc: sums that leave or take a
/// carry. As on hardware, the flag of a difference is the carry of x + ~y + 1:
/// it is set when nothing was borrowed, so that addc may follow sub.cc.
void IntegerEmitter::emitCarry(Op op) {
  ScalarType t = f.type(op);
  Name name = op.opcode;
  bool multiplies = name.substr(0, 3) == "mad";
  Value *x = f.read(op, op.operands[1], t), *y = f.read(op, op.operands[2], t);
  if (multiplies) {
    auto *wide = f.bitsType(2 * t.bits);
    auto extend = [&](Value *value) {
      return t.isSigned() ? b.CreateSExt(value, wide)
                          : b.CreateZExt(value, wide);
    };
    Value *product = b.CreateMul(extend(x), extend(y));
    x = b.CreateTrunc(f.has("hi") ? b.CreateLShr(product, t.bits) : product,
                      x->getType());
    y = f.read(op, op.operands[3], t);
  }
  // One more bit holds the carry.
  auto *wide = f.bitsType(t.bits + 1);
  bool subtracts = name.substr(0, 3) == "sub";
  if (subtracts)
    y = b.CreateNot(y);
  Value *in = b.getInt1(subtracts);
  if (name.back() == 'c')
    in = b.CreateLoad(b.getInt1Ty(), carrySlot());
  Value *result = b.CreateAdd(b.CreateZExt(x, wide), b.CreateZExt(y, wide));
  result = b.CreateAdd(result, b.CreateZExt(in, wide));
  if (f.has("cc"))
    b.CreateStore(b.CreateTrunc(b.CreateLShr(result, t.bits), b.getInt1Ty()),
                  carrySlot());
  f.write(op, op.operands[0], b.CreateTrunc(result, f.bitsType(t.bits)));
}

/// dp4a: four products of bytes; dp2a: two of half words and the low or high
/// bytes. The types are those of the two vectors.
void IntegerEmitter::emitDotProduct(Op op) {
  bool isBytes = op.opcode == "dp4a";
  unsigned bits = isBytes ? 8 : 16, count = 32 / bits;
  std::vector<ScalarType> both = f.types();
  Value *x = f.readWord(op, op.operands[1]),
        *y = f.readWord(op, op.operands[2]);
  Value *sum = f.readWord(op, op.operands[3]);
  auto part = [&](Value *value, unsigned shift, unsigned width, bool isSigned) {
    Value *narrow =
        b.CreateTrunc(b.CreateLShr(value, shift), f.bitsType(width));
    return isSigned ? b.CreateSExt(narrow, b.getInt32Ty())
                    : b.CreateZExt(narrow, b.getInt32Ty());
  };
  unsigned first = !isBytes && f.has("hi") ? 16 : 0;
  for (unsigned i = 0; i < count; ++i)
    sum = b.CreateAdd(
        sum, b.CreateMul(part(x, i * bits, bits, both[0].isSigned()),
                         part(y, first + i * 8, 8, both[1].isSigned())));
  f.write(op, op.operands[0], sum);
}

/// vabsdiff2 and vabsdiff4: of each part, or with .add their sum and a word.
/// The differences of signed parts are those of numbers, cut to the part.
void IntegerEmitter::emitAbsoluteDifferences(Op op) {
  unsigned bits = op.opcode == "vabsdiff4" ? 8 : 16;
  std::vector<ScalarType> all = f.types();
  Value *x = f.readWord(op, op.operands[1]),
        *y = f.readWord(op, op.operands[2]);
  Value *last = f.readWord(op, op.operands[3]);
  auto part = [&](Value *value, unsigned shift, bool isSigned) {
    Value *narrow = b.CreateTrunc(b.CreateLShr(value, shift), f.bitsType(bits));
    return isSigned ? b.CreateSExt(narrow, b.getInt32Ty())
                    : b.CreateZExt(narrow, b.getInt32Ty());
  };
  Value *result = f.has("add") ? last : b.getInt32(0);
  for (unsigned shift = 0; shift < 32; shift += bits) {
    Value *difference =
        b.CreateBinaryIntrinsic(llvm::Intrinsic::abs,
                                b.CreateSub(part(x, shift, all[1].isSigned()),
                                            part(y, shift, all[2].isSigned())),
                                b.getFalse());
    if (f.has("add"))
      result = b.CreateAdd(result, difference);
    else
      result = b.CreateOr(
          result,
          b.CreateShl(b.CreateAnd(difference, (1u << bits) - 1), shift));
  }
  f.write(op, op.operands[0], result);
}
