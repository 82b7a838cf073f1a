//===- SumPlan.cpp - Long sums in blocks ----------------------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SumPlan.h"

#include "Access.h"
#include "Codegen/Match/Sums.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::hetero;

/// Numbers that an accumulator adds up in f32 where rows share what is loaded.
static constexpr int64_t kRowSteps = 64;

bool mlir::hetero::isBlockedSum(linalg::GenericOp op, unsigned result) {
  if (!op.getRegionOutputArgs()[result].getType().isF32())
    return false;
  return isa_and_nonnull<arith::AddFOp>(getCombiner(op, result));
}

SmallVector<unsigned>
mlir::hetero::findSerialSums(linalg::GenericOp op,
                             const std::optional<VectorPlan> &plan) {
  SmallVector<unsigned> loops, sums;
  op.getReductionDims(loops);
  int64_t steps = 1;
  for (unsigned loop : loops) {
    int64_t size = op.getStaticLoopRanges()[loop];
    if (ShapedType::isDynamic(size) || llvm::MulOverflow(steps, size, steps))
      steps = INT64_MAX;
  }
  if (steps > kSumSteps)
    for (unsigned result = 0; result < op.getNumDpsInits(); ++result)
      if (isFloatSum(op, result) && !(plan && isBlockedSum(op, result)))
        sums.push_back(result);
  return sums;
}

/// The number of terms an accumulator adds in all steps of a loop.
static int64_t countSteps(linalg::GenericOp op, const VectorPlan &plan,
                          unsigned loop) {
  int64_t size = op.getStaticLoopRanges()[loop];
  if (ShapedType::isDynamic(size))
    return size;
  if (loop == plan.vectorLoop)
    return std::max<int64_t>(1, size / (plan.lanes * plan.vectors)) +
           (plan.scalarTail ? size % plan.lanes : 0);
  return loop == plan.getNarrowLoop() ? llvm::divideCeil(size, plan.getGroup())
                                      : size;
}

/// The loops of the sums, from the innermost one.
static SmallVector<unsigned> getSumLoops(linalg::GenericOp op,
                                         const VectorPlan &plan) {
  SmallVector<unsigned> loops;
  op.getReductionDims(loops);
  std::reverse(loops.begin(), loops.end());
  // Vectors along a reduction are inside of the others.
  auto *vector = llvm::find(loops, plan.vectorLoop);
  if (vector != loops.end())
    std::rotate(loops.begin(), vector, vector + 1);
  return loops;
}

void mlir::hetero::planSumBlocks(linalg::GenericOp op, VectorPlan &plan) {
  if (llvm::none_of(llvm::seq(op.getNumDpsInits()),
                    [&](int64_t result) { return isBlockedSum(op, result); }))
    return;
  bool isProduct = llvm::count_if(op.getDpsInputOperands(), [&](auto *input) {
                     return readsTensor(op, input);
                   }) > 1;
  bool isTile = isProduct && plan.rows && (plan.inner || !plan.is<LaneSums>());
  int64_t steps = isTile ? kProductSteps : plan.rows ? kRowSteps : kSumSteps;
  int64_t most = isTile ? kMaxProductSteps : steps, inside = 1;
  std::optional<SumBlocks> blocks;
  for (unsigned loop : getSumLoops(op, plan)) {
    int64_t count = countSteps(op, plan, loop);
    bool isDynamic = ShapedType::isDynamic(count);
    if (!blocks && (isDynamic || inside * count > steps))
      blocks = SumBlocks{loop, std::max<int64_t>(1, steps / inside)};
    if (isDynamic || llvm::MulOverflow(inside, count, inside) ||
        inside > most) {
      plan.sums = blocks;
      break;
    }
  }
  if (plan.sums && plan.is<Passes>())
    plan.sums->steps = plan.getPassSteps();
}
