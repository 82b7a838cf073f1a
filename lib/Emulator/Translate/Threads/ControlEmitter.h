//===- ControlEmitter.h - Jumps and ends of threads -------------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_LIB_EMULATOR_TRANSLATE_THREADS_CONTROLEMITTER_H
#define HETERO_LIB_EMULATOR_TRANSLATE_THREADS_CONTROLEMITTER_H

#include "Emulator/Translate/Emitter.h"

namespace hetero::emulator::ptx {

/// Where a thread goes on, and where it ends.
class ControlEmitter : public Emitter {
public:
  using Emitter::Emitter;
  static llvm::ArrayRef<Rule> rules();

private:
  void emitBranch(Op op);
  void emitIndexedBranch(Op op);
  void emitReturn(Op op);
  void emitTrap(Op op);
  void emitSleep(Op op);
};

} // namespace hetero::emulator::ptx

#endif // HETERO_LIB_EMULATOR_TRANSLATE_THREADS_CONTROLEMITTER_H
