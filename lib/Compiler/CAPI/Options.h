//===- Options.h - Options and texts of the C API ---------------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_LIB_COMPILER_CAPI_OPTIONS_H
#define HETERO_LIB_COMPILER_CAPI_OPTIONS_H

#include "hetero/Codegen/CPU/Target/Processor.h"
#include "hetero/Compiler/CompileOptions.h"
#include "llvm/ADT/StringRef.h"
#include <cstdlib>
#include <cstring>

struct HeteroCompileOptions {
  mlir::hetero::CompileOptions options{mlir::hetero::kNativeProcessor};
};

/// A string that heteroFreeString() frees; null without memory.
inline char *copyString(llvm::StringRef text) {
  char *copy = static_cast<char *>(std::malloc(text.size() + 1));
  if (!copy)
    return nullptr;
  std::memcpy(copy, text.data(), text.size());
  copy[text.size()] = 0;
  return copy;
}

#endif // HETERO_LIB_COMPILER_CAPI_OPTIONS_H
