//===- MemoryEmitter.h - Moves, loads and stores ----------------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_LIB_EMULATOR_TRANSLATE_MEMORY_MEMORYEMITTER_H
#define HETERO_LIB_EMULATOR_TRANSLATE_MEMORY_MEMORYEMITTER_H

#include "Emulator/Translate/Emitter.h"
#include "Emulator/Translate/Memory/Addresses.h"

namespace hetero::emulator::ptx {

/// Moves between registers, state spaces and memory.
class MemoryEmitter : public Emitter {
public:
  using Emitter::Emitter;
  static llvm::ArrayRef<Rule> rules();

private:
  void emitMov(Op op);
  void emitMovOfVectors(Op op);
  void emitCvta(Op op);
  void emitIsSpace(Op op);
  void emitLoad(Op op);
  void emitStore(Op op);
  llvm::ArrayRef<Operand> elements(Op op, const Operand &value);
  bool isOrdered() const;
  uint32_t orderKind() const;

  Addresses addresses{f};
};

} // namespace hetero::emulator::ptx

#endif // HETERO_LIB_EMULATOR_TRANSLATE_MEMORY_MEMORYEMITTER_H
