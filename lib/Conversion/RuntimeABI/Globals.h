//===- Globals.h - Data that the runtime reads ------------------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_CONVERSION_RUNTIMEABI_GLOBALS_H
#define HETERO_CONVERSION_RUNTIMEABI_GLOBALS_H

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/BuiltinOps.h"

namespace mlir::hetero {

/// A global of the struct type whose fields are what `fields` makes.
LLVM::GlobalOp createStruct(OpBuilder &builder, Location loc, Type type,
                            StringRef symbol, bool isConstant,
                            llvm::function_ref<SmallVector<Value>()> fields);

/// Address of a zero-terminated constant string.
Value getStringAddress(OpBuilder &builder, ModuleOp module, Location loc,
                       StringRef text);

} // namespace mlir::hetero

#endif // HETERO_CONVERSION_RUNTIMEABI_GLOBALS_H
