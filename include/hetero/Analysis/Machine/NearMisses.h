//===- NearMisses.h - Names that a rule may have meant ----------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_ANALYSIS_MACHINE_NEARMISSES_H
#define HETERO_ANALYSIS_MACHINE_NEARMISSES_H

#include "hetero/Analysis/Machine/Rules.h"
#include "mlir/IR/BuiltinOps.h"

namespace mlir::hetero {

/// What the rule may have meant, if it asks for names (or sources) that no
/// operation has: "; names that come close: Conv/conv1, Conv/conv2". Empty if
/// nothing comes close.
std::string describeNearMisses(const Rule &rule, ModuleOp module);

} // namespace mlir::hetero

#endif // HETERO_ANALYSIS_MACHINE_NEARMISSES_H
