//===- LoopEmitter.cpp - Emits loops over vectors for one operation -------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The loop structure. For a contraction (m, n, k) with rows along m and vectors
// along n:
//
//   for n in blocks of vectors * lanes, then of lanes, then masked
//     for m in blocks of rows, then what is left
//       load rows * vectors accumulators
//       for k: accumulators += broadcast(A[m, k]) * B[k, n]
//       store
//
// The first block of rows copies B[:, n] to a panel where reading it in place
// costs more.
//
//===----------------------------------------------------------------------===//

#include "LoopEmitter.h"

#include "Codegen/CPU/Plan/TransposePlan.h"
#include "Codegen/CPU/Prepare/Borders.h"
#include "hetero/Codegen/Match/FillValue.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Dominance.h"
#include "mlir/IR/Remarks.h"
#include "mlir/Transforms/CSE.h"

using namespace mlir;
using namespace mlir::hetero;

LoopEmitter::LoopEmitter(RewriterBase &rewriter, linalg::GenericOp op,
                         const VectorPlan &plan, ArrayRef<unsigned> prefetched)
    : rewriter(rewriter), op(op), plan(plan), prefetched(prefetched),
      loc(op.getLoc()) {
  rewriter.setInsertionPoint(op);
  auto structured = cast<linalg::LinalgOp>(op.getOperation());
  for (Range range : structured.createLoopRanges(rewriter, loc))
    sizes.push_back(range.size);
  indices.assign(sizes.size(), rewriter.getIndexAttr(0));
  firstStep = rewriter.getIndexAttr(0);
  for (auto [loop, iterator] : llvm::enumerate(op.getIteratorTypesArray())) {
    if (loop == plan.vectorLoop || loop == plan.getRowLoop() ||
        loop == plan.getInnerLoop())
      continue;
    (iterator == utils::IteratorType::parallel ? parallelLoops : reductionLoops)
        .push_back(loop);
  }
  findBorders();
  startFromFills();
  createPreparedPanels();
  findBuffers();
}

SmallVector<Value> LoopEmitter::emit() {
  if (!plan.panels.depth)
    return emitParallel(0, destinations);
  Values tensors = emitParallel(0, destinations);
  // What the first steps have started is in memory now.
  startValues.assign(startValues.size(), Value());
  return emitLoop(rewriter.getIndexAttr(*plan.panels.depth),
                  sizes[reductionLoops.front()], *plan.panels.depth, tensors,
                  [&](Value index, Values carried) {
                    firstStep = index;
                    return emitParallel(0, carried);
                  });
}

/// Behind the last iteration of a reduction loop that is done now.
OpFoldResult LoopEmitter::getStepsEnd(unsigned loop) {
  if (!plan.panels.depth || loop != reductionLoops.front())
    return sizes[loop];
  return affine::makeComposedFoldedAffineApply(
      rewriter, loc, rewriter.getAffineSymbolExpr(0) + *plan.panels.depth,
      {firstStep});
}

/// A sum that starts from a filled tensor starts from the value, and needs no
/// pass over memory before.
void LoopEmitter::startFromFills() {
  for (OpOperand &init : op.getDpsInitsMutable()) {
    destinations.push_back(init.get());
    startValues.push_back({});
    auto producer = init.get().getDefiningOp<linalg::GenericOp>();
    if (op.getNumReductionLoops() == 0 || plan.getPassSteps() > 1 || !producer)
      continue;
    unsigned result = cast<OpResult>(init.get()).getResultNumber();
    Value value = getFillValue(producer, result);
    Value destination = producer.getDpsInits()[result];
    rewriter.replaceUsesWithIf(init.get(), destination, [](OpOperand &use) {
      return isa<tensor::DimOp>(use.getOwner());
    });
    if (!value || !init.get().hasOneUse())
      continue;
    startValues.back() = value;
    destinations.back() = destination;
  }
}

/// A loop from `lower` to `upper`; none where the bounds are known to allow at
/// most one iteration.
SmallVector<Value> LoopEmitter::emitLoop(OpFoldResult lower, OpFoldResult upper,
                                         int64_t step, Values carried,
                                         BodyFn body) {
  std::optional<int64_t> from = getConstantIntValue(lower);
  std::optional<int64_t> to = getConstantIntValue(upper);
  if (lower == upper || (from && to && *from >= *to))
    return carried;
  Value begin = getValueOrCreateConstantIndexOp(rewriter, loc, lower);
  if (from && to && *to - *from <= step)
    return body(begin, carried);
  Value end = getValueOrCreateConstantIndexOp(rewriter, loc, upper);
  Value stride = arith::ConstantIndexOp::create(rewriter, loc, step);
  auto loop = scf::ForOp::create(rewriter, loc, begin, end, stride, carried);
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPointToStart(loop.getBody());
  Values yielded = body(loop.getInductionVar(),
                        llvm::to_vector_of<Value>(loop.getRegionIterArgs()));
  // With no carried values the builder has put the terminator there already.
  if (!carried.empty())
    scf::YieldOp::create(rewriter, loc, yielded);
  return Values(loop.getResults());
}

OpFoldResult LoopEmitter::roundDown(OpFoldResult size, int64_t step) {
  if (step == 1)
    return size;
  AffineExpr symbol = rewriter.getAffineSymbolExpr(0);
  return affine::makeComposedFoldedAffineApply(
      rewriter, loc, symbol.floorDiv(step) * step, {size});
}

SmallVector<Value> LoopEmitter::emitParallel(unsigned position,
                                             Values tensors) {
  if (position < parallelLoops.size()) {
    unsigned loop = parallelLoops[position];
    return emitLoop(rewriter.getIndexAttr(0), sizes[loop], 1, tensors,
                    [&](Value index, Values carried) {
                      indices[loop] = index;
                      return emitParallel(position + 1, carried);
                    });
  }
  if (plan.getPassSteps() > 1)
    return emitPasses(tensors);
  if (plan.getWindow())
    return emitWindowRows(tensors);
  OpFoldResult rowsEnd = !plan.rows ? OpFoldResult() : sizes[plan.rows->loop];
  if (plan.is<LaneSums>())
    return emitRowSegments(tensors, rewriter.getIndexAttr(0), rowsEnd,
                           [&](Values carried, int64_t rows) {
                             TileShape tile{rows, plan.vectors, plan.lanes, {}};
                             return !plan.inner
                                        ? emitLaneReduction(carried, tile)
                                        : emitInnerLoop(carried, tile);
                           });
  return emitVectorSegments(tensors, [&](Values outer, const TileShape &shape) {
    panels.clear();
    findPreparedBlock(shape);
    bool packs = packsWithFirstRows();
    if (packs)
      outer = emitPackingTile(outer, shape);
    else
      for (unsigned input : plan.panels.packed)
        panels[input] = emitPanel(&op->getOpOperand(input), shape);
    OpFoldResult first = rewriter.getIndexAttr(packs ? plan.rows->count : 0);
    auto block = [&](Values carried, int64_t rows) {
      TileShape tile = shape;
      tile.rows = rows;
      return !plan.inner ? emitTile(carried, tile)
                         : emitInnerLoop(carried, tile);
    };
    if (const WindowSide *side = findPixelSide())
      return emitPixelRows(outer, *side, block);
    return emitRowSegments(outer, first, rowsEnd, block);
  });
}

/// The inner loop in blocks, then what is left.
SmallVector<Value> LoopEmitter::emitInnerLoop(Values tensors, TileShape shape) {
  OpFoldResult size = sizes[plan.inner->loop];
  OpFoldResult blocks = roundDown(size, plan.inner->count);
  auto part = [&](OpFoldResult lower, OpFoldResult upper, int64_t count) {
    shape.inner = count;
    tensors = emitLoop(
        lower, upper, count, tensors, [&](Value index, Values carried) {
          indices[plan.inner->loop] = index;
          return plan.is<LaneSums>() ? emitLaneReduction(carried, shape)
                                     : emitTile(carried, shape);
        });
  };
  part(rewriter.getIndexAttr(0), blocks, plan.inner->count);
  std::optional<int64_t> count = getConstantIntValue(size);
  int64_t rest = count ? *count % plan.inner->count : 1;
  if (plan.inner->count > 1 && rest > 0)
    part(blocks, size, rest);
  return tensors;
}

/// The vector loop in up to three parts: blocks of several vectors, the vectors
/// that are left, together where their number is known, and the ragged end.
SmallVector<Value> LoopEmitter::emitVectorSegments(
    Values carried,
    llvm::function_ref<Values(Values, const TileShape &)> body) {
  unsigned loop = plan.vectorLoop;
  auto segment = [&](OpFoldResult lower, OpFoldResult upper, int64_t step,
                     TileShape shape, bool masked) {
    carried =
        emitLoop(lower, upper, step, carried, [&](Value index, Values inner) {
          indices[loop] = index;
          if (masked)
            shape.mask = emitTailMask(index, shape.lanes);
          return body(inner, shape);
        });
  };
  OpFoldResult size = sizes[loop], zero = rewriter.getIndexAttr(0);
  OpFoldResult blocks = roundDown(size, plan.lanes * plan.vectors);
  OpFoldResult vectors = roundDown(size, plan.lanes);
  segment(zero, blocks, plan.lanes * plan.vectors,
          {1, plan.vectors, plan.lanes, {}}, false);
  std::optional<int64_t> count = getConstantIntValue(size);
  int64_t rest = count ? *count / plan.lanes % plan.vectors : 1;
  if (plan.vectors > 1 && rest > 0)
    segment(blocks, vectors, plan.lanes * rest, {1, rest, plan.lanes, {}},
            false);
  if (plan.scalarTail) {
    segment(vectors, size, 1, {1, 1, 1, {}}, false);
    return carried;
  }
  // A short end is a shorter vector, unless what is put together is as long as
  // the others.
  int64_t left = count ? *count % plan.lanes : plan.lanes - 1;
  int64_t lanes = plan.is<LaneSums>()
                      ? plan.lanes
                      : std::max<int64_t>(2, llvm::PowerOf2Ceil(left));
  segment(vectors, size, lanes, {1, 1, lanes, {}}, left != lanes);
  return carried;
}

/// The lanes from `index` on that are inside the vector loop.
Value LoopEmitter::emitTailMask(Value index, int64_t lanes) {
  AffineExpr first = rewriter.getAffineSymbolExpr(0);
  AffineExpr second = rewriter.getAffineSymbolExpr(1);
  OpFoldResult left = affine::makeComposedFoldedAffineApply(
      rewriter, loc, first - second, {sizes[plan.vectorLoop], index});
  Value count = getValueOrCreateConstantIndexOp(rewriter, loc, left);
  auto type = VectorType::get(lanes, rewriter.getI1Type());
  return vector::CreateMaskOp::create(rewriter, loc, type, count);
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

/// The row loop from `first` to `end` in blocks of `rows`, then what is left.
SmallVector<Value>
LoopEmitter::emitRowSegments(Values tensors, OpFoldResult first,
                             OpFoldResult end,
                             llvm::function_ref<Values(Values, int64_t)> body) {
  if (!plan.rows)
    return body(tensors, 1);
  AffineExpr from = rewriter.getAffineSymbolExpr(0);
  AffineExpr to = rewriter.getAffineSymbolExpr(1);
  OpFoldResult size = affine::makeComposedFoldedAffineApply(
      rewriter, loc, to - from, {first, end});
  OpFoldResult done = first;
  SmallVector<int64_t> heights = getHeights(size, plan.rows->count);
  for (int64_t rows : heights) {
    // The last takes all that is left.
    OpFoldResult next = end;
    if (rows != heights.back())
      next = affine::makeComposedFoldedAffineApply(
          rewriter, loc, from + (to - from).floorDiv(rows) * rows,
          {first, end});
    tensors =
        emitLoop(done, next, rows, tensors, [&](Value index, Values carried) {
          indices[plan.rows->loop] = index;
          return body(carried, rows);
        });
    done = next;
  }
  return tensors;
}

/// Passes over all vectors, each of some steps of the reduction.
SmallVector<Value> LoopEmitter::emitPasses(Values tensors) {
  unsigned loop = reductionLoops.front();
  OpFoldResult done = rewriter.getIndexAttr(0);
  SmallVector<int64_t> heights = getHeights(sizes[loop], plan.getPassSteps());
  for (int64_t steps : heights) {
    OpFoldResult end =
        steps == heights.back() ? sizes[loop] : roundDown(sizes[loop], steps);
    tensors = emitLoop(done, end, steps, tensors, [&](Value first, Values all) {
      return emitVectorSegments(all, [&](Values inner, const TileShape &shape) {
        SmallVector<Cell> cells = getCells(shape);
        Values accumulators = loadTile(inner, cells);
        for (int64_t step = 0; step < steps; ++step) {
          indices[loop] = affine::makeComposedFoldedAffineApply(
              rewriter, loc, rewriter.getAffineSymbolExpr(0) + step, {first});
          loads.clear();
          accumulators = accumulate(accumulators, cells);
        }
        return storeTile(accumulators, inner, cells);
      });
    });
    done = end;
  }
  return tensors;
}

/// Nested loops over `loops`, the first outermost.
SmallVector<Value>
LoopEmitter::emitReductions(ArrayRef<unsigned> loops, Values carried,
                            llvm::function_ref<Values(Values)> body) {
  if (loops.empty())
    return body(carried);
  unsigned loop = loops.front();
  bool isPart = plan.panels.depth && loop == reductionLoops.front();
  OpFoldResult first = isPart ? firstStep : rewriter.getIndexAttr(0);
  auto rest = [&](Values inner) {
    return emitReductions(loops.drop_front(), inner, body);
  };
  if (const WindowSide *side = findOpenSide(loop))
    return side == findPixelSide() ? emitPixelSteps(*side, carried, rest)
                                   : emitSideSteps(*side, carried, rest);
  if (loop == plan.getWindowLoop())
    return emitSteps(loop, first, sizes[loop], carried, rest);
  auto step = [&](Value index, Values inner) {
    indices[loop] = index;
    return rest(inner);
  };
  if (loop == plan.getNarrowLoop())
    return emitGroups(first, getStepsEnd(loop), carried, step);
  return emitLoop(first, getStepsEnd(loop), 1, carried, step);
}

LogicalResult mlir::hetero::vectorizeToLoops(RewriterBase &rewriter,
                                             linalg::GenericOp op,
                                             const CPUTarget &target) {
  std::optional<VectorPlan> plan = planVectorLoops(op, target);
  if (!plan)
    return rewriter.notifyMatchFailure(op, "no loop is worth vectorizing");
  OpBuilder::InsertionGuard guard(rewriter);
  LoopEmitter emitter(rewriter, op, *plan);
  rewriter.replaceOp(op, emitter.emit());
  return success();
}

/// Emits a contraction with what is done with each of its elements.
static void vectorizeWithEpilogue(RewriterBase &rewriter, linalg::GenericOp op,
                                  const Epilogue &epilogue) {
  LoopEmitter emitter(rewriter, epilogue.contraction, epilogue.plan);
  emitter.addEpilogue(epilogue);
  rewriter.replaceOp(op, emitter.emit());
  rewriter.eraseOp(epilogue.contraction);
}

/// Gives each use a copy of its own.
static void unshare(RewriterBase &rewriter, Operation *op) {
  while (!op->use_empty() && !op->hasOneUse()) {
    rewriter.setInsertionPointAfter(op);
    op->use_begin()->set(rewriter.clone(*op)->getResult(0));
  }
}

void mlir::hetero::mergeProducers(RewriterBase &rewriter, Operation *root) {
  DominanceInfo dominance(root);
  eliminateCommonSubExpressions(rewriter, dominance, root);
  SmallVector<Operation *> fills, empties;
  root->walk([&](Operation *op) {
    if (isa<tensor::EmptyOp>(op))
      empties.push_back(op);
    else if (auto fill = dyn_cast<linalg::GenericOp>(op);
             fill && fill->getNumResults() == 1 && getFillValue(fill, 0))
      fills.push_back(op);
  });
  for (Operation *fill : fills)
    unshare(rewriter, fill);
  for (Operation *empty : empties)
    unshare(rewriter, empty);
}

LogicalResult mlir::hetero::vectorizeCPURegion(Operation *root) {
  CPUTarget target = CPUTarget::get(root);
  IRRewriter rewriter(root->getContext());
  mergeProducers(rewriter, root);
  splitByRows(rewriter, root, target);
  SmallVector<linalg::GenericOp> ops;
  root->walk([&](linalg::GenericOp op) { ops.push_back(op); });
  // Consumers first: an epilogue takes its contraction with it, and a reduction
  // the fill of what it adds to. A failure is not one: the operation becomes
  // scalar loops later.
  llvm::SmallPtrSet<Operation *, 16> gone;
  for (linalg::GenericOp op : llvm::reverse(ops))
    if (gone.contains(op)) {
      continue;
    } else if (op->use_empty()) {
      rewriter.eraseOp(op);
    } else if (std::optional<Epilogue> epilogue = findEpilogue(op, target)) {
      gone.insert(epilogue->contraction);
      vectorizeWithEpilogue(rewriter, op, *epilogue);
    } else if (failed(vectorizeToLoops(rewriter, op, target))) {
      remark::missed(
          op.getLoc(),
          remark::RemarkOpts::name("vectorize").category("hetero-codegen"))
          << remark::add("left as scalar loops")
          << remark::reason("no loop has contiguous results and operations "
                            "with a vector form");
    }
  return dropBorders(root);
}
