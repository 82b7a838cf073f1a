//===- ForeignSizes.h - Sizes that other nodes know -------------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_TRANSFORMS_NODES_FOREIGNSIZES_H
#define HETERO_TRANSFORMS_NODES_FOREIGNSIZES_H

#include "mlir/IR/BuiltinOps.h"

namespace mlir::hetero {

/// Moves the sizes of buffers of other nodes out of host regions, to before
/// them: nothing comes into a region while it runs.
void hoistForeignSizes(ModuleOp module);

} // namespace mlir::hetero

#endif // HETERO_TRANSFORMS_NODES_FOREIGNSIZES_H
