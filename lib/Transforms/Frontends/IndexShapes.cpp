//===- IndexShapes.cpp - Shapes that front ends compute as i64 ------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   %d = arith.index_cast %dim : index to i64
//   %n = arith.muli %d, %c4 : i64
//   %s = tensor.from_elements %n, %c1 : tensor<2xi64>
//     ->
//   %n = arith.muli %dim, %c4 : index
//   %s = tensor.from_elements %n, %c1 : tensor<2xindex>
//
// Sizes are then comparable with those that they are computed of.
//
//===----------------------------------------------------------------------===//

#include "IndexShapes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;

/// Sizes are products of a few factors.
static constexpr unsigned kMaxDepth = 8;

/// The number as an index: products of i64 are products of indices, which are
/// as wide.
static Value toIndex(OpBuilder &builder, Value number, unsigned depth = 0) {
  Location loc = number.getLoc();
  if (isa<IndexType>(number.getType()))
    return number;
  if (std::optional<int64_t> constant = getConstantIntValue(number))
    return arith::ConstantIndexOp::create(builder, loc, *constant);
  if (auto cast = number.getDefiningOp<arith::IndexCastOp>())
    return cast.getIn();
  auto product = number.getDefiningOp<arith::MulIOp>();
  if (product && number.getType().isInteger(64) && depth < kMaxDepth)
    return arith::MulIOp::create(builder, loc,
                                 toIndex(builder, product.getLhs(), depth + 1),
                                 toIndex(builder, product.getRhs(), depth + 1));
  return arith::IndexCastOp::create(builder, loc, builder.getIndexType(),
                                    number);
}

void mlir::hetero::useIndexShapes(ModuleOp module) {
  module.walk([](tensor::ReshapeOp op) {
    auto shape = op.getShape().getDefiningOp<tensor::FromElementsOp>();
    if (!shape || isa<IndexType>(shape.getType().getElementType()))
      return;
    OpBuilder builder(shape);
    SmallVector<Value> sizes;
    for (Value size : shape.getElements())
      sizes.push_back(toIndex(builder, size));
    auto type = shape.getType().clone(builder.getIndexType());
    auto indices =
        tensor::FromElementsOp::create(builder, shape.getLoc(), type, sizes);
    indices->setDiscardableAttrs(shape->getDiscardableAttrDictionary());
    op.getShapeMutable().assign(indices);
  });
}
