//===- Lexer.h - Tokens of PTX text -----------------------------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef HETERO_LIB_EMULATOR_PTX_LEXER_H
#define HETERO_LIB_EMULATOR_PTX_LEXER_H

#include <cstdint>
#include <string>
#include <string_view>

namespace hetero::emulator::ptx {

/// An error in PTX text. Thrown by the lexer, the parser and the translator,
/// caught by compilePTX: it never leaves this library.
struct PTXError {
  unsigned line;
  std::string message;
  /// The text may be fine for a newer driver.
  bool isNewer = false;
};

enum class TokenKind {
  End,
  Identifier, ///< add, %r1, $L__BB0_1
  Dot,        ///< .f32, .L1::evict_last, .version: text is without the dot
  Integer,
  Float32, ///< 0f3F800000, `integer` holds the bits
  Float64, ///< 0d..., or a decimal literal; `integer` holds the bits
  String,
  Punctuation ///< One character; text holds it.
};

struct Token {
  TokenKind kind = TokenKind::End;
  std::string_view text;
  unsigned line = 1;
  uint64_t integer = 0;
  bool isUnsigned = false; ///< Integer with the suffix U.
};

/// Splits PTX text into tokens. The tokens refer to the text.
class Lexer {
public:
  explicit Lexer(std::string_view text) : text(text) {}
  Token next();

private:
  void skipBlanks();
  Token lexNumber();
  Token lexHexFloat(size_t digits);
  Token lexDecimalFloat(size_t start);
  Token lexDot();
  Token lexString();
  Token make(TokenKind kind, size_t start) const;
  char at(size_t index) const { return index < text.size() ? text[index] : 0; }

  std::string_view text;
  size_t pos = 0;
  unsigned line = 1;
};

} // namespace hetero::emulator::ptx

#endif // HETERO_LIB_EMULATOR_PTX_LEXER_H
