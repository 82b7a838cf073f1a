//===- WarpVectorizer.h - Runs a warp's lanes together ----------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// From the function of one PTX thread makes one of a warp: a value that differs
// among lanes becomes a vector of 32. Where lanes part, a mask says for each
// block which of them have yet to run it:
//
//   void ptx.k(context)             void warp.k(warp)
//     br i1 %p, %then, %else          pending[then] |= mask & %p
//   then:                             pending[else] |= mask & ~%p
//     ...                             if (pending[then]) { then: ... }
//   else:                             if (pending[else]) { else: ... }
//     ...
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_LIB_EMULATOR_VECTORIZE_WARPVECTORIZER_H
#define HETERO_LIB_EMULATOR_VECTORIZE_WARPVECTORIZER_H

#include "Emulator/Translate/Access.h"
#include "Emulator/Vectorize/WarpAnalysis.h"

#include "llvm/IR/IRBuilder.h"

#include <map>
#include <tuple>

namespace hetero::emulator::ptx {

class WarpVectorizer {
public:
  WarpVectorizer(llvm::Function &kernel, const WarpAnalysis &analysis)
      : kernel(kernel), analysis(analysis), b(kernel.getContext()) {}

  /// Adds `void name(WarpContext *)` to the kernel's module.
  llvm::Function *run(const std::string &name);

private:
  using Value = llvm::Value;
  using Type = llvm::Type;
  using Op = llvm::Instruction;

  /// Of lanes that differ: where the rows begin if `isRows`, else each lane's.
  struct Address {
    Value *pointers = nullptr;
    Value *isRows = nullptr; ///< Null if they never are.
    Value *rows[kRows] = {};
    int64_t stride = 0;
  };

  /// What an instruction may access: addresses from `start`, `limit` bytes.
  struct Bounds {
    unsigned space; ///< As heteroEmuWarpAccess has it.
    Value *start, *limit, *host, *window;
  };
  /// Rows at the lowest of some constant distances from an address.
  struct Rows {
    Value *isGood = nullptr;
    Value *hosts[kRows] = {};
    int64_t low = 0;
  };

  // Control (WarpVectorizer.cpp).
  void begin(const std::string &name);
  void emitBlock(unsigned block);
  void emitInstructions(unsigned block);
  void emitGate(unsigned block);
  void emitTerminator(unsigned block);
  void emitUniformBranch(unsigned block, Value *condition, unsigned then,
                         unsigned otherwise);
  void emitPart(unsigned block, llvm::BranchInst &branch);
  void jump(unsigned from, unsigned to);
  void send(unsigned from, unsigned to, Value *lanes);
  void copyPhis(unsigned from, unsigned to, Value *lanes);
  void endLanes(Value *lanes);
  unsigned numberOf(const llvm::BasicBlock *block) const {
    return analysis.number.lookup(block);
  }

  // Values (WarpVectorizer.cpp).
  static bool isSimple(Type *type) {
    return llvm::FixedVectorType::isValidElementType(type);
  }
  static Type *wideType(Type *type) {
    return llvm::FixedVectorType::get(type, kLanes);
  }
  Type *typeOf(const Value *value) const;
  llvm::AllocaInst *atEntry(Type *type, bool isZero = true);
  llvm::AllocaInst *slotOf(const Value *value);
  Value *uniform(Value *value);
  Value *wide(Value *value);
  void define(Op &op, Value *value);
  void storeBlended(Value *value, Value *slot, Value *lanes);
  Value *toLanes(Value *mask);
  Value *toMask(Value *lanes);
  Value *warpField(size_t offset, Type *type) {
    return loadField(b, body->getArg(0), offset, type);
  }
  Value *threadOf(Value *lane);
  Value *firstLane();
  llvm::CallInst *callExecutor(const std::string &name, Type *result,
                               llvm::ArrayRef<Value *> arguments);

  // Instructions (WarpInstructions.cpp).
  void emit(Op &op);
  void emitUniform(Op &op);
  bool emitContext(Op &op);
  bool emitWide(Op &op);
  Value *widenIntrinsic(llvm::CallInst &call);
  void emitAlloca(llvm::AllocaInst &op);
  void emitForEachLane(Op &op);
  Value *inLane(Value *value, Value *lane);
  Value *spill(Value *value);
  Value *arrayOf(const Value *value);

  // Threads that meet (WarpCollectives.cpp).
  bool emitCollective(Op &op);
  std::pair<Value *, Value *> wordsOf(Value *value);

  // Memory (WarpMemory.cpp).
  llvm::CallInst *asVaryingAccess(Op &op) const;
  bool emitMemory(Op &op);
  void emitAddress(llvm::CallInst &call);
  bool mayBeRows(llvm::CallInst &call) const;
  bool mayBeRows(llvm::CallInst &call, int64_t stride) const;
  Bounds boundsOf(const llvm::CallInst &call);
  Value *fit(Value *addresses, unsigned count, const Bounds &bounds,
             uint64_t bytes, uint64_t size);
  Rows checkRows(llvm::CallInst &call, const Bounds &bounds);
  Value *checkBlock(llvm::BasicBlock &block);
  Value *checkLanes(llvm::CallInst &call, const Bounds &bounds);
  void emitLoad(llvm::LoadInst &load);
  void emitStore(llvm::StoreInst &store);
  Value *pointersOf(Value *pointer);
  const Address *findAddress(Value *pointer, int64_t &offset);
  Value *loadRows(const Address &address, int64_t offset, Type *type);
  void storeRows(const Address &address, int64_t offset, Value *value);
  Value *pick(Value *value, unsigned lane);
  llvm::BasicBlock *newBlock() {
    return llvm::BasicBlock::Create(b.getContext(), "", body);
  }

  llvm::Function &kernel;
  const WarpAnalysis &analysis;
  llvm::IRBuilder<> b;
  llvm::Function *body = nullptr;
  llvm::BasicBlock *entry = nullptr;
  Value *thread0 = nullptr, *live = nullptr;
  std::vector<llvm::BasicBlock *> entries, gates;
  std::vector<llvm::AllocaInst *> pending;
  llvm::DenseMap<const Value *, llvm::AllocaInst *> slots, phis, arrays;
  /// Of the block at hand.
  unsigned current = 0;
  Value *mask = nullptr, *lanes = nullptr;
  llvm::DenseMap<const Value *, Value *> values;
  llvm::DenseMap<const Value *, Address> addresses;
  /// By base, size, space and window.
  std::map<std::tuple<Value *, uint64_t, unsigned, Value *>, Rows> rows;
};

} // namespace hetero::emulator::ptx

#endif // HETERO_LIB_EMULATOR_VECTORIZE_WARPVECTORIZER_H
