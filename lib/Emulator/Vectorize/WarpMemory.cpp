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

#include "Emulator/Vectorize/WarpMemory.h"

#include "Emulator/ABI/ExecutorCallbacks.h"

#include "llvm/IR/Module.h"

#include <cstddef>

using namespace hetero::emulator;
using namespace hetero::emulator::ptx;
using llvm::BasicBlock;

/// The first and the last lane of each row.
static constexpr uint32_t kEnds = 0x81818181;

/// The check of an access whose places differ, if it is one; that of local
/// memory each lane does for itself.
llvm::CallInst *WarpMemory::asVaryingAccess(Op &op) const {
  llvm::StringRef name = calleeName(op);
  if (!name.starts_with("emu.") || name == "emu.local")
    return nullptr;
  return w.analysis.isUniform(&op) ? nullptr : llvm::cast<llvm::CallInst>(&op);
}

void WarpMemory::beginBlock() {
  addresses.clear();
  rows.clear();
}

bool WarpMemory::emit(Op &op) {
  if (llvm::CallInst *call = asVaryingAccess(op)) {
    emitAddress(*call);
    return true;
  }
  if (auto *load = llvm::dyn_cast<llvm::LoadInst>(&op);
      load && w.analysis.isVarying(load->getPointerOperand()) &&
      isSimple(op.getType()) && !op.getType()->isIntegerTy(1)) {
    emitLoad(*load);
    return true;
  }
  auto *store = llvm::dyn_cast<llvm::StoreInst>(&op);
  if (!store)
    return false;
  Type *type = store->getValueOperand()->getType();
  if (!isSimple(type) || type->isIntegerTy(1))
    return false;
  emitStore(*store);
  return true;
}

//===----------------------------------------------------------------------===//
// Addresses
//===----------------------------------------------------------------------===//

llvm::Value *WarpMemory::pick(Value *value, unsigned lane) {
  std::vector<int> places;
  for (unsigned row = 0; row < kRows; ++row)
    places.push_back(static_cast<int>(row * kRow + lane));
  return b.CreateShuffleVector(value, places);
}

/// Whether accesses through an address are such that rows pay.
bool WarpMemory::mayBeRows(llvm::CallInst &call, int64_t stride) const {
  const llvm::DataLayout &layout = w.kernel.getParent()->getDataLayout();
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

static uint64_t argument(const llvm::CallInst &call, unsigned index) {
  return llvm::cast<llvm::ConstantInt>(call.getArgOperand(index))
      ->getZExtValue();
}

WarpMemory::Bounds WarpMemory::boundsOf(const llvm::CallInst &call) {
  llvm::StringRef name = calleeName(call);
  auto context = [&](size_t field, Type *type) {
    return loadField(b, w.thread0, field, type);
  };
  if (name == "emu.shared")
    return {1, b.getInt64(0),
            b.CreateZExt(
                context(offsetof(ThreadContext, sharedBytes), b.getInt32Ty()),
                b.getInt64Ty()),
            context(offsetof(ThreadContext, shared), b.getPtrTy()),
            b.getInt32(0)};
  if (name == "emu.param") // Constant.
    return {2, b.getInt64(0),
            b.getInt64(argument(call, 3) & kWrites ? 0 : argument(call, 5)),
            context(offsetof(ThreadContext, params), b.getPtrTy()),
            b.getInt32(0)};
  Value *window = b.CreateConstGEP1_64(
      b.getInt8Ty(), context(offsetof(ThreadContext, windows), b.getPtrTy()),
      argument(call, 5) * sizeof(AccessWindow));
  auto field = [&](size_t offset, Type *type) {
    return b.CreateLoad(type,
                        b.CreateConstGEP1_64(b.getInt8Ty(), window, offset));
  };
  return {0, field(offsetof(AccessWindow, begin), b.getInt64Ty()),
          field(offsetof(AccessWindow, size), b.getInt64Ty()),
          field(offsetof(AccessWindow, host), b.getPtrTy()),
          call.getArgOperand(5)};
}

/// Whether `bytes` from each of `count` addresses are within bounds, and the
/// addresses multiples of `size`.
llvm::Value *WarpMemory::fit(Value *addresses, unsigned count,
                             const Bounds &bounds, uint64_t bytes,
                             uint64_t size) {
  auto splat = [&](Value *value) { return b.CreateVectorSplat(count, value); };
  Value *isEnough = b.CreateICmpUGE(bounds.limit, b.getInt64(bytes));
  Value *most = b.CreateSub(bounds.limit, b.getInt64(bytes));
  Value *inside =
      b.CreateICmpULE(b.CreateSub(addresses, splat(bounds.start)), splat(most));
  Value *isAligned =
      b.CreateICmpEQ(b.CreateAnd(addresses, splat(b.getInt64(size - 1))),
                     splat(b.getInt64(0)));
  return b.CreateAnd(b.CreateAnd(inside, splat(isEnough)), isAligned);
}

/// An address as a value and a constant. One of 32 bits is extended afterwards.
static std::pair<llvm::Value *, int64_t> split(llvm::Value *address) {
  auto *extension = llvm::dyn_cast<llvm::ZExtInst>(address);
  llvm::Value *inner = extension ? extension->getOperand(0) : address;
  auto *sum = llvm::dyn_cast<llvm::BinaryOperator>(inner);
  auto *disjoint = llvm::dyn_cast_or_null<llvm::PossiblyDisjointInst>(sum);
  bool adds = sum && (sum->getOpcode() == llvm::Instruction::Add ||
                      (disjoint && disjoint->isDisjoint()));
  auto *constant =
      adds ? llvm::dyn_cast<llvm::ConstantInt>(sum->getOperand(1)) : nullptr;
  if (!constant)
    return {inner, 0};
  return {sum->getOperand(0), constant->getSExtValue()};
}

bool WarpMemory::mayBeRows(llvm::CallInst &call) const {
  const Shape &shape = w.analysis.shape(call.getArgOperand(1));
  Value *base = split(call.getArgOperand(1)).first;
  return shape.kind == Shape::Strided && w.analysis.shape(base) == shape &&
         shape.stride % static_cast<int64_t>(argument(call, 2)) == 0 &&
         mayBeRows(call, shape.stride);
}

/// Checks the rows of all accesses to shared memory that the block makes at
/// constant distances of this one at once; of one to other memory alone.
WarpMemory::Rows WarpMemory::checkRows(llvm::CallInst &call,
                                       const Bounds &bounds) {
  Value *address = call.getArgOperand(1);
  auto [base, offset] = split(address);
  uint64_t size = argument(call, 2);
  bool isShared = bounds.space == 1;
  auto key = std::make_tuple(base, size, bounds.space, bounds.window);
  if (auto it = rows.find(key); it != rows.end())
    if (isShared || it->second.low == offset)
      return it->second;
  int64_t low = offset, high = offset;
  for (Op &op : *call.getParent()) {
    auto *other = llvm::dyn_cast<llvm::CallInst>(&op);
    if (!isShared || calleeName(op) != "emu.shared" ||
        argument(*other, 2) != size || !mayBeRows(*other))
      continue;
    auto [otherBase, distance] = split(other->getArgOperand(1));
    if (otherBase != base || (distance - offset) % int64_t(size) != 0)
      continue;
    low = std::min(low, distance);
    high = std::max(high, distance);
  }
  Value *all = w.wide(base);
  auto extend = [&](Value *value) {
    return b.CreateZExt(value,
                        llvm::FixedVectorType::get(b.getInt64Ty(), kRows));
  };
  Value *firsts = extend(pick(all, 0)), *lasts = extend(pick(all, kRow - 1));
  auto splat = [&](uint64_t value) {
    return b.CreateVectorSplat(kRows, b.getInt64(value));
  };
  uint64_t reach = (kRow - 1) * w.analysis.shape(address).stride;
  Value *claim = b.CreateICmpEQ(lasts, b.CreateAdd(firsts, splat(reach)));
  Value *lowest = b.CreateAdd(firsts, splat(low));
  Value *good = b.CreateAndReduce(b.CreateAnd(
      claim, fit(lowest, kRows, bounds, high - low + size + reach, size)));
  Value *ends =
      b.CreateICmpEQ(b.CreateAnd(w.mask, b.getInt32(kEnds)), b.getInt32(kEnds));
  Value *inRows = b.CreateICmpNE(
      w.warpField(offsetof(WarpContext, isInRows), b.getInt32Ty()),
      b.getInt32(0));
  Rows result;
  result.low = low;
  result.isGood =
      b.CreateLogicalAnd(b.CreateAnd(ends, inRows), b.CreateFreeze(good));
  for (unsigned row = 0; row < kRows; ++row)
    result.hosts[row] = b.CreateGEP(
        b.getInt8Ty(), bounds.host,
        b.CreateSub(b.CreateExtractElement(lowest, row), bounds.start));
  if (isShared)
    rows[key] = result;
  return result;
}

llvm::Value *WarpMemory::checkBlock(BasicBlock &block) {
  constexpr unsigned kLeast = 3;
  std::vector<llvm::CallInst *> calls;
  for (Op &op : block) {
    llvm::CallInst *call = asVaryingAccess(op);
    if (!call || !mayBeRows(*call))
      continue;
    auto *base = llvm::cast<Op>(split(call->getArgOperand(1)).first);
    if (base->getParent() != &block || llvm::isa<llvm::PHINode>(base))
      calls.push_back(call);
  }
  if (calls.size() < kLeast)
    return nullptr;
  Value *isGood = b.getTrue();
  for (llvm::CallInst *call : calls) {
    Bounds bounds = boundsOf(*call);
    auto [base, offset] = split(call->getArgOperand(1));
    Rows checked = checkRows(*call, bounds);
    if (!llvm::isa<llvm::Constant>(checked.isGood))
      isGood = b.CreateAnd(isGood, checked.isGood);
    checked.isGood = b.getTrue();
    rows[{base, argument(*call, 2), bounds.space, bounds.window}] = checked;
  }
  return isGood;
}

/// Each lane's pointer, checked one by one.
llvm::Value *WarpMemory::checkLanes(llvm::CallInst &call,
                                    const Bounds &bounds) {
  Value *address = w.wide(call.getArgOperand(1));
  uint64_t size = argument(call, 2);
  Value *good = fit(address, kLanes, bounds, size, size);
  Value *bad = b.CreateAnd(w.mask, b.CreateNot(w.toMask(good)));
  Value *fast = b.CreateGEP(
      b.getInt8Ty(), b.CreateVectorSplat(kLanes, bounds.host),
      b.CreateSub(address, b.CreateVectorSplat(kLanes, bounds.start)));
  auto *ask = w.newBlock(), *merge = w.newBlock(), *before = b.GetInsertBlock();
  b.CreateCondBr(b.CreateICmpEQ(bad, b.getInt32(0)), merge, ask);
  b.SetInsertPoint(ask);
  Value *array = w.addressesOf(&call);
  b.CreateStore(address, array);
  // The addresses become pointers in place.
  w.callExecutor("heteroEmuWarpAccess", b.getVoidTy(),
                 {w.mask, array, call.getArgOperand(2), call.getArgOperand(3),
                  call.getArgOperand(4), b.getInt32(bounds.space),
                  bounds.window});
  Value *told = b.CreateLoad(wideType(b.getPtrTy()), array);
  b.CreateBr(merge);
  b.SetInsertPoint(merge);
  auto *either = b.CreatePHI(wideType(b.getPtrTy()), 2);
  either->addIncoming(fast, before);
  either->addIncoming(told, ask);
  return either;
}

void WarpMemory::emitAddress(llvm::CallInst &call) {
  Bounds bounds = boundsOf(call);
  Address address;
  if (!mayBeRows(call)) {
    address.pointers = checkLanes(call, bounds);
    w.define(call, address.pointers);
    return;
  }
  Rows checked = checkRows(call, bounds);
  int64_t offset = split(call.getArgOperand(1)).second - checked.low;
  for (unsigned row = 0; row < kRows; ++row)
    address.rows[row] =
        b.CreateConstGEP1_64(b.getInt8Ty(), checked.hosts[row], offset);
  address.stride = w.analysis.shape(call.getArgOperand(1)).stride;
  address.isRows = checked.isGood;
  if (llvm::isa<llvm::Constant>(checked.isGood)) {
    address.pointers = llvm::PoisonValue::get(wideType(b.getPtrTy()));
    addresses[&call] = address;
    return w.define(call, address.pointers);
  }
  auto *slow = w.newBlock(), *next = w.newBlock(), *before = b.GetInsertBlock();
  b.CreateCondBr(checked.isGood, next, slow);
  b.SetInsertPoint(slow);
  Value *pointers = checkLanes(call, bounds);
  auto *end = b.GetInsertBlock();
  b.CreateBr(next);
  b.SetInsertPoint(next);
  auto *either = b.CreatePHI(pointers->getType(), 2);
  either->addIncoming(llvm::PoisonValue::get(pointers->getType()), before);
  either->addIncoming(pointers, end);
  address.pointers = either;
  addresses[&call] = address;
  w.define(call, either);
}

/// The address that a pointer is at a constant offset of, in this block.
const WarpMemory::Address *WarpMemory::findAddress(Value *pointer,
                                                   int64_t &offset) {
  llvm::APInt sum(64, 0);
  Value *base = pointer->stripAndAccumulateConstantOffsets(
      w.kernel.getParent()->getDataLayout(), sum, /*AllowNonInbounds=*/true);
  offset = sum.getSExtValue();
  auto it = addresses.find(base);
  return it == addresses.end() ? nullptr : &it->second;
}

/// Where each lane accesses memory.
llvm::Value *WarpMemory::pointersOf(Value *pointer) {
  Value *scratch = b.CreateVectorSplat(
      kLanes, w.warpField(offsetof(WarpContext, scratch), b.getPtrTy()));
  return b.CreateSelect(w.lanes, w.wide(pointer), scratch);
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

llvm::Value *WarpMemory::loadRows(const Address &address, int64_t offset,
                                  Type *type) {
  const llvm::DataLayout &layout = w.kernel.getParent()->getDataLayout();
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

void WarpMemory::emitLoad(llvm::LoadInst &load) {
  int64_t offset;
  const Address *address = findAddress(load.getPointerOperand(), offset);
  Type *type = load.getType();
  auto gather = [&] {
    return b.CreateMaskedGather(
        wideType(type), pointersOf(load.getPointerOperand()), load.getAlign());
  };
  if (!address || !address->isRows)
    return w.define(load, gather());
  if (llvm::isa<llvm::Constant>(address->isRows))
    return w.define(load, loadRows(*address, offset, type));
  auto *fast = w.newBlock(), *slow = w.newBlock(), *next = w.newBlock();
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
  w.define(load, result);
}

void WarpMemory::storeRows(const Address &address, int64_t offset,
                           Value *value) {
  const llvm::DataLayout &layout = w.kernel.getParent()->getDataLayout();
  Type *type = value->getType()->getScalarType();
  for (unsigned row = 0; row < kRows; ++row) {
    std::vector<int> places;
    for (unsigned i = 0; i < kRow; ++i)
      places.push_back(static_cast<int>(row * kRow + i));
    b.CreateMaskedStore(
        b.CreateShuffleVector(value, places),
        b.CreateConstGEP1_64(b.getInt8Ty(), address.rows[row], offset),
        llvm::Align(layout.getTypeStoreSize(type).getFixedValue()),
        b.CreateShuffleVector(w.lanes, places));
  }
}

void WarpMemory::emitStore(llvm::StoreInst &store) {
  int64_t offset;
  const Address *address = findAddress(store.getPointerOperand(), offset);
  Value *value = w.wide(store.getValueOperand());
  auto scatter = [&] {
    b.CreateMaskedScatter(value, pointersOf(store.getPointerOperand()),
                          store.getAlign());
  };
  if (!address || !address->isRows)
    return scatter();
  if (llvm::isa<llvm::Constant>(address->isRows))
    return storeRows(*address, offset, value);
  auto *fast = w.newBlock(), *slow = w.newBlock(), *next = w.newBlock();
  b.CreateCondBr(address->isRows, fast, slow);
  b.SetInsertPoint(fast);
  storeRows(*address, offset, value);
  b.CreateBr(next);
  b.SetInsertPoint(slow);
  scatter();
  b.CreateBr(next);
  b.SetInsertPoint(next);
}
