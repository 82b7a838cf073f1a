//===- FiltersToLanes.cpp - Vectors along constants -----------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   %y = conv(%x : tensor<1x512x9x9xf32>, %w : tensor<512x512x3x3xf32>)
//        outs(%z : tensor<1x512x7x7xf32>)
//
// has vectors along the rows of the image, of seven elements. Its filters are
// 512, and where they are constants, the compiler can put them next to each
// other:
//
//   %s = conv(%x, %w) outs(%zeros : tensor<1x7x7x512xf32>)
//   %y = transpose(%s : tensor<1x7x7x512xf32>)
//
// with vectors of 16 filters.
//
//===----------------------------------------------------------------------===//

#include "FiltersToLanes.h"

#include "Codegen/CPU/Plan/ConstantPanels.h"
#include "Codegen/CPU/Plan/VectorPlan.h"
#include "Codegen/Match/NeutralElement.h"
#include "ImageLayouts.h"
#include "LayoutCosts.h"
#include "ResultOrder.h"

using namespace mlir;
using namespace mlir::hetero;

/// By how much fewer vectors must be needed, and the least steps of the sums,
/// for the results to be worth another order.
static constexpr double kMinGain = 1.08;
static constexpr int64_t kMinSteps = 64;

/// The loop along which a constant can be in vectors that are fuller than those
/// along the result's last dimension; -1 for none.
static int findFilterLoop(linalg::GenericOp op, const CPUTarget &target) {
  if (op.getNumDpsInputs() != 2 || op.getNumDpsInits() != 1 ||
      !getCombiner(op, 0))
    return -1;
  std::optional<VectorPlan> plan = planVectorLoops(op, target);
  // Groups of products take turns where they are, or not at all.
  if (!plan || plan->is<LaneSums>() || !plan->panels.prepared.empty() ||
      plan->narrow)
    return -1;
  SmallVector<int64_t> sizes = op.getStaticLoopRanges();
  int64_t steps = 1;
  for (auto [size, iterator] :
       llvm::zip_equal(sizes, op.getIteratorTypesArray())) {
    if (ShapedType::isDynamic(size))
      return -1;
    steps *= iterator == utils::IteratorType::reduction ? size : 1;
  }
  if (steps < kMinSteps)
    return -1;
  // A shorter vector is a part of one.
  int64_t lanes = target.vectorBits /
                  getElementTypeOrSelf(op.getType(0)).getIntOrFloatBitWidth();
  double share = getShareOfLanes(sizes[plan->vectorLoop], lanes);
  for (OpOperand *input : op.getDpsInputOperands())
    for (unsigned loop = 0; loop < op.getNumLoops(); ++loop) {
      OpOperand *other = op.getDpsInputOperand(1 - input->getOperandNumber());
      if (op.getIteratorTypesArray()[loop] == utils::IteratorType::parallel &&
          !op.getMatchingIndexingMap(input).isFunctionOfDim(plan->vectorLoop) &&
          !op.getMatchingIndexingMap(other).isFunctionOfDim(loop) &&
          getShareOfLanes(sizes[loop], lanes) >= kMinGain * share &&
          findConstantPart(op, input, loop))
        return loop;
    }
  return -1;
}

/// Computes `op` with `loop` in the last dimension of its result.
static void moveLast(RewriterBase &rewriter, linalg::GenericOp op,
                     unsigned loop) {
  rewriter.setInsertionPoint(op);
  Location loc = op.getLoc();
  AffineMap map = op.getMatchingIndexingMap(op.getDpsInitOperand(0));
  AffineExpr moved = getAffineDimExpr(loop, op.getContext());
  SmallVector<AffineExpr> exprs, places;
  SmallVector<int64_t> shape;
  auto type = cast<RankedTensorType>(op.getType(0));
  auto append = [&](unsigned dim) {
    exprs.push_back(map.getResult(dim));
    places.push_back(rewriter.getAffineDimExpr(dim));
    shape.push_back(type.getDimSize(dim));
  };
  for (unsigned dim = 0; dim < map.getNumResults(); ++dim)
    if (map.getResult(dim) != moved)
      append(dim);
  append(*map.getResultPosition(moved));
  MLIRContext *context = op.getContext();
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  maps.back() = AffineMap::get(op.getNumLoops(), 0, exprs, context);
  Value init =
      createFilled(rewriter, loc, shape, getNeutralElement(getCombiner(op, 0)));
  auto sums = linalg::GenericOp::create(rewriter, loc, init.getType(),
                                        op.getDpsInputs(), init, maps,
                                        op.getIteratorTypesArray());
  rewriter.cloneRegionBefore(op.getRegion(), sums.getRegion(),
                             sums.getRegion().end());
  replaceBySums(rewriter, op, sums.getResult(0),
                AffineMap::get(shape.size(), 0, places, context));
}

LogicalResult mlir::hetero::moveFiltersToLanes(Operation *root) {
  CPUTarget target = CPUTarget::get(root);
  SmallVector<linalg::GenericOp> ops;
  root->walk([&](linalg::GenericOp op) { ops.push_back(op); });
  IRRewriter rewriter(root->getContext());
  for (linalg::GenericOp op : ops)
    if (int loop = findFilterLoop(op, target); loop >= 0)
      moveLast(rewriter, op, loop);
  return success();
}
