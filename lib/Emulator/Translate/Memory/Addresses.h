//===- Addresses.h - Where operands in memory are ---------------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_LIB_EMULATOR_TRANSLATE_MEMORY_ADDRESSES_H
#define HETERO_LIB_EMULATOR_TRANSLATE_MEMORY_ADDRESSES_H

#include "Emulator/Translate/FunctionBuilder.h"

namespace hetero::emulator::ptx {

/// From operands in brackets to addresses of the device and of the host.
class Addresses {
public:
  using Value = llvm::Value;
  using Op = const Instruction &;
  using Symbol = FunctionState::Symbol;

  explicit Addresses(FunctionBuilder &f) : f(f), b(f.b) {}

  /// What the operand says, within its state space.
  Value *addressValue(Op op, const Operand &operand);
  Value *genericAddress(Op op, const Operand &operand, bool isShared);
  /// Where the host finds the bytes; the kind is an AccessKind.
  Value *hostAddress(Op op, const Operand &operand, uint64_t size,
                     uint32_t kind);
  Value *globalAddress(Value *address, uint64_t size, uint32_t kind);
  Value *accessAddress(const char *name, Value *address, uint64_t size,
                       uint32_t kind, uint64_t last = 0);

private:
  Value *argumentAddress(Op op, const Operand &operand, uint64_t size);
  Value *paramAddress(Value *offset, uint64_t size, uint32_t kind);

  FunctionBuilder &f;
  llvm::IRBuilder<> &b;
};

} // namespace hetero::emulator::ptx

#endif // HETERO_LIB_EMULATOR_TRANSLATE_MEMORY_ADDRESSES_H
