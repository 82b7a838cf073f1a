//===- RandomPrograms.cpp - Random programs on random machines ------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RandomPrograms.h"

using namespace mlir::hetero::test;

/// M is a matrix, V a vector.
static std::string expandTypes(const std::string &text, unsigned size) {
  std::string n = std::to_string(size), result;
  for (size_t i = 0; i < text.size(); ++i) {
    bool isWord = (i != 0 && (isalnum(text[i - 1]) || text[i - 1] == '%')) ||
                  (i + 1 < text.size() && isalnum(text[i + 1]));
    if (text[i] == 'M' && !isWord)
      result += "tensor<" + n + "x" + n + "xf32>";
    else if (text[i] == 'V' && !isWord)
      result += "tensor<" + n + "xf32>";
    else
      result += text[i];
  }
  return result;
}

std::string RandomProgram::pick(const std::vector<std::string> &from) {
  size_t a = below(from.size()), b = below(from.size());
  return from[std::max(a, b)];
}

/// As an attribute has it.
const std::string &RandomProgram::getName(unsigned device) const {
  static const std::string names[] = {"cpu:0", "gpu:0", "gpu:1", "gpu:2"},
                           onNode[] = {"cpu:0, node = 1", "gpu:0, node = 1"};
  unsigned first = options.numDevices - 2;
  return options.hasNodes && device >= first ? onNode[device - first]
                                             : names[device];
}

/// One of all, or of those where a program has its arguments and results.
std::string RandomProgram::device(bool ofProgram) {
  unsigned count = options.numDevices - (ofProgram && options.hasNodes ? 2 : 0);
  return "#hetero.device<" + getName(below(count)) + ">";
}

/// Two gpus may have to go through the host; two nodes have to.
bool RandomProgram::areLinked(unsigned from, unsigned to) {
  if (options.hasNodes) {
    unsigned other = options.numDevices - 2;
    return (from < other) == (to < other) || from + to == other;
  }
  return !from || !to || !chance(25);
}

/// Nothing, or an annotation; always one when too many are open.
std::string RandomProgram::pin() {
  ++numOps;
  if (numOpen < options.maxOpen && !chance(25)) {
    ++numOpen;
    return "";
  }
  return "hetero.device = " + device();
}

std::string RandomProgram::annotation() {
  std::string text = pin();
  return text.empty() ? text : " {" + text + "}";
}

std::string RandomProgram::annotationOfValue() {
  return chance(20) ? " {hetero.device = " + device(/*ofProgram=*/true) + "}"
                    : "";
}

/// Times of microseconds: a launch, a product of 64x64 and a copy are alike.
void RandomProgram::addTopology() {
  machine = "module attributes {hetero.topology = #hetero.topology<devices = [";
  for (unsigned i = 0; i < options.numDevices; ++i)
    machine +=
        std::string(i ? ", " : "") +
        "#hetero.device_spec<device = #hetero.device<" + getName(i) +
        ">, memory = 1000000000, compute = " +
        std::to_string((1 + below(getName(i)[0] == 'g' ? 400 : 40)) *
                       1000000000ull) +
        ", bandwidth = " + std::to_string((1 + below(40)) * 1000000000ull) +
        ", launch = " + std::to_string(below(4) * 1000000) + ">";
  machine += "], links = [";
  bool isFirst = true;
  bool isUnified = chance(15);
  for (unsigned i = 0; i < options.numDevices; ++i)
    for (unsigned j = 0; j < options.numDevices; ++j) {
      if (i == j || !areLinked(i, j))
        continue;
      machine +=
          std::string(isFirst ? "" : ", ") +
          "#hetero.link<from = #hetero.device<" + getName(i) +
          ">, to = #hetero.device<" + getName(j) + ">, bandwidth = " +
          std::to_string((1 + below(30)) *
                         (options.hasDearLinks ? 40000000ull : 1000000000ull)) +
          ", latency = " + std::to_string(below(5) * 700000) +
          (isUnified && i + j == 1 && options.numDevices - options.hasNodes != 2
               ? ", unified = true>"
               : ">");
      isFirst = false;
    }
  machine += "]>} {\n";
}

void RandomProgram::addGeneric(Scope &scope) {
  std::string r = "%v" + std::to_string(next++), x = pick(scope.matrices),
              y = pick(scope.matrices);
  constexpr unsigned kBroadcast = 4, kLast = 5;
  unsigned kind = below(options.hasDearLinks ? 9 : 6);
  switch (kind > kLast ? kBroadcast : kind) {
  case 0:
    text += r + " = linalg.matmul" + annotation() + " ins(" + x + ", " + y +
            " : M, M) outs(" + pick(scope.matrices) + " : M) -> M\n";
    break;
  case 1:
    text += r + " = linalg.exp" + annotation() + " ins(" + x +
            " : M) outs(%e : M) -> M\n";
    break;
  case 2: {
    std::string attributes = pin();
    text +=
        r +
        ":2 = linalg.generic {indexing_maps = [#id, #id, #id, #id], "
        "iterator_types = [\"parallel\", \"parallel\"]} ins(" +
        x + ", " + y + " : M, M) outs(%e, %e : M, M)" +
        (attributes.empty() ? "" : " attrs = {" + attributes + "}") +
        " {\n^bb0(%i0: f32, %i1: f32, %o0: f32, %o1: f32):\n"
        "%sum = arith.addf %i0, %i1 : f32\n%mul = arith.mulf %i0, %sum : f32\n"
        "linalg.yield %sum, %mul : f32, f32\n} -> (M, M)\n";
    scope.matrices.push_back(r + "#0");
    scope.matrices.push_back(r + "#1");
    return;
  }
  case 3:
    text += r + " = linalg.reduce" + " ins(" + x + " : M) outs(" +
            pick(scope.vectors) + " : V) dimensions = [1]" + annotation() +
            "\n(%in: f32, %out: f32) {\n%sum = arith.addf %in, %out : f32\n"
            "linalg.yield %sum : f32\n}\n";
    scope.vectors.push_back(r);
    return;
  case kBroadcast:
    text += r + " = linalg.broadcast ins(" + pick(scope.vectors) +
            " : V) outs(%e : M) dimensions = [1]" + annotation() + "\n";
    break;
  default:
    text += r + " = linalg.add" + annotation() + " ins(" + x + ", " + y +
            " : M, M) outs(%e : M) -> M\n";
  }
  scope.matrices.push_back(r);
}

/// Constants and fills, a few of them pinned.
void RandomProgram::addReplicable(Scope &scope) {
  std::string r = "%v" + std::to_string(next++);
  std::string pinned = chance(15) ? " {hetero.device = " + device() + "}" : "";
  ++numOps;
  if (chance(40))
    text += r + " = arith.constant" + pinned + " dense<" +
            std::to_string(next) + ".0> : M\n";
  else if (chance(50))
    text += r +
            " = linalg.generic {indexing_maps = [affine_map<(i, j) -> ()>, "
            "#id], iterator_types = [\"parallel\", \"parallel\"]} ins(" +
            pick(scope.scalars) + " : f32) outs(%e : M)" +
            (pinned.empty() ? "" : " attrs =" + pinned) +
            " {\n^bb0(%x: f32, %o: f32):\n%l = math.exp %x : f32\n"
            "%m = math.exp %l : f32\n%y = math.exp %m : f32\n"
            "linalg.yield %y : f32\n} -> M\n";
  else
    text += r + " = linalg.fill" + pinned + " ins(" + pick(scope.scalars) +
            " : f32) outs(%e : M) -> M\n";
  scope.matrices.push_back(r);
}

void RandomProgram::addScalar(Scope &scope) {
  std::string r = "%v" + std::to_string(next++);
  ++numOps;
  text += r + " = tensor.extract " + pick(scope.matrices) + "[%c0, %c0] : M\n";
  scope.scalars.push_back(r);
}

void RandomProgram::addBody(Scope scope, unsigned depth) {
  addOps(scope, 1 + below(3), depth + 1);
  text += "scf.yield " + pick(scope.matrices) + " : M\n";
}

/// Where a loop or a branch carries its tensor is open as well.
void RandomProgram::addLoop(Scope &scope, unsigned depth) {
  ++numOpen;
  std::string r = "%v" + std::to_string(next++);
  Scope inner = scope;
  inner.matrices.push_back(r + "a");
  std::vector<std::string> bounds = {"%c1", "%c2", "%c5", "%n"};
  text += r + " = scf.for " + r + "i = %c0 to " + bounds[below(4)] +
          " step %c1 iter_args(" + r + "a = " + pick(scope.matrices) +
          ") -> M {\n";
  addBody(inner, depth);
  text += "}\n";
  scope.matrices.push_back(r);
}

void RandomProgram::addBranch(Scope &scope, unsigned depth) {
  ++numOpen;
  std::string r = "%v" + std::to_string(next++);
  text += r + " = scf.if %p -> M {\n";
  addBody(scope, depth);
  text += "} else {\n";
  addBody(scope, depth);
  text += "}\n";
  scope.matrices.push_back(r);
}

/// What every function begins with.
void RandomProgram::addConstants() {
  text += "%c0 = arith.constant 0 : index\n%c1 = arith.constant 1 : index\n"
          "%c2 = arith.constant 2 : index\n%c5 = arith.constant 5 : index\n"
          "%e = tensor.empty() : M\n";
}

/// A branch, of which one side calls the function again.
void RandomProgram::addRecursion(Scope &scope, const std::string &name) {
  ++numOpen;
  std::string r = "%v" + std::to_string(next++);
  text += r + " = scf.if %p -> M {\n" + r + "c = func.call " + name + "(" +
          pick(scope.matrices) + ", %d, %p, %n, %s) : " + "(M, V, i1, index, " +
          "f32) -> M\n";
  Scope inner = scope;
  inner.matrices.push_back(r + "c");
  addBody(inner, /*depth=*/1);
  text += "} else {\nscf.yield " + pick(scope.matrices) + " : M\n}\n";
  scope.matrices.push_back(r);
}

/// Where a function gets its matrix and makes its result is open; its vector is
/// on the host, or elsewhere.
void RandomProgram::addCall(Scope &scope, unsigned depth) {
  numOpen += 2;
  std::string r = "%v" + std::to_string(next++), name = "@f" + r.substr(2);
  text += r + " = func.call " + name + "(" + pick(scope.matrices) + ", " +
          pick(scope.vectors) + ", %p, %n, %s) : (M, V, i1, index, f32) -> M\n";
  std::string caller = std::move(text);
  text = "func.func private " + name +
         "(%a: M, %d: V {hetero.device = " + device() +
         "}, %p: i1, %n: index, %s: f32) -> M {\n";
  addConstants();
  Scope inner = {{"%a"}, {"%d"}, {"%s"}};
  addOps(inner, 1 + below(2), depth + 1);
  if (chance(50))
    addRecursion(inner, name);
  functions += text + "return " + pick(inner.matrices) + " : M\n}\n";
  text = std::move(caller);
  scope.matrices.push_back(r);
}

void RandomProgram::addOp(Scope &scope, unsigned depth) {
  unsigned kind = below(100);
  if (kind < 12)
    return addReplicable(scope);
  if (kind < 17 && options.hasElements)
    return addScalar(scope);
  bool canNest = options.hasRegions && depth < 2 && numOpen < options.maxOpen;
  if (kind < 27 && canNest)
    return addLoop(scope, depth);
  if (kind < 37 && canNest)
    return addBranch(scope, depth);
  if (kind < 52 && canNest && options.hasCalls && numOps < options.maxOps)
    return addCall(scope, depth);
  addGeneric(scope);
}

void RandomProgram::addOps(Scope &scope, unsigned count, unsigned depth) {
  for (unsigned i = 0; i < count && numOps < options.maxOps; ++i)
    addOp(scope, depth);
}

/// Two results, on the host or elsewhere.
void RandomProgram::addReturn(const Scope &scope) {
  text += "return " + scope.matrices.back() + ", " + pick(scope.matrices) +
          ", " + scope.vectors.back() + " : M, M, V\n}\n";
}

std::string RandomProgram::run() {
  addTopology();
  text += "func.func @main(%a: M" + annotationOfValue() + ", %b: M" +
          annotationOfValue() + ", %d: V, %p: i1, %n: index, %s: f32) -> (M" +
          annotationOfValue() + ", M, V) {\n";
  addConstants();
  Scope scope = {{"%a", "%b"}, {"%d"}, {"%s"}};
  addOps(scope, 4 + below(options.maxOps - 3), 0);
  addReturn(scope);
  std::vector<unsigned> sizes = {8, 32, 64, 100};
  return "#id = affine_map<(i, j) -> (i, j)>\n" +
         expandTypes(machine + text + functions + "}\n", sizes[below(4)]);
}
