//===- ComparisonEmitter.cpp - Comparison and selection -------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Emulator/Translate/Arithmetic/ComparisonEmitter.h"

#include "Emulator/Translate/RuleWords.h"
#include "llvm/IR/Intrinsics.h"

using namespace hetero::emulator;
using namespace hetero::emulator::ptx;

llvm::ArrayRef<Rule> ComparisonEmitter::rules() {
  using E = ComparisonEmitter;
  static const Rule table[] = {
      {"setp", SCALARS " " HALVES " " BHALVES, RELATIONS, "and or xor ftz", 3,
       4, &E::emitSetp},
      {"set", SCALARS " " HALVES " " BHALVES, RELATIONS, "and or xor ftz", 3, 4,
       &E::emitSet, 2},
      {"selp", SCALARS, "", "", 4, 4, &E::emitSelp},
      {"slct", SCALARS, "", "ftz", 4, 4, &E::emitSlct, 2},
      {"testp", "f32 f64", "finite infinite number notanumber normal subnormal",
       "", 2, 2, &E::emitTestp},
  };
  return table;
}

llvm::Value *ComparisonEmitter::compare(Op op, Name relation, ScalarType type,
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
  f.fail(op, "the relation '" + std::string(relation) + "' of this type");
}

/// The comparison of operands 1 and 2 in the type that stands last.
llvm::Value *ComparisonEmitter::comparison(Op op) {
  ScalarType t = f.type(op);
  auto operand = [&](size_t index) {
    return t.isFloat() ? floats.readFloat(op, op.operands[index], t)
                       : f.read(op, op.operands[index], t);
  };
  Value *x = operand(1), *y = operand(2);
  return compare(op, op.modifiers.front(), t, x, y);
}

llvm::Value *ComparisonEmitter::joinedPredicate(Op op) {
  bool joins = f.has("and") || f.has("or") || f.has("xor");
  if (joins != (op.operands.size() == 4))
    f.fail(op, joins ? "expected a predicate as the fourth operand"
                     : "a fourth operand needs '.and', '.or' or '.xor'");
  return joins ? f.readPredicate(op, op.operands[3]) : nullptr;
}

/// p|q: the result and its opposite, or those of the two halves.
void ComparisonEmitter::emitSetp(Op op) {
  bool isPacked = f.type(op).elements == 2;
  Value *result = comparison(op), *with = joinedPredicate(op);
  const Operand &to = op.operands[0];
  bool isPair = to.kind == Operand::Pair;
  Value *first = f.combine(op, result, with), *second = first;
  if (isPacked) {
    first = b.CreateExtractElement(first, uint64_t(0));
    second = b.CreateExtractElement(second, 1);
  } else {
    second = f.combine(op, b.CreateNot(result), with);
  }
  f.write(op, isPair ? to.elements[0] : to, first);
  if (isPair)
    f.write(op, to.elements[1], second);
}

/// All ones, or 1.0, where the comparison holds.
void ComparisonEmitter::emitSet(Op op) {
  ScalarType to = f.types()[0], from = f.types()[1];
  if (from.elements == 2 && !to.isFloat()) // Half words of ones.
    to = {ScalarType::Bits, 16, 2};
  if (to.elements != from.elements)
    f.fail(op, "a packed and a scalar type");
  Value *result = f.combine(op, comparison(op), joinedPredicate(op));
  Type *type = f.valueType(to);
  Value *yes = to.isFloat() ? floats.splat(type, 1)
                            : llvm::Constant::getAllOnesValue(type);
  f.write(op, op.operands[0],
          b.CreateSelect(result, yes, llvm::Constant::getNullValue(type)));
}

void ComparisonEmitter::emitSelp(Op op) {
  ScalarType t = f.type(op);
  f.write(op, op.operands[0],
          b.CreateSelect(f.readPredicate(op, op.operands[3]),
                         f.readBits(op, op.operands[1], t),
                         f.readBits(op, op.operands[2], t)));
}

/// The first value where the third is at least zero.
void ComparisonEmitter::emitSlct(Op op) {
  ScalarType t = f.types()[0], selector = f.types()[1];
  Value *c = selector.isFloat() ? floats.readFloat(op, op.operands[3], selector)
                                : f.read(op, op.operands[3], selector);
  Value *zero = llvm::Constant::getNullValue(c->getType());
  Value *isFirst =
      selector.isFloat() ? b.CreateFCmpOGE(c, zero) : b.CreateICmpSGE(c, zero);
  f.write(op, op.operands[0],
          b.CreateSelect(isFirst, f.readBits(op, op.operands[1], t),
                         f.readBits(op, op.operands[2], t)));
}

/// testp: what kind of number it is.
void ComparisonEmitter::emitTestp(Op op) {
  static const std::pair<Name, llvm::FPClassTest> classes[] = {
      {"finite", llvm::fcFinite}, {"infinite", llvm::fcInf},
      {"number", ~llvm::fcNan},   {"notanumber", llvm::fcNan},
      {"normal", llvm::fcNormal}, {"subnormal", llvm::fcSubnormal}};
  Value *x = f.read(op, op.operands[1], f.type(op));
  for (const auto &[name, test] : classes)
    if (f.has(name))
      f.write(op, op.operands[0], b.createIsFPClass(x, test));
}
