//===- PrefetchEmitter.cpp - Asks for memory before it is read ------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Processors fetch ahead what is read in order. What panels are made of is a
// part of each row of a large matrix, far from the part of the next row: the
// code says what it will read next. Addresses past the end of the memory do no
// harm.
//
//===----------------------------------------------------------------------===//

#include "LoopEmitter.h"

#include "hetero/Dialect/Hetero/IR/PlacementModels.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mlir::hetero;

/// What a processor fetches at a time.
static constexpr int64_t kLineBytes = 64;
/// Steps of a reduction from a request to the use: what a register tile takes
/// for them is about what the memory takes.
static constexpr int64_t kStepsAhead = 16;
/// The largest panel of which the next one has room in the second-level cache.
static constexpr int64_t kMaxPanelBytes = 256 * 1024;

/// The cache to bring lines to, as memref.prefetch counts them. In the nearest,
/// rows that are a power of two apart would push each other out.
static constexpr unsigned kSecondLevel = 2;

/// Only buffers have addresses. The layout is left open, for whatever
/// bufferization finds.
void LoopEmitter::findBuffers() {
  for (unsigned number : plan.prefetched) {
    Value source = op->getOperand(number);
    auto type = cast<RankedTensorType>(source.getType());
    auto layout = StridedLayoutAttr::get(
        rewriter.getContext(), ShapedType::kDynamic,
        SmallVector<int64_t>(type.getRank(), ShapedType::kDynamic));
    auto buffer = MemRefType::get(type.getShape(), type.getElementType(),
                                  layout, type.getEncoding());
    buffers[number] = bufferization::ToBufferOp::create(
        rewriter, loc, buffer, source, /*read_only=*/true);
  }
}

/// How many vectors to ask for so that all lines of a row's part are: one more
/// than the part has, where rows do not begin with lines.
int64_t LoopEmitter::countRequests(OpOperand *input, int64_t vectors) {
  Value source = input->get();
  while (auto slice = source.getDefiningOp<tensor::ExtractSliceOp>())
    source = slice.getSource();
  auto type = cast<RankedTensorType>(source.getType());
  int64_t size = type.getShape().back();
  bool aligned =
      !ShapedType::isDynamic(size) &&
      size * getElementBytes(type.getElementType()) % kLineBytes == 0;
  return aligned ? vectors : vectors + 1;
}

/// Asks for vectors of a row, one for each line.
void LoopEmitter::prefetch(OpOperand *input, int64_t vectors, int64_t lanes) {
  auto type = cast<RankedTensorType>(input->get().getType());
  int64_t bytes = lanes * getElementBytes(type.getElementType());
  for (int64_t vector = 0; vector < vectors; ++vector)
    if (vector * bytes % kLineBytes < bytes)
      memref::PrefetchOp::create(
          rewriter, loc, buffers[input->getOperandNumber()],
          getIndices(input, {0, vector, lanes, {}}), /*isWrite=*/false,
          kSecondLevel, /*isDataCache=*/true);
}

/// The rows that are copied to a panel some steps later.
void LoopEmitter::prefetchForPanel(const TileShape &shape) {
  if (reductionLoops.size() != 1)
    return;
  unsigned loop = reductionLoops.front();
  OpFoldResult now = indices[loop];
  indices[loop] = affine::makeComposedFoldedAffineApply(
      rewriter, loc, rewriter.getAffineSymbolExpr(0) + kStepsAhead, {now});
  for (unsigned number : plan.prefetched) {
    OpOperand *input = &op->getOpOperand(number);
    prefetch(input, countRequests(input, shape.vectors), shape.lanes);
  }
  indices[loop] = now;
}

/// Where the next panel's vectors begin of which this block of rows asks for
/// one: each block for another. None if there is no room for that panel.
std::optional<OpFoldResult> LoopEmitter::getNextPanel(const TileShape &shape) {
  if (panels.empty() || plan.prefetched.empty() || reductionLoops.size() != 1)
    return std::nullopt;
  std::optional<int64_t> depth =
      getConstantIntValue(sizes[reductionLoops.front()]);
  OpOperand *input = &op->getOpOperand(plan.prefetched.front());
  auto type = cast<RankedTensorType>(input->get().getType());
  int64_t bytes =
      plan.vectors * plan.lanes * getElementBytes(type.getElementType());
  if (!depth || *depth * bytes > kMaxPanelBytes)
    return std::nullopt;
  int64_t width = shape.vectors * shape.lanes;
  int64_t requests = countRequests(input, plan.vectors);
  AffineExpr column = rewriter.getAffineSymbolExpr(0);
  AffineExpr row = rewriter.getAffineSymbolExpr(1);
  return affine::makeComposedFoldedAffineApply(
      rewriter, loc,
      column + width + row.floorDiv(plan.rows) % requests * plan.lanes,
      {indices[plan.vectorLoop], indices[plan.rowLoop]});
}

void LoopEmitter::prefetchNextPanel(OpFoldResult column, int64_t lanes) {
  std::swap(indices[plan.vectorLoop], column);
  for (unsigned number : plan.prefetched)
    prefetch(&op->getOpOperand(number), 1, lanes);
  std::swap(indices[plan.vectorLoop], column);
}
