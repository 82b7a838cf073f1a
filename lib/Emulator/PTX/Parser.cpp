//===- Parser.cpp - Modules of PTX ----------------------------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Emulator/PTX/Parser.h"

#include "Emulator/PTX/StatementParser.h"
#include "Emulator/PTX/TokenReader.h"
#include "Emulator/PTX/VariableParser.h"
#include "Emulator/PTX/Versions.h"

#include <algorithm>
#include <cstdlib>

using namespace hetero::emulator::ptx;

namespace {
/// What stands outside of functions, and their heads.
class Parser {
public:
  explicit Parser(std::string_view text) : tokens(text) {}
  Module parse();

private:
  void parseTopLevel();
  void parseVersion();
  void parseTarget();
  void parseAlias();
  void parseSection();
  void parseFunction(bool isEntry, bool isExtern);
  void parseFunctionDirectives(Function &function);
  void parseDim3(uint32_t (&dims)[3]);

  TokenReader tokens;
  Module module;
  VariableParser variables{tokens};
  StatementParser statements{tokens, variables, module.lines, module.ownNames};
};
} // namespace

/// The newest version of PTX in CUDA 13.0 (cuDriverGetVersion), in tenths.
static constexpr unsigned kNewestVersion = 90;

Module hetero::emulator::ptx::parseModule(std::string_view text) {
  return Parser(text).parse();
}

Module Parser::parse() {
  parseVersion();
  parseTarget();
  while (!tokens.isEnd())
    parseTopLevel();
  return std::move(module);
}

void Parser::parseVersion() {
  if (!tokens.acceptDot("version"))
    tokens.failExpected(
        "the directive '.version' at the start of a PTX module");
  std::string text(tokens.peek().text);
  size_t dot = text.find('.');
  if (tokens.peek().kind != TokenKind::Float64 || dot == std::string::npos)
    tokens.failExpected("a version such as '8.0'");
  module.versionMajor = std::atoi(text.c_str());
  module.versionMinor = std::atoi(text.c_str() + dot + 1);
  unsigned version = module.versionMajor * 10 + module.versionMinor;
  if (version > kNewestVersion)
    throw PTXError{tokens.peek().line,
                   ".version " + text + " is newer than " +
                       std::to_string(kNewestVersion / 10) + "." +
                       std::to_string(kNewestVersion % 10) +
                       ", which is the newest that this driver takes; compile "
                       "for an older version",
                   /*isNewer=*/true};
  statements.setVersion(version);
  tokens.take();
}

void Parser::parseTarget() {
  module.targetLine = tokens.peek().line;
  if (!tokens.acceptDot("target"))
    tokens.failExpected("the directive '.target' after '.version'");
  do {
    Name name = tokens.expectIdentifier("a target such as 'sm_80'");
    if (name.substr(0, 3) != "sm_")
      continue; // debug, texmode_independent, ...
    module.target = std::atoi(std::string(name.substr(3)).c_str());
    module.targetExact = name.back() == 'a';
    module.targetFamily = name.back() == 'f';
  } while (tokens.accept(','));
  if (!module.target)
    tokens.failExpected("a target such as 'sm_80'");
  checkTarget(module);
}

void Parser::parseTopLevel() {
  unsigned line = tokens.peek().line;
  if (tokens.acceptDot("address_size")) {
    module.addressSize = tokens.expectInteger("an address size");
    if (module.addressSize != 64)
      tokens.fail("expected '.address_size 64', got " +
                  std::to_string(module.addressSize) + "; compile for 64 bits");
    return;
  }
  if (tokens.isDot("pragma"))
    return tokens.skipLine(line);
  if (statements.parseSourceLine())
    return;
  if (tokens.isDot("section"))
    return parseSection();
  if (tokens.acceptDot("alias"))
    return parseAlias();
  if (tokens.accept(';'))
    return;
  bool isExtern = false;
  while (tokens.isDot("visible") || tokens.isDot("extern") ||
         tokens.isDot("weak") || tokens.isDot("common"))
    isExtern |= tokens.take().text == "extern";
  if (tokens.isDot("entry") || tokens.isDot("func")) {
    bool isEntry = tokens.take().text == "entry";
    return parseFunction(isEntry, isExtern);
  }
  if (!variables.isDeclaration())
    tokens.failExpected(
        "a directive of a module ('.entry', '.func', '.global', ...)");
  for (Variable &variable : variables.parse(isExtern))
    module.variables.push_back(std::move(variable));
}

void Parser::parseAlias() {
  checkVersion(module, ".alias", tokens.peek().line);
  Name alias = tokens.expectIdentifier("the name of an alias");
  tokens.expect(',');
  module.aliases.emplace_back(alias, tokens.expectIdentifier("a function"));
  tokens.expect(';');
}

void Parser::parseSection() {
  tokens.take();
  // Debug information: nothing in it changes what the code does.
  while (!tokens.isEnd() && !tokens.is('{'))
    tokens.take();
  unsigned nesting = 0;
  do {
    nesting += tokens.is('{');
    nesting -= tokens.is('}');
    if (tokens.isEnd())
      tokens.failExpected("'}' at the end of a section");
    tokens.take();
  } while (nesting);
}

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

void Parser::parseFunction(bool isEntry, bool isExtern) {
  auto function = std::make_unique<Function>();
  function->isEntry = isEntry;
  function->isExtern = isExtern;
  function->line = tokens.peek().line;
  module.lines.addEnd(tokens.peek().line);
  while (tokens.acceptDot("attribute")) {
    tokens.skipPast(')');
  }
  if (!isEntry && tokens.is('('))
    function->returns = variables.parseParamList();
  function->name = tokens.expectIdentifier("the name of a function");
  if (tokens.is('('))
    function->params = variables.parseParamList();
  parseFunctionDirectives(*function);
  if (tokens.is('{')) {
    function->hasBody = true;
    function->body = statements.parseBlock();
  } else {
    tokens.expect(';');
  }
  module.functions.push_back(std::move(function));
}

void Parser::parseDim3(uint32_t (&dims)[3]) {
  dims[0] = dims[1] = dims[2] = 1;
  unsigned index = 0;
  do {
    if (index == 3)
      tokens.fail("expected at most three numbers");
    uint64_t value = tokens.expectInteger("a number");
    if (value > 0x7fffffff)
      tokens.fail("number of threads is too large");
    dims[index++] = value;
  } while (tokens.accept(','));
}

void Parser::parseFunctionDirectives(Function &function) {
  while (tokens.peek().kind == TokenKind::Dot) {
    Token token = tokens.take();
    checkVersion(module, std::string("." + std::string(token.text)),
                 token.line);
    uint32_t dims[3];
    if (token.text == "maxntid" || token.text == "reqntid") {
      parseDim3(dims);
      function.maxThreads = uint64_t(dims[0]) * dims[1] * dims[2];
      if (token.text == "reqntid")
        std::copy(dims, dims + 3, function.reqThreads);
    } else if (token.text == "minnctapersm") {
      function.minBlocks = tokens.expectInteger("a number");
    } else if (token.text == "reqnctapercluster") {
      parseDim3(function.reqCluster);
    } else if (token.text == "maxnctapersm" || token.text == "maxnreg" ||
               token.text == "maxclusterrank") {
      parseDim3(dims);
    } else if (token.text == "pragma") {
      tokens.skipPast(';');
    } else if (token.text != "noreturn" && token.text != "explicitcluster" &&
               token.text != "blocksareclusters") {
      throw PTXError{token.line,
                     "unknown directive '." + std::string(token.text) +
                         "' of function '" + std::string(function.name) + "'"};
    }
  }
}
