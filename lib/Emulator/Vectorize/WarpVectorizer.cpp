//===- WarpVectorizer.cpp - Blocks and branches of warps ------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A block that all live lanes run is entered by jumps. One that only some may
// run has a gate, which lets those in that `pending` names: the gates stand in
// the order of the blocks, and the one after a loop leads back to its header
// while lanes wait there. What other blocks use is in a slot on the stack,
// which LLVM turns into values again.
//
//===----------------------------------------------------------------------===//

#include "Emulator/Vectorize/WarpVectorizer.h"

#include "Emulator/ABI/CompiledCode.h"
#include "Emulator/Vectorize/WarpInstructions.h"

#include "llvm/IR/Module.h"

#include <cstddef>

using namespace hetero::emulator;
using namespace hetero::emulator::ptx;
using llvm::BasicBlock;

namespace {
class WarpVectorizer {
public:
  WarpVectorizer(llvm::Function &kernel, const WarpAnalysis &analysis,
                 const std::string &name)
      : w(kernel, analysis, name), b(w.b) {}

  llvm::Function *run();

private:
  using Value = llvm::Value;
  using Op = llvm::Instruction;

  void begin();
  void emitBlock(unsigned block);
  void emitInstructions(unsigned block);
  void emitGate(unsigned block);
  void emitTerminator(unsigned block);
  void emitUniformBranch(unsigned block, Value *condition, unsigned then,
                         unsigned otherwise);
  void emitPart(unsigned block, llvm::BranchInst &branch);
  void jump(unsigned from, unsigned to);
  void send(unsigned from, unsigned to, Value *which);
  void copyPhis(unsigned from, unsigned to, Value *which);
  void endLanes(Value *which);
  unsigned numberOf(const BasicBlock *block) const {
    return w.analysis.number.lookup(block);
  }

  WarpBuilder w;
  llvm::IRBuilder<> &b;
  WarpMemory memory{w};
  WarpInstructions instructions{w, memory};
  /// Lanes that have not ended.
  Value *live = nullptr;
  std::vector<BasicBlock *> entries, gates;
  std::vector<llvm::AllocaInst *> pending;
  llvm::DenseMap<const Value *, llvm::AllocaInst *> phis;
};
} // namespace

llvm::Function *hetero::emulator::ptx::vectorize(llvm::Function &kernel,
                                                 const WarpAnalysis &analysis,
                                                 const std::string &name) {
  return WarpVectorizer(kernel, analysis, name).run();
}

llvm::Function *WarpVectorizer::run() {
  begin();
  for (unsigned block = 0; block < w.analysis.blocks.size(); ++block) {
    emitGate(block);
    emitBlock(block);
  }
  emitGate(w.analysis.blocks.size());
  b.CreateRetVoid();
  b.SetInsertPoint(w.entry);
  b.CreateBr(entries[0]);
  return w.body;
}

void WarpVectorizer::begin() {
  live = b.CreateAlloca(b.getInt32Ty());
  b.CreateStore(w.warpField(offsetof(WarpContext, live), b.getInt32Ty()), live);
  for (const BasicBlock *block : w.analysis.blocks) {
    gates.push_back(w.newBlock());
    entries.push_back(w.newBlock());
    pending.push_back(w.atEntry(b.getInt32Ty()));
    for (const llvm::PHINode &phi : block->phis())
      phis[&phi] = w.atEntry(w.typeOf(&phi));
  }
  gates.push_back(w.newBlock());
}

//===----------------------------------------------------------------------===//
// Blocks
//===----------------------------------------------------------------------===//

void WarpVectorizer::emitGate(unsigned block) {
  b.SetInsertPoint(gates[block]);
  auto test = [&](unsigned other, BasicBlock *otherwise) {
    Value *waiting = b.CreateLoad(b.getInt32Ty(), pending[other]);
    b.CreateCondBr(b.CreateICmpNE(waiting, b.getInt32(0)), entries[other],
                   otherwise);
    b.SetInsertPoint(otherwise);
  };
  if (block > 0)
    for (unsigned header : w.analysis.loopsThatEnd[block - 1])
      test(header, w.newBlock());
  if (block < w.analysis.blocks.size())
    test(block, gates[block + 1]);
}

void WarpVectorizer::emitBlock(unsigned block) {
  b.SetInsertPoint(entries[block]);
  w.values.clear();
  memory.beginBlock();
  bool isDivergent = w.analysis.isDivergent[block];
  Value *mask =
      b.CreateLoad(b.getInt32Ty(), isDivergent ? pending[block] : live);
  b.CreateStore(b.getInt32(0), pending[block]);
  w.beginBlock(block, mask);
  for (llvm::PHINode &phi : w.analysis.blocks[block]->phis()) {
    w.values[&phi] = b.CreateLoad(w.typeOf(&phi), phis[&phi]);
    w.define(phi, w.values[&phi]);
  }
  auto atStart = w.values;
  if (Value *isGood = memory.checkBlock(*w.analysis.blocks[block])) {
    auto *fast = w.newBlock(), *slow = w.newBlock();
    b.CreateCondBr(isGood, fast, slow);
    b.SetInsertPoint(fast);
    emitInstructions(block);
    b.SetInsertPoint(slow);
    w.values = atStart;
    memory.beginBlock();
  }
  emitInstructions(block);
}

void WarpVectorizer::emitInstructions(unsigned block) {
  for (Op &op : *w.analysis.blocks[block])
    if (!llvm::isa<llvm::PHINode>(op) && !op.isTerminator())
      instructions.emit(op);
  emitTerminator(block);
}

void WarpVectorizer::emitTerminator(unsigned block) {
  Op &end = *w.analysis.blocks[block]->getTerminator();
  if (llvm::isa<llvm::UnreachableInst>(end)) {
    b.CreateUnreachable();
    return;
  }
  auto *branch = llvm::dyn_cast<llvm::BranchInst>(&end);
  if (!branch) {
    endLanes(w.mask);
    b.CreateBr(gates[block + 1]);
    return;
  }
  if (branch->isConditional())
    return emitPart(block, *branch);
  unsigned next = numberOf(branch->getSuccessor(0));
  if (!w.analysis.isDivergent[block])
    return jump(block, next);
  send(block, next, w.mask);
  b.CreateBr(gates[block + 1]);
}

/// All live lanes go on to one block.
void WarpVectorizer::jump(unsigned from, unsigned to) {
  copyPhis(from, to, nullptr);
  Value *all = b.CreateLoad(b.getInt32Ty(), live);
  b.CreateStore(all, pending[to]);
  b.CreateBr(entries[to]);
}

/// These lanes have to run the block when its turn comes.
void WarpVectorizer::send(unsigned from, unsigned to, Value *which) {
  if (WarpAnalysis::isReturn(*w.analysis.blocks[to]))
    return endLanes(which);
  copyPhis(from, to, which);
  Value *before = b.CreateLoad(b.getInt32Ty(), pending[to]);
  b.CreateStore(b.CreateOr(before, which), pending[to]);
}

void WarpVectorizer::endLanes(Value *which) {
  Value *before = b.CreateLoad(b.getInt32Ty(), live);
  b.CreateStore(b.CreateAnd(before, b.CreateNot(which)), live);
  w.callExecutor("heteroEmuWarpExit", b.getVoidTy(), {which});
}

/// A conditional branch.
void WarpVectorizer::emitPart(unsigned block, llvm::BranchInst &branch) {
  unsigned then = numberOf(branch.getSuccessor(0));
  unsigned otherwise = numberOf(branch.getSuccessor(1));
  Value *condition = branch.getCondition();
  bool isDivergent = w.analysis.isDivergent[block];
  if (!isDivergent && w.analysis.isUniform(condition))
    return emitUniformBranch(block, w.uniform(condition), then, otherwise);
  Value *taken =
      w.analysis.isUniform(condition)
          ? b.CreateSelect(w.uniform(condition), w.mask, b.getInt32(0))
          : b.CreateAnd(w.mask, w.toMask(w.wide(condition)));
  Value *left = b.CreateAnd(w.mask, b.CreateNot(taken));
  bool thenEnds = WarpAnalysis::isReturn(*w.analysis.blocks[then]);
  bool elseEnds = WarpAnalysis::isReturn(*w.analysis.blocks[otherwise]);
  if (isDivergent || thenEnds == elseEnds) {
    send(block, then, taken);
    send(block, otherwise, left);
    b.CreateBr(gates[block + 1]);
    return;
  }
  // Some end, and the others stay together.
  endLanes(thenEnds ? taken : left);
  auto *on = w.newBlock();
  b.CreateCondBr(b.CreateICmpNE(thenEnds ? left : taken, b.getInt32(0)), on,
                 gates.back());
  b.SetInsertPoint(on);
  jump(block, thenEnds ? otherwise : then);
}

void WarpVectorizer::emitUniformBranch(unsigned block, Value *condition,
                                       unsigned then, unsigned otherwise) {
  auto *first = w.newBlock(), *second = w.newBlock();
  b.CreateCondBr(condition, first, second);
  b.SetInsertPoint(first);
  jump(block, then);
  b.SetInsertPoint(second);
  jump(block, otherwise);
}

/// What the phis of a block get from another one; `which`: in these lanes.
void WarpVectorizer::copyPhis(unsigned from, unsigned to, Value *which) {
  BasicBlock *source = w.analysis.blocks[from];
  std::vector<std::pair<llvm::PHINode *, Value *>> copies;
  for (llvm::PHINode &phi : w.analysis.blocks[to]->phis()) {
    Value *value = phi.getIncomingValueForBlock(source);
    if (llvm::isa<llvm::UndefValue>(value))
      continue;
    copies.emplace_back(&phi, w.analysis.isUniform(&phi) ? w.uniform(value)
                                                         : w.wide(value));
  }
  for (auto [phi, value] : copies) {
    Value *slot = phis[phi];
    if (!which) {
      b.CreateStore(value, slot);
    } else if (w.analysis.isUniform(phi)) {
      Value *old = b.CreateLoad(value->getType(), slot);
      Value *any = b.CreateICmpNE(which, b.getInt32(0));
      b.CreateStore(b.CreateSelect(any, value, old), slot);
    } else {
      w.storeBlended(value, slot, w.toLanes(which));
    }
  }
}
