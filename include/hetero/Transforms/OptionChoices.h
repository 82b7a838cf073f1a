//===- OptionChoices.h - Options that choose by name ------------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What an option with an enum as its value may be. Passes, the pipeline, the
// flags of tools and the C API read the same table.
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_TRANSFORMS_OPTIONCHOICES_H
#define HETERO_TRANSFORMS_OPTIONCHOICES_H

#include "hetero/Analysis/Placement/Placement.h"
#include "hetero/Transforms/Copies/CopySitePlan.h"
#include "hetero/Transforms/Placement/ResolveConflicts.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/CommandLine.h"

namespace mlir::hetero {

template <typename T> struct Choice {
  T value;
  llvm::StringRef name, description;
};

/// All that an option of this type may be.
template <typename T> llvm::ArrayRef<Choice<T>> getChoices();
template <> llvm::ArrayRef<Choice<PlacementStrategy>> getChoices();
template <> llvm::ArrayRef<Choice<PlacementObjective>> getChoices();
template <> llvm::ArrayRef<Choice<ConflictMode>> getChoices();
template <> llvm::ArrayRef<Choice<CopySite>> getChoices();

template <typename T> llvm::StringRef getChoiceName(T value) {
  return llvm::find_if(
             getChoices<T>(),
             [&](const Choice<T> &choice) { return choice.value == value; })
      ->name;
}

/// The text of an error, or nothing.
template <typename T> std::string readChoice(llvm::StringRef name, T &value) {
  std::string names;
  for (const Choice<T> &choice : getChoices<T>()) {
    if (choice.name == name) {
      value = choice.value;
      return "";
    }
    names += (names.empty() ? "" : ", ") + choice.name.str();
  }
  return "expected one of " + names;
}

/// Gives an option its choices, as llvm::cl::values() does.
template <typename T> struct ChoicesOf {
  template <typename Option> void apply(Option &option) const {
    for (const Choice<T> &choice : getChoices<T>())
      option.getParser().addLiteralOption(choice.name, choice.value,
                                          choice.description);
  }
};

/// Names the choices in the error about a name that is none.
template <typename T> struct ChoiceParser : public llvm::cl::parser<T> {
  using llvm::cl::parser<T>::parser;

  bool parse(llvm::cl::Option &option, llvm::StringRef, llvm::StringRef name,
             T &value) {
    std::string error = readChoice(name, value);
    return !error.empty() && option.error(error + ", got '" + name + "'");
  }

  static void print(llvm::raw_ostream &stream, const T &value) {
    stream << getChoiceName(value);
  }
};

} // namespace mlir::hetero

#endif // HETERO_TRANSFORMS_OPTIONCHOICES_H
