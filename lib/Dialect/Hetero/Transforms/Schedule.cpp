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
#include "hetero/Dialect/Hetero/IR/HeteroLibraryOps.h"
#include "hetero/Dialect/Hetero/IR/HeteroStreamOps.h"
#include "hetero/Dialect/Hetero/IR/SummaryRemark.h"
#include "hetero/Dialect/Hetero/Transforms/CopySitePlan.h"
#include "hetero/Dialect/Hetero/Transforms/LateCopies.h"
#include "hetero/Dialect/Hetero/Transforms/ListSchedule.h"
#include "hetero/Dialect/Hetero/Transforms/OrderUnits.h"
#include "hetero/Dialect/Hetero/Transforms/Passes.h"
#include "hetero/Dialect/Hetero/Transforms/PlanArenas.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Remarks.h"
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
  if (isa<WaitOp, OrderOp, HostRegionOp, EndHostRegionOp, memref::AllocOp,
          cf::AssertOp>(op) ||
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
  if (!isa<linalg::LinalgOp, LibraryCallOp>(op))
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

/// True if the operation may touch one of the host's buffers.
static bool touchesAny(Operation &op,
                       ArrayRef<std::pair<Value, Attribute>> buffers) {
  if (touchesNoHostMemory(op))
    return false;
  if (!namesBuffers(&op))
    return true;
  for (auto [buffer, writes] : getBufferUses(&op))
    for (auto [pending, stream] : buffers)
      if (isOnHost(buffer) && !isInside(buffer, &op) &&
          !areDistinct(getRootBuffer(buffer), pending, op.getBlock()))
        return true;
  return false;
}

namespace {
/// What copies from one device write on the host: all, and those of a stream
/// that a schedule before chose.
using HostTargets = SmallVector<std::pair<Value, Attribute>>;
} // namespace

/// What is left of the targets when the host has waited.
static void removeAwaited(llvm::MapVector<Attribute, HostTargets> &pending,
                          WaitOp wait) {
  DeviceAttr device = wait.getDevice();
  auto targets = pending.find(device.getBare());
  if (targets == pending.end())
    return;
  llvm::erase_if(targets->second, [&](auto target) {
    return device.getUnit().empty() || target.second == device;
  });
  if (targets->second.empty())
    pending.erase(targets);
}

/// Inserts the waits of one block.
static void scheduleBlock(Block &block, llvm::DenseSet<Operation *> &waits) {
  llvm::MapVector<Attribute, HostTargets> pending;
  // The host region that has not touched memory yet: its waits are before it.
  Operation *region = nullptr;
  for (Operation &op : llvm::make_early_inc_range(block)) {
    if (isa<HostRegionOp>(op))
      region = &op;
    if (auto wait = dyn_cast<WaitOp>(op))
      removeAwaited(pending, wait);
    bool isTerminator = op.hasTrait<OpTrait::IsTerminator>();
    pending.remove_if([&](auto &entry) {
      if (!isTerminator && !touchesAny(op, entry.second))
        return false;
      OpBuilder builder(region ? region : &op);
      waits.insert(
          WaitOp::create(builder, op.getLoc(), cast<DeviceAttr>(entry.first)));
      return true;
    });
    if (isa<EndHostRegionOp>(op) || !touchesNoHostMemory(op))
      region = nullptr;
    if (Value target = getHostTarget(&op))
      pending[getTypeDevice(cast<memref::CopyOp>(op).getSource().getType())]
          .push_back({target, op.getAttr(kFromAttrName)});
  }
}

//===----------------------------------------------------------------------===//
// Module
//===----------------------------------------------------------------------===//

namespace {
/// What a schedule may do for time.
struct Effort {
  bool reorders = true;
  /// How many operations work may run ahead of an order that needs little
  /// memory.
  unsigned lead = kAnyLead;
  bool overlapsCopies = true;
};

/// What a schedule did.
struct Counts {
  int64_t moved = 0, waits = 0, orders = 0;
};
} // namespace

static SmallVector<Block *> collectBlocks(ModuleOp module) {
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
  return blocks;
}

static Counts schedule(ModuleOp module, Effort effort) {
  SmallVector<Block *> blocks = collectBlocks(module);
  Counts counts;
  if (effort.reorders) {
    Topology topology = Topology::get(module);
    TensorSizes sizes(module);
    for (Block *block : blocks) {
      if (effort.lead != kAnyLead)
        counts.moved += sinkCopies(*block);
      counts.moved += orderWork(*block, topology, sizes, effort.lead);
    }
  }
  llvm::DenseSet<Operation *> waits;
  for (Block *block : blocks)
    scheduleBlock(*block, waits);
  counts.waits = waits.size();
  counts.orders = orderUnits(module, blocks, effort.overlapsCopies, waits);
  return counts;
}

/// What to do for time, if memory was no matter; less and less until the memory
/// of devices suffices. The last one needs the least.
static Effort chooseEffort(ModuleOp module) {
  bool keepsPlaces = module->hasAttr(kLateCopiesAttrName);
  SmallVector<Effort> efforts{{!keepsPlaces, kAnyLead, !keepsPlaces}};
  if (getPhase(module) >= Phase::Scheduled)
    return {false, kAnyLead, !keepsPlaces};
  if (fitsWithoutReuse(module))
    return efforts.front();
  size_t most = 0;
  for (Block *block : collectBlocks(module))
    most = std::max(most, block->getOperations().size());
  for (unsigned lead = most / 2; lead != 0 && !keepsPlaces; lead /= 2)
    efforts.push_back({true, lead, true});
  if (!keepsPlaces)
    efforts.push_back({true, 0, true});
  Effort least{true, 0, false};
  for (Effort effort : efforts) {
    OwningOpRef<ModuleOp> scratch = module.clone();
    schedule(*scratch, effort);
    if (fitsMemory(*scratch))
      return effort;
  }
  return least;
}

namespace {
struct SchedulePass
    : public mlir::hetero::impl::SchedulePassBase<SchedulePass> {
  using Base::Base;

  void runOnOperation() override {
    ModuleOp module = getOperation();
    Effort effort = chooseEffort(module);
    Counts counts = schedule(module, effort);
    if (getPhase(module) < Phase::Scheduled)
      setPhase(module, Phase::Scheduled);
    if (effort.lead != kAnyLead)
      remarkOn(module, effort);
    // So that another schedule leaves them on the stream of the kernels, too.
    if (!effort.overlapsCopies)
      module->setAttr(kLateCopiesAttrName, UnitAttr::get(&getContext()));
    remarkSummary(module, getArgument(),
                  {{"moved", counts.moved},
                   {"waits", counts.waits},
                   {"orders", counts.orders}});
  }

  void remarkOn(ModuleOp module, Effort effort) {
    auto passed = remark::passed(
        module.getLoc(),
        remark::RemarkOpts::name("lean").category(getArgument()));
    if (passed)
      passed << remark::add("work runs at most {0} operations ahead, so that "
                            "memory suffices",
                            effort.lead);
  }
};
} // namespace
