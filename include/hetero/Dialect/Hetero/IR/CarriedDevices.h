//===- CarriedDevices.h - Where control flow carries values -----*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Control flow runs on the host, and carries tensors on any device: from its
// operands to the arguments of its regions and blocks, and to its results.
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_DIALECT_HETERO_IR_CARRIEDDEVICES_H
#define HETERO_DIALECT_HETERO_IR_CARRIEDDEVICES_H

#include "hetero/Dialect/Hetero/IR/HeteroDialect.h"

namespace mlir::hetero {

/// Where control flow carries the value that becomes this result: what
/// `hetero.carried` says, else what the type says, else the host.
DeviceAttr getCarriedDevice(OpResult result);
/// The same for an argument of a region of control flow, which is carried like
/// the result or the init that it is tied to, and for an argument of a block
/// that branches lead to (this walks the blocks before it).
DeviceAttr getCarriedDevice(BlockArgument argument);
/// Where `hetero.block_arguments` of `op` has an argument of a block, counted
/// with the entry block; null without the attribute.
DeviceAttr getBlockArgumentDevice(Operation *op, unsigned block,
                                  unsigned argument);

/// Write those attributes, or remove them where everything is on the host: one
/// device per result, per init, and per argument of each block but the first.
void setCarriedDevices(Operation *op, ArrayRef<DeviceAttr> results);
void setCarriedInitDevices(Operation *op, ArrayRef<DeviceAttr> inits);
void setBlockArgumentDevices(Operation *op,
                             ArrayRef<SmallVector<DeviceAttr>> blocks);
/// Removes all three, once the types say it.
void removeCarriedDevices(Operation *op);

/// The result that an argument of a region is tied to: the same value arrives
/// there when the operation ends. Null for inits that no result is tied to,
/// and for arguments that no operand is passed to (induction variables).
OpResult getTiedResult(BlockArgument argument);

/// Fails unless one of the three attributes fits the operation.
LogicalResult verifyCarriedDevices(Operation *op, NamedAttribute attr);

} // namespace mlir::hetero

#endif // HETERO_DIALECT_HETERO_IR_CARRIEDDEVICES_H
