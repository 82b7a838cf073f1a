//===- ReductionPlan.cpp - How a block reduces ----------------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ReductionPlan.h"

#include "Codegen/Match/NeutralElement.h"
#include "CollapseLoops.h"
#include "KernelLimits.h"
#include "LoopSteps.h"
#include "hetero/Codegen/Arithmetic/ExpandElementTypes.h"
#include "mlir/Analysis/SliceAnalysis.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::hetero;

/// Shorter reductions run in a thread. One along the lanes of a warp saves
/// scattered accesses as well, so that it is worth it sooner.
static constexpr int64_t kShortestRow = kWarpSize, kShortestColumn = 64;

/// So many threads with a result each keep a device busy.
static constexpr int64_t kManyResults = 8192;

/// The elements that a thread reduces at least before another joins.
static constexpr int64_t kElementsPerThread = 8;

static constexpr int64_t kMostWarps = 32, kUsualWarps = 8;

/// A device is busy with so many blocks, each of which reduces at least so many
/// elements: 16 per thread.
static constexpr int64_t kManyBlocks = 216, kElementsPerBlock = 16384;

Operation *mlir::hetero::findCombiner(linalg::LinalgOp op) {
  if (op.getNumDpsInits() != 1)
    return nullptr;
  SmallVector<Operation *> combiners;
  if (!matchReduction(op.getRegionOutputArgs(), 0, combiners) ||
      combiners.size() != 1 || combiners[0]->getNumResults() != 1)
    return nullptr;
  Type type = combiners[0]->getResult(0).getType();
  bool fitsShuffle =
      type.isIndex() || (type.isIntOrFloat() &&
                         type.getIntOrFloatBitWidth() <= 64 && !isFloat8(type));
  return fitsShuffle ? combiners[0] : nullptr;
}

/// True if iterations of `loop` next to each other access neither the same
/// element of the operand nor ones next to each other.
static bool isScattered(linalg::LinalgOp op, OpOperand &operand,
                        unsigned loop) {
  AffineMap map = op.getMatchingIndexingMap(&operand);
  if (!map.isFunctionOfDim(loop))
    return false;
  ArrayRef<int64_t> shape = op.getShape(&operand);
  bool isFastest = true;
  for (auto [result, size] :
       llvm::reverse(llvm::zip_equal(map.getResults(), shape))) {
    std::optional<int64_t> distance = getCoefficient(map, result, loop);
    if (!distance || std::abs(*distance) > isFastest)
      return true;
    isFastest &= size == 1;
  }
  return false;
}

/// The loop of `loops` for the lanes of a warp, with how many inputs it
/// scatters. Of equals the last, which is the innermost.
static std::pair<int64_t, int64_t> chooseLaneLoop(linalg::LinalgOp op,
                                                  ArrayRef<unsigned> loops) {
  std::pair<int64_t, int64_t> best(-1, std::numeric_limits<int64_t>::max());
  for (unsigned loop : loops) {
    int64_t scattered =
        llvm::count_if(op.getDpsInputOperands(), [&](OpOperand *input) {
          return isScattered(op, *input, loop);
        });
    if (op.getStaticLoopRanges()[loop] != 1 && scattered <= best.second)
      best = {loop, scattered};
  }
  return best;
}

/// `loops` with `last` at the end, if it is among them.
static SmallVector<unsigned> moveToEnd(ArrayRef<unsigned> loops, int64_t last) {
  SmallVector<unsigned> order(loops);
  llvm::stable_sort(
      order, [&](unsigned a, unsigned b) { return a != last && b == last; });
  return order;
}

static int64_t chooseWarps(std::optional<int64_t> elements,
                           bool lanesAlongResults) {
  if (!elements)
    return kUsualWarps;
  int64_t threads = llvm::divideCeil(*elements, kElementsPerThread);
  int64_t warps =
      lanesAlongResults ? threads : llvm::divideCeil(threads, kWarpSize);
  return std::clamp<int64_t>(warps, 1, kMostWarps);
}

/// Few results of many elements each are shared by blocks.
static int64_t chooseParts(std::optional<int64_t> elements,
                           std::optional<int64_t> results) {
  if (!elements || !results || *results == 0)
    return 1;
  return std::max<int64_t>(
      std::min(kManyBlocks / *results, *elements / kElementsPerBlock), 1);
}

std::optional<ReductionPlan> mlir::hetero::planReduction(linalg::LinalgOp op) {
  SmallVector<unsigned> parallel, reductions;
  op.getParallelDims(parallel);
  op.getReductionDims(reductions);
  ReductionPlan plan;
  plan.combiner = findCombiner(op);
  if (reductions.empty() || !plan.combiner || op.hasIndexSemantics())
    return std::nullopt;
  plan.neutral = getNeutralElement(plan.combiner);
  AffineMap map = op.getMatchingIndexingMap(op.getDpsInitOperand(0));
  if (!plan.neutral || llvm::any_of(reductions, [&](unsigned loop) {
        return map.isFunctionOfDim(loop);
      }))
    return std::nullopt;

  std::optional<int64_t> elements = countStatically(op, reductions);
  std::optional<int64_t> results = countStatically(op, parallel);
  auto [reductionLane, reductionScatter] = chooseLaneLoop(op, reductions);
  auto [resultLane, resultScatter] = chooseLaneLoop(op, parallel);
  bool fewResults = results && *results < kWarpSize;
  bool manyResults = !results || *results >= kManyResults;
  plan.lanesAlongResults = !fewResults && resultScatter <= reductionScatter;
  int64_t shortest = plan.lanesAlongResults ? kShortestColumn : kShortestRow;
  if (elements && *elements < shortest)
    return std::nullopt;
  // A thread per result then accesses elements next to each other as well.
  if (manyResults && (plan.lanesAlongResults || reductionScatter != 0))
    return std::nullopt;
  plan.warps = chooseWarps(elements, plan.lanesAlongResults);
  if (!plan.lanesAlongResults)
    plan.parts = chooseParts(elements, results);
  plan.parallel = collapseLoops(op, moveToEnd(parallel, resultLane));
  plan.reductions = collapseLoops(op, moveToEnd(reductions, reductionLane));
  return plan;
}
