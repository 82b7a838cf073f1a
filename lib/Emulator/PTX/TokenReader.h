//===- TokenReader.h - The tokens that a parser is at -----------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_LIB_EMULATOR_PTX_TOKENREADER_H
#define HETERO_LIB_EMULATOR_PTX_TOKENREADER_H

#include "Emulator/PTX/Lexer.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace hetero::emulator::ptx {

/// Reads tokens one after the other. What is expected and not there throws
/// PTXError.
class TokenReader {
public:
  explicit TokenReader(std::string_view text);

  const Token &peek() const { return current; }
  const Token &peekNext() const { return following; }
  /// The operator that begins here: one character or, like "<<", two; empty if
  /// none does.
  std::string_view operation() const;
  std::string_view takeOperation();
  Token take();
  bool isEnd() const { return current.kind == TokenKind::End; }
  bool is(char punctuation) const;
  bool isDot(std::string_view text) const;
  bool accept(char punctuation);
  bool acceptDot(std::string_view text);
  void expect(char punctuation);
  std::string_view expectIdentifier(const char *what);
  uint64_t expectInteger(const char *what);
  [[noreturn]] void fail(const std::string &message) const;
  [[noreturn]] void failExpected(const std::string &what) const;
  void skipLine(unsigned line);
  /// Past the next of these.
  void skipPast(char punctuation);

private:
  Lexer lexer;
  Token current, following;
};

} // namespace hetero::emulator::ptx

#endif // HETERO_LIB_EMULATOR_PTX_TOKENREADER_H
