//===- CloneFunctions.h - Variants of functions -----------------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_TRANSFORMS_REGIONS_CLONEFUNCTIONS_H
#define HETERO_TRANSFORMS_REGIONS_CLONEFUNCTIONS_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/SymbolTable.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SetVector.h"

namespace mlir::hetero {

/// The functions with a body that are `wanted`, and those that refer to them.
llvm::SetVector<func::FuncOp>
findWithUsers(ModuleOp module, function_ref<bool(func::FuncOp)> isWanted);

/// What symbols are called from now on, by references.
using RenamedSymbols = llvm::DenseMap<Attribute, FlatSymbolRefAttr>;

/// Lets what is in the operation refer to the new names.
void renameReferences(Operation *root, const RenamedSymbols &renamed);

/// Adds a clone of each function, whose name ends with the suffix and which
/// refers to the others' clones. A clone says of what it is a variant
/// (`hetero.variant_of`). In the order of the functions.
SmallVector<func::FuncOp>
cloneFunctions(const llvm::SetVector<func::FuncOp> &functions, StringRef suffix,
               SymbolTable &symbols);

} // namespace mlir::hetero

#endif // HETERO_TRANSFORMS_REGIONS_CLONEFUNCTIONS_H
