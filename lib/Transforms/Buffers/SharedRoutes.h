//===- SharedRoutes.h - Ways that copies have in common ---------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_TRANSFORMS_BUFFERS_SHAREDROUTES_H
#define HETERO_TRANSFORMS_BUFFERS_SHAREDROUTES_H

#include "mlir/IR/BuiltinOps.h"

namespace mlir::hetero {

/// Lets a value that several copies of a block lead over the same link cross it
/// once, and one that copies of several blocks lead to another node. Returns
/// how often a copy goes on from where another one has brought the value.
int64_t shareRoutes(ModuleOp module);

} // namespace mlir::hetero

#endif // HETERO_TRANSFORMS_BUFFERS_SHAREDROUTES_H
