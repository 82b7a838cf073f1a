//===- ReservedNames.cpp - Names that compiled code needs -----------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Compiled code calls the runtime and the C library by name, and LLVM makes
// such calls as late as when it selects instructions: a function of the program
// that is called `sinf` would be called in the place of the library's. Private
// functions get another name; that of an entry point is the caller's, so that a
// clash is an error.
//
//===----------------------------------------------------------------------===//

#include "ReservedNames.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/SymbolTable.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/TargetParser/Triple.h"

using namespace mlir;
using namespace mlir::hetero;

/// The runtime's functions and what the lowering makes.
static bool isOwnName(StringRef name) {
  if (name.starts_with("__hetero_"))
    return true;
  return name.consume_front("hetero") && !name.empty() &&
         llvm::isUpper(name.front());
}

LogicalResult mlir::hetero::renameReservedFunctions(ModuleOp module) {
  llvm::TargetLibraryInfoImpl library{llvm::Triple("x86_64-unknown-linux-gnu")};
  SmallVector<func::FuncOp> reserved;
  for (auto function : module.getOps<func::FuncOp>()) {
    llvm::LibFunc ignored;
    if (!function.isPublic() && !function.isExternal() &&
        (isOwnName(function.getName()) ||
         library.getLibFunc(function.getName(), ignored)))
      reserved.push_back(function);
  }
  if (reserved.empty())
    return success();
  SymbolTable symbols(module);
  for (func::FuncOp function : reserved)
    if (failed(symbols.renameToUnique(function, {})))
      return function.emitError("expected a name that the compiled code needs "
                                "for nothing else, got '")
             << function.getName() << "'; rename the function";
  return success();
}

/// The functions of the C library that LLVM may call for the operations of the
/// module: `sin` on f64, `sinf` on others.
static llvm::StringSet<> collectLibraryNames(ModuleOp module) {
  llvm::StringSet<> names;
  module.walk([&](Operation *op) {
    StringRef name = op->getName().getStringRef();
    if (isa<LLVM::FRemOp>(op))
      name = "fmod";
    else if (!name.consume_front("llvm.intr."))
      return;
    bool isNarrow = false;
    for (Type type : op->getResultTypes()) {
      Type element = getElementTypeOrSelf(type);
      isNarrow |= isa<FloatType>(element) && !element.isF64();
    }
    names.insert(isNarrow ? (name + "f").str() : name.str());
  });
  return names;
}

LogicalResult
mlir::hetero::checkEntryPointNames(ModuleOp module,
                                   ArrayRef<EntrySignature> entries) {
  llvm::StringSet<> names = collectLibraryNames(module);
  SymbolTable symbols(module);
  for (const EntrySignature &entry : entries)
    if (isOwnName(entry.name) || names.contains(entry.name) ||
        symbols.lookup(entry.name))
      return emitError(entry.loc) << "expected a name that the compiled code "
                                     "needs for nothing else, got '"
                                  << entry.name << "'; rename the function";
  return success();
}
