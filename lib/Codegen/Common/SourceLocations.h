//===- SourceLocations.h - Locations of what is fused -----------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_LIB_CODEGEN_COMMON_SOURCELOCATIONS_H
#define HETERO_LIB_CODEGEN_COMMON_SOURCELOCATIONS_H

#include "mlir/IR/Operation.h"

namespace mlir::hetero {

/// Gives what is in the bodies of linalg operations the locations of these, so
/// that it is known whose work it is wherever it goes.
void nameBodies(Operation *root);

/// Says that an operation does the work of others, and of what is in them, too:
/// reports name all of them.
void joinLocations(Operation *op, ArrayRef<Operation *> others);

} // namespace mlir::hetero

#endif // HETERO_LIB_CODEGEN_COMMON_SOURCELOCATIONS_H
