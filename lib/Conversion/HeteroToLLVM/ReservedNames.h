//===- ReservedNames.h - Names that compiled code needs ---------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_CONVERSION_HETEROTOLLVM_RESERVEDNAMES_H
#define HETERO_CONVERSION_HETEROTOLLVM_RESERVEDNAMES_H

#include "EntryPoints.h"

namespace mlir::hetero {

/// Gives private functions another name if the runtime or the C library has a
/// function of theirs.
LogicalResult renameReservedFunctions(ModuleOp module);

/// Fails if compiled code needs the name of an entry point for something else.
LogicalResult checkEntryPointNames(ModuleOp module,
                                   ArrayRef<EntrySignature> entries);

} // namespace mlir::hetero

#endif // HETERO_CONVERSION_HETEROTOLLVM_RESERVEDNAMES_H
