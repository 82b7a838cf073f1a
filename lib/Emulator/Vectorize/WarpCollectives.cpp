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
#include "Emulator/Vectorize/WarpVectorizer.h"

#include "llvm/IR/Module.h"

using namespace hetero::emulator;
using namespace hetero::emulator::ptx;

namespace {
/// How a collective passes its arguments behind the context: 'u' the same in
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
std::pair<llvm::Value *, llvm::Value *> WarpVectorizer::wordsOf(Value *value) {
  const auto *slot = llvm::cast<llvm::AllocaInst>(value);
  const llvm::DataLayout &layout = kernel.getParent()->getDataLayout();
  return {b.CreateExtractElement(wide(value), uint64_t(0)),
          b.getInt32(layout.getTypeAllocSize(slot->getAllocatedType()))};
}

bool WarpVectorizer::emitCollective(Op &op) {
  const Signature *signature = findSignature(op);
  if (!signature)
    return false;
  auto &call = llvm::cast<llvm::CallInst>(op);
  std::vector<Value *> arguments = {mask};
  for (unsigned i = 0; signature->arguments[i]; ++i) {
    Value *argument = call.getArgOperand(i + 1);
    switch (signature->arguments[i]) {
    case 'u':
      arguments.push_back(uniform(argument));
      break;
    case 'v':
      arguments.push_back(spill(argument));
      break;
    case 'p': {
      Value *value = wide(argument);
      Value *isSet =
          b.CreateICmpNE(value, llvm::Constant::getNullValue(value->getType()));
      arguments.push_back(b.CreateAnd(mask, toMask(isSet)));
      break;
    }
    default: {
      auto [base, distance] = wordsOf(argument);
      arguments.insert(arguments.end(), {base, distance});
    }
    }
  }
  std::string name = "heteroEmuWarp" + std::string(signature->name);
  if (op.getType()->isVoidTy() || analysis.isUniform(&op)) {
    define(op, callExecutor(name, op.getType(), arguments));
    return true;
  }
  Value *results = arrayOf(&op);
  arguments.push_back(results);
  callExecutor(name, b.getVoidTy(), arguments);
  define(op, b.CreateLoad(wideType(op.getType()), results));
  return true;
}
