//===- IndexChecks.cpp - Run-time checks of single accesses ---------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What SizeChecks.cpp does before a region cannot be done for indices that a
// body or a loop computes: these are compared where they are used.
//
//   %0 = linalg.generic ... ins(%i) {
//   ^bb0(%place: index, ...):
//     %1 = arith.cmpi ult, %place, %c10
//     cf.assert %1, "expected index 0 of tensor.extract at f.mlir:5:8 ..."
//     %2 = tensor.extract %t[%place]
//
// On a GPU the assertion stops the kernel, whose error has the message.
//
//===----------------------------------------------------------------------===//

#include "hetero/Transforms/Checks/IndexChecks.h"

#include "SizeTrace.h"
#include "ValueRanges.h"
#include "hetero/Transforms/Checks/SizeChecks.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mlir::hetero;

static bool isProven(Value index, int64_t size) {
  if (ShapedType::isDynamic(size) || size == 0)
    return false;
  return getRange(index).umax().ult(size);
}

/// True if the index is that of a loop that runs over as many iterations as the
/// dimension has elements, because of what sizes are made of.
static bool followsLoop(Value index, Size size, SizeTracer &sizes) {
  auto loop = index.getDefiningOp<linalg::IndexOp>();
  if (!loop)
    return false;
  auto op = loop->getParentOfType<linalg::LinalgOp>();
  AffineExpr expr = getAffineDimExpr(loop.getDim(), op.getContext());
  for (OpOperand &operand : op->getOpOperands()) {
    AffineMap map = op.getMatchingIndexingMap(&operand);
    for (auto [dim, result] : llvm::enumerate(map.getResults()))
      if (result == expr &&
          sizes.trace({operand.get(), static_cast<int64_t>(dim)}) == size)
        return true;
  }
  return false;
}

//===----------------------------------------------------------------------===//
// Checks
//===----------------------------------------------------------------------===//

/// The size as a value, made before the structured operation.
static Value getSize(OpBuilder &builder, linalg::LinalgOp op, Value tensor,
                     int64_t dim) {
  auto type = cast<RankedTensorType>(tensor.getType());
  if (!type.isDynamicDim(dim))
    return arith::ConstantIndexOp::create(builder, op.getLoc(),
                                          type.getDimSize(dim));
  OpBuilder before(op);
  return tensor::DimOp::create(before, op.getLoc(), tensor, dim);
}

/// Checks one element that the body of a structured operation reads.
static int64_t checkElement(linalg::LinalgOp op, tensor::ExtractOp element,
                            SizeTracer &sizes) {
  auto type = dyn_cast<RankedTensorType>(element.getTensor().getType());
  if (!type ||
      op->isAncestor(element.getTensor().getParentBlock()->getParentOp()))
    return 0;
  int64_t count = 0;
  OpBuilder builder(element);
  for (auto [dim, index] : llvm::enumerate(element.getIndices())) {
    std::optional<Size> whole =
        sizes.trace({element.getTensor(), static_cast<int64_t>(dim)});
    if (isProven(index, type.getDimSize(dim)) ||
        (whole && followsLoop(index, *whole, sizes)))
      continue;
    Value size = getSize(builder, op, element.getTensor(), dim);
    Value holds = arith::CmpIOp::create(builder, element.getLoc(),
                                        arith::CmpIPredicate::ult, index, size);
    cf::AssertOp::create(builder, element.getLoc(), holds,
                         ("expected index " + Twine(dim) + " of " +
                          describe(element) + " to stay inside dimension " +
                          Twine(dim) + " of its tensor; pass indices that fit")
                             .str());
    ++count;
  }
  return count;
}

int64_t mlir::hetero::insertIndexChecks(ExecuteOp region) {
  SmallVector<Operation *> accesses;
  Block *body = region.getBodyBlock();
  region.getBody().walk([&](Operation *op) {
    bool isAccess = isa<tensor::ExtractOp, tensor::InsertOp,
                        tensor::ExtractSliceOp, tensor::InsertSliceOp>(op);
    if (isAccess && op->getBlock() != body && !op->hasAttr(kInsideAttrName))
      accesses.push_back(op);
  });
  int64_t count = 0;
  OpBuilder builder(region);
  SizeTracer sizes(builder, region);
  for (Operation *op : accesses) {
    auto element = dyn_cast<tensor::ExtractOp>(op);
    if (auto structured = op->getParentOfType<linalg::LinalgOp>())
      count += element ? checkElement(structured, element, sizes) : 0;
    else
      count += insertSizeChecks(op);
  }
  return count;
}
