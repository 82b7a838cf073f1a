//===- Assumptions.h - What costs assume ------------------------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Numbers that a program does not say and that costs go by. They stand on the
// module, so that all phases go by the same ones.
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_TRANSFORMS_PLACEMENT_ASSUMPTIONS_H
#define HETERO_TRANSFORMS_PLACEMENT_ASSUMPTIONS_H

#include "mlir/IR/BuiltinOps.h"

namespace mlir::hetero {

/// Writes the value of the option onto the module, unless it is 0. An error if
/// it, or what the module says already, is not a positive number.
LogicalResult setTripCount(ModuleOp module, int64_t option);
LogicalResult setDynamicSize(ModuleOp module, int64_t option);

} // namespace mlir::hetero

#endif // HETERO_TRANSFORMS_PLACEMENT_ASSUMPTIONS_H
