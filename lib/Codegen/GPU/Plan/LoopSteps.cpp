//===- LoopSteps.cpp - How operands move along loops ----------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LoopSteps.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::hetero;

std::optional<int64_t>
mlir::hetero::getCoefficient(AffineMap map, AffineExpr result, unsigned loop) {
  AffineExpr dim = getAffineDimExpr(loop, map.getContext());
  auto step = dyn_cast<AffineConstantExpr>(simplifyAffineExpr(
      result.replace(dim, dim + 1) - result, map.getNumDims(), 0));
  return step ? std::optional(step.getValue()) : std::nullopt;
}

std::optional<int64_t> mlir::hetero::getStaticStep(linalg::LinalgOp op,
                                                   OpOperand &operand,
                                                   unsigned loop) {
  SmallVector<int64_t> strides;
  int64_t offset, step = 0;
  auto type = cast<MemRefType>(operand.get().getType());
  if (failed(type.getStridesAndOffset(strides, offset)))
    return std::nullopt;
  AffineMap map = op.getMatchingIndexingMap(&operand);
  for (auto [result, stride] : llvm::zip_equal(map.getResults(), strides)) {
    int64_t coefficient = *getCoefficient(map, result, loop);
    if (coefficient != 0 && ShapedType::isDynamic(stride))
      return std::nullopt;
    step += coefficient == 0 ? 0 : coefficient * stride;
  }
  return step;
}

std::optional<int64_t> mlir::hetero::countStatically(linalg::LinalgOp op,
                                                     ArrayRef<unsigned> loops) {
  SmallVector<int64_t> sizes = op.getStaticLoopRanges();
  int64_t count = 1;
  for (unsigned loop : loops)
    if (ShapedType::isDynamic(sizes[loop]) ||
        llvm::MulOverflow(count, sizes[loop], count))
      return std::nullopt;
  return count;
}

bool mlir::hetero::isContiguousAlong(linalg::LinalgOp op, OpOperand &operand,
                                     unsigned loop) {
  AffineMap map = op.getMatchingIndexingMap(&operand);
  auto type = cast<MemRefType>(operand.get().getType());
  SmallVector<int64_t> strides;
  int64_t offset;
  if (failed(type.getStridesAndOffset(strides, offset)))
    return false;
  int64_t found = 0;
  for (auto [result, stride] : llvm::zip_equal(map.getResults(), strides)) {
    if (!result.isFunctionOfDim(loop))
      continue;
    if (!isa<AffineDimExpr>(result) || stride != 1)
      return false;
    ++found;
  }
  return found == 1;
}
