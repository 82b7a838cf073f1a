//===- ExternalFunctions.cpp - What a program has elsewhere ---------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "hetero/Compiler/ExternalFunctions.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/Support/DynamicLibrary.h"
#include "llvm/Support/FileSystem.h"

using namespace mlir;
using namespace mlir::hetero;

std::vector<ExternalFunction>
mlir::hetero::collectExternalFunctions(ModuleOp module) {
  SmallVector<FunctionOpInterface> declared;
  for (auto function : module.getOps<FunctionOpInterface>())
    if (function.isExternal() && !function.getName().starts_with("llvm."))
      declared.push_back(function);
  std::vector<ExternalFunction> functions;
  if (declared.empty())
    return functions;
  SymbolTableCollection tables;
  SymbolUserMap users(tables, module);
  for (FunctionOpInterface function : declared) {
    if (users.useEmpty(function))
      continue;
    std::string name = function.getName().str();
    bool hasWrapper =
        function->hasAttr(LLVM::LLVMDialect::getEmitCWrapperAttrName());
    functions.push_back(
        {name, hasWrapper ? "_mlir_ciface_" + name : name, function.getLoc()});
  }
  return functions;
}

llvm::Error
mlir::hetero::loadSharedLibraries(llvm::ArrayRef<std::string> paths) {
  for (const std::string &path : paths) {
    // A name without a folder is a file here before it is one of the system's.
    llvm::SmallString<256> file(path);
    if (llvm::sys::fs::exists(file))
      (void)llvm::sys::fs::make_absolute(file);
    std::string message;
    if (llvm::sys::DynamicLibrary::LoadLibraryPermanently(file.c_str(),
                                                          &message))
      return llvm::createStringError("cannot load the library '" + path +
                                     "' of --shared-libs: " + message);
  }
  return llvm::Error::success();
}

LogicalResult mlir::hetero::checkExternalFunctions(
    llvm::ArrayRef<ExternalFunction> functions) {
  bool isMissing = false;
  for (const ExternalFunction &function : functions) {
    if (llvm::sys::DynamicLibrary::SearchForAddressOfSymbol(function.symbol))
      continue;
    isMissing = true;
    emitError(function.loc)
        << "the program calls '" << function.name
        << "', which it does not define, and no library defines '"
        << function.symbol << "'; name the one that does with --shared-libs";
  }
  return failure(isMissing);
}
