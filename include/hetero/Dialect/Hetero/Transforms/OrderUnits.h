//===- OrderUnits.h - Streams of units, and events between ------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Part of hetero-schedule: a stream per unit of a device.
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_DIALECT_HETERO_TRANSFORMS_ORDERUNITS_H
#define HETERO_DIALECT_HETERO_TRANSFORMS_ORDERUNITS_H

#include "mlir/IR/BuiltinOps.h"

namespace mlir::hetero {

/// The module's units, whose number is that of their stream on each device;
/// stream 0 is for work without a unit.
inline constexpr llvm::StringLiteral kUnitsAttrName = "hetero.units";

/// Orders the streams of units where one needs what another makes, and writes
/// the streams of copies onto them. Numbers the units on the module. Returns
/// how many orders it inserted; does nothing where no operation has a unit.
int64_t orderUnits(ModuleOp module, ArrayRef<Block *> blocks);

} // namespace mlir::hetero

#endif // HETERO_DIALECT_HETERO_TRANSFORMS_ORDERUNITS_H
