//===- LoadRules.h - Rules that an option names -----------------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_ANALYSIS_MACHINE_LOADRULES_H
#define HETERO_ANALYSIS_MACHINE_LOADRULES_H

#include "hetero/Analysis/Machine/Rules.h"

namespace mlir::hetero {

/// The rules that an option names: a file, or the rules themselves. `loc` is
/// for a file that cannot be read.
FailureOr<RuleSet> loadRules(StringRef option, Location loc);

} // namespace mlir::hetero

#endif // HETERO_ANALYSIS_MACHINE_LOADRULES_H
