//===- Dequantized.cpp - Numbers that are scaled integers -----------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Dequantized.h"

#include "ConstantElements.h"
#include "JoinedOperations.h"
#include "ReadThrough.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace mlir::hetero;

//===----------------------------------------------------------------------===//
// The body that dequantizes
//===----------------------------------------------------------------------===//

namespace {
/// The body of an elementwise operation.
class BodyMatcher {
public:
  explicit BodyMatcher(linalg::GenericOp op) : op(op) {}

  std::optional<Dequantized> match();

private:
  bool matchFloat(Value value);
  bool matchInteger(Value value);
  bool matchData(Value value);
  bool matchScale(Value value);
  bool matchZeroPoint(Value value);
  OpOperand *getInput(Value value);

  linalg::GenericOp op;
  Dequantized found;
};
} // namespace

/// The input whose element the value is, or null.
OpOperand *BodyMatcher::getInput(Value value) {
  auto argument = dyn_cast<BlockArgument>(value);
  if (!argument || argument.getOwner() != op.getBody() ||
      argument.getArgNumber() >= op.getNumDpsInputs())
    return nullptr;
  return op.getDpsInputOperand(argument.getArgNumber());
}

bool BodyMatcher::matchScale(Value value) {
  AffineMap none = AffineMap::get(op.getNumLoops(), 0, op.getContext());
  if (OpOperand *input = getInput(value)) {
    AffineMap map = op.getMatchingIndexingMap(input);
    found.scale = {input->get(), map};
    return map.isProjectedPermutation();
  }
  found.scale = {value, none};
  return value.getParentRegion() != &op.getRegion();
}

/// The number that all elements of a constant are; none if they differ.
static std::optional<int64_t> getCommonNumber(Value value, bool isSigned) {
  std::optional<ConstantElements> elements = ConstantElements::get(value);
  if (!elements || elements->getType().getNumElements() == 0)
    return std::nullopt;
  ArrayRef<char> bytes = elements->getBytes(0);
  for (int64_t index = 1, count = elements->getType().getNumElements();
       !elements->isSplat() && index < count; ++index)
    if (elements->getBytes(index) != bytes)
      return std::nullopt;
  APInt number(bytes.size() * 8, 0);
  llvm::LoadIntFromMemory(
      number, reinterpret_cast<const uint8_t *>(bytes.data()), bytes.size());
  return isSigned ? number.getSExtValue() : number.getZExtValue();
}

/// A number of i32 that is the same for all elements.
bool BodyMatcher::matchZeroPoint(Value value) {
  Operation *wider = value.getDefiningOp();
  bool isWidened = isa_and_nonnull<arith::ExtSIOp, arith::ExtUIOp>(wider);
  bool isSigned = !isa_and_nonnull<arith::ExtUIOp>(wider);
  Value narrow = isWidened ? wider->getOperand(0) : value;
  APInt number;
  if (OpOperand *input = getInput(narrow)) {
    std::optional<int64_t> common = getCommonNumber(input->get(), isSigned);
    if (common) {
      found.zero.number = *common;
      return true;
    }
    // A scalar.
    value = input->get();
  } else if (matchPattern(value, m_ConstantInt(&number))) {
    found.zero.number = number.getSExtValue();
    return true;
  }
  found.zero.value = value;
  return value.getType().isInteger(32) &&
         value.getParentRegion() != &op.getRegion();
}

/// The element of the data, made wider or not.
bool BodyMatcher::matchData(Value value) {
  OpOperand *input = getInput(value);
  if (!input || !op.getMatchingIndexingMap(input).isIdentity() ||
      !getElementTypeOrSelf(input->get().getType()).isInteger(8))
    return false;
  found.data = input->get();
  return true;
}

/// Elements of i32.
bool BodyMatcher::matchInteger(Value value) {
  if (auto difference = value.getDefiningOp<arith::SubIOp>()) {
    if (!matchZeroPoint(difference.getRhs()))
      return false;
    value = difference.getLhs();
  }
  Operation *wider = value.getDefiningOp();
  if (!isa_and_nonnull<arith::ExtSIOp, arith::ExtUIOp>(wider))
    return false;
  found.isSigned = isa<arith::ExtSIOp>(wider);
  return matchData(wider->getOperand(0));
}

/// Elements of f32 that are integers.
bool BodyMatcher::matchFloat(Value value) {
  Operation *conversion = value.getDefiningOp();
  if (!isa_and_nonnull<arith::SIToFPOp, arith::UIToFPOp>(conversion))
    return false;
  Value integer = conversion->getOperand(0);
  found.isSigned = isa<arith::SIToFPOp>(conversion);
  return integer.getType().isInteger(8) ? matchData(integer)
         : found.isSigned               ? matchInteger(integer)
                                        : false;
}

std::optional<Dequantized> BodyMatcher::match() {
  auto product = op.getBody()
                     ->getTerminator()
                     ->getOperand(0)
                     .getDefiningOp<arith::MulFOp>();
  if (!product || !product.getType().isF32())
    return std::nullopt;
  for (bool isSwapped : {false, true}) {
    found = {};
    if (matchScale(product->getOperand(isSwapped ? 0 : 1)) &&
        matchFloat(product->getOperand(isSwapped ? 1 : 0)))
      return found;
  }
  return std::nullopt;
}

/// The operation's result as a function of integers, if it is one.
static std::optional<Dequantized> matchDequantize(linalg::GenericOp op) {
  if (!op.hasPureTensorSemantics() || op.getNumDpsInits() != 1 ||
      op.getNumReductionLoops() != 0 ||
      !op.getMatchingIndexingMap(op.getDpsInitOperand(0)).isIdentity())
    return std::nullopt;
  return BodyMatcher(op).match();
}

//===----------------------------------------------------------------------===//
// Moves
//===----------------------------------------------------------------------===//

/// Where each dimension of the operand is in the result; -1 if nowhere.
using MovedDims = SmallVector<int64_t>;

/// Of a view that makes one dimension of several, or several of one: what it
/// adds or takes away are dimensions of size 1.
static MovedDims followView(ArrayRef<ReassociationIndices> groups,
                            ArrayRef<int64_t> shape, bool isCollapse) {
  MovedDims moved(isCollapse ? shape.size() : groups.size(), -1);
  for (auto [number, group] : llvm::enumerate(groups)) {
    SmallVector<int64_t> large;
    for (int64_t dim : group)
      if (shape[dim] != 1)
        large.push_back(dim);
    if (large.size() > 1)
      continue;
    int64_t dim = large.empty() ? group.front() : large.front();
    (isCollapse ? moved[dim] : moved[number]) = isCollapse ? number : dim;
  }
  return moved;
}

static MovedDims followIdentity(int64_t rank) {
  return llvm::to_vector(llvm::seq(rank));
}

/// A tensor that the source is put into, whose other elements are 0.
static bool isPad(tensor::InsertSliceOp op) {
  Value around = getSplatScalar(op.getDest());
  return around && matchPattern(around, m_AnyZeroFloat()) &&
         op.getSourceType().getRank() == op.getDestType().getRank() &&
         llvm::all_of(op.getMixedStrides(), isOneInteger);
}

/// What the operation does with the elements of its first operand, if it only
/// moves them and adds none but zeros.
static std::optional<MovedDims> followMove(Operation *op) {
  if (auto view = dyn_cast<tensor::CollapseShapeOp>(op))
    return followView(view.getReassociationIndices(),
                      view.getSrcType().getShape(), /*isCollapse=*/true);
  if (auto view = dyn_cast<tensor::ExpandShapeOp>(op))
    return followView(view.getReassociationIndices(),
                      view.getResultType().getShape(), /*isCollapse=*/false);
  if (auto pad = dyn_cast<tensor::InsertSliceOp>(op)) {
    if (!isPad(pad))
      return std::nullopt;
    MovedDims moved = followIdentity(pad.getSourceType().getRank());
    for (auto [dim, place] : llvm::enumerate(moved))
      if (pad.getSourceType().getDimSize(dim) !=
          pad.getDestType().getDimSize(dim))
        place = -1;
    return moved;
  }
  if (auto transpose = dyn_cast<linalg::TransposeOp>(op))
    return llvm::to_vector(invertPermutationVector(transpose.getPermutation()));
  return std::nullopt;
}

/// The map from the dimensions that were moved; none if one is not there.
static std::optional<AffineMap> moveMap(AffineMap map, const MovedDims &moved,
                                        int64_t rank) {
  SmallVector<AffineExpr> results;
  for (AffineExpr expr : map.getResults()) {
    int64_t dim = moved[cast<AffineDimExpr>(expr).getPosition()];
    if (dim < 0)
      return std::nullopt;
    results.push_back(getAffineDimExpr(dim, map.getContext()));
  }
  return AffineMap::get(rank, 0, results, map.getContext());
}

static bool followMove(Dequantized &tensor, Operation *op) {
  std::optional<MovedDims> moved = followMove(op);
  if (!moved)
    return false;
  int64_t rank = cast<RankedTensorType>(op->getResult(0).getType()).getRank();
  std::optional<AffineMap> map = moveMap(tensor.scale.map, *moved, rank);
  if (!map)
    return false;
  tensor.scale.map = *map;
  tensor.moves.push_back(op);
  return true;
}

std::optional<Dequantized> mlir::hetero::findDequantized(Value value,
                                                         DeviceAttr device) {
  SmallVector<Operation *> moves;
  Operation *op = value.getDefiningOp();
  while (op && followMove(op) && mayJoin(op, device)) {
    moves.push_back(op);
    op = op->getOperand(0).getDefiningOp();
  }
  auto generic = dyn_cast_or_null<linalg::GenericOp>(op);
  if (!generic || !mayJoin(generic, device))
    return std::nullopt;
  std::optional<Dequantized> found = matchDequantize(generic);
  if (!found)
    return std::nullopt;
  for (Operation *move : llvm::reverse(moves))
    if (!followMove(*found, move))
      return std::nullopt;
  return found;
}

//===----------------------------------------------------------------------===//
// Moving integers
//===----------------------------------------------------------------------===//

static RankedTensorType withElements(Value like, Type element) {
  return cast<RankedTensorType>(like.getType()).clone(element);
}

Value ZeroPoint::create(OpBuilder &builder, Location loc, Type type) const {
  if (!value)
    return arith::ConstantOp::create(
        builder, loc,
        IntegerAttr::get(type, APInt(type.getIntOrFloatBitWidth(), number,
                                     /*isSigned=*/true,
                                     /*implicitTrunc=*/true)));
  return value.getType() == type
             ? value
             : arith::TruncIOp::create(builder, loc, type, value);
}

/// A tensor of zero points.
static Value createBorder(OpBuilder &builder, tensor::InsertSliceOp op,
                          const ZeroPoint &zero, Type element) {
  Location loc = op.getLoc();
  Value empty = tensor::EmptyOp::create(
      builder, loc, tensor::getMixedSizes(builder, loc, op.getDest()), element);
  Value number = zero.create(builder, loc, element);
  return linalg::FillOp::create(builder, loc, number, empty).getResult(0);
}

static Value moveIntegers(OpBuilder &builder, Operation *op, Value data,
                          const ZeroPoint &zero) {
  Location loc = op->getLoc();
  Type element = getElementTypeOrSelf(data.getType());
  if (auto view = dyn_cast<tensor::CollapseShapeOp>(op))
    return tensor::CollapseShapeOp::create(builder, loc,
                                           withElements(view, element), data,
                                           view.getReassociationIndices());
  if (auto view = dyn_cast<tensor::ExpandShapeOp>(op))
    return tensor::ExpandShapeOp::create(
        builder, loc, withElements(view, element), data,
        view.getReassociationIndices(), view.getMixedOutputShape());
  if (auto pad = dyn_cast<tensor::InsertSliceOp>(op))
    return tensor::InsertSliceOp::create(
        builder, loc, data, createBorder(builder, pad, zero, element),
        pad.getMixedOffsets(), pad.getMixedSizes(), pad.getMixedStrides());
  auto transpose = cast<linalg::TransposeOp>(op);
  Value empty = tensor::EmptyOp::create(
      builder, loc,
      tensor::getMixedSizes(builder, loc, transpose.getDpsInits()[0]), element);
  return linalg::TransposeOp::create(builder, loc, data, empty,
                                     transpose.getPermutation())
      ->getResult(0);
}

Value Dequantized::moveData(OpBuilder &builder) const {
  Value moved = data;
  for (Operation *op : moves)
    moved = moveIntegers(builder, op, moved, zero);
  return moved;
}
