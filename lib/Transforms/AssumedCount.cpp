//===- AssumedCount.cpp - Options that costs assume -----------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "hetero/Transforms/AssumedCount.h"

using mlir::hetero::AssumedCount;

std::string AssumedCount::read(llvm::StringRef text, AssumedCount &count) {
  int64_t number;
  bool isNumber = !text.getAsInteger(10, number) && number > 0;
  if (!isNumber && text != "auto")
    return "expected a number from 1, or auto";
  count.number = isNumber ? std::optional(number) : std::nullopt;
  return "";
}

std::string AssumedCount::str() const {
  return number ? std::to_string(*number) : "auto";
}

bool llvm::cl::parser<AssumedCount>::parse(Option &option, StringRef,
                                           StringRef text,
                                           AssumedCount &count) {
  std::string error = AssumedCount::read(text, count);
  return !error.empty() && option.error(error + ", got '" + text + "'");
}

void llvm::cl::parser<AssumedCount>::print(raw_ostream &stream,
                                           const AssumedCount &count) {
  stream << count.str();
}
