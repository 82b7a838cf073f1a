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

#include "hetero/Dialect/Hetero/IR/HeteroDialect.h"
#include "hetero/Transforms/AssumedCount.h"
#include "mlir/IR/BuiltinOps.h"

namespace mlir::hetero {

/// Writes the value of the option onto the module, if there is one. An error if
/// what the module says is not a positive number.
LogicalResult setTripCount(ModuleOp module, const AssumedCount &option);
LogicalResult setDynamicSize(ModuleOp module, const AssumedCount &option);
/// Writes the budgets of an option like "gpu:0=4GiB,gpu:1=512MiB" on the
/// module, beside those that it has (`hetero.memory_budget`, in bytes). An
/// error for what is none, or of a device that the topology, with `extra`, does
/// not have.
LogicalResult setMemoryBudget(ModuleOp module, StringRef option,
                              DeviceAttr extra);

} // namespace mlir::hetero

#endif // HETERO_TRANSFORMS_PLACEMENT_ASSUMPTIONS_H
