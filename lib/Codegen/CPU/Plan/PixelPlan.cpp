//===- PixelPlan.cpp - Convolutions with filters along vectors ------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The register tile is the one that takes the least time by estimate: a step
// takes half a cycle for each accumulator, and for each load, and bytes of
// panels come from the second-level cache.
//
//===----------------------------------------------------------------------===//

#include "PixelPlan.h"

#include "Access.h"
#include "hetero/Dialect/Hetero/IR/AttributeNames.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::hetero;

/// Cycles that an accumulator takes until it can be added to again.
static constexpr double kLatency = 4;
/// The part of a cycle that a broadcast element, and a vector of a panel, take
/// in addition to being loaded: they are not always where they are expected.
static constexpr double kElementCycles = 0.06, kVectorCycles = 0.25;
/// Filters that the second-level cache does not keep besides what else there
/// is.
static constexpr int64_t kMinFilterBytes = 1024 * 1024;
/// How much longer a register tile may take that is of one row of the image,
/// and needs no border in memory.
static constexpr double kMaxAlone = 1.1;
/// Rows of an image that are in a register tile.
static constexpr int64_t kMaxInner = 4;

namespace {
/// How many iterations of each loop are in the register tile.
struct RegisterTile {
  int64_t rows = 1, vectors = 1, inner = 1;
};
} // namespace

/// Cycles for a step of a tile of `pixels` by `vectors`.
static double estimateStep(int64_t pixels, int64_t vectors) {
  double sums = pixels * vectors / 2.0, loads = (pixels + vectors) / 2.0;
  return std::max({sums, loads, kLatency}) + kElementCycles * pixels +
         kVectorCycles * vectors;
}

/// The blocks that a loop is done in: how many of which size.
static SmallVector<std::pair<int64_t, int64_t>> getBlocks(int64_t size,
                                                          int64_t block) {
  SmallVector<std::pair<int64_t, int64_t>> blocks;
  if (size / block > 0)
    blocks.push_back({size / block, block});
  if (size % block > 0)
    blocks.push_back({1, size % block});
  return blocks;
}

/// Cycles for a step of all tiles of the loops.
static double estimate(const RegisterTile &tile, const RegisterTile &sizes) {
  double cycles = 0;
  for (auto [vectorBlocks, vectors] : getBlocks(sizes.vectors, tile.vectors))
    for (auto [rowBlocks, rows] : getBlocks(sizes.rows, tile.rows))
      for (auto [innerBlocks, inner] : getBlocks(sizes.inner, tile.inner))
        cycles += vectorBlocks * rowBlocks * innerBlocks *
                  estimateStep(rows * inner, vectors);
  return cycles;
}

/// Pixels whose accumulators have room beside the vectors of a step and one
/// element.
static int64_t countPixels(int64_t vectors, const CPUTarget &target) {
  return std::min<int64_t>(16,
                           (target.vectorRegisters - 1 - vectors) / vectors);
}

/// The best tile with up to `maxInner` rows of the image, and its cycles.
static std::pair<double, RegisterTile> chooseTile(const RegisterTile &sizes,
                                                  int64_t maxInner,
                                                  const CPUTarget &target) {
  std::pair<double, RegisterTile> best = {
      std::numeric_limits<double>::infinity(), {}};
  for (int64_t vectors : {3, 2, 4, 1})
    for (int64_t inner = 1; inner <= std::min(sizes.inner, maxInner); ++inner) {
      int64_t most = countPixels(vectors, target) / inner;
      if (vectors > sizes.vectors || most == 0)
        continue;
      // Blocks of about the same height.
      int64_t blocks = llvm::divideCeil(sizes.rows, most);
      int64_t rows = llvm::divideCeil(sizes.rows, blocks);
      RegisterTile tile = {rows, vectors, inner};
      if (double cycles = estimate(tile, sizes); cycles < best.first)
        best = {cycles, tile};
    }
  return best;
}

/// The input that is along the vectors, and that all pixels share; null if
/// there is none, or it is copied.
static OpOperand *findFilters(linalg::GenericOp op, const VectorPlan &plan) {
  if (!plan.panels.packed.empty() || !plan.rows)
    return nullptr;
  for (OpOperand *input : op.getDpsInputOperands()) {
    if (isa<RankedTensorType>(input->get().getType()) &&
        classifyAccess(op, input, plan.rows->loop) == AccessKind::Invariant &&
        (plan.isPrepared(input->getOperandNumber()) ||
         classifyAccess(op, input, plan.vectorLoop) == AccessKind::Contiguous))
      return input;
  }
  return nullptr;
}

/// The innermost loop besides those of the register tile whose iterations share
/// the filters.
static std::optional<unsigned> findInnerLoop(linalg::GenericOp op,
                                             OpOperand *filters,
                                             const VectorPlan &plan) {
  for (unsigned loop : llvm::reverse(llvm::seq(op.getNumLoops())))
    if (loop != plan.rows->loop && loop != plan.vectorLoop &&
        op.getIteratorTypesArray()[loop] == utils::IteratorType::parallel &&
        op.getStaticLoopRanges()[loop] != 1 &&
        classifyAccess(op, filters, loop) == AccessKind::Invariant)
      return loop;
  return std::nullopt;
}

/// True if the rows are windows of another input than the filters, and what is
/// summed up for each place of a window, if anything, is next to each other.
static bool hasWindows(linalg::GenericOp op, OpOperand *filters,
                       const VectorPlan &plan) {
  SmallVector<unsigned> reductions;
  op.getReductionDims(reductions);
  return llvm::any_of(op.getDpsInputOperands(), [&](OpOperand *input) {
    if (input == filters || !isa<RankedTensorType>(input->get().getType()))
      return false;
    SmallVector<WindowSide> sides = getWindowSides(op, input);
    return llvm::any_of(sides,
                        [&](const WindowSide &side) {
                          return side.parallelLoop == plan.rows->loop;
                        }) &&
           llvm::any_of(sides, [&](const WindowSide &side) {
             return side.reductionLoop == reductions.front();
           });
  });
}

/// The pad that an input is, or is a part of; null for others.
static tensor::PadOp findPad(linalg::GenericOp op) {
  for (Value input : op.getDpsInputs()) {
    if (auto slice = input.getDefiningOp<tensor::ExtractSliceOp>())
      input = slice.getSource();
    if (auto pad = input.getDefiningOp<tensor::PadOp>())
      return pad;
  }
  return nullptr;
}

void mlir::hetero::planPixels(linalg::GenericOp op, const CPUTarget &target,
                              VectorPlan &plan) {
  OpOperand *filters = findFilters(op, plan);
  if (!filters || plan.is<LaneSums>() || plan.scalarTail || plan.inner ||
      !hasWindows(op, filters, plan))
    return;
  SmallVector<int64_t> sizes = op.getStaticLoopRanges();
  if (llvm::is_contained(sizes, 0))
    return;
  plan.form = PixelRows();
  if (std::optional<unsigned> loop = findInnerLoop(op, filters, plan))
    plan.inner = {*loop, 1};
  int64_t inner = plan.inner ? sizes[plan.inner->loop] : 1;
  int64_t rows = sizes[plan.rows->loop], lanes = sizes[plan.vectorLoop];
  // Groups of narrow elements need registers of their own.
  if (plan.narrow || ShapedType::isDynamic(rows) ||
      ShapedType::isDynamic(lanes))
    return;
  RegisterTile all = {rows, std::max<int64_t>(1, lanes / plan.lanes),
                      ShapedType::isDynamic(inner) ? 1 : inner};
  auto [cycles, tile] = chooseTile(all, kMaxInner, target);
  // Pixels of several rows are not in the same part of a border.
  if (tensor::PadOp pad = findPad(op)) {
    auto [alone, single] = chooseTile(all, 1, target);
    if (pad->hasAttr(kBorderAttrName) || alone < kMaxAlone * cycles)
      tile = single;
  }
  plan.rows->count = tile.rows;
  plan.vectors = tile.vectors;
  if (plan.inner)
    plan.inner->count = tile.inner;
}

bool mlir::hetero::canPixelsSkip(linalg::GenericOp op, const Border &border,
                                 const VectorPlan &plan) {
  tensor::PadOp pad = border.pad;
  // Not before it is known how many rows tiles have.
  auto mark = pad->getAttrOfType<BoolAttr>(kBorderAttrName);
  if ((plan.inner && plan.inner->count > 1) || plan.narrow ||
      (mark ? !mark.getValue() : !plan.inner || !isNeutral(op, border)))
    return false;
  SmallVector<int64_t> sizes = op.getStaticLoopRanges();
  return llvm::all_of(border.sides, [&](const WindowSide &side) {
    return side.parallelLoop != plan.rows->loop ||
           (getConstantIntValue(border.offsets[side.dimension]) &&
            !ShapedType::isDynamic(sizes[side.parallelLoop]) &&
            !ShapedType::isDynamic(sizes[side.reductionLoop]) &&
            !pad.getSourceType().isDynamicDim(side.dimension));
  });
}

bool mlir::hetero::hasTilesOfVectors(linalg::GenericOp op,
                                     const VectorPlan &plan) {
  if (!plan.is<PixelRows>())
    return false;
  int64_t ofFilters = getKnownBytes(findFilters(op, plan)->get()), most = 0;
  for (Value input : op.getDpsInputs())
    if (isa<RankedTensorType>(input.getType()))
      most = std::max(most, getKnownBytes(input));
  return ofFilters > kMinFilterBytes && ofFilters == most;
}
