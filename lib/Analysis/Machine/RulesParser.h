//===- RulesParser.h - Parses rules files -----------------------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_ANALYSIS_MACHINE_RULESPARSER_H
#define HETERO_ANALYSIS_MACHINE_RULESPARSER_H

#include "hetero/Analysis/Machine/Rules.h"

namespace mlir::hetero {

/// Parses a rules file. Errors are emitted at their line and column.
FailureOr<RuleSet> parseRules(StringRef text, StringRef fileName,
                              MLIRContext *context);

} // namespace mlir::hetero

#endif // HETERO_ANALYSIS_MACHINE_RULESPARSER_H
