//===- AddressOrigin.cpp - Memory that an address may name ----------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Emulator/Vectorize/AddressOrigin.h"

#include "Emulator/ABI/ExecutorCallbacks.h"
#include "Emulator/Translate/ModuleState.h"
#include "Emulator/Vectorize/WarpAnalysis.h"

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/Constants.h"

#include <cstddef>

using namespace hetero::emulator;
using namespace hetero::emulator::ptx;

/// Memory whose content no kernel writes: the context, the parameters and the
/// table of the addresses of variables.
static bool isReadOnly(const llvm::LoadInst &load) {
  if (contextOffset(load) >= 0)
    return true;
  const llvm::Value *base = load.getPointerOperand()->stripInBoundsOffsets();
  while (const auto *gep = llvm::dyn_cast<llvm::GetElementPtrInst>(base))
    base = gep->getPointerOperand();
  if (base->getName() == kAddresses)
    return true;
  const auto *op = llvm::dyn_cast<llvm::Instruction>(base);
  return op && (contextOffset(*op) == offsetof(ThreadContext, params) ||
                calleeName(*op) == "emu.param");
}

static bool isInLocalWindow(const llvm::Constant &constant) {
  const auto *number = llvm::dyn_cast<llvm::ConstantInt>(&constant);
  if (!number)
    return !llvm::isa<llvm::ConstantPointerNull, llvm::UndefValue>(constant);
  return number->getBitWidth() == 64 &&
         number->getZExtValue() - kLocalWindowBase < kWindowSize;
}

bool hetero::emulator::ptx::mayBeLocal(const llvm::Value *address) {
  llvm::SmallPtrSet<const llvm::Value *, 16> seen;
  std::vector<const llvm::Value *> waiting = {address};
  while (!waiting.empty()) {
    const llvm::Value *value = waiting.back();
    waiting.pop_back();
    if (!seen.insert(value).second)
      continue;
    if (const auto *constant = llvm::dyn_cast<llvm::Constant>(value)) {
      if (isInLocalWindow(*constant))
        return true;
      continue;
    }
    const auto *op = llvm::dyn_cast<llvm::Instruction>(value);
    if (!op)
      return true;
    if (const auto *load = llvm::dyn_cast<llvm::LoadInst>(op)) {
      if (!isReadOnly(*load))
        return true;
      continue;
    }
    const auto *call = llvm::dyn_cast<llvm::CallInst>(op);
    if (call && !call->getIntrinsicID())
      return true;
    for (const llvm::Use &operand : op->operands())
      if (!llvm::isa<llvm::Function, llvm::BasicBlock>(operand.get()))
        waiting.push_back(operand.get());
  }
  return false;
}
