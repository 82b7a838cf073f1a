//===- FlattenModules.h - Modules inside the module -------------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_TRANSFORMS_PLACEMENT_FLATTENMODULES_H
#define HETERO_TRANSFORMS_PLACEMENT_FLATTENMODULES_H

#include "mlir/IR/BuiltinOps.h"

namespace mlir::hetero {

/// Moves what nested modules hold into the module: a program has one table of
/// symbols. Of two symbols of one name a private one gets another; two public
/// ones are an error.
LogicalResult flattenModules(ModuleOp module);

} // namespace mlir::hetero

#endif // HETERO_TRANSFORMS_PLACEMENT_FLATTENMODULES_H
