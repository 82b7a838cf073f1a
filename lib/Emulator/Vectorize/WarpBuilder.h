//===- WarpBuilder.h - Values of all lanes of a warp ------------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_LIB_EMULATOR_VECTORIZE_WARPBUILDER_H
#define HETERO_LIB_EMULATOR_VECTORIZE_WARPBUILDER_H

#include "Emulator/Translate/Access.h"
#include "Emulator/Vectorize/WarpAnalysis.h"

#include "llvm/IR/IRBuilder.h"

#include <map>
#include <string>
#include <vector>

namespace hetero::emulator::ptx {

/// Whether there are vectors of such values.
inline bool isSimple(llvm::Type *type) {
  return llvm::FixedVectorType::isValidElementType(type);
}
inline llvm::Type *wideType(llvm::Type *type) {
  return llvm::FixedVectorType::get(type, kLanes);
}

/// The function that is written, and the block of the kernel at hand: where its
/// values are, one for all lanes or a vector with each lane's.
class WarpBuilder {
public:
  using Value = llvm::Value;
  using Type = llvm::Type;
  using Op = llvm::Instruction;

  /// Writes `void name(WarpContext *)` into the kernel's module.
  WarpBuilder(llvm::Function &kernel, const WarpAnalysis &analysis,
              const std::string &name);

  /// Begins with an instruction: memory of the one before is free.
  void beginInstruction();
  /// Begins with a block of the kernel, for these lanes.
  void beginBlock(unsigned block, Value *ofLanes);

  Type *typeOf(const Value *value) const;
  /// A variable of the whole function.
  llvm::AllocaInst *atEntry(Type *type, bool isZero = true);
  Value *uniform(Value *value);
  Value *wide(Value *value);
  /// What the instruction of the kernel has become.
  void define(Op &op, Value *value);
  /// Stores in these lanes only.
  void storeBlended(Value *value, Value *slot, Value *which);
  Value *toLanes(Value *bits);
  Value *toMask(Value *which);
  /// Memory for what each lane has of a value; of bits, bytes.
  Value *arrayOf(const Value *value);
  /// The same memory for addresses that become the value.
  Value *addressesOf(const Value *value);
  /// Puts a value that differs into its memory.
  Value *spill(Value *value);
  /// What the lane has of a value that is in its memory.
  Value *inLane(Value *value, Value *lane);

  Value *warpField(size_t offset, Type *type) {
    return loadField(b, body->getArg(0), offset, type);
  }
  Value *threadOf(Value *lane);
  Value *firstLane();
  /// Calls `name(warp, arguments...)`.
  llvm::CallInst *callExecutor(const std::string &name, Type *result,
                               llvm::ArrayRef<Value *> arguments);
  llvm::BasicBlock *newBlock() {
    return llvm::BasicBlock::Create(b.getContext(), "", body);
  }

  llvm::Function &kernel;
  const WarpAnalysis &analysis;
  llvm::IRBuilder<> b;
  llvm::Function *body;
  llvm::BasicBlock *entry;
  Value *thread0;
  /// Of the block at hand: its number, its lanes as bits and as a vector, and
  /// what its values are.
  unsigned current = 0;
  Value *mask = nullptr, *lanes = nullptr;
  llvm::DenseMap<const Value *, Value *> values;

private:
  llvm::AllocaInst *slotOf(const Value *value);
  llvm::AllocaInst *scratch(const Value *value, Type *type, bool isZero);

  llvm::DenseMap<const Value *, llvm::AllocaInst *> slots;
  /// Of values that are no vectors, for good; of others while the instruction
  /// at hand is written.
  llvm::DenseMap<const Value *, llvm::AllocaInst *> arrays, ofInstruction;
  std::map<Type *, std::vector<llvm::AllocaInst *>> freeArrays;
};

} // namespace hetero::emulator::ptx

#endif // HETERO_LIB_EMULATOR_VECTORIZE_WARPBUILDER_H
