//===- PropagateStatus.h - Failures leave every function --------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_CONVERSION_HETEROTOLLVM_PROPAGATESTATUS_H
#define HETERO_CONVERSION_HETEROTOLLVM_PROPAGATESTATUS_H

#include "mlir/IR/BuiltinOps.h"

namespace mlir::hetero {

/// Makes every function return a HeteroStatus first, checks the status of every
/// call, and returns it to the caller when it is a failure.
void propagateStatus(ModuleOp module);

} // namespace mlir::hetero

#endif // HETERO_CONVERSION_HETEROTOLLVM_PROPAGATESTATUS_H
