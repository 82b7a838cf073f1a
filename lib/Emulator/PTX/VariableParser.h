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
#include "Emulator/PTX/ConstantParser.h"
#include "Emulator/PTX/TokenReader.h"

#include <map>
#include <vector>

namespace hetero::emulator::ptx {

class VariableParser {
public:
  explicit VariableParser(TokenReader &tokens) : tokens(tokens) {}

  /// Whether a declaration begins here.
  bool isDeclaration() const;
  /// Of the array that was declared last by this name; 0 if none was.
  uint64_t bytesOfElement(Name name) const {
    auto it = elements.find(name);
    return it == elements.end() ? 0 : it->second;
  }
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
  ConstantParser constants{tokens};
  std::map<Name, uint64_t> elements; ///< Of arrays, in bytes.
};

} // namespace hetero::emulator::ptx

#endif // HETERO_LIB_EMULATOR_PTX_VARIABLEPARSER_H
