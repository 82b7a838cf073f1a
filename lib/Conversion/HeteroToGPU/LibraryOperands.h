//===- LibraryOperands.h - Operands of calls on devices ---------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_LIB_CONVERSION_HETEROTOGPU_LIBRARYOPERANDS_H
#define HETERO_LIB_CONVERSION_HETEROTOGPU_LIBRARYOPERANDS_H

#include "mlir/IR/BuiltinOps.h"

namespace mlir::hetero {

/// Writes the stream of each library call on device memory into its attribute
/// `hetero.device`, which calls on the host lose, and packs operands whose rows
/// have gaps between elements.
void prepareLibraryCalls(ModuleOp module);

} // namespace mlir::hetero

#endif // HETERO_LIB_CONVERSION_HETEROTOGPU_LIBRARYOPERANDS_H
