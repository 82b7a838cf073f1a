//===- OrderUnits.h - Streams of units, and events between ------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Part of hetero-schedule: a stream per unit of a device, and two for copies.
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_TRANSFORMS_SCHEDULE_ORDERUNITS_H
#define HETERO_TRANSFORMS_SCHEDULE_ORDERUNITS_H

#include "hetero/Dialect/Hetero/IR/HeteroDialect.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/DenseSet.h"

namespace mlir::hetero {

/// The units that stand for the copy engines of a device. A unit that the user
/// names so shares the stream.
inline constexpr llvm::StringLiteral kCopyInUnit = "copy in";
inline constexpr llvm::StringLiteral kCopyOutUnit = "copy out";

/// Orders the streams of units where one needs what another makes, and writes
/// the streams of copies onto them; copies have some of their own only if
/// `overlapsCopies`. Numbers the units on the module. `waits`, which are for
/// copies to the host, become waits for the units that copy. The streams of
/// `peers`, which share buffers with each other, are ordered as those of one
/// device. Returns how many orders it inserted; does nothing where all work of
/// each device is on one stream, and no device has peers.
int64_t orderUnits(ModuleOp module, ArrayRef<Block *> blocks,
                   bool overlapsCopies,
                   const llvm::DenseSet<Operation *> &waits,
                   ArrayRef<DeviceAttr> peers);

} // namespace mlir::hetero

#endif // HETERO_TRANSFORMS_SCHEDULE_ORDERUNITS_H
