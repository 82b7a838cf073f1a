//===- PhaseEmitter.h - Barriers in memory ----------------------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_LIB_EMULATOR_TRANSLATE_THREADS_PHASEEMITTER_H
#define HETERO_LIB_EMULATOR_TRANSLATE_THREADS_PHASEEMITTER_H

#include "Emulator/Translate/Emitter.h"
#include "Emulator/Translate/Memory/Addresses.h"

namespace hetero::emulator::ptx {

/// mbarrier: objects whose phases end when threads and copies have arrived.
class PhaseEmitter : public Emitter {
public:
  using Emitter::Emitter;
  static llvm::ArrayRef<Rule> rules();

private:
  void emitPhaseObject(Op op);
  void emitPhaseBytes(Op op);
  void emitPhaseArrive(Op op);
  void emitPhaseTest(Op op);
  void emitPhaseCount(Op op);
  void emitPhaseOfCopies(Op op);
  Value *phase(Op op, const Operand &address, uint32_t operation,
               Value *operand);

  Addresses addresses{f};
};

} // namespace hetero::emulator::ptx

#endif // HETERO_LIB_EMULATOR_TRANSLATE_THREADS_PHASEEMITTER_H
