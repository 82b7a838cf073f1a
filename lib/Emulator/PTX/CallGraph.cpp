//===- CallGraph.cpp - What PTX functions use and call --------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Shared memory: two kernels that use different variables may put them at the
// same offset, but a function that both call must find its variables at one
// place. So each variable gets one offset in the module, the lowest that does
// not collide with the variables it meets in some kernel.
//
//===----------------------------------------------------------------------===//

#include "Emulator/PTX/CallGraph.h"
#include "Emulator/PTX/Lexer.h"

#include <algorithm>

using namespace hetero::emulator::ptx;

static uint64_t alignTo(uint64_t value, uint64_t align) {
  return (value + align - 1) / align * align;
}

CallGraph::CallGraph(const Module &module) {
  addModuleSymbols(module);
  for (Name name : order) {
    FunctionFacts &facts = byName[name];
    if (facts.function->hasBody) {
      scanBlock(facts, facts.function->body);
      findSpins(facts);
    }
  }
  layoutFrames();
  propagate();
  layoutShared();
}

void CallGraph::addModuleSymbols(const Module &module) {
  for (const Variable &variable : module.variables) {
    if (variable.space != Space::Shared)
      continue;
    moduleShared[variable.name] = &variable;
    if (variable.isExtern || variable.bytes() == 0)
      dynamicAlign = std::max(dynamicAlign, variable.alignment());
  }
  for (const auto &function : module.functions) {
    FunctionFacts &facts = byName[function->name];
    if (!facts.function)
      order.push_back(function->name);
    if (facts.function && facts.function->hasBody && function->hasBody)
      throw PTXError{function->line, "function '" +
                                         std::string(function->name) +
                                         "' is defined twice"};
    if (!facts.function || function->hasBody)
      facts.function = function.get();
  }
  // An alias is another name of the same function.
  for (auto [alias, aliasee] : module.aliases) {
    auto it = byName.find(aliasee);
    if (it == byName.end())
      continue;
    FunctionFacts facts = it->second;
    byName[alias] = facts;
  }
}

FunctionFacts *CallGraph::lookup(Name name) {
  auto it = byName.find(name);
  return it == byName.end() ? nullptr : &byName[it->second.function->name];
}

FunctionFacts &CallGraph::facts(const Function &function) {
  return byName[function.name];
}

uint64_t CallGraph::sharedOffset(const Variable &variable) const {
  auto it = sharedOffsets.find(&variable);
  return it == sharedOffsets.end() ? 0 : it->second;
}

uint64_t CallGraph::localOffset(const Variable &variable) const {
  auto it = localOffsets.find(&variable);
  return it == localOffsets.end() ? 0 : it->second;
}

uint64_t CallGraph::sharedBytes(const FunctionFacts &kernel) const {
  uint64_t end = 0;
  for (const Variable *variable : kernel.shared)
    end = std::max(end, sharedOffset(*variable) + variable->bytes());
  if (!kernel.usesDynamicShared)
    return end;
  // Functions find the dynamic part at one place in every kernel.
  for (const auto &[name, facts] : byName)
    if (facts.usesDynamicShared)
      for (const Variable *variable : facts.shared)
        end = std::max(end, sharedOffset(*variable) + variable->bytes());
  return alignTo(end, dynamicAlign);
}

//===----------------------------------------------------------------------===//
// Scanning bodies
//===----------------------------------------------------------------------===//

/// Threads that may wait for others.
static bool isCollective(const Instruction &op) {
  return op.opcode == "bar" || op.opcode == "barrier" || op.opcode == "shfl" ||
         op.opcode == "vote" || op.opcode == "match" || op.opcode == "redux" ||
         op.opcode == "activemask" || op.opcode == "nanosleep" ||
         op.opcode == "mbarrier" || op.opcode == "elect" ||
         op.opcode == "mma" || op.opcode == "wmma" || op.opcode == "wgmma" ||
         op.opcode == "ldmatrix" || op.opcode == "stmatrix" ||
         op.opcode == "movmatrix";
}

void CallGraph::scanBlock(FunctionFacts &facts, const Block &block) {
  for (const Statement &statement : block.statements) {
    if (statement.kind == Statement::Op)
      scanOp(facts, statement.op);
    else if (statement.kind == Statement::Declaration)
      scanDeclaration(facts, statement.variable);
    else if (statement.kind == Statement::Scope)
      scanBlock(facts, *statement.scope);
  }
}

void CallGraph::scanOp(FunctionFacts &facts, const Instruction &op) {
  facts.usesCollectives |= isCollective(op);
  facts.allocates |= op.opcode == "alloca";
  for (const Operand &operand : op.operands)
    scanOperand(facts, operand);
  if (op.opcode == "mov" && op.operands.size() == 2)
    facts.movedSymbols.insert(op.operands[1].name);
  if (op.opcode != "call")
    return;
  // The callee stands first, or after the list of results.
  bool direct = false;
  for (const Operand &operand : op.operands)
    direct |= operand.kind == Operand::Identifier && lookup(operand.name);
  facts.callsIndirectly |= !direct;
}

void CallGraph::scanOperand(FunctionFacts &facts, const Operand &operand) {
  for (const Operand &element : operand.elements)
    scanOperand(facts, element);
  if (operand.kind != Operand::Identifier)
    return;
  if (FunctionFacts *callee = lookup(operand.name))
    facts.callees.insert(callee);
  facts.usesReservedShared |=
      operand.name.substr(0, 22) == "%reserved_smem_offset_";
  auto it = moduleShared.find(operand.name);
  if (it == moduleShared.end())
    return;
  if (it->second->isExtern || it->second->bytes() == 0)
    facts.usesDynamicShared = true;
  else
    facts.shared.insert(it->second);
}

void CallGraph::scanDeclaration(FunctionFacts &facts,
                                const Variable &variable) {
  if (variable.space == Space::Shared)
    facts.shared.insert(&variable);
  else if (variable.space == Space::Local)
    facts.locals.push_back(&variable);
  else if (variable.space == Space::Reg)
    facts.registers +=
        std::max(1u, variable.count) * std::max(1u, variable.type.bytes() / 4);
}

//===----------------------------------------------------------------------===//
// Loops that may wait
//===----------------------------------------------------------------------===//

namespace {
/// The instructions of a function in the order of the text, and where its
/// labels stand among them.
struct FlatBody {
  std::vector<const Instruction *> ops;
  std::map<Name, size_t> labels;

  void add(const Block &block) {
    for (const Statement &statement : block.statements) {
      if (statement.kind == Statement::Label)
        labels.emplace(statement.label, ops.size());
      else if (statement.kind == Statement::Op)
        ops.push_back(&statement.op);
      else if (statement.kind == Statement::Scope)
        add(*statement.scope);
    }
  }
};
} // namespace

static void addNames(const Operand &operand, std::set<Name> &names) {
  names.insert(operand.name);
  for (const Operand &element : operand.elements)
    addNames(element, names);
}

/// The registers that instructions read, and perhaps some that they write.
static std::set<Name> namesThatAreRead(const FlatBody &body) {
  std::set<Name> names;
  for (const Instruction *op : body.ops) {
    names.insert(op->guard);
    for (size_t i = 0; i < op->operands.size(); ++i)
      if (i > 0 || op->operands[i].kind == Operand::Address)
        addNames(op->operands[i], names);
  }
  return names;
}

/// By the text: between a label and a jump back to it, or in a function that
/// others may call in a loop. An atomic operation whose result nothing reads
/// does not wait.
void CallGraph::findSpins(FunctionFacts &facts) {
  FlatBody body;
  body.add(facts.function->body);
  auto mayWait = [](const Instruction *op) {
    return op->opcode == "membar" || op->opcode == "fence" ||
           op->opcode == "atom";
  };
  if (std::none_of(body.ops.begin(), body.ops.end(), mayWait))
    return;
  // How many more loops there are from each instruction on.
  std::vector<int> loops(body.ops.size() + 1);
  loops[0] = !facts.function->isEntry;
  for (size_t i = 0; i < body.ops.size(); ++i) {
    const Instruction &op = *body.ops[i];
    auto label = op.opcode == "bra" && op.operands.size() == 1
                     ? body.labels.find(op.operands[0].name)
                     : body.labels.end();
    if (label != body.labels.end() && label->second <= i) {
      ++loops[label->second];
      --loops[i];
    }
  }
  std::set<Name> read = namesThatAreRead(body);
  int depth = 0;
  for (size_t i = 0; i < body.ops.size(); ++i) {
    depth += loops[i];
    const Instruction &op = *body.ops[i];
    bool isFence = op.opcode == "membar" || op.opcode == "fence";
    bool isAtomic = op.opcode == "atom" && !op.operands.empty() &&
                    read.count(op.operands[0].name);
    if (depth > 0 && (isFence || isAtomic))
      facts.spins.insert(&op);
  }
  facts.usesCollectives |= !facts.spins.empty();
}

//===----------------------------------------------------------------------===//
// Callees
//===----------------------------------------------------------------------===//

void CallGraph::propagate() {
  // An indirect call may reach every function whose code is here.
  for (auto &[name, facts] : byName) {
    if (!facts.callsIndirectly)
      continue;
    for (auto &[other, callee] : byName)
      if (callee.function->hasBody && !callee.function->isEntry)
        facts.callees.insert(&callee);
  }
  auto state = [](const FunctionFacts &facts) {
    return std::make_tuple(facts.shared.size(), facts.usesCollectives,
                           facts.usesDynamicShared, facts.usesReservedShared);
  };
  for (bool changed = true; changed;) {
    changed = false;
    for (auto &[name, facts] : byName) {
      auto before = state(facts);
      for (FunctionFacts *callee : facts.callees) {
        facts.shared.insert(callee->shared.begin(), callee->shared.end());
        facts.usesCollectives |= callee->usesCollectives;
        facts.usesDynamicShared |= callee->usesDynamicShared;
        facts.usesReservedShared |= callee->usesReservedShared;
      }
      changed |= before != state(facts);
    }
  }
  findRecursion();
  for (auto &[name, facts] : byName) {
    std::set<FunctionFacts *> active;
    stackOf(facts, active);
  }
}

void CallGraph::findRecursion() {
  for (auto &[name, facts] : byName) {
    std::set<FunctionFacts *> reached;
    std::vector<FunctionFacts *> waiting(facts.callees.begin(),
                                         facts.callees.end());
    while (!waiting.empty()) {
      FunctionFacts *callee = waiting.back();
      waiting.pop_back();
      if (reached.insert(callee).second)
        waiting.insert(waiting.end(), callee->callees.begin(),
                       callee->callees.end());
    }
    facts.isRecursive = reached.count(&facts) != 0;
  }
}

void CallGraph::layoutFrames() {
  for (auto &[name, facts] : byName) {
    uint64_t end = 0;
    for (const Variable *local : facts.locals) {
      end = alignTo(end, local->alignment());
      localOffsets[local] = end;
      end += local->bytes();
    }
    // Parameters whose address a function takes are copied to its frame.
    if (!facts.function->isEntry)
      for (const Variable &param : facts.function->params) {
        if (!facts.movedSymbols.count(param.name))
          continue;
        end = alignTo(end, param.alignment());
        localOffsets[&param] = end;
        end += param.bytes();
      }
    facts.frameBytes = alignTo(end, 16);
  }
}

uint64_t CallGraph::stackOf(FunctionFacts &facts,
                            std::set<FunctionFacts *> &active) {
  if (facts.stackKnown)
    return facts.stackBytes;
  if (active.size() > 256 || !active.insert(&facts).second)
    return kUnknownStack;
  uint64_t deepest = 0;
  for (FunctionFacts *callee : facts.callees)
    deepest = std::max(deepest, stackOf(*callee, active));
  active.erase(&facts);
  facts.stackKnown = true;
  facts.stackBytes =
      facts.frameBytes + deepest + (facts.allocates ? kUnknownStack : 0);
  return facts.stackBytes;
}

//===----------------------------------------------------------------------===//
// Shared memory
//===----------------------------------------------------------------------===//

void CallGraph::layoutShared() {
  for (Name name : order) {
    const FunctionFacts &facts = byName[name];
    std::vector<const Variable *> waiting;
    for (const Variable *variable : facts.shared)
      if (!sharedOffsets.count(variable))
        waiting.push_back(variable);
    // The set is in the order of addresses: take that of the text.
    std::sort(waiting.begin(), waiting.end(),
              [](const Variable *a, const Variable *b) {
                return a->name.data() < b->name.data();
              });
    for (const Variable *variable : waiting)
      placeShared(facts, *variable);
  }
}

void CallGraph::placeShared(const FunctionFacts &kernel,
                            const Variable &variable) {
  // Whatever may be in memory together with this variable.
  std::set<const Variable *> others;
  for (auto &[name, facts] : byName)
    if (&facts == &kernel || facts.shared.count(&variable))
      others.insert(facts.shared.begin(), facts.shared.end());
  std::vector<std::pair<uint64_t, uint64_t>> taken;
  for (const Variable *other : others)
    if (sharedOffsets.count(other))
      taken.emplace_back(sharedOffsets[other],
                         sharedOffsets[other] + other->bytes());
  std::sort(taken.begin(), taken.end());
  uint64_t offset = 0;
  for (auto [begin, end] : taken) {
    if (offset + variable.bytes() <= begin)
      break;
    offset = std::max(offset, alignTo(end, variable.alignment()));
  }
  sharedOffsets[&variable] = offset;
}
