//===- DeviceNames.cpp - Devices by name ----------------------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "hetero/Dialect/Hetero/IR/Machine/DeviceNames.h"

#include "hetero/Dialect/Hetero/IR/HeteroDialect.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace mlir::hetero;

DeviceAttr mlir::hetero::parseDevice(StringRef text, MLIRContext *context) {
  int64_t node = 0;
  if (auto [place, number] = text.split('@'); place.size() != text.size()) {
    if (number.empty() || !llvm::all_of(number, llvm::isDigit) ||
        number.getAsInteger(10, node) || node > kLargestNode)
      return {};
    text = place;
  }
  auto [kind, ordinal] = text.split(':');
  auto isWord = [](char c) { return llvm::isAlnum(c) || c == '_'; };
  if (kind.empty() || llvm::isDigit(kind.front()) ||
      !llvm::all_of(kind, isWord))
    return {};
  int64_t number = DeviceAttr::kAnyOrdinal;
  if (kind.size() != text.size() &&
      (ordinal.empty() || !llvm::all_of(ordinal, llvm::isDigit) ||
       ordinal.getAsInteger(10, number) || number > kLargestOrdinal))
    return {};
  context->loadDialect<HeteroDialect>();
  return DeviceAttr::get(context, kind, number, node);
}
