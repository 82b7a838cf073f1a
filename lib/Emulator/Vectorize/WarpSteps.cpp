//===- WarpSteps.cpp - Where the threads of a warp keep step --------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Emulator/Vectorize/WarpSteps.h"
#include "Emulator/Vectorize/WarpCollectives.h"

#include "Emulator/Vectorize/WarpAnalysis.h"

#include "Emulator/ABI/ExecutorCallbacks.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"

using namespace hetero::emulator;
using namespace hetero::emulator::ptx;
using llvm::BasicBlock;
using llvm::CallInst;

/// The places of kernels come after those of functions, so that threads that
/// are still in a function go on first.
static constexpr uint32_t kFirstOfKernel = 1u << 31;

namespace {
/// What a thread has done since its warp was last in step, as a set.
enum Pending : uint8_t { None, Load = 1, Store = 2, Atomic = 4, Any = 7 };

class StepInserter {
public:
  StepInserter(llvm::Function &function, bool orderedOnly)
      : function(function), orderedOnly(orderedOnly),
        isKernel(function.getName().starts_with("ptx.")) {}

  /// Numbers the places from `number` on. False if there are none.
  bool run(uint32_t &number);

private:
  struct Access {
    Pending kind;
    bool isOrdered;
  };

  bool findAccess(const CallInst &call, Access &access) const;
  uint8_t scan(BasicBlock &block, uint8_t pending, bool inserts);
  void solve();
  void insertBefore(CallInst &access);
  bool numberPlaces(uint32_t &number);

  llvm::Function &function;
  bool orderedOnly, isKernel;
  std::vector<BasicBlock *> blocks;
  llvm::DenseMap<const BasicBlock *, uint8_t> before;
};
} // namespace

static uint32_t kindOf(const CallInst &access) {
  return llvm::cast<llvm::ConstantInt>(access.getArgOperand(3))->getZExtValue();
}

/// An object of mbarrier orders by itself.
static bool isOfPhase(const CallInst &access) {
  return llvm::any_of(access.users(), [](const llvm::User *user) {
    return calleeName(*llvm::cast<llvm::Instruction>(user)) == "heteroEmuPhase";
  });
}

bool StepInserter::findAccess(const CallInst &call, Access &access) const {
  llvm::StringRef name = calleeName(call);
  if (name != "emu.shared" && name != "emu.global")
    return false;
  uint32_t kind = kindOf(call);
  access.isOrdered = kind & kStrong;
  access.kind = kind & kReadsToo ? Atomic : kind & kWrites ? Store : Load;
  if (!access.isOrdered && (orderedOnly || name == "emu.global"))
    return false;
  if (kind & kUnordered || isOfPhase(call))
    return false;
  return access.kind != Atomic || name == "emu.shared";
}

/// What is pending after the block. An ordered load may wait for another
/// thread, so that there is a step before it unless it only follows others.
uint8_t StepInserter::scan(BasicBlock &block, uint8_t pending, bool inserts) {
  bool isInStep = false;
  for (llvm::Instruction &op : llvm::make_early_inc_range(block)) {
    auto *call = llvm::dyn_cast<CallInst>(&op);
    Access access;
    if (!call)
      continue;
    if (isCollective(op) || calleeName(op).ends_with("Multiply")) {
      pending = calleeName(op) == "heteroEmuBarrierArrive" ? pending : None;
    } else if (calleeName(op).starts_with("func.")) {
      pending = Any;
    } else if (findAccess(*call, access)) {
      uint8_t conflicts = Any & ~access.kind;
      if (access.kind == Store && access.isOrdered)
        conflicts = Any;
      bool waits = access.kind == Load && access.isOrdered && !isInStep;
      if (waits || pending & conflicts) {
        pending = None;
        isInStep = access.kind == Load;
        if (inserts)
          insertBefore(*call);
      }
      pending |= access.kind;
    }
    if (pending & (Store | Atomic))
      isInStep = false;
  }
  return pending;
}

void StepInserter::solve() {
  bool changed = true;
  auto flow = [&](BasicBlock *to, uint8_t pending) {
    uint8_t joined = before[to] | pending;
    changed |= joined != before[to];
    before[to] = joined;
  };
  while (changed) {
    changed = false;
    flow(blocks.front(), isKernel ? None : Any);
    for (BasicBlock *block : blocks) {
      uint8_t after = scan(*block, before[block], /*inserts=*/false);
      for (BasicBlock *next : llvm::successors(block))
        flow(next, after);
    }
  }
}

/// Calls that are alike must not become one: a place is where a warp is.
static CallInst *keepApart(CallInst *call) {
  call->addFnAttr(llvm::Attribute::Convergent);
  call->addFnAttr(llvm::Attribute::NoMerge);
  return call;
}

void StepInserter::insertBefore(CallInst &access) {
  llvm::IRBuilder<> b(&access);
  bool waits = (kindOf(access) & ~kNotLocal) == uint32_t(kStrong);
  auto *type = llvm::FunctionType::get(
      b.getVoidTy(),
      {b.getPtrTy(), b.getInt32Ty(), b.getInt64Ty(), b.getInt32Ty()}, false);
  keepApart(b.CreateCall(
      function.getParent()->getOrInsertFunction("heteroEmuStep", type),
      {access.getArgOperand(0), b.getInt32(0), access.getArgOperand(1),
       b.getInt32(waits)}));
}

bool StepInserter::numberPlaces(uint32_t &number) {
  uint32_t first = number;
  for (BasicBlock *block : blocks)
    for (llvm::Instruction &op : *block)
      if (calleeName(op) == "heteroEmuStep" ||
          calleeName(op) == "heteroEmuActiveMask") {
        auto *call = keepApart(llvm::cast<CallInst>(&op));
        call->setArgOperand(
            1, llvm::ConstantInt::get(call->getArgOperand(1)->getType(),
                                      number++));
      }
  return number != first;
}

bool StepInserter::run(uint32_t &number) {
  llvm::DominatorTree dominators(function);
  blocks = orderBlocks(function, llvm::LoopInfo(dominators));
  solve();
  for (BasicBlock *block : blocks)
    scan(*block, before[block], /*inserts=*/true);
  return numberPlaces(number);
}

WarpSteps::WarpSteps(llvm::Module &module, bool orderedOnly) {
  uint32_t ofFunctions = 0;
  for (llvm::Function &function : module) {
    if (function.isDeclaration())
      continue;
    uint32_t ofKernel = kFirstOfKernel;
    bool isKernel = function.getName().starts_with("ptx.");
    if (StepInserter(function, orderedOnly)
            .run(isKernel ? ofKernel : ofFunctions))
      functions.insert(&function);
  }
}

/// A call by an address may reach every function.
bool WarpSteps::areIn(const llvm::Function &kernel) const {
  std::set<const llvm::Function *> seen = {&kernel};
  std::vector<const llvm::Function *> waiting = {&kernel};
  while (!waiting.empty()) {
    const llvm::Function *function = waiting.back();
    waiting.pop_back();
    if (functions.count(function))
      return true;
    for (const BasicBlock &block : *function)
      for (const llvm::Instruction &op : block)
        if (const auto *call = llvm::dyn_cast<CallInst>(&op)) {
          const llvm::Function *callee = call->getCalledFunction();
          if (callee && !callee->isDeclaration() && seen.insert(callee).second)
            waiting.push_back(callee);
        }
  }
  return false;
}
