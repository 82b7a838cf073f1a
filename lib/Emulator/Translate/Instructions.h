//===- Instructions.h - The instructions that are translated ----*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_LIB_EMULATOR_TRANSLATE_INSTRUCTIONS_H
#define HETERO_LIB_EMULATOR_TRANSLATE_INSTRUCTIONS_H

#include "Emulator/Translate/Emitter.h"

#include <optional>
#include <vector>

namespace hetero::emulator::ptx {

/// The rule that an instruction follows, and the number of its family.
struct MatchedRule {
  size_t family;
  const Rule *rule;
};

/// Finds the rule; `why` says what is nearest and does not fit if there is
/// none. What no rule allows is refused, so that no modifier is ever ignored by
/// accident.
std::optional<MatchedRule> matchRule(const Instruction &op, std::string &why);

/// The emitters of all families, for one function.
class Emitters {
public:
  explicit Emitters(FunctionBuilder &f);
  void emit(const MatchedRule &match, const Instruction &op);

private:
  std::vector<std::unique_ptr<Emitter>> emitters;
};

} // namespace hetero::emulator::ptx

#endif // HETERO_LIB_EMULATOR_TRANSLATE_INSTRUCTIONS_H
