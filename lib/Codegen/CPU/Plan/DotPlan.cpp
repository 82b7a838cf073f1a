//===- DotPlan.cpp - Sums of products of narrow elements ------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One operand of a product is read in vectors, whose lanes are made of what
// several steps of the reduction read; of the other one, which is broadcast,
// the elements of these steps must be next to each other:
//
//   sums[n] += A[m, k] * B[k, n] + A[m, k + 1] * B[k + 1, n]
//
// Where both are read along the reduction, groups are what lanes have anyway.
//
//===----------------------------------------------------------------------===//

#include "DotPlan.h"

#include "Access.h"
#include "ConstantPanels.h"
#include "TransposePlan.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::hetero;

/// Lanes of the shortest vectors that there are instructions for.
static constexpr int64_t kMinSums = 4;

/// The input that `value` is a wider form of, and whether it has a sign; null
/// for anything else.
static std::pair<OpOperand *, bool> matchWidened(linalg::GenericOp op,
                                                 Value value) {
  Operation *extend = value.getDefiningOp();
  if (!isa_and_nonnull<arith::ExtFOp, arith::ExtSIOp, arith::ExtUIOp>(extend))
    return {nullptr, false};
  auto argument = dyn_cast<BlockArgument>(extend->getOperand(0));
  if (!argument || argument.getOwner() != op.getBody() ||
      argument.getArgNumber() >= op.getNumDpsInputs())
    return {nullptr, false};
  return {op.getDpsInputOperand(argument.getArgNumber()),
          isa<arith::ExtSIOp>(extend)};
}

/// Narrow elements for a lane of `wide`; 0 if there are no such products.
static int64_t getGroup(Type narrow, Type wide) {
  if (narrow.isBF16() && wide.isF32())
    return 2;
  return narrow.isInteger(8) && wide.isInteger(32) ? 4 : 0;
}

std::optional<NarrowProduct>
mlir::hetero::matchNarrowProduct(linalg::GenericOp op) {
  if (op.getNumDpsInputs() != 2 || op.getNumDpsInits() != 1 ||
      op.getNumReductionLoops() == 0 ||
      llvm::range_size(op.getBody()->without_terminator()) != 4)
    return std::nullopt;
  Operation *sum = op.getBody()->getTerminator()->getOperand(0).getDefiningOp();
  if (!isa_and_nonnull<arith::AddFOp, arith::AddIOp>(sum))
    return std::nullopt;
  Value old = op.getRegionOutputArgs().front();
  Value term = sum->getOperand(sum->getOperand(0) == old ? 1 : 0);
  Operation *multiply = term.getDefiningOp();
  if (!llvm::is_contained(sum->getOperands(), old) ||
      !isa_and_nonnull<arith::MulFOp, arith::MulIOp>(multiply))
    return std::nullopt;
  NarrowProduct product;
  std::tie(product.lhs, product.lhsSigned) =
      matchWidened(op, multiply->getOperand(0));
  std::tie(product.rhs, product.rhsSigned) =
      matchWidened(op, multiply->getOperand(1));
  if (!product.lhs || !product.rhs || product.lhs == product.rhs)
    return std::nullopt;
  Type narrow = getElementTypeOrSelf(product.lhs->get().getType());
  if (narrow != getElementTypeOrSelf(product.rhs->get().getType()))
    return std::nullopt;
  product.group = getGroup(narrow, old.getType());
  if (product.lhsSigned && !product.rhsSigned) {
    std::swap(product.lhs, product.rhs);
    std::swap(product.lhsSigned, product.rhsSigned);
  }
  return product.group ? std::optional(product) : std::nullopt;
}

bool mlir::hetero::hasInstruction(const NarrowProduct &product,
                                  const CPUTarget &target) {
  return product.isFloat() ? target.dotsBF16 : target.dotsI8;
}

/// The product if it is worth taking in groups.
static std::optional<NarrowProduct> matchDot(linalg::GenericOp op,
                                             const CPUTarget &target,
                                             const VectorPlan &plan) {
  std::optional<NarrowProduct> product = matchNarrowProduct(op);
  if (!product || plan.scalarTail ||
      (!product->isFloat() && !hasInstruction(*product, target)))
    return std::nullopt;
  // What changes if the elements of one operand do is a sum over the other's.
  if (!product->isDot())
    for (OpOperand *input : {product->lhs, product->rhs})
      if (getReductionLoops(op, input).size() != op.getNumReductionLoops())
        return std::nullopt;
  return product;
}

/// True if what is left over of full groups is not most of the loop.
static bool isLongEnough(linalg::GenericOp op, unsigned loop, int64_t group) {
  int64_t size = op.getStaticLoopRanges()[loop];
  return ShapedType::isDynamic(size) || size >= 2 * group;
}

void mlir::hetero::planLaneDots(linalg::GenericOp op, const CPUTarget &target,
                                VectorPlan &plan) {
  std::optional<NarrowProduct> product = matchDot(op, target, plan);
  if (!product || !plan.is<LaneSums>() ||
      !isLongEnough(op, plan.vectorLoop, product->group))
    return;
  for (OpOperand *input : {product->lhs, product->rhs})
    if (classifyAccess(op, input, plan.vectorLoop) != AccessKind::Contiguous)
      return;
  int64_t most = target.vectorBits / 32 * product->group;
  int64_t size = op.getStaticLoopRanges()[plan.vectorLoop];
  plan.narrow = {plan.vectorLoop, product->group, std::nullopt};
  plan.lanes = most;
  if (!ShapedType::isDynamic(size) && size < most)
    plan.lanes =
        std::max<int64_t>(kMinSums * product->group, llvm::PowerOf2Ceil(size));
  if (!product->isDot())
    plan.narrow->flipped = product->lhs->getOperandNumber();
}

/// Leaves registers for both halves of the vectors and of a word, made wider,
/// and for the mask.
static void makeRoom(const CPUTarget &target, VectorPlan &plan) {
  int64_t accumulators = target.vectorRegisters - 2 * plan.vectors - 3;
  plan.rows->count =
      std::clamp<int64_t>(accumulators / plan.vectors, 1, plan.rows->count);
}

void mlir::hetero::planRowDots(linalg::GenericOp op, const CPUTarget &target,
                               VectorPlan &plan) {
  std::optional<NarrowProduct> product = matchDot(op, target, plan);
  if (!product || !plan.rows)
    return;
  if (plan.is<LaneSums>()) {
    // The sum over what all rows read serves all of them.
    if (plan.narrow && plan.narrow->flipped &&
        classifyAccess(op, op.getDpsInputOperand(*plan.narrow->flipped),
                       plan.rows->loop) == AccessKind::Invariant)
      plan.narrow->flipped = 1 - *plan.narrow->flipped;
    return;
  }
  OpOperand *vectors = product->lhs, *words = product->rhs;
  if (classifyAccess(op, vectors, plan.vectorLoop) == AccessKind::Invariant)
    std::swap(vectors, words);
  bool areVectors =
      classifyAccess(op, vectors, plan.vectorLoop) == AccessKind::Contiguous ||
      findConstantPart(op, vectors, plan.vectorLoop);
  if (classifyAccess(op, vectors, plan.rows->loop) != AccessKind::Invariant ||
      classifyAccess(op, words, plan.vectorLoop) != AccessKind::Invariant)
    return;
  for (unsigned loop : getReductionLoops(op, words))
    if (classifyAccess(op, words, loop) == AccessKind::Contiguous &&
        op.getMatchingIndexingMap(vectors).isFunctionOfDim(loop) &&
        (areVectors ||
         findTransposedLoop(op, vectors, plan.vectorLoop) == loop) &&
        isLongEnough(op, loop, product->group)) {
      plan.narrow = {loop, product->group, std::nullopt};
      // In panels, it is done once for all rows.
      if (!product->isDot())
        plan.narrow->flipped = vectors->getOperandNumber();
      if (!hasInstruction(*product, target))
        makeRoom(target, plan);
      return;
    }
}
