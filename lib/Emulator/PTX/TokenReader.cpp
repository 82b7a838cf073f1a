//===- TokenReader.cpp - The tokens that a parser is at -------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Emulator/PTX/TokenReader.h"

using namespace hetero::emulator::ptx;

TokenReader::TokenReader(std::string_view text) : lexer(text) {
  current = lexer.next();
  following = lexer.next();
}

Token TokenReader::take() {
  Token token = current;
  current = following;
  following = lexer.next();
  return token;
}

bool TokenReader::is(char punctuation) const {
  return current.kind == TokenKind::Punctuation &&
         current.text[0] == punctuation;
}

bool TokenReader::isDot(std::string_view text) const {
  return current.kind == TokenKind::Dot && current.text == text;
}

bool TokenReader::accept(char punctuation) {
  if (!is(punctuation))
    return false;
  take();
  return true;
}

bool TokenReader::acceptDot(std::string_view text) {
  if (!isDot(text))
    return false;
  take();
  return true;
}

void TokenReader::fail(const std::string &message) const {
  throw PTXError{current.line, message};
}

void TokenReader::failExpected(const std::string &what) const {
  if (current.kind == TokenKind::End)
    fail("expected " + what + ", got the end of the text");
  std::string dot = current.kind == TokenKind::Dot ? "." : "";
  fail("expected " + what + ", got '" + dot + std::string(current.text) + "'");
}

void TokenReader::expect(char punctuation) {
  if (!accept(punctuation))
    failExpected(std::string("'") + punctuation + "'");
}

std::string_view TokenReader::expectIdentifier(const char *what) {
  if (current.kind != TokenKind::Identifier)
    failExpected(what);
  return take().text;
}

uint64_t TokenReader::expectInteger(const char *what) {
  if (current.kind != TokenKind::Integer)
    failExpected(what);
  return take().integer;
}

void TokenReader::skipLine(unsigned line) {
  while (!isEnd() && current.line == line)
    take();
}

void TokenReader::skipPast(char punctuation) {
  while (!isEnd() && !accept(punctuation))
    take();
}

std::string_view TokenReader::operation() const {
  if (current.kind != TokenKind::Punctuation)
    return {};
  std::string_view pair(current.text.data(), 2);
  bool areNeighbours = following.kind == TokenKind::Punctuation &&
                       following.text.data() == current.text.data() + 1;
  for (std::string_view name : {"<<", ">>", "<=", ">=", "==", "!=", "&&", "||"})
    if (areNeighbours && pair == name)
      return name;
  return current.text;
}

std::string_view TokenReader::takeOperation() {
  std::string_view result = operation();
  take();
  if (result.size() == 2)
    take();
  return result;
}
