//===- ParserStatements.cpp - Statements of PTX functions -----------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Emulator/PTX/Parser.h"

#include <algorithm>

using namespace hetero::emulator::ptx;

// Blocks in blocks and vectors in vectors; more is an attack on the stack.
static constexpr unsigned kMaxDepth = 64;

Block Parser::parseBlock() {
  if (++depth > kMaxDepth)
    fail("blocks are nested too deeply");
  expect('{');
  Block block;
  while (!is('}')) {
    if (current.kind == TokenKind::End)
      failExpected("'}' at the end of a block");
    parseStatement(block);
  }
  expect('}');
  --depth;
  return block;
}

void Parser::parseStatement(Block &block) {
  unsigned line = current.line;
  if (accept(';'))
    return;
  if (is('{')) {
    Statement statement(Statement::Scope, line);
    statement.scope = std::make_unique<Block>(parseBlock());
    block.statements.push_back(std::move(statement));
    return;
  }
  if (current.kind == TokenKind::Dot && parseDirectiveStatement(block))
    return;
  Statement statement(Statement::Op, line);
  if (is('@'))
    parseGuard(statement.op);
  if (current.kind != TokenKind::Identifier)
    failExpected("an instruction");
  Token word = take();
  if (is(':') && statement.op.guard.empty())
    return parseLabelled(block, word);
  Instruction guard = std::move(statement.op);
  statement.op = parseInstruction(word, line);
  statement.op.guard = guard.guard;
  statement.op.guardNegated = guard.guardNegated;
  block.statements.push_back(std::move(statement));
}

bool Parser::parseDirectiveStatement(Block &block) {
  unsigned line = current.line;
  if (parseSourceLine())
    return true;
  if (acceptDot("pragma")) {
    skipStatement();
    return true;
  }
  if (!isSpaceDirective())
    failExpected("a directive of a function body");
  for (Variable &variable : parseVariables(false)) {
    Statement statement(Statement::Declaration, line);
    statement.variable = std::move(variable);
    block.statements.push_back(std::move(statement));
  }
  return true;
}

void Parser::parseLabelled(Block &block, const Token &label) {
  expect(':');
  Statement statement(Statement::Label, label.line);
  statement.label = label.text;
  if (isDot("branchtargets") || isDot("calltargets")) {
    take();
    statement.kind = Statement::Table;
    do {
      statement.targets.push_back(expectIdentifier("a label or function"));
    } while (accept(','));
    expect(';');
  } else if (acceptDot("callprototype")) {
    statement.kind = Statement::Prototype;
    if (is('('))
      statement.returns = parseParamList();
    expectIdentifier("'_'");
    if (is('('))
      statement.params = parseParamList();
    skipStatement(); // .noreturn, .abi_preserve
  }
  block.statements.push_back(std::move(statement));
}

void Parser::parseGuard(Instruction &instruction) {
  expect('@');
  instruction.guardNegated = accept('!');
  instruction.guard = expectIdentifier("a predicate register");
}

Instruction Parser::parseInstruction(Token opcode, unsigned line) {
  Instruction instruction;
  instruction.opcode = opcode.text;
  instruction.line = line;
  while (current.kind == TokenKind::Dot)
    instruction.modifiers.push_back(take().text);
  // PTX knows the modifier from version 6.3 on.
  bool isOld = module.versionMajor * 10 + module.versionMinor < 63;
  if (isOld && opcode.text == "wmma" &&
      std::find(instruction.modifiers.begin(), instruction.modifiers.end(),
                "aligned") == instruction.modifiers.end())
    instruction.modifiers.push_back("aligned");
  while (!is(';')) {
    instruction.operands.push_back(parseOperand());
    if (!accept(','))
      break;
  }
  expect(';');
  return instruction;
}

Operand Parser::parseGroup(char close, Operand::Kind kind) {
  take();
  if (++depth > kMaxDepth)
    fail("operands are nested too deeply");
  Operand group;
  group.kind = kind;
  while (!is(close)) {
    group.elements.push_back(parseOperand());
    if (!accept(','))
      break;
  }
  expect(close);
  --depth;
  return group;
}

Operand Parser::parseOperand() {
  if (is('{'))
    return parseGroup('}', Operand::Vector);
  if (is('('))
    return parseGroup(')', Operand::List);
  if (is('['))
    return parseAddress();
  Operand operand = parsePrimary();
  if (!accept('|'))
    return operand;
  Operand pair;
  pair.kind = Operand::Pair;
  pair.elements.push_back(std::move(operand));
  pair.elements.push_back(parsePrimary());
  return pair;
}

Operand Parser::parsePrimary() {
  Operand operand;
  while (accept('!'))
    operand.negated = !operand.negated;
  if (current.kind != TokenKind::Identifier)
    return parseNumber();
  operand.kind = Operand::Identifier;
  operand.name = take().text;
  if (operand.name == "_")
    operand.kind = Operand::Sink;
  if (current.kind == TokenKind::Dot)
    operand.component = take().text;
  parseOffset(operand);
  return operand;
}

void Parser::parseOffset(Operand &operand) {
  if (!is('+') && !is('-'))
    return;
  bool negative = take().text == "-";
  if (accept('-'))
    negative = !negative;
  uint64_t offset = expectInteger("an offset");
  operand.integer = negative ? 0 - offset : offset;
}

Operand Parser::parseNumber() {
  bool negative = accept('-');
  Operand operand;
  Token token = current;
  if (token.kind == TokenKind::Integer)
    operand.kind = Operand::Integer;
  else if (token.kind == TokenKind::Float32)
    operand.kind = Operand::Float32;
  else if (token.kind == TokenKind::Float64)
    operand.kind = Operand::Float64;
  else
    failExpected("an operand");
  take();
  operand.integer = token.integer;
  if (negative && token.kind == TokenKind::Integer)
    operand.integer = 0 - operand.integer;
  else if (negative)
    operand.integer ^=
        token.kind == TokenKind::Float32 ? 1ull << 31 : 1ull << 63;
  return operand;
}

Operand Parser::parseAddress() {
  expect('[');
  Operand address;
  address.kind = Operand::Address;
  Operand base = parsePrimary();
  address.integer = base.kind == Operand::Identifier ? base.integer : 0;
  if (base.kind == Operand::Identifier)
    base.integer = 0;
  address.elements.push_back(std::move(base));
  while (accept(',')) // Of textures and surfaces.
    address.elements.push_back(parseOperand());
  expect(']');
  acceptDot("unified");
  return address;
}
