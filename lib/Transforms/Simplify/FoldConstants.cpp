//===- FoldConstants.cpp - Computes what is constant ----------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   %t = linalg.transpose ins(%weights) permutation = [1, 0]
//   %r = linalg.generic ins(%variance) { rsqrt }
// become
//   %t = arith.constant dense_resource<folded>
//   %r = arith.constant dense<...>
//
// Upstream's patterns (linalg, tensor) do it for attributes alone; weights are
// resources, and stay some. What is constant and larger than what it is made of
// stays as it is: a weight that is repeated, or kept with fewer bits.
//
//===----------------------------------------------------------------------===//

#include "ConstantElements.h"
#include "JoinedOperations.h"
#include "hetero/Analysis/Placement/PlacementQueries.h"
#include "hetero/Dialect/Hetero/IR/SummaryRemark.h"
#include "hetero/Transforms/Passes.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/Remarks.h"
#include <cmath>

namespace mlir::hetero {
#define GEN_PASS_DEF_FOLDCONSTANTSPASS
#include "hetero/Transforms/Passes.h.inc"
} // namespace mlir::hetero

using namespace mlir;
using namespace mlir::hetero;

/// From so many scalar operations on it takes time that a user notices.
static constexpr int64_t kMostScalarOperations = 1 << 18;

//===----------------------------------------------------------------------===//
// Places of elements
//===----------------------------------------------------------------------===//

namespace {
/// Where the elements of an input are that the points of a loop nest read.
struct ReadPlaces {
  int64_t start = 0;
  /// How far the place moves with each loop.
  SmallVector<int64_t> strides;
};
} // namespace

/// None where a dimension follows more than one loop.
static std::optional<ReadPlaces> getPlaces(RankedTensorType type,
                                           AffineMap map) {
  ReadPlaces places;
  places.strides.assign(map.getNumDims(), 0);
  for (auto [expr, stride] :
       llvm::zip(map.getResults(), computeStrides(type.getShape()))) {
    if (auto dim = dyn_cast<AffineDimExpr>(expr))
      places.strides[dim.getPosition()] += stride;
    else if (auto constant = dyn_cast<AffineConstantExpr>(expr))
      places.start += constant.getValue() * stride;
    else
      return std::nullopt;
  }
  return places;
}

/// Calls `visit` with the places of each input at each point of the loops, in
/// row-major order, until it fails.
static LogicalResult
visitPoints(ArrayRef<int64_t> sizes, ArrayRef<ReadPlaces> inputs,
            function_ref<LogicalResult(ArrayRef<int64_t>)> visit) {
  SmallVector<int64_t> point(sizes.size(), 0), places;
  for (const ReadPlaces &input : inputs)
    places.push_back(input.start);
  while (true) {
    if (failed(visit(places)))
      return failure();
    int64_t loop = sizes.size();
    while (loop-- > 0) {
      bool isInside = ++point[loop] < sizes[loop];
      if (!isInside)
        point[loop] = 0;
      for (auto [place, input] : llvm::zip(places, inputs))
        place += (isInside ? 1 : 1 - sizes[loop]) * input.strides[loop];
      if (isInside)
        break;
    }
    if (loop < 0)
      return success();
  }
}

//===----------------------------------------------------------------------===//
// Linalg
//===----------------------------------------------------------------------===//

namespace {
/// Computes an operation with one result, element by element, of constants.
class ConstantLoops {
public:
  explicit ConstantLoops(linalg::LinalgOp op) : op(op) {}

  /// The constants, and where they are read; fails if one is none.
  LogicalResult readInputs();
  std::optional<std::vector<char>> compute();

private:
  bool isMovement();
  std::optional<TypedAttr> computeElement(ArrayRef<int64_t> places);
  TypedAttr getNumber(Value value) const;

  linalg::LinalgOp op;
  SmallVector<ConstantElements> elements;
  SmallVector<ReadPlaces> places;
  /// The arguments of the body that are elements, in the order of these.
  SmallVector<BlockArgument> arguments;
  DenseMap<Value, TypedAttr> numbers;
};
} // namespace

static RankedTensorType getResultType(Operation *op) {
  return dyn_cast<RankedTensorType>(op->getResult(0).getType());
}

/// True if the value is an element of the result for each point of the loops,
/// in row-major order, and of nothing else.
static bool computesElements(linalg::LinalgOp op) {
  return op.hasPureTensorSemantics() && op.getNumDpsInits() == 1 &&
         op.getNumReductionLoops() == 0 && op.getNumLoops() > 0 &&
         op.getMatchingIndexingMap(op.getDpsInitOperand(0)).isIdentity() &&
         !op.payloadUsesValueFromOperand(op.getDpsInitOperand(0)) &&
         !op.hasIndexSemantics();
}

LogicalResult ConstantLoops::readInputs() {
  for (OpOperand *input : op.getDpsInputOperands()) {
    BlockArgument argument = op.getMatchingBlockArgument(input);
    TypedAttr scalar;
    if (!isa<ShapedType>(input->get().getType())) {
      if (!matchPattern(input->get(), m_Constant(&scalar)))
        return failure();
      numbers[argument] = scalar;
      continue;
    }
    std::optional<ConstantElements> constant =
        ConstantElements::get(input->get());
    if (!constant || !mayJoin(constant->getOp(), getDevice(op)))
      return failure();
    std::optional<ReadPlaces> read =
        getPlaces(constant->getType(), op.getMatchingIndexingMap(input));
    if (!read)
      return failure();
    elements.push_back(*constant);
    places.push_back(*read);
    arguments.push_back(argument);
  }
  return success(!elements.empty());
}

bool ConstantLoops::isMovement() {
  return op.getBlock()->getTerminator()->getOperand(0) == arguments[0] &&
         elements.size() == 1;
}

TypedAttr ConstantLoops::getNumber(Value value) const {
  if (TypedAttr number = numbers.lookup(value))
    return number;
  TypedAttr constant;
  return matchPattern(value, m_Constant(&constant)) ? constant : TypedAttr();
}

/// The number that an operation on numbers yields; null if it has no fold.
static TypedAttr foldScalar(Operation &op, ArrayRef<Attribute> operands) {
  // The only one of these that upstream does not fold.
  if (auto root = dyn_cast<math::RsqrtOp>(op)) {
    auto number = dyn_cast<FloatAttr>(operands[0]);
    return number && (number.getType().isF32() || number.getType().isF64())
               ? FloatAttr::get(number.getType(),
                                1.0 / std::sqrt(number.getValueAsDouble()))
               : FloatAttr();
  }
  SmallVector<OpFoldResult> results;
  if (op.getNumRegions() != 0 || failed(op.fold(operands, results)) ||
      results.size() != 1)
    return {};
  return dyn_cast_or_null<TypedAttr>(dyn_cast<Attribute>(results[0]));
}

std::optional<TypedAttr>
ConstantLoops::computeElement(ArrayRef<int64_t> places) {
  for (auto [argument, constant, place] :
       llvm::zip(arguments, elements, places))
    numbers[argument] = constant.getAttribute(place);
  for (Operation &inner : op.getBlock()->without_terminator()) {
    SmallVector<Attribute> operands;
    for (Value operand : inner.getOperands())
      operands.push_back(getNumber(operand));
    if (inner.getNumResults() != 1 || llvm::is_contained(operands, Attribute()))
      return std::nullopt;
    TypedAttr result = foldScalar(inner, operands);
    if (!result || !isa<FloatAttr, IntegerAttr>(result))
      return std::nullopt;
    numbers[inner.getResult(0)] = result;
  }
  TypedAttr number = getNumber(op.getBlock()->getTerminator()->getOperand(0));
  return number ? std::optional(number) : std::nullopt;
}

std::optional<std::vector<char>> ConstantLoops::compute() {
  RankedTensorType type = getResultType(op);
  std::vector<char> bytes;
  bytes.reserve(type.getNumElements() * type.getElementTypeBitWidth() / 8);
  if (isMovement()) {
    (void)visitPoints(type.getShape(), places, [&](ArrayRef<int64_t> at) {
      ArrayRef<char> element = elements[0].getBytes(at[0]);
      bytes.insert(bytes.end(), element.begin(), element.end());
      return success();
    });
    return bytes;
  }
  int64_t work = type.getNumElements() *
                 llvm::range_size(op.getBlock()->without_terminator());
  if (work > kMostScalarOperations)
    return std::nullopt;
  LogicalResult computed =
      visitPoints(type.getShape(), places, [&](ArrayRef<int64_t> at) {
        std::optional<TypedAttr> number = computeElement(at);
        if (number)
          appendBytes(bytes, *number);
        return success(number.has_value());
      });
  return succeeded(computed) ? std::optional(std::move(bytes)) : std::nullopt;
}

//===----------------------------------------------------------------------===//
// Operations
//===----------------------------------------------------------------------===//

static int64_t getBytes(RankedTensorType type) {
  return type.getNumElements() * type.getElementTypeBitWidth() / 8;
}

/// True if the result is a tensor of numbers whose constant is not larger than
/// those that it is made of, and not larger than allowed.
static bool isWorthFolding(Operation *op, uint64_t maxBytes) {
  RankedTensorType type = getResultType(op);
  if (!type || !type.hasStaticShape() || type.getNumElements() == 0 ||
      !type.getElementType().isIntOrFloat() ||
      type.getElementTypeBitWidth() % 8 != 0 ||
      type.getElementTypeBitWidth() > 64)
    return false;
  int64_t given = 0;
  for (Value operand : op->getOperands())
    if (std::optional<ConstantElements> constant =
            ConstantElements::get(operand))
      given += getBytes(constant->getType());
  return uint64_t(getBytes(type)) <= std::min(uint64_t(given), maxBytes);
}

/// A view of a constant: its elements are the same ones, in the same order.
static TypedAttr reshapeConstant(Operation *op) {
  std::optional<ConstantElements> constant =
      ConstantElements::get(op->getOperand(0));
  if (!constant || !mayJoin(constant->getOp(), getDevice(op)))
    return {};
  return cast<TypedAttr>(
      retypeElements(constant->getOp().getValue(), getResultType(op)));
}

/// The name of the constant if there is one with a name, such as a weight.
static Location getFoldedLocation(Operation *op) {
  auto linalgOp = dyn_cast<linalg::LinalgOp>(op);
  if (linalgOp && linalgOp.getNumDpsInputs() != 1)
    return op->getLoc();
  Operation *constant = op->getOperand(0).getDefiningOp();
  return constant && isa<NameLoc>(constant->getLoc()) ? constant->getLoc()
                                                      : op->getLoc();
}

/// The constant that replaces the operation; null if it is not constant.
static arith::ConstantOp fold(OpBuilder &builder, Operation *op) {
  builder.setInsertionPoint(op);
  if (isa<tensor::ExpandShapeOp, tensor::CollapseShapeOp>(op)) {
    TypedAttr value = reshapeConstant(op);
    return value ? arith::ConstantOp::create(builder, getFoldedLocation(op),
                                             value)
                 : arith::ConstantOp();
  }
  auto linalgOp = dyn_cast<linalg::LinalgOp>(op);
  if (!linalgOp || !computesElements(linalgOp))
    return {};
  ConstantLoops loops(linalgOp);
  if (failed(loops.readInputs()))
    return {};
  std::optional<std::vector<char>> bytes = loops.compute();
  return bytes ? createConstant(builder, getFoldedLocation(op),
                                getResultType(op), *bytes)
               : arith::ConstantOp();
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

namespace {
struct FoldConstantsPass
    : public mlir::hetero::impl::FoldConstantsPassBase<FoldConstantsPass> {
  using Base::Base;
  void runOnOperation() override {
    ModuleOp module = getOperation();
    if (getPhase(module) > Phase::Annotated)
      return;
    PinCount pins(module);
    IRRewriter rewriter(&getContext());
    // Operands before their users.
    SmallVector<Operation *> ops;
    module.walk<WalkOrder::PreOrder>([&](Operation *op) {
      if (isa<linalg::LinalgOp, tensor::ExpandShapeOp, tensor::CollapseShapeOp>(
              op) &&
          op->getNumResults() == 1)
        ops.push_back(op);
    });
    SmallVector<Operation *> unused;
    int64_t folded = 0;
    for (Operation *op : ops)
      folded += replace(rewriter, op, unused);
    eraseUnusedProducers(rewriter, unused);
    pins.update();
    remarkSummary(module, getArgument(), {{"folded", folded}});
  }

  /// True if a constant has replaced the operation, which may have been the
  /// last user of those in `unused`.
  bool replace(RewriterBase &rewriter, Operation *op,
               SmallVectorImpl<Operation *> &unused) {
    if (!isWorthFolding(op, maxBytes))
      return false;
    arith::ConstantOp constant = fold(rewriter, op);
    if (!constant)
      return false;
    remark::passed(op->getLoc(),
                   remark::RemarkOpts::name("folded").category(getArgument()))
        << remark::add("'{0}' is a constant", op->getName().getStringRef())
        << remark::metric("Bytes", getBytes(getResultType(op)));
    copyAnnotations(op, constant);
    for (Value operand : op->getOperands())
      if (Operation *producer = operand.getDefiningOp())
        unused.push_back(producer);
    rewriter.replaceOp(op, constant);
    return true;
  }
};
} // namespace
