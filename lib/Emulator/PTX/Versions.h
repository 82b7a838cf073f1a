//===- Versions.h - What PTX had when ---------------------------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_LIB_EMULATOR_PTX_VERSIONS_H
#define HETERO_LIB_EMULATOR_PTX_VERSIONS_H

#include "Emulator/PTX/AST.h"

namespace hetero::emulator::ptx {

/// Throws PTXError when the module's .version or .target is older than the
/// instruction, than a special register or a directive, or when the version is
/// older than the target.
void checkVersion(const Module &module, const Instruction &op);
void checkVersion(const Module &module, Name name, unsigned line);
void checkTarget(const Module &module);

} // namespace hetero::emulator::ptx

#endif // HETERO_LIB_EMULATOR_PTX_VERSIONS_H
