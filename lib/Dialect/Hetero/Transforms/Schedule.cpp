//===- Schedule.cpp - Inserts the waits that the host needs ---------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Everything that the host enqueues on a device runs in order on the device's
// stream, or on that of its unit (OrderUnits.cpp): kernels and copies. Only a
// copy to host memory leaves something behind that the host must wait for, and
// it waits as late as it can, before the first operation that may touch that
// memory:
//
//   memref.copy %d, %h          // gpu:0 -> host, asynchronous
//   linalg.exp ... gpu:0        // enqueued at once
//   hetero.wait on gpu:0        // inserted
//   linalg.add ... host
//
// Waits never cross a block: a block that leaves a copy to the host behind
// waits before its terminator.
//
//===----------------------------------------------------------------------===//

#include "hetero/Dialect/Hetero/IR/DeviceKind.h"
#include "hetero/Dialect/Hetero/IR/HeteroStreamOps.h"
#include "hetero/Dialect/Hetero/IR/SummaryRemark.h"
#include "hetero/Dialect/Hetero/Transforms/CopySitePlan.h"
#include "hetero/Dialect/Hetero/Transforms/ListSchedule.h"
#include "hetero/Dialect/Hetero/Transforms/OrderUnits.h"
#include "hetero/Dialect/Hetero/Transforms/Passes.h"

#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/MapVector.h"

namespace mlir::hetero {
#define GEN_PASS_DEF_SCHEDULEPASS
#include "hetero/Dialect/Hetero/Transforms/Passes.h.inc"
} // namespace mlir::hetero

using namespace mlir;
using namespace mlir::hetero;

static bool isOnHost(Value buffer) {
  return isHostAccessible(getTypeDevice(buffer.getType()));
}

/// True if the operation is only enqueued, or computes on values: it touches no
/// host memory before it returns.
static bool touchesNoHostMemory(Operation &operation) {
  Operation *op = &operation;
  if (isa<WaitOp, OrderOp, HostRegionOp, memref::AllocOp, cf::AssertOp>(op) ||
      isMemoryEffectFree(op))
    return true;
  if (auto copy = dyn_cast<memref::CopyOp>(op))
    return !isOnHost(copy.getSource());
  if (auto free = dyn_cast<memref::DeallocOp>(op))
    return !isOnHost(free.getMemref());
  // Control flow by itself touches nothing.
  if (isa<RegionBranchOpInterface>(op))
    return llvm::all_of(op->getRegions(), [](Region &region) {
      return llvm::all_of(region.getOps(), touchesNoHostMemory);
    });
  if (!isa<linalg::LinalgOp>(op))
    return false;
  return llvm::none_of(op->getOperands(), [](Value value) {
    return isa<BaseMemRefType>(value.getType()) && isOnHost(value);
  });
}

/// The host buffer that a copy from a device writes, or null.
static Value getHostTarget(Operation *op) {
  auto copy = dyn_cast<memref::CopyOp>(op);
  bool isOut =
      copy && !isOnHost(copy.getSource()) && isOnHost(copy.getTarget());
  return isOut ? getRootBuffer(copy.getTarget()) : Value();
}

/// True if it is known that the two are not the same memory: one is allocated
/// in the block, the other is too, or comes from outside.
static bool areDistinct(Value a, Value b, Block *block) {
  auto isOwn = [&](Value value) {
    auto alloc = value.getDefiningOp<memref::AllocOp>();
    return alloc && alloc->getBlock() == block;
  };
  auto isOutside = [](Value value) {
    return isa<BlockArgument>(value) ||
           value.getDefiningOp<memref::GetGlobalOp>();
  };
  return a != b && ((isOwn(a) && (isOwn(b) || isOutside(b))) ||
                    (isOwn(b) && isOutside(a)));
}

/// True if the operation may touch one of the host's buffers.
static bool touchesAny(Operation &op, ArrayRef<Value> buffers) {
  if (touchesNoHostMemory(op))
    return false;
  if (!namesBuffers(&op))
    return true;
  for (auto [buffer, writes] : getBufferUses(&op))
    for (Value pending : buffers)
      if (isOnHost(buffer) && !isInside(buffer, &op) &&
          !areDistinct(getRootBuffer(buffer), pending, op.getBlock()))
        return true;
  return false;
}

/// Inserts the waits of one block; returns their number.
static int64_t scheduleBlock(Block &block) {
  // By device what its copies write on the host.
  llvm::MapVector<Attribute, SmallVector<Value>> pending;
  int64_t waits = 0;
  for (Operation &op : llvm::make_early_inc_range(block)) {
    if (auto wait = dyn_cast<WaitOp>(op))
      pending.erase(wait.getDevice());
    bool isTerminator = op.hasTrait<OpTrait::IsTerminator>();
    pending.remove_if([&](auto &entry) {
      if (!isTerminator && !touchesAny(op, entry.second))
        return false;
      OpBuilder builder(&op);
      WaitOp::create(builder, op.getLoc(), cast<DeviceAttr>(entry.first));
      ++waits;
      return true;
    });
    if (Value target = getHostTarget(&op))
      pending[getTypeDevice(cast<memref::CopyOp>(op).getSource().getType())]
          .push_back(target);
  }
  return waits;
}

namespace {
struct SchedulePass
    : public mlir::hetero::impl::SchedulePassBase<SchedulePass> {
  using Base::Base;

  void runOnOperation() override {
    ModuleOp module = getOperation();
    SmallVector<Block *> blocks;
    module.walk([&](Operation *op) {
      if (isa<linalg::LinalgOp>(op))
        return WalkResult::skip();
      for (Region &region : op->getRegions())
        for (Block &block : region)
          if (!isa<ModuleOp>(op))
            blocks.push_back(&block);
      return WalkResult::advance();
    });
    bool keepsPlaces = module->hasAttr(kLateCopiesAttrName);
    int64_t moved = 0;
    if (!keepsPlaces && getPhase(module) < Phase::Scheduled) {
      Topology topology = Topology::get(module);
      TensorSizes sizes(module);
      for (Block *block : blocks)
        moved += orderWork(*block, topology, sizes);
    }
    int64_t waits = 0;
    for (Block *block : blocks)
      waits += scheduleBlock(*block);
    int64_t orders = orderUnits(module, blocks, !keepsPlaces);
    if (getPhase(module) < Phase::Scheduled)
      setPhase(module, Phase::Scheduled);
    remarkSummary(module, getArgument(),
                  {{"moved", moved}, {"waits", waits}, {"orders", orders}});
  }
};
} // namespace
