//===- ABITypes.cpp - Types that cross entry points -----------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "hetero/Conversion/RuntimeABI/ABITypes.h"

#include "hetero/Runtime/ElementTypes.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace mlir::hetero;

std::optional<int32_t> mlir::hetero::getABIType(Type type) {
  std::string name;
  llvm::raw_string_ostream(name) << type;
  for (auto [number, info] : llvm::enumerate(::hetero::kElementTypes))
    if (name == info.name)
      return static_cast<int32_t>(number);
  return std::nullopt;
}

std::string mlir::hetero::listABITypes() {
  std::string text;
  for (auto [number, info] : llvm::enumerate(::hetero::kElementTypes)) {
    if (number > 0)
      text += number + 1 < ::hetero::kNumElementTypes ? ", " : " or ";
    text += info.name;
  }
  return text;
}
