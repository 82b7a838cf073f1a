//===- Reduction.cpp - Reductions along axes ------------------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Reduction.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"

using namespace mlir;
using namespace mlir::hetero;
using namespace mlir::hetero::onnx;

Sizes onnx::getReducedSizes(NodeBuilder &n, ArrayRef<OpFoldResult> sizes,
                            ArrayRef<int64_t> axes, bool keepDims) {
  Sizes kept;
  for (auto [axis, size] : llvm::enumerate(sizes)) {
    if (!llvm::is_contained(axes, int64_t(axis)))
      kept.push_back(size);
    else if (keepDims)
      kept.push_back(n.ix.constant(1));
  }
  return kept;
}

/// The map of a reduction's result.
static AffineMap getResultMap(OpBuilder &b, int64_t rank,
                              ArrayRef<int64_t> axes, bool keepDims) {
  SmallVector<AffineExpr> exprs;
  for (int64_t axis = 0; axis < rank; ++axis) {
    if (!llvm::is_contained(axes, axis))
      exprs.push_back(b.getAffineDimExpr(axis));
    else if (keepDims)
      exprs.push_back(b.getAffineConstantExpr(0));
  }
  return AffineMap::get(rank, 0, exprs, b.getContext());
}

static SmallVector<utils::IteratorType> getLoops(int64_t rank,
                                                 ArrayRef<int64_t> axes) {
  SmallVector<utils::IteratorType> loops(rank, utils::IteratorType::parallel);
  for (int64_t axis : axes)
    loops[axis] = utils::IteratorType::reduction;
  return loops;
}

Tensor onnx::reduce(NodeBuilder &n, const Tensor &tensor,
                    ArrayRef<int64_t> axes, bool keepDims, ElementType result,
                    Value start, CombineBody combine) {
  int64_t rank = tensor.rank();
  Sizes sizes = getReducedSizes(n, tensor.sizes, axes, keepDims);
  Value init = n.fill(result, sizes, start);
  SmallVector<AffineMap> maps{n.b.getMultiDimIdentityMap(rank),
                              getResultMap(n.b, rank, axes, keepDims)};
  auto op = linalg::GenericOp::create(
      n.b, n.loc, init.getType(), n.value(tensor), init, maps,
      getLoops(rank, axes), [&](OpBuilder &b, Location loc, ValueRange args) {
        Scalars s(b, loc, result);
        Value element = args[0];
        if (isNarrowFloat(tensor.type) && args[1].getType().isF32())
          element = s.convert(element, tensor.type, ElementType::F32);
        linalg::YieldOp::create(b, loc, combine(s, element, args[1]));
      });
  return n.make(result, sizes, op.getResult(0));
}

Value onnx::getNeutral(NodeBuilder &n, ElementType type, Reduction kind) {
  switch (kind) {
  case Reduction::Sum:
    return n.scalar(type, 0);
  case Reduction::Product:
    return n.scalar(type, 1);
  case Reduction::Max:
  case Reduction::Min:
    break;
  }
  bool isMax = kind == Reduction::Max;
  if (isa<FloatType>(n.storage(type))) {
    // Formats without infinities saturate.
    const llvm::fltSemantics &format =
        cast<FloatType>(n.storage(type)).getFloatSemantics();
    APFloat start = APFloat::semanticsHasInf(format)
                        ? APFloat::getInf(format, isMax)
                        : APFloat::getLargest(format, isMax);
    return n.scalarValue(
        OpFoldResult(n.b.getFloatAttr(n.storage(type), start)));
  }
  unsigned width = n.storage(type).getIntOrFloatBitWidth();
  bool hasSign = !isUnsigned(type);
  APInt start = isMax ? (hasSign ? APInt::getSignedMinValue(width)
                                 : APInt::getMinValue(width))
                      : (hasSign ? APInt::getSignedMaxValue(width)
                                 : APInt::getMaxValue(width));
  return n.scalarValue(
      OpFoldResult(n.b.getIntegerAttr(n.storage(type), start)));
}

Tensor onnx::reduce(NodeBuilder &n, const Tensor &tensor,
                    ArrayRef<int64_t> axes, bool keepDims, Reduction kind) {
  ElementType type = getAccumulator(tensor.type);
  return reduce(n, tensor, axes, keepDims, type, getNeutral(n, type, kind),
                [&](Scalars &s, Value element, Value before) {
                  switch (kind) {
                  case Reduction::Sum:
                    return s.add(element, before);
                  case Reduction::Product:
                    return s.mul(element, before);
                  case Reduction::Max:
                    return s.max(element, before);
                  case Reduction::Min:
                    return s.min(element, before);
                  }
                  return before;
                });
}

Tensor onnx::makeCount(NodeBuilder &n, ElementType type, OpFoldResult count) {
  if (std::optional<int64_t> number = getInt(count))
    return n.constant(type, double(*number));
  Tensor tensor = n.makeKnown(ElementType::I64, {},
                              {n.ix.toElement(count, ElementType::I64)});
  return castTo(n, tensor, type);
}

Tensor onnx::mean(NodeBuilder &n, const Tensor &tensor, ArrayRef<int64_t> axes,
                  bool keepDims) {
  OpFoldResult count = n.ix.constant(1);
  for (int64_t axis : axes)
    count = n.ix.mul(count, tensor.sizes[axis]);
  Tensor sum = reduce(n, tensor, axes, keepDims, Reduction::Sum);
  // The count is a constant of the body where it is known.
  if (std::optional<int64_t> number = getInt(count))
    return elementwise(n, sum, [&](Scalars &s, ValueRange e) {
      return s.div(e[0], s.constant(double(*number)));
    });
  return div(n, sum, makeCount(n, sum.type, count));
}

Tensor onnx::argReduce(NodeBuilder &n, const Tensor &tensor, int64_t axis,
                       bool keepDims, bool isMax, bool takesLast) {
  int64_t rank = tensor.rank();
  Sizes sizes = getReducedSizes(n, tensor.sizes, axis, keepDims);
  Value start =
      getNeutral(n, tensor.type, isMax ? Reduction::Max : Reduction::Min);
  Value best = n.fill(tensor.type, sizes, start);
  Value place = n.fill(ElementType::I64, sizes, n.scalar(ElementType::I64, 0));
  AffineMap map = getResultMap(n.b, rank, axis, keepDims);
  SmallVector<AffineMap> maps{n.b.getMultiDimIdentityMap(rank), map, map};
  auto op = linalg::GenericOp::create(
      n.b, n.loc, TypeRange{best.getType(), place.getType()}, n.value(tensor),
      ValueRange{best, place}, maps, getLoops(rank, axis),
      [&](OpBuilder &b, Location loc, ValueRange args) {
        Scalars s(b, loc, tensor.type);
        Value index = arith::IndexCastOp::create(
            b, loc, b.getI64Type(), linalg::IndexOp::create(b, loc, axis));
        Value lhs = isMax ? args[1] : args[0], rhs = isMax ? args[0] : args[1];
        Value isBetter = takesLast ? s.lessEqual(lhs, rhs) : s.less(lhs, rhs);
        // The first nan is the place, as in NumPy.
        if (s.isFloat()) {
          Value isFirst = s.logicalNot(s.isNan(args[1]));
          Value isNan = s.binary<arith::AndIOp>(s.isNan(args[0]), isFirst);
          isBetter = s.binary<arith::OrIOp>(isBetter, isNan);
        }
        SmallVector<Value> results{s.select(isBetter, args[0], args[1]),
                                   s.select(isBetter, index, args[2])};
        linalg::YieldOp::create(b, loc, results);
      });
  return n.make(ElementType::I64, sizes, op.getResult(1));
}
