//===- StatementParser.h - Bodies of functions ------------------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_LIB_EMULATOR_PTX_STATEMENTPARSER_H
#define HETERO_LIB_EMULATOR_PTX_STATEMENTPARSER_H

#include "Emulator/PTX/AST.h"
#include "Emulator/PTX/ConstantParser.h"
#include "Emulator/PTX/TokenReader.h"
#include "Emulator/PTX/VariableParser.h"

#include <map>

namespace hetero::emulator::ptx {

class StatementParser {
public:
  /// `lines` gets what the statements say of the source, `ownNames` keeps names
  /// that are not in the text.
  StatementParser(TokenReader &tokens, VariableParser &variables,
                  SourceLines &lines, std::deque<std::string> &ownNames)
      : tokens(tokens), variables(variables), lines(lines), ownNames(ownNames) {
  }

  /// 63 for a text of version 6.3.
  void setVersion(unsigned number) { version = number; }
  Block parseBlock();
  /// False if what stands here says nothing of the source.
  bool parseSourceLine();

private:
  void parseStatement(Block &block);
  bool parseDirectiveStatement(Block &block);
  void parseLabelled(Block &block, const Token &label);
  Instruction parseInstruction(Token opcode, unsigned line);
  void parseGuard(Instruction &instruction);
  Operand parseOperand();
  Operand parsePrimary();
  Operand parseConstant();
  Operand parseElement(Operand operand);
  Operand elementsOf(const Operand &vector, const std::vector<Name> &names);
  void declare(Block &block, Variable variable, unsigned line);
  void declareVector(Block &block, const Variable &variable, Name name,
                     unsigned line);
  Operand parseAddress();
  Operand parseGroup(char close, Operand::Kind kind);
  void parseOffset(Operand &operand);

  TokenReader &tokens;
  VariableParser &variables;
  SourceLines &lines;
  std::deque<std::string> &ownNames;
  ConstantParser constants{tokens};
  /// The registers of those that are vectors, in the block at hand.
  std::map<Name, std::vector<Name>> vectors;
  Name opcode; ///< Of the instruction at hand.
  unsigned version = 0, depth = 0;
};

} // namespace hetero::emulator::ptx

#endif // HETERO_LIB_EMULATOR_PTX_STATEMENTPARSER_H
