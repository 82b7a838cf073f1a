//===- NegativeSizes.h - Sizes that are negative whatever runs --*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_TRANSFORMS_CHECKS_NEGATIVESIZES_H
#define HETERO_TRANSFORMS_CHECKS_NEGATIVESIZES_H

#include "mlir/IR/BuiltinOps.h"

namespace mlir::hetero {

/// Makes sizes 0 that are always negative, after the assertions that they are
/// not: nothing that comes later can take them.
void clearNegativeSizes(ModuleOp module);

} // namespace mlir::hetero

#endif // HETERO_TRANSFORMS_CHECKS_NEGATIVESIZES_H
