//===- WarpMemory.cpp - Loads and stores of all lanes ---------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Where the analysis claims that addresses of a row of lanes lie at one
// distance from each other, its first and its last lane are checked, which also
// tells whether the claim holds, and the row is accessed as a vector. Else each
// lane's address is checked. Lanes that are not there access memory that nobody
// reads.
//
//===----------------------------------------------------------------------===//

#include "WarpVectorizer.h"

#include "hetero/Emulator/PTXCompiler.h"

#include "llvm/IR/Module.h"

#include <cstddef>

using namespace hetero::emulator;
using namespace hetero::emulator::ptx;

/// The first and the last lane of each row.
static constexpr uint32_t kEnds = 0x81818181;

bool WarpVectorizer::emitMemory(Op &op) {
  if (auto *call = llvm::dyn_cast<llvm::CallInst>(&op)) {
    if (!calleeName(op).starts_with("emu.") ||
        analysis.isUniform(call->getArgOperand(1)) ||
        calleeName(op) == "emu.local")
      return false;
    emitAddress(*call);
    return true;
  }
  if (auto *load = llvm::dyn_cast<llvm::LoadInst>(&op);
      load && analysis.isVarying(load->getPointerOperand()) &&
      isSimple(op.getType()) && !op.getType()->isIntegerTy(1)) {
    emitLoad(*load);
    return true;
  }
  auto *store = llvm::dyn_cast<llvm::StoreInst>(&op);
  if (!store)
    return false;
  Type *type = store->getValueOperand()->getType();
  if (analysis.isUniform(store->getPointerOperand()) &&
      analysis.isUniform(store->getValueOperand())) {
    emitUniform(op);
    return true;
  }
  if (!isSimple(type) || type->isIntegerTy(1))
    return false;
  emitStore(*store);
  return true;
}

//===----------------------------------------------------------------------===//
// Addresses
//===----------------------------------------------------------------------===//

llvm::Value *WarpVectorizer::pick(Value *value, unsigned lane) {
  std::vector<int> places;
  for (unsigned row = 0; row < kRows; ++row)
    places.push_back(static_cast<int>(row * kRow + lane));
  return b.CreateShuffleVector(value, places);
}

/// Whether accesses through an address are such that rows pay.
bool WarpVectorizer::mayBeRows(llvm::CallInst &call, int64_t stride) const {
  const llvm::DataLayout &layout = kernel.getParent()->getDataLayout();
  if (stride < 0)
    return false;
  std::vector<llvm::User *> users(call.user_begin(), call.user_end());
  for (size_t i = 0; i < users.size(); ++i) {
    auto *op = llvm::cast<llvm::Instruction>(users[i]);
    if (op->getParent() != call.getParent())
      return false;
    auto *gep = llvm::dyn_cast<llvm::GetElementPtrInst>(op);
    if (gep && gep->hasAllConstantIndices()) {
      users.insert(users.end(), gep->user_begin(), gep->user_end());
      continue;
    }
    auto *store = llvm::dyn_cast<llvm::StoreInst>(op);
    auto *load = llvm::dyn_cast<llvm::LoadInst>(op);
    Type *type = load    ? load->getType()
                 : store ? store->getValueOperand()->getType()
                         : nullptr;
    if (!type || !isSimple(type) || type->isIntegerTy(1))
      return false;
    auto bytes = static_cast<int64_t>(layout.getTypeStoreSize(type));
    bool fits =
        store ? stride == bytes : stride % bytes == 0 && stride <= 4 * bytes;
    if (!fits || (store && store->getPointerOperand() != op->getOperand(1)))
      return false;
  }
  return true;
}

void WarpVectorizer::emitAddress(llvm::CallInst &call) {
  llvm::StringRef name = calleeName(call);
  auto constant = [&](unsigned i) {
    return llvm::cast<llvm::ConstantInt>(call.getArgOperand(i))->getZExtValue();
  };
  uint64_t size = constant(2);
  auto context = [&](size_t field, Type *type) {
    return constantField(thread0, field, type);
  };
  // What may be accessed: device addresses or offsets, and the host's memory.
  Value *start = b.getInt64(0), *limit, *host, *window = b.getInt32(0);
  if (name == "emu.global") {
    Value *all = context(offsetof(ThreadContext, windows), b.getPtrTy());
    window = call.getArgOperand(5);
    Value *place = b.CreateConstGEP1_64(b.getInt8Ty(), all,
                                        constant(5) * sizeof(AccessWindow));
    auto field = [&](size_t offset, Type *type) {
      return b.CreateLoad(type,
                          b.CreateConstGEP1_64(b.getInt8Ty(), place, offset));
    };
    start = field(offsetof(AccessWindow, begin), b.getInt64Ty());
    limit = field(offsetof(AccessWindow, size), b.getInt64Ty());
    host = field(offsetof(AccessWindow, host), b.getPtrTy());
  } else if (name == "emu.shared") {
    limit = b.CreateZExt(
        context(offsetof(ThreadContext, sharedBytes), b.getInt32Ty()),
        b.getInt64Ty());
    host = context(offsetof(ThreadContext, shared), b.getPtrTy());
  } else {
    limit = b.getInt64(constant(3) ? 0 : constant(5));
    host = context(offsetof(ThreadContext, params), b.getPtrTy());
  }
  Value *wideAddress = wide(call.getArgOperand(1));
  // offset <= limit - bytes, where there are as many bytes.
  auto fits = [&](Value *addresses, uint64_t bytes, unsigned count) {
    Value *offset = b.CreateSub(addresses, b.CreateVectorSplat(count, start));
    Value *most =
        b.CreateSelect(b.CreateICmpUGE(limit, b.getInt64(bytes)),
                       b.CreateSub(limit, b.getInt64(bytes)), b.getInt64(0));
    Value *isAligned = b.CreateICmpEQ(
        b.CreateAnd(addresses,
                    b.CreateVectorSplat(count, b.getInt64(size - 1))),
        llvm::Constant::getNullValue(addresses->getType()));
    Value *inside = b.CreateICmpULE(offset, b.CreateVectorSplat(count, most));
    Value *isThere =
        b.CreateVectorSplat(count, b.CreateICmpUGE(limit, b.getInt64(bytes)));
    return b.CreateAnd(b.CreateAnd(inside, isThere), isAligned);
  };

  Address address;
  address.stride = analysis.shape(call.getArgOperand(1)).stride;
  bool isClaimed =
      analysis.shape(call.getArgOperand(1)).kind == Shape::Strided &&
      mayBeRows(call, address.stride) && address.stride % size == 0;
  auto *slow = newBlock(), *next = newBlock(), *check = b.GetInsertBlock();
  if (isClaimed) {
    Value *firsts = pick(wideAddress, 0), *lasts = pick(wideAddress, kRow - 1);
    uint64_t reach = (kRow - 1) * address.stride;
    Value *claim = b.CreateICmpEQ(
        lasts,
        b.CreateAdd(firsts, b.CreateVectorSplat(kRows, b.getInt64(reach))));
    Value *good = b.CreateAndReduce(
        b.CreateAnd(claim, fits(firsts, reach + size, kRows)));
    Value *ends =
        b.CreateICmpEQ(b.CreateAnd(mask, b.getInt32(kEnds)), b.getInt32(kEnds));
    Value *inRows = b.CreateICmpNE(
        warpField(offsetof(WarpContext, isInRows), b.getInt32Ty()),
        b.getInt32(0));
    Value *ok =
        b.CreateLogicalAnd(b.CreateAnd(ends, inRows), b.CreateFreeze(good));
    for (unsigned row = 0; row < kRows; ++row) {
      Value *offset = b.CreateSub(b.CreateExtractElement(firsts, row), start);
      address.rows[row] = b.CreateGEP(b.getInt8Ty(), host, offset);
    }
    check = b.GetInsertBlock();
    b.CreateCondBr(ok, next, slow);
  } else {
    b.CreateBr(slow);
  }

  b.SetInsertPoint(slow);
  Value *bad =
      b.CreateAnd(mask, b.CreateNot(toMask(fits(wideAddress, size, kLanes))));
  Value *fast =
      b.CreateGEP(b.getInt8Ty(), b.CreateVectorSplat(kLanes, host),
                  b.CreateSub(wideAddress, b.CreateVectorSplat(kLanes, start)));
  auto *ask = newBlock(), *merge = newBlock(), *before = b.GetInsertBlock();
  b.CreateCondBr(b.CreateICmpEQ(bad, b.getInt32(0)), merge, ask);
  b.SetInsertPoint(ask);
  llvm::AllocaInst *&array = arrays[&call];
  if (!array)
    array = atEntry(wideType(b.getInt64Ty()), /*isZero=*/false);
  b.CreateStore(wideAddress, array);
  // The addresses become pointers in place.
  unsigned space = name == "emu.global" ? 0 : name == "emu.shared" ? 1 : 2;
  callExecutor("heteroEmuWarpAccess", b.getVoidTy(),
               {mask, array, call.getArgOperand(2), call.getArgOperand(3),
                call.getArgOperand(4), b.getInt32(space), window});
  Value *told = b.CreateLoad(wideType(b.getPtrTy()), array);
  b.CreateBr(merge);
  b.SetInsertPoint(merge);
  auto *either = b.CreatePHI(wideType(b.getPtrTy()), 2);
  either->addIncoming(fast, before);
  either->addIncoming(told, ask);
  Value *scratch = b.CreateVectorSplat(
      kLanes, warpField(offsetof(WarpContext, scratch), b.getPtrTy()));
  Value *safe = b.CreateSelect(lanes, either, scratch);
  auto *end = b.GetInsertBlock();
  b.CreateBr(next);
  b.SetInsertPoint(next);
  address.pointers = safe;
  if (isClaimed) {
    auto *pointers = b.CreatePHI(safe->getType(), 2);
    auto *isRows = b.CreatePHI(b.getInt1Ty(), 2);
    pointers->addIncoming(llvm::PoisonValue::get(safe->getType()), check);
    pointers->addIncoming(safe, end);
    isRows->addIncoming(b.getTrue(), check);
    isRows->addIncoming(b.getFalse(), end);
    address.pointers = pointers;
    address.isRows = isRows;
  }
  addresses[&call] = address;
  define(call, address.pointers);
}

/// The address that a pointer is at a constant offset of, in this block.
const WarpVectorizer::Address *WarpVectorizer::findAddress(Value *pointer,
                                                           int64_t &offset) {
  llvm::APInt sum(64, 0);
  Value *base = pointer->stripAndAccumulateConstantOffsets(
      kernel.getParent()->getDataLayout(), sum, /*AllowNonInbounds=*/true);
  offset = sum.getSExtValue();
  auto it = addresses.find(base);
  return it == addresses.end() ? nullptr : &it->second;
}

/// Where each lane accesses memory.
llvm::Value *WarpVectorizer::pointersOf(Value *pointer) {
  Value *scratch = b.CreateVectorSplat(
      kLanes, warpField(offsetof(WarpContext, scratch), b.getPtrTy()));
  return b.CreateSelect(lanes, wide(pointer), scratch);
}

//===----------------------------------------------------------------------===//
// Accesses
//===----------------------------------------------------------------------===//

/// Joins four vectors of a row each.
static llvm::Value *joinRows(llvm::IRBuilder<> &b,
                             const std::vector<llvm::Value *> &rows) {
  std::vector<int> places;
  for (int i = 0; i < int(2 * kRow); ++i)
    places.push_back(i);
  llvm::Value *low = b.CreateShuffleVector(rows[0], rows[1], places);
  llvm::Value *high = b.CreateShuffleVector(rows[2], rows[3], places);
  for (int i = int(2 * kRow); i < int(kLanes); ++i)
    places.push_back(i);
  return b.CreateShuffleVector(low, high, places);
}

llvm::Value *WarpVectorizer::loadRows(const Address &address, int64_t offset,
                                      Type *type) {
  const llvm::DataLayout &layout = kernel.getParent()->getDataLayout();
  auto bytes = static_cast<int64_t>(layout.getTypeStoreSize(type));
  llvm::Align align(bytes);
  unsigned step = address.stride / bytes;
  std::vector<Value *> rows;
  for (Value *row : address.rows) {
    Value *place = b.CreateConstGEP1_64(b.getInt8Ty(), row, offset);
    if (step == 0) {
      Value *one = b.CreateAlignedLoad(type, place, align);
      rows.push_back(b.CreateVectorSplat(kRow, one));
      continue;
    }
    unsigned count = (kRow - 1) * step + 1;
    Value *all = b.CreateAlignedLoad(llvm::FixedVectorType::get(type, count),
                                     place, align);
    std::vector<int> places;
    for (unsigned i = 0; i < kRow; ++i)
      places.push_back(static_cast<int>(i * step));
    rows.push_back(step == 1 ? all : b.CreateShuffleVector(all, places));
  }
  return joinRows(b, rows);
}

void WarpVectorizer::emitLoad(llvm::LoadInst &load) {
  int64_t offset;
  const Address *address = findAddress(load.getPointerOperand(), offset);
  Type *type = load.getType();
  auto gather = [&] {
    return b.CreateMaskedGather(
        wideType(type), pointersOf(load.getPointerOperand()), load.getAlign());
  };
  if (!address || !address->isRows)
    return define(load, gather());
  auto *fast = newBlock(), *slow = newBlock(), *next = newBlock();
  b.CreateCondBr(address->isRows, fast, slow);
  b.SetInsertPoint(fast);
  Value *rows = loadRows(*address, offset, type);
  b.CreateBr(next);
  b.SetInsertPoint(slow);
  Value *gathered = gather();
  b.CreateBr(next);
  b.SetInsertPoint(next);
  auto *result = b.CreatePHI(wideType(type), 2);
  result->addIncoming(rows, fast);
  result->addIncoming(gathered, slow);
  define(load, result);
}

void WarpVectorizer::storeRows(const Address &address, int64_t offset,
                               Value *value) {
  const llvm::DataLayout &layout = kernel.getParent()->getDataLayout();
  Type *type = value->getType()->getScalarType();
  for (unsigned row = 0; row < kRows; ++row) {
    std::vector<int> places;
    for (unsigned i = 0; i < kRow; ++i)
      places.push_back(static_cast<int>(row * kRow + i));
    b.CreateMaskedStore(
        b.CreateShuffleVector(value, places),
        b.CreateConstGEP1_64(b.getInt8Ty(), address.rows[row], offset),
        llvm::Align(layout.getTypeStoreSize(type).getFixedValue()),
        b.CreateShuffleVector(lanes, places));
  }
}

void WarpVectorizer::emitStore(llvm::StoreInst &store) {
  int64_t offset;
  const Address *address = findAddress(store.getPointerOperand(), offset);
  Value *value = wide(store.getValueOperand());
  auto scatter = [&] {
    b.CreateMaskedScatter(value, pointersOf(store.getPointerOperand()),
                          store.getAlign());
  };
  if (!address || !address->isRows)
    return scatter();
  auto *fast = newBlock(), *slow = newBlock(), *next = newBlock();
  b.CreateCondBr(address->isRows, fast, slow);
  b.SetInsertPoint(fast);
  storeRows(*address, offset, value);
  b.CreateBr(next);
  b.SetInsertPoint(slow);
  scatter();
  b.CreateBr(next);
  b.SetInsertPoint(next);
}
