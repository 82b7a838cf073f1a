//===- JoinReshapes.h - Reshapes of reshapes --------------------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_TRANSFORMS_SIMPLIFY_JOINRESHAPES_H
#define HETERO_TRANSFORMS_SIMPLIFY_JOINRESHAPES_H

#include "mlir/IR/BuiltinOps.h"

namespace mlir::hetero {

/// Makes one reshape of two where there is one that does the same, and none of
/// two that cancel. Returns how many are gone that way.
FailureOr<int64_t> joinReshapes(ModuleOp module);

} // namespace mlir::hetero

#endif // HETERO_TRANSFORMS_SIMPLIFY_JOINRESHAPES_H
