//===- MatrixShape.cpp - Sizes in a modifier ------------------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Emulator/Translate/Matrices/MatrixShape.h"

#include <algorithm>
#include <string>

using namespace hetero::emulator;
using namespace hetero::emulator::ptx;

/// The sizes in a modifier like "m16n8k32".
static bool parseShape(Name name, std::array<unsigned, 3> &sizes) {
  const char letters[] = {'m', 'n', 'k'};
  for (int i = 0; i < 3; ++i) {
    if (name.empty() || name.front() != letters[i])
      return false;
    name.remove_prefix(1);
    size_t digits = std::min(name.find_first_not_of("0123456789"), name.size());
    if (digits == 0 || digits > 3)
      return false;
    sizes[i] = std::stoi(std::string(name.substr(0, digits)));
    name.remove_prefix(digits);
  }
  return name.empty();
}

std::array<unsigned, 3>
hetero::emulator::ptx::findShape(const Instruction &op) {
  std::array<unsigned, 3> sizes{};
  for (Name name : op.modifiers)
    if (parseShape(name, sizes))
      break;
  return sizes;
}
