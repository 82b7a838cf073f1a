//===- StatementParser.cpp - Bodies of functions --------------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Emulator/PTX/StatementParser.h"

#include <algorithm>

using namespace hetero::emulator::ptx;

static constexpr unsigned kMaxDepth = 64;

Block StatementParser::parseBlock() {
  if (++depth > kMaxDepth)
    tokens.fail("blocks are nested too deeply");
  tokens.expect('{');
  Block block;
  std::map<Name, std::vector<Name>> outer = vectors;
  while (!tokens.is('}')) {
    if (tokens.isEnd())
      tokens.failExpected("'}' at the end of a block");
    parseStatement(block);
  }
  tokens.expect('}');
  vectors = std::move(outer);
  --depth;
  return block;
}

void StatementParser::parseStatement(Block &block) {
  unsigned line = tokens.peek().line;
  if (tokens.accept(';'))
    return;
  if (tokens.is('{')) {
    Statement statement(Statement::Scope, line);
    statement.scope = std::make_unique<Block>(parseBlock());
    block.statements.push_back(std::move(statement));
    return;
  }
  if (tokens.peek().kind == TokenKind::Dot && parseDirectiveStatement(block))
    return;
  Statement statement(Statement::Op, line);
  if (tokens.is('@'))
    parseGuard(statement.op);
  if (tokens.peek().kind != TokenKind::Identifier)
    tokens.failExpected("an instruction");
  Token word = tokens.take();
  if (tokens.is(':') && statement.op.guard.empty())
    return parseLabelled(block, word);
  Instruction guard = std::move(statement.op);
  statement.op = parseInstruction(word, line);
  statement.op.guard = guard.guard;
  statement.op.guardNegated = guard.guardNegated;
  block.statements.push_back(std::move(statement));
}

/// .file 1 "sum.cu", and .loc 1 12 3, with more after it. Anything else there
/// is skipped: nothing depends on it.
bool StatementParser::parseSourceLine() {
  unsigned line = tokens.peek().line;
  bool isFile = tokens.isDot("file");
  if (!isFile && !tokens.isDot("loc"))
    return false;
  tokens.take();
  if (tokens.peek().kind == TokenKind::Integer && tokens.peek().line == line) {
    uint64_t number = tokens.take().integer;
    if (isFile && tokens.peek().kind == TokenKind::String)
      lines.addFile(number, std::string(tokens.peek().text));
    else if (!isFile && tokens.peek().kind == TokenKind::Integer)
      lines.addLine(line, number, tokens.peek().integer);
  }
  tokens.skipLine(line);
  return true;
}

bool StatementParser::parseDirectiveStatement(Block &block) {
  unsigned line = tokens.peek().line;
  if (parseSourceLine())
    return true;
  if (tokens.acceptDot("pragma")) {
    tokens.skipPast(';');
    return true;
  }
  if (!variables.isDeclaration())
    tokens.failExpected("a directive of a function body");
  for (Variable &variable : variables.parse(/*isExtern=*/false))
    declare(block, std::move(variable), line);
  return true;
}

/// A register that is a vector is several.
void StatementParser::declare(Block &block, Variable variable, unsigned line) {
  if (variable.space == Space::Reg && variable.vector > 1 &&
      !variable.isArray && variable.type.kind != ScalarType::Pred) {
    if (!variable.count)
      return declareVector(block, variable, variable.name, line);
    for (unsigned i = 0; i < variable.count; ++i) {
      ownNames.push_back(std::string(variable.name) + std::to_string(i));
      declareVector(block, variable, ownNames.back(), line);
    }
    return;
  }
  vectors.erase(variable.name);
  Statement statement(Statement::Declaration, line);
  statement.variable = std::move(variable);
  block.statements.push_back(std::move(statement));
}

static constexpr std::string_view kComponents = "xyzw", kColors = "rgba";

void StatementParser::declareVector(Block &block, const Variable &variable,
                                    Name name, unsigned line) {
  std::vector<Name> names;
  for (unsigned i = 0; i < variable.vector; ++i) {
    ownNames.push_back(std::string(name) + "." + kComponents[i]);
    names.push_back(ownNames.back());
    Statement statement(Statement::Declaration, line);
    statement.variable = variable;
    statement.variable.name = names.back();
    statement.variable.vector = 1;
    statement.variable.count = 0;
    block.statements.push_back(std::move(statement));
  }
  vectors[name] = std::move(names);
}

/// The registers of a vector, or the one that is named.
Operand StatementParser::elementsOf(const Operand &vector,
                                    const std::vector<Name> &names) {
  Operand result;
  result.kind = Operand::Vector;
  for (Name name : names) {
    Operand element;
    element.kind = Operand::Identifier;
    element.name = name;
    result.elements.push_back(std::move(element));
  }
  if (vector.component.empty())
    return result;
  size_t index = std::min(kComponents.find(vector.component),
                          kColors.find(vector.component));
  if (vector.component.size() != 1 || index >= names.size())
    tokens.fail("'" + std::string(vector.name) + "' has no element '" +
                std::string(vector.component) + "'");
  return result.elements[index];
}

void StatementParser::parseLabelled(Block &block, const Token &label) {
  tokens.expect(':');
  Statement statement(Statement::Label, label.line);
  statement.label = label.text;
  if (tokens.isDot("branchtargets") || tokens.isDot("calltargets")) {
    tokens.take();
    statement.kind = Statement::Table;
    do {
      statement.targets.push_back(
          tokens.expectIdentifier("a label or function"));
    } while (tokens.accept(','));
    tokens.expect(';');
  } else if (tokens.acceptDot("callprototype")) {
    statement.kind = Statement::Prototype;
    if (tokens.is('('))
      statement.returns = variables.parseParamList();
    tokens.expectIdentifier("'_'");
    if (tokens.is('('))
      statement.params = variables.parseParamList();
    tokens.skipPast(';'); // .noreturn, .abi_preserve
  }
  block.statements.push_back(std::move(statement));
}

void StatementParser::parseGuard(Instruction &instruction) {
  tokens.expect('@');
  instruction.guardNegated = tokens.accept('!');
  instruction.guard = tokens.expectIdentifier("a predicate register");
}

Instruction StatementParser::parseInstruction(Token opcode, unsigned line) {
  Instruction instruction;
  instruction.opcode = this->opcode = opcode.text;
  instruction.line = line;
  while (tokens.peek().kind == TokenKind::Dot)
    instruction.modifiers.push_back(tokens.take().text);
  // PTX knows the modifier from there on.
  if (version < 63 && opcode.text == "wmma" &&
      std::find(instruction.modifiers.begin(), instruction.modifiers.end(),
                "aligned") == instruction.modifiers.end())
    instruction.modifiers.push_back("aligned");
  while (!tokens.is(';')) {
    instruction.operands.push_back(parseOperand());
    if (!tokens.accept(','))
      break;
  }
  tokens.expect(';');
  return instruction;
}

Operand StatementParser::parseGroup(char close, Operand::Kind kind) {
  tokens.take();
  if (++depth > kMaxDepth)
    tokens.fail("operands are nested too deeply");
  Operand group;
  group.kind = kind;
  while (!tokens.is(close)) {
    group.elements.push_back(parseOperand());
    if (!tokens.accept(','))
      break;
  }
  tokens.expect(close);
  --depth;
  return group;
}

Operand StatementParser::parseOperand() {
  if (tokens.is('{'))
    return parseGroup('}', Operand::Vector);
  // Elsewhere it is a constant.
  if (tokens.is('(') && opcode == "call") {
    opcode = "";
    Operand list = parseGroup(')', Operand::List);
    opcode = "call";
    return list;
  }
  if (tokens.is('['))
    return parseAddress();
  Operand operand = parsePrimary();
  if (!tokens.accept('|'))
    return operand;
  Operand pair;
  pair.kind = Operand::Pair;
  pair.elements.push_back(std::move(operand));
  pair.elements.push_back(parsePrimary());
  return pair;
}

Operand StatementParser::parsePrimary() {
  if (constants.isConstant())
    return parseConstant();
  Operand operand;
  while (tokens.accept('!'))
    operand.negated = !operand.negated;
  if (tokens.peek().kind != TokenKind::Identifier)
    tokens.failExpected("an operand");
  operand.kind = Operand::Identifier;
  operand.name = tokens.take().text;
  if (operand.name == "_")
    operand.kind = Operand::Sink;
  if (tokens.peek().kind == TokenKind::Dot)
    operand.component = tokens.take().text;
  if (auto vector = vectors.find(operand.name); vector != vectors.end())
    return elementsOf(operand, vector->second);
  if (tokens.is('['))
    return parseElement(std::move(operand));
  if (tokens.is('+') || tokens.is('-'))
    operand.integer = constants.parseOffset();
  return operand;
}

/// An element of an array: its address, or the memory there.
Operand StatementParser::parseElement(Operand operand) {
  uint64_t bytes = variables.bytesOfElement(operand.name);
  if (!bytes)
    tokens.fail("'" + std::string(operand.name) + "' is not an array");
  tokens.expect('[');
  uint64_t offset = bytes * constants.parseInteger("the number of an element");
  tokens.expect(']');
  if (opcode == "mov" || opcode == "cvta") {
    operand.integer = offset;
    return operand;
  }
  Operand address;
  address.kind = Operand::Address;
  address.integer = offset;
  address.elements.push_back(std::move(operand));
  return address;
}

Operand StatementParser::parseConstant() {
  Constant constant = constants.parse("an operand");
  Operand operand;
  operand.kind = constant.isInteger()                 ? Operand::Integer
                 : constant.kind == Constant::Float32 ? Operand::Float32
                                                      : Operand::Float64;
  operand.integer = constant.bits;
  return operand;
}

Operand StatementParser::parseAddress() {
  tokens.expect('[');
  Operand address;
  address.kind = Operand::Address;
  Operand base = parsePrimary();
  address.integer = base.kind == Operand::Identifier ? base.integer : 0;
  if (base.kind == Operand::Identifier)
    base.integer = 0;
  address.elements.push_back(std::move(base));
  while (tokens.accept(',')) // Of textures and surfaces.
    address.elements.push_back(parseOperand());
  tokens.expect(']');
  tokens.acceptDot("unified");
  return address;
}
