//===- Colocate.h - The name of the colocation attribute --------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_DIALECT_HETERO_IR_COLOCATE_H
#define HETERO_DIALECT_HETERO_IR_COLOCATE_H

#include "llvm/ADT/StringRef.h"

namespace mlir::hetero {

/// Operations of one function with the same name stand on one device.
inline constexpr llvm::StringLiteral kColocateAttrName = "hetero.colocate";

} // namespace mlir::hetero

#endif // HETERO_DIALECT_HETERO_IR_COLOCATE_H
