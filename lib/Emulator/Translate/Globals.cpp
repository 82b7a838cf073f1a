//===- Globals.cpp - Variables of a PTX module ----------------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Emulator/Translate/Globals.h"

#include "Emulator/PTX/Lexer.h"

#include <cstring>

using namespace hetero::emulator;
using namespace hetero::emulator::ptx;

void Globals::addAll(ModuleState &state) {
  for (const Variable &variable : state.ptx.variables) {
    if (variable.space == Space::Shared)
      state.shared[variable.name] = &variable;
    else
      addVariable(state, variable);
  }
  for (const auto &function : state.ptx.functions)
    addOfBlock(state, *function, function->body);
  for (const Variable &variable : state.ptx.variables)
    if (auto it = state.globals.find(variable.name); it != state.globals.end())
      initialize(state, variable, it->second);
  for (auto [variable, number] : state.globalsOfFunctions)
    initialize(state, *variable, number);
  state.addresses.resize(variables.size());
}

void Globals::addVariable(ModuleState &state, const Variable &variable) {
  std::string name(variable.name);
  if (variable.space != Space::Global && variable.space != Space::Const)
    throw PTXError{variable.line,
                   "variable '" + name +
                       "' is in a state space that only functions have; "
                       "declare it in a function"};
  if (variable.isExtern)
    throw PTXError{variable.line, "variable '" + name +
                                      "' has no definition; link the module "
                                      "that defines it"};
  if (!state.globals.emplace(variable.name, variables.size()).second)
    throw PTXError{variable.line, "variable '" + name +
                                      "' is declared twice; rename one of "
                                      "them"};
  variables.push_back(describe(variable, name));
}

GlobalVariable Globals::describe(const Variable &variable,
                                 const std::string &name) {
  GlobalVariable global;
  global.name = name;
  global.size = variable.bytes();
  global.align = variable.alignment();
  global.isConst = variable.space == Space::Const;
  global.isManaged = variable.isManaged;
  return global;
}

/// Variables of functions are there once, too, and have names that no other
/// has.
void Globals::addOfBlock(ModuleState &state, const Function &function,
                         const Block &block) {
  for (const Statement &statement : block.statements) {
    const Variable &variable = statement.variable;
    if (statement.kind == Statement::Scope)
      addOfBlock(state, function, *statement.scope);
    if (statement.kind != Statement::Declaration ||
        (variable.space != Space::Global && variable.space != Space::Const))
      continue;
    state.globalsOfFunctions[&variable] = variables.size();
    variables.push_back(
        describe(variable, std::string(function.name) + "." +
                               std::string(variable.name) + "." +
                               std::to_string(variables.size())));
  }
}

/// The bits of a number in the type of the variable.
static uint64_t convertValue(const InitValue &value, ScalarType type) {
  if (value.kind == InitValue::Integer || !type.isFloat())
    return value.integer;
  double number;
  float single;
  std::memcpy(&number, &value.integer, sizeof number);
  std::memcpy(&single, &value.integer, sizeof single);
  if (value.kind == InitValue::Float32)
    number = single;
  else
    single = static_cast<float>(number);
  uint64_t bits = 0;
  if (type.bits == 64)
    std::memcpy(&bits, &number, sizeof number);
  else
    std::memcpy(&bits, &single, sizeof single);
  return bits;
}

void Globals::initialize(ModuleState &state, const Variable &variable,
                         size_t number) {
  if (variable.init.empty())
    return;
  GlobalVariable &global = variables[number];
  size_t element = variable.type.bytes();
  global.init.resize(global.size);
  for (size_t i = 0; i < variable.init.size(); ++i) {
    const InitValue &value = variable.init[i];
    Relocation place = {number, i * element, std::min<size_t>(element, 8), 0,
                        value};
    if (value.kind == InitValue::Symbol)
      addSymbol(state, variable, place);
    else if (place.offset + place.bytes <= global.init.size()) {
      uint64_t bits = convertValue(value, variable.type);
      std::memcpy(&global.init[place.offset], &bits, place.bytes);
    }
  }
}

void Globals::addSymbol(ModuleState &state, const Variable &variable,
                        const Relocation &place) {
  Name symbol = place.value.symbol;
  if (place.value.mask == ~0ull && place.bytes != 8)
    throw PTXError{variable.line, "initializer of '" +
                                      std::string(variable.name) +
                                      "' holds an address in " +
                                      std::to_string(place.bytes * 8) +
                                      " bits; declare it with 64"};
  if (auto it = state.globals.find(symbol); it != state.globals.end()) {
    relocations.push_back(place);
    relocations.back().target = it->second;
    return;
  }
  FunctionFacts *facts = state.graph.lookup(symbol);
  auto function = facts ? state.functions.find(facts->function->name)
                        : state.functions.end();
  if (function == state.functions.end())
    throw PTXError{variable.line,
                   "initializer of '" + std::string(variable.name) +
                       "' holds the address of '" + std::string(symbol) +
                       "', which is not a variable or function"};
  store(place, functionAddress(function->second));
}

/// Writes the address, or the part of it that the mask selects.
void Globals::store(const Relocation &place, uint64_t address) {
  uint64_t mask = place.value.mask;
  address = (address + place.value.integer) & mask;
  while (mask && !(mask & 1)) {
    mask >>= 1;
    address >>= 1;
  }
  std::memcpy(&variables[place.variable].init[place.offset], &address,
              place.bytes);
}

void Globals::bind(ModuleState &state, std::string_view name,
                   uint64_t address) {
  auto it = state.globals.find(name);
  size_t number = it != state.globals.end() ? it->second : 0;
  if (it == state.globals.end())
    while (number < variables.size() && variables[number].name != name)
      ++number;
  if (number == variables.size())
    return;
  state.addresses[number] = address;
  for (const Relocation &place : relocations)
    if (place.target == number)
      store(place, address);
}
