//===- AsyncEmitter.h - Copies that threads do not wait for -----*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_LIB_EMULATOR_TRANSLATE_MEMORY_ASYNCEMITTER_H
#define HETERO_LIB_EMULATOR_TRANSLATE_MEMORY_ASYNCEMITTER_H

#include "Emulator/Translate/Emitter.h"
#include "Emulator/Translate/Memory/Addresses.h"

namespace hetero::emulator::ptx {

/// Asynchronous copies, the maps of tensors that some of them follow, and the
/// groups in which they and products of warpgroups are waited for.
class AsyncEmitter : public Emitter {
public:
  using Emitter::Emitter;
  static llvm::ArrayRef<Rule> rules();

private:
  void emitAsyncCopy(Op op);
  void emitBulkCopy(Op op);
  void emitTensorCopy(Op op);
  void emitReplaceMap(Op op);
  void emitCopyMap(Op op);
  void emitGroups(Op op);
  Value *asyncCopySize(Op op, uint64_t bytes);
  void copyBytes(Value *source, Value *to, Value *count,
                 llvm::BasicBlock *next);
  void checkHint(Op op, size_t operands);
  Value *tensorMapAddress(Op op, const Operand &operand);
  Value *coordinatesOf(Op op, const Operand &operand, unsigned rank);

  Addresses addresses{f};
};

} // namespace hetero::emulator::ptx

#endif // HETERO_LIB_EMULATOR_TRANSLATE_MEMORY_ASYNCEMITTER_H
