//===- TransferAwaits.cpp - When transfers begin and end ------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TransferAwaits.h"

#include "Transforms/Buffers/Buffers.h"
#include "hetero/Dialect/Hetero/IR/HeteroStreamOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/Builders.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/DenseMap.h"

using namespace mlir;
using namespace mlir::hetero;

static void forEachBlock(ModuleOp program,
                         llvm::function_ref<void(Block &)> visit) {
  program.walk([&](Operation *op) {
    if (isa<ModuleOp>(op))
      return;
    for (Region &region : op->getRegions())
      for (Block &block : region)
        visit(block);
  });
}

//===----------------------------------------------------------------------===//
// Waiting
//===----------------------------------------------------------------------===//

namespace {
/// A transfer that is under way.
struct OpenTransfer {
  Operation *start;
  Value buffer;
  int64_t tag;
  /// Nobody may even read the buffer.
  bool isReceived;
};

/// Inserts what waits for the transfers of one block.
class BlockAwaits {
public:
  explicit BlockAwaits(Block &block) : block(block) {}
  void run();

private:
  bool conflicts(Operation &op, const OpenTransfer &transfer) const;
  void note(Operation &op);

  Block &block;
  SmallVector<OpenTransfer> open;
};
} // namespace

/// Operations that touch no memory of the host before they return.
static bool isHarmless(Operation &op) {
  return isa<WaitOp, OrderOp, HostRegionOp, EndHostRegionOp, memref::AllocOp,
             AwaitTransferOp>(op) ||
         isMemoryEffectFree(&op);
}

/// Whether a use that may be a write surely is none: what the operation says of
/// its effects is more than its operands tell.
static bool onlyReads(Operation &op, Value buffer) {
  if (isa<SendOp>(op))
    return true;
  auto known = dyn_cast<MemoryEffectOpInterface>(op);
  if (!known || op.getNumRegions() != 0)
    return false;
  SmallVector<MemoryEffects::EffectInstance> effects;
  known.getEffectsOnValue(buffer, effects);
  return !effects.empty() && llvm::all_of(effects, [](auto &effect) {
    return isa<MemoryEffects::Read>(effect.getEffect());
  });
}

bool BlockAwaits::conflicts(Operation &op, const OpenTransfer &transfer) const {
  if (op.hasTrait<OpTrait::IsTerminator>())
    return true;
  if (isHarmless(op))
    return false;
  if (!namesBuffers(&op))
    return true;
  Value root = getRootBuffer(transfer.buffer);
  return llvm::any_of(getBufferUses(&op), [&](BufferUse use) {
    auto [buffer, writes] = use;
    if (isInside(buffer, &op) || getBufferDevice(buffer))
      return false;
    bool matters = transfer.isReceived || (writes && !onlyReads(op, buffer));
    return matters && !areDistinct(getRootBuffer(buffer), root, &block);
  });
}

void BlockAwaits::note(Operation &op) {
  if (auto send = dyn_cast<SendOp>(op))
    open.push_back({&op, send.getBuffer(), int64_t(send.getTag()), false});
  else if (auto receive = dyn_cast<ReceiveOp>(op))
    open.push_back({&op, receive.getBuffer(), int64_t(receive.getTag()), true});
  else if (auto await = dyn_cast<AwaitTransferOp>(op))
    llvm::erase_if(open, [&](const OpenTransfer &transfer) {
      return transfer.tag == int64_t(await.getTag());
    });
}

void BlockAwaits::run() {
  // Nothing comes into a host region.
  Operation *region = nullptr;
  for (Operation &op : llvm::make_early_inc_range(block)) {
    if (isa<HostRegionOp>(op))
      region = &op;
    llvm::erase_if(open, [&](const OpenTransfer &transfer) {
      if (!conflicts(op, transfer))
        return false;
      OpBuilder builder(region ? region : &op);
      AwaitTransferOp::create(builder, transfer.start->getLoc(),
                              transfer.buffer, transfer.tag);
      return true;
    });
    if (isa<EndHostRegionOp>(op))
      region = nullptr;
    note(op);
  }
}

void mlir::hetero::awaitTransfers(ModuleOp program) {
  forEachBlock(program, [](Block &block) {
    if (llvm::any_of(block, llvm::IsaPred<SendOp, ReceiveOp>))
      BlockAwaits(block).run();
  });
}

//===----------------------------------------------------------------------===//
// Receiving early
//===----------------------------------------------------------------------===//

namespace {
/// The receives of a block from one node.
struct Received {
  Operation *last = nullptr;
  /// What ends the last one, and the one before.
  Operation *end = nullptr, *endBefore = nullptr;
};
} // namespace

/// Where the host region ends that the operation is in, or the operation.
static Operation *leaveRegion(Operation *op) {
  for (Operation *next = op; next; next = next->getNextNode()) {
    if (isa<EndHostRegionOp>(next))
      return next;
    if (isa<HostRegionOp>(next) && next != op)
      break;
  }
  return op;
}

/// The later of two operations of a block; null comes before all.
static Operation *getLater(Operation *a, Operation *b) {
  if (!a || !b)
    return a ? a : b;
  return a->isBeforeInBlock(b) ? b : a;
}

/// The allocation of a received buffer, if the receive is the first to use it.
static memref::AllocOp getOwnAllocation(ReceiveOp receive) {
  auto alloc = receive.getBuffer().getDefiningOp<memref::AllocOp>();
  if (!alloc || alloc->getBlock() != receive->getBlock())
    return {};
  bool isFirst = llvm::all_of(alloc->getUsers(), [&](Operation *user) {
    Operation *here = receive->getBlock()->findAncestorOpInBlock(*user);
    return here == receive || receive->isBeforeInBlock(here);
  });
  return isFirst ? alloc : memref::AllocOp();
}

static AwaitTransferOp findAwait(ReceiveOp receive) {
  for (Operation *user : receive.getBuffer().getUsers())
    if (auto await = dyn_cast<AwaitTransferOp>(user);
        await && await.getTag() == receive.getTag())
      return await;
  return {};
}

/// Moves the receive and its allocation to just after the last of what has to
/// come before them.
static void hoist(ReceiveOp receive, memref::AllocOp alloc, Operation *after) {
  for (Value size : alloc.getDynamicSizes())
    if (size.getParentBlock() == receive->getBlock())
      after = getLater(after, size.getDefiningOp());
  if (after && after->getBlock() == receive->getBlock())
    after = leaveRegion(after);
  if (after && !after->isBeforeInBlock(alloc))
    return;
  if (after)
    alloc->moveAfter(after);
  else
    alloc->moveBefore(receive->getBlock(), receive->getBlock()->begin());
  receive->moveAfter(alloc);
}

static void hoistReceives(Block &block) {
  llvm::DenseMap<int64_t, Received> byNode;
  for (Operation &op : llvm::make_early_inc_range(block)) {
    auto receive = dyn_cast<ReceiveOp>(op);
    if (!receive)
      continue;
    Received &received = byNode[receive.getNode()];
    if (memref::AllocOp alloc = getOwnAllocation(receive))
      hoist(receive, alloc, getLater(received.last, received.endBefore));
    received.last = receive;
    received.endBefore = received.end;
    received.end = findAwait(receive);
  }
}

void mlir::hetero::hoistReceives(ModuleOp program) {
  forEachBlock(program, [](Block &block) { ::hoistReceives(block); });
}
