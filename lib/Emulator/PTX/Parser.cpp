//===- Parser.cpp - From PTX text to its syntax tree ----------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The module level: directives, functions and their parameters.
//
//===----------------------------------------------------------------------===//

#include "Emulator/PTX/Parser.h"

using namespace hetero::emulator::ptx;

Module hetero::emulator::ptx::parseModule(std::string_view text) {
  return Parser(text).parse();
}

//===----------------------------------------------------------------------===//
// Tokens
//===----------------------------------------------------------------------===//

Parser::Parser(std::string_view text) : lexer(text) {
  current = lexer.next();
  following = lexer.next();
}

Token Parser::take() {
  Token token = current;
  current = following;
  following = lexer.next();
  return token;
}

bool Parser::is(char punctuation) const {
  return current.kind == TokenKind::Punctuation &&
         current.text[0] == punctuation;
}

bool Parser::isDot(std::string_view text) const {
  return current.kind == TokenKind::Dot && current.text == text;
}

bool Parser::accept(char punctuation) {
  if (!is(punctuation))
    return false;
  take();
  return true;
}

bool Parser::acceptDot(std::string_view text) {
  if (!isDot(text))
    return false;
  take();
  return true;
}

void Parser::fail(const std::string &message) const {
  throw PTXError{current.line, message};
}

void Parser::failExpected(const std::string &what) const {
  if (current.kind == TokenKind::End)
    fail("expected " + what + ", got the end of the text");
  std::string dot = current.kind == TokenKind::Dot ? "." : "";
  fail("expected " + what + ", got '" + dot + std::string(current.text) + "'");
}

void Parser::expect(char punctuation) {
  if (!accept(punctuation))
    failExpected(std::string("'") + punctuation + "'");
}

Name Parser::expectIdentifier(const char *what) {
  if (current.kind != TokenKind::Identifier)
    failExpected(what);
  return take().text;
}

uint64_t Parser::expectInteger(const char *what) {
  if (current.kind != TokenKind::Integer)
    failExpected(what);
  return take().integer;
}

void Parser::skipLine(unsigned line) {
  while (current.kind != TokenKind::End && current.line == line)
    take();
}

void Parser::skipStatement() {
  while (current.kind != TokenKind::End && !accept(';'))
    take();
}

//===----------------------------------------------------------------------===//
// Module level
//===----------------------------------------------------------------------===//

Module Parser::parse() {
  parseVersion();
  parseTarget();
  while (current.kind != TokenKind::End)
    parseTopLevel();
  return std::move(module);
}

void Parser::parseVersion() {
  if (!acceptDot("version"))
    failExpected("the directive '.version' at the start of a PTX module");
  std::string text(current.text);
  size_t dot = text.find('.');
  if (current.kind != TokenKind::Float64 || dot == std::string::npos)
    failExpected("a version such as '8.0'");
  module.versionMajor = std::atoi(text.c_str());
  module.versionMinor = std::atoi(text.c_str() + dot + 1);
  take();
}

void Parser::parseTarget() {
  module.targetLine = current.line;
  if (!acceptDot("target"))
    failExpected("the directive '.target' after '.version'");
  do {
    Name name = expectIdentifier("a target such as 'sm_80'");
    if (name.substr(0, 3) != "sm_")
      continue; // debug, texmode_independent, ...
    module.target = std::atoi(std::string(name.substr(3)).c_str());
    module.targetExact = name.back() == 'a';
    module.targetFamily = name.back() == 'f';
  } while (accept(','));
  if (!module.target)
    failExpected("a target such as 'sm_80'");
}

/// .file 1 "sum.cu", and .loc 1 12 3, with more behind it. Anything else there
/// is skipped: nothing depends on it.
bool Parser::parseSourceLine() {
  unsigned line = current.line;
  bool isFile = isDot("file");
  if (!isFile && !isDot("loc"))
    return false;
  take();
  if (current.kind == TokenKind::Integer && current.line == line) {
    uint64_t number = take().integer;
    if (isFile && current.kind == TokenKind::String)
      module.lines.addFile(number, std::string(current.text));
    else if (!isFile && current.kind == TokenKind::Integer)
      module.lines.addLine(line, number, current.integer);
  }
  skipLine(line);
  return true;
}

void Parser::parseTopLevel() {
  unsigned line = current.line;
  if (acceptDot("address_size")) {
    module.addressSize = expectInteger("an address size");
    if (module.addressSize != 64)
      fail("expected '.address_size 64', got " +
           std::to_string(module.addressSize) + "; compile for 64 bits");
    return;
  }
  if (isDot("pragma"))
    return skipLine(line);
  if (parseSourceLine())
    return;
  if (isDot("section"))
    return parseSection();
  if (acceptDot("alias"))
    return parseAlias();
  if (accept(';'))
    return;
  bool isExtern = false;
  while (isDot("visible") || isDot("extern") || isDot("weak") ||
         isDot("common"))
    isExtern |= take().text == "extern";
  if (isDot("entry") || isDot("func")) {
    bool isEntry = take().text == "entry";
    return parseFunction(isEntry, isExtern);
  }
  if (!isSpaceDirective())
    failExpected("a directive of a module ('.entry', '.func', '.global', ...)");
  for (Variable &variable : parseVariables(isExtern))
    module.variables.push_back(std::move(variable));
}

void Parser::parseAlias() {
  Name alias = expectIdentifier("the name of an alias");
  expect(',');
  module.aliases.emplace_back(alias, expectIdentifier("a function"));
  expect(';');
}

void Parser::parseSection() {
  take();
  // Debug information: nothing in it changes what the code does.
  while (current.kind != TokenKind::End && !is('{'))
    take();
  unsigned nesting = 0;
  do {
    nesting += is('{');
    nesting -= is('}');
    if (current.kind == TokenKind::End)
      failExpected("'}' at the end of a section");
    take();
  } while (nesting);
}

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

void Parser::parseFunction(bool isEntry, bool isExtern) {
  auto function = std::make_unique<Function>();
  function->isEntry = isEntry;
  function->isExtern = isExtern;
  function->line = current.line;
  module.lines.addEnd(current.line);
  while (acceptDot("attribute")) {
    while (current.kind != TokenKind::End && !accept(')'))
      take();
  }
  if (!isEntry && is('('))
    function->returns = parseParamList();
  function->name = expectIdentifier("the name of a function");
  if (is('('))
    function->params = parseParamList();
  parseFunctionDirectives(*function);
  if (is('{')) {
    function->hasBody = true;
    function->body = parseBlock();
  } else {
    expect(';');
  }
  module.functions.push_back(std::move(function));
}

void Parser::parseDim3(uint32_t (&dims)[3]) {
  dims[0] = dims[1] = dims[2] = 1;
  unsigned index = 0;
  do {
    if (index == 3)
      fail("expected at most three numbers");
    uint64_t value = expectInteger("a number");
    if (value > 0x7fffffff)
      fail("number of threads is too large");
    dims[index++] = value;
  } while (accept(','));
}

void Parser::parseFunctionDirectives(Function &function) {
  while (current.kind == TokenKind::Dot) {
    Token token = take();
    uint32_t dims[3];
    if (token.text == "maxntid" || token.text == "reqntid") {
      parseDim3(dims);
      function.maxThreads = uint64_t(dims[0]) * dims[1] * dims[2];
      if (token.text == "reqntid")
        std::copy(dims, dims + 3, function.reqThreads);
    } else if (token.text == "minnctapersm") {
      function.minBlocks = expectInteger("a number");
    } else if (token.text == "maxnctapersm" || token.text == "maxnreg" ||
               token.text == "maxclusterrank" ||
               token.text == "reqnctapercluster") {
      parseDim3(dims);
    } else if (token.text == "pragma") {
      skipStatement();
    } else if (token.text != "noreturn" && token.text != "explicitcluster" &&
               token.text != "blocksareclusters") {
      throw PTXError{token.line,
                     "unknown directive '." + std::string(token.text) +
                         "' of function '" + std::string(function.name) + "'"};
    }
  }
}

std::vector<Variable> Parser::parseParamList() {
  std::vector<Variable> params;
  expect('(');
  while (!is(')')) {
    params.push_back(parseParam());
    if (!accept(','))
      break;
  }
  expect(')');
  return params;
}

Variable Parser::parseParam() {
  Variable variable;
  variable.line = current.line;
  if (acceptDot("reg"))
    variable.space = Space::Reg;
  else if (acceptDot("param"))
    variable.space = Space::Param;
  else
    failExpected("a parameter ('.param' or '.reg')");
  parseTypeAndAlign(variable);
  // What a pointer points to: .ptr .global .align 16
  while (acceptDot("ptr") || acceptDot("global") || acceptDot("shared") ||
         acceptDot("local") || acceptDot("const") || acceptDot("generic"))
    ;
  if (acceptDot("align"))
    expectInteger("an alignment");
  variable.name = expectIdentifier("the name of a parameter");
  parseArrayBounds(variable);
  return variable;
}
