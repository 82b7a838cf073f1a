//===- TMTensorLoops.h - Help for loops over elements -----------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_CODEGEN_DECOMPOSE_TMTENSORLOOPS_H
#define HETERO_CODEGEN_DECOMPOSE_TMTENSORLOOPS_H

#include "hetero/Codegen/Decompose/Decompose.h"
#include "hetero/Dialect/TMTensor/IR/TMTensorDialect.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/PatternMatch.h"

namespace mlir::hetero::tm_tensor {

/// Reads and writes single elements for an operation.
struct Elements {
  Elements(OpBuilder &builder, Operation *op)
      : builder(builder), op(op), loc(op->getLoc()) {}

  Value load(Value tensor, ValueRange place, bool isInside = true) {
    return name(tensor::ExtractOp::create(builder, loc, tensor, place),
                isInside);
  }
  Value store(Value value, Value tensor, ValueRange place,
              bool isInside = true) {
    return name(tensor::InsertOp::create(builder, loc, value, tensor, place),
                isInside);
  }
  Value constant(int64_t value) {
    return arith::ConstantIndexOp::create(builder, loc, value);
  }
  Value size(Value tensor, int64_t dim) {
    return getValueOrCreateConstantIndexOp(
        builder, loc, tensor::getMixedSize(builder, loc, tensor, dim));
  }
  Value compare(arith::CmpIPredicate predicate, Value a, Value b) {
    return arith::CmpIOp::create(builder, loc, predicate, a, b);
  }
  Value negate(Value flag) {
    Value one = arith::ConstantIntOp::create(builder, loc, 1, 1);
    return arith::XOrIOp::create(builder, loc, flag, one);
  }
  Value select(Value flag, Value a, Value b) {
    return arith::SelectOp::create(builder, loc, flag, a, b);
  }

  OpBuilder &builder;
  Operation *op;
  Location loc;

private:
  Value name(Operation *access, bool isInside) {
    if (isInside)
      access->setAttr(kInsideAttrName, builder.getUnitAttr());
    else
      access->setAttr(kWrittenAsAttrName,
                      builder.getStringAttr(op->getName().getStringRef()));
    return access->getResult(0);
  }
};

/// Clones the region's operations and returns what it yields.
SmallVector<Value> cloneBody(OpBuilder &builder, Operation *op,
                             ValueRange arguments);

using BodyBuilder =
    function_ref<SmallVector<Value>(OpBuilder &, ValueRange, ValueRange)>;

/// Loops over the dimensions of a tensor but `except`, whose place is left
/// empty, that carry tensors.
SmallVector<Value> buildRows(OpBuilder &builder, Operation *op, Value tensor,
                             int64_t except, ValueRange carried,
                             BodyBuilder body);

} // namespace mlir::hetero::tm_tensor

#endif // HETERO_CODEGEN_DECOMPOSE_TMTENSORLOOPS_H
