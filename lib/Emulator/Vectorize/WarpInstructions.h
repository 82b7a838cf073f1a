//===- WarpInstructions.h - Instructions of all lanes -----------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_LIB_EMULATOR_VECTORIZE_WARPINSTRUCTIONS_H
#define HETERO_LIB_EMULATOR_VECTORIZE_WARPINSTRUCTIONS_H

#include "Emulator/Vectorize/WarpMemory.h"

namespace hetero::emulator::ptx {

class WarpInstructions {
public:
  WarpInstructions(WarpBuilder &w, WarpMemory &memory)
      : w(w), b(w.b), memory(memory) {}

  /// Writes what the lanes do for an instruction that ends no block.
  void emit(llvm::Instruction &op);

private:
  using Value = llvm::Value;
  using Type = llvm::Type;
  using Op = llvm::Instruction;

  bool isUniformStore(const Op &op) const;
  void emitUniform(Op &op);
  bool emitContext(Op &op);
  bool emitWide(Op &op);
  Value *widenIntrinsic(llvm::CallInst &call);
  void emitAlloca(llvm::AllocaInst &op);
  void emitForEachLane(Op &op);

  WarpBuilder &w;
  llvm::IRBuilder<> &b;
  WarpMemory &memory;
};

} // namespace hetero::emulator::ptx

#endif // HETERO_LIB_EMULATOR_VECTORIZE_WARPINSTRUCTIONS_H
