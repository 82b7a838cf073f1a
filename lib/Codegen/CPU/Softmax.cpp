//===- Softmax.cpp - Takes softmax apart for the host ---------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   linalg.softmax dimension(1) ins(%x : tensor<4x64xf32>)
//
// becomes maxima, exponentials, sums, and the product of the exponentials with
// the four reciprocals of the sums: a division takes as long as ten products.
//
//===----------------------------------------------------------------------===//

#include "hetero/Codegen/CPU/CPUCodegen.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/PatternMatch.h"

using namespace mlir;
using namespace mlir::hetero;

/// One divided by each element.
static Value emitReciprocals(RewriterBase &rewriter, Location loc,
                             Value values) {
  auto type = cast<RankedTensorType>(values.getType());
  Value empty = tensor::EmptyOp::create(
      rewriter, loc, tensor::getMixedSizes(rewriter, loc, values),
      type.getElementType());
  AffineMap map = rewriter.getMultiDimIdentityMap(type.getRank());
  SmallVector<utils::IteratorType> iterators(type.getRank(),
                                             utils::IteratorType::parallel);
  auto reciprocals = linalg::GenericOp::create(
      rewriter, loc, type, values, empty, ArrayRef{map, map}, iterators,
      [&](OpBuilder &builder, Location loc, ValueRange arguments) {
        Value one = arith::ConstantOp::create(
            builder, loc, builder.getFloatAttr(type.getElementType(), 1));
        Value quotient = arith::DivFOp::create(builder, loc, one, arguments[0]);
        linalg::YieldOp::create(builder, loc, quotient);
      });
  return reciprocals.getResult(0);
}

/// Makes the division of one input by another a product with reciprocals.
static void multiplyInstead(RewriterBase &rewriter, linalg::GenericOp op) {
  auto divide = dyn_cast<arith::DivFOp>(op.getBody()->front());
  auto divisor =
      divide ? dyn_cast<BlockArgument>(divide.getRhs()) : BlockArgument();
  if (!divisor || divisor.getOwner() != op.getBody() ||
      divisor.getArgNumber() >= op.getNumDpsInputs())
    return;
  rewriter.setInsertionPoint(op);
  OpOperand *input = op.getDpsInputOperand(divisor.getArgNumber());
  Value reciprocals = emitReciprocals(rewriter, op.getLoc(), input->get());
  rewriter.modifyOpInPlace(op, [&] { input->set(reciprocals); });
  rewriter.setInsertionPoint(divide);
  rewriter.replaceOpWithNewOp<arith::MulFOp>(divide, divide.getLhs(), divisor,
                                             divide.getFastmath());
}

LogicalResult mlir::hetero::decomposeSoftmax(Operation *root) {
  SmallVector<linalg::SoftmaxOp> ops;
  root->walk([&](linalg::SoftmaxOp op) { ops.push_back(op); });
  IRRewriter rewriter(root->getContext());
  for (linalg::SoftmaxOp op : ops) {
    // A reciprocal of a narrow type would lose digits of the sum.
    if (getElementTypeOrSelf(op.getType(0)).getIntOrFloatBitWidth() < 32)
      continue;
    rewriter.setInsertionPoint(op);
    FailureOr<SmallVector<Value>> values = op.decomposeOperation(rewriter);
    if (failed(values))
      return op.emitOpError("cannot be decomposed");
    if (auto last = values->front().getDefiningOp<linalg::GenericOp>())
      multiplyInstead(rewriter, last);
    rewriter.replaceOp(op, *values);
  }
  return success();
}
