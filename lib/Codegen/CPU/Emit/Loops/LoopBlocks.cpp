//===- LoopBlocks.cpp - Loops in blocks, and what is left -----------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LoopBlocks.h"

#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::hetero;

/// The lanes from `index` on that are inside the vector loop.
static Value emitTailMask(LoopNest &nest, Value index, int64_t lanes) {
  OpFoldResult left = nest.apply(nest.symbol(0) - nest.symbol(1),
                                 {nest.sizes[nest.plan.vectorLoop], index});
  Value count = nest.createIndex(left);
  auto type = VectorType::get(lanes, nest.rewriter.getI1Type());
  return vector::CreateMaskOp::create(nest.rewriter, nest.loc, type, count);
}

/// Lanes of the vector that the last `left` elements are in, which is shorter
/// than others.
static int64_t getShortLanes(int64_t left) {
  return std::max<int64_t>(2, llvm::PowerOf2Ceil(left));
}

SmallVector<Value> mlir::hetero::emitVectorBlocks(
    LoopNest &nest, Values carried,
    llvm::function_ref<Values(Values, const TileShape &)> body,
    BlockedSums *sums) {
  const VectorPlan &plan = nest.plan;
  auto emitPart = [&](OpFoldResult lower, OpFoldResult upper, int64_t step,
                      TileShape shape, bool isMasked) {
    auto part = [&](Value index, Values inner) {
      nest.indices[plan.vectorLoop] = index;
      if (isMasked)
        shape.mask = emitTailMask(nest, index, shape.lanes);
      return body(inner, shape);
    };
    carried = sums ? sums->emitLoop(plan.vectorLoop, lower, upper, step,
                                    carried, part)
                   : nest.emitLoop(lower, upper, step, carried, part);
  };
  OpFoldResult size = nest.sizes[plan.vectorLoop];
  OpFoldResult blocks = nest.roundDown(size, plan.lanes * plan.vectors);
  OpFoldResult vectors = nest.roundDown(size, plan.lanes);
  emitPart(nest.index(0), blocks, plan.lanes * plan.vectors,
           {1, plan.vectors, plan.lanes, {}}, false);
  std::optional<int64_t> count = getConstantIntValue(size);
  int64_t rest = count ? *count / plan.lanes % plan.vectors : 1;
  if (plan.vectors > 1 && rest > 0)
    emitPart(blocks, vectors, plan.lanes * rest, {1, rest, plan.lanes, {}},
             false);
  if (plan.scalarTail) {
    emitPart(vectors, size, 1, {1, 1, 1, {}}, false);
    return carried;
  }
  // A short end is a shorter vector, unless what is put together is as long as
  // the others.
  int64_t left = count ? *count % plan.lanes : plan.lanes - 1;
  int64_t lanes = plan.is<LaneSums>() ? plan.lanes : getShortLanes(left);
  emitPart(vectors, size, lanes, {1, 1, lanes, {}}, left != lanes);
  return carried;
}

SmallVector<int64_t> mlir::hetero::getBlockWidths(const VectorPlan &plan,
                                                  int64_t size) {
  int64_t width = plan.lanes * plan.vectors;
  SmallVector<int64_t> widths(size / width, width);
  if (int64_t rest = size / plan.lanes % plan.vectors)
    widths.push_back(rest * plan.lanes);
  if (int64_t left = size % plan.lanes)
    widths.push_back(getShortLanes(left));
  return widths;
}

/// Heights of the blocks that the row loop is split into, one after the other:
/// each divides the one before unless it is the rest.
static SmallVector<int64_t> getHeights(OpFoldResult size, int64_t rows) {
  std::optional<int64_t> count = getConstantIntValue(size);
  if (count && *count % rows == 0)
    return {rows};
  if (count)
    return {rows, *count % rows};
  SmallVector<int64_t> heights = {rows};
  for (int64_t smaller : {4, 2})
    if (heights.back() > smaller && heights.back() % smaller == 0)
      heights.push_back(smaller);
  if (rows > 1)
    heights.push_back(1);
  return heights;
}

SmallVector<Value>
mlir::hetero::emitRowBlocks(LoopNest &nest, Values carried, OpFoldResult first,
                            OpFoldResult end,
                            llvm::function_ref<Values(Values, int64_t)> body) {
  if (!nest.plan.rows)
    return body(carried, 1);
  AffineExpr from = nest.symbol(0), to = nest.symbol(1);
  OpFoldResult size = nest.apply(to - from, {first, end}), done = first;
  SmallVector<int64_t> heights = getHeights(size, nest.plan.rows->count);
  for (int64_t rows : heights) {
    // The last takes all that is left.
    OpFoldResult next = end;
    if (rows != heights.back())
      next = nest.apply(from + (to - from).floorDiv(rows) * rows, {first, end});
    carried = nest.emitLoop(done, next, rows, carried,
                            [&](Value index, Values inner) {
                              nest.indices[nest.plan.rows->loop] = index;
                              return body(inner, rows);
                            });
    done = next;
  }
  return carried;
}

SmallVector<Value> mlir::hetero::emitInnerBlocks(
    LoopNest &nest, Values carried,
    llvm::function_ref<Values(Values, int64_t)> body) {
  const TiledLoop &inner = *nest.plan.inner;
  OpFoldResult size = nest.sizes[inner.loop];
  OpFoldResult blocks = nest.roundDown(size, inner.count);
  auto emitPart = [&](OpFoldResult lower, OpFoldResult upper, int64_t count) {
    carried = nest.emitLoop(lower, upper, count, carried,
                            [&](Value index, Values values) {
                              nest.indices[inner.loop] = index;
                              return body(values, count);
                            });
  };
  emitPart(nest.index(0), blocks, inner.count);
  std::optional<int64_t> count = getConstantIntValue(size);
  int64_t rest = count ? *count % inner.count : 1;
  if (inner.count > 1 && rest > 0)
    emitPart(blocks, size, rest);
  return carried;
}

SmallVector<Value> mlir::hetero::emitPassBlocks(
    LoopNest &nest, Values carried,
    llvm::function_ref<Values(Value, Values, int64_t)> body, OpFoldResult from,
    OpFoldResult end) {
  OpFoldResult size = end ? end : nest.sizes[nest.reductionLoops.front()];
  OpFoldResult done = from ? from : nest.index(0);
  SmallVector<int64_t> heights = getHeights(size, nest.plan.getPassSteps());
  for (int64_t steps : heights) {
    OpFoldResult next =
        steps == heights.back() ? size : nest.roundDown(size, steps);
    carried = nest.emitLoop(
        done, next, steps, carried,
        [&](Value first, Values inner) { return body(first, inner, steps); });
    done = next;
  }
  return carried;
}
