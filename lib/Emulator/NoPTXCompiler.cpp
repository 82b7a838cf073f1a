//===- NoPTXCompiler.cpp - Refuses modules --------------------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "hetero/Emulator/PTXCompiler.h"

using namespace hetero::emulator;

/// Weak: gives way to the compiler where that is linked.
__attribute__((weak))
std::variant<std::unique_ptr<CompiledModule>, CompileError>
hetero::emulator::compilePTX(std::string_view, unsigned, unsigned) {
  return CompileError{CompileError::InvalidImage,
                      "this emulator was built without its PTX compiler"};
}
