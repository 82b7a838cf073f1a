//===- ConstantParser.cpp - Constant expressions --------------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Emulator/PTX/ConstantParser.h"

#include <cstring>

using namespace hetero::emulator::ptx;

/// From those that bind least.
static constexpr std::string_view kOperations[] = {
    "||", "&&", "|", "^", "&", "== !=", "< > <= >=", "<< >>", "+ -", "* / %"};
static constexpr unsigned kNumLevels = std::size(kOperations), kSums = 8;

static bool isOfLevel(std::string_view operation, unsigned level) {
  std::string_view list = kOperations[level];
  while (!operation.empty() && !list.empty()) {
    size_t end = std::min(list.find(' '), list.size());
    if (list.substr(0, end) == operation)
      return true;
    list.remove_prefix(std::min(end + 1, list.size()));
  }
  return false;
}

static double numberOf(const Constant &constant) {
  double number;
  float single;
  uint32_t word = static_cast<uint32_t>(constant.bits);
  switch (constant.kind) {
  case Constant::Signed:
    return static_cast<double>(static_cast<int64_t>(constant.bits));
  case Constant::Unsigned:
    return static_cast<double>(constant.bits);
  case Constant::Float32:
    std::memcpy(&single, &word, sizeof single);
    return single;
  default:
    std::memcpy(&number, &constant.bits, sizeof number);
    return number;
  }
}

static Constant ofNumber(double number) {
  Constant result{Constant::Float64, 0};
  std::memcpy(&result.bits, &number, sizeof number);
  return result;
}

static Constant ofTruth(bool isTrue) { return {Constant::Signed, isTrue}; }

static bool isTrue(const Constant &constant) {
  return constant.isInteger() ? constant.bits != 0 : numberOf(constant) != 0;
}

bool ConstantParser::isConstant() const {
  const Token &token = tokens.peek();
  bool isName = tokens.is('!') &&
                tokens.peekNext().kind != TokenKind::Integer &&
                !(tokens.peekNext().kind == TokenKind::Punctuation &&
                  tokens.peekNext().text == "(");
  switch (token.kind) {
  case TokenKind::Integer:
  case TokenKind::Float32:
  case TokenKind::Float64:
    return true;
  case TokenKind::Identifier:
    return token.text == "WARP_SZ";
  case TokenKind::Punctuation:
    return !isName && std::strchr("-+~!(", token.text[0]);
  default:
    return false;
  }
}

//===----------------------------------------------------------------------===//
// Operators
//===----------------------------------------------------------------------===//

/// Evaluates comparisons and sums of any type of number.
template <typename T>
static bool compute(std::string_view operation, T x, T y, T &value,
                    bool &truth) {
  if (operation == "+")
    value = x + y;
  else if (operation == "-")
    value = x - y;
  else if (operation == "*")
    value = x * y;
  else if (operation == "==")
    truth = x == y;
  else if (operation == "!=")
    truth = x != y;
  else if (operation == "<")
    truth = x < y;
  else if (operation == ">")
    truth = x > y;
  else if (operation == "<=")
    truth = x <= y;
  else if (operation == ">=")
    truth = x >= y;
  else
    return false;
  return true;
}

static bool isComparison(std::string_view operation) {
  return isOfLevel(operation, 5) || isOfLevel(operation, 6);
}

static uint64_t shift(std::string_view operation, const Constant &x,
                      uint64_t count) {
  bool isNegative = x.kind == Constant::Signed && x.bits >> 63;
  if (count > 63)
    return operation == ">>" && isNegative ? ~uint64_t(0) : 0;
  if (operation == "<<")
    return x.bits << count;
  uint64_t signs = isNegative && count ? ~uint64_t(0) << (64 - count) : 0;
  return x.bits >> count | signs;
}

/// Operands are integers; the divisor is not zero.
static uint64_t divide(bool isSigned, bool isRest, uint64_t x, uint64_t y) {
  if (!isSigned)
    return isRest ? x % y : x / y;
  bool xIsNegative = x >> 63, yIsNegative = y >> 63;
  uint64_t a = xIsNegative ? 0 - x : x, b = yIsNegative ? 0 - y : y;
  uint64_t result = isRest ? a % b : a / b;
  bool isNegative = isRest ? xIsNegative : xIsNegative != yIsNegative;
  return isNegative ? 0 - result : result;
}

Constant ConstantParser::combine(std::string_view operation, Constant x,
                                 Constant y) const {
  if (operation == "&&" || operation == "||")
    return ofTruth(operation == "&&" ? isTrue(x) && isTrue(y)
                                     : isTrue(x) || isTrue(y));
  bool truth = false;
  if (!x.isInteger() || !y.isInteger()) {
    double a = numberOf(x), b = numberOf(y), value = 0;
    if (operation == "/")
      return ofNumber(a / b);
    if (!compute(operation, a, b, value, truth))
      tokens.fail("'" + std::string(operation) +
                  "' does not go with floating-point numbers");
    return isComparison(operation) ? ofTruth(truth) : ofNumber(value);
  }
  if (isOfLevel(operation, 7))
    return {x.kind, shift(operation, x, y.bits)};
  bool isSigned = x.kind == Constant::Signed && y.kind == Constant::Signed;
  Constant result{isSigned ? Constant::Signed : Constant::Unsigned, 0};
  if (isComparison(operation) && isSigned) {
    int64_t unused = 0;
    compute(operation, static_cast<int64_t>(x.bits),
            static_cast<int64_t>(y.bits), unused, truth);
    return ofTruth(truth);
  }
  if (compute(operation, x.bits, y.bits, result.bits, truth))
    return isComparison(operation) ? ofTruth(truth) : result;
  if ((operation == "/" || operation == "%") && y.bits == 0)
    tokens.fail("division by zero in a constant expression");
  result.bits = operation == "&"   ? x.bits & y.bits
                : operation == "|" ? x.bits | y.bits
                : operation == "^"
                    ? x.bits ^ y.bits
                    : divide(isSigned, operation == "%", x.bits, y.bits);
  return result;
}

//===----------------------------------------------------------------------===//
// Expressions
//===----------------------------------------------------------------------===//

Constant ConstantParser::parseNumber(const char *what) {
  Token token = tokens.peek();
  Constant result;
  if (token.kind == TokenKind::Float32)
    result.kind = Constant::Float32;
  else if (token.kind == TokenKind::Float64)
    result.kind = Constant::Float64;
  else if (token.kind == TokenKind::Integer)
    result.kind = token.isUnsigned || token.integer >> 63 ? Constant::Unsigned
                                                          : Constant::Signed;
  else if (token.kind != TokenKind::Identifier || token.text != "WARP_SZ")
    tokens.failExpected(what);
  result.bits = token.kind == TokenKind::Identifier ? 32 : token.integer;
  tokens.take();
  return result;
}

/// An expression in parentheses, or the conversion of a number.
Constant ConstantParser::parseParentheses(const char *what) {
  tokens.expect('(');
  bool isSigned = tokens.isDot("s64"), isUnsigned = tokens.isDot("u64");
  if (!isSigned && !isUnsigned) {
    Constant result = parse(what);
    tokens.expect(')');
    return result;
  }
  tokens.take();
  tokens.expect(')');
  Constant result = parseUnary(what);
  if (!result.isInteger())
    tokens.fail("a floating-point number is not converted to an integer");
  result.kind = isSigned ? Constant::Signed : Constant::Unsigned;
  return result;
}

Constant ConstantParser::parseUnary(const char *what) {
  constexpr unsigned kMaxDepth = 64;
  if (++depth > kMaxDepth)
    tokens.fail("a constant expression is nested too deeply");
  Constant result;
  if (tokens.accept('-')) {
    result = parseUnary(what);
    result.bits = result.isInteger()                 ? 0 - result.bits
                  : result.kind == Constant::Float32 ? result.bits ^ 1u << 31
                                                     : result.bits ^ 1ull << 63;
  } else if (tokens.accept('+')) {
    result = parseUnary(what);
  } else if (tokens.accept('!')) {
    result = ofTruth(!isTrue(parseUnary(what)));
  } else if (tokens.accept('~')) {
    result = parseUnary(what);
    if (!result.isInteger())
      tokens.fail("'~' does not go with floating-point numbers");
    result.bits = ~result.bits;
  } else {
    result = tokens.is('(') ? parseParentheses(what) : parseNumber(what);
  }
  --depth;
  return result;
}

Constant ConstantParser::parseBinary(unsigned level, const char *what) {
  if (level == kNumLevels)
    return parseUnary(what);
  Constant result = parseBinary(level + 1, what);
  while (isOfLevel(tokens.operation(), level)) {
    std::string_view operation = tokens.takeOperation();
    result = combine(operation, result, parseBinary(level + 1, what));
  }
  return result;
}

Constant ConstantParser::parse(const char *what) {
  Constant condition = parseBinary(0, what);
  if (!tokens.accept('?'))
    return condition;
  Constant then = parse(what);
  tokens.expect(':');
  Constant otherwise = parse(what);
  return isTrue(condition) ? then : otherwise;
}

uint64_t ConstantParser::parseInteger(const char *what) {
  Constant result = parse(what);
  if (!result.isInteger())
    tokens.fail("expected " + std::string(what) +
                ", got a floating-point number");
  return result.bits;
}

uint64_t ConstantParser::parseOffset() {
  Constant sum;
  while (isOfLevel(tokens.operation(), kSums)) {
    std::string_view operation = tokens.takeOperation();
    sum = combine(operation, sum, parseBinary(kSums + 1, "an offset"));
  }
  if (!sum.isInteger())
    tokens.fail("expected an offset, got a floating-point number");
  return sum.bits;
}
