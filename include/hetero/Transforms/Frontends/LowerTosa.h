//===- LowerTosa.h - Lowers TOSA inside of regions --------------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_TRANSFORMS_FRONTENDS_LOWERTOSA_H
#define HETERO_TRANSFORMS_FRONTENDS_LOWERTOSA_H

#include "hetero/Dialect/Hetero/IR/HeteroDialect.h"

namespace mlir::hetero {

/// The dialects that the lowering makes operations of.
void addTosaDialects(DialectRegistry &registry);

/// Lowers the operations of TOSA in a region to linalg, tensor, arith and scf.
/// An operation that is left is an error.
LogicalResult lowerTosa(ExecuteOp region);

/// Gives operations of TOSA the sizes that follow from their operands.
LogicalResult inferTosaShapes(ModuleOp module);

/// Lowers constants and scalars of TOSA that no region took.
LogicalResult lowerTosaOutsideRegions(ModuleOp module);

} // namespace mlir::hetero

#endif // HETERO_TRANSFORMS_FRONTENDS_LOWERTOSA_H
