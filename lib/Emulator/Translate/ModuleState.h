//===- ModuleState.h - What the functions of a module share -----*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_LIB_EMULATOR_TRANSLATE_MODULESTATE_H
#define HETERO_LIB_EMULATOR_TRANSLATE_MODULESTATE_H

#include "Emulator/ABI/CompiledCode.h"
#include "Emulator/ABI/ExecutorCallbacks.h"
#include "Emulator/PTX/AST.h"
#include "Emulator/PTX/CallGraph.h"
#include "Emulator/Translate/CompileOptions.h"

#include <map>
#include <vector>

namespace hetero::emulator::ptx {

/// Attribute of functions that do not call themselves.
constexpr const char *kMayInline = "hetero-may-inline";

/// Where compiled code finds ModuleState::addresses.
constexpr const char *kAddresses = "emu.addresses";

/// What the functions of a module share.
struct ModuleState {
  ModuleState(const Module &ptx, const CompileOptions &options)
      : ptx(ptx), options(options), graph(ptx) {}

  const Module &ptx;
  const CompileOptions options;
  CallGraph graph;
  /// Module-scope .global and .const variables and their number.
  std::map<Name, size_t> globals;
  std::map<Name, const Variable *> shared;
  /// The same of variables that functions declare.
  std::map<const Variable *, size_t> globalsOfFunctions;
  /// Device addresses of the globals, read by compiled code.
  std::vector<uint64_t> addresses;
  /// Functions that have a body, kernels aside, and their number.
  std::map<Name, size_t> functions;
};

/// What a pointer to a function holds.
inline uint64_t functionAddress(size_t number) {
  return kFunctionWindowBase + 16 * (number + 1);
}

} // namespace hetero::emulator::ptx

#endif // HETERO_LIB_EMULATOR_TRANSLATE_MODULESTATE_H
