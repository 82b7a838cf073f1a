//===- ImageBorder.cpp - Windows that reach over an image -----------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ImageBorder.h"

#include "hetero/Dialect/Hetero/IR/AttributeNames.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mlir::hetero;

ImageBorder::ImageBorder(LoopNest &nest) : nest(nest) {
  for (OpOperand *input : nest.op.getDpsInputOperands()) {
    if (border || !nest.op.payloadUsesValueFromOperand(input))
      continue;
    border = findBorder(nest.op, input, nest.plan);
    if (border && !border->pad->hasAttr(kBorderAttrName))
      border.reset();
  }
}

bool ImageBorder::isOf(OpOperand *input) const {
  return border && border->input == input;
}

Value ImageBorder::getSource(OpOperand *input) const {
  return isOf(input) ? Value(tensor::PadOp(border->pad).getSource())
                     : input->get();
}

void ImageBorder::moveToImage(SmallVector<OpFoldResult> &place) {
  for (auto [i, position] : llvm::enumerate(place))
    position = nest.apply(nest.symbol(0) + nest.symbol(1) -
                              border->pad.getStaticLow()[i],
                          {position, border->offsets[i]});
}

bool ImageBorder::isNeutral() const {
  Operation *pad = tensor::PadOp(border->pad);
  return cast<BoolAttr>(pad->getAttr(kBorderAttrName)).getValue();
}

Value ImageBorder::createValue() {
  Value value = border->pad.getConstantPaddingValue();
  if (value.getParentRegion() == &border->pad.getRegion())
    value = nest.rewriter.clone(*value.getDefiningOp())->getResult(0);
  return value;
}

//===----------------------------------------------------------------------===//
// Sides
//===----------------------------------------------------------------------===//

const WindowSide *ImageBorder::findOpenSide(unsigned loop) const {
  if (!border || areStepsOutside)
    return nullptr;
  for (const WindowSide &side : border->sides)
    if (side.reductionLoop == loop &&
        (side.parallelLoop != nest.plan.getRowLoop() || areRowsAtBorder))
      return &side;
  return nullptr;
}

const WindowSide *ImageBorder::findRowSide() const {
  if (border)
    for (const WindowSide &side : border->sides)
      if (side.parallelLoop == nest.plan.getRowLoop())
        return &side;
  return nullptr;
}

const WindowSide *ImageBorder::findPixelSide() const {
  return nest.plan.is<PixelRows>() ? findRowSide() : nullptr;
}

/// How far the first place that a side's windows read is from the first of the
/// image, and the image's size.
std::pair<OpFoldResult, OpFoldResult>
ImageBorder::getBegin(const WindowSide &side) {
  int64_t low = border->pad.getStaticLow()[side.dimension];
  OpFoldResult begin = nest.apply(nest.symbol(0) + (side.start - low),
                                  {border->offsets[side.dimension]});
  OpFoldResult size = tensor::getMixedSize(
      nest.rewriter, nest.loc, border->pad.getSource(), side.dimension);
  return {begin, size};
}

std::pair<OpFoldResult, OpFoldResult>
ImageBorder::getInnerRows(const WindowSide &side) {
  auto [begin, size] = getBegin(side);
  AffineExpr first = nest.symbol(0), extent = nest.symbol(1);
  AffineExpr reach = (nest.symbol(2) - 1) * side.dilation;
  OpFoldResult lower = nest.apply((-first).ceilDiv(side.stride), {begin});
  OpFoldResult upper =
      nest.apply((extent - 1 - first - reach).floorDiv(side.stride) + 1,
                 {begin, size, nest.sizes[side.reductionLoop]});
  OpFoldResult rows = nest.sizes[side.parallelLoop];
  lower = nest.clamp(lower, nest.index(0), rows);
  return {lower, nest.clamp(upper, lower, rows)};
}

std::pair<OpFoldResult, OpFoldResult>
ImageBorder::getInnerSteps(const WindowSide &side) {
  auto [begin, size] = getBegin(side);
  AffineExpr first = nest.symbol(0) + nest.symbol(1) * side.stride;
  AffineExpr extent = nest.symbol(2);
  OpFoldResult place = nest.indices[side.parallelLoop];
  OpFoldResult lower =
      nest.apply((-first).ceilDiv(side.dilation), {begin, place});
  OpFoldResult upper = nest.apply(
      (extent - 1 - first).floorDiv(side.dilation) + 1, {begin, place, size});
  OpFoldResult steps = nest.sizes[side.reductionLoop];
  lower = nest.clamp(lower, nest.index(0), steps);
  return {lower, nest.clamp(upper, lower, steps)};
}

//===----------------------------------------------------------------------===//
// Sides of which all is known
//===----------------------------------------------------------------------===//

std::optional<KnownSide> ImageBorder::getKnownSide(const WindowSide &side) {
  auto [begin, size] = getBegin(side);
  const VectorPlan &plan = nest.plan;
  std::optional<int64_t> first = getConstantIntValue(begin);
  std::optional<int64_t> extent = getConstantIntValue(size);
  std::optional<int64_t> rows =
      getConstantIntValue(nest.sizes[plan.rows->loop]);
  std::optional<int64_t> steps =
      getConstantIntValue(nest.sizes[plan.getWindow()->loop]);
  if (!first || !extent || !rows || !steps || *steps > kMaxWindowSteps)
    return std::nullopt;
  return KnownSide{*first, *extent, *rows, *steps};
}

bool ImageBorder::isOverBorder(const KnownSide &side, int64_t first,
                               int64_t rows) const {
  const WindowRows &window = *nest.plan.getWindow();
  int64_t last =
      (first + rows - 1) * window.stride + (side.steps - 1) * window.dilation;
  return side.begin + first * window.stride < 0 ||
         side.begin + last >= side.size;
}

bool ImageBorder::isKnownOutside(int64_t distance) const {
  if (!block)
    return false;
  const auto &[side, first] = *block;
  int64_t place = distance + side.begin + first * nest.plan.getWindow()->stride;
  return place < 0 || place >= side.size;
}
