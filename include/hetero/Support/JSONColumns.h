//===- JSONColumns.h - Tables of numbers as JSON ----------------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A table is an object with one column per field, so that a program of a
// million operations is a few long arrays. A column is written in the shortest
// of three ways:
//
//   [3, 4, 5, 6]                 its values
//   {"delta": [3, 1, 1, 1]}      each but the first less the one before it
//   {"runs": [0, 40, 1, 2]}      forty times 0, then twice 1
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_SUPPORT_JSONCOLUMNS_H
#define HETERO_SUPPORT_JSONCOLUMNS_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/JSON.h"

namespace mlir::hetero {

/// Readers whose numbers are doubles lose none up to this one; larger ones are
/// written as texts.
inline constexpr int64_t kLargestJSONNumber = (int64_t(1) << 53) - 1;

/// Prints an attribute of the object that is open: one value per index below
/// `count`. A value of INT64_MAX is printed as null if `hasNulls`.
void printColumn(llvm::json::OStream &json, llvm::StringRef key, size_t count,
                 llvm::function_ref<int64_t(size_t)> get,
                 bool hasNulls = false);

/// Prints an attribute that is one number, however large.
void printNumber(llvm::json::OStream &json, llvm::StringRef key, int64_t value);

/// Texts that are written once, and their numbers.
class StringTable {
public:
  /// The empty text has the number 0.
  StringTable() { add(""); }

  unsigned add(llvm::StringRef text) {
    auto [it, isNew] = numbers.try_emplace(text, numbers.size());
    if (isNew)
      texts.push_back(it->getKey());
    return it->getValue();
  }
  /// Texts that are no UTF-8 are printed as well as they can be.
  void print(llvm::json::OStream &json, llvm::StringRef key) const;

private:
  llvm::StringMap<unsigned> numbers;
  std::vector<llvm::StringRef> texts;
};

} // namespace mlir::hetero

#endif // HETERO_SUPPORT_JSONCOLUMNS_H
