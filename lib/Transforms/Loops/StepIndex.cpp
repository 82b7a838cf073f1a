//===- StepIndex.cpp - The number of a loop's step ------------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Front ends let indices count from the end and clamp them, since their
// operations do:
//
//   %0 = arith.index_cast %i : index to i64      // %i from 0 to 64
//   %1 = arith.cmpi slt, %0, %c0_i64
//   %2 = arith.addi %0, %c64_i64
//   %3 = arith.select %1, %2, %0
//   %4 = arith.minsi %3, %c63_i64
//
// All of this is %i.
//
//===----------------------------------------------------------------------===//

#include "StepIndex.h"

#include "Transforms/Checks/ValueRanges.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Interfaces/Utils/InferIntRangeCommon.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::hetero;

/// Longer computations are not followed.
static constexpr unsigned kMaxDepth = 12;

static Value simplify(Value value, unsigned depth);

static ConstantIntRanges getSimpleRange(Value value, unsigned depth) {
  // The simpler value has the range of its own type.
  unsigned width = ConstantIntRanges::getStorageBitwidth(value.getType());
  ConstantIntRanges range = getRange(simplify(value, depth));
  return ConstantIntRanges::fromSigned(range.smin().sextOrTrunc(width),
                                       range.smax().sextOrTrunc(width));
}

/// What a comparison always is, if it is.
static std::optional<bool> decide(Value condition, unsigned depth) {
  auto compare = condition.getDefiningOp<arith::CmpIOp>();
  if (!compare || !compare.getLhs().getType().isIntOrIndex())
    return std::nullopt;
  return intrange::evaluatePred(
      static_cast<intrange::CmpPredicate>(compare.getPredicate()),
      getSimpleRange(compare.getLhs(), depth),
      getSimpleRange(compare.getRhs(), depth));
}

/// The operand that a minimum or maximum always is, or null.
static Value pickBound(Operation *op, intrange::CmpPredicate isFirst,
                       unsigned depth) {
  Value first = op->getOperand(0), second = op->getOperand(1);
  std::optional<bool> picked = intrange::evaluatePred(
      isFirst, getSimpleRange(first, depth), getSimpleRange(second, depth));
  return !picked ? Value() : *picked ? first : second;
}

/// What is added to zero, or null.
static Value pickTerm(arith::AddIOp op) {
  auto isZero = [](Value value) {
    std::optional<APInt> constant = getRange(value).getConstantValue();
    return constant && constant->isZero();
  };
  if (isZero(op.getRhs()))
    return op.getLhs();
  return isZero(op.getLhs()) ? op.getRhs() : Value();
}

/// The operand of a conversion to a type that has all that it may be, or null.
static Value pickSource(Operation *cast) {
  Value source = cast->getOperand(0);
  unsigned width =
      ConstantIntRanges::getStorageBitwidth(cast->getResult(0).getType());
  ConstantIntRanges range = getRange(source);
  bool isKept = range.smin().getSignificantBits() <= width &&
                range.smax().getSignificantBits() <= width;
  return isKept ? source : Value();
}

static Value simplify(Value value, unsigned depth) {
  Operation *op = value.getDefiningOp();
  if (!op || depth == kMaxDepth || !value.getType().isIntOrIndex())
    return value;
  Value simpler =
      llvm::TypeSwitch<Operation *, Value>(op)
          .Case([&](arith::SelectOp select) {
            std::optional<bool> isTrue =
                decide(select.getCondition(), depth + 1);
            return !isTrue   ? Value()
                   : *isTrue ? select.getTrueValue()
                             : select.getFalseValue();
          })
          .Case([&](arith::MinSIOp) {
            return pickBound(op, intrange::CmpPredicate::sle, depth + 1);
          })
          .Case([&](arith::MaxSIOp) {
            return pickBound(op, intrange::CmpPredicate::sge, depth + 1);
          })
          .Case([&](arith::AddIOp add) { return pickTerm(add); })
          .Case<arith::IndexCastOp, arith::ExtSIOp, arith::TruncIOp>(
              [&](Operation *cast) { return pickSource(cast); })
          .Default([](Operation *) { return Value(); });
  return simpler ? simplify(simpler, depth + 1) : value;
}

Value mlir::hetero::simplifyIndex(Value value) { return simplify(value, 0); }
