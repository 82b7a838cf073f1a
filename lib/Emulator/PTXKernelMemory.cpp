//===- PTXKernelMemory.cpp - Moves, memory, control and collectives -------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PTXKernel.h"

#include "hetero/Emulator/ExecutorCallbacks.h"
#include "hetero/Emulator/PTXLexer.h"

#include <cstddef>

using namespace hetero::emulator;
using namespace hetero::emulator::ptx;
using llvm::BasicBlock;

//===----------------------------------------------------------------------===//
// Moves
//===----------------------------------------------------------------------===//

void KernelTranslator::emitMov(Op op) {
  ScalarType whole = type(op);
  const Operand &to = op.operands[0], &from = op.operands[1];
  bool packs = from.kind == Operand::Vector;
  const Operand &vector = packs ? from : to;
  if (!packs && to.kind != Operand::Vector) {
    if (whole.kind == ScalarType::Pred)
      return write(op, to, readPredicate(op, from));
    return write(op, to, readBits(op, from, whole));
  }
  ScalarType part;
  part.bits = whole.totalBits() / vector.elements.size();
  auto *type =
      llvm::FixedVectorType::get(bitsType(part.bits), vector.elements.size());
  Value *value = packs ? llvm::PoisonValue::get(type)
                       : b.CreateBitCast(readBits(op, from, whole), type);
  for (size_t i = 0; i < vector.elements.size(); ++i) {
    if (packs)
      value = b.CreateInsertElement(value,
                                    readBits(op, vector.elements[i], part), i);
    else
      write(op, vector.elements[i], b.CreateExtractElement(value, i));
  }
  if (packs)
    write(op, to, value);
}

bool KernelTranslator::moveOp(Op op) {
  if (op.opcode == "mov") {
    emitMov(op);
    return true;
  }
  if (op.opcode == "cvt") {
    emitCvt(op);
    return true;
  }
  if (op.opcode != "cvta")
    return false;
  uint64_t base = has("shared")  ? kSharedWindowBase
                  : has("local") ? kLocalWindowBase
                  : has("param") ? kParamWindowBase
                                 : 0;
  Value *address = readBits(op, op.operands[1], type(op));
  Value *offset = llvm::ConstantInt::get(address->getType(), base);
  write(op, op.operands[0],
        has("to") ? b.CreateSub(address, offset)
                  : b.CreateAdd(address, offset));
  return true;
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

llvm::Value *KernelTranslator::addressValue(Op op, const Operand &operand) {
  if (operand.kind != Operand::Address || operand.elements.empty())
    fail(op, "expected an address in brackets");
  ScalarType wide;
  wide.bits = 64;
  Value *base = readBits(op, operand.elements[0], wide);
  return b.CreateAdd(base, b.getInt64(operand.integer));
}

/// The fast address where `ok`, else what `slow` returns.
llvm::Value *KernelTranslator::checked(Value *ok, Value *fast,
                                       const std::function<Value *()> &slow) {
  BasicBlock *before = b.GetInsertBlock();
  auto *slowBlock = BasicBlock::Create(b.getContext(), "", body);
  auto *next = BasicBlock::Create(b.getContext(), "", body);
  b.CreateCondBr(ok, next, slowBlock);
  b.SetInsertPoint(slowBlock);
  Value *slowAddress = slow();
  b.CreateBr(next);
  b.SetInsertPoint(next);
  auto *phi = b.CreatePHI(b.getPtrTy(), 2);
  phi->addIncoming(fast, before);
  phi->addIncoming(slowAddress, slowBlock);
  return phi;
}

/// True if [offset, offset + size) lies in [0, limit) and is aligned.
static llvm::Value *fits(llvm::IRBuilder<> &b, llvm::Value *offset,
                         llvm::Value *limit, llvm::Value *address,
                         uint64_t size) {
  llvm::Value *end = b.CreateAdd(offset, b.getInt64(size));
  llvm::Value *inside =
      b.CreateAnd(b.CreateICmpULE(end, limit), b.CreateICmpULT(offset, end));
  llvm::Value *low = b.CreateAnd(address, b.getInt64(size - 1));
  return b.CreateAnd(inside, b.CreateICmpEQ(low, b.getInt64(0)));
}

llvm::Value *KernelTranslator::globalAddress(Value *address, uint64_t size,
                                             bool isStore) {
  Value *windows = contextField(offsetof(ThreadContext, windows), b.getPtrTy());
  Value *window = b.CreateConstGEP1_64(b.getInt8Ty(), windows,
                                       (nextWindow++ % kNumAccessWindows) *
                                           sizeof(AccessWindow));
  auto field = [&](size_t offset, Type *type) {
    return b.CreateLoad(type,
                        b.CreateConstGEP1_64(b.getInt8Ty(), window, offset));
  };
  Value *begin = field(offsetof(AccessWindow, begin), b.getInt64Ty());
  Value *limit = field(offsetof(AccessWindow, size), b.getInt64Ty());
  Value *host = field(offsetof(AccessWindow, host), b.getPtrTy());
  Value *offset = b.CreateSub(address, begin);
  Value *fast = b.CreateGEP(b.getInt8Ty(), host, offset);
  return checked(fits(b, offset, limit, address, size), fast, [&] {
    return callback("heteroEmuTranslate", b.getPtrTy(),
                    {context, address, b.getInt32(size), b.getInt32(isStore),
                     b.getInt32(current->line), window});
  });
}

llvm::Value *KernelTranslator::blockAddress(const char *name,
                                            size_t pointerField,
                                            size_t sizeField, Value *offset,
                                            uint64_t size, bool isStore) {
  Value *base = contextField(pointerField, b.getPtrTy());
  Value *limit =
      b.CreateZExt(contextField(sizeField, b.getInt32Ty()), b.getInt64Ty());
  Value *fast = b.CreateGEP(b.getInt8Ty(), base, offset);
  return checked(fits(b, offset, limit, offset, size), fast, [&] {
    return callback(name, b.getPtrTy(),
                    {context, offset, b.getInt32(size), b.getInt32(isStore),
                     b.getInt32(current->line)});
  });
}

llvm::Value *KernelTranslator::hostAddress(Op op, const Operand &operand,
                                           uint64_t size, bool isStore) {
  Value *address = addressValue(op, operand);
  if (has("shared") || has("shared::cta"))
    return blockAddress("heteroEmuShared", offsetof(ThreadContext, shared),
                        offsetof(ThreadContext, sharedBytes), address, size,
                        isStore);
  if (has("local"))
    return blockAddress("heteroEmuLocal", offsetof(ThreadContext, local),
                        offsetof(ThreadContext, localBytes), address, size,
                        isStore);
  if (has("param")) {
    Value *params = contextField(offsetof(ThreadContext, params), b.getPtrTy());
    Value *ok =
        b.CreateAnd(b.CreateICmpULE(b.CreateAdd(address, b.getInt64(size)),
                                    b.getInt64(kernel.paramBytes)),
                    b.getInt1(!isStore));
    return checked(ok, b.CreateGEP(b.getInt8Ty(), params, address), [&] {
      return callback("heteroEmuParam", b.getPtrTy(),
                      {context, address, b.getInt32(size), b.getInt32(isStore),
                       b.getInt32(op.line)});
    });
  }
  return globalAddress(address, size, isStore);
}

bool KernelTranslator::memoryOp(Op op) {
  if (op.opcode == "atom" || op.opcode == "red") {
    emitAtom(op);
    return true;
  }
  if (op.opcode == "prefetch" || op.opcode == "prefetchu")
    return true;
  bool isLoad = op.opcode == "ld" || op.opcode == "ldu";
  if (!isLoad && op.opcode != "st")
    return false;
  ScalarType element = type(op);
  const Operand &value = op.operands[isLoad ? 0 : 1];
  bool isVector = value.kind == Operand::Vector;
  size_t count = isVector ? value.elements.size() : 1;
  uint64_t bytes = element.bytes();
  Value *host =
      hostAddress(op, op.operands[isLoad ? 1 : 0], bytes * count, !isLoad);
  for (size_t i = 0; i < count; ++i) {
    const Operand &part = isVector ? value.elements[i] : value;
    Value *address = b.CreateConstGEP1_64(b.getInt8Ty(), host, i * bytes);
    if (isLoad)
      write(op, part, b.CreateLoad(bitsType(bytes * 8), address),
            element.isSigned());
    else
      b.CreateStore(readBits(op, part, element), address);
  }
  return true;
}

void KernelTranslator::emitAtom(Op op) {
  using Kind = llvm::AtomicRMWInst::BinOp;
  bool isReduction = op.opcode == "red";
  ScalarType t = type(op);
  size_t first = isReduction ? 0 : 1;
  Value *host = hostAddress(op, op.operands[first], t.bytes(), true);
  Value *operand = read(op, op.operands[first + 1], t);
  auto order = llvm::AtomicOrdering::SequentiallyConsistent;
  Value *old;
  if (has("cas")) {
    Value *next = read(op, op.operands[first + 2], t);
    Value *pair = b.CreateAtomicCmpXchg(host, operand, next, llvm::MaybeAlign(),
                                        order, order);
    old = b.CreateExtractValue(pair, 0);
  } else {
    Kind kind;
    if (has("add"))
      kind = t.isFloat() ? Kind::FAdd : Kind::Add;
    else if (has("exch"))
      kind = Kind::Xchg;
    else if (has("min") && !t.isFloat())
      kind = t.isSigned() ? Kind::Min : Kind::UMin;
    else if (has("max") && !t.isFloat())
      kind = t.isSigned() ? Kind::Max : Kind::UMax;
    else if (has("and"))
      kind = Kind::And;
    else if (has("or"))
      kind = Kind::Or;
    else if (has("xor"))
      kind = Kind::Xor;
    else
      fail(op);
    old = b.CreateAtomicRMW(kind, host, operand, llvm::MaybeAlign(), order);
  }
  if (!isReduction)
    write(op, op.operands[0], old);
}

//===----------------------------------------------------------------------===//
// Control
//===----------------------------------------------------------------------===//

bool KernelTranslator::controlOp(Op op) {
  if (op.opcode == "ret" || op.opcode == "exit") {
    b.CreateRetVoid();
    return true;
  }
  if (op.opcode == "bra") {
    auto it = labels.find(op.operands[0].name);
    if (it == labels.end())
      fail(op, "unknown label '" + std::string(op.operands[0].name) + "'");
    b.CreateBr(it->second);
    return true;
  }
  if (op.opcode == "trap") {
    Value *text = b.CreateGlobalString("trap");
    callback("heteroEmuTrap", b.getVoidTy(),
             {context, text, b.getInt32(op.line)});
    b.CreateUnreachable();
    return true;
  }
  return op.opcode == "pragma";
}

bool KernelTranslator::collectiveOp(Op op) {
  ScalarType word;
  if (op.opcode == "membar" || op.opcode == "fence") {
    b.CreateFence(llvm::AtomicOrdering::SequentiallyConsistent);
    return true;
  }
  if ((op.opcode == "bar" || op.opcode == "barrier") && has("warp")) {
    callback("heteroEmuWarpSync", b.getVoidTy(),
             {context, readBits(op, op.operands[0], word)});
    return true;
  }
  if ((op.opcode == "bar" || op.opcode == "barrier") && has("sync")) {
    Value *id = readBits(op, op.operands[0], word);
    Value *threads = op.operands.size() > 1 ? readBits(op, op.operands[1], word)
                                            : b.getInt32(0);
    callback("heteroEmuBarrier", b.getVoidTy(), {context, id, threads});
    return true;
  }
  if (op.opcode != "shfl")
    return false;
  unsigned mode = has("up") ? 0 : has("down") ? 1 : has("bfly") ? 2 : 3;
  const Operand &to = op.operands[0];
  bool isPair = to.kind == Operand::Pair;
  llvm::IRBuilder<> atEntry(entry, entry->begin());
  Value *predicate = atEntry.CreateAlloca(b.getInt32Ty());
  Value *value = callback(
      "heteroEmuShuffle", b.getInt32Ty(),
      {context, b.getInt32(mode), readBits(op, op.operands[1], word),
       readBits(op, op.operands[2], word), readBits(op, op.operands[3], word),
       readBits(op, op.operands[4], word), predicate});
  write(op, isPair ? to.elements[0] : to, value);
  if (isPair)
    write(
        op, to.elements[1],
        b.CreateTrunc(b.CreateLoad(b.getInt32Ty(), predicate), b.getInt1Ty()));
  return true;
}
