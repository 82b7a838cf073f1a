//===- ConstantParser.h - Constant expressions ------------------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_LIB_EMULATOR_PTX_CONSTANTPARSER_H
#define HETERO_LIB_EMULATOR_PTX_CONSTANTPARSER_H

#include "Emulator/PTX/TokenReader.h"

namespace hetero::emulator::ptx {

/// A number that the text holds: an integer of 64 bits, or the bits of a
/// floating-point number.
struct Constant {
  enum Kind : uint8_t { Signed, Unsigned, Float32, Float64 } kind = Signed;
  uint64_t bits = 0;

  bool isInteger() const { return kind <= Unsigned; }
};

/// Computes constant expressions, with C's operators and their order.
class ConstantParser {
public:
  explicit ConstantParser(TokenReader &tokens) : tokens(tokens) {}

  /// Whether a constant begins here, and no name.
  bool isConstant() const;
  /// `what`: what the text ought to have here.
  Constant parse(const char *what);
  uint64_t parseInteger(const char *what);
  /// The offset that is added to an address, from its sign on.
  uint64_t parseOffset();

private:
  Constant parseBinary(unsigned level, const char *what);
  Constant parseUnary(const char *what);
  Constant parseNumber(const char *what);
  Constant parseParentheses(const char *what);
  Constant combine(std::string_view operation, Constant x, Constant y) const;

  TokenReader &tokens;
  unsigned depth = 0;
};

} // namespace hetero::emulator::ptx

#endif // HETERO_LIB_EMULATOR_PTX_CONSTANTPARSER_H
