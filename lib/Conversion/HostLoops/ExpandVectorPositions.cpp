//===- ExpandVectorPositions.cpp - Places in vectors ----------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   %r = vector.extract %v[%i, %j] : f32 from vector<4x8xf32>
//
// reads element 8 * %i + %j of the vector with one dimension.
//
//===----------------------------------------------------------------------===//

#include "ExpandVectorPositions.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace mlir::hetero;

/// True if upstream has no lowering of the place.
static bool isBeyondUpstream(VectorType type, ArrayRef<OpFoldResult> position) {
  if (type.isScalable() || type.getRank() < 2)
    return false;
  ArrayRef<OpFoldResult> leading = position.take_front(type.getRank() - 1);
  return llvm::any_of(leading, llvm::IsaPred<Value>);
}

static VectorType flatten(VectorType type) {
  return VectorType::get({type.getNumElements()}, type.getElementType());
}

static Value castShape(OpBuilder &builder, Location loc, VectorType type,
                       Value vector) {
  if (vector.getType() == type)
    return vector;
  return vector::ShapeCastOp::create(builder, loc, type, vector);
}

/// The number of the first element at the place, in row-major order.
static Value getFirstElement(OpBuilder &builder, Location loc, VectorType type,
                             ArrayRef<OpFoldResult> position) {
  Value first = arith::ConstantIndexOp::create(builder, loc, 0);
  int64_t stride = type.getNumElements();
  for (auto [size, place] : llvm::zip(type.getShape(), position)) {
    stride /= size;
    Value index = getValueOrCreateConstantIndexOp(builder, loc, place);
    Value step = arith::ConstantIndexOp::create(builder, loc, stride);
    index = arith::MulIOp::create(builder, loc, index, step);
    first = arith::AddIOp::create(builder, loc, first, index);
  }
  return first;
}

static Value addConstant(OpBuilder &builder, Location loc, Value index,
                         int64_t constant) {
  return arith::AddIOp::create(
      builder, loc, index,
      arith::ConstantIndexOp::create(builder, loc, constant));
}

namespace {
struct ExpandExtract : OpRewritePattern<vector::ExtractOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(vector::ExtractOp op,
                                PatternRewriter &rewriter) const override {
    VectorType type = op.getSourceVectorType();
    SmallVector<OpFoldResult> position = op.getMixedPosition();
    if (!isBeyondUpstream(type, position))
      return rewriter.notifyMatchFailure(op, "upstream can");
    Location loc = op.getLoc();
    Value flat = castShape(rewriter, loc, flatten(type), op.getSource());
    Value first = getFirstElement(rewriter, loc, type, position);
    auto part = dyn_cast<VectorType>(op.getType());
    SmallVector<Value> elements;
    for (int64_t i = 0, e = part ? part.getNumElements() : 1; i < e; ++i)
      elements.push_back(vector::ExtractOp::create(
          rewriter, loc, flat, addConstant(rewriter, loc, first, i)));
    if (!part) {
      rewriter.replaceOp(op, elements);
      return success();
    }
    Value vector =
        vector::FromElementsOp::create(rewriter, loc, flatten(part), elements);
    rewriter.replaceOp(op, castShape(rewriter, loc, part, vector));
    return success();
  }
};

struct ExpandInsert : OpRewritePattern<vector::InsertOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(vector::InsertOp op,
                                PatternRewriter &rewriter) const override {
    VectorType type = op.getDestVectorType();
    SmallVector<OpFoldResult> position = op.getMixedPosition();
    if (!isBeyondUpstream(type, position))
      return rewriter.notifyMatchFailure(op, "upstream can");
    Location loc = op.getLoc();
    Value flat = castShape(rewriter, loc, flatten(type), op.getDest());
    Value first = getFirstElement(rewriter, loc, type, position);
    Value value = op.getValueToStore();
    auto part = dyn_cast<VectorType>(value.getType());
    if (part)
      value = castShape(rewriter, loc, flatten(part), value);
    for (int64_t i = 0, e = part ? part.getNumElements() : 1; i < e; ++i) {
      Value element =
          part ? Value(vector::ExtractOp::create(rewriter, loc, value, i))
               : value;
      flat = vector::InsertOp::create(rewriter, loc, element, flat,
                                      addConstant(rewriter, loc, first, i));
    }
    rewriter.replaceOp(op, castShape(rewriter, loc, type, flat));
    return success();
  }
};
} // namespace

void mlir::hetero::populateExpandVectorPositionsPatterns(
    RewritePatternSet &patterns) {
  patterns.add<ExpandExtract, ExpandInsert>(patterns.getContext());
}
