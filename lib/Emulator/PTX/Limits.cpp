//===- Limits.cpp - How much a kernel may have ----------------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Emulator/PTX/Limits.h"

#include "Emulator/PTX/Lexer.h"

using namespace hetero::emulator::ptx;

static void check(uint64_t bytes, uint64_t most, const std::string &whose,
                  const char *what, const char *remedy, unsigned line) {
  if (bytes > most)
    throw PTXError{line, whose + " has " + std::to_string(bytes) +
                             " bytes of " + what + ", at most " +
                             std::to_string(most) + " are possible; " + remedy};
}

static uint64_t bytesOfParams(const Function &kernel) {
  uint64_t end = 0;
  for (const Variable &param : kernel.params) {
    uint64_t align = param.alignment();
    end = (end + align - 1) / align * align + param.bytes();
  }
  return end;
}

void hetero::emulator::ptx::checkLimits(const Module &module,
                                        CallGraph &graph) {
  uint64_t constants = 0;
  for (const Variable &variable : module.variables)
    if (variable.space == Space::Const) {
      constants += variable.bytes();
      check(constants, 64 << 10, "the module", "constant memory",
            "use global memory", variable.line);
    }
  bool isNew = module.versionMajor * 10 + module.versionMinor >= 81 &&
               module.target >= 70;
  for (const auto &function : module.functions) {
    if (!function->isEntry || !function->hasBody)
      continue;
    std::string whose = "kernel '" + std::string(function->name) + "'";
    uint64_t shared = 0;
    for (const Variable *variable : graph.facts(*function).shared)
      shared += variable->bytes();
    check(shared, 48 << 10, whose, "static shared memory",
          "use dynamic shared memory", function->line);
    check(bytesOfParams(*function), isNew ? 32764 : 4352, whose, "parameters",
          "pass a pointer", function->line);
  }
}
