//===- Unload.h - What a program does at its end ----------------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_CONVERSION_HETEROTOLLVM_UNLOAD_H
#define HETERO_CONVERSION_HETEROTOLLVM_UNLOAD_H

#include "DeviceConstants.h"

namespace mlir::hetero {

/// Emits the destructor that has the runtime forget images and constants.
/// Called when every function returns its status, which this one does not.
void emitUnload(ModuleOp module, const DeviceConstants &constants);

} // namespace mlir::hetero

#endif // HETERO_CONVERSION_HETEROTOLLVM_UNLOAD_H
