//===- AsyncEmitter.cpp - Copies that threads do not wait for -------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Emulator/Translate/Memory/AsyncEmitter.h"

#include "Emulator/ABI/ExecutorCallbacks.h"
#include "Emulator/Translate/RuleWords.h"

using namespace hetero::emulator;
using namespace hetero::emulator::ptx;

llvm::ArrayRef<Rule> AsyncEmitter::rules() {
  using E = AsyncEmitter;
  static const Rule table[] = {
      {"cp", "", "async|ca cg|shared shared::cta|global",
       "L2::cache_hint L2::64B L2::128B L2::256B", 3, 5, &E::emitAsyncCopy},
      {"cp", "", "async|commit_group wait_all", "", 0, 0, &E::emitNothing},
      {"cp", "", "async|wait_group", "", 1, 1, &E::emitNothing},
      {"cp", "",
       "async|bulk|shared::cta shared::cluster|global|"
       "mbarrier::complete_tx::bytes",
       "L2::cache_hint", 4, 5, &E::emitBulkCopy},
      {"cp", "", "async|bulk|shared::cta|global|bulk_group", "L2::cache_hint",
       3, 4, &E::emitBulkCopy},
      {"cp", "",
       "async|bulk|tensor|" RANKS "|shared::cta shared::cluster|global|"
       "mbarrier::complete_tx::bytes",
       "tile L2::cache_hint", 3, 4, &E::emitTensorCopy},
      {"cp", "", "async|bulk|tensor|" RANKS "|shared::cta|global|bulk_group",
       "tile L2::cache_hint", 2, 3, &E::emitTensorCopy},
      {"cp", "", "async|bulk|prefetch|L2|global", "L2::cache_hint", 2, 3,
       &E::emitNothing},
      {"cp", "", "async|bulk|prefetch|tensor|" RANKS "|L2|global",
       "tile L2::cache_hint", 1, 2, &E::emitNothing},
      {"cp", "", "async|bulk|commit_group", "", 0, 0, &E::emitGroups},
      {"cp", "", "async|bulk|wait_group", "read", 1, 1, &E::emitGroups},
      {"tensormap", "b64", "replace|tile|b1024|global_address", MAP_SPACES, 2,
       2, &E::emitReplaceMap},
      {"tensormap", "b64", "replace|tile|b1024|global_stride", MAP_SPACES, 3, 3,
       &E::emitReplaceMap},
      {"tensormap", "b32", "replace|tile|b1024|rank", MAP_SPACES, 2, 2,
       &E::emitReplaceMap},
      {"tensormap", "b32",
       "replace|tile|b1024|box_dim global_dim element_stride", MAP_SPACES, 3, 3,
       &E::emitReplaceMap},
      {"tensormap", "b32",
       "replace|tile|b1024|elemtype interleave_layout swizzle_mode "
       "swizzle_atomicity fill_mode",
       MAP_SPACES, 2, 2, &E::emitReplaceMap},
      {"tensormap", "",
       "cp_fenceproxy|global|shared::cta|tensormap::generic|release|" SCOPES
       "|sync|aligned",
       "", 3, 3, &E::emitCopyMap},
      {"wgmma", "", "fence commit_group|sync|aligned", "", 0, 0,
       &E::emitGroups},
      {"wgmma", "", "wait_group|sync|aligned", "", 1, 1, &E::emitGroups},
  };
  return table;
}

/// How many bytes cp.async reads: a number, or none where a predicate holds.
llvm::Value *AsyncEmitter::asyncCopySize(Op op, uint64_t bytes) {
  const Operand &operand = op.operands[3];
  const Symbol *symbol =
      operand.kind == Operand::Identifier ? f.find(operand.name) : nullptr;
  if (!symbol || symbol->bits != 1)
    return f.readWord(op, operand);
  return b.CreateSelect(f.readPredicate(op, operand), b.getInt32(0),
                        b.getInt32(bytes));
}

/// cp.async: copies at once, so that there is nothing to wait for. Bytes beyond
/// those of the source are zero, and are not read.
void AsyncEmitter::emitAsyncCopy(Op op) {
  const Operand &size = op.operands[2];
  if (size.kind != Operand::Integer ||
      (size.integer != 4 && size.integer != 8 && size.integer != 16))
    f.fail(op, "expected a size of 4, 8 or 16 bytes");
  size_t operands = op.operands.size() - f.has("L2::cache_hint");
  if (operands < 3 || operands > 4)
    f.fail(op, "expected 3 or 4 operands and a hint");
  uint64_t bytes = size.integer;
  Value *source = addresses.addressValue(op, op.operands[1]);
  Value *to = addresses.accessAddress(
      "emu.shared", addresses.addressValue(op, op.operands[0]), bytes,
      kWrites | kUnordered);
  llvm::Type *whole = b.getIntNTy(bytes * 8);
  auto copyWhole = [&] {
    Value *from = addresses.globalAddress(source, bytes, /*kind=*/0);
    b.CreateAlignedStore(b.CreateAlignedLoad(whole, from, llvm::Align(1)), to,
                         llvm::Align(1));
  };
  if (operands == 3)
    return copyWhole();
  Value *count = asyncCopySize(op, bytes);
  auto *all = f.newBlock();
  auto *some = f.newBlock();
  auto *next = f.newBlock();
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
void AsyncEmitter::copyBytes(Value *source, Value *to, Value *count,
                             llvm::BasicBlock *next) {
  llvm::BasicBlock *before = b.GetInsertBlock();
  auto *loop = f.newBlock();
  auto *copy = f.newBlock();
  b.CreateBr(loop);
  b.SetInsertPoint(loop);
  llvm::PHINode *index = b.CreatePHI(b.getInt32Ty(), 2);
  index->addIncoming(b.getInt32(0), before);
  b.CreateCondBr(b.CreateICmpULT(index, count), copy, next);
  b.SetInsertPoint(copy);
  Value *offset = b.CreateZExt(index, b.getInt64Ty());
  Value *from =
      addresses.globalAddress(b.CreateAdd(source, offset), 1, /*kind=*/0);
  b.CreateStore(b.CreateLoad(b.getInt8Ty(), from),
                b.CreateGEP(b.getInt8Ty(), to, offset));
  index->addIncoming(b.CreateAdd(index, b.getInt32(1)), b.GetInsertBlock());
  b.CreateBr(loop);
}

//===----------------------------------------------------------------------===//
// Bulk copies
//===----------------------------------------------------------------------===//

/// A policy of caches goes with its modifier, and says nothing.
void AsyncEmitter::checkHint(Op op, size_t operands) {
  size_t expected = operands + f.has("L2::cache_hint");
  if (op.operands.size() != expected)
    f.fail(op, "expected " + std::to_string(expected) + " operands, got " +
                   std::to_string(op.operands.size()));
}

/// cp.async.bulk: to, from, bytes, and the mbarrier of a load.
void AsyncEmitter::emitBulkCopy(Op op) {
  bool isStore = f.has("bulk_group");
  checkHint(op, isStore ? 3 : 4);
  Value *to = addresses.addressValue(op, op.operands[0]);
  Value *from = addresses.addressValue(op, op.operands[1]);
  Value *barrier =
      isStore ? b.getInt64(0) : addresses.addressValue(op, op.operands[3]);
  f.callback("heteroEmuBulkCopy", b.getVoidTy(),
             {f.context, b.getInt32(isStore), isStore ? to : from,
              isStore ? from : to, f.readWord(op, op.operands[2]), barrier,
              b.getInt32(op.line)});
}

/// The generic address of a map, which may be a parameter.
llvm::Value *AsyncEmitter::tensorMapAddress(Op op, const Operand &operand) {
  Operand address = operand;
  address.elements.resize(1);
  Value *value = addresses.addressValue(op, address);
  const Operand &base = operand.elements[0];
  const Symbol *symbol =
      base.kind == Operand::Identifier ? f.find(base.name) : nullptr;
  if (symbol && symbol->kind == Symbol::Param)
    return b.CreateAdd(value, b.getInt64(kParamWindowBase));
  return value;
}

llvm::Value *AsyncEmitter::coordinatesOf(Op op, const Operand &operand,
                                         unsigned rank) {
  if (operand.kind != Operand::Address || operand.elements.size() != 2 ||
      operand.elements[1].kind != Operand::Vector)
    f.fail(op, "expected a tensor map and coordinates in brackets");
  const std::vector<Operand> &parts = operand.elements[1].elements;
  if (parts.size() != rank)
    f.fail(op, "expected " + std::to_string(rank) + " coordinates, got " +
                   std::to_string(parts.size()));
  Value *words = f.scratch(llvm::ArrayType::get(b.getInt32Ty(), rank));
  for (unsigned i = 0; i < rank; ++i)
    b.CreateStore(f.readWord(op, parts[i]),
                  b.CreateConstGEP1_64(b.getInt32Ty(), words, i));
  return words;
}

/// cp.async.bulk.tensor: to, from, and the mbarrier of a load. The tensor's
/// side is a map and coordinates.
void AsyncEmitter::emitTensorCopy(Op op) {
  bool isStore = f.has("bulk_group");
  checkHint(op, isStore ? 2 : 3);
  unsigned rank = f.has("1d")   ? 1
                  : f.has("2d") ? 2
                  : f.has("3d") ? 3
                  : f.has("4d") ? 4
                                : 5;
  const Operand &tensor = op.operands[isStore ? 0 : 1];
  Value *coordinates = coordinatesOf(op, tensor, rank);
  Value *shared = addresses.addressValue(op, op.operands[isStore ? 1 : 0]);
  Value *barrier =
      isStore ? b.getInt64(0) : addresses.addressValue(op, op.operands[2]);
  f.callback("heteroEmuTensorCopy", b.getVoidTy(),
             {f.context, b.getInt32(isStore), tensorMapAddress(op, tensor),
              b.getInt32(rank), coordinates, shared, barrier,
              b.getInt32(op.line)});
}

/// tensormap.replace: a map, a dimension for some fields, and the new value,
/// a number where the field is a choice.
void AsyncEmitter::emitReplaceMap(Op op) {
  static const std::pair<Name, MapField> fields[] = {
      {"global_address", kMapAddress},
      {"rank", kMapRank},
      {"box_dim", kMapBox},
      {"global_dim", kMapSize},
      {"global_stride", kMapStride},
      {"element_stride", kMapStep},
      {"elemtype", kMapType},
      {"interleave_layout", kMapInterleave},
      {"swizzle_mode", kMapSwizzle},
      {"swizzle_atomicity", kMapAtomicity},
      {"fill_mode", kMapFill}};
  MapField field = kMapAddress;
  for (const auto &[name, value] : fields)
    if (f.has(name))
      field = value;
  uint64_t ordinal = 0, most = field == kMapStride ? 3 : 4;
  if (op.operands.size() == 3) {
    const Operand &number = op.operands[1];
    if (number.kind != Operand::Integer || number.integer > most)
      f.fail(op, "expected a dimension from 0 to " + std::to_string(most));
    ordinal = number.integer;
  }
  const Operand &value = op.operands.back();
  if (field >= kMapType && value.kind != Operand::Integer)
    f.fail(op, "expected a number for the field");
  f.callback("heteroEmuReplaceMap", b.getVoidTy(),
             {f.context,
              addresses.genericAddress(op, op.operands[0], f.isShared()),
              b.getInt32(field), b.getInt32(ordinal),
              b.CreateZExt(f.readBits(op, value, f.type(op)), b.getInt64Ty()),
              b.getInt32(op.line)});
}

/// tensormap.cp_fenceproxy: to global memory, from shared memory, bytes.
void AsyncEmitter::emitCopyMap(Op op) {
  const Operand &size = op.operands[2];
  if (size.kind != Operand::Integer || size.integer != 128)
    f.fail(op, "expected a size of 128 bytes");
  f.callback("heteroEmuCopyMap", b.getVoidTy(),
             {f.context,
              addresses.genericAddress(op, op.operands[0], /*isShared=*/false),
              addresses.genericAddress(op, op.operands[1], /*isShared=*/true),
              b.getInt32(op.line)});
}

/// commit_group and wait_group; registers need no fence.
void AsyncEmitter::emitGroups(Op op) {
  if (f.has("fence"))
    return;
  bool isWait = f.has("wait_group");
  uint32_t operation = isWait ? kWaitForCopies : kCommitCopies;
  if (op.opcode == "wgmma")
    operation = isWait ? kWaitForProducts : kCommitProducts;
  uint64_t left = 0;
  if (isWait) {
    const Operand &number = op.operands[0];
    if (number.kind != Operand::Integer || number.integer > 63)
      f.fail(op, "expected a number of groups below 64");
    left = number.integer;
  }
  f.callback("heteroEmuGroups", b.getVoidTy(),
             {f.context, b.getInt32(operation), b.getInt32(left)});
}
