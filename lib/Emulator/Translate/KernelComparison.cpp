//===- KernelComparison.cpp - Comparison and selection --------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Emulator/Translate/Kernel.h"

#include "llvm/IR/Intrinsics.h"

using namespace hetero::emulator;
using namespace hetero::emulator::ptx;

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
  fail(op, "the relation '" + std::string(relation) + "' of this type");
}

/// Joins with the predicate of a comparison that has one.
llvm::Value *KernelTranslator::combine(Op op, Value *value, Value *with) {
  if (!with)
    return value;
  if (auto *vector = llvm::dyn_cast<llvm::FixedVectorType>(value->getType()))
    with = b.CreateVectorSplat(vector->getNumElements(), with);
  return has("and")  ? b.CreateAnd(value, with)
         : has("or") ? b.CreateOr(value, with)
                     : b.CreateXor(value, with);
}

/// The comparison of operands 1 and 2 in the type that stands last.
llvm::Value *KernelTranslator::comparison(Op op) {
  ScalarType t = type(op);
  auto operand = [&](size_t index) {
    return t.isFloat() ? readFloat(op, op.operands[index], t)
                       : read(op, op.operands[index], t);
  };
  Value *x = operand(1), *y = operand(2);
  return compare(op, op.modifiers.front(), t, x, y);
}

llvm::Value *KernelTranslator::joinedPredicate(Op op) {
  bool joins = has("and") || has("or") || has("xor");
  if (joins != (op.operands.size() == 4))
    fail(op, joins ? "expected a predicate as the fourth operand"
                   : "a fourth operand needs '.and', '.or' or '.xor'");
  return joins ? readPredicate(op, op.operands[3]) : nullptr;
}

/// p|q: the result and its opposite, or those of the two halves.
void KernelTranslator::emitSetp(Op op) {
  bool isPacked = type(op).elements == 2;
  Value *result = comparison(op), *with = joinedPredicate(op);
  const Operand &to = op.operands[0];
  bool isPair = to.kind == Operand::Pair;
  Value *first = combine(op, result, with), *second = first;
  if (isPacked) {
    first = b.CreateExtractElement(first, uint64_t(0));
    second = b.CreateExtractElement(second, 1);
  } else {
    second = combine(op, b.CreateNot(result), with);
  }
  write(op, isPair ? to.elements[0] : to, first);
  if (isPair)
    write(op, to.elements[1], second);
}

/// All ones, or 1.0, where the comparison holds.
void KernelTranslator::emitSet(Op op) {
  ScalarType to = types()[0], from = types()[1];
  if (from.elements == 2 && !to.isFloat()) // Half words of ones.
    to = {ScalarType::Bits, 16, 2};
  if (to.elements != from.elements)
    fail(op, "a packed and a scalar type");
  Value *result = combine(op, comparison(op), joinedPredicate(op));
  Type *type = valueType(to);
  Value *yes =
      to.isFloat() ? splat(type, 1) : llvm::Constant::getAllOnesValue(type);
  write(op, op.operands[0],
        b.CreateSelect(result, yes, llvm::Constant::getNullValue(type)));
}

void KernelTranslator::emitSelp(Op op) {
  ScalarType t = type(op);
  write(op, op.operands[0],
        b.CreateSelect(readPredicate(op, op.operands[3]),
                       readBits(op, op.operands[1], t),
                       readBits(op, op.operands[2], t)));
}

/// The first value where the third is at least zero.
void KernelTranslator::emitSlct(Op op) {
  ScalarType t = types()[0], selector = types()[1];
  Value *c = selector.isFloat() ? readFloat(op, op.operands[3], selector)
                                : read(op, op.operands[3], selector);
  Value *zero = llvm::Constant::getNullValue(c->getType());
  Value *isFirst =
      selector.isFloat() ? b.CreateFCmpOGE(c, zero) : b.CreateICmpSGE(c, zero);
  write(op, op.operands[0],
        b.CreateSelect(isFirst, readBits(op, op.operands[1], t),
                       readBits(op, op.operands[2], t)));
}

/// testp: what kind of number it is.
void KernelTranslator::emitTestp(Op op) {
  static const std::pair<Name, llvm::FPClassTest> classes[] = {
      {"finite", llvm::fcFinite}, {"infinite", llvm::fcInf},
      {"number", ~llvm::fcNan},   {"notanumber", llvm::fcNan},
      {"normal", llvm::fcNormal}, {"subnormal", llvm::fcSubnormal}};
  Value *x = read(op, op.operands[1], type(op));
  for (const auto &[name, test] : classes)
    if (has(name))
      write(op, op.operands[0], b.createIsFPClass(x, test));
}
