//===- WarpCollectives.cpp - Threads that meet, as one warp ---------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Calls the executor once for all lanes. What differs among them is passed in
// arrays, what is the same by value.
//
//===----------------------------------------------------------------------===//

#include "Emulator/Vectorize/WarpCollectives.h"
#include "Emulator/Vectorize/WarpBuilder.h"

#include "llvm/IR/Module.h"

using namespace hetero::emulator;
using namespace hetero::emulator::ptx;

namespace {
/// How a collective passes its arguments after the context: 'u' the same in
/// all lanes, 'v' an array, 'p' a mask of predicates, 'w' words of each lane:
/// an address and the distance from lane to lane.
struct Signature {
  const char *name, *arguments;
};
} // namespace

static constexpr Signature kSignatures[] = {{"Barrier", "uu"},
                                            {"BarrierArrive", "uu"},
                                            {"BarrierReduce", "uuup"},
                                            {"WarpSync", "u"},
                                            {"Vote", "upu"},
                                            {"Match", "uvu"},
                                            {"Redux", "uvu"},
                                            {"Shuffle", "uvvvu"},
                                            {"LoadMatrix", "uuuvuw"},
                                            {"StoreMatrix", "uuuvuw"},
                                            {"MatrixMultiply", "uuuuuuwwww"},
                                            {"MoveMatrix", "v"},
                                            {"AccessFragment", "uvvw"},
                                            {"MultiplyFragments", "uuwwww"}};

static const Signature *findSignature(const llvm::Instruction &op) {
  llvm::StringRef name = calleeName(op);
  if (name.consume_front("heteroEmu"))
    for (const Signature &signature : kSignatures)
      if (name == signature.name)
        return &signature;
  return nullptr;
}

bool hetero::emulator::ptx::isCollective(const llvm::Instruction &op) {
  return findSignature(op) != nullptr;
}

bool WarpAnalysis::isCollectiveOfAll(const llvm::CallInst &call) const {
  const Signature *signature = findSignature(call);
  for (unsigned i = 0; signature->arguments[i]; ++i) {
    const llvm::Value *argument = call.getArgOperand(i + 1);
    if (signature->arguments[i] == 'u' && isVarying(argument))
      return false;
    if (signature->arguments[i] == 'w' &&
        !llvm::isa<llvm::AllocaInst>(argument))
      return false;
  }
  return true;
}

/// Where the words of the first lane are, and the distance to the next's.
static std::pair<llvm::Value *, llvm::Value *> wordsOf(WarpBuilder &w,
                                                       llvm::Value *value) {
  const auto *slot = llvm::cast<llvm::AllocaInst>(value);
  const llvm::DataLayout &layout = w.kernel.getParent()->getDataLayout();
  return {w.b.CreateExtractElement(w.wide(value), uint64_t(0)),
          w.b.getInt32(layout.getTypeAllocSize(slot->getAllocatedType()))};
}

bool hetero::emulator::ptx::emitCollective(WarpBuilder &w,
                                           llvm::Instruction &op) {
  const Signature *signature = findSignature(op);
  if (!signature)
    return false;
  auto &call = llvm::cast<llvm::CallInst>(op);
  std::vector<llvm::Value *> arguments = {w.mask};
  for (unsigned i = 0; signature->arguments[i]; ++i) {
    llvm::Value *argument = call.getArgOperand(i + 1);
    switch (signature->arguments[i]) {
    case 'u':
      arguments.push_back(w.uniform(argument));
      break;
    case 'v':
      arguments.push_back(w.spill(argument));
      break;
    case 'p': {
      llvm::Value *value = w.wide(argument);
      llvm::Value *isSet = w.b.CreateICmpNE(
          value, llvm::Constant::getNullValue(value->getType()));
      arguments.push_back(w.b.CreateAnd(w.mask, w.toMask(isSet)));
      break;
    }
    default: {
      auto [base, distance] = wordsOf(w, argument);
      arguments.insert(arguments.end(), {base, distance});
    }
    }
  }
  std::string name = "heteroEmuWarp" + std::string(signature->name);
  if (op.getType()->isVoidTy() || w.analysis.isUniform(&op)) {
    w.define(op, w.callExecutor(name, op.getType(), arguments));
    return true;
  }
  llvm::Value *results = w.arrayOf(&op);
  arguments.push_back(results);
  w.callExecutor(name, w.b.getVoidTy(), arguments);
  w.define(op, w.b.CreateLoad(wideType(op.getType()), results));
  return true;
}
