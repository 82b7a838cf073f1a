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
// it waits as late as it can, before the first operation that may touch host
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
#include "hetero/Dialect/Hetero/Transforms/OrderUnits.h"
#include "hetero/Dialect/Hetero/Transforms/Passes.h"

#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/SetVector.h"

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

/// The device whose stream writes host memory when this copy has run, or null.
static DeviceAttr getSourceOfHostCopy(Operation *op) {
  auto copy = dyn_cast<memref::CopyOp>(op);
  if (!copy || isOnHost(copy.getSource()) || !isOnHost(copy.getTarget()))
    return {};
  return getTypeDevice(copy.getSource().getType());
}

/// Inserts the waits of one block; returns their number.
static int64_t scheduleBlock(Block &block) {
  llvm::SetVector<Attribute> pending;
  int64_t waits = 0;
  for (Operation &op : llvm::make_early_inc_range(block)) {
    if (auto wait = dyn_cast<WaitOp>(op))
      pending.remove(wait.getDevice());
    bool isTerminator = op.hasTrait<OpTrait::IsTerminator>();
    if (!pending.empty() && (isTerminator || !touchesNoHostMemory(op))) {
      OpBuilder builder(&op);
      for (Attribute device : pending)
        WaitOp::create(builder, op.getLoc(), cast<DeviceAttr>(device));
      waits += pending.size();
      pending.clear();
    }
    if (DeviceAttr device = getSourceOfHostCopy(&op))
      pending.insert(device);
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
    int64_t waits = 0;
    for (Block *block : blocks)
      waits += scheduleBlock(*block);
    int64_t orders = orderUnits(module, blocks);
    if (getPhase(module) < Phase::Scheduled)
      setPhase(module, Phase::Scheduled);
    remarkSummary(module, getArgument(),
                  {{"waits", waits}, {"orders", orders}});
  }
};
} // namespace
