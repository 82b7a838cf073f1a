//===- KernelParameters.cpp - How much a kernel is given ------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelParameters.h"

using namespace mlir;
using namespace mlir::hetero;

/// Numbers that a kernel takes for an operand besides its address.
static int64_t countUnknown(ShapedType type) {
  if (auto memref = dyn_cast<MemRefType>(type)) {
    SmallVector<int64_t> strides;
    int64_t offset;
    if (succeeded(memref.getStridesAndOffset(strides, offset)))
      return llvm::count_if(strides, ShapedType::isDynamic);
  }
  return type.hasStaticShape() ? 0 : type.getRank();
}

int64_t mlir::hetero::countParameterBytes(ArrayRef<linalg::LinalgOp> ops) {
  constexpr int64_t kWord = 8;
  llvm::SmallDenseSet<Value> seen;
  int64_t words = 0;
  for (linalg::LinalgOp op : ops) {
    for (Value operand : op->getOperands())
      if (seen.insert(operand).second)
        words += isa<ShapedType>(operand.getType())
                     ? 1 + countUnknown(cast<ShapedType>(operand.getType()))
                     : 1;
    words += llvm::count_if(op.getStaticLoopRanges(), ShapedType::isDynamic);
  }
  return kWord * words;
}
