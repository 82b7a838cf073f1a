//===- Parser.h - From PTX text to its syntax tree --------------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_LIB_EMULATOR_PTX_PARSER_H
#define HETERO_LIB_EMULATOR_PTX_PARSER_H

#include "Emulator/PTX/AST.h"
#include "Emulator/PTX/Lexer.h"

namespace hetero::emulator::ptx {

/// Parses a module. Throws PTXError. The result refers to the text.
Module parseModule(std::string_view text);

/// The recursive-descent parser behind parseModule.
class Parser {
public:
  explicit Parser(std::string_view text);
  Module parse();

private:
  // Tokens.
  const Token &peek() const { return current; }
  Token take();
  bool is(char punctuation) const;
  bool isDot(std::string_view text) const;
  bool accept(char punctuation);
  bool acceptDot(std::string_view text);
  void expect(char punctuation);
  Name expectIdentifier(const char *what);
  uint64_t expectInteger(const char *what);
  [[noreturn]] void fail(const std::string &message) const;
  [[noreturn]] void failExpected(const std::string &what) const;

  // Module level (Parser.cpp).
  void parseTopLevel();
  bool parseSourceLine();
  void parseVersion();
  void parseTarget();
  void parseAlias();
  void parseSection();
  void skipLine(unsigned line);
  void skipStatement();
  void parseFunction(bool isEntry, bool isExtern);
  void parseFunctionDirectives(Function &function);
  void parseDim3(uint32_t (&dims)[3]);
  std::vector<Variable> parseParamList();
  Variable parseParam();

  // Variables (ParserVariables.cpp).
  bool isSpaceDirective() const;
  Space takeSpace();
  ScalarType takeType();
  std::vector<Variable> parseVariables(bool isExtern);
  void parseTypeAndAlign(Variable &variable);
  void parseDeclarator(Variable &variable);
  void parseArrayBounds(Variable &variable);
  void parseInitializer(Variable &variable);
  void parseInitList(Variable &variable, unsigned depth);
  InitValue parseInitValue();
  InitValue parseSymbolValue();

  // Bodies (ParserStatements.cpp).
  Block parseBlock();
  void parseStatement(Block &block);
  bool parseDirectiveStatement(Block &block);
  void parseLabelled(Block &block, const Token &label);
  Instruction parseInstruction(Token opcode, unsigned line);
  void parseGuard(Instruction &instruction);
  Operand parseOperand();
  Operand parsePrimary();
  Operand parseNumber();
  Operand parseAddress();
  Operand parseGroup(char close, Operand::Kind kind);
  void parseOffset(Operand &operand);

  Lexer lexer;
  Token current, following;
  Module module;
  unsigned depth = 0;
};

} // namespace hetero::emulator::ptx

#endif // HETERO_LIB_EMULATOR_PTX_PARSER_H
