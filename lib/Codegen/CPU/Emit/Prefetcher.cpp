//===- Prefetcher.cpp - Asks for panels before they are read --------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Processors fetch ahead what is read in order, but not the next panel while
// one is read again and again. Addresses past the end of the memory do no harm.
//
//===----------------------------------------------------------------------===//

#include "Prefetcher.h"

#include "hetero/Dialect/Hetero/IR/PlacementModels.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::hetero;

/// Panels that the second-level cache keeps anyway, all together, and the
/// largest panel of which the next one has room there.
static constexpr int64_t kMinPanelsBytes = 512 * 1024;
static constexpr int64_t kMaxPanelBytes = 256 * 1024;

/// The cache to bring lines to, as memref.prefetch counts them. In the nearest,
/// rows that are a power of two apart would push each other out.
static constexpr unsigned kSecondLevel = 2;

Value mlir::hetero::createPrefetchedBuffer(LoopNest &nest, Value tensor) {
  // The layout is left open, for whatever bufferization finds.
  auto type = cast<RankedTensorType>(tensor.getType());
  auto layout = StridedLayoutAttr::get(
      type.getContext(), ShapedType::kDynamic,
      SmallVector<int64_t>(type.getRank(), ShapedType::kDynamic));
  auto buffer = MemRefType::get(type.getShape(), type.getElementType(), layout,
                                type.getEncoding());
  return bufferization::ToBufferOp::create(nest.rewriter, nest.loc, buffer,
                                           tensor, /*read_only=*/true);
}

void mlir::hetero::createPrefetch(LoopNest &nest, Value buffer,
                                  ValueRange place) {
  memref::PrefetchOp::create(nest.rewriter, nest.loc, buffer, place,
                             /*isWrite=*/false, kSecondLevel,
                             /*isDataCache=*/true);
}

Prefetcher::Prefetcher(EmitContext &context)
    : context(context), nest(context.nest) {
  if (!nest.plan.rows)
    return;
  for (const auto &[number, panels] : context.prepared.getAll())
    if (isFetchedAhead(panels))
      buffers[number] = createPrefetchedBuffer(nest, panels.elements);
}

/// True if the panels do not stay in the second-level cache, but two of them
/// have room there.
bool Prefetcher::isFetchedAhead(const PreparedPanels::Panels &panels) {
  auto type = cast<RankedTensorType>(panels.elements.getType());
  int64_t bytes = getElementBytes(type.getElementType());
  int64_t panel = nest.plan.vectors * nest.plan.lanes * bytes *
                  context.prepared.countStepsOfPart(panels);
  return type.getNumElements() * bytes > kMinPanelsBytes &&
         panel <= kMaxPanelBytes;
}

/// Which of the blocks of rows that share a panel this is.
OpFoldResult Prefetcher::countBlocksBefore(OpOperand *input) {
  SmallVector<OpFoldResult> places;
  AffineExpr count = nest.rewriter.getAffineConstantExpr(0);
  auto add = [&](unsigned loop, int64_t step) {
    std::optional<int64_t> size = getConstantIntValue(nest.sizes[loop]);
    count = count * (size ? llvm::divideCeil(*size, step) : 1) +
            nest.symbol(places.size()).floorDiv(step);
    places.push_back(nest.indices[loop]);
  };
  for (unsigned loop : nest.parallelLoops)
    if (!nest.isAlong(input, loop))
      add(loop, 1);
  for (const std::optional<TiledLoop> &tiled :
       {nest.plan.rows, nest.plan.inner})
    if (tiled)
      add(tiled->loop, tiled->count);
  return nest.apply(count, places);
}

/// The vectors follow the current panel; where it is the only one of the tile,
/// they follow the current part of it.
SmallVector<Prefetcher::Ahead> Prefetcher::plan(const TileShape &shape) {
  const VectorPlan &plan = nest.plan;
  SmallVector<Ahead> all;
  for (const auto &[number, panels] : context.prepared.getAll()) {
    if (!buffers.contains(number) || plan.narrow)
      continue;
    bool isOnly = panels.part.length <= plan.vectors * plan.lanes;
    int64_t steps = isOnly ? context.prepared.countStepsOfPart(panels)
                           : panels.part.getDepth();
    OpFoldResult vector =
        nest.apply(nest.symbol(0) % plan.vectors * plan.lanes +
                       steps * shape.vectors * shape.lanes,
                   {countBlocksBefore(&nest.op->getOpOperand(number))});
    all.push_back({number, nest.createIndex(vector)});
  }
  return all;
}

void Prefetcher::emit(ArrayRef<Ahead> all) {
  for (const Ahead &ahead : all) {
    Value place = arith::AddIOp::create(
        nest.rewriter, nest.loc, ahead.distance,
        context.prepared.getPlace(&nest.op->getOpOperand(ahead.input), {}));
    createPrefetch(nest, buffers[ahead.input], place);
  }
}
