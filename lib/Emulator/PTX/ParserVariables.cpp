//===- ParserVariables.cpp - PTX variables and initializers ---------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Emulator/PTX/Parser.h"

using namespace hetero::emulator::ptx;

bool Parser::isSpaceDirective() const {
  return isDot("reg") || isDot("param") || isDot("local") || isDot("shared") ||
         isDot("global") || isDot("const");
}

Space Parser::takeSpace() {
  Name name = take().text;
  return name == "reg"      ? Space::Reg
         : name == "param"  ? Space::Param
         : name == "local"  ? Space::Local
         : name == "shared" ? Space::Shared
         : name == "global" ? Space::Global
                            : Space::Const;
}

ScalarType Parser::takeType() {
  ScalarType type;
  if (isDot("texref") || isDot("samplerref") || isDot("surfref"))
    fail("textures and surfaces are not supported by the emulator; use global "
         "memory");
  if (current.kind != TokenKind::Dot || !parseScalarType(current.text, type))
    failExpected("a type such as '.b32'");
  take();
  return type;
}

void Parser::parseTypeAndAlign(Variable &variable) {
  while (true) {
    if (acceptDot("align")) {
      variable.align = expectInteger("an alignment");
      if (!variable.align || (variable.align & (variable.align - 1)) ||
          variable.align > 65536)
        fail("expected an alignment that is a power of two, got " +
             std::to_string(variable.align));
    } else if (acceptDot("attribute")) {
      while (current.kind != TokenKind::End && !accept(')'))
        take();
    } else if (isDot("v2") || isDot("v4")) {
      variable.vector = take().text[1] - '0';
    } else {
      break;
    }
  }
  variable.type = takeType();
}

void Parser::parseArrayBounds(Variable &variable) {
  // Above any device's memory, and far from overflow.
  constexpr uint64_t limit = uint64_t(1) << 40;
  while (accept('[')) {
    variable.isArray = true;
    uint64_t bound = is(']') ? 0 : expectInteger("an array bound");
    expect(']');
    variable.dims.push_back(bound);
    if (bound > limit || variable.bytes() > limit || variable.dims.size() > 16)
      fail("array '" + std::string(variable.name) + "' is too large");
  }
}

void Parser::parseDeclarator(Variable &variable) {
  variable.line = current.line;
  variable.name = expectIdentifier("the name of a variable");
  if (accept('<')) {
    variable.count = expectInteger("a number of registers");
    if (variable.count > 1000000)
      fail("expected at most 1000000 registers, got " +
           std::to_string(variable.count));
    expect('>');
  }
  parseArrayBounds(variable);
  if (accept('='))
    parseInitializer(variable);
}

std::vector<Variable> Parser::parseVariables(bool isExtern) {
  Variable prototype;
  prototype.space = takeSpace();
  prototype.isExtern = isExtern;
  parseTypeAndAlign(prototype);
  std::vector<Variable> variables;
  do {
    Variable variable = prototype;
    parseDeclarator(variable);
    variables.push_back(std::move(variable));
  } while (accept(','));
  expect(';');
  return variables;
}

void Parser::parseInitializer(Variable &variable) {
  if (is('{'))
    parseInitList(variable, 0);
  else
    variable.init.push_back(parseInitValue());
  // The bound of `.b8 text[] = {...}`.
  if (!variable.dims.empty() && variable.dims.front() == 0) {
    variable.dims.front() = 1;
    uint64_t row = std::max<uint64_t>(variable.numElements(), 1);
    variable.dims.front() = (variable.init.size() + row - 1) / row;
  }
  if (variable.init.size() > variable.numElements())
    fail("expected at most " + std::to_string(variable.numElements()) +
         " initial values of '" + std::string(variable.name) + "', got " +
         std::to_string(variable.init.size()));
}

void Parser::parseInitList(Variable &variable, unsigned depth) {
  if (depth > 8)
    fail("initializer is nested too deeply");
  expect('{');
  size_t start = variable.init.size();
  while (!is('}')) {
    if (is('{'))
      parseInitList(variable, depth + 1);
    else
      variable.init.push_back(parseInitValue());
    if (!accept(','))
      break;
  }
  expect('}');
  // A short inner list leaves the rest of its row zero.
  if (depth == 0 || depth > variable.dims.size())
    return;
  uint64_t row = variable.vector;
  for (size_t i = depth; i < variable.dims.size(); ++i)
    row *= variable.dims[i];
  if (row < 65536 && variable.init.size() < start + row)
    variable.init.resize(start + row);
}

InitValue Parser::parseInitValue() {
  bool negative = accept('-');
  InitValue value;
  if (current.kind == TokenKind::Identifier && !negative)
    return parseSymbolValue();
  Token token = current;
  if (token.kind == TokenKind::Integer)
    value.kind = InitValue::Integer;
  else if (token.kind == TokenKind::Float32)
    value.kind = InitValue::Float32;
  else if (token.kind == TokenKind::Float64)
    value.kind = InitValue::Float64;
  else
    failExpected("an initial value");
  take();
  if (token.kind == TokenKind::Integer && is('(')) {
    take();
    value = parseSymbolValue();
    value.mask = token.integer;
    expect(')');
    return value;
  }
  value.integer = token.integer;
  if (negative && token.kind == TokenKind::Integer)
    value.integer = 0 - value.integer;
  else if (negative)
    value.integer ^= token.kind == TokenKind::Float32 ? 1ull << 31 : 1ull << 63;
  return value;
}

InitValue Parser::parseSymbolValue() {
  InitValue value;
  value.kind = InitValue::Symbol;
  value.symbol = expectIdentifier("a symbol");
  if (value.symbol == "generic" && accept('(')) {
    value.generic = true;
    value.symbol = expectIdentifier("a symbol");
    expect(')');
  }
  if (is('+') || is('-')) {
    bool negative = take().text == "-";
    if (accept('-'))
      negative = !negative;
    uint64_t offset = expectInteger("an offset");
    value.integer = negative ? 0 - offset : offset;
  }
  return value;
}
