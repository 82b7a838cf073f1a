//===- TransposePlan.cpp - Products with transposed operands --------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TransposePlan.h"

#include "Access.h"
#include "DotPlan.h"
#include "hetero/Dialect/Hetero/IR/AttributeNames.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::hetero;

/// Rows that share a panel for which sums along lanes, which read everything
/// where it is, are never better.
static constexpr int64_t kManyRows = 16;

bool mlir::hetero::hasFewRows(linalg::GenericOp op) {
  return op->hasAttr(kFewRowsAttrName);
}

std::optional<unsigned> mlir::hetero::findTransposedLoop(linalg::GenericOp op,
                                                         OpOperand *operand,
                                                         unsigned vectorLoop) {
  if (!isa<RankedTensorType>(operand->get().getType()) ||
      classifyAccess(op, operand, vectorLoop) != AccessKind::Scattered)
    return std::nullopt;
  Type element = getElementTypeOrSelf(operand->get().getType());
  if (!element.isIntOrFloat() || !isWholeInVectors(element))
    return std::nullopt;
  for (unsigned loop : getReductionLoops(op, operand))
    if (classifyAccess(op, operand, loop) == AccessKind::Contiguous)
      return loop;
  return std::nullopt;
}

/// The inputs that would be transposed for vectors along `loop`; none if that
/// is not all that it takes.
static SmallVector<OpOperand *> findTransposed(linalg::GenericOp op,
                                               unsigned loop) {
  SmallVector<OpOperand *> transposed;
  for (OpOperand &init : op.getDpsInitsMutable())
    if (classifyAccess(op, &init, loop) != AccessKind::Contiguous)
      return {};
  for (OpOperand *input : op.getDpsInputOperands()) {
    AccessKind kind = classifyAccess(op, input, loop);
    if (!op.payloadUsesValueFromOperand(input) ||
        kind == AccessKind::Invariant || kind == AccessKind::Contiguous)
      continue;
    if (!findTransposedLoop(op, input, loop))
      return {};
    transposed.push_back(input);
  }
  return transposed;
}

/// Steps of the reduction; a number that is not known is taken for a large one.
static int64_t countSteps(linalg::GenericOp op) {
  int64_t steps = 1;
  for (auto [size, iterator] :
       llvm::zip_equal(op.getStaticLoopRanges(), op.getIteratorTypesArray()))
    if (iterator == utils::IteratorType::reduction &&
        (ShapedType::isDynamic(size) || llvm::MulOverflow(steps, size, steps)))
      return INT64_MAX;
  return steps;
}

/// True if a number in all lanes takes an instruction of its own, which sums
/// along lanes do without.
static bool isBroadcastSlow(const CPUTarget &target) {
  return target.vectorBits <= 128 && target.vectorRegisters <= 16;
}

/// Rows that must share panels. To put the lanes of a sum together takes as
/// long as some steps of it, so of short sums a few rows are enough; if what is
/// not next to each other were read element by element, any.
static int64_t getLeastRows(linalg::GenericOp op, const CPUTarget &target,
                            const VectorPlan &plan) {
  if (!plan.is<LaneSums>())
    return 2;
  std::optional<NarrowProduct> product = matchNarrowProduct(op);
  if (isBroadcastSlow(target))
    return product && product->isFloat() ? 2 * kManyRows : INT64_MAX;
  bool isGrouped =
      product && (product->isFloat() || hasInstruction(*product, target));
  // Along lanes, two products of i16 are one instruction everywhere.
  if (product && !isGrouped && target.vectorBits <= 256)
    return INT64_MAX;
  int64_t group = isGrouped ? product->group : 1;
  return std::min<int64_t>(kManyRows, 3 + countSteps(op) / (24 * group));
}

/// True if vectors along `loop` are full enough. Half full ones make up for
/// what short sums along lanes lose.
static bool isWideEnough(linalg::GenericOp op, unsigned loop,
                         const VectorPlan &plan) {
  int64_t size = op.getStaticLoopRanges()[loop];
  bool isShort = !plan.is<LaneSums>() || countSteps(op) <= 8 * plan.lanes;
  return ShapedType::isDynamic(size) || size >= plan.lanes ||
         (isShort && size >= plan.lanes / 2);
}

/// True if all rows share the panel of each of the inputs, and there are enough
/// of them.
static bool areShared(linalg::GenericOp op, unsigned loop, int64_t least,
                      ArrayRef<OpOperand *> inputs) {
  std::optional<unsigned> rowLoop = findRowLoop(op, loop, /*ofVectors=*/true);
  if (!rowLoop)
    return false;
  int64_t rows = op.getStaticLoopRanges()[*rowLoop];
  return least != INT64_MAX && (ShapedType::isDynamic(rows) || rows >= least) &&
         llvm::all_of(inputs, [&](OpOperand *input) {
           return classifyAccess(op, input, *rowLoop) == AccessKind::Invariant;
         });
}

void mlir::hetero::planTransposedPanels(linalg::GenericOp op,
                                        const CPUTarget &target,
                                        VectorPlan &plan) {
  if (op.getNumReductionLoops() == 0 || mayTrap(op) || hasFewRows(op) ||
      (!plan.is<LaneSums>() && !plan.scalarTail))
    return;
  int64_t least = getLeastRows(op, target, plan);
  for (unsigned loop = 0; loop < op.getNumLoops(); ++loop) {
    SmallVector<OpOperand *> transposed = findTransposed(op, loop);
    if (transposed.empty() || !isWideEnough(op, loop, plan) ||
        !areShared(op, loop, least, transposed))
      continue;
    if (plan.is<LaneSums>())
      plan.panels.leastRows = least;
    plan.vectorLoop = loop;
    plan.form = PlainTile();
    plan.scalarTail = false;
    for (OpOperand *input : transposed)
      plan.panels.transposed.push_back(input->getOperandNumber());
    return;
  }
}

/// A parallel loop of which each input that the rows do not share is shared by
/// all iterations.
static std::optional<unsigned> findCrossLoop(linalg::GenericOp op,
                                             unsigned rowLoop) {
  for (unsigned loop : llvm::reverse(llvm::seq(op.getNumLoops())))
    if (loop != rowLoop && op.getStaticLoopRanges()[loop] != 1 &&
        op.getIteratorTypesArray()[loop] == utils::IteratorType::parallel &&
        llvm::all_of(op.getDpsInputOperands(), [&](OpOperand *input) {
          return classifyAccess(op, input, loop) == AccessKind::Invariant ||
                 classifyAccess(op, input, rowLoop) == AccessKind::Invariant;
        }))
      return loop;
  return std::nullopt;
}

void mlir::hetero::planLaneTile(linalg::GenericOp op, const CPUTarget &target,
                                VectorPlan &plan) {
  std::optional<unsigned> loop = findCrossLoop(op, plan.rows->loop);
  if (!loop || op.getNumDpsInits() != 1 || op.getNumDpsInputs() != 2)
    return;
  int64_t accumulators = target.vectorRegisters * 3 / 4;
  // Pairs that are made wider take twice the registers.
  std::optional<NarrowProduct> product = matchNarrowProduct(op);
  if (plan.narrow && !hasInstruction(*product, target))
    accumulators = target.vectorRegisters / 2;
  // Up to eight go through what they read together, and others in blocks.
  int64_t size = op.getStaticLoopRanges()[*loop];
  int64_t most = std::min<int64_t>(8, accumulators / 3);
  int64_t usual = accumulators >= 24 ? 6 : 4;
  int64_t count = usual;
  if (!ShapedType::isDynamic(size))
    count = size <= most
                ? std::max<int64_t>(1, size)
                : llvm::divideCeil(size, llvm::divideCeil(size, usual));
  plan.inner = {*loop, count};
  plan.vectors = 1;
  plan.rows->count = std::min<int64_t>(8, accumulators / count);
}
