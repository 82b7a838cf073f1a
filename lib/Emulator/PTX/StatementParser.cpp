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
  while (!tokens.is('}')) {
    if (tokens.isEnd())
      tokens.failExpected("'}' at the end of a block");
    parseStatement(block);
  }
  tokens.expect('}');
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
  for (Variable &variable : variables.parse(/*isExtern=*/false)) {
    Statement statement(Statement::Declaration, line);
    statement.variable = std::move(variable);
    block.statements.push_back(std::move(statement));
  }
  return true;
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
  instruction.opcode = opcode.text;
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
  if (tokens.is('('))
    return parseGroup(')', Operand::List);
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
  Operand operand;
  while (tokens.accept('!'))
    operand.negated = !operand.negated;
  if (tokens.peek().kind != TokenKind::Identifier)
    return parseNumber();
  operand.kind = Operand::Identifier;
  operand.name = tokens.take().text;
  if (operand.name == "_")
    operand.kind = Operand::Sink;
  if (tokens.peek().kind == TokenKind::Dot)
    operand.component = tokens.take().text;
  parseOffset(operand);
  return operand;
}

void StatementParser::parseOffset(Operand &operand) {
  if (tokens.is('+') || tokens.is('-'))
    operand.integer = tokens.takeOffset();
}

Operand StatementParser::parseNumber() {
  bool negative = tokens.accept('-');
  Operand operand;
  Token token = tokens.peek();
  if (token.kind == TokenKind::Integer)
    operand.kind = Operand::Integer;
  else if (token.kind == TokenKind::Float32)
    operand.kind = Operand::Float32;
  else if (token.kind == TokenKind::Float64)
    operand.kind = Operand::Float64;
  else
    tokens.failExpected("an operand");
  tokens.take();
  operand.integer = token.integer;
  if (negative && token.kind == TokenKind::Integer)
    operand.integer = 0 - operand.integer;
  else if (negative)
    operand.integer ^=
        token.kind == TokenKind::Float32 ? 1ull << 31 : 1ull << 63;
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
