//===- WarpVectorizer.cpp - Blocks, branches and values of warps ----------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A block that all live lanes run is entered by jumps. One that only some may
// run has a gate, which lets those in that `pending` names: the gates stand in
// the order of the blocks, and the one behind a loop leads back to its header
// while lanes wait there. What other blocks use is in a slot on the stack,
// which LLVM turns into values again.
//
//===----------------------------------------------------------------------===//

#include "Emulator/Vectorize/WarpVectorizer.h"

#include "Emulator/ABI/CompiledCode.h"

#include "llvm/IR/Module.h"

#include <cstddef>

using namespace hetero::emulator;
using namespace hetero::emulator::ptx;
using llvm::BasicBlock;

llvm::Function *WarpVectorizer::run(const std::string &name) {
  begin(name);
  for (unsigned block = 0; block < analysis.blocks.size(); ++block) {
    emitGate(block);
    emitBlock(block);
  }
  emitGate(analysis.blocks.size());
  b.CreateRetVoid();
  b.SetInsertPoint(entry);
  b.CreateBr(entries[0]);
  return body;
}

void WarpVectorizer::begin(const std::string &name) {
  body = llvm::Function::Create(
      llvm::FunctionType::get(b.getVoidTy(), {b.getPtrTy()}, false),
      llvm::Function::ExternalLinkage, name, kernel.getParent());
  entry = BasicBlock::Create(b.getContext(), "entry", body);
  b.SetInsertPoint(entry);
  thread0 = warpField(offsetof(WarpContext, threads), b.getPtrTy());
  live = b.CreateAlloca(b.getInt32Ty());
  b.CreateStore(warpField(offsetof(WarpContext, live), b.getInt32Ty()), live);
  for (const BasicBlock *block : analysis.blocks) {
    gates.push_back(newBlock());
    entries.push_back(newBlock());
    pending.push_back(atEntry(b.getInt32Ty()));
    for (const llvm::PHINode &phi : block->phis())
      phis[&phi] = atEntry(typeOf(&phi));
  }
  gates.push_back(newBlock());
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
    for (unsigned header : analysis.loopsThatEnd[block - 1])
      test(header, newBlock());
  if (block < analysis.blocks.size())
    test(block, gates[block + 1]);
}

void WarpVectorizer::emitBlock(unsigned block) {
  b.SetInsertPoint(entries[block]);
  current = block;
  values.clear();
  addresses.clear();
  rows.clear();
  bool isDivergent = analysis.isDivergent[block];
  mask = b.CreateLoad(b.getInt32Ty(), isDivergent ? pending[block] : live);
  b.CreateStore(b.getInt32(0), pending[block]);
  lanes = toLanes(mask);
  for (llvm::PHINode &phi : analysis.blocks[block]->phis()) {
    values[&phi] = b.CreateLoad(typeOf(&phi), phis[&phi]);
    define(phi, values[&phi]);
  }
  auto atStart = values;
  if (Value *isGood = checkBlock(*analysis.blocks[block])) {
    auto *fast = newBlock(), *slow = newBlock();
    b.CreateCondBr(isGood, fast, slow);
    b.SetInsertPoint(fast);
    emitInstructions(block);
    b.SetInsertPoint(slow);
    values = atStart;
    addresses.clear();
    rows.clear();
  }
  emitInstructions(block);
}

void WarpVectorizer::emitInstructions(unsigned block) {
  for (Op &op : *analysis.blocks[block])
    if (!llvm::isa<llvm::PHINode>(op) && !op.isTerminator())
      emit(op);
  emitTerminator(block);
}

void WarpVectorizer::emitTerminator(unsigned block) {
  Op &end = *analysis.blocks[block]->getTerminator();
  if (llvm::isa<llvm::UnreachableInst>(end)) {
    b.CreateUnreachable();
    return;
  }
  auto *branch = llvm::dyn_cast<llvm::BranchInst>(&end);
  if (!branch) {
    endLanes(mask);
    b.CreateBr(gates[block + 1]);
    return;
  }
  if (branch->isConditional())
    return emitPart(block, *branch);
  unsigned next = numberOf(branch->getSuccessor(0));
  if (!analysis.isDivergent[block])
    return jump(block, next);
  send(block, next, mask);
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
  if (WarpAnalysis::isReturn(*analysis.blocks[to]))
    return endLanes(which);
  copyPhis(from, to, which);
  Value *before = b.CreateLoad(b.getInt32Ty(), pending[to]);
  b.CreateStore(b.CreateOr(before, which), pending[to]);
}

void WarpVectorizer::endLanes(Value *which) {
  Value *before = b.CreateLoad(b.getInt32Ty(), live);
  b.CreateStore(b.CreateAnd(before, b.CreateNot(which)), live);
  callExecutor("heteroEmuWarpExit", b.getVoidTy(), {which});
}

/// A conditional branch.
void WarpVectorizer::emitPart(unsigned block, llvm::BranchInst &branch) {
  unsigned then = numberOf(branch.getSuccessor(0));
  unsigned otherwise = numberOf(branch.getSuccessor(1));
  Value *condition = branch.getCondition();
  bool isDivergent = analysis.isDivergent[block];
  if (!isDivergent && analysis.isUniform(condition))
    return emitUniformBranch(block, uniform(condition), then, otherwise);
  Value *taken = analysis.isUniform(condition)
                     ? b.CreateSelect(uniform(condition), mask, b.getInt32(0))
                     : b.CreateAnd(mask, toMask(wide(condition)));
  Value *left = b.CreateAnd(mask, b.CreateNot(taken));
  bool thenEnds = WarpAnalysis::isReturn(*analysis.blocks[then]);
  bool elseEnds = WarpAnalysis::isReturn(*analysis.blocks[otherwise]);
  if (isDivergent || thenEnds == elseEnds) {
    send(block, then, taken);
    send(block, otherwise, left);
    b.CreateBr(gates[block + 1]);
    return;
  }
  // Some end, and the others stay together.
  endLanes(thenEnds ? taken : left);
  auto *on = newBlock();
  b.CreateCondBr(b.CreateICmpNE(thenEnds ? left : taken, b.getInt32(0)), on,
                 gates.back());
  b.SetInsertPoint(on);
  jump(block, thenEnds ? otherwise : then);
}

void WarpVectorizer::emitUniformBranch(unsigned block, Value *condition,
                                       unsigned then, unsigned otherwise) {
  auto *first = newBlock(), *second = newBlock();
  b.CreateCondBr(condition, first, second);
  b.SetInsertPoint(first);
  jump(block, then);
  b.SetInsertPoint(second);
  jump(block, otherwise);
}

/// What the phis of a block get from another one; `which`: in these lanes.
void WarpVectorizer::copyPhis(unsigned from, unsigned to, Value *which) {
  BasicBlock *source = analysis.blocks[from];
  std::vector<std::pair<llvm::PHINode *, Value *>> copies;
  for (llvm::PHINode &phi : analysis.blocks[to]->phis()) {
    Value *value = phi.getIncomingValueForBlock(source);
    if (llvm::isa<llvm::UndefValue>(value))
      continue;
    copies.emplace_back(&phi, analysis.isUniform(&phi) ? uniform(value)
                                                       : wide(value));
  }
  for (auto [phi, value] : copies) {
    Value *slot = phis[phi];
    if (!which) {
      b.CreateStore(value, slot);
    } else if (analysis.isUniform(phi)) {
      Value *old = b.CreateLoad(value->getType(), slot);
      Value *any = b.CreateICmpNE(which, b.getInt32(0));
      b.CreateStore(b.CreateSelect(any, value, old), slot);
    } else {
      storeBlended(value, slot, toLanes(which));
    }
  }
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

llvm::Type *WarpVectorizer::typeOf(const Value *value) const {
  return analysis.isUniform(value) ? value->getType()
                                   : wideType(value->getType());
}

llvm::AllocaInst *WarpVectorizer::atEntry(Type *type, bool isZero) {
  llvm::IRBuilder<> builder(entry, entry->begin());
  auto *slot = builder.CreateAlloca(type);
  // Vectors are stored to arrays.
  if (type->isArrayTy())
    slot->setAlignment(llvm::Align(4 * kLanes));
  if (isZero)
    builder.CreateStore(llvm::Constant::getNullValue(type), slot);
  return slot;
}

llvm::AllocaInst *WarpVectorizer::slotOf(const Value *value) {
  llvm::AllocaInst *&slot = slots[value];
  if (!slot)
    slot = atEntry(typeOf(value));
  return slot;
}

llvm::Value *WarpVectorizer::uniform(Value *value) {
  if (llvm::isa<llvm::Argument>(value))
    return thread0;
  if (!llvm::isa<llvm::Instruction>(value))
    return value;
  if (auto it = values.find(value); it != values.end())
    return it->second;
  return b.CreateLoad(value->getType(), slotOf(value));
}

llvm::Value *WarpVectorizer::wide(Value *value) {
  if (analysis.isUniform(value))
    return b.CreateVectorSplat(kLanes, uniform(value));
  if (auto it = values.find(value); it != values.end())
    return it->second;
  return b.CreateLoad(wideType(value->getType()), slotOf(value));
}

/// Whether an instruction is used elsewhere; phis use at the end of the blocks
/// that values come from.
static bool isUsedOutside(const llvm::Instruction &op) {
  for (const llvm::Use &use : op.uses()) {
    const auto *user = llvm::cast<llvm::Instruction>(use.getUser());
    const auto *phi = llvm::dyn_cast<llvm::PHINode>(user);
    if ((phi ? phi->getIncomingBlock(use) : user->getParent()) !=
        op.getParent())
      return true;
  }
  return false;
}

void WarpVectorizer::define(Op &op, Value *value) {
  values[&op] = value;
  if (op.getType()->isVoidTy() || !isUsedOutside(op))
    return;
  if (analysis.isDivergent[current] && analysis.isVarying(&op))
    storeBlended(value, slotOf(&op), lanes);
  else
    b.CreateStore(value, slotOf(&op));
}

void WarpVectorizer::storeBlended(Value *value, Value *slot, Value *which) {
  Value *old = b.CreateLoad(value->getType(), slot);
  b.CreateStore(b.CreateSelect(which, value, old), slot);
}

llvm::Value *WarpVectorizer::toLanes(Value *bits) {
  return b.CreateBitCast(bits, wideType(b.getInt1Ty()));
}

llvm::Value *WarpVectorizer::toMask(Value *which) {
  // A lane that is not there may hold anything.
  return b.CreateBitCast(b.CreateFreeze(which), b.getInt32Ty());
}

llvm::Value *WarpVectorizer::threadOf(Value *lane) {
  Value *threads = b.CreateConstGEP1_64(b.getInt8Ty(), body->getArg(0),
                                        offsetof(WarpContext, threads));
  return b.CreateLoad(b.getPtrTy(), b.CreateGEP(b.getPtrTy(), threads, lane));
}

llvm::Value *WarpVectorizer::firstLane() {
  return b.CreateIntrinsic(llvm::Intrinsic::cttz, {b.getInt32Ty()},
                           {mask, b.getTrue()});
}

/// Calls `name(warp, arguments...)`.
llvm::CallInst *
WarpVectorizer::callExecutor(const std::string &name, Type *result,
                             llvm::ArrayRef<Value *> arguments) {
  std::vector<Value *> all = {body->getArg(0)};
  all.insert(all.end(), arguments.begin(), arguments.end());
  std::vector<Type *> types;
  for (Value *argument : all)
    types.push_back(argument->getType());
  return b.CreateCall(kernel.getParent()->getOrInsertFunction(
                          name, llvm::FunctionType::get(result, types, false)),
                      all);
}
