//===- WarpInstructions.cpp - Instructions of all lanes -------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An instruction whose operands are the same in all lanes is done once; one
// that LLVM has for vectors is done for all lanes, those that are not there
// included; the others are done in a loop over the lanes that are there.
//
//===----------------------------------------------------------------------===//

#include "Emulator/Vectorize/WarpInstructions.h"

#include "Emulator/ABI/ExecutorCallbacks.h"
#include "Emulator/Vectorize/WarpCollectives.h"

#include "llvm/Analysis/VectorUtils.h"
#include "llvm/IR/IntrinsicInst.h"

#include <cstddef>

using namespace hetero::emulator;
using namespace hetero::emulator::ptx;
using llvm::Instruction;

void WarpInstructions::emit(Op &op) {
  w.beginInstruction();
  const auto *intrinsic = llvm::dyn_cast<llvm::IntrinsicInst>(&op);
  if (intrinsic && intrinsic->isAssumeLikeIntrinsic())
    return;
  // Lanes that run as one do not wait for each other, and are in step.
  if (calleeName(op) == "heteroEmuSpin" || calleeName(op) == "heteroEmuStep")
    return;
  if (calleeName(op) == "heteroEmuActiveMask")
    return w.define(op, b.CreateVectorSplat(kLanes, w.mask));
  if (emitContext(op) || emitCollective(w, op))
    return;
  if (isUniformStore(op))
    return emitUniform(op);
  if (memory.emit(op))
    return;
  if (auto *slot = llvm::dyn_cast<llvm::AllocaInst>(&op))
    return emitAlloca(*slot);
  bool isOnce = op.getType()->isVoidTy() ? llvm::isa<llvm::FenceInst>(op)
                                         : w.analysis.isUniform(&op);
  if (isOnce)
    return emitUniform(op);
  if (!emitWide(op))
    emitForEachLane(op);
}

bool WarpInstructions::isUniformStore(const Op &op) const {
  const auto *store = llvm::dyn_cast<llvm::StoreInst>(&op);
  return store && w.analysis.isUniform(store->getPointerOperand()) &&
         w.analysis.isUniform(store->getValueOperand());
}

void WarpInstructions::emitUniform(Op &op) {
  Instruction *copy = op.clone();
  for (llvm::Use &use : copy->operands()) {
    bool isContext = llvm::isa<llvm::Argument>(use.get());
    // The executor is to know a thread that is there.
    if (isContext && llvm::isa<llvm::CallInst>(op))
      use = w.threadOf(w.firstLane());
    else if (!llvm::isa<llvm::Function>(use.get()))
      use = w.uniform(use.get());
  }
  // The executor finds out whether the analysis was right.
  if (calleeName(op) == "emu.global")
    copy->setOperand(3, b.CreateOr(copy->getOperand(3), kNotLocal));
  b.Insert(copy);
  w.define(op, copy);
}

/// Fields of a thread's context that lanes have different values of.
bool WarpInstructions::emitContext(Op &op) {
  int64_t offset = contextOffset(op);
  if (offset < 0 || w.analysis.isUniform(&op))
    return false;
  Value *value;
  if (offset == offsetof(ThreadContext, laneid)) {
    std::vector<uint32_t> numbers;
    for (uint32_t lane = 0; lane < kLanes; ++lane)
      numbers.push_back(lane);
    value = llvm::ConstantDataVector::get(b.getContext(), numbers);
  } else {
    size_t field = offset == offsetof(ThreadContext, local)
                       ? offsetof(WarpContext, local)
                       : offsetof(WarpContext, tid) + offset * kLanes;
    value = w.warpField(field, wideType(op.getType()));
  }
  w.define(op, value);
  return true;
}

//===----------------------------------------------------------------------===//
// All lanes at once
//===----------------------------------------------------------------------===//

static bool isDivision(const Instruction &op) {
  switch (op.getOpcode()) {
  case Instruction::UDiv:
  case Instruction::SDiv:
  case Instruction::URem:
  case Instruction::SRem:
    return true;
  default:
    return false;
  }
}

bool WarpInstructions::emitWide(Op &op) {
  if (!isSimple(op.getType()))
    return false;
  for (Value *operand : op.operands())
    if (!isSimple(operand->getType()) && !llvm::isa<llvm::Function>(operand))
      return false;
  Value *result = nullptr;
  if (auto *binary = llvm::dyn_cast<llvm::BinaryOperator>(&op)) {
    Value *x = w.wide(op.getOperand(0)), *y = w.wide(op.getOperand(1));
    // A lane that is not there must not trap.
    if (isDivision(op) && !llvm::isa<llvm::Constant>(op.getOperand(1)))
      y = b.CreateSelect(w.lanes, y, llvm::ConstantInt::get(y->getType(), 1));
    result = b.CreateBinOp(binary->getOpcode(), x, y);
  } else if (auto *cast = llvm::dyn_cast<llvm::CastInst>(&op)) {
    result = b.CreateCast(cast->getOpcode(), w.wide(op.getOperand(0)),
                          wideType(op.getType()));
  } else if (auto *compare = llvm::dyn_cast<llvm::CmpInst>(&op)) {
    result = b.CreateCmp(compare->getPredicate(), w.wide(op.getOperand(0)),
                         w.wide(op.getOperand(1)));
  } else if (auto *select = llvm::dyn_cast<llvm::SelectInst>(&op)) {
    Value *condition = select->getCondition();
    result = b.CreateSelect(
        w.analysis.isUniform(condition) ? w.uniform(condition)
                                        : w.wide(condition),
        w.wide(select->getTrueValue()), w.wide(select->getFalseValue()));
  } else if (auto *gep = llvm::dyn_cast<llvm::GetElementPtrInst>(&op)) {
    std::vector<Value *> indices;
    for (Value *index : gep->indices())
      indices.push_back(w.wide(index));
    result = b.CreateGEP(gep->getSourceElementType(),
                         w.wide(gep->getPointerOperand()), indices);
  } else if (op.getOpcode() == Instruction::FNeg) {
    result = b.CreateFNeg(w.wide(op.getOperand(0)));
  } else if (op.getOpcode() == Instruction::Freeze) {
    result = b.CreateFreeze(w.wide(op.getOperand(0)));
  } else if (auto *call = llvm::dyn_cast<llvm::CallInst>(&op)) {
    result = widenIntrinsic(*call);
  }
  if (!result)
    return false;
  if (auto *made = llvm::dyn_cast<Instruction>(result);
      made && made->getOpcode() == op.getOpcode() &&
      !llvm::isa<llvm::CallInst>(op))
    made->copyIRFlags(&op);
  w.define(op, result);
  return true;
}

llvm::Value *WarpInstructions::widenIntrinsic(llvm::CallInst &call) {
  llvm::Intrinsic::ID id = call.getIntrinsicID();
  if (id == llvm::Intrinsic::not_intrinsic ||
      !llvm::isTriviallyVectorizable(id))
    return nullptr;
  std::vector<Value *> arguments;
  for (unsigned i = 0; i < call.arg_size(); ++i) {
    Value *argument = call.getArgOperand(i);
    bool isScalar = llvm::isVectorIntrinsicWithScalarOpAtArg(id, i, nullptr);
    if (isScalar && w.analysis.isVarying(argument))
      return nullptr;
    arguments.push_back(isScalar ? w.uniform(argument) : w.wide(argument));
  }
  auto *result = b.CreateIntrinsic(wideType(call.getType()), id, arguments);
  if (llvm::isa<llvm::FPMathOperator>(call))
    llvm::cast<Instruction>(result)->copyFastMathFlags(&call);
  return result;
}

//===----------------------------------------------------------------------===//
// One lane after the other
//===----------------------------------------------------------------------===//

/// Where each lane has its own of a variable.
void WarpInstructions::emitAlloca(llvm::AllocaInst &op) {
  Type *type = op.getAllocatedType();
  auto *array = w.atEntry(llvm::ArrayType::get(type, kLanes));
  array->setAlignment(std::max(array->getAlign(), op.getAlign()));
  std::vector<uint64_t> numbers;
  for (uint64_t lane = 0; lane < kLanes; ++lane)
    numbers.push_back(lane);
  w.define(op,
           b.CreateGEP(type, array,
                       llvm::ConstantDataVector::get(b.getContext(), numbers)));
}

void WarpInstructions::emitForEachLane(Op &op) {
  for (Value *operand : op.operands())
    if (llvm::isa<llvm::Instruction>(operand) && w.analysis.isVarying(operand))
      w.spill(operand);
  bool isVoid = op.getType()->isVoidTy();
  Value *results = isVoid ? nullptr : w.arrayOf(&op);
  auto *before = b.GetInsertBlock(), *loop = w.newBlock(), *next = w.newBlock();
  b.CreateBr(loop);
  b.SetInsertPoint(loop);
  auto *rest = b.CreatePHI(b.getInt32Ty(), 2);
  Value *lane = b.CreateIntrinsic(llvm::Intrinsic::cttz, {b.getInt32Ty()},
                                  {rest, b.getTrue()});
  Instruction *copy = op.clone();
  for (llvm::Use &use : copy->operands()) {
    Value *operand = use.get();
    if (llvm::isa<llvm::Argument>(operand))
      use = w.threadOf(lane);
    else if (llvm::isa<llvm::Instruction>(operand))
      use = w.analysis.isVarying(operand) ? w.inLane(operand, lane)
                                          : w.uniform(operand);
  }
  b.Insert(copy);
  if (!isVoid) {
    Value *result = copy;
    if (op.getType()->isIntegerTy(1))
      result = b.CreateZExt(result, b.getInt8Ty());
    b.CreateStore(result, b.CreateGEP(result->getType(), results, lane));
  }
  Value *left = b.CreateAnd(rest, b.CreateSub(rest, b.getInt32(1)));
  rest->addIncoming(w.mask, before);
  rest->addIncoming(left, b.GetInsertBlock());
  b.CreateCondBr(b.CreateICmpEQ(left, b.getInt32(0)), next, loop);
  b.SetInsertPoint(next);
  if (isVoid || !isSimple(op.getType()))
    return;
  bool isBit = op.getType()->isIntegerTy(1);
  Value *whole =
      b.CreateLoad(wideType(isBit ? b.getInt8Ty() : op.getType()), results);
  w.define(op, isBit ? b.CreateTrunc(whole, wideType(b.getInt1Ty())) : whole);
}
