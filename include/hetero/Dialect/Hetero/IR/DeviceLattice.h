//===- DeviceLattice.h - Orders device specifications -----------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The lattice of docs/Design/Levels.md, beside DeviceAttr::meet.
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_DIALECT_HETERO_IR_DEVICELATTICE_H
#define HETERO_DIALECT_HETERO_IR_DEVICELATTICE_H

#include "hetero/Dialect/Hetero/IR/HeteroDialect.h"

namespace mlir::hetero {

/// True if `a` admits nothing that `b` does not.
inline bool refines(DeviceAttr a, DeviceAttr b) { return a.meet(b) == a; }

/// A specification with a default for what it leaves out: an ordinal, a unit
/// and a codegen. A default for another device gives nothing. `around` may be
/// null.
DeviceAttr withDefaults(DeviceAttr own, DeviceAttr around);

/// The device without its codegen: what has a stream.
DeviceAttr withoutCodegen(DeviceAttr device);

/// The device that executes a copy, and whose stream it is on: that of the
/// result, or that of the source if the result is on the host.
DeviceAttr getExecutingDevice(CopyOp copy);

} // namespace mlir::hetero

#endif // HETERO_DIALECT_HETERO_IR_DEVICELATTICE_H
