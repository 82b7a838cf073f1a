//===- Lexer.cpp - Tokens of PTX text -------------------------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Emulator/PTX/Lexer.h"

#include <cctype>
#include <cstdlib>
#include <cstring>

using namespace hetero::emulator::ptx;

static bool isIdentifierStart(char c) {
  return std::isalpha(static_cast<unsigned char>(c)) || c == '_' || c == '$' ||
         c == '%';
}

static bool isIdentifierPart(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '$';
}

void Lexer::skipBlanks() {
  while (pos < text.size()) {
    char c = text[pos];
    if (c == '\n') {
      ++line;
      ++pos;
    } else if (c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v') {
      ++pos;
    } else if (c == '/' && at(pos + 1) == '/') {
      while (pos < text.size() && text[pos] != '\n')
        ++pos;
    } else if (c == '/' && at(pos + 1) == '*') {
      size_t end = text.find("*/", pos + 2);
      if (end == std::string_view::npos)
        throw PTXError{line, "comment does not end; add '*/'"};
      for (; pos < end + 2; ++pos)
        line += text[pos] == '\n';
    } else if (c == '#') {
      // Line markers of a preprocessor.
      while (pos < text.size() && text[pos] != '\n')
        ++pos;
    } else {
      return;
    }
  }
}

Token Lexer::make(TokenKind kind, size_t start) const {
  Token token;
  token.kind = kind;
  token.text = text.substr(start, pos - start);
  token.line = line;
  return token;
}

Token Lexer::lexDot() {
  size_t start = ++pos;
  while (isIdentifierPart(at(pos)) || (at(pos) == ':' && at(pos + 1) == ':' &&
                                       isIdentifierPart(at(pos + 2)))) {
    pos += at(pos) == ':' ? 2 : 1;
  }
  return make(TokenKind::Dot, start);
}

Token Lexer::lexString() {
  size_t start = ++pos;
  while (at(pos) != '"' && at(pos) != '\n' && pos < text.size())
    pos += at(pos) == '\\' && pos + 1 < text.size() ? 2 : 1;
  if (at(pos) != '"')
    throw PTXError{line, "string does not end; add '\"'"};
  Token token = make(TokenKind::String, start);
  ++pos;
  return token;
}

Token Lexer::lexHexFloat(size_t digits) {
  size_t start = pos;
  bool single = digits == 8;
  pos += 2;
  uint64_t bits = 0;
  for (size_t i = 0; i < digits; ++i, ++pos) {
    char c = at(pos);
    if (!std::isxdigit(static_cast<unsigned char>(c)))
      throw PTXError{line, "expected " + std::to_string(digits) +
                               " hexadecimal digits after '" +
                               std::string(text.substr(start, 2)) + "'"};
    bits = bits * 16 + (std::isdigit(static_cast<unsigned char>(c))
                            ? c - '0'
                            : (c | 32) - 'a' + 10);
  }
  Token token = make(single ? TokenKind::Float32 : TokenKind::Float64, start);
  token.integer = bits;
  return token;
}

Token Lexer::lexDecimalFloat(size_t start) {
  std::string copy(text.substr(start, pos - start));
  double value = std::strtod(copy.c_str(), nullptr);
  Token token = make(TokenKind::Float64, start);
  std::memcpy(&token.integer, &value, sizeof(value));
  return token;
}

Token Lexer::lexNumber() {
  size_t start = pos;
  char second = at(pos + 1) | 32;
  if (at(pos) == '0' && second == 'f')
    return lexHexFloat(8);
  if (at(pos) == '0' && second == 'd')
    return lexHexFloat(16);
  unsigned base = 10;
  if (at(pos) == '0' && (second == 'x' || second == 'b')) {
    base = second == 'x' ? 16 : 2;
    pos += 2;
  } else if (at(pos) == '0' && std::isdigit((unsigned char)at(pos + 1))) {
    base = 8;
  }
  uint64_t value = 0;
  bool any = false;
  for (;; ++pos, any = true) {
    unsigned char c = at(pos);
    unsigned digit = std::isdigit(c)                  ? c - '0'
                     : base == 16 && std::isxdigit(c) ? (c | 32) - 'a' + 10
                                                      : 99;
    if (digit >= base)
      break;
    value = value * base + digit;
  }
  bool exponent = (at(pos) | 32) == 'e' && base == 10;
  if ((at(pos) == '.' && std::isdigit((unsigned char)at(pos + 1))) ||
      exponent) {
    ++pos;
    while (std::isdigit((unsigned char)at(pos)) || (at(pos) | 32) == 'e' ||
           ((at(pos) == '-' || at(pos) == '+') && (at(pos - 1) | 32) == 'e'))
      ++pos;
    return lexDecimalFloat(start);
  }
  Token token = make(TokenKind::Integer, start);
  token.integer = value;
  if (at(pos) == 'U') {
    token.isUnsigned = true;
    ++pos;
  }
  if (!any || isIdentifierPart(at(pos)))
    throw PTXError{line, "malformed number '" +
                             std::string(text.substr(start, pos + 1 - start)) +
                             "'"};
  return token;
}

Token Lexer::next() {
  skipBlanks();
  // The driver's interface takes a C string: what follows a zero is not text.
  if (pos >= text.size() || text[pos] == '\0') {
    pos = text.size();
    return make(TokenKind::End, pos);
  }
  char c = text[pos];
  if (std::isdigit(static_cast<unsigned char>(c)))
    return lexNumber();
  if (c == '"')
    return lexString();
  if (c == '.' && isIdentifierPart(at(pos + 1)))
    return lexDot();
  size_t start = pos++;
  if (isIdentifierStart(c) && (c != '%' || isIdentifierPart(at(pos)))) {
    while (isIdentifierPart(at(pos)))
      ++pos;
    return make(TokenKind::Identifier, start);
  }
  if (!std::strchr(",;:{}()[]+-!@|<>=*/%~&^?.", c))
    throw PTXError{line, "character '" + std::string(1, c) +
                             "' has no meaning in PTX"};
  return make(TokenKind::Punctuation, start);
}
