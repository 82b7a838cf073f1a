//===- Extract.h - One function of a module ---------------------*- C++ -*-===//
//-*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_LIB_EMULATOR_COMPILE_EXTRACT_H
#define HETERO_LIB_EMULATOR_COMPILE_EXTRACT_H

#include "llvm/IR/Module.h"

#include <memory>

namespace hetero::emulator::ptx {

/// A function of a module's bitcode with what it calls, which is internal. The
/// other functions are not read: a module may have hundreds. Null when the
/// bitcode has no such function.
std::unique_ptr<llvm::Module> extractFunction(llvm::StringRef bitcode,
                                              llvm::StringRef name,
                                              llvm::LLVMContext &context);

} // namespace hetero::emulator::ptx

#endif // HETERO_LIB_EMULATOR_COMPILE_EXTRACT_H
