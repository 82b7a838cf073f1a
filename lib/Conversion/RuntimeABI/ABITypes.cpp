//===- ABITypes.cpp - Types that cross entry points -----------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "hetero/Conversion/RuntimeABI/ABITypes.h"

#include "hetero/Runtime/HeteroRuntime.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace mlir::hetero;

/// By HETERO_TYPE_*.
#define HETERO_ELEMENT_TYPE_NAME(ID, NAME, ...) NAME,
static constexpr llvm::StringLiteral kNames[] = {
    HETERO_ELEMENT_TYPES(HETERO_ELEMENT_TYPE_NAME)};
#undef HETERO_ELEMENT_TYPE_NAME

std::optional<int32_t> mlir::hetero::getABIType(Type type) {
  std::string name;
  llvm::raw_string_ostream(name) << type;
  for (auto [number, known] : llvm::enumerate(kNames))
    if (name == known)
      return static_cast<int32_t>(number);
  return std::nullopt;
}

std::string mlir::hetero::listABITypes() {
  std::string text;
  for (auto [number, name] : llvm::enumerate(kNames)) {
    if (number > 0)
      text += number + 1 < std::size(kNames) ? ", " : " or ";
    text += name;
  }
  return text;
}
