//===- Addresses.cpp - Where operands in memory are -----------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Emulator/Translate/Memory/Addresses.h"

#include "Emulator/ABI/ExecutorCallbacks.h"
#include "Emulator/PTX/Lexer.h"
#include "Emulator/Translate/Access.h"

#include <cstddef>

using namespace hetero::emulator;
using namespace hetero::emulator::ptx;

llvm::Value *Addresses::addressValue(Op op, const Operand &operand) {
  if (operand.kind != Operand::Address || operand.elements.size() != 1)
    f.fail(op, "expected an address in brackets");
  const Operand &base = operand.elements[0];
  // Shared memory may be addressed with 32 bits.
  const Symbol *symbol =
      base.kind == Operand::Identifier ? f.find(base.name) : nullptr;
  ScalarType word;
  word.bits = symbol && symbol->kind == Symbol::Register && symbol->bits == 32
                  ? 32
                  : 64;
  // An offset may lead across the end of 32 bits and back.
  Value *address = f.readBits(op, base, word);
  Value *offset =
      b.CreateTrunc(b.getInt64(operand.integer), address->getType());
  return b.CreateZExt(b.CreateAdd(address, offset), b.getInt64Ty());
}

llvm::Value *Addresses::accessAddress(const char *name, Value *address,
                                      uint64_t size, uint32_t kind,
                                      uint64_t last) {
  return b.CreateCall(declareAccess(f.module, name),
                      {f.context, address, b.getInt32(size), b.getInt32(kind),
                       b.getInt32(f.current->line), b.getInt32(last)});
}

llvm::Value *Addresses::globalAddress(Value *address, uint64_t size,
                                      uint32_t kind) {
  // A generic address may be that of other memory.
  f.count(
      kCountedBytes,
      b.CreateSelect(b.CreateICmpUGE(address, b.getInt64(kFirstDeviceAddress)),
                     b.getInt64(size), b.getInt64(0)));
  return accessAddress("emu.global", address, size, kind,
                       f.nextWindow++ % kNumAccessWindows);
}

llvm::Value *Addresses::paramAddress(Value *offset, uint64_t size,
                                     uint32_t kind) {
  auto *known = llvm::dyn_cast<llvm::ConstantInt>(offset);
  if (known && !(kind & kWrites) && known->getZExtValue() % size == 0 &&
      known->getZExtValue() <= f.paramBytes &&
      size <= f.paramBytes - known->getZExtValue())
    return b.CreateGEP(
        b.getInt8Ty(),
        f.contextField(offsetof(ThreadContext, params), b.getPtrTy()), offset);
  return accessAddress("emu.param", offset, size, kind, f.paramBytes);
}

/// The memory of a call's parameter or of a function's own; null for other
/// operands.
llvm::Value *Addresses::argumentAddress(Op op, const Operand &operand,
                                        uint64_t size) {
  if (operand.kind != Operand::Address || operand.elements.size() != 1 ||
      operand.elements[0].kind != Operand::Identifier)
    return nullptr;
  const Symbol *symbol = f.find(operand.elements[0].name);
  if (!symbol || symbol->kind != Symbol::Argument)
    return nullptr;
  if (operand.integer > symbol->bytes || size > symbol->bytes - operand.integer)
    f.fail(op, "the parameter has only " + std::to_string(symbol->bytes) +
                   " bytes");
  return b.CreateConstGEP1_64(b.getInt8Ty(), symbol->slot, operand.integer);
}

llvm::Value *Addresses::hostAddress(Op op, const Operand &operand,
                                    uint64_t size, uint32_t kind) {
  if (f.has("param") || f.has("param::func") || f.has("param::entry"))
    if (Value *argument = argumentAddress(op, operand, size))
      return argument;
  Value *address = addressValue(op, operand);
  const Symbol *base = f.find(operand.elements[0].name);
  if (f.isShared())
    return accessAddress("emu.shared", address, size, kind);
  if (f.has("local") || (base && base->kind == Symbol::Local))
    return accessAddress("emu.local", address, size, kind);
  if (f.has("param") || f.has("param::entry"))
    return paramAddress(address, size, kind);
  bool namesGlobal = f.has("global") || f.has("const");
  return globalAddress(address, size, kind | (namesGlobal ? kNotLocal : 0));
}

llvm::Value *Addresses::genericAddress(Op op, const Operand &operand,
                                       bool isShared) {
  Value *address = addressValue(op, operand);
  return isShared ? b.CreateAdd(address, b.getInt64(kSharedWindowBase))
                  : address;
}
