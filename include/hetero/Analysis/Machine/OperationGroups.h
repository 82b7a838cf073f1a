//===- OperationGroups.h - Operations of one sort ---------------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What people mean by "convolutions and products", over all dialects.
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_ANALYSIS_MACHINE_OPERATIONGROUPS_H
#define HETERO_ANALYSIS_MACHINE_OPERATIONGROUPS_H

#include "mlir/IR/Operation.h"

namespace mlir::hetero {

enum class OperationGroup {
  /// Products and convolutions.
  Contractions,
  /// One element of the result for one of each operand.
  Elementwise,
  /// What a front end calls normalization or softmax.
  Normalization,
};

/// The group of this name; none if there is no such group.
std::optional<OperationGroup> lookupGroup(StringRef name);

/// The names of all groups.
ArrayRef<StringRef> getGroupNames();

bool isInGroup(Operation *op, OperationGroup group);

} // namespace mlir::hetero

#endif // HETERO_ANALYSIS_MACHINE_OPERATIONGROUPS_H
