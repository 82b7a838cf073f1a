//===- RegisterPlan.cpp - What is held in registers ----------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RegisterPlan.h"

#include "Access.h"
#include "PanelPlan.h"
#include "TransposePlan.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::hetero;

/// Rows that one pass reads at a time: as many as a processor fetches ahead,
/// for a load and a store of the result.
static constexpr int64_t kPassSteps = 8;

/// The same for its order to matter where nothing shares it: a good part of the
/// second-level cache.
static constexpr int64_t kMinStreamedBytes = 256 * 1024;

/// The loop along which an input that is scattered along the vector loop is
/// contiguous, as in a transpose: a block of both stays in the nearest cache.
static std::optional<unsigned> findBlockLoop(linalg::GenericOp op,
                                             unsigned vectorLoop) {
  SmallVector<utils::IteratorType> iterators = op.getIteratorTypesArray();
  for (OpOperand *input : op.getDpsInputOperands())
    if (isa<RankedTensorType>(input->get().getType()) &&
        classifyAccess(op, input, vectorLoop) == AccessKind::Scattered)
      for (unsigned loop : llvm::reverse(llvm::seq(op.getNumLoops())))
        if (loop != vectorLoop &&
            iterators[loop] == utils::IteratorType::parallel &&
            classifyAccess(op, input, loop) == AccessKind::Contiguous)
          return loop;
  return std::nullopt;
}

/// How many vectors next to each other: blocks of about the same width of at
/// most `most`, for what is left is a block, too.
static int64_t chooseVectors(int64_t size, int64_t lanes, int64_t most) {
  if (ShapedType::isDynamic(size))
    return most;
  int64_t count = std::max<int64_t>(1, size / lanes);
  for (int64_t vectors = most; vectors > most / 2; --vectors)
    if (count % vectors == 0)
      return vectors;
  return llvm::divideCeil(count, llvm::divideCeil(count, most));
}

/// A register tile of rows that share vectors: accumulators take three quarters
/// of the registers, and as many vectors next to each other as leave none over.
static void planSharedVectors(int64_t size, unsigned rowLoop,
                              const CPUTarget &target, VectorPlan &plan) {
  int64_t accumulators = target.vectorRegisters * 3 / 4;
  // Eight rows of three read fewer bytes in each step than six of four.
  SmallVector<int64_t> widths = {3, 4, 2};
  if (accumulators < 24)
    widths = {2, 3};
  int64_t usual = accumulators < 24 ? 2 : 3;
  plan.vectors = usual;
  if (!ShapedType::isDynamic(size)) {
    int64_t count = std::max<int64_t>(1, size / plan.lanes);
    auto exact = llvm::find_if(
        widths, [&](int64_t width) { return count % width == 0; });
    plan.vectors =
        exact != widths.end() ? *exact : std::min<int64_t>(usual, count);
    // Two that are left over cost less than two everywhere.
    if (plan.vectors == 2 && usual == 3 && count > 2 && count % usual == 2)
      plan.vectors = usual;
  }
  plan.rows = {rowLoop, std::min<int64_t>(plan.vectors == 1 ? 16 : 12,
                                          accumulators / plan.vectors)};
}

/// Chooses rows and vectors of a reduction.
static void planSums(linalg::GenericOp op, const CPUTarget &target,
                     VectorPlan &plan) {
  int64_t size = op.getStaticLoopRanges()[plan.vectorLoop];
  int64_t accumulators = target.vectorRegisters / 2;
  bool isOfLanes = plan.is<LaneSums>();
  std::optional<unsigned> loop =
      findRowLoop(op, plan.vectorLoop, /*ofVectors=*/true);
  if (loop && !isOfLanes)
    return planSharedVectors(size, *loop, target, plan);
  if (loop) {
    plan.vectors = chooseVectors(size, plan.lanes, 2);
    plan.rows = {*loop, 4};
    return planLaneTile(op, target, plan);
  }
  if (!isOfLanes)
    loop = findRowLoop(op, plan.vectorLoop, /*ofVectors=*/false);
  plan.vectors = chooseVectors(size, plan.lanes,
                               loop        ? 2
                               : isOfLanes ? 4
                                           : accumulators);
  if (loop)
    plan.rows = {*loop, accumulators / (2 * plan.vectors)};
}

void mlir::hetero::planRegisters(linalg::GenericOp op, const CPUTarget &target,
                                 VectorPlan &plan) {
  bool isSum = op.getNumReductionLoops() != 0;
  if (isSum)
    planSums(op, target, plan);
  else if (std::optional<unsigned> loop = findBlockLoop(op, plan.vectorLoop))
    plan.rows = {*loop, 16};
  // Blocks of rows of about the same height; those of a transpose are as high
  // as they are wide.
  int64_t size = plan.rows ? op.getStaticLoopRanges()[plan.rows->loop] : 0;
  if (size > 0 && (isSum || size < plan.rows->count)) {
    int64_t blocks = llvm::divideCeil(size, plan.rows->count);
    plan.rows->count = llvm::divideCeil(size, blocks);
  }
}

void mlir::hetero::planPasses(linalg::GenericOp op, const CPUTarget &target,
                              VectorPlan &plan) {
  if (plan.rows || plan.is<LaneSums>() || !plan.panels.prepared.empty() ||
      op.getNumReductionLoops() != 1)
    return;
  for (OpOperand *input : op.getDpsInputOperands())
    if (readsTensor(op, input) &&
        classifyAccess(op, input, plan.vectorLoop) == AccessKind::Contiguous &&
        !getReductionLoops(op, input).empty() &&
        isWorthPacking(op, input, plan, kMinStreamedBytes)) {
      plan.form = Passes{kPassSteps};
      plan.vectors = chooseVectors(op.getStaticLoopRanges()[plan.vectorLoop],
                                   plan.lanes, target.vectorRegisters / 8);
      return;
    }
}

void mlir::hetero::planInnerTile(linalg::GenericOp op, const CPUTarget &target,
                                 VectorPlan &plan) {
  SmallVector<int64_t> sizes = op.getStaticLoopRanges();
  int64_t accumulators = target.vectorRegisters * 3 / 4;
  int64_t count = accumulators < 24 ? 2 : 3;
  int64_t rows = accumulators / count;
  if (!plan.inner || plan.is<LaneSums>() || plan.vectors != 1 ||
      plan.rows->count < rows || plan.scalarTail ||
      sizes[plan.inner->loop] < count)
    return;
  plan.inner->count = count;
  plan.rows->count = rows;
}

void mlir::hetero::planInnerLoop(linalg::GenericOp op, VectorPlan &plan) {
  if (!plan.rows || plan.inner || plan.is<LaneSums>() ||
      !plan.panels.packed.empty() || !plan.panels.prepared.empty() ||
      op.getNumReductionLoops() == 0)
    return;
  int64_t ofRows = 0, ofVectors = 0;
  for (OpOperand *input : op.getDpsInputOperands()) {
    if (!readsTensor(op, input))
      continue;
    bool hasRows =
        op.getMatchingIndexingMap(input).isFunctionOfDim(plan.rows->loop);
    int64_t &bytes = hasRows ? ofRows : ofVectors;
    bytes = std::max(bytes, getKnownBytes(input->get()));
  }
  if (ofRows < kMinStreamedBytes || ofRows == INT64_MAX || ofVectors > ofRows)
    return;
  for (unsigned loop : llvm::reverse(llvm::seq(op.getNumLoops())))
    if (loop != plan.rows->loop && loop != plan.vectorLoop &&
        op.getIteratorTypesArray()[loop] == utils::IteratorType::parallel &&
        llvm::all_of(op.getDpsInputOperands(), [&](OpOperand *input) {
          AffineMap map = op.getMatchingIndexingMap(input);
          return !map.isFunctionOfDim(plan.rows->loop) ||
                 !map.isFunctionOfDim(loop);
        })) {
      plan.inner = {loop, 1};
      return;
    }
}
