//===- TosaSizes.cpp - What types of TOSA say of sizes --------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   %0 = tosa.reverse %x {axis = 0} : (tensor<1x?xf32>) -> tensor<1x4xf32>
//
// is %x to upstream, whose type is another one. It becomes
//
//   %y = tensor.cast %x : tensor<1x?xf32> to tensor<1x4xf32>
//   %0 = tosa.reverse %y {axis = 0} : (tensor<1x4xf32>) -> tensor<1x4xf32>
//
//===----------------------------------------------------------------------===//

#include "TosaSizes.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"

using namespace mlir;
using namespace mlir::hetero;

Value mlir::hetero::castTo(OpBuilder &builder, Value value, Type type) {
  return value.getType() == type
             ? value
             : tensor::CastOp::create(builder, value.getLoc(), type, value);
}

void mlir::hetero::changeType(Value value, Type type) {
  Type old = value.getType();
  if (old == type)
    return;
  value.setType(type);
  if (value.use_empty())
    return;
  OpBuilder builder(value.getContext());
  builder.setInsertionPointAfterValue(value);
  Value cast = castTo(builder, value, old);
  value.replaceAllUsesExcept(cast, cast.getDefiningOp());
}

/// For each dimension of the result the one of the first operand; none for an
/// operation that upstream does not take for its operand.
static SmallVector<int64_t> getSameDims(Operation *op) {
  if (auto transpose = dyn_cast<tosa::TransposeOp>(op))
    return llvm::to_vector_of<int64_t>(transpose.getPerms());
  if (!isa<tosa::AbsOp, tosa::NegateOp, tosa::ClampOp, tosa::ReverseOp>(op))
    return {};
  auto type = dyn_cast<RankedTensorType>(op->getResult(0).getType());
  return llvm::to_vector(llvm::seq<int64_t>(0, type ? type.getRank() : 0));
}

void mlir::hetero::agreeOnSizes(Operation *op) {
  SmallVector<int64_t> dims = getSameDims(op);
  if (dims.empty())
    return;
  Value operand = op->getOperand(0), result = op->getResult(0);
  auto from = dyn_cast<RankedTensorType>(operand.getType());
  auto to = dyn_cast<RankedTensorType>(result.getType());
  if (!from || !to)
    return;
  SmallVector<int64_t> before(from.getShape()), after(to.getShape());
  for (auto [dim, source] : llvm::enumerate(dims)) {
    if (ShapedType::isDynamic(before[source]))
      before[source] = after[dim];
    if (ShapedType::isDynamic(after[dim]))
      after[dim] = before[source];
  }
  OpBuilder builder(op);
  op->setOperand(0, castTo(builder, operand, from.clone(before)));
  changeType(result, to.clone(after));
}
