//===- VariableParser.h - Declarations of variables -------------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_LIB_EMULATOR_PTX_VARIABLEPARSER_H
#define HETERO_LIB_EMULATOR_PTX_VARIABLEPARSER_H

#include "Emulator/PTX/AST.h"
#include "Emulator/PTX/TokenReader.h"

#include <vector>

namespace hetero::emulator::ptx {

class VariableParser {
public:
  explicit VariableParser(TokenReader &tokens) : tokens(tokens) {}

  /// Whether a declaration begins here.
  bool isDeclaration() const;
  std::vector<Variable> parse(bool isExtern);
  /// Of a function, in parentheses.
  std::vector<Variable> parseParamList();

private:
  Variable parseParam();
  Space takeSpace();
  ScalarType takeType();
  void parseAttributes(Variable &variable);
  void parseTypeAndAlign(Variable &variable);
  void parseDeclarator(Variable &variable);
  void parseArrayBounds(Variable &variable);
  void parseInitializer(Variable &variable);
  void parseInitList(Variable &variable, unsigned depth);
  InitValue parseInitValue();
  InitValue parseSymbolValue();

  TokenReader &tokens;
};

} // namespace hetero::emulator::ptx

#endif // HETERO_LIB_EMULATOR_PTX_VARIABLEPARSER_H
