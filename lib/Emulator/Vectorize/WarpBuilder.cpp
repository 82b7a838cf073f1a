//===- WarpBuilder.cpp - Values of all lanes of a warp --------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Emulator/Vectorize/WarpBuilder.h"

#include "Emulator/ABI/CompiledCode.h"

#include "llvm/IR/Module.h"

#include <cstddef>

using namespace hetero::emulator;
using namespace hetero::emulator::ptx;

WarpBuilder::WarpBuilder(llvm::Function &kernel, const WarpAnalysis &analysis,
                         const std::string &name)
    : kernel(kernel), analysis(analysis), b(kernel.getContext()) {
  body = llvm::Function::Create(
      llvm::FunctionType::get(b.getVoidTy(), {b.getPtrTy()}, false),
      llvm::Function::ExternalLinkage, name, kernel.getParent());
  entry = llvm::BasicBlock::Create(b.getContext(), "entry", body);
  b.SetInsertPoint(entry);
  thread0 = warpField(offsetof(WarpContext, threads), b.getPtrTy());
}

void WarpBuilder::beginBlock(unsigned block, Value *ofLanes) {
  current = block;
  mask = ofLanes;
  lanes = toLanes(mask);
}

llvm::Type *WarpBuilder::typeOf(const Value *value) const {
  return analysis.isUniform(value) ? value->getType()
                                   : wideType(value->getType());
}

llvm::AllocaInst *WarpBuilder::atEntry(Type *type, bool isZero) {
  llvm::IRBuilder<> builder(entry, entry->begin());
  auto *slot = builder.CreateAlloca(type);
  // Vectors are stored to arrays.
  if (type->isArrayTy())
    slot->setAlignment(llvm::Align(4 * kLanes));
  if (isZero)
    builder.CreateStore(llvm::Constant::getNullValue(type), slot);
  return slot;
}

llvm::AllocaInst *WarpBuilder::slotOf(const Value *value) {
  llvm::AllocaInst *&slot = slots[value];
  if (!slot)
    slot = atEntry(typeOf(value));
  return slot;
}

llvm::Value *WarpBuilder::uniform(Value *value) {
  if (llvm::isa<llvm::Argument>(value))
    return thread0;
  if (!llvm::isa<llvm::Instruction>(value))
    return value;
  if (auto it = values.find(value); it != values.end())
    return it->second;
  return b.CreateLoad(value->getType(), slotOf(value));
}

llvm::Value *WarpBuilder::wide(Value *value) {
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

void WarpBuilder::define(Op &op, Value *value) {
  values[&op] = value;
  if (op.getType()->isVoidTy() || !isUsedOutside(op))
    return;
  if (analysis.isDivergent[current] && analysis.isVarying(&op))
    storeBlended(value, slotOf(&op), lanes);
  else
    b.CreateStore(value, slotOf(&op));
}

void WarpBuilder::storeBlended(Value *value, Value *slot, Value *which) {
  Value *old = b.CreateLoad(value->getType(), slot);
  b.CreateStore(b.CreateSelect(which, value, old), slot);
}

llvm::Value *WarpBuilder::toLanes(Value *bits) {
  return b.CreateBitCast(bits, wideType(b.getInt1Ty()));
}

llvm::Value *WarpBuilder::toMask(Value *which) {
  // A lane that is not there may hold anything.
  return b.CreateBitCast(b.CreateFreeze(which), b.getInt32Ty());
}

llvm::Value *WarpBuilder::threadOf(Value *lane) {
  Value *threads = b.CreateConstGEP1_64(b.getInt8Ty(), body->getArg(0),
                                        offsetof(WarpContext, threads));
  return b.CreateLoad(b.getPtrTy(), b.CreateGEP(b.getPtrTy(), threads, lane));
}

llvm::Value *WarpBuilder::firstLane() {
  return b.CreateIntrinsic(llvm::Intrinsic::cttz, {b.getInt32Ty()},
                           {mask, b.getTrue()});
}

llvm::CallInst *WarpBuilder::callExecutor(const std::string &name, Type *result,
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

void WarpBuilder::beginInstruction() {
  for (auto [value, array] : ofInstruction)
    freeArrays[array->getAllocatedType()].push_back(array);
  ofInstruction.clear();
}

llvm::AllocaInst *WarpBuilder::scratch(const Value *value, Type *type,
                                       bool isZero) {
  llvm::AllocaInst *&array = ofInstruction[value];
  if (array)
    return array;
  std::vector<llvm::AllocaInst *> &free = freeArrays[type];
  if (free.empty())
    return array = atEntry(type, isZero);
  array = free.back();
  free.pop_back();
  return array;
}

llvm::Value *WarpBuilder::arrayOf(const Value *value) {
  Type *type =
      value->getType()->isIntegerTy(1) ? b.getInt8Ty() : value->getType();
  Type *arrayType = llvm::ArrayType::get(type, kLanes);
  if (isSimple(value->getType()))
    return scratch(value, arrayType, /*isZero=*/true);
  llvm::AllocaInst *&array = arrays[value];
  if (!array)
    array = atEntry(arrayType);
  return array;
}

llvm::Value *WarpBuilder::addressesOf(const Value *value) {
  return scratch(value, wideType(b.getInt64Ty()), /*isZero=*/false);
}

llvm::Value *WarpBuilder::spill(Value *value) {
  Value *array = arrayOf(value);
  if (!isSimple(value->getType()))
    return array; // It is there.
  Value *whole = wide(value);
  if (value->getType()->isIntegerTy(1))
    whole = b.CreateZExt(whole, wideType(b.getInt8Ty()));
  b.CreateStore(whole, array);
  return array;
}

llvm::Value *WarpBuilder::inLane(Value *value, Value *lane) {
  bool isBit = value->getType()->isIntegerTy(1);
  Type *type = isBit ? b.getInt8Ty() : value->getType();
  Value *element = b.CreateLoad(type, b.CreateGEP(type, arrayOf(value), lane));
  return isBit ? b.CreateTrunc(element, b.getInt1Ty()) : element;
}
