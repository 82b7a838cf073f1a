//===- VariableParser.cpp - Declarations of variables and parameters ------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Emulator/PTX/VariableParser.h"

#include <algorithm>
#include <functional>
#include <numeric>

using namespace hetero::emulator::ptx;

bool VariableParser::isDeclaration() const {
  return tokens.isDot("reg") || tokens.isDot("param") ||
         tokens.isDot("local") || tokens.isDot("shared") ||
         tokens.isDot("global") || tokens.isDot("const");
}

Space VariableParser::takeSpace() {
  Name name = tokens.take().text;
  return name == "reg"      ? Space::Reg
         : name == "param"  ? Space::Param
         : name == "local"  ? Space::Local
         : name == "shared" ? Space::Shared
         : name == "global" ? Space::Global
                            : Space::Const;
}

ScalarType VariableParser::takeType() {
  ScalarType type;
  if (tokens.isDot("texref") || tokens.isDot("samplerref") ||
      tokens.isDot("surfref"))
    tokens.fail(
        "textures and surfaces are not supported by the emulator; use global "
        "memory");
  if (tokens.peek().kind != TokenKind::Dot ||
      !parseScalarType(tokens.peek().text, type))
    tokens.failExpected("a type such as '.b32'");
  tokens.take();
  return type;
}

/// (.managed), (.unified(1, 2)) or both.
void VariableParser::parseAttributes(Variable &variable) {
  tokens.expect('(');
  do {
    if (tokens.acceptDot("managed")) {
      if (variable.space != Space::Global)
        tokens.fail(
            "managed variables are in .global memory; declare it there");
      variable.isManaged = true;
    } else if (tokens.acceptDot("unified")) {
      tokens.skipPast(')');
    } else {
      tokens.failExpected("'.managed' or '.unified'");
    }
  } while (tokens.accept(','));
  tokens.expect(')');
}

void VariableParser::parseTypeAndAlign(Variable &variable) {
  while (true) {
    if (tokens.acceptDot("align")) {
      variable.align = tokens.expectInteger("an alignment");
      if (!variable.align || (variable.align & (variable.align - 1)) ||
          variable.align > 65536)
        tokens.fail("expected an alignment that is a power of two, got " +
                    std::to_string(variable.align));
    } else if (tokens.acceptDot("attribute")) {
      parseAttributes(variable);
    } else if (tokens.isDot("v2") || tokens.isDot("v4")) {
      variable.vector = tokens.take().text[1] - '0';
    } else {
      break;
    }
  }
  variable.type = takeType();
}

void VariableParser::parseArrayBounds(Variable &variable) {
  // Above any device's memory, and far from overflow.
  constexpr uint64_t limit = uint64_t(1) << 40;
  while (tokens.accept('[')) {
    variable.isArray = true;
    uint64_t bound =
        tokens.is(']') ? 0 : tokens.expectInteger("an array bound");
    tokens.expect(']');
    variable.dims.push_back(bound);
    if (bound > limit || variable.bytes() > limit || variable.dims.size() > 16)
      tokens.fail("array '" + std::string(variable.name) + "' is too large");
  }
}

void VariableParser::parseDeclarator(Variable &variable) {
  variable.line = tokens.peek().line;
  variable.name = tokens.expectIdentifier("the name of a variable");
  if (tokens.accept('<')) {
    variable.count = tokens.expectInteger("a number of registers");
    if (variable.count > 1000000)
      tokens.fail("expected at most 1000000 registers, got " +
                  std::to_string(variable.count));
    tokens.expect('>');
  }
  parseArrayBounds(variable);
  elements.erase(variable.name);
  if (variable.isArray)
    elements[variable.name] = std::accumulate(
        variable.dims.begin() + 1, variable.dims.end(),
        uint64_t(variable.type.bytes()) * variable.vector, std::multiplies<>());
  if (tokens.accept('='))
    parseInitializer(variable);
}

std::vector<Variable> VariableParser::parse(bool isExtern) {
  Variable prototype;
  prototype.space = takeSpace();
  prototype.isExtern = isExtern;
  parseTypeAndAlign(prototype);
  std::vector<Variable> variables;
  do {
    Variable variable = prototype;
    parseDeclarator(variable);
    variables.push_back(std::move(variable));
  } while (tokens.accept(','));
  tokens.expect(';');
  return variables;
}

void VariableParser::parseInitializer(Variable &variable) {
  if (tokens.is('{'))
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
    tokens.fail("expected at most " + std::to_string(variable.numElements()) +
                " initial values of '" + std::string(variable.name) +
                "', got " + std::to_string(variable.init.size()));
}

void VariableParser::parseInitList(Variable &variable, unsigned depth) {
  if (depth > 8)
    tokens.fail("initializer is nested too deeply");
  tokens.expect('{');
  size_t start = variable.init.size();
  while (!tokens.is('}')) {
    if (tokens.is('{'))
      parseInitList(variable, depth + 1);
    else
      variable.init.push_back(parseInitValue());
    if (!tokens.accept(','))
      break;
  }
  tokens.expect('}');
  // A short inner list leaves the rest of its row zero.
  if (depth == 0 || depth > variable.dims.size())
    return;
  uint64_t row = variable.vector;
  for (size_t i = depth; i < variable.dims.size(); ++i)
    row *= variable.dims[i];
  if (row < 65536 && variable.init.size() < start + row)
    variable.init.resize(start + row);
}

InitValue VariableParser::parseInitValue() {
  Token token = tokens.peek(), next = tokens.peekNext();
  if (token.kind == TokenKind::Identifier && !constants.isConstant())
    return parseSymbolValue();
  InitValue value;
  if (token.kind == TokenKind::Integer && next.kind == TokenKind::Punctuation &&
      next.text == "(") {
    tokens.take();
    tokens.take();
    value = parseSymbolValue();
    value.mask = token.integer;
    tokens.expect(')');
    return value;
  }
  Constant constant = constants.parse("an initial value");
  value.kind = constant.isInteger()                 ? InitValue::Integer
               : constant.kind == Constant::Float32 ? InitValue::Float32
                                                    : InitValue::Float64;
  value.integer = constant.bits;
  return value;
}

InitValue VariableParser::parseSymbolValue() {
  InitValue value;
  value.kind = InitValue::Symbol;
  value.symbol = tokens.expectIdentifier("a symbol");
  if (value.symbol == "generic" && tokens.accept('(')) {
    value.generic = true;
    value.symbol = tokens.expectIdentifier("a symbol");
    tokens.expect(')');
  }
  if (tokens.is('+') || tokens.is('-'))
    value.integer = constants.parseOffset();
  return value;
}

std::vector<Variable> VariableParser::parseParamList() {
  std::vector<Variable> params;
  tokens.expect('(');
  while (!tokens.is(')')) {
    params.push_back(parseParam());
    if (!tokens.accept(','))
      break;
  }
  tokens.expect(')');
  return params;
}

Variable VariableParser::parseParam() {
  Variable variable;
  variable.line = tokens.peek().line;
  if (tokens.acceptDot("reg"))
    variable.space = Space::Reg;
  else if (tokens.acceptDot("param"))
    variable.space = Space::Param;
  else
    tokens.failExpected("a parameter ('.param' or '.reg')");
  parseTypeAndAlign(variable);
  // What a pointer points to: .ptr .global .align 16
  while (tokens.acceptDot("ptr") || tokens.acceptDot("global") ||
         tokens.acceptDot("shared") || tokens.acceptDot("local") ||
         tokens.acceptDot("const") || tokens.acceptDot("generic"))
    ;
  if (tokens.acceptDot("align"))
    tokens.expectInteger("an alignment");
  variable.name = tokens.expectIdentifier("the name of a parameter");
  parseArrayBounds(variable);
  return variable;
}
