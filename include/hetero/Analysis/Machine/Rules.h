//===- Rules.h - Rules that annotate operations -----------------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The rules file of `--hetero-annotate`, parsed, and which of its rules an
// operation meets.
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_ANALYSIS_MACHINE_RULES_H
#define HETERO_ANALYSIS_MACHINE_RULES_H

#include "hetero/Analysis/Machine/OperationGroups.h"
#include "hetero/Analysis/Machine/SourcePlace.h"
#include "hetero/Analysis/Machine/TensorCondition.h"
#include "hetero/Dialect/Hetero/IR/HeteroDialect.h"
#include "hetero/Dialect/Hetero/IR/TensorSizes.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/GlobPattern.h"
#include "llvm/Support/Regex.h"
#include <vector>

namespace mlir::hetero {

/// A regular expression for whole names.
class NamePattern {
public:
  /// Null, and `error` says why, if the text is no regular expression.
  static std::optional<NamePattern> create(StringRef text, std::string &error);

  bool matches(StringRef name) const;
  /// True if one of the names in the location matches.
  bool matches(Location loc) const;
  StringRef getText() const { return text; }
  /// The plain characters that every match begins with.
  StringRef getPrefix() const { return prefix; }

private:
  NamePattern(StringRef text, llvm::Regex regex);

  std::string text;
  llvm::Regex regex;
  /// What every match begins with; most names are told apart by it alone.
  std::string prefix;
};

/// One rule: every condition that is present must hold.
struct Rule {
  explicit Rule(Location loc) : loc(loc), deviceLoc(loc) {}

  /// Where the rule, and its device, stand in the file.
  Location loc, deviceLoc;
  std::optional<llvm::GlobPattern> op;
  std::optional<llvm::GlobPattern> function;
  /// Matches the name of an operation in one of whose regions it stands.
  std::optional<llvm::GlobPattern> region;
  /// Matches a name in the operation's location.
  std::optional<NamePattern> name;
  /// Matches what front ends put before such a name: "Conv" of "Conv/conv1".
  std::optional<NamePattern> source;
  /// Where it stands in the source.
  std::optional<SourcePlace> at;
  std::optional<OperationGroup> group;
  /// Of a result, or of an operand where no result is a tensor.
  std::optional<TensorCondition> tensor;
  std::optional<TensorCondition> operand, result;
  double minFlops = 0, minBytes = 0;
  /// The operation of this number, from 0, among those that meet the other
  /// conditions, in program order.
  std::optional<int64_t> nth;
  /// With the rule's unit and codegen; null for one that places nothing.
  DeviceAttr device;
  /// Whether factors of f32 may be rounded to tf32, where the rule says it.
  std::optional<bool> allowsTF32;
  /// What becomes of conflicts, where the rule says it.
  std::optional<ConflictMode> conflict;
  /// Where the results are, where the rule says it.
  std::optional<MemoryScope> memory;
};

/// A rules file.
struct RuleSet {
  /// Rule 1 is the first.
  std::vector<Rule> rules;
  /// Empty where the file lists none.
  SmallVector<std::pair<DeviceAttr, Location>> devices;
  /// Null for `auto` and where the file says nothing.
  DeviceAttr defaultDevice;
  /// Where the default stands, if there is one.
  std::optional<Location> defaultLoc;
  /// What becomes of conflicts where nothing else says it.
  std::optional<ConflictMode> conflict;
};

/// What the rules say of an operation.
struct RuleMatch {
  /// The first whose conditions hold and that does not contradict the
  /// annotation of the operation.
  std::optional<unsigned> rule;
  /// The first before it that does contradict it.
  std::optional<unsigned> excluded;
  /// The first whose conditions hold of those that have no device.
  std::optional<unsigned> setting;
};

/// Asks which rules the operations of a module meet, one after the other in
/// program order. A rule's patterns are tried once per operation name and once
/// per function, its other conditions only where those match and a name has
/// what the rule's begins with, which is looked up: a thousand rules for the
/// stages of a network take the time of a few.
class RuleMatcher {
public:
  /// With the sizes that `min_flops` and `min_bytes` go by.
  explicit RuleMatcher(ArrayRef<Rule> rules, TensorSizes sizes);

  /// The operations that follow are in this function.
  void enterFunction(StringRef name);
  /// The rule for an operation that carries `annotation`, which may be null.
  RuleMatch match(Operation *op, DeviceAttr annotation);
  /// True if the rules name operations like this, in this function.
  bool mayMatch(Operation *op) { return !getCandidates(op).all.empty(); }
  /// The first operation that met the rule, whether or not an earlier rule
  /// won; null if none did.
  Operation *getFirstMatched(unsigned rule) const { return matched[rule]; }
  /// For a rule with `nth`: how many operations met its other conditions, at
  /// most one more than that number.
  int64_t getMet(unsigned rule) const { return met[rule]; }

private:
  /// The rules whose pattern an operation's name matches.
  struct Candidates {
    SmallVector<unsigned> all;
    /// Those of them that do not ask for a name that begins with anything, and
    /// the others by what that is.
    SmallVector<unsigned> anyName;
    llvm::StringMap<SmallVector<unsigned, 1>> byPrefix;
    /// How long those beginnings are.
    llvm::SmallSetVector<size_t, 4> lengths;
  };

  const Candidates &getCandidates(Operation *op);
  /// Those of them that its names do not rule out, by number.
  SmallVector<unsigned> findCandidates(Operation *op);
  bool meetsNth(unsigned rule);

  ArrayRef<Rule> rules;
  TensorSizes sizes;
  llvm::DenseMap<OperationName, Candidates> candidates;
  /// Rules that hold in the current function.
  llvm::BitVector active;
  /// The first operation that met each rule, or null.
  SmallVector<Operation *> matched;
  /// For rules with `nth`: operations that met the other conditions.
  SmallVector<int64_t> met;
};

} // namespace mlir::hetero

#endif // HETERO_ANALYSIS_MACHINE_RULES_H
