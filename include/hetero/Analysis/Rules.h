//===- Rules.h - Rules that annotate operations -----------------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The rules file of `--hetero-annotate`, parsed, and the question whether a
// rule matches an operation.
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_ANALYSIS_RULES_H
#define HETERO_ANALYSIS_RULES_H

#include "hetero/Dialect/Hetero/IR/HeteroDialect.h"
#include "mlir/IR/Location.h"
#include "llvm/Support/GlobPattern.h"
#include "llvm/Support/Regex.h"
#include <vector>

namespace mlir::hetero {

/// One rule: every condition that is present must hold.
struct Rule {
  explicit Rule(Location loc) : loc(loc) {}

  /// True if the operation meets every condition but `nth`.
  bool matches(Operation *op, StringRef functionName) const;

  /// Where the rule stands in its file.
  Location loc;
  std::optional<llvm::GlobPattern> op;
  std::optional<llvm::GlobPattern> function;
  /// Matches the whole name of the operation's location.
  std::optional<llvm::Regex> name;
  /// Element type of a result, or of an operand where no result is a tensor.
  Type dtype;
  double minFlops = 0, minBytes = 0;
  /// The operation of this number, from 0, among those that meet the other
  /// conditions, in program order.
  std::optional<int64_t> nth;
  /// With the rule's unit and codegen.
  DeviceAttr device;
};

/// A rules file.
struct RuleSet {
  /// Rule 1 is the first.
  std::vector<Rule> rules;
  /// Empty where the file lists none.
  SmallVector<DeviceAttr> devices;
  /// Null for `auto` and where the file says nothing.
  DeviceAttr defaultDevice;
};

/// Parses a rules file. Errors are emitted at their line and column.
FailureOr<RuleSet> parseRules(StringRef text, StringRef fileName,
                              MLIRContext *context);

} // namespace mlir::hetero

#endif // HETERO_ANALYSIS_RULES_H
