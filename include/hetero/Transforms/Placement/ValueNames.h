//===- ValueNames.h - What reports call values and operations ---*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_TRANSFORMS_PLACEMENT_VALUENAMES_H
#define HETERO_TRANSFORMS_PLACEMENT_VALUENAMES_H

#include "hetero/Dialect/Hetero/IR/HeteroDialect.h"

namespace mlir::hetero {

/// A name for reports: "linalg.add at 3:10", or "@main" for functions.
std::string getOperationName(Operation *op);

/// A name for reports: a NameLoc, "%arg1 of @main", "linalg.add at 3:10".
std::string getValueName(Value value);
/// The name of what a copy copies: `hetero.value`, else that of the value from
/// which a chain of copies starts.
std::string getCopiedName(CopyOp op);

} // namespace mlir::hetero

#endif // HETERO_TRANSFORMS_PLACEMENT_VALUENAMES_H
