//===- LateCopies.cpp - Copies that the list schedule leaves --------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The list schedule moves nothing across control flow. Copies may well stand
// after it, so that their buffers do not live through loops that do not need
// them:
//
//   memref.copy %h, %a                  scf.for ...
//   scf.for ...                         memref.copy %h, %a
//   linalg.exp ins(%a) ...              linalg.exp ins(%a) ...
//
// The host of a node waits for what a device sends before it sends it on to
// another node, and it waits for all that the device has to send by then. So it
// does that before it gives the device more to send:
//
//   memref.copy %a, %h  // gpu:0 -> host      memref.copy %a, %h
//   memref.copy %b, %i  // gpu:0 -> host      memref.copy %h, %x
//   memref.copy %h, %x  // to another node    memref.copy %b, %i
//
//===----------------------------------------------------------------------===//

#include "LateCopies.h"

#include "Transforms/Buffers/Buffers.h"
#include "hetero/Dialect/Hetero/IR/DeviceKind.h"
#include "hetero/Transforms/Copies/CopySitePlan.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace mlir::hetero;

/// True if what the copy reads is the same after the operation.
static bool mayPass(memref::CopyOp copy, Operation *op) {
  if (isa<memref::AllocOp>(op) || isMemoryEffectFree(op))
    return true;
  Value source = getRootBuffer(copy.getSource());
  return namesBuffers(op) &&
         llvm::none_of(getBufferUses(op), [&](BufferUse use) {
           return use.second && !getBufferDevice(use.first) &&
                  !isInside(use.first, op) &&
                  !areDistinct(getRootBuffer(use.first), source,
                               op->getBlock());
         });
}

/// The last operation before which the copy may stand.
static Operation *findLastPlace(memref::CopyOp copy, memref::AllocOp buffer) {
  SmallVector<Operation *> users = getBufferUsers(buffer);
  llvm::erase(users, copy);
  Operation *last = findFirstUser(copy->getBlock(), users);
  if (last->isBeforeInBlock(copy))
    return copy;
  for (Operation *op = copy->getNextNode(); op != last; op = op->getNextNode())
    if (!mayPass(copy, op))
      return op;
  return last;
}

int64_t mlir::hetero::sinkCopies(Block &block) {
  int64_t moved = 0;
  auto copies = llvm::to_vector(block.getOps<memref::CopyOp>());
  for (memref::CopyOp copy : llvm::reverse(copies)) {
    auto buffer = copy.getTarget().getDefiningOp<memref::AllocOp>();
    if (!buffer || buffer->getBlock() != &block || !getBufferDevice(buffer) ||
        getBufferDevice(copy.getSource()))
      continue;
    Operation *place = findLastPlace(copy, buffer);
    if (place == copy || place == copy->getNextNode())
      continue;
    copy->moveBefore(place);
    SmallVector<Operation *> users(buffer->getUsers());
    buffer->moveBefore(findFirstUser(&block, users));
    ++moved;
  }
  return moved;
}

//===----------------------------------------------------------------------===//
// To other nodes
//===----------------------------------------------------------------------===//

/// True for a copy from the host of one node to that of another one.
static bool isBetweenHosts(memref::CopyOp copy) {
  DeviceAttr from = getTypeDevice(copy.getSource().getType());
  DeviceAttr to = getTypeDevice(copy.getTarget().getType());
  return from.getNode() != to.getNode() && isHostAccessible(from) &&
         isHostAccessible(to);
}

/// True for a copy from a device to a host.
static bool isFromDevice(memref::CopyOp copy) {
  return getBufferDevice(copy.getSource()) &&
         !getBufferDevice(copy.getTarget());
}

/// The copy from a device that writes what `copy` reads; null if something else
/// may have written it since, as callees may what is not the block's own.
static memref::CopyOp findArrival(memref::CopyOp copy) {
  Value root = getRootBuffer(copy.getSource());
  if (!root.getDefiningOp<memref::AllocOp>())
    return {};
  Operation *last = nullptr;
  for (Operation *user : getBufferUsers(root)) {
    Operation *op = copy->getBlock()->findAncestorOpInBlock(*user);
    auto other = dyn_cast_or_null<memref::CopyOp>(op);
    bool onlyReads = other && getRootBuffer(other.getTarget()) != root;
    if (op && !onlyReads && op->isBeforeInBlock(copy) &&
        (!last || last->isBeforeInBlock(op)))
      last = op;
  }
  auto arrival = dyn_cast_or_null<memref::CopyOp>(last);
  return arrival && isFromDevice(arrival) ? arrival : memref::CopyOp();
}

/// Moves the copy, and the allocation that it is the first to use, to before
/// `place`. False if a size is not known there.
static bool moveBefore(memref::CopyOp copy, Operation *place) {
  auto alloc = copy.getTarget().getDefiningOp<memref::AllocOp>();
  Block *block = copy->getBlock();
  if (!alloc || alloc->getBlock() != block)
    return false;
  if (alloc->isBeforeInBlock(place)) {
    copy->moveBefore(place);
    return true;
  }
  for (Value size : alloc.getDynamicSizes())
    if (size.getParentBlock() == block && size.getDefiningOp() &&
        !size.getDefiningOp()->isBeforeInBlock(place))
      return false;
  SmallVector<Operation *> users(alloc->getUsers());
  if (findFirstUser(block, users) != copy)
    return false;
  alloc->moveBefore(place);
  copy->moveBefore(place);
  return true;
}

int64_t mlir::hetero::sendEarly(Block &block) {
  // By copy from a device the next one from there.
  llvm::DenseMap<Operation *, Operation *> next;
  llvm::DenseMap<Attribute, Operation *> last;
  SmallVector<memref::CopyOp> sends;
  for (auto copy : block.getOps<memref::CopyOp>()) {
    if (isFromDevice(copy)) {
      Operation *&before = last[getBufferDevice(copy.getSource())];
      if (before)
        next[before] = copy;
      before = copy;
    } else if (isBetweenHosts(copy)) {
      sends.push_back(copy);
    }
  }
  int64_t moved = 0;
  for (memref::CopyOp copy : sends) {
    memref::CopyOp arrival = findArrival(copy);
    Operation *place = arrival ? next.lookup(arrival) : nullptr;
    if (place && place->isBeforeInBlock(copy))
      moved += moveBefore(copy, place);
  }
  return moved;
}
