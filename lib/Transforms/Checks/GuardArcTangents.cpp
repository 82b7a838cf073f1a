//===- GuardArcTangents.cpp - Arc tangents that fold right ----------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   %r = math.atan2 %y, %x
//     ->
//   %one = math.copysign 1.0, %x
//   %guarded = select %y == 0.0 and %x == 0.0, %one, %x
//   %r = math.atan2 %y, %guarded
//
// The fold cannot be kept from running, for every greedy rewrite folds.
//
//===----------------------------------------------------------------------===//

#include "hetero/Transforms/Checks/GuardArcTangents.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

using namespace mlir;
using namespace mlir::hetero;

static bool isGuarded(math::Atan2Op op) {
  auto select = op.getRhs().getDefiningOp<arith::SelectOp>();
  return select && select.getTrueValue().getDefiningOp<math::CopySignOp>();
}

static void guard(math::Atan2Op op) {
  ImplicitLocOpBuilder builder(op.getLoc(), op);
  Type type = op.getType();
  auto constant = [&](double number) -> Value {
    TypedAttr value = builder.getFloatAttr(getElementTypeOrSelf(type), number);
    if (auto vector = dyn_cast<VectorType>(type))
      value = DenseElementsAttr::get(vector, Attribute(value));
    return arith::ConstantOp::create(builder, value);
  };
  auto isZero = [&](Value value) -> Value {
    return arith::CmpFOp::create(builder, arith::CmpFPredicate::OEQ, value,
                                 constant(0));
  };
  Value x = op.getRhs();
  Value areZeros =
      arith::AndIOp::create(builder, isZero(op.getLhs()), isZero(x));
  Value one = math::CopySignOp::create(builder, constant(1), x);
  op.getRhsMutable().assign(arith::SelectOp::create(builder, areZeros, one, x));
}

void mlir::hetero::guardArcTangents(Operation *root) {
  root->walk([](math::Atan2Op op) {
    if (!isa<TensorType>(op.getType()) && !isGuarded(op))
      guard(op);
  });
}
