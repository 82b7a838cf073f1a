//===- EntryPoints.h - What callers call, by the C ABI ----------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_CONVERSION_HETEROTOLLVM_ENTRYPOINTS_H
#define HETERO_CONVERSION_HETEROTOLLVM_ENTRYPOINTS_H

#include "Conversion/RuntimeABI/EntrySignatures.h"

namespace mlir::hetero {

/// Emits the entry points' functions with the C ABI.
LogicalResult emitEntryPoints(ModuleOp module,
                              ArrayRef<EntrySignature> entries);

/// Notes on entry points, for tools that call them, which gpus share arguments
/// of the host (`hetero.shared`): HETERO_HOST for none.
void noteSharers(ModuleOp module, ArrayRef<EntrySignature> entries);

} // namespace mlir::hetero

#endif // HETERO_CONVERSION_HETEROTOLLVM_ENTRYPOINTS_H
