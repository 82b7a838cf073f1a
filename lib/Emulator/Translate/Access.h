//===- Access.h - Functions that check accesses -----------------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A translated kernel calls `ptr emu.SPACE(context, address, size, isStore,
// line, last)` before each access: the host address, if the access is within
// bounds and aligned. SPACE is global (`last` is the number of a window),
// shared, local or param (`last` is the size of the parameters). They stay
// calls until it is known whether lanes run together, and are inlined then.
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_LIB_EMULATOR_TRANSLATE_ACCESS_H
#define HETERO_LIB_EMULATOR_TRANSLATE_ACCESS_H

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"

namespace hetero::emulator::ptx {

/// Loads a field, at an offset in bytes, that stays the same while the code
/// runs.
llvm::Value *loadField(llvm::IRBuilder<> &b, llvm::Value *base, size_t offset,
                       llvm::Type *type);

llvm::Function *declareAccess(llvm::Module &module, const char *name);

/// Gives the functions bodies; `asks`: the executor wants to hear of each
/// access to global memory, `asksShared`: to shared memory.
void defineAccesses(llvm::Module &module, bool asks, bool asksShared);

} // namespace hetero::emulator::ptx

#endif // HETERO_LIB_EMULATOR_TRANSLATE_ACCESS_H
