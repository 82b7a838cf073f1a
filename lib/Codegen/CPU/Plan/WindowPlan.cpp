//===- WindowPlan.cpp - Windows that follow the vectors -------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "WindowPlan.h"

#include "Access.h"
#include "Codegen/Match/FillValue.h"
#include "Codegen/Match/NeutralElement.h"
#include "ConstantPanels.h"
#include "PixelPlan.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace mlir::hetero;

//===----------------------------------------------------------------------===//
// Register tiles
//===----------------------------------------------------------------------===//

/// How far `expr` moves with each iteration of `loop`; none if that differs.
static std::optional<int64_t> getStep(AffineExpr expr, unsigned loop,
                                      unsigned numLoops) {
  AffineExpr dim = getAffineDimExpr(loop, expr.getContext());
  auto step = dyn_cast<AffineConstantExpr>(
      simplifyAffineExpr(expr.replace(dim, dim + 1) - expr, numLoops, 0));
  return step ? std::optional<int64_t>(step.getValue()) : std::nullopt;
}

/// The window that a dimension's places are of, but for the dimension.
static std::optional<WindowSide> matchSide(linalg::GenericOp op,
                                           AffineExpr expr) {
  WindowSide side;
  std::optional<unsigned> parallel, reduction;
  AffineExpr rest = expr;
  for (auto [loop, iterator] : llvm::enumerate(op.getIteratorTypesArray())) {
    if (!expr.isFunctionOfDim(loop))
      continue;
    bool isReduction = iterator == utils::IteratorType::reduction;
    std::optional<unsigned> &found = isReduction ? reduction : parallel;
    std::optional<int64_t> step = getStep(expr, loop, op.getNumLoops());
    if (found || !step || *step < 1)
      return std::nullopt;
    found = loop;
    (isReduction ? side.dilation : side.stride) = *step;
    rest = rest.replace(getAffineDimExpr(loop, op.getContext()),
                        getAffineConstantExpr(0, op.getContext()));
  }
  auto start = dyn_cast<AffineConstantExpr>(
      simplifyAffineExpr(rest, op.getNumLoops(), 0));
  if (!parallel || !reduction || !start)
    return std::nullopt;
  side.parallelLoop = *parallel;
  side.reductionLoop = *reduction;
  side.start = start.getValue();
  return side;
}

SmallVector<WindowSide> mlir::hetero::getWindowSides(linalg::GenericOp op,
                                                     OpOperand *input) {
  SmallVector<WindowSide> sides;
  AffineMap map = op.getMatchingIndexingMap(input);
  for (auto [dimension, expr] : llvm::enumerate(map.getResults()))
    if (std::optional<WindowSide> side = matchSide(op, expr)) {
      side->dimension = dimension;
      sides.push_back(*side);
    }
  return sides;
}

/// The side of the innermost reduction of an image, if all reductions go along
/// sides of it and none along the vectors.
static std::optional<WindowSide>
findInnermostSide(linalg::GenericOp op, OpOperand *input, unsigned vectorLoop) {
  SmallVector<WindowSide> sides = getWindowSides(op, input);
  SmallVector<unsigned> reductions;
  op.getReductionDims(reductions);
  std::optional<WindowSide> innermost;
  for (unsigned loop : reductions) {
    auto of = [&](const WindowSide &side) {
      return side.reductionLoop == loop && side.parallelLoop != vectorLoop;
    };
    if (llvm::count_if(sides, of) != 1)
      return std::nullopt;
    innermost = *llvm::find_if(sides, of);
  }
  return innermost;
}

/// True if no windows are read again for each iteration of another loop, which
/// rows along that loop would share.
static bool isReadOnce(linalg::GenericOp op, OpOperand *input) {
  AffineMap map = op.getMatchingIndexingMap(input);
  SmallVector<int64_t> sizes = op.getStaticLoopRanges();
  for (auto [loop, iterator] : llvm::enumerate(op.getIteratorTypesArray()))
    if (iterator == utils::IteratorType::parallel && sizes[loop] != 1 &&
        !map.isFunctionOfDim(loop))
      return false;
  return true;
}

bool mlir::hetero::planWindow(linalg::GenericOp op, const CPUTarget &target,
                              VectorPlan &plan) {
  if (plan.is<LaneSums>() || plan.scalarTail ||
      !plan.panels.transposed.empty() || op.getNumReductionLoops() == 0)
    return false;
  std::optional<WindowSide> side;
  for (OpOperand *input : op.getDpsInputOperands()) {
    if (!readsTensor(op, input))
      continue;
    AccessKind kind = classifyAccess(op, input, plan.vectorLoop);
    if (kind != AccessKind::Contiguous && kind != AccessKind::Invariant)
      return false;
    if (!side && kind == AccessKind::Contiguous && isReadOnce(op, input))
      side = findInnermostSide(op, input, plan.vectorLoop);
  }
  if (!side)
    return false;
  plan.form = WindowRows{side->reductionLoop, side->stride, side->dilation};
  // What else is in registers are the elements of another operand for each step
  // of the window.
  int64_t accumulators = target.vectorRegisters / 2;
  int64_t size = op.getStaticLoopRanges()[plan.vectorLoop];
  bool hasTwo = ShapedType::isDynamic(size) || size >= 2 * plan.lanes;
  plan.vectors = target.vectorRegisters >= 32 && hasTwo ? 2 : 1;
  plan.rows = {side->parallelLoop, accumulators / plan.vectors};
  return true;
}

//===----------------------------------------------------------------------===//
// Borders
//===----------------------------------------------------------------------===//

static bool hasBorder(tensor::PadOp pad, unsigned dimension) {
  return pad.getStaticLow()[dimension] != 0 ||
         pad.getStaticHigh()[dimension] != 0;
}

/// Where an image ends is known when the program runs.
static bool hasKnownBorders(tensor::PadOp pad) {
  return llvm::none_of(pad.getStaticLow(), ShapedType::isDynamic) &&
         pad.getConstantPaddingValue();
}

std::optional<Border> mlir::hetero::findBorder(linalg::GenericOp op,
                                               OpOperand *input,
                                               const VectorPlan &plan) {
  Border border;
  border.input = input;
  Value source = input->get();
  auto slice = source.getDefiningOp<tensor::ExtractSliceOp>();
  if (slice) {
    if (!slice.hasUnitStride() ||
        slice.getSourceType().getRank() != slice.getType().getRank())
      return std::nullopt;
    source = slice.getSource();
  }
  border.pad = source.getDefiningOp<tensor::PadOp>();
  if ((!plan.getWindow() && !plan.is<PixelRows>()) || !border.pad ||
      !hasKnownBorders(border.pad))
    return std::nullopt;
  border.offsets =
      slice
          ? slice.getMixedOffsets()
          : SmallVector<OpFoldResult>(border.pad.getType().getRank(),
                                      Builder(op.getContext()).getIndexAttr(0));
  SmallVector<WindowSide> sides = getWindowSides(op, input);
  for (int64_t dim = 0; dim < border.pad.getType().getRank(); ++dim) {
    if (!hasBorder(border.pad, dim))
      continue;
    auto side = llvm::find_if(sides, [&](const WindowSide &candidate) {
      return candidate.dimension == dim &&
             candidate.parallelLoop != plan.vectorLoop;
    });
    if (side == sides.end())
      return std::nullopt;
    border.sides.push_back(*side);
  }
  if (plan.is<PixelRows>() && !canPixelsSkip(op, border, plan))
    return std::nullopt;
  return border;
}

/// True if no element has all bits of the exponent: those are infinities and
/// NaNs in every type of IEEE 754. Blocks without a branch are vectorized.
template <typename Bits>
static bool areFinite(ArrayRef<char> bytes, Bits exponent) {
  ArrayRef<Bits> elements(reinterpret_cast<const Bits *>(bytes.data()),
                          bytes.size() / sizeof(Bits));
  while (!elements.empty()) {
    ArrayRef<Bits> block = elements.take_front(1024);
    bool isFinite = true;
    for (Bits element : block)
      isFinite &= (element & exponent) != exponent;
    if (!isFinite)
      return false;
    elements = elements.drop_front(block.size());
  }
  return true;
}

/// True if all elements of a constant are numbers.
static bool isFinite(Value value) {
  while (auto slice = value.getDefiningOp<tensor::ExtractSliceOp>())
    value = slice.getSource();
  arith::ConstantOp constant = findConstant(value);
  if (!constant)
    return false;
  ArrayRef<char> bytes = getConstantElements(constant);
  Type type = getElementTypeOrSelf(constant.getType());
  if (!bytes.empty() && type.isF32())
    return areFinite<uint32_t>(bytes, 0x7f800000);
  if (!bytes.empty() && (type.isF16() || type.isBF16()))
    return areFinite<uint16_t>(bytes, type.isF16() ? 0x7c00 : 0x7f80);
  auto dense = dyn_cast<DenseFPElementsAttr>(constant.getValue());
  if (dense && dense.isSplat())
    return dense.getSplatValue<APFloat>().isFinite();
  return dense && llvm::all_of(dense, [](const APFloat &element) {
           return element.isFinite();
         });
}

/// The operand that a value is but for its type, if that is made wider.
static OpOperand *findInput(linalg::GenericOp op, Value value) {
  while (Operation *wider = value.getDefiningOp()) {
    if (!isa<arith::ExtFOp, arith::ExtSIOp, arith::ExtUIOp>(wider))
      return nullptr;
    value = wider->getOperand(0);
  }
  auto argument = cast<BlockArgument>(value);
  return argument.getOwner() == op.getBody() ? op.getMatchingOpOperand(argument)
                                             : nullptr;
}

/// What a reduction starts from; null if that is not known.
static Attribute getStart(linalg::GenericOp op) {
  auto init = op.getDpsInits().front().getDefiningOp<linalg::GenericOp>();
  Attribute start;
  if (init)
    matchPattern(
        getFillValue(
            init, cast<OpResult>(op.getDpsInits().front()).getResultNumber()),
        m_Constant(&start));
  return start;
}

static bool isZero(Attribute value) {
  if (auto number = dyn_cast_if_present<FloatAttr>(value))
    return number.getValue().isZero();
  auto number = dyn_cast_if_present<IntegerAttr>(value);
  return number && number.getValue().isZero();
}

/// True if a product with zero is zero, whatever the other operand's elements
/// are.
static bool hasFiniteFactor(linalg::GenericOp op, Value product,
                            OpOperand *input) {
  Operation *multiply = product.getDefiningOp();
  if (!isa_and_present<arith::MulFOp, arith::MulIOp>(multiply))
    return false;
  OpOperand *first = findInput(op, multiply->getOperand(0));
  OpOperand *second = findInput(op, multiply->getOperand(1));
  if (!first || !second || (first == input) == (second == input))
    return false;
  return isa<arith::MulIOp>(multiply) ||
         isFinite((first == input ? second : first)->get());
}

bool mlir::hetero::isNeutral(linalg::GenericOp op, const Border &border) {
  Operation *combiner = op.getNumDpsInits() == 1 ? getCombiner(op, 0) : nullptr;
  Attribute pad;
  tensor::PadOp source = border.pad;
  Value padding = source.getConstantPaddingValue();
  if (!combiner || !padding ||
      op.getBody()->getTerminator()->getOperand(0) != combiner->getResult(0) ||
      !matchPattern(padding, m_Constant(&pad)))
    return false;
  Value argument = op.getRegionOutputArgs().front();
  Value added = combiner->getOperand(combiner->getOperand(0) == argument);
  Attribute start = getStart(op);
  bool isInput = findInput(op, added) == border.input;
  // Zeros added to what starts from zero, which is never a negative one.
  if (isa<arith::AddFOp, arith::AddIOp>(combiner)) {
    auto number = dyn_cast_if_present<FloatAttr>(start);
    bool startsRight =
        isa<arith::AddIOp>(combiner) ||
        (number && isZero(number) && !number.getValue().isNegative());
    return isZero(pad) && startsRight &&
           (isInput || hasFiniteFactor(op, added, border.input));
  }
  // The most of something and what it starts from.
  bool isIdempotent =
      isa<arith::MaximumFOp, arith::MinimumFOp, arith::MaxSIOp, arith::MinSIOp,
          arith::MaxUIOp, arith::MinUIOp>(combiner);
  return isInput && isIdempotent && start && pad == start;
}
