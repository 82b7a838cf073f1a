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

#include "TransposedPanels.h"

#include "Codegen/CPU/Plan/Access.h"
#include "Codegen/CPU/Plan/TransposePlan.h"
#include "PanelPacker.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
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

/// Bits of a word.
static int64_t getWordBits(OpOperand *input, const VectorPlan &plan) {
  Type element = getElementTypeOrSelf(input->get().getType());
  return element.getIntOrFloatBitWidth() * plan.getGroup();
}

Value TransposedPanels::pack(OpOperand *input, Value panel,
                             const TileShape &shape) {
  const VectorPlan &plan = nest.plan;
  Source from = {input, *findTransposedLoop(nest.op, input, plan.vectorLoop),
                 shape};
  OpFoldResult steps = nest.countSteps(from.loop);
  if (std::optional<int64_t> count = getConstantIntValue(steps)) {
    uint64_t groups = *count / plan.getGroup();
    from.depth = std::min<int64_t>(shape.lanes, llvm::bit_floor(groups));
    return from.depth < 2 ? packer.packBySteps(input, panel, shape)
                          : packByBlocks(from, panel);
  }
  from.depth = shape.lanes;
  RewriterBase &rewriter = nest.rewriter;
  Value least = arith::ConstantIndexOp::create(rewriter, nest.loc,
                                               shape.lanes * plan.getGroup());
  Value isDeep =
      arith::CmpIOp::create(rewriter, nest.loc, arith::CmpIPredicate::sge,
                            nest.createIndex(steps), least);
  auto choice = scf::IfOp::create(rewriter, nest.loc, panel.getType(), isDeep,
                                  /*withElseRegion=*/true);
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPointToStart(choice.thenBlock());
  scf::YieldOp::create(rewriter, nest.loc, packByBlocks(from, panel));
  rewriter.setInsertionPointToStart(choice.elseBlock());
  scf::YieldOp::create(rewriter, nest.loc,
                       packer.packBySteps(input, panel, shape));
  return choice.getResult(0);
}

/// The loops of the reduction besides that of the blocks.
SmallVector<unsigned> TransposedPanels::getOtherLoops(const Source &from) {
  SmallVector<unsigned> others = getReductionLoops(nest.op, from.input);
  llvm::erase(others, from.loop);
  return others;
}

/// The panel by blocks, then the steps that no full group is left for.
Value TransposedPanels::packByBlocks(const Source &from, Value panel) {
  const VectorPlan &plan = nest.plan;
  OpFoldResult &index = nest.indices[plan.vectorLoop];
  OpFoldResult first = index;
  context.groups.setFull();
  Values filled = nest.emitLoop(
      nest.index(0), nest.index(from.shape.vectors), 1, {panel},
      [&](Value vector, Values carried) {
        index = nest.apply(nest.symbol(0) + nest.symbol(1) * plan.lanes,
                           {first, OpFoldResult(vector)});
        Value column = nest.createIndex(
            nest.apply(nest.symbol(0) * (plan.lanes * plan.getGroup()),
                       OpFoldResult(vector)));
        return context.reductions.emit(
            getOtherLoops(from), carried, [&](Values inner) {
              return Values{storeBlocks(from, inner[0], column)};
            });
      });
  index = first;
  return storeRest(from, filled.front());
}

/// The steps that no full group is left for, vector by vector.
Value TransposedPanels::storeRest(const Source &from, Value panel) {
  int64_t group = nest.plan.getGroup();
  std::optional<int64_t> count =
      getConstantIntValue(nest.countSteps(from.loop));
  int64_t rest = count ? *count % group : 1;
  if (group == 1 || rest == 0)
    return panel;
  context.groups.setSteps(rest);
  Values filled = context.reductions.emit(
      getOtherLoops(from), {panel}, [&](Values carried) {
        OpFoldResult size = nest.sizes[from.loop];
        return nest.emitLoop(
            nest.roundDown(size, group), size, rest, carried,
            [&](Value index, Values inner) {
              nest.indices[from.loop] = index;
              context.loads.clear();
              return Values{packer.storeStep(from.input, inner[0], from.shape)};
            });
      });
  context.groups.setFull();
  return filled.front();
}

/// All blocks of one vector, for the other loops of the reduction as they are.
Value TransposedPanels::storeBlocks(const Source &from, Value panel,
                                    Value column) {
  OpFoldResult groups =
      nest.apply(nest.symbol(0).floorDiv(nest.plan.getGroup()),
                 {nest.countSteps(from.loop)});
  std::optional<int64_t> count = getConstantIntValue(groups);
  bool overlaps = !count || *count % from.depth != 0;
  AffineMap last =
      AffineMap::get(0, 2, {nest.symbol(0), nest.symbol(1) - from.depth},
                     nest.rewriter.getContext());
  return nest
      .emitLoop(nest.index(0), groups, from.depth, {panel},
                [&](Value index, Values carried) {
                  OpFoldResult group = index;
                  if (overlaps)
                    group = affine::makeComposedFoldedAffineMin(
                        nest.rewriter, nest.loc, last, {group, groups});
                  return Values{storeBlock(from, carried[0], group, column)};
                })
      .front();
}

/// Copies a block, from group `group` on, of one vector.
Value TransposedPanels::storeBlock(const Source &from, Value panel,
                                   OpFoldResult group, Value column) {
  int64_t lanes = from.shape.lanes;
  int64_t segment = std::min(
      {lanes, from.depth, kSegmentBits / getWordBits(from.input, nest.plan)});
  SmallVector<Values> pieces = loadBlock(from, group, segment);
  Type element = getElementTypeOrSelf(panel.getType());
  for (int64_t step = 0; step < from.depth; step += segment) {
    Values vectors;
    for (int64_t word = step; word < step + segment; ++word)
      vectors.push_back(concatenate(nest.rewriter, nest.loc, pieces[word]));
    transposeSegments(nest.rewriter, nest.loc, vectors);
    for (auto [word, vector] : llvm::enumerate(vectors)) {
      enterGroup(from.loop, group, step + word);
      Values place = context.packed.getIndices(from.input, Cell());
      place.back() = column;
      Value elements = context.words.flip(
          from.input,
          nest.bitcast(vector, lanes * nest.plan.getGroup(), element));
      panel = nest.writeVector(elements, panel, place);
    }
  }
  return panel;
}

/// The words of a block by row, for each is a line of the cache, `segment` at a
/// time.
SmallVector<Values> TransposedPanels::loadBlock(const Source &from,
                                                OpFoldResult group,
                                                int64_t segment) {
  SmallVector<Values> pieces(from.depth);
  OpFoldResult &index = nest.indices[nest.plan.vectorLoop];
  OpFoldResult first = index;
  for (int64_t lane = 0; lane < from.shape.lanes; ++lane) {
    index = nest.getLanePlace(first, lane, bool(from.shape.mask));
    for (int64_t step = 0; step < from.depth; step += segment) {
      enterGroup(from.loop, group, step);
      pieces[step + lane % segment].push_back(loadWords(from.input, segment));
    }
  }
  index = first;
  return pieces;
}

/// Words next to each other in a row of `input`, as integers, which LLVM
/// shuffles at all widths.
Value TransposedPanels::loadWords(OpOperand *input, int64_t count) {
  auto type = VectorType::get(count * nest.plan.getGroup(),
                              getElementTypeOrSelf(input->get().getType()));
  Value words =
      nest.readVector(type, input->get(), nest.getIndices(input, Cell()));
  return nest.bitcast(
      words, count,
      nest.rewriter.getIntegerType(getWordBits(input, nest.plan)));
}

/// Goes to a group of the steps that are done now.
void TransposedPanels::enterGroup(unsigned loop, OpFoldResult group,
                                  int64_t offset) {
  nest.indices[loop] = nest.apply(nest.symbol(0) + (nest.symbol(1) + offset) *
                                                       nest.plan.getGroup(),
                                  {nest.getFirstStep(loop), group});
}
