//===- IndexShapes.h - Shapes that front ends compute as i64 ----*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_TRANSFORMS_FRONTENDS_INDEXSHAPES_H
#define HETERO_TRANSFORMS_FRONTENDS_INDEXSHAPES_H

#include "mlir/IR/BuiltinOps.h"

namespace mlir::hetero {

/// Makes the shapes that tensor.reshape reads of indices, where they are made
/// of other integers.
void useIndexShapes(ModuleOp module);

} // namespace mlir::hetero

#endif // HETERO_TRANSFORMS_FRONTENDS_INDEXSHAPES_H
