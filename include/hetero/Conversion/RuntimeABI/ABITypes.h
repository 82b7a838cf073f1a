//===- ABITypes.h - Types that cross entry points ---------------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_CONVERSION_RUNTIMEABI_ABITYPES_H
#define HETERO_CONVERSION_RUNTIMEABI_ABITYPES_H

#include "mlir/IR/Types.h"
#include <optional>
#include <string>

namespace mlir::hetero {

/// The HETERO_TYPE_* of an element type.
std::optional<int32_t> getABIType(Type type);

/// In a program with state: a HeteroStateTable.
inline constexpr llvm::StringLiteral kStateTableSymbol = "heteroProgramStates";

/// The names of the types that have one, for errors.
std::string listABITypes();

} // namespace mlir::hetero

#endif // HETERO_CONVERSION_RUNTIMEABI_ABITYPES_H
