//===- WarpAnalysis.cpp - How the lanes of a warp differ ------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Emulator/Vectorize/WarpAnalysis.h"
#include "Emulator/Vectorize/AddressOrigin.h"
#include "Emulator/Vectorize/WarpCollectives.h"

#include "Emulator/ABI/ExecutorCallbacks.h"

#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Operator.h"

#include <cstddef>

using namespace hetero::emulator;
using namespace hetero::emulator::ptx;
using llvm::BasicBlock;

int64_t hetero::emulator::ptx::contextOffset(const llvm::Instruction &op) {
  const auto *load = llvm::dyn_cast<llvm::LoadInst>(&op);
  if (!load)
    return -1;
  llvm::APInt offset(64, 0);
  const llvm::Value *base =
      load->getPointerOperand()->stripAndAccumulateConstantOffsets(
          op.getModule()->getDataLayout(), offset, /*AllowNonInbounds=*/true);
  return llvm::isa<llvm::Argument>(base) ? offset.getSExtValue() : -1;
}

llvm::StringRef hetero::emulator::ptx::calleeName(const llvm::Instruction &op) {
  const auto *call = llvm::dyn_cast<llvm::CallInst>(&op);
  const llvm::Function *callee = call ? call->getCalledFunction() : nullptr;
  return callee ? callee->getName() : llvm::StringRef();
}

//===----------------------------------------------------------------------===//
// Blocks
//===----------------------------------------------------------------------===//

bool WarpAnalysis::isReturn(const BasicBlock &block) {
  return llvm::isa<llvm::ReturnInst>(block.front());
}

std::vector<unsigned> WarpAnalysis::successors(unsigned block) const {
  std::vector<unsigned> result;
  unsigned returns = 0;
  for (const BasicBlock *next : llvm::successors(blocks[block])) {
    result.push_back(number.lookup(next));
    returns += isReturn(*next);
  }
  if (result.size() == 2 && returns == 1)
    result.erase(result.begin() + (isReturn(*blocks[result[1]]) ? 1 : 0));
  return result;
}

/// Reverse postorder, from which blocks that stand between those of a loop move
/// after it: none of them leads back into it.
std::vector<BasicBlock *>
hetero::emulator::ptx::orderBlocks(llvm::Function &function,
                                   const llvm::LoopInfo &info) {
  llvm::ReversePostOrderTraversal<llvm::Function *> order(&function);
  std::vector<BasicBlock *> blocks(order.begin(), order.end());
  for (const llvm::Loop *loop : info.getLoopsInPreorder()) {
    auto last = std::find_if(blocks.rbegin(), blocks.rend(), [&](auto *block) {
                  return loop->contains(block);
                }).base();
    std::stable_partition(
        std::find(blocks.begin(), blocks.end(), loop->getHeader()), last,
        [&](BasicBlock *block) { return loop->contains(block); });
  }
  return blocks;
}

bool WarpAnalysis::numberBlocks(llvm::Function &function, std::string &why) {
  llvm::DominatorTree dominators(function);
  llvm::LoopInfo info(dominators);
  blocks = orderBlocks(function, info);
  for (BasicBlock *block : blocks)
    number[block] = number.size();
  for (BasicBlock *block : blocks)
    for (BasicBlock *next : llvm::successors(block))
      if (number[next] <= number[block] &&
          !(info.isLoopHeader(next) &&
            info.getLoopFor(next)->contains(block))) {
        why = "its loops have several ways in";
        return false;
      }
  gatherLoops(info);
  return true;
}

void WarpAnalysis::gatherLoops(const llvm::LoopInfo &info) {
  loopsThatEnd.resize(blocks.size());
  isLoopHeader.resize(blocks.size());
  for (const llvm::Loop *loop : info.getLoopsInPreorder()) {
    LoopBlocks result;
    result.header = number[loop->getHeader()];
    result.blocks.resize(blocks.size());
    for (BasicBlock *block : loop->blocks())
      result.blocks.set(number[block]);
    // Inner loops come later and stand first.
    auto &ending = loopsThatEnd[result.blocks.find_last()];
    ending.insert(ending.begin(), result.header);
    if (loop->getLoopPreheader() && loop->getLoopLatch())
      isLoopHeader.set(result.header);
    loops.push_back(std::move(result));
  }
  exitsDiverge.resize(loops.size());
}

/// From the sets of blocks that each way on comes by. Of ways that never return
/// nothing is asked.
void WarpAnalysis::findPostDominators() {
  size_t count = blocks.size();
  std::vector<llvm::BitVector> sets(count, llvm::BitVector(count, true));
  for (bool changed = true; changed;) {
    changed = false;
    for (size_t i = count; i-- > 0;) {
      bool returns = llvm::isa<llvm::ReturnInst>(blocks[i]->getTerminator());
      llvm::BitVector set(count, !returns);
      for (unsigned next : successors(i))
        set &= sets[next];
      set.set(i);
      changed |= set != sets[i];
      sets[i] = std::move(set);
    }
  }
  postDominator.assign(count, -1);
  for (size_t i = 0; i < count; ++i)
    for (unsigned other : sets[i].set_bits())
      if (other != i && !sets[i].all() &&
          sets[other].count() + 1 == sets[i].count())
        postDominator[i] = static_cast<int>(other);
}

/// Lanes take the branch of the block differently. True if that is new.
bool WarpAnalysis::diverge(unsigned block) {
  if (hasDiverged[block] || successors(block).size() < 2)
    return false;
  hasDiverged.set(block);
  int meeting = postDominator[block];
  llvm::BitVector region(blocks.size());
  std::vector<unsigned> waiting = successors(block);
  while (!waiting.empty()) {
    unsigned next = waiting.back();
    waiting.pop_back();
    if (static_cast<int>(next) == meeting || region[next])
      continue;
    region.set(next);
    for (unsigned other : successors(next))
      waiting.push_back(other);
  }
  isDivergent |= region;
  if (meeting >= 0)
    region.set(meeting);
  for (unsigned other : region.set_bits())
    if (!isLoopHeader[other] && llvm::pred_size(blocks[other]) > 1)
      joins.set(other);
  for (size_t i = 0; i < loops.size(); ++i)
    if (loops[i].blocks[block] && (meeting < 0 || !loops[i].blocks[meeting]))
      exitsDiverge[i] = true;
  return true;
}

//===----------------------------------------------------------------------===//
// Shapes
//===----------------------------------------------------------------------===//

static Shape strided(int64_t stride) {
  // What wraps around in a row of lanes is found from its ends.
  constexpr int64_t kMost = 1 << 20;
  if (stride < -kMost || stride > kMost)
    return {Shape::Varying};
  return {Shape::Strided, stride};
}

static Shape join(Shape a, Shape b) {
  if (a == b)
    return a;
  return a.isConstantInRows() && b.isConstantInRows() ? strided(0)
                                                      : Shape{Shape::Varying};
}

const Shape &WarpAnalysis::shape(const llvm::Value *value) const {
  static const Shape uniform;
  auto it = shapes.find(value);
  return it == shapes.end() ? uniform : it->second;
}

bool WarpAnalysis::raise(const llvm::Value *value, Shape next) {
  auto [it, isNew] = shapes.try_emplace(value, next);
  if (isNew)
    return true;
  Shape joined = join(it->second, next);
  bool changed = !(joined == it->second);
  it->second = joined;
  return changed;
}

Shape WarpAnalysis::transferBinary(const llvm::BinaryOperator &op) const {
  Shape a = shape(op.getOperand(0)), b = shape(op.getOperand(1));
  if (a.isConstantInRows() && b.isConstantInRows())
    return join(a, b);
  if (a.kind == Shape::Varying || b.kind == Shape::Varying)
    return {Shape::Varying};
  const auto *constant = llvm::dyn_cast<llvm::ConstantInt>(op.getOperand(1));
  bool isSmall = constant && constant->getValue().getSignificantBits() < 24;
  switch (op.getOpcode()) {
  case llvm::Instruction::Add:
    return strided(a.stride + b.stride);
  case llvm::Instruction::Sub:
    return strided(a.stride - b.stride);
  case llvm::Instruction::Or:
    return llvm::cast<llvm::PossiblyDisjointInst>(op).isDisjoint()
               ? strided(a.stride + b.stride)
               : Shape{Shape::Varying};
  case llvm::Instruction::Mul:
    return isSmall ? strided(a.stride * constant->getSExtValue())
                   : Shape{Shape::Varying};
  case llvm::Instruction::Shl:
    return isSmall && constant->getZExtValue() < 20
               ? strided(a.stride * (int64_t(1) << constant->getZExtValue()))
               : Shape{Shape::Varying};
  case llvm::Instruction::And:
    // Low bits: at most one wrap in a row.
    return constant && constant->getValue().isMask() && a.stride > 0 &&
                   constant->getValue().uge(kRow * a.stride - 1)
               ? a
               : Shape{Shape::Varying};
  default:
    return {Shape::Varying};
  }
}

Shape WarpAnalysis::transferPhi(const llvm::PHINode &phi) const {
  if (joins[number.lookup(phi.getParent())])
    return {Shape::Varying};
  bool isKnown = false;
  Shape result;
  for (const llvm::Value *value : phi.incoming_values()) {
    if (llvm::isa<llvm::Instruction>(value) && !shapes.count(value))
      continue; // Comes around the loop.
    result = isKnown ? join(result, shape(value)) : shape(value);
    isKnown = true;
  }
  return result;
}

/// The instruction names another space.
static bool excludesLocal(const llvm::CallInst &access) {
  const auto *kind = llvm::cast<llvm::ConstantInt>(access.getArgOperand(3));
  return kind->getZExtValue() & kNotLocal;
}

Shape WarpAnalysis::transferCall(const llvm::CallInst &call) const {
  llvm::StringRef name = calleeName(call);
  if (name == "emu.shared" || name == "emu.param")
    return shape(call.getArgOperand(1));
  if (name == "emu.global") {
    // One address of local memory is another place in each lane.
    const llvm::Value *address = call.getArgOperand(1);
    return isUniform(address) && !excludesLocal(call) && mayBeLocal(address)
               ? Shape{Shape::Varying}
               : shape(address);
  }
  // All live lanes get the same.
  if (name == "heteroEmuVote" || name == "heteroEmuRedux" ||
      name == "heteroEmuBarrierReduce")
    return {};
  if (!call.doesNotAccessMemory())
    return {Shape::Varying};
  Shape result;
  for (const llvm::Value *operand : call.args())
    result = join(result, shape(operand));
  return result.isConstantInRows() ? result : Shape{Shape::Varying};
}

Shape WarpAnalysis::transfer(const llvm::Instruction &op) const {
  if (int64_t offset = contextOffset(op); offset >= 0) {
    auto is = [&](size_t field) { return offset == int64_t(field); };
    if (is(offsetof(ThreadContext, tid)) || is(offsetof(ThreadContext, laneid)))
      return strided(1);
    if (is(offsetof(ThreadContext, tid) + 4) ||
        is(offsetof(ThreadContext, tid) + 8))
      return strided(0);
    return {is(offsetof(ThreadContext, local)) ? Shape::Varying
                                               : Shape::Uniform};
  }
  if (const auto *phi = llvm::dyn_cast<llvm::PHINode>(&op))
    return transferPhi(*phi);
  if (const auto *call = llvm::dyn_cast<llvm::CallInst>(&op))
    return transferCall(*call);
  if (const auto *binary = llvm::dyn_cast<llvm::BinaryOperator>(&op))
    return transferBinary(*binary);
  if (llvm::isa<llvm::AllocaInst, llvm::AtomicRMWInst, llvm::AtomicCmpXchgInst>(
          op))
    return {Shape::Varying};
  if (llvm::isa<llvm::ZExtInst, llvm::SExtInst, llvm::TruncInst,
                llvm::FreezeInst>(op))
    return shape(op.getOperand(0));
  const auto *select = llvm::dyn_cast<llvm::SelectInst>(&op);
  if (select && isUniform(select->getCondition()))
    return join(shape(select->getTrueValue()), shape(select->getFalseValue()));
  Shape result;
  for (const llvm::Value *operand : op.operands())
    result = join(result, shape(operand));
  return result.isConstantInRows() ? result : Shape{Shape::Varying};
}

//===----------------------------------------------------------------------===//
// The analysis
//===----------------------------------------------------------------------===//

void WarpAnalysis::propagate() {
  for (bool changed = true; changed;) {
    changed = false;
    for (unsigned i = 0; i < blocks.size(); ++i) {
      for (const llvm::Instruction &op : *blocks[i])
        if (!op.getType()->isVoidTy())
          changed |= raise(&op, transfer(op));
      const auto *branch =
          llvm::dyn_cast<llvm::BranchInst>(blocks[i]->getTerminator());
      if (branch && branch->isConditional() &&
          isVarying(branch->getCondition()))
        changed |= diverge(i);
    }
    // Lanes have left a loop with what its values were then.
    for (size_t i = 0; i < loops.size(); ++i) {
      if (!exitsDiverge[i])
        continue;
      for (unsigned block : loops[i].blocks.set_bits())
        for (const llvm::Instruction &op : *blocks[block])
          for (const llvm::User *user : op.users())
            if (!loops[i].blocks[number.lookup(
                    llvm::cast<llvm::Instruction>(user)->getParent())])
              changed |= raise(&op, {Shape::Varying});
    }
  }
}

/// A load with which a thread may wait for one of another warp.
static bool mayWait(const llvm::Instruction &op) {
  if (calleeName(op) != "heteroEmuStep")
    return false;
  const auto &call = llvm::cast<llvm::CallInst>(op);
  return !llvm::cast<llvm::ConstantInt>(call.getArgOperand(3))->isZero();
}

bool WarpAnalysis::check(std::string &why) const {
  for (unsigned i = 0; i < blocks.size(); ++i) {
    bool waits = false, isInLoop = false;
    for (size_t loop = 0; loop < loops.size(); ++loop) {
      isInLoop |= loops[loop].blocks[i];
      waits |= loops[loop].blocks[i] && exitsDiverge[loop];
    }
    for (const llvm::Instruction &op : *blocks[i]) {
      llvm::StringRef name = calleeName(op);
      if (llvm::isa<llvm::SwitchInst>(op))
        why = "it has a branch with many targets";
      else if (isCollective(op) && isDivergent[i])
        why = "threads meet where some may be elsewhere";
      else if (isCollective(op) &&
               !isCollectiveOfAll(llvm::cast<llvm::CallInst>(op)))
        why = "threads of a warp meet in different ways";
      else if (isVarying(&op) && llvm::isa<llvm::PHINode>(op) &&
               !llvm::FixedVectorType::isValidElementType(op.getType()))
        why = "several values are one";
      else if (name == "heteroEmuYield" || name == "heteroEmuSleep" ||
               name == "heteroEmuClusterBarrier" || name == "heteroEmuPhase" ||
               name == "heteroEmuQuadMultiply" || name == "heteroEmuBulkCopy" ||
               name == "heteroEmuTensorCopy" || name == "heteroEmuReplaceMap" ||
               name == "heteroEmuCopyMap" || name == "heteroEmuGroups" ||
               name == "heteroEmuGroupMultiply" || name.starts_with("func."))
        why = "it calls " + name.str();
      else if (isInLoop && mayWait(op))
        why = "a thread may wait for another one";
      else if (op.isAtomic() && waits)
        why = "a lane may wait for another one";
      if (!why.empty())
        return false;
    }
  }
  return true;
}

bool WarpAnalysis::run(llvm::Function &function, std::string &why) {
  if (function.size() > 1000 || function.getInstructionCount() > 5000) {
    why = "it is too large";
    return false;
  }
  if (!numberBlocks(function, why))
    return false;
  isDivergent.resize(blocks.size());
  hasDiverged.resize(blocks.size());
  joins.resize(blocks.size());
  findPostDominators();
  propagate();
  return check(why);
}
