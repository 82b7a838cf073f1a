//===- DeepNests.h - Bufferizing deeply nested regions ----------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_TRANSFORMS_BUFFERS_DEEPNESTS_H
#define HETERO_TRANSFORMS_BUFFERS_DEEPNESTS_H

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/Transforms/OneShotAnalysis.h"
#include "mlir/IR/BuiltinOps.h"

namespace mlir::hetero {

/// Hides that loops run at least once, where the analysis would ask the loops
/// inside of them about it again and again. Returns what hides it: sums whose
/// first operand is the bound.
SmallVector<arith::AddIOp> hideTripCounts(ModuleOp module);

/// Puts the first operand of each sum in its place.
void showFirst(ArrayRef<arith::AddIOp> sums);

/// Copies what has been chosen by many conditions, one inside of the other, and
/// by nothing else.
void copyDeepChoices(ModuleOp module);

/// Analyses the module and copies what has to be copied, as upstream's
/// insertTensorCopies does, and says of which types the buffers are that loops
/// carry.
LogicalResult
insertCopies(ModuleOp module,
             const bufferization::OneShotBufferizationOptions &options,
             const bufferization::BufferizationState &state);

} // namespace mlir::hetero

#endif // HETERO_TRANSFORMS_BUFFERS_DEEPNESTS_H
