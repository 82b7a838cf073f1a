//===- ValueRanges.cpp - What integers are between ------------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Upstream's analysis follows values through control flow, and stops at regions
// of other operations. Here the way leads on through these:
//
//   %r = hetero.execute "f" on gpu:0 (%a = %x : tensor<4xi32>, ...) ... {
//     %0 = linalg.generic ... ins(%a : tensor<4xi32>) {
//     ^bb0(%number: i32, ...):
//
// %number is between the elements of the constant %x.
//
//===----------------------------------------------------------------------===//

#include "ValueRanges.h"

#include "hetero/Dialect/Hetero/IR/HeteroDialect.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/LoopLikeInterface.h"

using namespace mlir;
using namespace mlir::hetero;

/// Longer computations are not followed.
static constexpr unsigned kMaxRangeDepth = 8;

static unsigned getWidth(Value value) {
  return ConstantIntRanges::getStorageBitwidth(
      getElementTypeOrSelf(value.getType()));
}

static ConstantIntRanges getAnyRange(Value value) {
  return ConstantIntRanges::maxRange(getWidth(value));
}

/// An iteration's index is below the number of iterations.
static ConstantIntRanges getIndexRange(linalg::IndexOp op) {
  auto structured = op->getParentOfType<linalg::LinalgOp>();
  int64_t size = structured.getStaticLoopRanges()[op.getDim()];
  unsigned width = ConstantIntRanges::getStorageBitwidth(op.getType());
  APInt last = ShapedType::isDynamic(size) ? APInt::getSignedMaxValue(width)
                                           : APInt(width, size ? size - 1 : 0);
  return ConstantIntRanges::range(APInt::getZero(width), last,
                                  /*isSigned=*/true);
}

static std::optional<ConstantIntRanges>
getConstantRange(DenseIntElementsAttr elements) {
  if (elements.empty())
    return std::nullopt;
  if (elements.isSplat())
    return ConstantIntRanges::constant(elements.getSplatValue<APInt>());
  std::optional<ConstantIntRanges> range;
  for (const APInt &element : elements.getValues<APInt>()) {
    ConstantIntRanges one = ConstantIntRanges::constant(element);
    range = range ? range->rangeUnion(one) : one;
  }
  return range;
}

/// What a value is a copy, or what tensor it is a part, of; null if it is none.
static Value getSource(OpResult value) {
  Operation *op = value.getOwner();
  if (isa<CopyOp, tensor::CastOp, tensor::ExtractSliceOp, tensor::ExtractOp,
          tensor::ExpandShapeOp, tensor::CollapseShapeOp, vector::BroadcastOp,
          linalg::BroadcastOp, linalg::TransposeOp, linalg::FillOp>(op))
    return op->getOperand(0);
  return {};
}

/// Upstream divides by what a divisor may be, also by 0.
static bool mayDivideByZero(Operation *op) {
  auto apply = dyn_cast<affine::AffineApplyOp>(op);
  bool isFound = false;
  if (apply)
    apply.getAffineMap().walkExprs([&](AffineExpr expr) {
      auto binary = dyn_cast<AffineBinaryOpExpr>(expr);
      bool divides = binary && (expr.getKind() == AffineExprKind::Mod ||
                                expr.getKind() == AffineExprKind::FloorDiv ||
                                expr.getKind() == AffineExprKind::CeilDiv);
      if (!divides)
        return;
      auto divisor = dyn_cast<AffineConstantExpr>(binary.getRHS());
      isFound |= !divisor || divisor.getValue() == 0;
    });
  return isFound;
}

static ConstantIntRanges getResultRange(OpResult value, unsigned depth) {
  if (Value source = getSource(value))
    return getRange(source, depth + 1);
  auto op = dyn_cast<InferIntRangeInterface>(value.getOwner());
  ConstantIntRanges range = getAnyRange(value);
  if (!op || mayDivideByZero(op))
    return range;
  SmallVector<ConstantIntRanges> operands;
  for (Value operand : op->getOperands()) {
    if (!getElementTypeOrSelf(operand.getType()).isIntOrIndex())
      return range;
    operands.push_back(getRange(operand, depth + 1));
  }
  op.inferResultRanges(operands, [&](Value result, ConstantIntRanges inferred) {
    if (result == value)
      range = inferred;
  });
  return range;
}

/// From the first to before the last iteration of a loop, whose steps are more
/// than 0.
static ConstantIntRanges getLoopRange(LoopLikeOpInterface loop,
                                      BlockArgument value, unsigned depth) {
  ConstantIntRanges any = getAnyRange(value);
  std::optional<SmallVector<Value>> variables = loop.getLoopInductionVars();
  auto lower = loop.getLoopLowerBounds(), upper = loop.getLoopUpperBounds();
  auto counted = dyn_cast<scf::ForOp>(loop.getOperation());
  if (!variables || !lower || !upper || (counted && counted.getUnsignedCmp()))
    return any;
  auto getBound = [&](OpFoldResult bound) {
    std::optional<int64_t> constant = getConstantIntValue(bound);
    return constant
               ? ConstantIntRanges::constant(APInt(
                     any.umin().getBitWidth(), *constant, /*isSigned=*/true))
               : getRange(cast<Value>(bound), depth + 1);
  };
  for (auto [index, variable] : llvm::enumerate(*variables)) {
    if (variable != value)
      continue;
    APInt first = getBound((*lower)[index]).smin(),
          end = getBound((*upper)[index]).smax();
    return first.slt(end)
               ? ConstantIntRanges::range(first, end - 1, /*isSigned=*/true)
               : any;
  }
  return any;
}

static ConstantIntRanges getArgumentRange(BlockArgument value, unsigned depth) {
  Operation *parent = value.getOwner()->getParentOp();
  unsigned number = value.getArgNumber();
  if (auto region = dyn_cast_or_null<ExecuteOp>(parent))
    return getRange(region.getInputs()[number], depth + 1);
  if (auto structured = dyn_cast_or_null<linalg::LinalgOp>(parent))
    return number < static_cast<unsigned>(structured.getNumDpsInputs()) &&
                   structured.hasPureTensorSemantics()
               ? getRange(structured.getDpsInputs()[number], depth + 1)
               : getAnyRange(value);
  auto loop = dyn_cast_or_null<LoopLikeOpInterface>(parent);
  return loop ? getLoopRange(loop, value, depth) : getAnyRange(value);
}

ConstantIntRanges mlir::hetero::getRange(Value value, unsigned depth) {
  if (APInt constant; matchPattern(value, m_ConstantInt(&constant)))
    return ConstantIntRanges::constant(constant);
  DenseIntElementsAttr elements;
  if (matchPattern(value, m_Constant(&elements)))
    return getConstantRange(elements).value_or(getAnyRange(value));
  if (depth == kMaxRangeDepth ||
      !getElementTypeOrSelf(value.getType()).isIntOrIndex())
    return getAnyRange(value);
  if (auto index = value.getDefiningOp<linalg::IndexOp>())
    return getIndexRange(index);
  if (auto result = dyn_cast<OpResult>(value))
    return getResultRange(result, depth);
  return getArgumentRange(cast<BlockArgument>(value), depth);
}
