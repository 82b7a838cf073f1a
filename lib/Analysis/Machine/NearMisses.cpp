//===- NearMisses.cpp - Names that a rule may have meant ------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "hetero/Analysis/Machine/NearMisses.h"

#include "SourceNames.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace mlir::hetero;

static constexpr size_t kMaxNames = 3;

/// The characters of a regular expression that stand for themselves.
static std::string getPlainText(StringRef pattern) {
  std::string text;
  for (char c : pattern)
    if (!StringRef("\\*+?()[]{}^$|").contains(c))
      text += c;
  return StringRef(text).rtrim('.').str();
}

/// How far the text is from the name, or from what the name begins with.
static unsigned getDistance(StringRef text, StringRef name) {
  unsigned whole = text.edit_distance_insensitive(name);
  StringRef begin = name.take_front(text.size());
  return std::min(whole, text.edit_distance_insensitive(begin));
}

static SmallVector<StringRef> findNearest(StringRef text,
                                          ArrayRef<StringRef> names) {
  unsigned limit = std::max<size_t>(1, text.size() / 3);
  SmallVector<std::pair<unsigned, StringRef>> near;
  for (StringRef name : names)
    if (unsigned distance = getDistance(text, name); distance <= limit)
      near.emplace_back(distance, name);
  llvm::stable_sort(near, llvm::less_first());
  return llvm::map_to_vector(ArrayRef(near).take_front(kMaxNames),
                             [](const auto &each) { return each.second; });
}

std::string mlir::hetero::describeNearMisses(const Rule &rule,
                                             ModuleOp module) {
  const auto &pattern = rule.name ? rule.name : rule.source;
  if (!pattern)
    return "";
  llvm::SetVector<StringRef> names;
  module.walk([&](Operation *op) {
    forEachName(op->getLoc(), [&](StringRef name) {
      names.insert(rule.name ? name : getSource(name));
    });
  });
  // Another condition does not hold.
  if (llvm::any_of(names,
                   [&](StringRef name) { return pattern->matches(name); }))
    return "";
  SmallVector<StringRef> near =
      findNearest(getPlainText(pattern->getText()), names.getArrayRef());
  if (near.empty())
    return "";
  return (rule.name ? "; names that come close: "
                    : "; sources that come close: ") +
         llvm::join(near, ", ");
}
