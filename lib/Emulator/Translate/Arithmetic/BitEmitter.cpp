//===- BitEmitter.cpp - Logic, shifts and bit fields ----------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Emulator/Translate/Arithmetic/BitEmitter.h"

#include "Emulator/PTX/Lexer.h"
#include "Emulator/Translate/RuleWords.h"
#include "llvm/IR/Intrinsics.h"

using namespace hetero::emulator;
using namespace hetero::emulator::ptx;

llvm::ArrayRef<Rule> BitEmitter::rules() {
  using E = BitEmitter;
  static const Rule table[] = {
      {"and or xor", "pred " BITS, "", "", 3, 3, &E::emitLogic},
      {"not", "pred " BITS, "", "", 2, 2, &E::emitLogic},
      {"cnot", BITS, "", "", 2, 2, &E::emitLogic},
      {"shl", BITS, "", "", 3, 3, &E::emitShift},
      {"shr", BITS " " INTEGERS, "", "", 3, 3, &E::emitShift},
      {"clz popc", "b32 b64", "", "", 2, 2, &E::emitCount},
      {"brev", "b32 b64", "", "", 2, 2, &E::emitCount},
      {"bfind", WORDS, "", "shiftamt", 2, 2, &E::emitCount},
      {"fns", "b32", "", "", 4, 4, &E::emitFindSet},
      {"bfe", WORDS, "", "", 4, 4, &E::emitBitFieldExtract},
      {"bfi", "b32 b64", "", "", 5, 5, &E::emitBitFieldInsert},
      {"lop3", "b32", "", "", 5, 5, &E::emitLop3},
      {"lop3", "b32", "and or", "", 6, 6, &E::emitLop3},
      {"prmt", "b32", "", "f4e b4e rc8 ecl ecr rc16", 4, 4, &E::emitPermute},
      {"shf", "b32", "l r|wrap clamp", "", 4, 4, &E::emitFunnelShift},
      {"bmsk", "b32", "clamp wrap", "", 3, 3, &E::emitMask},
      {"szext", "u32 s32", "clamp wrap", "", 3, 3, &E::emitExtend},
  };
  return table;
}

//===----------------------------------------------------------------------===//
// Logic and shifts
//===----------------------------------------------------------------------===//

/// Shifts by the width or more shift everything out.
llvm::Value *BitEmitter::shiftLeft(Value *value, Value *amount) {
  unsigned bits = value->getType()->getIntegerBitWidth();
  Value *isLarge =
      b.CreateICmpUGE(amount, llvm::ConstantInt::get(amount->getType(), bits));
  Value *shifted =
      b.CreateShl(value, b.CreateZExtOrTrunc(amount, value->getType()));
  return b.CreateSelect(isLarge, llvm::ConstantInt::get(value->getType(), 0),
                        shifted);
}

llvm::Value *BitEmitter::shiftRight(Value *value, Value *amount) {
  unsigned bits = value->getType()->getIntegerBitWidth();
  Value *isLarge =
      b.CreateICmpUGE(amount, llvm::ConstantInt::get(amount->getType(), bits));
  Value *shifted =
      b.CreateLShr(value, b.CreateZExtOrTrunc(amount, value->getType()));
  return b.CreateSelect(isLarge, llvm::ConstantInt::get(value->getType(), 0),
                        shifted);
}

void BitEmitter::emitShift(Op op) {
  ScalarType t = f.type(op);
  Value *x = f.readBits(op, op.operands[1], t);
  Value *amount = f.readWord(op, op.operands[2]);
  if (op.opcode == "shl")
    return f.write(op, op.operands[0], shiftLeft(x, amount));
  if (!t.isSigned())
    return f.write(op, op.operands[0], shiftRight(x, amount));
  Value *most = b.getInt32(t.bits - 1);
  amount = f.intrinsic(llvm::Intrinsic::umin, {amount, most});
  f.write(op, op.operands[0],
          b.CreateAShr(x, b.CreateZExtOrTrunc(amount, x->getType())));
}

void BitEmitter::emitLogic(Op op) {
  ScalarType t = f.type(op);
  auto operand = [&](unsigned index) {
    return t.kind == ScalarType::Pred ? f.readPredicate(op, op.operands[index])
                                      : f.readBits(op, op.operands[index], t);
  };
  Value *x = operand(1), *result;
  if (op.opcode == "not")
    result = b.CreateNot(x);
  else if (op.opcode == "cnot")
    result = b.CreateZExt(b.CreateIsNull(x), x->getType());
  else if (op.opcode == "and")
    result = b.CreateAnd(x, operand(2));
  else if (op.opcode == "or")
    result = b.CreateOr(x, operand(2));
  else
    result = b.CreateXor(x, operand(2));
  f.write(op, op.operands[0], result);
}

/// Any function of three bits: `table` has its value for each of them. d|p
/// also says whether any bit is set, joined with a predicate.
void BitEmitter::emitLop3(Op op) {
  const Operand &table = op.operands[4];
  if (table.kind != Operand::Integer || table.integer > 255)
    f.fail(op, "expected a number from 0 to 255 as the table");
  Value *x[] = {f.readWord(op, op.operands[1]), f.readWord(op, op.operands[2]),
                f.readWord(op, op.operands[3])};
  Value *result = b.getInt32(0);
  for (unsigned row = 0; row < 8; ++row) {
    if (!(table.integer >> row & 1))
      continue;
    Value *term = b.getInt32(~0u);
    for (unsigned i = 0; i < 3; ++i)
      term = b.CreateAnd(term, row >> (2 - i) & 1 ? x[i] : b.CreateNot(x[i]));
    result = b.CreateOr(result, term);
  }
  const Operand &to = op.operands[0];
  bool isPair = to.kind == Operand::Pair;
  if (isPair != (op.operands.size() == 6))
    f.fail(op, "two destinations go with '.and' or '.or' and a predicate");
  f.write(op, isPair ? to.elements[0] : to, result);
  if (isPair)
    f.write(op, to.elements[1],
            f.combine(op, b.CreateIsNotNull(result),
                      f.readPredicate(op, op.operands[5])));
}

/// clz, popc, brev and bfind.
void BitEmitter::emitCount(Op op) {
  ScalarType t = f.type(op);
  Value *x = f.readBits(op, op.operands[1], t);
  if (op.opcode == "brev")
    return f.write(op, op.operands[0],
                   f.intrinsic(llvm::Intrinsic::bitreverse, {x}));
  if (op.opcode == "popc")
    return f.write(op, op.operands[0],
                   b.CreateZExtOrTrunc(f.intrinsic(llvm::Intrinsic::ctpop, {x}),
                                       b.getInt32Ty()));
  // The highest bit that is not the sign.
  if (t.isSigned())
    x = b.CreateXor(x, b.CreateAShr(x, t.bits - 1));
  Value *zeros = b.CreateIntrinsic(llvm::Intrinsic::ctlz, {x->getType()},
                                   {x, b.getFalse()});
  zeros = b.CreateZExtOrTrunc(zeros, b.getInt32Ty());
  if (op.opcode == "clz")
    return f.write(op, op.operands[0], zeros);
  Value *position =
      f.has("shiftamt") ? zeros : b.CreateSub(b.getInt32(t.bits - 1), zeros);
  f.write(op, op.operands[0],
          b.CreateSelect(b.CreateIsNull(x), b.getInt32(~0u), position));
}

void BitEmitter::emitFindSet(Op op) {
  f.write(op, op.operands[0],
          f.callback("heteroPtxFindSet", b.getInt32Ty(),
                     {f.readWord(op, op.operands[1]),
                      f.readWord(op, op.operands[2]),
                      f.readWord(op, op.operands[3])}));
}

//===----------------------------------------------------------------------===//
// Bit fields
//===----------------------------------------------------------------------===//

/// Positions and lengths: the low byte counts.
llvm::Value *BitEmitter::byteOf(Op op, const Operand &operand, Type *type) {
  Value *byte = b.CreateAnd(f.readWord(op, operand), b.getInt32(255));
  return b.CreateZExtOrTrunc(byte, type);
}

/// bfe: `length` bits from `position` on, sign-extended for signed types.
void BitEmitter::emitBitFieldExtract(Op op) {
  ScalarType t = f.type(op);
  Value *x = f.readBits(op, op.operands[1], t);
  Type *type = x->getType();
  Value *position = byteOf(op, op.operands[2], type);
  Value *length = byteOf(op, op.operands[3], type);
  auto number = [&](uint64_t n) { return llvm::ConstantInt::get(type, n); };
  Value *mask = b.CreateSub(shiftLeft(number(1), length), number(1));
  // Beyond the value there are copies of its sign.
  Value *top = number(t.bits - 1);
  Value *shifted =
      t.isSigned()
          ? b.CreateAShr(x, f.intrinsic(llvm::Intrinsic::umin, {position, top}))
          : shiftRight(x, position);
  Value *result = b.CreateAnd(shifted, mask);
  if (t.isSigned()) {
    // The sign is the field's highest bit, or the value's if that lies beyond.
    Value *last = b.CreateSub(b.CreateAdd(position, length), number(1));
    last = f.intrinsic(llvm::Intrinsic::umin, {last, top});
    Value *sign = b.CreateAnd(b.CreateLShr(x, last), number(1));
    Value *extended = b.CreateOr(result, b.CreateNot(mask));
    result = b.CreateSelect(b.CreateIsNull(sign), result, extended);
    result = b.CreateSelect(b.CreateIsNull(length), number(0), result);
  }
  f.write(op, op.operands[0], result);
}

/// bfi: the low `length` bits of the first value replace those of the second
/// from `position` on.
void BitEmitter::emitBitFieldInsert(Op op) {
  ScalarType t = f.type(op);
  Value *field = f.readBits(op, op.operands[1], t);
  Value *into = f.readBits(op, op.operands[2], t);
  Type *type = field->getType();
  Value *position = byteOf(op, op.operands[3], type);
  Value *length = byteOf(op, op.operands[4], type);
  Value *one = llvm::ConstantInt::get(type, 1);
  Value *mask = b.CreateSub(shiftLeft(one, length), one);
  mask = shiftLeft(mask, position);
  f.write(op, op.operands[0],
          b.CreateOr(b.CreateAnd(shiftLeft(field, position), mask),
                     b.CreateAnd(into, b.CreateNot(mask))));
}

/// bmsk: ones from a position on, as many as the width says. `.wrap` takes
/// both modulo 32.
void BitEmitter::emitMask(Op op) {
  Value *position = f.readWord(op, op.operands[1]);
  Value *width = f.readWord(op, op.operands[2]);
  if (f.has("wrap")) {
    position = b.CreateAnd(position, b.getInt32(31));
    width = b.CreateAnd(width, b.getInt32(31));
  }
  Value *ones = b.getInt32(~0u);
  Value *field = b.CreateNot(shiftLeft(ones, width));
  f.write(op, op.operands[0], shiftLeft(field, position));
}

/// szext: extends a number of so many bits to 32.
void BitEmitter::emitExtend(Op op) {
  Value *x = f.readWord(op, op.operands[1]),
        *width = f.readWord(op, op.operands[2]);
  if (f.has("wrap"))
    width = b.CreateAnd(width, b.getInt32(31));
  width = f.intrinsic(llvm::Intrinsic::umin, {width, b.getInt32(32)});
  Value *unused = b.CreateSub(b.getInt32(32), width);
  Value *shifted = shiftLeft(x, unused);
  Value *most = f.intrinsic(llvm::Intrinsic::umin, {unused, b.getInt32(31)});
  f.write(op, op.operands[0],
          f.type(op).isSigned() ? b.CreateAShr(shifted, most)
                                : shiftRight(shifted, unused));
}

/// shf: shifts a pair of words and keeps the upper (left) or lower (right) one.
void BitEmitter::emitFunnelShift(Op op) {
  Value *low = f.readWord(op, op.operands[1]);
  Value *high = f.readWord(op, op.operands[2]);
  Value *amount = f.readWord(op, op.operands[3]);
  bool isLeft = f.has("l");
  Value *result =
      f.intrinsic(isLeft ? llvm::Intrinsic::fshl : llvm::Intrinsic::fshr,
                  {high, low, amount});
  if (f.has("clamp"))
    result = b.CreateSelect(b.CreateICmpUGE(amount, b.getInt32(32)),
                            isLeft ? low : high, result);
  f.write(op, op.operands[0], result);
}

//===----------------------------------------------------------------------===//
// Bytes
//===----------------------------------------------------------------------===//

/// Byte `position` of prmt's result in a mode, as a number of a byte of the
/// pair, for the four values of the selector.
static unsigned permuteIndex(Name mode, unsigned selector, unsigned position) {
  if (mode == "f4e")
    return selector + position;
  if (mode == "b4e")
    return (selector + 8 - position) % 8;
  if (mode == "rc8")
    return selector;
  if (mode == "ecl")
    return std::max(selector, position);
  if (mode == "ecr")
    return std::min(selector, position);
  return (selector % 2) * 2 + position % 2; // rc16
}

/// prmt: each nibble of the selector picks a byte of the pair, or its sign;
/// in the other modes the low two bits pick all four.
void BitEmitter::emitPermute(Op op) {
  auto *wide = b.getInt64Ty();
  Value *low = b.CreateZExt(f.readWord(op, op.operands[1]), wide);
  Value *high = b.CreateZExt(f.readWord(op, op.operands[2]), wide);
  Value *bytes = b.CreateOr(low, b.CreateShl(high, 32));
  Value *selector = f.readWord(op, op.operands[3]);
  Name mode = op.modifiers.size() == 2 ? op.modifiers[1] : Name();
  Value *result = b.getInt32(0);
  for (unsigned i = 0; i < 4; ++i) {
    Value *index, *wantsSign = b.getFalse();
    if (mode.empty()) {
      Value *nibble = b.CreateLShr(selector, 4 * i);
      index = b.CreateAnd(nibble, b.getInt32(7));
      wantsSign = b.CreateIsNotNull(b.CreateAnd(nibble, b.getInt32(8)));
    } else {
      // The four indices stand in the nibbles of a number.
      uint32_t table = 0;
      for (unsigned value = 0; value < 4; ++value)
        table |= permuteIndex(mode, value, i) << 4 * value;
      Value *nibble = b.CreateShl(b.CreateAnd(selector, b.getInt32(3)), 2);
      index =
          b.CreateAnd(b.CreateLShr(b.getInt32(table), nibble), b.getInt32(7));
    }
    Value *shift = b.CreateShl(b.CreateZExt(index, wide), 3);
    Value *byte = b.CreateTrunc(b.CreateLShr(bytes, shift), b.getInt8Ty());
    byte = b.CreateSelect(wantsSign, b.CreateAShr(byte, 7), byte);
    result = b.CreateOr(result,
                        b.CreateShl(b.CreateZExt(byte, b.getInt32Ty()), 8 * i));
  }
  f.write(op, op.operands[0], result);
}
