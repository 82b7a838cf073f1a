//===- ClusterEmitter.h - Blocks of a cluster -------------------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_LIB_EMULATOR_TRANSLATE_THREADS_CLUSTEREMITTER_H
#define HETERO_LIB_EMULATOR_TRANSLATE_THREADS_CLUSTEREMITTER_H

#include "Emulator/Translate/Emitter.h"

namespace hetero::emulator::ptx {

/// A cluster has one block: its barrier is the block's, and its memory too.
class ClusterEmitter : public Emitter {
public:
  using Emitter::Emitter;
  static llvm::ArrayRef<Rule> rules();

private:
  void emitBarrier(Op op);
  void emitMap(Op op);
  void emitRank(Op op);
};

} // namespace hetero::emulator::ptx

#endif // HETERO_LIB_EMULATOR_TRANSLATE_THREADS_CLUSTEREMITTER_H
