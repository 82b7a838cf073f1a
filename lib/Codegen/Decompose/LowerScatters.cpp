//===- LowerScatters.cpp - tensor.scatter as loops ------------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A scatter becomes loops over its places, each of which inserts a slice.
//
//===----------------------------------------------------------------------===//

#include "LowerScatters.h"

#include "hetero/Transforms/Checks/SizeChecks.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/PatternMatch.h"

using namespace mlir;
using namespace mlir::hetero;

/// What the scatter inserts at one place, without the dimensions of places.
static Value extractPart(OpBuilder &builder, tensor::ScatterOp op,
                         ValueRange place) {
  Location loc = op.getLoc();
  auto type = cast<RankedTensorType>(op.getSource().getType());
  size_t batch = place.size();
  SmallVector<OpFoldResult> offsets(type.getRank(), builder.getIndexAttr(0)),
      sizes = tensor::getMixedSizes(builder, loc, op.getSource()),
      strides(type.getRank(), builder.getIndexAttr(1));
  for (size_t dim = 0; dim < batch; ++dim) {
    offsets[dim] = place[dim];
    sizes[dim] = builder.getIndexAttr(1);
  }
  auto part = RankedTensorType::get(type.getShape().drop_front(batch),
                                    type.getElementType());
  return tensor::ExtractSliceOp::create(builder, loc, part, op.getSource(),
                                        offsets, sizes, strides);
}

/// Inserts the part that belongs to one place.
static Value insertPart(OpBuilder &builder, tensor::ScatterOp op,
                        ValueRange place, Value target) {
  Location loc = op.getLoc();
  auto type = cast<RankedTensorType>(target.getType());
  SmallVector<OpFoldResult> offsets(type.getRank(), builder.getIndexAttr(0)),
      sizes = tensor::getMixedSizes(builder, loc, target),
      strides(type.getRank(), builder.getIndexAttr(1));
  for (auto [index, dim] : llvm::enumerate(op.getScatterDims())) {
    SmallVector<Value> where(place);
    where.push_back(arith::ConstantIndexOp::create(builder, loc, index));
    Value number =
        tensor::ExtractOp::create(builder, loc, op.getIndices(), where);
    offsets[dim] = getValueOrCreateCastToIndexLike(
        builder, loc, builder.getIndexType(), number);
    sizes[dim] = builder.getIndexAttr(1);
  }
  auto insert = tensor::InsertSliceOp::create(builder, loc,
                                              extractPart(builder, op, place),
                                              target, offsets, sizes, strides);
  setDescribedName(insert, op->getName());
  return insert;
}

static void lowerScatter(RewriterBase &rewriter, tensor::ScatterOp op) {
  Location loc = op.getLoc();
  rewriter.setInsertionPoint(op);
  SmallVector<Value> sizes = getValueOrCreateConstantIndexOp(
      rewriter, loc, tensor::getMixedSizes(rewriter, loc, op.getIndices()));
  sizes.pop_back();
  Value zero = arith::ConstantIndexOp::create(rewriter, loc, 0);
  Value one = arith::ConstantIndexOp::create(rewriter, loc, 1);
  scf::LoopNest nest = scf::buildLoopNest(
      rewriter, loc, SmallVector<Value>(sizes.size(), zero), sizes,
      SmallVector<Value>(sizes.size(), one), op.getDest(),
      [&](OpBuilder &builder, Location, ValueRange place, ValueRange carried) {
        return scf::ValueVector{
            insertPart(builder, op, place, carried.front())};
      });
  rewriter.replaceOp(op, nest.results);
}

void mlir::hetero::lowerScatters(Operation *root) {
  SmallVector<tensor::ScatterOp> ops;
  root->walk([&](tensor::ScatterOp op) { ops.push_back(op); });
  IRRewriter rewriter(root->getContext());
  for (tensor::ScatterOp op : ops)
    lowerScatter(rewriter, op);
}
