//===- TransferAwaits.h - When transfers begin and end ----------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Part of hetero-split-by-node: a receive begins early and is waited for late,
// so that what a node does meanwhile overlaps.
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_TRANSFORMS_NODES_TRANSFERAWAITS_H
#define HETERO_TRANSFORMS_NODES_TRANSFERAWAITS_H

#include "mlir/IR/BuiltinOps.h"

namespace mlir::hetero {

/// Waits for each transfer of a node's program before the first operation that
/// must not come before its end, and at the end of its block at the latest.
void awaitTransfers(ModuleOp program);

/// Lets receives begin as early as their buffers may be there: with their
/// allocations, and no more than two at a time from one node in a block, so
/// that one arrives while another one is used.
void hoistReceives(ModuleOp program);

} // namespace mlir::hetero

#endif // HETERO_TRANSFORMS_NODES_TRANSFERAWAITS_H
