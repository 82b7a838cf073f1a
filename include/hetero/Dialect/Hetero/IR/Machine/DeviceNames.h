//===- DeviceNames.h - Devices by name --------------------------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_DIALECT_HETERO_IR_MACHINE_DEVICENAMES_H
#define HETERO_DIALECT_HETERO_IR_MACHINE_DEVICENAMES_H

#include "hetero/Dialect/Hetero/IR/HeteroDialect.h"

namespace mlir::hetero {

/// The device that a text like "gpu:0", "gpu" or "gpu:0@1" (on node 1) names;
/// null if it names none.
DeviceAttr parseDevice(StringRef text, MLIRContext *context);

} // namespace mlir::hetero

#endif // HETERO_DIALECT_HETERO_IR_MACHINE_DEVICENAMES_H
