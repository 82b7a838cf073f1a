//===- CollectiveEmitter.h - Threads that meet ------------------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_LIB_EMULATOR_TRANSLATE_THREADS_COLLECTIVEEMITTER_H
#define HETERO_LIB_EMULATOR_TRANSLATE_THREADS_COLLECTIVEEMITTER_H

#include "Emulator/Translate/Emitter.h"

namespace hetero::emulator::ptx {

/// Barriers of blocks, and what the lanes of a warp do together.
class CollectiveEmitter : public Emitter {
public:
  using Emitter::Emitter;
  static llvm::ArrayRef<Rule> rules();

private:
  void emitBarrier(Op op);
  void emitBarrierReduce(Op op);
  void checkBarrier(Op op, size_t id, size_t threads);
  void emitWarpSync(Op op);
  void emitShuffle(Op op);
  void emitVote(Op op);
  void emitMatch(Op op);
  void emitRedux(Op op);
  void emitActiveMask(Op op);
  void emitElect(Op op);
  void writePair(Op op, Value *both);
  Value *membersOf(Op op, size_t index);
  Value *activeMask();
};

} // namespace hetero::emulator::ptx

#endif // HETERO_LIB_EMULATOR_TRANSLATE_THREADS_COLLECTIVEEMITTER_H
