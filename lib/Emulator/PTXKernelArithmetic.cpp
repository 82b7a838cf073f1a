//===- PTXKernelArithmetic.cpp - Arithmetic, comparison and conversion ----===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PTXKernel.h"

#include "hetero/Emulator/PTXLexer.h"
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

llvm::Value *KernelTranslator::saturate(Value *value) {
  Type *type = value->getType();
  Value *low = intrinsic(llvm::Intrinsic::maxnum, {value, splat(type, 0)});
  return intrinsic(llvm::Intrinsic::minnum, {low, splat(type, 1)});
}

//===----------------------------------------------------------------------===//
// Integers
//===----------------------------------------------------------------------===//

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

bool KernelTranslator::integerOp(Op op) {
  static const std::set<Name> known = {"add", "sub", "mul", "mad", "div",
                                       "rem", "min", "max", "abs", "neg"};
  if (!known.count(op.opcode))
    return false;
  ScalarType t = type(op);
  if (t.isFloat() || has("cc") || has("sat"))
    return false;
  bool isSigned = t.isSigned();
  Value *x = read(op, op.operands[1], t), *result;
  Value *y = op.operands.size() > 2 ? read(op, op.operands[2], t) : nullptr;
  if (op.opcode == "add")
    result = b.CreateAdd(x, y);
  else if (op.opcode == "sub")
    result = b.CreateSub(x, y);
  else if (op.opcode == "div" || op.opcode == "rem")
    result = divide(b, x, y, isSigned, op.opcode == "rem");
  else if (op.opcode == "min" || op.opcode == "max")
    result = intrinsic(
        op.opcode == "min"
            ? (isSigned ? llvm::Intrinsic::smin : llvm::Intrinsic::umin)
            : (isSigned ? llvm::Intrinsic::smax : llvm::Intrinsic::umax),
        {x, y});
  else if (op.opcode == "neg")
    result = b.CreateNeg(x);
  else if (op.opcode == "abs")
    result = b.CreateSelect(
        b.CreateICmpSLT(x, llvm::ConstantInt::get(x->getType(), 0)),
        b.CreateNeg(x), x);
  else {
    unsigned bits = t.bits;
    auto *wide = bitsType(2 * bits);
    Value *product =
        isSigned ? b.CreateMul(b.CreateSExt(x, wide), b.CreateSExt(y, wide))
                 : b.CreateMul(b.CreateZExt(x, wide), b.CreateZExt(y, wide));
    result = has("wide") ? product
             : has("hi")
                 ? b.CreateTrunc(b.CreateLShr(product, bits), x->getType())
                 : b.CreateTrunc(product, x->getType());
    if (op.opcode == "mad") {
      ScalarType sum = t;
      sum.bits = result->getType()->getIntegerBitWidth();
      result = b.CreateAdd(result, read(op, op.operands[3], sum));
    }
  }
  write(op, op.operands[0], result, isSigned);
  return true;
}

/// bfe: `length` bits from `position` on, sign-extended for signed types.
void KernelTranslator::emitBitField(Op op) {
  ScalarType t = type(op), word;
  Value *x = readBits(op, op.operands[1], t);
  auto *wide = b.getInt64Ty();
  Value *bits = b.getInt64(t.bits), *zero = b.getInt64(0);
  auto byteOf = [&](const Operand &operand) {
    return b.CreateZExt(
        b.CreateAnd(readBits(op, operand, word), b.getInt32(255)), wide);
  };
  Value *position = byteOf(op.operands[2]), *length = byteOf(op.operands[3]);
  auto shiftRight = [&](Value *value, Value *amount) {
    Value *isLarge = b.CreateICmpUGE(amount, bits);
    Value *safe = b.CreateSelect(isLarge, zero, amount);
    return b.CreateSelect(isLarge, zero, b.CreateLShr(value, safe));
  };
  Value *value = b.CreateZExt(x, wide);
  Value *isWhole = b.CreateICmpUGE(length, bits);
  Value *safe = b.CreateSelect(isWhole, zero, length);
  Value *mask = b.CreateSelect(
      isWhole, b.getInt64(~0ull),
      b.CreateSub(b.CreateShl(b.getInt64(1), safe), b.getInt64(1)));
  Value *result = b.CreateAnd(shiftRight(value, position), mask);
  if (t.isSigned()) {
    Value *last = b.CreateSub(b.CreateAdd(position, length), b.getInt64(1));
    Value *top = b.CreateSub(bits, b.getInt64(1));
    last = b.CreateSelect(b.CreateICmpULT(last, top), last, top);
    Value *sign = b.CreateAnd(b.CreateLShr(value, last), b.getInt64(1));
    Value *extended = b.CreateOr(result, b.CreateNot(mask));
    result = b.CreateSelect(b.CreateICmpNE(sign, zero), extended, result);
    result = b.CreateSelect(b.CreateICmpEQ(length, zero), zero, result);
  }
  write(op, op.operands[0], b.CreateTrunc(result, x->getType()));
}

/// prmt: each nibble of the selector picks a byte of the pair, or its sign.
void KernelTranslator::emitPermute(Op op) {
  ScalarType word;
  if (op.modifiers.size() != 1)
    fail(op, "this mode");
  Value *low = b.CreateZExt(readBits(op, op.operands[1], word), b.getInt64Ty());
  Value *high =
      b.CreateZExt(readBits(op, op.operands[2], word), b.getInt64Ty());
  Value *bytes = b.CreateOr(low, b.CreateShl(high, 32));
  Value *selector = readBits(op, op.operands[3], word);
  Value *result = b.getInt32(0);
  for (unsigned i = 0; i < 4; ++i) {
    Value *nibble = b.CreateLShr(selector, 4 * i);
    Value *index =
        b.CreateZExt(b.CreateAnd(nibble, b.getInt32(7)), b.getInt64Ty());
    Value *byte = b.CreateTrunc(b.CreateLShr(bytes, b.CreateShl(index, 3)),
                                b.getInt8Ty());
    Value *wantsSign =
        b.CreateICmpNE(b.CreateAnd(nibble, b.getInt32(8)), b.getInt32(0));
    byte = b.CreateSelect(wantsSign, b.CreateAShr(byte, 7), byte);
    result = b.CreateOr(result,
                        b.CreateShl(b.CreateZExt(byte, b.getInt32Ty()), 8 * i));
  }
  write(op, op.operands[0], result);
}

/// shf: shifts a pair of words and keeps the upper (left) or lower (right) one.
void KernelTranslator::emitFunnelShift(Op op) {
  ScalarType word;
  Value *low = readBits(op, op.operands[1], word);
  Value *high = readBits(op, op.operands[2], word);
  Value *amount = readBits(op, op.operands[3], word);
  bool isLeft = has("l");
  Value *result =
      intrinsic(isLeft ? llvm::Intrinsic::fshl : llvm::Intrinsic::fshr,
                {high, low, amount});
  if (has("clamp"))
    result = b.CreateSelect(b.CreateICmpUGE(amount, b.getInt32(32)),
                            isLeft ? low : high, result);
  write(op, op.operands[0], result);
}

bool KernelTranslator::bitOp(Op op) {
  Name name = op.opcode;
  if (name == "bfe") {
    emitBitField(op);
    return true;
  }
  if (name == "prmt") {
    emitPermute(op);
    return true;
  }
  if (name == "shf") {
    emitFunnelShift(op);
    return true;
  }
  if (name == "setp" || name == "set") {
    emitSetp(op);
    return true;
  }
  if (name == "selp") {
    ScalarType t = type(op);
    write(op, op.operands[0],
          b.CreateSelect(readPredicate(op, op.operands[3]),
                         readBits(op, op.operands[1], t),
                         readBits(op, op.operands[2], t)));
    return true;
  }
  static const std::set<Name> known = {"and", "or",  "xor",  "not", "shl",
                                       "shr", "clz", "popc", "brev"};
  if (!known.count(name))
    return false;
  ScalarType t = type(op);
  Value *x = t.kind == ScalarType::Pred ? readPredicate(op, op.operands[1])
                                        : readBits(op, op.operands[1], t);
  Value *result;
  if (name == "not")
    result = b.CreateNot(x);
  else if (name == "clz")
    result = b.CreateIntrinsic(llvm::Intrinsic::ctlz, {x->getType()},
                               {x, b.getFalse()});
  else if (name == "popc")
    result = intrinsic(llvm::Intrinsic::ctpop, {x});
  else if (name == "brev")
    result = intrinsic(llvm::Intrinsic::bitreverse, {x});
  else if (name == "shl" || name == "shr") {
    // Shifts by more than the width shift everything out.
    ScalarType word;
    Value *amount = readBits(op, op.operands[2], word);
    Value *isLarge = b.CreateICmpUGE(amount, b.getInt32(t.bits));
    Value *clamped = b.CreateZExtOrTrunc(
        b.CreateSelect(isLarge, b.getInt32(t.bits - 1), amount), x->getType());
    Value *zero = llvm::ConstantInt::get(x->getType(), 0);
    if (name == "shl")
      result = b.CreateSelect(isLarge, zero, b.CreateShl(x, clamped));
    else if (t.isSigned())
      result = b.CreateAShr(x, clamped);
    else
      result = b.CreateSelect(isLarge, zero, b.CreateLShr(x, clamped));
  } else {
    Value *y = t.kind == ScalarType::Pred ? readPredicate(op, op.operands[2])
                                          : readBits(op, op.operands[2], t);
    result = name == "and"  ? b.CreateAnd(x, y)
             : name == "or" ? b.CreateOr(x, y)
                            : b.CreateXor(x, y);
  }
  write(op, op.operands[0], result);
  return true;
}

//===----------------------------------------------------------------------===//
// Floating point
//===----------------------------------------------------------------------===//

/// 2^x, log2 x and the like: approximate on a GPU, exact here.
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

bool KernelTranslator::floatOp(Op op) {
  if (types().empty() || !type(op).isFloat())
    return false;
  ScalarType t = type(op);
  Name name = op.opcode;
  bool directed = has("rz") || has("rm") || has("rp");
  std::vector<Value *> x;
  for (size_t i = 1; i < op.operands.size(); ++i)
    x.push_back(read(op, op.operands[i], t));
  Value *result;
  if (directed) {
    if (t.bits != 32 || t.elements != 1 ||
        (name != "fma" && name != "add" && name != "mul" && name != "sub"))
      fail(op, "this rounding");
    result = callback(
        has("rz")   ? "heteroPtxFmaRz"
        : has("rm") ? "heteroPtxFmaRm"
                    : "heteroPtxFmaRp",
        b.getFloatTy(),
        {x[0], name == "fma" || name == "mul" ? x[1] : splat(b.getFloatTy(), 1),
         name == "fma"   ? x[2]
         : name == "mul" ? splat(b.getFloatTy(), -0.0)
         : name == "sub" ? b.CreateFNeg(x[1])
                         : x[1]});
  } else if (name == "add")
    result = b.CreateFAdd(x[0], x[1]);
  else if (name == "sub")
    result = b.CreateFSub(x[0], x[1]);
  else if (name == "mul")
    result = b.CreateFMul(x[0], x[1]);
  else if (name == "div")
    result = b.CreateFDiv(x[0], x[1]);
  else if (name == "fma" || name == "mad")
    result = intrinsic(llvm::Intrinsic::fma, x);
  else if (name == "abs")
    result = intrinsic(llvm::Intrinsic::fabs, x);
  else if (name == "neg")
    result = b.CreateFNeg(x[0]);
  else if (name == "min" || name == "max") {
    bool isMin = name == "min";
    result = intrinsic(has("NaN") ? (isMin ? llvm::Intrinsic::minimum
                                           : llvm::Intrinsic::maximum)
                                  : (isMin ? llvm::Intrinsic::minimumnum
                                           : llvm::Intrinsic::maximumnum),
                       x);
  } else if (name == "sqrt")
    result = intrinsic(llvm::Intrinsic::sqrt, x);
  else if (name == "rcp")
    result = b.CreateFDiv(splat(x[0]->getType(), 1), x[0]);
  else if (name == "rsqrt")
    result = b.CreateFDiv(splat(x[0]->getType(), 1),
                          intrinsic(llvm::Intrinsic::sqrt, x));
  else if (name == "copysign")
    result = intrinsic(llvm::Intrinsic::copysign, {x[1], x[0]});
  else if (ID id = transcendental(name))
    result = intrinsic(id, x);
  else
    return false;
  if (has("sat"))
    result = saturate(result);
  write(op, op.operands[0], result);
  return true;
}

//===----------------------------------------------------------------------===//
// Comparison
//===----------------------------------------------------------------------===//

llvm::Value *KernelTranslator::compare(Op op, Name relation, ScalarType type,
                                       Value *x, Value *y) {
  using P = llvm::CmpInst::Predicate;
  struct Row {
    Name name;
    P ordered, isSigned, isUnsigned;
  };
  static const Row rows[] = {
      {"eq", P::FCMP_OEQ, P::ICMP_EQ, P::ICMP_EQ},
      {"ne", P::FCMP_ONE, P::ICMP_NE, P::ICMP_NE},
      {"lt", P::FCMP_OLT, P::ICMP_SLT, P::ICMP_ULT},
      {"le", P::FCMP_OLE, P::ICMP_SLE, P::ICMP_ULE},
      {"gt", P::FCMP_OGT, P::ICMP_SGT, P::ICMP_UGT},
      {"ge", P::FCMP_OGE, P::ICMP_SGE, P::ICMP_UGE},
      {"lo", P::BAD_FCMP_PREDICATE, P::ICMP_ULT, P::ICMP_ULT},
      {"ls", P::BAD_FCMP_PREDICATE, P::ICMP_ULE, P::ICMP_ULE},
      {"hi", P::BAD_FCMP_PREDICATE, P::ICMP_UGT, P::ICMP_UGT},
      {"hs", P::BAD_FCMP_PREDICATE, P::ICMP_UGE, P::ICMP_UGE},
      {"equ", P::FCMP_UEQ, P::BAD_ICMP_PREDICATE, P::BAD_ICMP_PREDICATE},
      {"neu", P::FCMP_UNE, P::BAD_ICMP_PREDICATE, P::BAD_ICMP_PREDICATE},
      {"ltu", P::FCMP_ULT, P::BAD_ICMP_PREDICATE, P::BAD_ICMP_PREDICATE},
      {"leu", P::FCMP_ULE, P::BAD_ICMP_PREDICATE, P::BAD_ICMP_PREDICATE},
      {"gtu", P::FCMP_UGT, P::BAD_ICMP_PREDICATE, P::BAD_ICMP_PREDICATE},
      {"geu", P::FCMP_UGE, P::BAD_ICMP_PREDICATE, P::BAD_ICMP_PREDICATE},
      {"num", P::FCMP_ORD, P::BAD_ICMP_PREDICATE, P::BAD_ICMP_PREDICATE},
      {"nan", P::FCMP_UNO, P::BAD_ICMP_PREDICATE, P::BAD_ICMP_PREDICATE}};
  for (const Row &row : rows) {
    if (row.name != relation)
      continue;
    P predicate = type.isFloat()    ? row.ordered
                  : type.isSigned() ? row.isSigned
                                    : row.isUnsigned;
    if (predicate == P::BAD_FCMP_PREDICATE ||
        predicate == P::BAD_ICMP_PREDICATE)
      break;
    return b.CreateCmp(predicate, x, y);
  }
  fail(op, "the relation");
}

void KernelTranslator::emitSetp(Op op) {
  ScalarType t = type(op);
  Name relation = op.modifiers.front();
  if (t.elements != 1 || op.opcode == "set")
    fail(op);
  Value *result = compare(op, relation, t, read(op, op.operands[1], t),
                          read(op, op.operands[2], t));
  Value *other = nullptr;
  if (op.operands.size() > 3) {
    Value *c = readPredicate(op, op.operands[3]);
    auto join = [&](Value *p) {
      return has("and")  ? b.CreateAnd(p, c)
             : has("or") ? b.CreateOr(p, c)
                         : b.CreateXor(p, c);
    };
    other = join(b.CreateNot(result));
    result = join(result);
  } else {
    other = b.CreateNot(result);
  }
  const Operand &to = op.operands[0];
  bool isPair = to.kind == Operand::Pair;
  write(op, isPair ? to.elements[0] : to, result);
  if (isPair)
    write(op, to.elements[1], other);
}

//===----------------------------------------------------------------------===//
// Conversion
//===----------------------------------------------------------------------===//

llvm::Value *KernelTranslator::convert(Op op, Value *value, ScalarType from,
                                       ScalarType to) {
  Type *type = valueType(to);
  if (from.isFloat() && to.isFloat()) {
    if (has("rzi"))
      value = intrinsic(llvm::Intrinsic::trunc, {value});
    else if (has("rni"))
      value = intrinsic(llvm::Intrinsic::roundeven, {value});
    else if (has("rmi"))
      value = intrinsic(llvm::Intrinsic::floor, {value});
    else if (has("rpi"))
      value = intrinsic(llvm::Intrinsic::ceil, {value});
    if (from.bits == to.bits && from.kind != to.kind)
      value = b.CreateFPExt(value, b.getFloatTy());
    value = b.CreateFPCast(value, type);
    return has("sat") ? saturate(value) : value;
  }
  if (from.isFloat()) {
    ID round = has("rni")   ? llvm::Intrinsic::roundeven
               : has("rmi") ? llvm::Intrinsic::floor
               : has("rpi") ? llvm::Intrinsic::ceil
                            : llvm::Intrinsic::trunc;
    value = intrinsic(round, {value});
    return b.CreateIntrinsic(to.isSigned() ? llvm::Intrinsic::fptosi_sat
                                           : llvm::Intrinsic::fptoui_sat,
                             {type, value->getType()}, {value});
  }
  if (to.isFloat())
    return from.isSigned() ? b.CreateSIToFP(value, type)
                           : b.CreateUIToFP(value, type);
  if (has("sat"))
    fail(op, "saturation of integers");
  return from.isSigned() ? b.CreateSExtOrTrunc(value, type)
                         : b.CreateZExtOrTrunc(value, type);
}

void KernelTranslator::emitCvt(Op op) {
  std::vector<ScalarType> both = types();
  if (both.size() != 2)
    fail(op);
  ScalarType to = both[0], from = both[1];
  if (has("rz") || has("rm") || has("rp") || has("rna"))
    fail(op, "this rounding");
  if (to.elements == 2) {
    // Two values into one register, the first into the high half.
    ScalarType half = to;
    half.elements = 1;
    Value *pair = llvm::PoisonValue::get(valueType(to));
    for (unsigned i = 0; i < 2; ++i)
      pair = b.CreateInsertElement(
          pair, convert(op, read(op, op.operands[1 + i], from), from, half),
          1 - i);
    return write(op, op.operands[0], pair);
  }
  Value *result = convert(op, read(op, op.operands[1], from), from, to);
  write(op, op.operands[0], result, to.isSigned());
}
