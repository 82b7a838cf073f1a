//===- WindowEmitter.cpp - Windows across the vectors, and borders --------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A window of 3 x 3 on an image whose channels are along the vectors, with a
// border that nothing puts into memory:
//
//   for y in rows
//     for x in the columns whose windows reach over the left end, one by one,
//             in those whose windows do not, some at a time, and at the right
//       for c in vectors
//         for i = max(0, 1 - y) to min(3, height + 1 - y)
//           sums of the pixels += x[y + i - 1, x + 0, ..., x + 2, c]
//
// All steps of the innermost loop of the window are in one body, in the order
// of the places that they read, so that each is loaded once for all windows
// that it is in, and needs no register afterwards. Where what the border adds
// makes a difference, the steps that it is in are loops of their own.
//
//===----------------------------------------------------------------------===//

#include "LoopEmitter.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mlir::hetero;

/// Steps of a window's loop that are all in one body.
static constexpr int64_t kMaxWindowSteps = 8;

//===----------------------------------------------------------------------===//
// Borders
//===----------------------------------------------------------------------===//

/// Finds the input that is read without its border. The sizes of the padded
/// image are those of the image and the border from here on.
void LoopEmitter::findBorders() {
  for (OpOperand *input : op.getDpsInputOperands()) {
    if (border || !op.payloadUsesValueFromOperand(input))
      continue;
    border = findBorder(op, input, plan);
    if (border && !border->pad->hasAttr(kBorderAttrName))
      border.reset();
  }
}

/// A value between the bounds, of which `upper` is no smaller than `lower`.
OpFoldResult LoopEmitter::clamp(OpFoldResult value, OpFoldResult lower,
                                OpFoldResult upper) {
  MLIRContext *context = rewriter.getContext();
  AffineMap both = AffineMap::getMultiDimIdentityMap(2, context);
  OpFoldResult raised =
      affine::makeComposedFoldedAffineMax(rewriter, loc, both, {value, lower});
  return affine::makeComposedFoldedAffineMin(rewriter, loc, both,
                                             {raised, upper});
}

/// How far the first place that a side's windows read is from the first of the
/// image, and the image's size.
std::pair<OpFoldResult, OpFoldResult>
LoopEmitter::getSideBegin(const WindowSide &side) {
  OpFoldResult begin = affine::makeComposedFoldedAffineApply(
      rewriter, loc,
      rewriter.getAffineSymbolExpr(0) +
          (side.start - border->pad.getStaticLow()[side.dimension]),
      {border->offsets[side.dimension]});
  OpFoldResult size = tensor::getMixedSize(
      rewriter, loc, border->pad.getSource(), side.dimension);
  return {begin, size};
}

/// The rows whose windows are inside of the image.
std::pair<OpFoldResult, OpFoldResult>
LoopEmitter::getInnerRows(const WindowSide &side) {
  auto [begin, size] = getSideBegin(side);
  AffineExpr first = rewriter.getAffineSymbolExpr(0);
  AffineExpr extent = rewriter.getAffineSymbolExpr(1);
  AffineExpr steps = rewriter.getAffineSymbolExpr(2);
  OpFoldResult lower = affine::makeComposedFoldedAffineApply(
      rewriter, loc, (-first).ceilDiv(side.stride), {begin});
  OpFoldResult upper = affine::makeComposedFoldedAffineApply(
      rewriter, loc,
      (extent - 1 - first - (steps - 1) * side.dilation).floorDiv(side.stride) +
          1,
      {begin, size, sizes[side.reductionLoop]});
  OpFoldResult zero = rewriter.getIndexAttr(0);
  OpFoldResult rows = sizes[side.parallelLoop];
  lower = clamp(lower, zero, rows);
  return {lower, clamp(upper, lower, rows)};
}

/// The steps of a window at the current place that are inside of the image.
std::pair<OpFoldResult, OpFoldResult>
LoopEmitter::getInnerSteps(const WindowSide &side) {
  auto [begin, size] = getSideBegin(side);
  AffineExpr first = rewriter.getAffineSymbolExpr(0) +
                     rewriter.getAffineSymbolExpr(1) * side.stride;
  AffineExpr extent = rewriter.getAffineSymbolExpr(2);
  OpFoldResult place = indices[side.parallelLoop];
  OpFoldResult lower = affine::makeComposedFoldedAffineApply(
      rewriter, loc, (-first).ceilDiv(side.dilation), {begin, place});
  OpFoldResult upper = affine::makeComposedFoldedAffineApply(
      rewriter, loc, (extent - 1 - first).floorDiv(side.dilation) + 1,
      {begin, place, size});
  OpFoldResult zero = rewriter.getIndexAttr(0);
  OpFoldResult steps = sizes[side.reductionLoop];
  lower = clamp(lower, zero, steps);
  return {lower, clamp(upper, lower, steps)};
}

/// The side along which the steps of a reduction may be outside of the image;
/// null where all of them are known to be inside, or to be outside.
const WindowSide *LoopEmitter::findOpenSide(unsigned loop) {
  if (!border || isOutside)
    return nullptr;
  for (const WindowSide &side : border->sides)
    if (side.reductionLoop == loop &&
        (side.parallelLoop != plan.getRowLoop() || isAtBorder))
      return &side;
  return nullptr;
}

/// True if what a border adds makes no difference.
bool LoopEmitter::isBorderNeutral() {
  return cast<BoolAttr>(border->pad->getAttr(kBorderAttrName)).getValue();
}

/// The steps of a reduction in up to three parts: before, in and behind the
/// image.
SmallVector<Value>
LoopEmitter::emitSideSteps(const WindowSide &side, Values carried,
                           llvm::function_ref<Values(Values)> body) {
  auto [lower, upper] = getInnerSteps(side);
  // Those of the part that is done now.
  if (plan.panels.depth && side.reductionLoop == reductionLoops.front()) {
    OpFoldResult end = getStepsEnd(side.reductionLoop);
    lower = clamp(lower, firstStep, end);
    upper = clamp(upper, firstStep, end);
  }
  auto outside = [&](OpFoldResult from, OpFoldResult to) {
    if (isBorderNeutral())
      return;
    isOutside = true;
    carried = emitSteps(side.reductionLoop, from, to, carried, body);
    isOutside = false;
  };
  outside(rewriter.getIndexAttr(0), lower);
  carried = emitSteps(side.reductionLoop, lower, upper, carried, body);
  outside(upper, sizes[side.reductionLoop]);
  return carried;
}

/// The element that a border has everywhere.
Value LoopEmitter::getBorderValue() {
  Value value = border->pad.getConstantPaddingValue();
  if (value.getParentRegion() == &border->pad.getRegion())
    value = rewriter.clone(*value.getDefiningOp())->getResult(0);
  return value;
}

/// What a border's input is read from.
Value LoopEmitter::getSource(OpOperand *input) {
  return border && border->input == input ? border->pad.getSource()
                                          : input->get();
}

/// Makes places in the part of a padded image that `op` reads those of the
/// image.
void LoopEmitter::moveToImage(SmallVector<OpFoldResult> &places) {
  AffineExpr place = rewriter.getAffineSymbolExpr(0);
  AffineExpr offset = rewriter.getAffineSymbolExpr(1);
  for (auto [i, position] : llvm::enumerate(places))
    position = affine::makeComposedFoldedAffineApply(
        rewriter, loc, place + offset - border->pad.getStaticLow()[i],
        {position, border->offsets[i]});
}

//===----------------------------------------------------------------------===//
// Register tiles
//===----------------------------------------------------------------------===//

/// Steps `from` to `to` of a reduction. Those of the innermost loop of a window
/// are in one body if they are known to be few.
SmallVector<Value>
LoopEmitter::emitSteps(unsigned loop, OpFoldResult from, OpFoldResult to,
                       Values carried,
                       llvm::function_ref<Values(Values)> body) {
  std::optional<int64_t> first = getConstantIntValue(from);
  std::optional<int64_t> end = getConstantIntValue(to);
  if (loop == plan.getWindowLoop() && first && end && *first < *end &&
      *end - *first <= kMaxWindowSteps) {
    windowSteps = llvm::to_vector(llvm::seq(*first, *end));
    carried = body(carried);
    windowSteps.clear();
    return carried;
  }
  return emitLoop(from, to, 1, carried, [&](Value index, Values inner) {
    indices[loop] = index;
    return body(inner);
  });
}

/// True if what is read so far behind the beginning of the current block of
/// rows is known to be outside of the image.
bool LoopEmitter::isStepOutside(int64_t place) const {
  if (!knownBlock)
    return false;
  const auto &[side, first] = *knownBlock;
  place += side.begin + first * plan.getWindow()->stride;
  return place < 0 || place >= side.size;
}

/// All steps of a window for every accumulator, in the order of the places that
/// they read.
SmallVector<Value> LoopEmitter::accumulateWindow(Values accumulators,
                                                 ArrayRef<Cell> cells) {
  struct Step {
    int64_t place, number;
    size_t cell;
  };
  SmallVector<Step> steps;
  for (int64_t number : windowSteps)
    for (auto [index, cell] : llvm::enumerate(cells))
      steps.push_back({cell.row * plan.getWindow()->stride +
                           number * plan.getWindow()->dilation,
                       number, index});
  llvm::stable_sort(steps, [](const Step &first, const Step &second) {
    return first.place < second.place;
  });
  llvm::DenseMap<int64_t, Loads> loadsOf;
  unsigned results = op.getNumDpsInits();
  bool areOutside = isOutside;
  for (const Step &step : steps) {
    isOutside = areOutside || isStepOutside(step.place);
    if (isOutside && !areOutside && isBorderNeutral())
      continue;
    indices[plan.getWindow()->loop] = rewriter.getIndexAttr(step.number);
    std::swap(loads, loadsOf[step.number]);
    size_t first = step.cell * results;
    Values values = emitBody(cells[step.cell],
                             ArrayRef(accumulators).slice(first, results));
    for (auto [result, value] : llvm::enumerate(values))
      accumulators[first + result] = broadcast(value, cells[step.cell].lanes);
    std::swap(loads, loadsOf[step.number]);
  }
  isOutside = areOutside;
  return accumulators;
}

/// The vectors of some rows.
SmallVector<Value> LoopEmitter::emitWindowVectors(Values tensors,
                                                  int64_t rows) {
  return emitVectorSegments(tensors,
                            [&](Values carried, const TileShape &shape) {
                              TileShape tile = shape;
                              tile.rows = rows;
                              findPreparedBlock(shape);
                              return emitTile(carried, tile);
                            });
}

/// Rows whose windows may reach over the border, one by one.
SmallVector<Value> LoopEmitter::emitBorderRows(Values tensors,
                                               OpFoldResult from,
                                               OpFoldResult to) {
  isAtBorder = true;
  tensors = emitLoop(from, to, 1, tensors, [&](Value index, Values carried) {
    indices[plan.rows->loop] = index;
    return emitWindowVectors(carried, 1);
  });
  isAtBorder = false;
  return tensors;
}

/// The side that the rows go along if there is a border.
const WindowSide *LoopEmitter::findRowSide() {
  if (border)
    for (const WindowSide &side : border->sides)
      if (side.parallelLoop == plan.getRowLoop())
        return &side;
  return nullptr;
}

/// Where the border is, if that is known for each row and step.
std::optional<LoopEmitter::KnownSide>
LoopEmitter::getKnownSide(const WindowSide &side) {
  auto [begin, size] = getSideBegin(side);
  std::optional<int64_t> first = getConstantIntValue(begin);
  std::optional<int64_t> extent = getConstantIntValue(size);
  std::optional<int64_t> rows = getConstantIntValue(sizes[plan.rows->loop]);
  std::optional<int64_t> steps =
      getConstantIntValue(sizes[plan.getWindow()->loop]);
  if (!first || !extent || !rows || !steps || *steps > kMaxWindowSteps)
    return std::nullopt;
  return KnownSide{*first, *extent, *rows, *steps};
}

/// True if some window of these rows reaches over the border.
bool LoopEmitter::isOverBorder(const KnownSide &side, int64_t first,
                               int64_t rows) const {
  int64_t last = (first + rows - 1) * plan.getWindow()->stride +
                 (side.steps - 1) * plan.getWindow()->dilation;
  return side.begin + first * plan.getWindow()->stride < 0 ||
         side.begin + last >= side.size;
}

/// Blocks of rows of which those at a border have code of their own, which
/// knows the steps of each row that are outside of the image.
SmallVector<Value> LoopEmitter::emitKnownRows(const KnownSide &side,
                                              Values tensors) {
  int64_t height = llvm::divideCeil(
      side.rows, llvm::divideCeil(side.rows, plan.rows->count));
  for (int64_t first = 0, end; first < side.rows; first = end) {
    int64_t rows = std::min(height, side.rows - first);
    end = first + rows;
    bool isOver = isOverBorder(side, first, rows);
    while (!isOver && end + rows <= side.rows && !isOverBorder(side, end, rows))
      end += rows;
    if (isOver)
      knownBlock = {side, first};
    tensors = emitLoop(rewriter.getIndexAttr(first), rewriter.getIndexAttr(end),
                       rows, tensors, [&](Value index, Values carried) {
                         indices[plan.rows->loop] = index;
                         return emitWindowVectors(carried, rows);
                       });
    knownBlock.reset();
  }
  return tensors;
}

/// The rows of windows, and in each block of them the vectors.
SmallVector<Value> LoopEmitter::emitWindowRows(Values tensors) {
  OpFoldResult lower = rewriter.getIndexAttr(0), upper = sizes[plan.rows->loop];
  if (const WindowSide *side = findRowSide()) {
    if (std::optional<KnownSide> known = getKnownSide(*side))
      return emitKnownRows(*known, tensors);
    std::tie(lower, upper) = getInnerRows(*side);
  }
  tensors = emitBorderRows(tensors, rewriter.getIndexAttr(0), lower);
  tensors =
      emitRowSegments(tensors, lower, upper, [&](Values carried, int64_t rows) {
        return emitWindowVectors(carried, rows);
      });
  return emitBorderRows(tensors, upper, sizes[plan.rows->loop]);
}
