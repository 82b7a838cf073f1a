//===- LocalDevices.h - Devices as one node names them ----------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Part of hetero-split-by-node.
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_TRANSFORMS_NODES_LOCALDEVICES_H
#define HETERO_TRANSFORMS_NODES_LOCALDEVICES_H

#include "mlir/IR/BuiltinOps.h"

namespace mlir::hetero {

/// Lets the program name its node's devices as if there was no other node, and
/// its module say which node it is of `count`.
void localizeDevices(ModuleOp module, int64_t node, int64_t count);

} // namespace mlir::hetero

#endif // HETERO_TRANSFORMS_NODES_LOCALDEVICES_H
