//===- RuntimeFunctions.cpp - Functions of the runtime --------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RuntimeFunctions.h"

#include "hetero/Dialect/Hetero/IR/DeviceKind.h"
#include "hetero/Runtime/HeteroRuntime.h"

using namespace mlir;
using namespace mlir::hetero;

LLVM::LLVMFuncOp
mlir::hetero::declareRuntimeFunction(OpBuilder &builder, ModuleOp module,
                                     StringRef name, ArrayRef<Type> arguments) {
  if (auto function = module.lookupSymbol<LLVM::LLVMFuncOp>(name))
    return function;
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(module.getBody());
  auto type = LLVM::LLVMFunctionType::get(builder.getI32Type(), arguments);
  return LLVM::LLVMFuncOp::create(builder, module.getLoc(), name, type);
}

int32_t mlir::hetero::getDeviceId(DeviceAttr device) {
  if (isHostAccessible(device))
    return HETERO_HOST;
  return static_cast<int32_t>(device.getOrdinal());
}
