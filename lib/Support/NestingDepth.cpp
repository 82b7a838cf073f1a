//===- NestingDepth.cpp - How deep brackets are nested --------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// MLIR's parser, its verifier and walks call themselves for what is nested.
// Brackets of strings and comments do not count, nor do arrows and comparisons.
//
//===----------------------------------------------------------------------===//

#include "hetero/Support/NestingDepth.h"

using namespace mlir;

/// A quarter of what fits into the usual stack.
static constexpr size_t kMaxDepth = 1000;

/// The end of the string or comment that begins at `at`, or `at`.
static size_t skipText(llvm::StringRef text, size_t at) {
  if (text[at] == '"') {
    for (++at; at < text.size() && text[at] != '"' && text[at] != '\n'; ++at)
      at += text[at] == '\\';
    return at;
  }
  return text.substr(at).starts_with("//") ? text.find('\n', at) : at;
}

/// 1 where a bracket opens, -1 where one closes.
static int getStep(llvm::StringRef text, size_t at) {
  char before = at > 0 ? text[at - 1] : '\0';
  char after = at + 1 < text.size() ? text[at + 1] : '\0';
  switch (text[at]) {
  case '(':
  case '[':
  case '{':
    return 1;
  case ')':
  case ']':
  case '}':
    return -1;
  case '<':
    return after == '=' ? 0 : 1;
  case '>':
    return after == '=' || before == '-' ? 0 : -1;
  default:
    return 0;
  }
}

std::string mlir::hetero::findDeepNesting(llvm::StringRef text) {
  // Bytecode has no brackets.
  if (text.starts_with("ML\xefR"))
    return "";
  size_t depth = 0, line = 1, lineStart = 0;
  for (size_t at = 0; at < text.size(); ++at) {
    at = skipText(text, at);
    if (at >= text.size())
      break;
    if (text[at] == '\n') {
      ++line;
      lineStart = at + 1;
    }
    int step = getStep(text, at);
    if (step > 0 && ++depth > kMaxDepth)
      return "line " + std::to_string(line) + ", column " +
             std::to_string(at - lineStart + 1) +
             ": brackets are nested more than " + std::to_string(kMaxDepth) +
             " deep; take apart what is nested";
    if (step < 0 && depth > 0)
      --depth;
  }
  return "";
}
