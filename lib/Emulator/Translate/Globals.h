//===- Globals.h - Variables of a PTX module --------------------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_LIB_EMULATOR_TRANSLATE_GLOBALS_H
#define HETERO_LIB_EMULATOR_TRANSLATE_GLOBALS_H

#include "Emulator/Translate/Kernel.h"

namespace hetero::emulator::ptx {

/// The .global and .const variables of a module with their initial bytes.
class Globals {
public:
  /// Adds the module's variables; names of `state` are then complete.
  void addAll(ModuleState &state);
  /// Says where a variable is, and writes that into initial values.
  void bind(ModuleState &state, std::string_view name, uint64_t address);

  const std::vector<GlobalVariable> &all() const { return variables; }

private:
  /// An initial value that depends on where another variable is.
  struct Relocation {
    size_t variable, offset, bytes;
    size_t target;
    InitValue value;
  };

  void addVariable(ModuleState &state, const Variable &variable);
  void addOfBlock(ModuleState &state, const Function &function,
                  const Block &block);
  static GlobalVariable describe(const Variable &variable,
                                 const std::string &name);
  void initialize(ModuleState &state, const Variable &variable, size_t number);
  void addSymbol(ModuleState &state, const Variable &variable,
                 const Relocation &place);
  void store(const Relocation &place, uint64_t address);

  std::vector<GlobalVariable> variables;
  std::vector<Relocation> relocations;
};

} // namespace hetero::emulator::ptx

#endif // HETERO_LIB_EMULATOR_TRANSLATE_GLOBALS_H
