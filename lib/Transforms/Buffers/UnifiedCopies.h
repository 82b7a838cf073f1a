//===- UnifiedCopies.h - Copies within one memory ---------------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_TRANSFORMS_BUFFERS_UNIFIEDCOPIES_H
#define HETERO_TRANSFORMS_BUFFERS_UNIFIEDCOPIES_H

#include "hetero/Dialect/Hetero/IR/HeteroDialect.h"
#include "mlir/Dialect/Bufferization/Transforms/OneShotAnalysis.h"
#include "mlir/IR/BuiltinOps.h"

namespace mlir::hetero {

/// Marks the copies whose ends address the same memory (`hetero.unified`), and
/// lets a value cross once for devices that share it.
void markUnifiedCopies(ModuleOp module);

/// Takes the mark from copies of which one side overwrites what the other still
/// reads.
LogicalResult
keepConflicts(ModuleOp module,
              const bufferization::OneShotBufferizationOptions &options);

} // namespace mlir::hetero

#endif // HETERO_TRANSFORMS_BUFFERS_UNIFIEDCOPIES_H
