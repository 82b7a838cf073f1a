//===- Replicas.h - Operations made again on other devices ------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_TRANSFORMS_COPIES_REPLICAS_H
#define HETERO_TRANSFORMS_COPIES_REPLICAS_H

#include "hetero/Transforms/Placement/DeviceConstraints.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/IRMapping.h"

namespace mlir::hetero {

/// The operation again, on `device`, at the insertion point.
Operation *cloneOn(Operation *op, DeviceAttr device, OpBuilder &builder,
                   IRMapping &mapping);

/// Where the use asks for its value; null if it does not ask.
DeviceAttr getWantedDevice(OpOperand &use, DeviceConstraints &constraints);

/// Makes the operations that placement marked as repeated, in the order of the
/// program, on each device that needs them, and removes the marks. The clones,
/// which are returned, read what the operations read, wherever that is. What
/// nobody needs then, the operations themselves included, is in no block.
SmallVector<Operation *, 0> repeatMarked(ArrayRef<Operation *> marked,
                                         DeviceConstraints &constraints);

} // namespace mlir::hetero

#endif // HETERO_TRANSFORMS_COPIES_REPLICAS_H
