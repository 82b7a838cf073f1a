//===- NegativeSizes.cpp - Sizes that are negative whatever runs ----------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   cf.assert %false, "expected tensor.extract_slice at f.mlir:3:8 ..."
//   %0 = tensor.extract_slice %t[0] [%minus_five] [1]
//
// The program has ended before such an operation. But upstream's patterns write
// constants into types, which take no negative sizes.
//
//===----------------------------------------------------------------------===//

#include "hetero/Transforms/Checks/NegativeSizes.h"

#include "ValueRanges.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/ViewLikeInterface.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::hetero;

/// The operands that are sizes of the result.
static MutableArrayRef<OpOperand> getSizes(Operation *op) {
  auto pick = [](MutableOperandRange range) -> MutableArrayRef<OpOperand> {
    return range;
  };
  return llvm::TypeSwitch<Operation *, MutableArrayRef<OpOperand>>(op)
      .Case<tensor::EmptyOp, tensor::SplatOp, bufferization::AllocTensorOp,
            memref::AllocOp, memref::AllocaOp>(
          [&](auto made) { return pick(made.getDynamicSizesMutable()); })
      .Case([&](tensor::GenerateOp made) {
        return pick(made.getDynamicExtentsMutable());
      })
      .Case<tensor::ExpandShapeOp, memref::ExpandShapeOp>(
          [&](auto expand) { return pick(expand.getOutputShapeMutable()); })
      .Case([&](memref::ViewOp view) { return pick(view.getSizesMutable()); })
      .Case<tensor::ExtractSliceOp, tensor::InsertSliceOp,
            tensor::ParallelInsertSliceOp, memref::SubViewOp,
            memref::ReinterpretCastOp>(
          [&](auto slice) { return pick(slice.getSizesMutable()); })
      .Default(MutableArrayRef<OpOperand>());
}

void mlir::hetero::clearNegativeSizes(ModuleOp module) {
  module.walk([](Operation *op) {
    for (OpOperand &size : getSizes(op)) {
      if (!getRange(size.get()).smax().isNegative())
        continue;
      OpBuilder builder(op);
      size.set(arith::ConstantIndexOp::create(builder, op->getLoc(), 0));
    }
  });
}
