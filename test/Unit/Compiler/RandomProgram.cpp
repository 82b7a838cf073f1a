//===- RandomProgram.cpp - Programs to compile and run --------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Writes a program once, with `$` where an operation may have attributes, and
// then a function per placement. Values have bounds: what could become too
// large is not multiplied.
//
//===----------------------------------------------------------------------===//

#include "RandomProgram.h"

#include <random>
#include <vector>

using namespace ::hetero::test;

namespace {
constexpr int64_t kLimit = 1 << 12;
constexpr int64_t kStates = 2;

struct Matrix {
  std::string name;
  int64_t bound;
};

using Scope = std::vector<Matrix>;

class Writer {
public:
  Writer(uint64_t seed, Extra extra)
      : random(seed), extra(extra), isFloat(seed % 2 == 0),
        element(isFloat ? "f32" : "i32"), type("tensor<4x4x" + element + ">"),
        vector("tensor<4x" + element + ">") {}

  RandomProgram write();

private:
  int64_t below(int64_t n) { return static_cast<int64_t>(random() % n); }
  std::string name() { return "%v" + std::to_string(next++); }
  std::string number(int64_t value) {
    return std::to_string(value) + (isFloat ? ".0" : "");
  }
  void line(const std::string &text) { body += "  " + text + "\n"; }
  const Matrix &pick(const Scope &scope, int64_t limit);

  // Each writes one operation, or a few that belong together.
  Matrix binary(const std::string &op, const Matrix &a, const Matrix &b,
                int64_t bound);
  Matrix clamp(const Matrix &a);
  Matrix elementwise(const Scope &scope);
  Matrix matmul(const Scope &scope);
  Matrix transpose(const Scope &scope);
  Matrix rowSums(const Scope &scope);
  Matrix slice(const Scope &scope);
  Matrix constant();
  Matrix weighted(const Scope &scope);
  void store(int64_t state, const Matrix &value);
  Matrix state(const Scope &scope);
  Matrix loop(const Scope &scope, int depth);
  Matrix branch(const Scope &scope, int depth);
  Matrix call(const Scope &scope);
  Matrix operation(const Scope &scope, int depth);
  std::string block(Scope scope, int64_t count, int depth);

  std::string place(bool onHost);
  std::string function(const std::string &name, bool isPrivate, bool onHost,
                       const std::string &results);
  std::string states();

  std::mt19937_64 random;
  Extra extra;
  bool isFloat;
  bool hasCallee = false;
  std::string element, type, vector, body;
  int next = 0;
};
} // namespace

/// Rather a late one.
const Matrix &Writer::pick(const Scope &scope, int64_t limit) {
  std::vector<const Matrix *> fitting;
  for (const Matrix &value : scope)
    if (value.bound <= limit)
      fitting.push_back(&value);
  int64_t count = fitting.size();
  int64_t late = std::min<int64_t>(count, 3);
  return *fitting[below(2) ? below(count) : count - late + below(late)];
}

//===----------------------------------------------------------------------===//
// Operations
//===----------------------------------------------------------------------===//

Matrix Writer::binary(const std::string &op, const Matrix &a, const Matrix &b,
                      int64_t bound) {
  std::string result = name();
  line(result + " = linalg." + op + " {$} ins(" + a.name + ", " + b.name +
       " : " + type + ", " + type + ") outs(%empty : " + type + ") -> " + type);
  return {result, bound};
}

Matrix Writer::clamp(const Matrix &a) {
  Matrix low = binary("max", a, {"%low", 3}, a.bound);
  return binary("min", low, {"%high", 3}, 3);
}

Matrix Writer::elementwise(const Scope &scope) {
  const char *names[] = {"add", "sub", "max", "min", "mul"};
  int64_t which = below(5);
  const Matrix &a = pick(scope, which == 4 ? 32 : kLimit);
  const Matrix &b = pick(scope, which == 4 ? 32 : kLimit);
  int64_t bound = which == 4  ? a.bound * b.bound
                  : which < 2 ? a.bound + b.bound
                              : std::max(a.bound, b.bound);
  return binary(names[which], a, b, bound);
}

Matrix Writer::matmul(const Scope &scope) {
  const Matrix &a = pick(scope, 16), &b = pick(scope, 16);
  const Matrix &c = pick(scope, kLimit);
  std::string result = name();
  line(result + " = linalg.matmul {$} ins(" + a.name + ", " + b.name + " : " +
       type + ", " + type + ") outs(" + c.name + " : " + type + ") -> " + type);
  return {result, kSize * a.bound * b.bound + c.bound};
}

Matrix Writer::transpose(const Scope &scope) {
  const Matrix &a = pick(scope, kLimit);
  std::string result = name();
  line(result + " = linalg.transpose ins(" + a.name + " : " + type +
       ") outs(%empty : " + type + ") permutation = [1, 0] {$}");
  return {result, a.bound};
}

Matrix Writer::rowSums(const Scope &scope) {
  const Matrix &a = pick(scope, kLimit);
  std::string sums = name(), result = name();
  std::string add = std::string("arith.add") + (isFloat ? "f" : "i");
  line(sums + " = linalg.reduce ins(" + a.name + " : " + type +
       ") outs(%zeros : " + vector + ") dimensions = [1] {$} (%x: " + element +
       ", %y: " + element + ") { %s = " + add + " %x, %y : " + element +
       " linalg.yield %s : " + element + " }");
  line(result + " = linalg.broadcast ins(" + sums + " : " + vector +
       ") outs(%empty : " + type + ") dimensions = [1] {$}");
  return {result, kSize * a.bound};
}

/// A quarter of one matrix becomes another quarter of a second.
Matrix Writer::slice(const Scope &scope) {
  const Matrix &a = pick(scope, kLimit), &b = pick(scope, kLimit);
  std::string part = name(), result = name();
  std::string quarter = "tensor<2x2x" + element + ">";
  auto place = [&] {
    return "[" + std::to_string(below(3)) + ", " + std::to_string(below(3)) +
           "] [2, 2] [1, 1] {$} : ";
  };
  line(part + " = tensor.extract_slice " + a.name + place() + type + " to " +
       quarter);
  line(result + " = tensor.insert_slice " + part + " into " + b.name + place() +
       quarter + " into " + type);
  return {result, std::max(a.bound, b.bound)};
}

Matrix Writer::constant() {
  std::string rows, result = name();
  for (int64_t i = 0; i < kSize; ++i) {
    rows += i ? ", [" : "[";
    for (int64_t j = 0; j < kSize; ++j)
      rows += (j ? ", " : "") + number(below(7) - 3);
    rows += "]";
  }
  line(result + " = arith.constant dense<[" + rows + "]> : " + type);
  return {result, 3};
}

/// What a layer does: a product with a constant, or another operation.
Matrix Writer::weighted(const Scope &scope) {
  const Matrix &a = pick(scope, 16);
  Matrix weight = constant();
  if (below(3) == 0)
    return binary("add", a, weight, a.bound + weight.bound);
  Matrix sum = pick(scope, kLimit);
  std::string result = name();
  line(result + " = linalg.matmul {$} ins(" + a.name + ", " + weight.name +
       " : " + type + ", " + type + ") outs(" + sum.name + " : " + type +
       ") -> " + type);
  return clamp({result, kSize * a.bound * weight.bound + sum.bound});
}

void Writer::store(int64_t state, const Matrix &value) {
  line("ml_program.global_store @!state" + std::to_string(state) + " = " +
       clamp(value).name + " : " + type);
}

/// Loads a state, stores it, or both.
Matrix Writer::state(const Scope &scope) {
  int64_t number = below(kStates), which = below(3);
  Matrix value = pick(scope, kLimit);
  if (which > 0) {
    std::string old = name();
    line(old + " = ml_program.global_load @!state" + std::to_string(number) +
         " : " + type);
    value = which == 1 ? Matrix{old, 3}
                       : binary("add", value, {old, 3}, value.bound + 3);
  }
  if (which != 1)
    store(number, value);
  return value;
}

//===----------------------------------------------------------------------===//
// Control flow
//===----------------------------------------------------------------------===//

/// Operations of a block of its own; returns the small matrix that it yields.
std::string Writer::block(Scope scope, int64_t count, int depth) {
  for (int64_t i = 0; i < count; ++i)
    scope.push_back(operation(scope, depth + 1));
  return clamp(scope.back()).name;
}

Matrix Writer::loop(const Scope &scope, int depth) {
  const Matrix init = pick(scope, kLimit);
  std::string result = name(), carried = name();
  line(result + " = scf.for %i" + std::to_string(next++) + " = %c0 to %c" +
       std::to_string(below(4)) + " step %c1 iter_args(" + carried + " = " +
       init.name + ") -> " + type + " {");
  Scope inner = scope;
  inner.push_back({carried, std::max<int64_t>(init.bound, 3)});
  line("scf.yield " + block(inner, 1 + below(3), depth) + " : " + type);
  line("}");
  return {result, std::max<int64_t>(init.bound, 3)};
}

Matrix Writer::branch(const Scope &scope, int depth) {
  std::string result = name();
  line(result + " = scf.if %p -> " + type + " {");
  line("scf.yield " + block(scope, 1, depth) + " : " + type);
  line("} else {");
  line("scf.yield " + block(scope, 1 + below(2), depth) + " : " + type);
  line("}");
  return {result, 3};
}

/// Of a private function, which gets what the caller has, wherever that is.
Matrix Writer::call(const Scope &scope) {
  const Matrix &a = pick(scope, 16), &b = pick(scope, 16);
  std::string result = name();
  line(result + " = func.call @!inner(" + a.name + ", " + b.name + ", %p) : (" +
       type + ", " + type + ", i1) -> " + type);
  return {result, 3};
}

Matrix Writer::operation(const Scope &scope, int depth) {
  if (extra == Extra::Weights && below(3) != 0)
    return weighted(scope);
  if (extra == Extra::State && below(4) == 0)
    return hasCallee && below(2) ? call(scope) : state(scope);
  switch (below(depth < 2 && extra != Extra::Straight ? 14 : 11)) {
  case 0:
    return matmul(scope);
  case 1:
    return transpose(scope);
  case 2:
    return rowSums(scope);
  case 3:
    return slice(scope);
  case 4:
    return constant();
  case 5:
    return clamp(pick(scope, INT64_MAX));
  case 11:
    return loop(scope, depth);
  case 12:
    return branch(scope, depth);
  case 13:
    return depth == 0 ? call(scope) : elementwise(scope);
  default:
    return elementwise(scope);
  }
}

//===----------------------------------------------------------------------===//
// Placement
//===----------------------------------------------------------------------===//

/// The body with devices for its operations, of which a few are left to the
/// compiler.
std::string Writer::place(bool onHost) {
  const char *devices[] = {"cpu:0",
                           "gpu:0",
                           "gpu:1",
                           "gpu:0, unit = \"a\"",
                           "gpu:0, unit = \"b\"",
                           "gpu:1, unit = \"a\""};
  // Who reads state is often on another device.
  int64_t count = extra == Extra::State ? 3 : 6;
  std::string placed;
  for (char character : body) {
    if (character == '!')
      placed += onHost ? "host_" : "spread_";
    else if (character != '$')
      placed += character;
    else if (onHost || below(6))
      placed += "hetero.device = #hetero.device<" +
                std::string(onHost ? devices[0] : devices[below(count)]) + ">";
  }
  return placed;
}

std::string Writer::function(const std::string &name, bool isPrivate,
                             bool onHost, const std::string &results) {
  std::string text = std::string("func.func ") + (isPrivate ? "private " : "") +
                     "@" + name + "(%a: " + type + ", %b: " + type +
                     ", %p: i1) -> " + results + " {\n";
  for (int i = 0; i < 4; ++i)
    text += "  %c" + std::to_string(i) + " = arith.constant " +
            std::to_string(i) + " : index\n";
  text += "  %empty = tensor.empty() : " + type + "\n";
  text += "  %low = arith.constant dense<" + number(-3) + "> : " + type + "\n";
  text += "  %high = arith.constant dense<" + number(3) + "> : " + type + "\n";
  text +=
      "  %zeros = arith.constant dense<" + number(0) + "> : " + vector + "\n";
  return text + place(onHost) + "}\n";
}

/// Those of the host's program are on the host, the others anywhere.
std::string Writer::states() {
  std::string text;
  for (int64_t number = 0; number < kStates; ++number)
    for (std::string program : {"host_", "spread_"}) {
      std::string device =
          program == "host_"
              ? "cpu:0"
              : std::vector<std::string>{"cpu:0", "gpu:0", "gpu:1"}[below(3)];
      text += "ml_program.global private mutable @" + program + "state" +
              std::to_string(number) + "(dense<" + (isFloat ? "0.0" : "0") +
              "> : " + type + ") : " + type +
              " {hetero.device = #hetero.device<" + device + ">}\n";
    }
  return text;
}

RandomProgram Writer::write() {
  const Scope arguments = {{"%a", 16}, {"%b", 16}};
  std::string text = extra == Extra::State ? states() : "";
  Scope inner = arguments;
  if (extra == Extra::State)
    inner.push_back(state(arguments));
  line("return " + block(inner, 2, /*depth=*/1) + " : " + type);
  for (bool onHost : {false, true})
    text += function(onHost ? "host_inner" : "spread_inner",
                     /*isPrivate=*/true, onHost, type);
  body.clear();
  hasCallee = true;
  for (int64_t number = 0; extra == Extra::State && number < kStates; ++number)
    store(number, arguments[number]);
  Scope scope = arguments;
  for (int64_t i = 0, count = 6 + below(8); i < count; ++i)
    scope.push_back(operation(scope, /*depth=*/0));
  // Nothing is in vain: the first result has a part in all.
  Matrix all = scope.front();
  for (const Matrix &value : scope)
    all = binary("add", all, value, 0);
  line("return " + all.name + ", " + scope.back().name + " : " + type + ", " +
       type);
  for (bool onHost : {false, true})
    text += function(onHost ? "host" : "spread", /*isPrivate=*/false, onHost,
                     "(" + type + ", " + type + ")");
  return {text, isFloat};
}

namespace hetero::test {
RandomProgram makeRandomProgram(uint64_t seed, Extra extra) {
  return Writer(seed, extra).write();
}
} // namespace hetero::test
