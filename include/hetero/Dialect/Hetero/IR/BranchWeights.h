//===- BranchWeights.h - How often regions run ------------------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_DIALECT_HETERO_IR_BRANCHWEIGHTS_H
#define HETERO_DIALECT_HETERO_IR_BRANCHWEIGHTS_H

#include "mlir/IR/Operation.h"

namespace mlir::hetero {

/// The weights of the regions of an operation; empty where it has none.
ArrayRef<int32_t> getRegionWeights(Operation *op);

/// One weight per region, not negative and not all 0.
LogicalResult verifyRegionWeights(Operation *op, Attribute weights);

} // namespace mlir::hetero

#endif // HETERO_DIALECT_HETERO_IR_BRANCHWEIGHTS_H
