//===- HoistLoopProducts.cpp - Products of all steps before the loop ------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A recurrent cell multiplies a part of its input by the same weights in each
// step, which does not need the step before:
//
//   scf.for %t = 0 to 64 iter_args(%h = %zeros) {
//     %x = tensor.extract_slice %all[%t, 0] [1, 256] [1, 1]
//     %g = linalg.matmul ins(%x, %w) outs(%z)
// becomes
//   %gs = linalg.generic {product} ins(%all, %w)        // tensor<64x1x256xf32>
//   scf.for %t = 0 to 64 iter_args(%h = %zeros) {
//     %g = tensor.extract_slice %gs[%t, 0, 0] [1, 1, 256] [1, 1, 1]
//
// The weights are then read once and not in each step, by a product of many
// rows. Terms: a value of a step has a counterpart of all steps, which has one
// dimension more, the first.
//
//===----------------------------------------------------------------------===//

#include "StepIndex.h"
#include "Transforms/Simplify/JoinedOperations.h"

#include "hetero/Dialect/Hetero/IR/HeteroDialect.h"
#include "hetero/Dialect/Hetero/IR/SummaryRemark.h"
#include "hetero/Transforms/Passes.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Transforms/RegionUtils.h"

namespace mlir::hetero {
#define GEN_PASS_DEF_HOISTLOOPPRODUCTSPASS
#include "hetero/Transforms/Passes.h.inc"
} // namespace mlir::hetero

using namespace mlir;
using namespace mlir::hetero;

/// The results of all steps are in memory at once. More would cost more than
/// reading the weights again.
static constexpr int64_t kMaxBytes = 64 << 20;

static RankedTensorType getStaticTensor(Value value) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  return type && type.hasStaticShape() && type.getElementType().isIntOrFloat()
             ? type
             : RankedTensorType();
}

/// Groups of dimensions after a first one of its own.
static SmallVector<ReassociationIndices>
addFirstGroup(ArrayRef<ReassociationIndices> groups) {
  SmallVector<ReassociationIndices> result = {{0}};
  for (const ReassociationIndices &group : groups)
    result.push_back(llvm::map_to_vector<2>(
        group, [](int64_t dimension) { return dimension + 1; }));
  return result;
}

namespace {
/// One loop, with a step of 1 from 0 to a known number.
class StepsOfLoop {
public:
  StepsOfLoop(scf::ForOp loop, int64_t steps)
      : loop(loop), steps(steps), builder(loop) {}

  /// Moves what is worth it; returns the number of products.
  unsigned hoistProducts();

private:
  void findInvariants();
  bool areRegionsInvariant(Operation *op);
  bool isInvariant(Value value);
  bool isFirstOfSteps(tensor::ExtractSliceOp slice);
  bool isStructured(linalg::LinalgOp op);
  /// True if all steps of the operation can be one.
  bool canJoin(Operation *op);
  bool isJoinable(Value value) { return joinable.contains(value); }
  bool isProduct(linalg::LinalgOp op);
  bool isElementwiseOn(linalg::LinalgOp op,
                       const llvm::SetVector<Operation *> &hoisted);

  RankedTensorType getJoinedType(Value value);
  Value getInvariant(Value value);
  Value getJoined(Value value);
  Value join(tensor::ExtractSliceOp slice);
  Value join(linalg::LinalgOp op);
  Value joinInit(linalg::LinalgOp op);
  void replaceInLoop(Value value);

  scf::ForOp loop;
  int64_t steps;
  OpBuilder builder;
  llvm::DenseSet<Operation *> invariant;
  llvm::DenseSet<Value> joinable;
  /// Values of the loop by what stands before it.
  IRMapping repeated;
  llvm::DenseMap<Value, Value> joined;
};
} // namespace

//===----------------------------------------------------------------------===//
// What can be joined
//===----------------------------------------------------------------------===//

/// True if the regions of an operation read what is outside of the loop only.
bool StepsOfLoop::areRegionsInvariant(Operation *op) {
  bool areInvariant = true;
  visitUsedValuesDefinedAbove(op->getRegions(), [&](OpOperand *operand) {
    areInvariant &= loop.isDefinedOutsideOfLoop(operand->get());
  });
  return areInvariant;
}

/// Notes what of the loop's body could be computed before the loop.
void StepsOfLoop::findInvariants() {
  for (Operation &op : loop.getBody()->without_terminator())
    if (isPure(&op) && areRegionsInvariant(&op) &&
        llvm::all_of(op.getOperands(),
                     [&](Value value) { return isInvariant(value); }))
      invariant.insert(&op);
}

bool StepsOfLoop::isInvariant(Value value) {
  return loop.isDefinedOutsideOfLoop(value) ||
         invariant.contains(value.getDefiningOp());
}

/// A part of a tensor that the number of the step is the first index of.
bool StepsOfLoop::isFirstOfSteps(tensor::ExtractSliceOp slice) {
  auto offsets = slice.getMixedOffsets();
  auto first = offsets.empty() ? Value() : dyn_cast<Value>(offsets.front());
  return first && slice.hasUnitStride() && getStaticTensor(slice.getSource()) &&
         getStaticTensor(slice) && slice.getStaticSizes().front() == 1 &&
         slice.getSourceType().getDimSize(0) >= steps &&
         isInvariant(slice.getSource()) &&
         simplifyIndex(first) == loop.getInductionVar() &&
         llvm::all_of(llvm::drop_begin(offsets), [&](OpFoldResult offset) {
           auto value = dyn_cast<Value>(offset);
           return !value || isInvariant(value);
         });
}

bool StepsOfLoop::isStructured(linalg::LinalgOp op) {
  if (!op.hasPureTensorSemantics() || op->getNumResults() != 1 ||
      op.hasIndexSemantics() || !isInvariant(op.getDpsInits().front()))
    return false;
  return areRegionsInvariant(op) &&
         llvm::all_of(op.getDpsInputs(), [&](Value input) {
           return isInvariant(input) || isJoinable(input);
         });
}

bool StepsOfLoop::canJoin(Operation *op) {
  if (op->getNumResults() != 1 || !getStaticTensor(op->getResult(0)) ||
      isInvariant(op->getResult(0)))
    return false;
  if (auto slice = dyn_cast<tensor::ExtractSliceOp>(op))
    return isFirstOfSteps(slice);
  if (isa<tensor::CollapseShapeOp, tensor::ExpandShapeOp>(op))
    return isJoinable(op->getOperand(0));
  auto structured = dyn_cast<linalg::LinalgOp>(op);
  return structured && isStructured(structured);
}

/// A product of a step's value with what all steps read.
bool StepsOfLoop::isProduct(linalg::LinalgOp op) {
  int64_t bytes = llvm::divideCeil(
      getJoinedType(op->getResult(0)).getNumElements() *
          getElementTypeOrSelf(op->getResult(0)).getIntOrFloatBitWidth(),
      8);
  return linalg::isaContractionOpInterface(op) && bytes <= kMaxBytes &&
         llvm::any_of(op.getDpsInputs(),
                      [&](Value input) { return isInvariant(input); });
}

/// What is done with the elements of products that move, and no larger.
bool StepsOfLoop::isElementwiseOn(linalg::LinalgOp op,
                                  const llvm::SetVector<Operation *> &hoisted) {
  auto size = getStaticTensor(op->getResult(0)).getNumElements();
  return op.getNumReductionLoops() == 0 &&
         llvm::any_of(op.getDpsInputs(), [&](Value input) {
           return hoisted.contains(input.getDefiningOp()) &&
                  getStaticTensor(input).getNumElements() >= size;
         });
}

//===----------------------------------------------------------------------===//
// Joining
//===----------------------------------------------------------------------===//

RankedTensorType StepsOfLoop::getJoinedType(Value value) {
  RankedTensorType type = getStaticTensor(value);
  SmallVector<int64_t> shape = {steps};
  llvm::append_range(shape, type.getShape());
  return type.clone(shape);
}

/// The value before the loop; what makes it is repeated there.
Value StepsOfLoop::getInvariant(Value value) {
  if (loop.isDefinedOutsideOfLoop(value))
    return value;
  if (!repeated.contains(value)) {
    Operation *op = value.getDefiningOp();
    for (Value operand : op->getOperands())
      getInvariant(operand);
    builder.clone(*op, repeated);
  }
  return repeated.lookup(value);
}

/// The part of all steps. A dimension of one element that the step's part has
/// comes second.
Value StepsOfLoop::join(tensor::ExtractSliceOp slice) {
  RankedTensorType type = getJoinedType(slice);
  bool isDropped = slice.getDroppedDims().test(0);
  RankedTensorType part = type;
  if (!isDropped) {
    SmallVector<int64_t> shape(type.getShape());
    shape.erase(shape.begin() + 1);
    part = type.clone(shape);
  }
  SmallVector<OpFoldResult> offsets, sizes = slice.getMixedSizes();
  for (OpFoldResult offset : slice.getMixedOffsets()) {
    auto value = dyn_cast<Value>(offset);
    offsets.push_back(value && !offsets.empty() ? getInvariant(value) : offset);
  }
  offsets.front() = builder.getIndexAttr(0);
  sizes.front() = builder.getIndexAttr(steps);
  Value source = getInvariant(slice.getSource());
  Value result = builder.createOrFold<tensor::ExtractSliceOp>(
      slice.getLoc(), part, source, offsets, sizes, slice.getMixedStrides());
  if (result != source)
    copyAnnotations(slice, result.getDefiningOp());
  if (isDropped)
    return result;
  SmallVector<ReassociationIndices> groups;
  for (int64_t dimension = 1; dimension < type.getRank(); ++dimension)
    groups.push_back({dimension});
  groups.front().insert(groups.front().begin(), 0);
  auto expanded = tensor::ExpandShapeOp::create(builder, slice.getLoc(), type,
                                                result, groups);
  if (result == source)
    copyAnnotations(slice, expanded);
  return expanded;
}

/// What the results of all steps start from.
Value StepsOfLoop::joinInit(linalg::LinalgOp op) {
  OpOperand &init = *op.getDpsInitOperand(0);
  Location loc = op.getLoc();
  RankedTensorType type = getJoinedType(init.get());
  auto empty = tensor::EmptyOp::create(builder, loc, type.getShape(),
                                       type.getElementType());
  if (!op.payloadUsesValueFromOperand(&init))
    return empty;
  if (auto fill = init.get().getDefiningOp<linalg::FillOp>()) {
    Value scalar = getInvariant(fill.value());
    auto all = linalg::FillOp::create(builder, loc, scalar, Value(empty));
    all->setDiscardableAttrs(fill->getDiscardableAttrDictionary());
    return all.getResult(0);
  }
  return linalg::BroadcastOp::create(builder, loc, getInvariant(init.get()),
                                     empty, ArrayRef<int64_t>{0})
      ->getResult(0);
}

Value StepsOfLoop::join(linalg::LinalgOp op) {
  unsigned loops = op.getNumLoops() + 1;
  SmallVector<AffineMap> maps;
  SmallVector<Value> inputs;
  for (OpOperand &operand : op->getOpOperands()) {
    AffineMap map = op.getMatchingIndexingMap(&operand).shiftDims(1);
    bool hasSteps = op.isDpsInit(&operand) || isJoinable(operand.get());
    if (hasSteps) {
      SmallVector<AffineExpr> results = {builder.getAffineDimExpr(0)};
      llvm::append_range(results, map.getResults());
      map = AffineMap::get(loops, 0, results, builder.getContext());
    }
    maps.push_back(map);
    if (!op.isDpsInit(&operand))
      inputs.push_back(hasSteps ? getJoined(operand.get())
                                : getInvariant(operand.get()));
  }
  SmallVector<utils::IteratorType> iterators = {utils::IteratorType::parallel};
  llvm::append_range(iterators, op.getIteratorTypesArray());
  Value init = joinInit(op);
  auto all = linalg::GenericOp::create(builder, op.getLoc(), init.getType(),
                                       inputs, init, maps, iterators);
  IRMapping mapping;
  op->getRegion(0).cloneInto(&all.getRegion(), mapping);
  all->setDiscardableAttrs(op->getDiscardableAttrDictionary());
  return all.getResult(0);
}

/// The counterpart of all steps of a value.
Value StepsOfLoop::getJoined(Value value) {
  if (Value known = joined.lookup(value))
    return known;
  Operation *op = value.getDefiningOp();
  Location loc = op->getLoc();
  Value result;
  if (auto slice = dyn_cast<tensor::ExtractSliceOp>(op))
    result = join(slice);
  else if (auto collapse = dyn_cast<tensor::CollapseShapeOp>(op))
    result = tensor::CollapseShapeOp::create(
        builder, loc, getJoinedType(value), getJoined(collapse.getSrc()),
        addFirstGroup(collapse.getReassociationIndices()));
  else if (auto expand = dyn_cast<tensor::ExpandShapeOp>(op))
    result = tensor::ExpandShapeOp::create(
        builder, loc, getJoinedType(value), getJoined(expand.getSrc()),
        addFirstGroup(expand.getReassociationIndices()));
  else
    result = join(cast<linalg::LinalgOp>(op));
  if (isa<tensor::CollapseShapeOp, tensor::ExpandShapeOp>(op))
    copyAnnotations(op, result.getDefiningOp());
  return joined[value] = result;
}

/// Takes the step's part of all for the value.
void StepsOfLoop::replaceInLoop(Value value) {
  Value all = getJoined(value);
  RankedTensorType type = getStaticTensor(value);
  OpBuilder inner(value.getDefiningOp());
  auto index = [&](int64_t number) -> OpFoldResult {
    return inner.getIndexAttr(number);
  };
  int64_t rank = type.getRank() + 1;
  SmallVector<OpFoldResult> offsets(rank, index(0)), sizes = {index(1)},
                                                     strides(rank, index(1));
  offsets.front() = loop.getInductionVar();
  for (int64_t size : type.getShape())
    sizes.push_back(index(size));
  auto part = tensor::ExtractSliceOp::create(inner, value.getLoc(), type, all,
                                             offsets, sizes, strides);
  value.replaceAllUsesWith(part);
}

/// Erases what nothing in the loop reads any more, and what only that read.
static void eraseUnused(Block *body) {
  for (Operation &op : llvm::make_early_inc_range(llvm::reverse(*body)))
    if (isOpTriviallyDead(&op))
      op.erase();
}

unsigned StepsOfLoop::hoistProducts() {
  findInvariants();
  llvm::SetVector<Operation *> hoisted;
  unsigned products = 0;
  for (Operation &op : loop.getBody()->without_terminator()) {
    if (!canJoin(&op))
      continue;
    joinable.insert(op.getResult(0));
    auto structured = dyn_cast<linalg::LinalgOp>(op);
    if (!structured)
      continue;
    bool moves = isProduct(structured);
    products += moves;
    if (moves || isElementwiseOn(structured, hoisted))
      hoisted.insert(&op);
  }
  for (Operation *op : hoisted) {
    // In the body's order, so that what is read has been joined.
    getJoined(op->getResult(0));
    bool isRead = llvm::any_of(op->getUsers(), [&](Operation *user) {
      return !hoisted.contains(user);
    });
    if (isRead)
      replaceInLoop(op->getResult(0));
  }
  if (!hoisted.empty())
    eraseUnused(loop.getBody());
  return products;
}

//===----------------------------------------------------------------------===//
// Pass
//===----------------------------------------------------------------------===//

/// The number of iterations of a loop from 0 in steps of 1, more than one.
static std::optional<int64_t> getSteps(scf::ForOp loop) {
  std::optional<int64_t> first = getConstantIntValue(loop.getLowerBound()),
                         step = getConstantIntValue(loop.getStep()),
                         end = getConstantIntValue(loop.getUpperBound());
  if (first != 0 || step != 1 || !end || *end < 2)
    return std::nullopt;
  return end;
}

namespace {
struct HoistLoopProductsPass
    : public mlir::hetero::impl::HoistLoopProductsPassBase<
          HoistLoopProductsPass> {
  using Base::Base;

  void runOnOperation() override {
    SmallVector<scf::ForOp> loops;
    getOperation().walk([&](scf::ForOp loop) { loops.push_back(loop); });
    PinCount pins(getOperation());
    unsigned products = 0;
    for (scf::ForOp loop : loops)
      if (std::optional<int64_t> steps = getSteps(loop))
        products += StepsOfLoop(loop, *steps).hoistProducts();
    pins.update();
    remarkSummary(getOperation(), "hetero-hoist-loop-products",
                  {{"products", products}});
  }
};
} // namespace
