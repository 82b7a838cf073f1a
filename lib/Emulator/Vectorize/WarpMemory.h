//===- WarpMemory.h - Loads and stores of all lanes -------------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_LIB_EMULATOR_VECTORIZE_WARPMEMORY_H
#define HETERO_LIB_EMULATOR_VECTORIZE_WARPMEMORY_H

#include "Emulator/Vectorize/WarpBuilder.h"

#include <map>
#include <tuple>

namespace hetero::emulator::ptx {

class WarpMemory {
public:
  explicit WarpMemory(WarpBuilder &w) : w(w), b(w.b) {}

  /// What is known of addresses holds for a block.
  void beginBlock();
  /// Where a block makes several accesses whose addresses are known when it
  /// begins, checks their rows there: if all are good, code without other ways
  /// can follow. Null where that does not pay.
  llvm::Value *checkBlock(llvm::BasicBlock &block);
  /// Writes an access at addresses that differ, or its check; false if the
  /// instruction is none.
  bool emit(llvm::Instruction &op);

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

  llvm::CallInst *asVaryingAccess(Op &op) const;
  void emitAddress(llvm::CallInst &call);
  bool mayBeRows(llvm::CallInst &call) const;
  bool mayBeRows(llvm::CallInst &call, int64_t stride) const;
  Bounds boundsOf(const llvm::CallInst &call);
  Value *fit(Value *addresses, unsigned count, const Bounds &bounds,
             uint64_t bytes, uint64_t size);
  Rows checkRows(llvm::CallInst &call, const Bounds &bounds);
  Value *checkLanes(llvm::CallInst &call, const Bounds &bounds);
  void emitLoad(llvm::LoadInst &load);
  void emitStore(llvm::StoreInst &store);
  Value *pointersOf(Value *pointer);
  const Address *findAddress(Value *pointer, int64_t &offset);
  Value *loadRows(const Address &address, int64_t offset, Type *type);
  void storeRows(const Address &address, int64_t offset, Value *value);
  Value *pick(Value *value, unsigned lane);

  WarpBuilder &w;
  llvm::IRBuilder<> &b;
  llvm::DenseMap<const Value *, Address> addresses;
  /// By base, size, space and window.
  std::map<std::tuple<Value *, uint64_t, unsigned, Value *>, Rows> rows;
};

} // namespace hetero::emulator::ptx

#endif // HETERO_LIB_EMULATOR_VECTORIZE_WARPMEMORY_H
