//===- KernelMemory.cpp - Moves, loads and stores -------------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Emulator/Translate/Access.h"
#include "Emulator/Translate/Kernel.h"

#include "Emulator/Execute/ExecutorCallbacks.h"
#include "Emulator/PTX/Lexer.h"

#include <cstddef>

using namespace hetero::emulator;
using namespace hetero::emulator::ptx;

//===----------------------------------------------------------------------===//
// Moves
//===----------------------------------------------------------------------===//

void KernelTranslator::emitMov(Op op) {
  ScalarType whole = type(op);
  const Operand &to = op.operands[0], &from = op.operands[1];
  bool packs = from.kind == Operand::Vector;
  const Operand &vector = packs ? from : to;
  if (vector.kind != Operand::Vector) {
    if (whole.kind == ScalarType::Pred)
      return write(op, to, readPredicate(op, from));
    return write(op, to, readBits(op, from, whole));
  }
  size_t count = vector.elements.size();
  bool isWhole = count == 1 && whole.kind == ScalarType::Bits;
  if (count != 2 && count != 4 && !isWhole)
    fail(op, "expected two or four elements, got " + std::to_string(count));
  ScalarType part;
  part.bits = whole.totalBits() / count;
  auto *type = llvm::FixedVectorType::get(bitsType(part.bits), count);
  Value *value = packs ? llvm::PoisonValue::get(type)
                       : b.CreateBitCast(readBits(op, from, whole), type);
  for (size_t i = 0; i < count; ++i) {
    if (packs)
      value = b.CreateInsertElement(value,
                                    readBits(op, vector.elements[i], part), i);
    else
      write(op, vector.elements[i], b.CreateExtractElement(value, i));
  }
  if (packs)
    write(op, to, value);
}

/// Adds or takes away where the state space begins in generic addresses.
void KernelTranslator::emitCvta(Op op) {
  uint64_t base = isShared()     ? kSharedWindowBase
                  : has("local") ? kLocalWindowBase
                  : has("param") ? kParamWindowBase
                                 : 0;
  Value *address = readBits(op, op.operands[1], type(op));
  Value *offset = llvm::ConstantInt::get(address->getType(), base);
  write(op, op.operands[0],
        has("to") ? b.CreateSub(address, offset)
                  : b.CreateAdd(address, offset));
}

//===----------------------------------------------------------------------===//
// Addresses
//===----------------------------------------------------------------------===//

llvm::Value *KernelTranslator::addressValue(Op op, const Operand &operand) {
  if (operand.kind != Operand::Address || operand.elements.size() != 1)
    fail(op, "expected an address in brackets");
  const Operand &base = operand.elements[0];
  // Shared memory may be addressed with 32 bits.
  const Symbol *symbol =
      base.kind == Operand::Identifier ? find(base.name) : nullptr;
  ScalarType word;
  word.bits = symbol && symbol->kind == Symbol::Register && symbol->bits == 32
                  ? 32
                  : 64;
  // An offset may lead across the end of 32 bits and back.
  Value *address = readBits(op, base, word);
  Value *offset =
      b.CreateTrunc(b.getInt64(operand.integer), address->getType());
  return b.CreateZExt(b.CreateAdd(address, offset), b.getInt64Ty());
}

llvm::Value *KernelTranslator::accessAddress(const char *name, Value *address,
                                             uint64_t size, uint32_t kind,
                                             uint64_t last) {
  return b.CreateCall(declareAccess(llvm, name),
                      {context, address, b.getInt32(size), b.getInt32(kind),
                       b.getInt32(current->line), b.getInt32(last)});
}

llvm::Value *KernelTranslator::globalAddress(Value *address, uint64_t size,
                                             uint32_t kind) {
  // A generic address may be that of other memory.
  count(
      kCountedBytes,
      b.CreateSelect(b.CreateICmpUGE(address, b.getInt64(kFirstDeviceAddress)),
                     b.getInt64(size), b.getInt64(0)));
  return accessAddress("emu.global", address, size, kind,
                       nextWindow++ % kNumAccessWindows);
}

llvm::Value *KernelTranslator::paramAddress(Value *offset, uint64_t size,
                                            uint32_t kind) {
  auto *known = llvm::dyn_cast<llvm::ConstantInt>(offset);
  if (known && !(kind & kWrites) && known->getZExtValue() % size == 0 &&
      known->getZExtValue() <= paramBytes &&
      size <= paramBytes - known->getZExtValue())
    return b.CreateGEP(
        b.getInt8Ty(),
        contextField(offsetof(ThreadContext, params), b.getPtrTy()), offset);
  return accessAddress("emu.param", offset, size, kind, paramBytes);
}

/// The memory of a call's parameter or of a function's own; null for other
/// operands.
llvm::Value *KernelTranslator::argumentAddress(Op op, const Operand &operand,
                                               uint64_t size) {
  if (operand.kind != Operand::Address || operand.elements.size() != 1 ||
      operand.elements[0].kind != Operand::Identifier)
    return nullptr;
  const Symbol *symbol = find(operand.elements[0].name);
  if (!symbol || symbol->kind != Symbol::Argument)
    return nullptr;
  if (operand.integer > symbol->bytes || size > symbol->bytes - operand.integer)
    fail(op,
         "the parameter has only " + std::to_string(symbol->bytes) + " bytes");
  return b.CreateConstGEP1_64(b.getInt8Ty(), symbol->slot, operand.integer);
}

llvm::Value *KernelTranslator::hostAddress(Op op, const Operand &operand,
                                           uint64_t size, uint32_t kind) {
  if (has("param") || has("param::func") || has("param::entry"))
    if (Value *argument = argumentAddress(op, operand, size))
      return argument;
  Value *address = addressValue(op, operand);
  const Symbol *base = find(operand.elements[0].name);
  if (isShared())
    return accessAddress("emu.shared", address, size, kind);
  if (has("local") || (base && base->kind == Symbol::Local))
    return accessAddress("emu.local", address, size, kind);
  if (has("param") || has("param::entry"))
    return paramAddress(address, size, kind);
  return globalAddress(address, size, kind);
}

//===----------------------------------------------------------------------===//
// Loads and stores
//===----------------------------------------------------------------------===//

/// The elements of a vector, as many as the modifier says; or the value.
llvm::ArrayRef<Operand> KernelTranslator::elements(Op op,
                                                   const Operand &value) {
  size_t expected = has("v2") ? 2 : has("v4") ? 4 : has("v8") ? 8 : 1;
  bool isVector = value.kind == Operand::Vector;
  size_t count = isVector ? value.elements.size() : 1;
  if (count != expected)
    fail(op, "expected " + std::to_string(expected) + " elements, got " +
                 std::to_string(count));
  if (expected * type(op).bytes() > 32)
    fail(op, "a vector of more than 32 bytes");
  if (has("L2::cache_hint") != (op.operands.size() == 3))
    fail(op, "a third operand goes with '.L2::cache_hint'");
  return isVector ? llvm::ArrayRef<Operand>(value.elements)
                  : llvm::ArrayRef<Operand>(value);
}

/// Accesses that see what other threads do. Code may wait for that in a loop:
/// the access must stay there, and other threads must run.
bool KernelTranslator::isOrdered() const {
  return has("volatile") || has("relaxed") || has("acquire") ||
         has("release") || has("mmio");
}

uint32_t KernelTranslator::orderKind() const {
  return isOrdered() ? kStrong : 0;
}

void KernelTranslator::emitLoad(Op op) {
  ScalarType element = type(op);
  llvm::ArrayRef<Operand> parts = elements(op, op.operands[0]);
  uint64_t bytes = element.bytes();
  Value *host =
      hostAddress(op, op.operands[1], bytes * parts.size(), orderKind());
  // All are read before the first is written: it may hold the address.
  std::vector<Value *> values;
  for (size_t i = 0; i < parts.size(); ++i)
    values.push_back(b.CreateLoad(
        bitsType(bytes * 8),
        b.CreateConstGEP1_64(b.getInt8Ty(), host, i * bytes), isOrdered()));
  if (has("acquire"))
    emitFence(op);
  for (size_t i = 0; i < parts.size(); ++i)
    write(op, parts[i], values[i], !element.isFloat(), element.isSigned());
}

void KernelTranslator::emitStore(Op op) {
  ScalarType element = type(op);
  llvm::ArrayRef<Operand> parts = elements(op, op.operands[1]);
  uint64_t bytes = element.bytes();
  Value *host = hostAddress(op, op.operands[0], bytes * parts.size(),
                            kWrites | orderKind());
  if (has("release"))
    emitFence(op);
  for (size_t i = 0; i < parts.size(); ++i)
    b.CreateStore(readBits(op, parts[i], element, !element.isFloat()),
                  b.CreateConstGEP1_64(b.getInt8Ty(), host, i * bytes),
                  isOrdered());
}

/// How many bytes cp.async reads: a number, or none where a predicate holds.
llvm::Value *KernelTranslator::asyncCopySize(Op op, uint64_t bytes) {
  const Operand &operand = op.operands[3];
  const Symbol *symbol =
      operand.kind == Operand::Identifier ? find(operand.name) : nullptr;
  if (!symbol || symbol->bits != 1)
    return readWord(op, operand);
  return b.CreateSelect(readPredicate(op, operand), b.getInt32(0),
                        b.getInt32(bytes));
}

/// cp.async: copies at once, so that there is nothing to wait for. Bytes beyond
/// those of the source are zero, and are not read.
void KernelTranslator::emitAsyncCopy(Op op) {
  const Operand &size = op.operands[2];
  if (size.kind != Operand::Integer ||
      (size.integer != 4 && size.integer != 8 && size.integer != 16))
    fail(op, "expected a size of 4, 8 or 16 bytes");
  size_t operands = op.operands.size() - has("L2::cache_hint");
  if (operands < 3 || operands > 4)
    fail(op, "expected 3 or 4 operands and a hint");
  uint64_t bytes = size.integer;
  Value *source = addressValue(op, op.operands[1]);
  Value *to = accessAddress("emu.shared", addressValue(op, op.operands[0]),
                            bytes, kWrites | kUnordered);
  llvm::Type *whole = b.getIntNTy(bytes * 8);
  auto copyWhole = [&] {
    Value *from = globalAddress(source, bytes, /*kind=*/0);
    b.CreateAlignedStore(b.CreateAlignedLoad(whole, from, llvm::Align(1)), to,
                         llvm::Align(1));
  };
  if (operands == 3)
    return copyWhole();
  Value *count = asyncCopySize(op, bytes);
  auto *all = llvm::BasicBlock::Create(b.getContext(), "", body);
  auto *some = llvm::BasicBlock::Create(b.getContext(), "", body);
  auto *next = llvm::BasicBlock::Create(b.getContext(), "", body);
  b.CreateCondBr(b.CreateICmpUGE(count, b.getInt32(bytes)), all, some);
  b.SetInsertPoint(all);
  copyWhole();
  b.CreateBr(next);
  b.SetInsertPoint(some);
  b.CreateAlignedStore(llvm::ConstantInt::get(whole, 0), to, llvm::Align(1));
  copyBytes(source, to, count, next);
  b.SetInsertPoint(next);
}

/// Copies `count` bytes from global memory, one by one, and goes on at `next`.
void KernelTranslator::copyBytes(Value *source, Value *to, Value *count,
                                 llvm::BasicBlock *next) {
  llvm::BasicBlock *before = b.GetInsertBlock();
  auto *loop = llvm::BasicBlock::Create(b.getContext(), "", body);
  auto *copy = llvm::BasicBlock::Create(b.getContext(), "", body);
  b.CreateBr(loop);
  b.SetInsertPoint(loop);
  llvm::PHINode *index = b.CreatePHI(b.getInt32Ty(), 2);
  index->addIncoming(b.getInt32(0), before);
  b.CreateCondBr(b.CreateICmpULT(index, count), copy, next);
  b.SetInsertPoint(copy);
  Value *offset = b.CreateZExt(index, b.getInt64Ty());
  Value *from = globalAddress(b.CreateAdd(source, offset), 1, /*kind=*/0);
  b.CreateStore(b.CreateLoad(b.getInt8Ty(), from),
                b.CreateGEP(b.getInt8Ty(), to, offset));
  index->addIncoming(b.CreateAdd(index, b.getInt32(1)), b.GetInsertBlock());
  b.CreateBr(loop);
}

/// isspacep: whether a generic address is in a state space.
void KernelTranslator::emitIsSpace(Op op) {
  ScalarType wide;
  wide.bits = 64;
  Value *address = readBits(op, op.operands[1], wide);
  Value *result;
  if (has("global") || has("const")) {
    result = b.CreateICmpUGE(address, b.getInt64(kFirstDeviceAddress));
  } else {
    uint64_t base = has("local")   ? kLocalWindowBase
                    : has("param") ? kParamWindowBase
                                   : kSharedWindowBase;
    result = b.CreateICmpULT(b.CreateSub(address, b.getInt64(base)),
                             b.getInt64(kWindowSize));
  }
  write(op, op.operands[0], result);
}

/// createpolicy: hints are not looked at.
void KernelTranslator::emitPolicy(Op op) {
  write(op, op.operands[0], b.getInt64(0));
}

/// Hints, prefetches and counters of profilers change no result.
void KernelTranslator::emitNothing(Op) {}
