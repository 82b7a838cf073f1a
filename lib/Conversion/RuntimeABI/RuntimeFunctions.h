//===- RuntimeFunctions.h - Functions of the runtime ------------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_CONVERSION_RUNTIMEABI_RUNTIMEFUNCTIONS_H
#define HETERO_CONVERSION_RUNTIMEABI_RUNTIMEFUNCTIONS_H

#include "hetero/Dialect/Hetero/IR/HeteroDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/BuiltinOps.h"

namespace mlir::hetero {

/// Declares a runtime function that returns a HeteroStatus, once.
LLVM::LLVMFuncOp declareRuntimeFunction(OpBuilder &builder, ModuleOp module,
                                        StringRef name,
                                        ArrayRef<Type> arguments);

/// The runtime's number of a device.
int32_t getDeviceId(DeviceAttr device);

} // namespace mlir::hetero

#endif // HETERO_CONVERSION_RUNTIMEABI_RUNTIMEFUNCTIONS_H
