//===- Extract.cpp - One function of a module -----------------------------===//
//-------------------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Emulator/Compile/Extract.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Bitcode/BitcodeReader.h"

using namespace hetero::emulator;

/// Reads a function, and those that what has been read uses.
static llvm::Error materialize(llvm::Module &module, llvm::Function &root) {
  if (llvm::Error error = root.materialize())
    return error;
  for (bool isChanged = true; isChanged;) {
    isChanged = false;
    for (llvm::Function &function : module) {
      if (!function.isMaterializable() || function.use_empty())
        continue;
      if (llvm::Error error = function.materialize())
        return error;
      isChanged = true;
    }
  }
  return llvm::Error::success();
}

static llvm::Error reduce(llvm::Module &module, llvm::Function &root) {
  if (llvm::Error error = materialize(module, root))
    return error;
  for (llvm::Function &function : llvm::make_early_inc_range(module)) {
    if (function.isMaterializable()) {
      function.deleteBody();
      function.eraseFromParent();
    } else if (!function.isDeclaration() && &function != &root) {
      function.setLinkage(llvm::GlobalValue::InternalLinkage);
    }
  }
  return module.materializeAll();
}

std::unique_ptr<llvm::Module> ptx::extractFunction(llvm::StringRef bitcode,
                                                   llvm::StringRef name,
                                                   llvm::LLVMContext &context) {
  auto module = llvm::getLazyBitcodeModule(
      llvm::MemoryBufferRef(bitcode, "ptx"), context);
  if (!module) {
    llvm::consumeError(module.takeError());
    return nullptr;
  }
  llvm::Function *root = (*module)->getFunction(name);
  if (!root)
    return nullptr;
  if (llvm::Error error = reduce(**module, *root)) {
    llvm::consumeError(std::move(error));
    return nullptr;
  }
  return std::move(*module);
}
