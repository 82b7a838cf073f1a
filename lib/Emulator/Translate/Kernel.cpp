//===- Kernel.cpp - Functions, scopes and names ---------------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Emulator/Translate/Kernel.h"

#include "Emulator/Execute/ExecutorCallbacks.h"
#include "Emulator/PTX/Lexer.h"

#include <utility>

using namespace hetero::emulator;
using namespace hetero::emulator::ptx;
using llvm::BasicBlock;

uint64_t hetero::emulator::ptx::functionAddress(size_t number) {
  return kFunctionWindowBase + 16 * (number + 1);
}

KernelTranslator::KernelTranslator(ModuleState &state, const Function &function,
                                   llvm::Module &llvm)
    : state(state), function(function), llvm(llvm), b(llvm.getContext()) {}

void KernelTranslator::fail(Op op, const std::string &why) const {
  throw PTXError{op.line, "instruction '" + op.text() +
                              "' is not supported by the emulator" +
                              (why.empty() ? "" : ": " + why)};
}

void KernelTranslator::begin() {
  context = body->getArg(0);
  entry = BasicBlock::Create(b.getContext(), "entry", body);
  b.SetInsertPoint(entry);
  scopes.emplace_back();
  for (const auto &[name, variable] : state.shared)
    declare(*variable);
  scopes.emplace_back();
  if (state.options.counts)
    for (Value *&counter : counts)
      counter = atEntry(b.getInt64Ty(), /*isZero=*/true);
}

//===----------------------------------------------------------------------===//
// Counting
//===----------------------------------------------------------------------===//

void KernelTranslator::count(size_t counter, Value *amount) {
  if (counts[counter])
    b.CreateStore(
        b.CreateAdd(b.CreateLoad(b.getInt64Ty(), counts[counter]), amount),
        counts[counter]);
}

void KernelTranslator::countFlops(Op op) {
  ScalarType element = type(op);
  bool isFused = op.opcode == "fma" || op.opcode == "mad";
  count(kCountedFlops,
        b.getInt64((isFused ? 2 : 1) * element.totalBits() / element.bits));
}

/// Before a return: adds what the function has counted to the thread's.
void KernelTranslator::storeCounts() {
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
void KernelTranslator::spend(unsigned line) {
  uint64_t amount = std::exchange(unspent, 0);
  if (!state.options.limit || !amount || b.GetInsertBlock()->getTerminator())
    return;
  Value *place = contextField(offsetof(ThreadContext, budget), b.getPtrTy());
  Value *left = b.CreateLoad(b.getInt64Ty(), place);
  auto *over = BasicBlock::Create(b.getContext(), "", body);
  auto *next = BasicBlock::Create(b.getContext(), "", body);
  b.CreateCondBr(b.CreateICmpULT(left, b.getInt64(amount)), over, next);
  b.SetInsertPoint(over);
  trap(line, ("has executed " + std::to_string(state.options.limit) +
              " instructions, as many as it may")
                 .c_str());
  b.SetInsertPoint(next);
  b.CreateStore(b.CreateSub(left, b.getInt64(amount)), place);
}

void KernelTranslator::runKernel(CompiledKernel &kernel) {
  auto *type = llvm::FunctionType::get(b.getVoidTy(), {b.getPtrTy()}, false);
  body = llvm::Function::Create(type, llvm::Function::ExternalLinkage,
                                "ptx." + std::string(function.name), llvm);
  frame = b.getInt64(0);
  begin();
  bindParams(kernel);
  translateBody();
}

/// What comes before the body goes to blocks behind the entry, which is for
/// allocas and what registers hold at first.
void KernelTranslator::translateBody() {
  BasicBlock *before = b.GetInsertBlock();
  declareAll(function.body);
  auto *start = BasicBlock::Create(b.getContext(), "start", body);
  b.SetInsertPoint(before);
  b.CreateBr(start);
  b.SetInsertPoint(start);
  translate(function.body);
  if (!b.GetInsertBlock()->getTerminator())
    leave(/*exits=*/false);
}

void KernelTranslator::bindParams(CompiledKernel &kernel) {
  uint64_t offset = 0;
  for (const Variable &param : function.params) {
    uint64_t align = param.alignment();
    offset = (offset + align - 1) / align * align;
    Symbol symbol;
    symbol.kind = Symbol::Param;
    symbol.offset = offset;
    add(param.name, symbol, param.line);
    kernel.params.push_back({static_cast<uint32_t>(offset),
                             static_cast<uint32_t>(param.bytes()),
                             static_cast<uint32_t>(align)});
    offset += param.bytes();
  }
  kernel.paramBytes = paramBytes = offset;
}

//===----------------------------------------------------------------------===//
// Names
//===----------------------------------------------------------------------===//

void KernelTranslator::add(Name name, const Symbol &symbol, unsigned line) {
  if (!scopes.back().symbols.emplace(name, symbol).second)
    throw PTXError{line, "'" + std::string(name) +
                             "' is declared twice; rename one of them"};
}

/// A stack slot: allocas belong to the beginning of the entry block.
llvm::Value *KernelTranslator::atEntry(Type *type, bool isZero) {
  llvm::IRBuilder<> builder(entry, entry->begin());
  auto *slot = builder.CreateAlloca(type);
  if (isZero)
    builder.CreateStore(llvm::Constant::getNullValue(type), slot);
  return slot;
}

/// Labels may be used before the statement that sets them.
void KernelTranslator::declareAll(const Block &block) {
  for (const Statement &statement : block.statements) {
    if (statement.kind == Statement::Declaration)
      declare(statement.variable);
    if (statement.kind == Statement::Prototype)
      scopes.back().prototypes[statement.label] = &statement;
    if (statement.kind == Statement::Table)
      scopes.back().tables[statement.label] = &statement.targets;
    if (statement.kind != Statement::Label)
      continue;
    auto *target = BasicBlock::Create(b.getContext(),
                                      llvm::StringRef(statement.label), body);
    if (!scopes.back().labels.emplace(statement.label, target).second)
      throw PTXError{statement.line, "label '" + std::string(statement.label) +
                                         "' is set twice; rename one of them"};
  }
}

void KernelTranslator::declareRegisters(const Variable &variable) {
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

void KernelTranslator::declare(const Variable &variable) {
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
  case Space::Param:
    symbol.kind = Symbol::Argument;
    symbol.bytes = variable.bytes();
    symbol.slot =
        atEntry(llvm::ArrayType::get(b.getInt8Ty(), symbol.bytes), true);
    llvm::cast<llvm::AllocaInst>(symbol.slot)
        ->setAlignment(llvm::Align(std::max<uint64_t>(
            std::min<uint64_t>(variable.alignment(), 128), 16)));
    break;
  default:
    throw PTXError{variable.line, "variable '" + std::string(variable.name) +
                                      "' is in a state space that a function "
                                      "cannot declare; declare it outside"};
  }
  add(variable.name, symbol, variable.line);
}

const KernelTranslator::Symbol *KernelTranslator::find(Name name) {
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

BasicBlock *KernelTranslator::findLabel(Op op, Name name) {
  for (auto scope = scopes.rbegin(); scope != scopes.rend(); ++scope) {
    auto it = scope->labels.find(name);
    if (it != scope->labels.end())
      return it->second;
  }
  fail(op, "unknown label '" + std::string(name) + "'");
}

const Statement *KernelTranslator::findPrototype(Name name) {
  for (auto scope = scopes.rbegin(); scope != scopes.rend(); ++scope) {
    auto it = scope->prototypes.find(name);
    if (it != scope->prototypes.end())
      return it->second;
  }
  return nullptr;
}

const std::vector<Name> *KernelTranslator::findTable(Name name) {
  for (auto scope = scopes.rbegin(); scope != scopes.rend(); ++scope) {
    auto it = scope->tables.find(name);
    if (it != scope->tables.end())
      return it->second;
  }
  return nullptr;
}

//===----------------------------------------------------------------------===//
// Statements
//===----------------------------------------------------------------------===//

void KernelTranslator::finishBlock(BasicBlock *next) {
  if (!b.GetInsertBlock()->getTerminator())
    b.CreateBr(next);
  b.SetInsertPoint(next);
}

void KernelTranslator::translate(const Block &block) {
  for (const Statement &statement : block.statements) {
    if (statement.kind == Statement::Label) {
      spend(statement.line);
      finishBlock(scopes.back().labels[statement.label]);
    } else if (statement.kind == Statement::Scope) {
      scopes.emplace_back();
      declareAll(*statement.scope);
      translate(*statement.scope);
      scopes.pop_back();
    } else if (statement.kind == Statement::Op) {
      translateGuarded(statement.op);
    }
  }
}

static bool isOfTextures(Name opcode) {
  for (Name name :
       {"tex", "tld4", "txq", "istypep", "suld", "sust", "sured", "suq"})
    if (opcode == name)
      return true;
  return false;
}

void KernelTranslator::translateGuarded(Op op) {
  current = &op;
  std::string why;
  const Rule *rule = findRule(op, why);
  if (!rule)
    fail(op, isOfTextures(op.opcode)
                 ? "it is of textures or surfaces; use global memory"
                 : why);
  // Code behind a jump, up to the next label, is never reached.
  if (b.GetInsertBlock()->getTerminator())
    b.SetInsertPoint(BasicBlock::Create(b.getContext(), "", body));
  count(kCountedInstructions, b.getInt64(1));
  ++unspent;
  if (op.opcode == "bra" || op.opcode == "brx" || op.opcode == "call")
    spend(op.line);
  if (op.guard.empty())
    return (this->*rule->emit)(op);
  Operand guard;
  guard.kind = Operand::Identifier;
  guard.name = op.guard;
  guard.negated = op.guardNegated;
  auto *then = BasicBlock::Create(b.getContext(), "", body);
  auto *next = BasicBlock::Create(b.getContext(), "", body);
  b.CreateCondBr(readPredicate(op, guard), then, next);
  b.SetInsertPoint(then);
  (this->*rule->emit)(op);
  finishBlock(next);
}

//===----------------------------------------------------------------------===//
// Modifiers
//===----------------------------------------------------------------------===//

bool KernelTranslator::has(Name modifier) const {
  for (Name name : current->modifiers)
    if (name == modifier)
      return true;
  return false;
}

std::vector<ScalarType> KernelTranslator::types() const {
  std::vector<ScalarType> result;
  ScalarType type;
  for (Name name : current->modifiers)
    if (parseScalarType(name, type))
      result.push_back(type);
  return result;
}

ScalarType KernelTranslator::type(Op op) const {
  std::vector<ScalarType> all = types();
  if (all.empty())
    fail(op, "it has no type");
  return all.back();
}
