//===- TransposedPanels.cpp - Packs what is transposed --------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A panel of an input that is contiguous along the reduction and scattered
// along the vectors,
//
//   for k: panel[k, 0 : lanes] = B[n : n + lanes, k]
//
// is made of blocks. A word is an element, or the elements of a group. Quarters
// of vectors, or whatever 128 bits are, are loaded from each of the rows of B
// and put together, so that processors exchange words within 128 bits only:
//
//   B[n, k : k + 4], B[n + 4, k : k + 4], B[n + 8, k : k + 4], ...
//   B[n + 1, k : k + 4], B[n + 5, k : k + 4], ...
//
// The last block of a row overlaps with the one before, so that nothing is
// masked.
//
//===----------------------------------------------------------------------===//

#include "LoopEmitter.h"

#include "Codegen/CPU/Plan/Access.h"
#include "Codegen/CPU/Plan/TransposePlan.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "llvm/ADT/bit.h"

using namespace mlir;
using namespace mlir::hetero;

/// Bits within which all processors exchange words at full speed.
static constexpr int64_t kSegmentBits = 128;

/// One vector of all, half of them at a time.
static Value concatenate(OpBuilder &builder, Location loc,
                         ArrayRef<Value> pieces) {
  if (pieces.size() == 1)
    return pieces.front();
  size_t half = pieces.size() / 2;
  Value low = concatenate(builder, loc, pieces.take_front(half));
  Value high = concatenate(builder, loc, pieces.drop_front(half));
  int64_t count = cast<VectorType>(low.getType()).getNumElements() * 2;
  return vector::ShuffleOp::create(builder, loc, low, high,
                                   llvm::to_vector(llvm::seq<int64_t>(count)));
}

/// The lower or upper halves of the segments of two vectors, word by word.
static Value interleaveSegments(OpBuilder &builder, Location loc, Value first,
                                Value second, int64_t segment, bool upper) {
  int64_t lanes = cast<VectorType>(first.getType()).getNumElements();
  SmallVector<int64_t> places;
  for (int64_t begin = upper ? segment / 2 : 0; begin < lanes; begin += segment)
    for (int64_t word = begin; word < begin + segment / 2; ++word)
      llvm::append_range(places, ArrayRef<int64_t>{word, lanes + word});
  return vector::ShuffleOp::create(builder, loc, first, second, places);
}

/// Transposes each segment of as many vectors as a segment has words.
static void transposeSegments(OpBuilder &builder, Location loc,
                              SmallVector<Value> &vectors) {
  int64_t segment = vectors.size();
  for (int64_t done = 1; done < segment; done *= 2) {
    SmallVector<Value> next;
    for (int64_t i = 0; i < segment / 2; ++i)
      for (bool upper : {false, true})
        next.push_back(interleaveSegments(builder, loc, vectors[i],
                                          vectors[i + segment / 2], segment,
                                          upper));
    vectors = next;
  }
}

/// Steps of a reduction loop that are done now.
OpFoldResult LoopEmitter::countSteps(unsigned loop) {
  return plan.panels.depth && loop == reductionLoops.front()
             ? OpFoldResult(rewriter.getIndexAttr(*plan.panels.depth))
             : sizes[loop];
}

/// Goes to a group of the steps that are done now.
void LoopEmitter::setGroup(unsigned loop, OpFoldResult group, int64_t offset) {
  bool isPart = plan.panels.depth && loop == reductionLoops.front();
  AffineExpr first = rewriter.getAffineSymbolExpr(0);
  AffineExpr index = rewriter.getAffineSymbolExpr(1);
  indices[loop] = affine::makeComposedFoldedAffineApply(
      rewriter, loc, first + (index + offset) * plan.getGroup(),
      {isPart ? firstStep : OpFoldResult(rewriter.getIndexAttr(0)), group});
}

/// The place of a lane along the vectors. Lanes past the end have the last one:
/// what becomes of it is not stored.
OpFoldResult LoopEmitter::getLanePlace(OpFoldResult first, int64_t lane,
                                       bool isMasked) {
  AffineExpr index = rewriter.getAffineSymbolExpr(0);
  AffineExpr size = rewriter.getAffineSymbolExpr(1);
  SmallVector<AffineExpr> places = {index + lane};
  if (isMasked)
    places.push_back(size - 1);
  return affine::makeComposedFoldedAffineMin(
      rewriter, loc, AffineMap::get(0, 2, places, rewriter.getContext()),
      {first, sizes[plan.vectorLoop]});
}

/// Words next to each other in a row of `input`, as integers, which LLVM
/// shuffles at all widths.
Value LoopEmitter::loadWords(OpOperand *input, int64_t count) {
  auto type = cast<RankedTensorType>(input->get().getType());
  Type element = type.getElementType();
  AffineMap map =
      AffineMap::getMinorIdentityMap(type.getRank(), 1, rewriter.getContext());
  Value words = vector::TransferReadOp::create(
      rewriter, loc, VectorType::get(count * plan.getGroup(), element),
      input->get(), getIndices(input, Cell()), map, zero(element), Value(),
      rewriter.getBoolArrayAttr({true}));
  return bitcast(words, count,
                 rewriter.getIntegerType(element.getIntOrFloatBitWidth() *
                                         plan.getGroup()));
}

/// Copies a block of `depth` groups, from group `group` on, of one vector.
Value LoopEmitter::storeBlock(OpOperand *input, Value panel,
                              const TileShape &shape, OpFoldResult group,
                              int64_t depth, Value column) {
  unsigned loop = *findTransposedLoop(op, input, plan.vectorLoop);
  auto type = cast<RankedTensorType>(panel.getType());
  Type element = type.getElementType();
  int64_t bits = element.getIntOrFloatBitWidth() * plan.getGroup();
  int64_t segment = std::min({shape.lanes, depth, kSegmentBits / bits});
  // By row, for each is a line of the cache.
  SmallVector<Values> pieces(depth);
  OpFoldResult first = indices[plan.vectorLoop];
  for (int64_t lane = 0; lane < shape.lanes; ++lane) {
    indices[plan.vectorLoop] = getLanePlace(first, lane, bool(shape.mask));
    for (int64_t step = 0; step < depth; step += segment) {
      setGroup(loop, group, step);
      pieces[step + lane % segment].push_back(loadWords(input, segment));
    }
  }
  indices[plan.vectorLoop] = first;
  AffineMap map =
      AffineMap::getMinorIdentityMap(type.getRank(), 1, rewriter.getContext());
  for (int64_t step = 0; step < depth; step += segment) {
    Values vectors;
    for (int64_t word = step; word < step + segment; ++word)
      vectors.push_back(concatenate(rewriter, loc, pieces[word]));
    transposeSegments(rewriter, loc, vectors);
    for (auto [word, vector] : llvm::enumerate(vectors)) {
      setGroup(loop, group, step + word);
      Values position = getPanelIndices(input, Cell());
      position.back() = column;
      Value elements =
          flip(input, bitcast(vector, shape.lanes * plan.getGroup(), element));
      panel = vector::TransferWriteOp::create(rewriter, loc, type, elements,
                                              panel, position, map, Value(),
                                              rewriter.getBoolArrayAttr({true}))
                  .getResult();
    }
  }
  return panel;
}

/// All blocks of one vector, for the other loops of the reduction as they are.
Value LoopEmitter::storeBlocks(OpOperand *input, Value panel,
                               const TileShape &shape, int64_t depth,
                               Value column) {
  unsigned loop = *findTransposedLoop(op, input, plan.vectorLoop);
  AffineExpr symbol = rewriter.getAffineSymbolExpr(0);
  OpFoldResult groups = affine::makeComposedFoldedAffineApply(
      rewriter, loc, symbol.floorDiv(plan.getGroup()), {countSteps(loop)});
  std::optional<int64_t> count = getConstantIntValue(groups);
  bool overlaps = !count || *count % depth != 0;
  AffineMap last =
      AffineMap::get(0, 2, {symbol, rewriter.getAffineSymbolExpr(1) - depth},
                     rewriter.getContext());
  return emitLoop(rewriter.getIndexAttr(0), groups, depth, {panel},
                  [&](Value index, Values carried) {
                    OpFoldResult group = index;
                    if (overlaps)
                      group = affine::makeComposedFoldedAffineMin(
                          rewriter, loc, last, {group, groups});
                    return Values{storeBlock(input, carried[0], shape, group,
                                             depth, column)};
                  })
      .front();
}

/// The panel by blocks, then the steps that no full group is left for.
Value LoopEmitter::emitBlocks(OpOperand *input, Value panel,
                              const TileShape &shape, int64_t depth) {
  unsigned loop = *findTransposedLoop(op, input, plan.vectorLoop);
  SmallVector<unsigned> others = getReductionLoops(op, input);
  llvm::erase(others, loop);
  AffineExpr symbol = rewriter.getAffineSymbolExpr(0);
  OpFoldResult first = indices[plan.vectorLoop];
  groupSteps = plan.getGroup();
  Values filled = emitLoop(
      rewriter.getIndexAttr(0), rewriter.getIndexAttr(shape.vectors), 1,
      {panel}, [&](Value vector, Values carried) {
        indices[plan.vectorLoop] = affine::makeComposedFoldedAffineApply(
            rewriter, loc,
            symbol + rewriter.getAffineSymbolExpr(1) * plan.lanes,
            {first, OpFoldResult(vector)});
        Value column = getValueOrCreateConstantIndexOp(
            rewriter, loc,
            affine::makeComposedFoldedAffineApply(
                rewriter, loc, symbol * (plan.lanes * plan.getGroup()),
                {OpFoldResult(vector)}));
        return emitReductions(others, carried, [&](Values inner) {
          return Values{storeBlocks(input, inner[0], shape, depth, column)};
        });
      });
  indices[plan.vectorLoop] = first;
  std::optional<int64_t> count = getConstantIntValue(countSteps(loop));
  int64_t rest = count ? *count % plan.getGroup() : 1;
  if (plan.getGroup() == 1 || rest == 0)
    return filled.front();
  groupSteps = rest;
  filled = emitReductions(others, filled, [&](Values carried) {
    return emitLoop(roundDown(sizes[loop], plan.getGroup()), sizes[loop], rest,
                    carried, [&](Value index, Values inner) {
                      indices[loop] = index;
                      loads.clear();
                      return Values{storeStepToPanel(input, inner[0], shape)};
                    });
  });
  groupSteps = plan.getGroup();
  return filled.front();
}

Value LoopEmitter::emitTransposedPanel(OpOperand *input, Value panel,
                                       const TileShape &shape) {
  unsigned loop = *findTransposedLoop(op, input, plan.vectorLoop);
  OpFoldResult steps = countSteps(loop);
  if (std::optional<int64_t> count = getConstantIntValue(steps)) {
    uint64_t groups = *count / plan.getGroup();
    int64_t depth = std::min<int64_t>(shape.lanes, llvm::bit_floor(groups));
    return depth < 2 ? emitPanelBySteps(input, panel, shape)
                     : emitBlocks(input, panel, shape, depth);
  }
  Value least = arith::ConstantIndexOp::create(rewriter, loc,
                                               shape.lanes * plan.getGroup());
  Value isDeep = arith::CmpIOp::create(
      rewriter, loc, arith::CmpIPredicate::sge,
      getValueOrCreateConstantIndexOp(rewriter, loc, steps), least);
  auto choice = scf::IfOp::create(rewriter, loc, panel.getType(), isDeep,
                                  /*withElseRegion=*/true);
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPointToStart(choice.thenBlock());
  scf::YieldOp::create(rewriter, loc,
                       emitBlocks(input, panel, shape, shape.lanes));
  rewriter.setInsertionPointToStart(choice.elseBlock());
  scf::YieldOp::create(rewriter, loc, emitPanelBySteps(input, panel, shape));
  return choice.getResult(0);
}
