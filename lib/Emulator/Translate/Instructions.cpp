//===- Instructions.cpp - The instructions that are translated ------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Emulator/Translate/Instructions.h"

#include "Emulator/Translate/Arithmetic/BitEmitter.h"
#include "Emulator/Translate/Arithmetic/ComparisonEmitter.h"
#include "Emulator/Translate/Arithmetic/ConversionEmitter.h"
#include "Emulator/Translate/Arithmetic/FloatEmitter.h"
#include "Emulator/Translate/Arithmetic/IntegerEmitter.h"
#include "Emulator/Translate/Matrices/FragmentEmitter.h"
#include "Emulator/Translate/Matrices/GroupMultiplyEmitter.h"
#include "Emulator/Translate/Matrices/MatrixEmitter.h"
#include "Emulator/Translate/Memory/AsyncEmitter.h"
#include "Emulator/Translate/Memory/AtomicEmitter.h"
#include "Emulator/Translate/Memory/HintEmitter.h"
#include "Emulator/Translate/Memory/MemoryEmitter.h"
#include "Emulator/Translate/Threads/CallEmitter.h"
#include "Emulator/Translate/Threads/ClusterEmitter.h"
#include "Emulator/Translate/Threads/CollectiveEmitter.h"
#include "Emulator/Translate/Threads/ControlEmitter.h"
#include "Emulator/Translate/Threads/PhaseEmitter.h"

#include "llvm/ADT/STLExtras.h"

#include <unordered_map>

using namespace hetero::emulator;
using namespace hetero::emulator::ptx;

/// A family more is a line more.
static llvm::ArrayRef<Family> families() {
  static const Family all[] = {
      familyOf<IntegerEmitter>(),       familyOf<BitEmitter>(),
      familyOf<FloatEmitter>(),         familyOf<ComparisonEmitter>(),
      familyOf<ConversionEmitter>(),    familyOf<MemoryEmitter>(),
      familyOf<AtomicEmitter>(),        familyOf<AsyncEmitter>(),
      familyOf<HintEmitter>(),          familyOf<ControlEmitter>(),
      familyOf<CallEmitter>(),          familyOf<CollectiveEmitter>(),
      familyOf<ClusterEmitter>(),       familyOf<PhaseEmitter>(),
      familyOf<MatrixEmitter>(),        familyOf<FragmentEmitter>(),
      familyOf<GroupMultiplyEmitter>(),
  };
  return all;
}

Emitters::Emitters(FunctionBuilder &f) {
  for (const Family &family : families())
    emitters.push_back(family.make(f));
}

void Emitters::emit(const MatchedRule &match, const Instruction &op) {
  (*emitters[match.family].*match.rule->emit)(op);
}

//===----------------------------------------------------------------------===//
// Matching
//===----------------------------------------------------------------------===//

/// Calls `each` with the words of a list until it returns true.
template <typename Each>
static bool anyWord(std::string_view list, char separator, Each each) {
  while (!list.empty()) {
    size_t end = std::min(list.find(separator), list.size());
    if (each(list.substr(0, end)))
      return true;
    list.remove_prefix(std::min(end + 1, list.size()));
  }
  return false;
}

/// Whether the name is the word, or has a number where that has an N.
static bool isWord(Name name, Name word) {
  if (name == word)
    return true;
  size_t place = word.find('N'), digits = name.size() + 1 - word.size();
  if (place == Name::npos || name.size() < word.size() ||
      name.substr(0, place) != word.substr(0, place) ||
      name.substr(place + digits) != word.substr(place + 1))
    return false;
  Name number = name.substr(place, digits);
  return number.find_first_not_of("0123456789") == Name::npos;
}

static bool contains(std::string_view list, Name name) {
  return anyWord(list, ' ', [&](Name word) { return isWord(name, word); });
}

static std::string quoted(Name name) { return "'." + std::string(name) + "'"; }

/// Why the instruction is not one of the rule, and how far it got: which check
/// failed and, among modifiers, how many are known.
static std::string mismatch(const Instruction &op, const Rule &rule,
                            unsigned &progress) {
  ScalarType unused;
  unsigned numTypes = 0;
  std::string_view required = rule.required;
  auto isRequired = [&](Name name) {
    return anyWord(required, '|',
                   [&](Name group) { return contains(group, name); });
  };
  progress = 0;
  std::vector<Name> others;
  for (Name name : op.modifiers) {
    bool isType = contains(rule.types, name);
    numTypes += isType;
    if (!isType && parseScalarType(name, unused))
      return "the type " + quoted(name);
    if (!isType)
      others.push_back(name);
  }
  if (numTypes != (*rule.types ? rule.numTypes : 0))
    return "expected " + std::to_string(rule.numTypes) + " types, got " +
           std::to_string(numTypes);
  constexpr unsigned kModifiers = 100;
  progress = 1;
  std::string why;
  for (Name name : others) {
    bool isKnown = isRequired(name) || contains(rule.modifiers, name);
    progress += isKnown;
    if (!isKnown && why.empty())
      why = "the modifier " + quoted(name);
  }
  if (!why.empty())
    return why;
  progress = kModifiers;
  anyWord(required, '|', [&](Name group) {
    unsigned found = 0;
    for (Name name : others)
      found += contains(group, name);
    if (found != 1)
      why = "expected one of the modifiers '" + std::string(group) + "', got " +
            std::to_string(found);
    return found != 1;
  });
  if (!why.empty())
    return why;
  ++progress;
  if (op.operands.size() < rule.least || op.operands.size() > rule.most)
    return "expected " + std::to_string(rule.least) +
           (rule.least == rule.most ? "" : " to " + std::to_string(rule.most)) +
           " operands, got " + std::to_string(op.operands.size());
  return "";
}

using Index = std::unordered_map<std::string_view, std::vector<MatchedRule>>;

/// The rules of all families by their opcodes.
static Index makeIndex() {
  Index index;
  for (auto [number, family] : llvm::enumerate(families()))
    for (const Rule &rule : family.rules)
      anyWord(rule.opcodes, ' ', [&, number = number](Name opcode) {
        index[opcode].push_back({number, &rule});
        return false;
      });
  return index;
}

std::optional<MatchedRule>
hetero::emulator::ptx::matchRule(const Instruction &op, std::string &why) {
  static const Index index = makeIndex();
  auto it = index.find(op.opcode);
  if (it == index.end())
    return std::nullopt;
  unsigned best = 0;
  for (const MatchedRule &match : it->second) {
    unsigned progress = 0;
    std::string reason = mismatch(op, *match.rule, progress);
    if (reason.empty())
      return match;
    if (why.empty() || progress > best)
      why = reason;
    best = std::max(best, progress);
  }
  return std::nullopt;
}
