//===- Rules.cpp - Rules that annotate operations -------------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "hetero/Analysis/Machine/Rules.h"

#include "SourceNames.h"

#include "hetero/Dialect/Hetero/IR/PlacementModels.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

using namespace mlir;
using namespace mlir::hetero;

//===----------------------------------------------------------------------===//
// Names
//===----------------------------------------------------------------------===//

/// The plain characters that every match of a regular expression begins with.
static StringRef getPlainPrefix(StringRef text) {
  if (text.contains('|'))
    return "";
  size_t end = text.find_first_of(".*+?()[]{}^$\\");
  if (end == StringRef::npos)
    return text;
  // The last character may be absent: "ab*" matches "a".
  if (end > 0 && StringRef("*?{").contains(text[end]))
    --end;
  return text.take_front(end);
}

NamePattern::NamePattern(StringRef text, llvm::Regex regex)
    : text(text), regex(std::move(regex)), prefix(getPlainPrefix(text)) {}

std::optional<NamePattern> NamePattern::create(StringRef text,
                                               std::string &error) {
  llvm::Regex regex(text);
  if (!regex.isValid(error))
    return std::nullopt;
  return NamePattern(text, std::move(regex));
}

bool NamePattern::matches(StringRef name) const {
  if (!name.starts_with(prefix))
    return false;
  // The leftmost longest match is the whole name if the whole name matches.
  // Anchors around the text would change what it means: alternatives, groups.
  SmallVector<StringRef, 1> match;
  return regex.match(name, &match) && match.front().size() == name.size();
}

bool NamePattern::matches(Location loc) const {
  bool result = false;
  forEachName(loc, [&](StringRef name) { result = result || matches(name); });
  return result;
}

static bool matchesSource(const NamePattern &pattern, Location loc) {
  bool result = false;
  forEachName(loc, [&](StringRef name) {
    StringRef source = getSource(name);
    result = result || (!source.empty() && pattern.matches(source));
  });
  return result;
}

//===----------------------------------------------------------------------===//
// Conditions
//===----------------------------------------------------------------------===//

/// The tensors that a rule means where it does not say which.
static ValueRange getDecidingValues(Operation *op) {
  bool resultsDecide = llvm::any_of(
      op->getResultTypes(), [](Type type) { return isa<TensorType>(type); });
  return resultsDecide ? ValueRange(op->getResults())
                       : ValueRange(op->getOperands());
}

static bool meetsTensorConditions(Operation *op, const Rule &rule,
                                  TensorSizes &sizes) {
  if (rule.tensor && !rule.tensor->isMet(getDecidingValues(op), sizes))
    return false;
  if (rule.operand && !rule.operand->isMet(op->getOperands(), sizes))
    return false;
  return !rule.result || rule.result->isMet(op->getResults(), sizes);
}

/// True if an operation around this one, up to the function, has such a name.
static bool isInRegion(Operation *op, const llvm::GlobPattern &name) {
  for (Operation *around = op->getParentOp();
       around && !isa<FunctionOpInterface>(around);
       around = around->getParentOp())
    if (name.match(around->getName().getStringRef()))
      return true;
  return false;
}

/// True if the operation meets the conditions that are not the matcher's:
/// all but the patterns of its own and its function's name, and `nth`.
static bool meetsConditions(Operation *op, const Rule &rule,
                            TensorSizes &sizes) {
  if (!meetsTensorConditions(op, rule, sizes))
    return false;
  if (rule.region && !isInRegion(op, *rule.region))
    return false;
  if (rule.name && !rule.name->matches(op->getLoc()))
    return false;
  if (rule.source && !matchesSource(*rule.source, op->getLoc()))
    return false;
  if (rule.at && !rule.at->matches(op->getLoc()))
    return false;
  if (rule.group && !isInGroup(op, *rule.group))
    return false;
  if (rule.minFlops == 0 && rule.minBytes == 0)
    return true;
  PlacementCost cost = hetero::getPlacementCost(op, sizes);
  return double(cost.flops) >= rule.minFlops &&
         double(cost.bytes) >= rule.minBytes;
}

//===----------------------------------------------------------------------===//
// RuleMatcher
//===----------------------------------------------------------------------===//

RuleMatcher::RuleMatcher(ArrayRef<Rule> rules, TensorSizes sizes)
    : rules(rules), sizes(std::move(sizes)), active(rules.size()),
      matched(rules.size()), met(rules.size()) {}

void RuleMatcher::enterFunction(StringRef name) {
  for (auto [index, rule] : llvm::enumerate(rules))
    active[index] = !rule.function || rule.function->match(name);
}

const RuleMatcher::Candidates &RuleMatcher::getCandidates(Operation *op) {
  auto [it, isNew] = candidates.try_emplace(op->getName());
  Candidates &found = it->second;
  if (!isNew)
    return found;
  for (auto [index, rule] : llvm::enumerate(rules)) {
    if (rule.op && !rule.op->match(op->getName().getStringRef()))
      continue;
    found.all.push_back(index);
    StringRef prefix = rule.name ? rule.name->getPrefix() : "";
    if (prefix.empty()) {
      found.anyName.push_back(index);
      continue;
    }
    found.byPrefix[prefix].push_back(index);
    found.lengths.insert(prefix.size());
  }
  return found;
}

SmallVector<unsigned> RuleMatcher::findCandidates(Operation *op) {
  const Candidates &known = getCandidates(op);
  SmallVector<unsigned> found = known.anyName;
  if (known.byPrefix.empty())
    return found;
  forEachName(op->getLoc(), [&](StringRef name) {
    for (size_t length : known.lengths)
      if (auto rules = length <= name.size()
                           ? known.byPrefix.find(name.take_front(length))
                           : known.byPrefix.end();
          rules != known.byPrefix.end())
        llvm::append_range(found, rules->second);
  });
  llvm::sort(found);
  found.erase(llvm::unique(found), found.end());
  return found;
}

bool RuleMatcher::meetsNth(unsigned rule) {
  return !rules[rule].nth || met[rule]++ == *rules[rule].nth;
}

RuleMatch RuleMatcher::match(Operation *op, DeviceAttr annotation) {
  RuleMatch result;
  for (unsigned index : findCandidates(op)) {
    const Rule &rule = rules[index];
    bool isExcluded =
        annotation && rule.device && !annotation.meet(rule.device);
    std::optional<unsigned> &slot = isExcluded    ? result.excluded
                                    : rule.device ? result.rule
                                                  : result.setting;
    bool isLate = slot || (isExcluded && result.rule);
    // A rule that would change nothing any more need not be asked.
    bool isDone = rule.nth ? met[index] > *rule.nth : isLate && matched[index];
    if (!active.test(index) || isDone || !meetsConditions(op, rule, sizes) ||
        !meetsNth(index))
      continue;
    if (!matched[index])
      matched[index] = op;
    if (!isLate)
      slot = index;
  }
  return result;
}
