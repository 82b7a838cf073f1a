//===- Softmax.cpp - Softmax as importers write it ------------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Softmax.h"

#include "ReadThrough.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"
#include <limits>

using namespace mlir;
using namespace mlir::hetero;

Operation *mlir::hetero::getOnlyOperation(linalg::LinalgOp op) {
  if (!op.hasPureTensorSemantics() || op.getNumDpsInits() != 1 ||
      op.getNumReductionLoops() != 0 ||
      !op.getMatchingIndexingMap(op.getDpsInitOperand(0)).isIdentity())
    return nullptr;
  Block *body = op.getBlock();
  Operation *yield = body->getTerminator();
  Operation *inner = yield->getOperand(0).getDefiningOp();
  return inner && inner->getBlock() == body && &body->front() == inner &&
                 inner->getNextNode() == yield
             ? inner
             : nullptr;
}

OpOperand *mlir::hetero::getReadOperand(linalg::LinalgOp op, Operation *inner,
                                        unsigned number) {
  auto argument = dyn_cast<BlockArgument>(inner->getOperand(number));
  if (!argument || argument.getOwner() != op.getBlock())
    return nullptr;
  OpOperand *operand = op.getMatchingOpOperand(argument);
  return op.isDpsInput(operand) ? operand : nullptr;
}

bool mlir::hetero::isFilledWith(Value tensor, double number) {
  Value scalar = getSplatScalar(tensor);
  FloatAttr value;
  return scalar && matchPattern(scalar, m_Constant(&value)) &&
         value.getValueAsDouble() == number;
}

/// The operand of an elementwise operation of one `OpTy` that is read at the
/// places of the result.
template <typename OpTy>
static Value matchElementwise(Value value, Parts &parts, OpOperand **second) {
  auto op = value.getDefiningOp<linalg::LinalgOp>();
  Operation *inner = op ? getOnlyOperation(op) : nullptr;
  if (!isa_and_nonnull<OpTy>(inner))
    return {};
  OpOperand *first = getReadOperand(op, inner, 0);
  if (!first || !op.getMatchingIndexingMap(first).isIdentity())
    return {};
  if (second && !(*second = getReadOperand(op, inner, 1)))
    return {};
  parts.insert(op);
  return first->get();
}

/// The loops that a map follows, without those of one step.
static SmallVector<unsigned> getLoops(AffineMap map, ArrayRef<int64_t> sizes) {
  SmallVector<unsigned> loops;
  for (AffineExpr expr : map.getResults())
    if (auto dim = dyn_cast<AffineDimExpr>(expr))
      if (sizes[dim.getPosition()] != 1)
        loops.push_back(dim.getPosition());
  return loops;
}

/// Takes off a view that adds dimensions of size 1 to others.
static bool dropExpansion(Value &value, AffineMap &map, Parts &parts) {
  auto expand = value.getDefiningOp<tensor::ExpandShapeOp>();
  if (!expand)
    return false;
  ArrayRef<int64_t> shape = expand.getResultType().getShape();
  SmallVector<AffineExpr> results;
  for (ArrayRef<int64_t> group : expand.getReassociationIndices()) {
    int64_t kept = group.front();
    for (int64_t dim : group.drop_front()) {
      if (shape[dim] == 1)
        continue;
      if (shape[kept] != 1)
        return false;
      kept = dim;
    }
    results.push_back(map.getResult(kept));
  }
  map = AffineMap::get(map.getNumDims(), 0, results, map.getContext());
  value = expand.getSrc();
  parts.insert(expand);
  return true;
}

/// The reduction along the last of the loops that makes what `operand` reads:
/// one value for each row. Null if it is none, or of another tensor.
static linalg::LinalgOp matchRows(OpOperand *operand, Value reduced,
                                  Parts &parts) {
  auto user = cast<linalg::LinalgOp>(operand->getOwner());
  AffineMap map = user.getMatchingIndexingMap(operand);
  Value value = operand->get();
  do {
    ReadTensor read = readThrough(value, map, [&](Operation *op) {
      parts.insert(op);
      return true;
    });
    value = read.source;
    map = read.map;
  } while (dropExpansion(value, map, parts));
  auto op = value.getDefiningOp<linalg::LinalgOp>();
  // Importers ask for the places of maxima too, in a second result.
  if (!op || cast<OpResult>(value).getResultNumber() != 0 ||
      op.getNumDpsInputs() != 1 || op.getNumReductionLoops() != 1 ||
      op.getNumLoops() != user.getNumLoops() ||
      op.getIteratorTypesArray().back() != utils::IteratorType::reduction ||
      op.getDpsInputs()[0] != reduced ||
      !op.getMatchingIndexingMap(op.getDpsInputOperand(0)).isIdentity())
    return nullptr;
  SmallVector<int64_t> sizes = user.getStaticLoopRanges();
  AffineMap rows = op.getMatchingIndexingMap(op.getDpsInitOperand(0));
  SmallVector<unsigned> all = getLoops(
      AffineMap::getMultiDimIdentityMap(sizes.size() - 1, map.getContext()),
      sizes);
  if (getLoops(rows, sizes) != all || getLoops(map, sizes) != all)
    return nullptr;
  parts.insert(op);
  return op;
}

/// True if the first result of a reduction combines elements by `OpTy`, from
/// `start` on.
template <typename OpTy>
static bool combinesBy(linalg::LinalgOp op, double start) {
  Block *body = op.getBlock();
  auto combine = body->getTerminator()->getOperand(0).getDefiningOp<OpTy>();
  Value element = op.getMatchingBlockArgument(op.getDpsInputOperand(0));
  Value before = op.getMatchingBlockArgument(op.getDpsInitOperand(0));
  return combine && isFilledWith(op.getDpsInits()[0], start) &&
         ((combine.getLhs() == element && combine.getRhs() == before) ||
          (combine.getLhs() == before && combine.getRhs() == element));
}

Value mlir::hetero::matchSoftmax(Value value, Parts &parts) {
  OpOperand *sums = nullptr, *highest = nullptr;
  Value powers = matchElementwise<arith::DivFOp>(value, parts, &sums);
  if (!powers)
    return {};
  linalg::LinalgOp sum = matchRows(sums, powers, parts);
  if (!sum || !combinesBy<arith::AddFOp>(sum, 0.0))
    return {};
  Value differences = matchElementwise<math::ExpOp>(powers, parts, nullptr);
  if (!differences)
    return {};
  Value scores = matchElementwise<arith::SubFOp>(differences, parts, &highest);
  if (!scores)
    return {};
  linalg::LinalgOp maximum = matchRows(highest, scores, parts);
  if (!maximum || !combinesBy<arith::MaximumFOp>(
                      maximum, -std::numeric_limits<double>::infinity()))
    return {};
  return scores;
}
