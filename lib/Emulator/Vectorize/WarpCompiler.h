//===- WarpCompiler.h - Makes functions of warps ----------------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_LIB_EMULATOR_VECTORIZE_WARPCOMPILER_H
#define HETERO_LIB_EMULATOR_VECTORIZE_WARPCOMPILER_H

#include "llvm/IR/Module.h"
#include "llvm/Target/TargetMachine.h"

#include <string>

namespace hetero::emulator::ptx {

/// Of a module that was just translated leaves `warp.NAME`, which runs a warp
/// of the kernel, optimized. False, with the reason in `why`, when the lanes of
/// a warp cannot run together.
bool compileWarps(llvm::Module &module, const std::string &name,
                  llvm::TargetMachine &machine, std::string &why);

} // namespace hetero::emulator::ptx

#endif // HETERO_LIB_EMULATOR_VECTORIZE_WARPCOMPILER_H
