//===- LateCopies.cpp - Copies to devices before their use ----------------===//
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
//===----------------------------------------------------------------------===//

#include "LateCopies.h"

#include "Transforms/Buffers/Buffers.h"
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
