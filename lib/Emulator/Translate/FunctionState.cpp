//===- FunctionState.cpp - Names, blocks and counters ---------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Emulator/Translate/FunctionState.h"

#include "Emulator/PTX/Lexer.h"
#include "Emulator/Translate/Access.h"

#include <algorithm>
#include <cstddef>
#include <utility>

using namespace hetero::emulator;
using namespace hetero::emulator::ptx;
using llvm::BasicBlock;

FunctionState::FunctionState(ModuleState &state, const Function &function,
                             llvm::Module &module)
    : state(state), function(function), module(module), b(module.getContext()) {
}

void FunctionState::begin(llvm::Function *llvm, Value *frame) {
  body = llvm;
  context = body->getArg(0);
  this->frame = frame;
  entry = newBlock("entry");
  b.SetInsertPoint(entry);
  scopes.emplace_back();
  for (const auto &[name, variable] : state.shared)
    declare(*variable);
  scopes.emplace_back();
  if (state.options.counts)
    for (Value *&counter : counts)
      counter = atEntry(b.getInt64Ty(), /*isZero=*/true);
}

void FunctionState::fail(Op op, const std::string &why) const {
  throw PTXError{op.line, "instruction '" + op.text() +
                              "' is not supported by the emulator" +
                              (why.empty() ? "" : ": " + why)};
}

//===----------------------------------------------------------------------===//
// Counters
//===----------------------------------------------------------------------===//

void FunctionState::count(size_t counter, Value *amount) {
  if (counts[counter])
    b.CreateStore(
        b.CreateAdd(b.CreateLoad(b.getInt64Ty(), counts[counter]), amount),
        counts[counter]);
}

void FunctionState::countInstruction() {
  count(kCountedInstructions, b.getInt64(1));
  ++unspent;
}

/// Before a return: adds what the function has counted to the thread's.
void FunctionState::storeCounts() {
  if (!state.options.counts)
    return;
  Value *all = contextField(offsetof(ThreadContext, counters), b.getPtrTy());
  for (size_t i = 0; i < kNumCounters; ++i) {
    Value *place = b.CreateConstGEP1_64(b.getInt64Ty(), all, i);
    Value *own = b.CreateLoad(b.getInt64Ty(), counts[i]);
    b.CreateStore(b.CreateAdd(b.CreateLoad(b.getInt64Ty(), place), own), place);
  }
}

/// Takes the instructions since the last time from the thread's budget: before
/// each jump, call and label, so that no loop goes on for ever.
void FunctionState::spend(unsigned line) {
  uint64_t amount = std::exchange(unspent, 0);
  if (!state.options.limit || !amount || b.GetInsertBlock()->getTerminator())
    return;
  Value *place = contextField(offsetof(ThreadContext, budget), b.getPtrTy());
  Value *left = b.CreateLoad(b.getInt64Ty(), place);
  auto *over = newBlock();
  auto *next = newBlock();
  b.CreateCondBr(b.CreateICmpULT(left, b.getInt64(amount)), over, next);
  b.SetInsertPoint(over);
  trap(line, ("has executed " + std::to_string(state.options.limit) +
              " instructions, as many as it may")
                 .c_str());
  b.SetInsertPoint(next);
  b.CreateStore(b.CreateSub(left, b.getInt64(amount)), place);
}

//===----------------------------------------------------------------------===//
// Names
//===----------------------------------------------------------------------===//

void FunctionState::openScope(const Block &block) {
  scopes.emplace_back();
  declareAll(block);
}

void FunctionState::closeScope() {
  for (const auto &[key, memory] : scopes.back().params)
    freeParams[key].push_back(memory);
  scopes.pop_back();
}

void FunctionState::add(Name name, const Symbol &symbol, unsigned line) {
  if (!scopes.back().symbols.emplace(name, symbol).second)
    throw PTXError{line, "'" + std::string(name) +
                             "' is declared twice; rename one of them"};
}

/// Labels may be used before the statement that sets them.
void FunctionState::declareAll(const Block &block) {
  for (const Statement &statement : block.statements) {
    if (statement.kind == Statement::Declaration)
      declare(statement.variable);
    if (statement.kind == Statement::Prototype)
      scopes.back().prototypes[statement.label] = &statement;
    if (statement.kind == Statement::Table)
      scopes.back().tables[statement.label] = &statement.targets;
    if (statement.kind != Statement::Label)
      continue;
    auto *target = newBlock(statement.label);
    if (!scopes.back().labels.emplace(statement.label, target).second)
      throw PTXError{statement.line, "label '" + std::string(statement.label) +
                                         "' is set twice; rename one of them"};
  }
}

void FunctionState::declareRegisters(const Variable &variable) {
  Symbol symbol;
  symbol.bits =
      variable.type.kind == ScalarType::Pred ? 1 : variable.type.totalBits();
  if (variable.isArray || variable.vector != 1)
    throw PTXError{variable.line, "register '" + std::string(variable.name) +
                                      "' is an array or vector; declare one "
                                      "register per element"};
  unsigned count = variable.count ? variable.count : 1;
  for (unsigned i = 0; i < count; ++i) {
    // What was never written reads as zero.
    symbol.slot = atEntry(bitsType(symbol.bits), /*isZero=*/true);
    names.push_back(std::string(variable.name) +
                    (variable.count ? std::to_string(i) : ""));
    add(names.back(), symbol, variable.line);
  }
}

/// Memory of a parameter of a call, which was that of another scope's. nvcc
/// opens one for each call.
llvm::Value *FunctionState::paramMemory(const Variable &variable) {
  uint64_t align = std::clamp<uint64_t>(variable.alignment(), 16, 128);
  std::pair<uint64_t, uint64_t> key = {variable.bytes(), align};
  std::vector<Value *> &free = freeParams[key];
  Value *memory;
  if (free.empty()) {
    memory = atEntry(llvm::ArrayType::get(b.getInt8Ty(), key.first), true);
    llvm::cast<llvm::AllocaInst>(memory)->setAlignment(llvm::Align(align));
  } else {
    memory = free.back();
    free.pop_back();
  }
  scopes.back().params.emplace_back(key, memory);
  return memory;
}

void FunctionState::declare(const Variable &variable) {
  Symbol symbol;
  switch (variable.space) {
  case Space::Reg:
    return declareRegisters(variable);
  case Space::Shared: {
    bool isDynamic = variable.isExtern || variable.bytes() == 0;
    symbol.kind = Symbol::Shared;
    symbol.offset = isDynamic
                        ? state.graph.sharedBytes(state.graph.facts(function))
                        : state.graph.sharedOffset(variable);
    break;
  }
  case Space::Local:
    symbol.kind = Symbol::Local;
    symbol.offset = state.graph.localOffset(variable);
    break;
  case Space::Global:
  case Space::Const:
    symbol.kind = Symbol::Global;
    symbol.offset = state.globalsOfFunctions.at(&variable);
    break;
  case Space::Param:
    symbol.kind = Symbol::Argument;
    symbol.bytes = variable.bytes();
    symbol.slot = paramMemory(variable);
    break;
  default:
    throw PTXError{variable.line, "variable '" + std::string(variable.name) +
                                      "' is in a state space that a function "
                                      "cannot declare; declare it outside"};
  }
  add(variable.name, symbol, variable.line);
}

const FunctionState::Symbol *FunctionState::find(Name name) {
  for (auto scope = scopes.rbegin(); scope != scopes.rend(); ++scope) {
    auto it = scope->symbols.find(name);
    if (it != scope->symbols.end())
      return &it->second;
  }
  Symbol symbol;
  if (auto global = state.globals.find(name); global != state.globals.end()) {
    symbol.kind = Symbol::Global;
    symbol.offset = global->second;
  } else if (FunctionFacts *facts = state.graph.lookup(name)) {
    auto callee = state.functions.find(facts->function->name);
    if (callee == state.functions.end())
      return nullptr;
    symbol.kind = Symbol::Function;
    symbol.offset = functionAddress(callee->second);
  } else {
    return nullptr;
  }
  return &(scopes.front().symbols[name] = symbol);
}

BasicBlock *FunctionState::findLabel(Op op, Name name) {
  for (auto scope = scopes.rbegin(); scope != scopes.rend(); ++scope) {
    auto it = scope->labels.find(name);
    if (it != scope->labels.end())
      return it->second;
  }
  fail(op, "unknown label '" + std::string(name) + "'");
}

const Statement *FunctionState::findPrototype(Name name) {
  for (auto scope = scopes.rbegin(); scope != scopes.rend(); ++scope) {
    auto it = scope->prototypes.find(name);
    if (it != scope->prototypes.end())
      return it->second;
  }
  return nullptr;
}

const std::vector<Name> *FunctionState::findTable(Name name) {
  for (auto scope = scopes.rbegin(); scope != scopes.rend(); ++scope) {
    auto it = scope->tables.find(name);
    if (it != scope->tables.end())
      return it->second;
  }
  return nullptr;
}

//===----------------------------------------------------------------------===//
// Blocks
//===----------------------------------------------------------------------===//

llvm::BasicBlock *FunctionState::newBlock(llvm::StringRef name) {
  return BasicBlock::Create(b.getContext(), name, body);
}

void FunctionState::finishBlock(BasicBlock *next) {
  if (!b.GetInsertBlock()->getTerminator())
    b.CreateBr(next);
  b.SetInsertPoint(next);
}

/// A stack slot: allocas belong to the beginning of the entry block.
llvm::Value *FunctionState::atEntry(Type *type, bool isZero) {
  llvm::IRBuilder<> builder(entry, entry->begin());
  auto *slot = builder.CreateAlloca(type);
  if (isZero)
    builder.CreateStore(llvm::Constant::getNullValue(type), slot);
  return slot;
}

llvm::Value *FunctionState::scratch(Type *type) {
  if (scratchOf != current)
    for (auto &[of, scratch] : scratches)
      scratch.used = 0;
  scratchOf = current;
  Scratch &scratch = scratches[type];
  if (scratch.used == scratch.slots.size())
    scratch.slots.push_back(atEntry(type));
  return scratch.slots[scratch.used++];
}

void FunctionState::addResult(const Symbol &symbol, Value *pointer) {
  registerResults.push_back({symbol.slot, bitsType(symbol.bits), pointer});
}

/// Ends the thread, or just the function.
void FunctionState::leave(bool exits) {
  storeCounts();
  if (function.isEntry) {
    b.CreateRetVoid();
    return;
  }
  for (const RegisterResult &result : registerResults)
    b.CreateStore(b.CreateLoad(result.type, result.slot), result.pointer);
  b.CreateRet(b.getInt1(exits));
}

void FunctionState::trap(unsigned line, const char *what) {
  callback("heteroEmuTrap", b.getVoidTy(),
           {context, b.CreateGlobalString(what), b.getInt32(line)});
  b.CreateUnreachable();
}

//===----------------------------------------------------------------------===//
// Calls
//===----------------------------------------------------------------------===//

llvm::Value *FunctionState::contextField(size_t offset, Type *type) {
  return loadField(b, context, offset, type);
}

llvm::Value *FunctionState::callback(const char *name, Type *result,
                                     llvm::ArrayRef<Value *> arguments) {
  std::vector<Type *> types;
  for (Value *argument : arguments)
    types.push_back(argument->getType());
  auto callee = module.getOrInsertFunction(
      name, llvm::FunctionType::get(result, types, false));
  return b.CreateCall(callee, arguments);
}

llvm::Value *FunctionState::meeting(const char *name, Type *result,
                                    llvm::ArrayRef<Value *> arguments) {
  b.CreateStore(b.getInt32(current->line),
                b.CreateConstGEP1_64(b.getInt8Ty(), context,
                                     offsetof(ThreadContext, line)));
  return callback(name, result, arguments);
}

llvm::Function *FunctionState::declareFunction(const Function &callee) {
  std::string name = "func." + std::string(callee.name);
  if (llvm::Function *declared = module.getFunction(name))
    return declared;
  std::vector<Type *> types = {b.getPtrTy(), b.getInt64Ty()};
  types.resize(2 + callee.returns.size() + callee.params.size(), b.getPtrTy());
  auto *type = llvm::FunctionType::get(b.getInt1Ty(), types, false);
  return llvm::Function::Create(type, llvm::Function::InternalLinkage, name,
                                module);
}
