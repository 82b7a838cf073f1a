//===- HintEmitter.h - What changes no result -------------------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_LIB_EMULATOR_TRANSLATE_MEMORY_HINTEMITTER_H
#define HETERO_LIB_EMULATOR_TRANSLATE_MEMORY_HINTEMITTER_H

#include "Emulator/Translate/Emitter.h"

namespace hetero::emulator::ptx {

/// Hints for caches, profilers and the hardware.
class HintEmitter : public Emitter {
public:
  using Emitter::Emitter;
  static llvm::ArrayRef<Rule> rules();

private:
  void emitPolicy(Op op);
  void emitRegisterCount(Op op);
};

} // namespace hetero::emulator::ptx

#endif // HETERO_LIB_EMULATOR_TRANSLATE_MEMORY_HINTEMITTER_H
