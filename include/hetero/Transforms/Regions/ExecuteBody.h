//===- ExecuteBody.h - Transforms the body of one region --------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Many passes and transformations want a function under a module. This gives
// them one: the body of a hetero.execute is cloned into a func.func of a
// scratch module, transformed there, and put back with its signature unchanged.
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_TRANSFORMS_REGIONS_EXECUTEBODY_H
#define HETERO_TRANSFORMS_REGIONS_EXECUTEBODY_H

#include "hetero/Dialect/Hetero/IR/HeteroDialect.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace mlir {
class OpPassManager;
namespace func {
class FuncOp;
} // namespace func
} // namespace mlir

namespace mlir::hetero {

/// Clones the body of `op` into a function of a scratch module and calls
/// `transform` on it. The function is named after the region, takes and returns
/// plain tensors and carries the region's device as `hetero.device`; the module
/// has the attributes of the enclosing module and the symbols that the body
/// refers to (functions as declarations). On success the function's body
/// replaces that of `op`, and symbols that were added move to the enclosing
/// module. On failure `op` is as it was.
LogicalResult
runOnExecuteBody(ExecuteOp op,
                 llvm::function_ref<LogicalResult(func::FuncOp)> transform);

/// Runs a pass pipeline, anchored on the scratch module, on the body of `op`.
LogicalResult runPipelineOnExecuteBody(ExecuteOp op,
                                       const OpPassManager &pipeline);

} // namespace mlir::hetero

#endif // HETERO_TRANSFORMS_REGIONS_EXECUTEBODY_H
