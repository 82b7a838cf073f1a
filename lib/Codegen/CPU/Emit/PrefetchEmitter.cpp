//===- PrefetchEmitter.cpp - Asks for memory before it is read ------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Processors fetch ahead what is read in order, but not for the next rows of a
// result, nor for the next panel while one is read again and again. Addresses
// past the end of the memory do no harm.
//
//===----------------------------------------------------------------------===//

#include "LoopEmitter.h"

#include "hetero/Dialect/Hetero/IR/PlacementModels.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::hetero;

/// What a processor fetches at a time.
static constexpr int64_t kLineBytes = 64;
/// Panels that the second-level cache keeps anyway, all together, and the
/// largest panel of which the next one has room there.
static constexpr int64_t kMinPanelsBytes = 512 * 1024;
static constexpr int64_t kMaxPanelBytes = 256 * 1024;

/// The cache to bring lines to, as memref.prefetch counts them. In the nearest,
/// rows that are a power of two apart would push each other out.
static constexpr unsigned kSecondLevel = 2;

/// Only buffers have addresses. The layout is left open, for whatever
/// bufferization finds.
static Value createBuffer(RewriterBase &rewriter, Location loc, Value source) {
  auto type = cast<RankedTensorType>(source.getType());
  auto layout = StridedLayoutAttr::get(
      rewriter.getContext(), ShapedType::kDynamic,
      SmallVector<int64_t>(type.getRank(), ShapedType::kDynamic));
  auto buffer = MemRefType::get(type.getShape(), type.getElementType(), layout,
                                type.getEncoding());
  return bufferization::ToBufferOp::create(rewriter, loc, buffer, source,
                                           /*read_only=*/true);
}

/// True if the panels do not stay in the second-level cache, but two of them
/// have room there.
bool LoopEmitter::isFetchedAhead(const Prepared &input) {
  auto type = cast<RankedTensorType>(input.panels.getType());
  int64_t bytes = getElementBytes(type.getElementType());
  int64_t panel = plan.vectors * plan.lanes * bytes * countStepsOfPart(input);
  return type.getNumElements() * bytes > kMinPanelsBytes &&
         panel <= kMaxPanelBytes;
}

/// Steps of the reduction of which all rows read the panels before the next.
int64_t LoopEmitter::countStepsOfPart(const Prepared &input) {
  int64_t steps = input.part.getDepth();
  return !plan.panels.depth
             ? steps
             : steps / *getConstantIntValue(sizes[reductionLoops.front()]) *
                   *plan.panels.depth;
}

void LoopEmitter::findBuffers() {
  for (unsigned number : prefetched)
    buffers[number] = createBuffer(rewriter, loc, op->getOperand(number));
  if (!plan.rows)
    return;
  for (auto &[number, input] : prepared)
    if (isFetchedAhead(input))
      buffers[number] = createBuffer(rewriter, loc, input.panels);
}

static void prefetch(RewriterBase &rewriter, Location loc, Value buffer,
                     ValueRange place) {
  memref::PrefetchOp::create(rewriter, loc, buffer, place, /*isWrite=*/false,
                             kSecondLevel, /*isDataCache=*/true);
}

/// Which of the blocks of rows that share a panel this is.
OpFoldResult LoopEmitter::countBlocksBefore(OpOperand *input) {
  AffineMap map = op.getMatchingIndexingMap(input);
  SmallVector<OpFoldResult> places;
  AffineExpr count = rewriter.getAffineConstantExpr(0);
  auto add = [&](unsigned loop, int64_t step) {
    std::optional<int64_t> size = getConstantIntValue(sizes[loop]);
    count = count * (size ? llvm::divideCeil(*size, step) : 1) +
            rewriter.getAffineSymbolExpr(places.size()).floorDiv(step);
    places.push_back(indices[loop]);
  };
  for (unsigned loop : parallelLoops)
    if (!map.isFunctionOfDim(loop))
      add(loop, 1);
  add(plan.rows->loop, plan.rows->count);
  if (plan.inner)
    add(plan.inner->loop, plan.inner->count);
  return affine::makeComposedFoldedAffineApply(rewriter, loc, count, places);
}

/// Before the steps of a block of rows: the vectors of the next panel that it
/// asks for, each block for another. They follow the current panel; where it is
/// the only one of the tile, they follow the current part of it.
SmallVector<LoopEmitter::Ahead> LoopEmitter::planAhead(const TileShape &shape) {
  SmallVector<Ahead> all;
  for (auto &[number, input] : prepared) {
    if (!buffers.contains(number) || plan.getGroup() > 1)
      continue;
    bool isOnly = input.part.length <= plan.vectors * plan.lanes;
    int64_t steps = isOnly ? countStepsOfPart(input) : input.part.getDepth();
    AffineExpr block = rewriter.getAffineSymbolExpr(0);
    OpFoldResult vector = affine::makeComposedFoldedAffineApply(
        rewriter, loc,
        block % plan.vectors * plan.lanes + steps * shape.vectors * shape.lanes,
        {countBlocksBefore(&op->getOpOperand(number))});
    all.push_back(
        {number, getValueOrCreateConstantIndexOp(rewriter, loc, vector)});
  }
  return all;
}

/// In each step, a line of the same step of the next panel.
void LoopEmitter::prefetchAhead(ArrayRef<Ahead> all) {
  for (const Ahead &ahead : all) {
    Value place = arith::AddIOp::create(
        rewriter, loc, ahead.distance,
        getPreparedPlace(&op->getOpOperand(ahead.input), {}));
    prefetch(rewriter, loc, buffers[ahead.input], place);
  }
}

/// What the epilogue reads of each row. The sums take longer than the memory.
void LoopEmitter::prefetchForEpilogue(ArrayRef<Cell> cells) {
  if (!epilogue)
    return;
  moveEpilogue();
  for (unsigned number : epilogue->prefetched) {
    OpOperand *input = &epilogue->op->getOpOperand(number);
    int64_t bytes =
        getElementBytes(getElementTypeOrSelf(input->get().getType()));
    for (const Cell &cell : cells)
      if (cell.vector * cell.lanes * bytes % kLineBytes < cell.lanes * bytes)
        prefetch(rewriter, loc, epilogue->buffers[number],
                 epilogue->getIndices(input, cell));
  }
}
