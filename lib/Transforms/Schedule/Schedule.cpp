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
// copy to host memory is something that the host must wait for, and it waits as
// late as it can, before the first operation that may touch that memory:
//
//   memref.copy %d, %h          // gpu:0 -> host, asynchronous
//   linalg.exp ... gpu:0        // enqueued at once
//   hetero.wait on gpu:0        // inserted
//   linalg.add ... host
//
// Waits never cross a block: a block that ends with a copy to the host still
// running waits before its terminator.
//
//===----------------------------------------------------------------------===//

#include "Schedule.h"

#include "InsertFrees.h"
#include "LateCopies.h"
#include "ListSchedule.h"
#include "OrderUnits.h"
#include "PlanArenas.h"
#include "Transforms/Buffers/Buffers.h"
#include "Transforms/Buffers/SharedBuffers.h"
#include "hetero/Analysis/Blocks/BlockTree.h"
#include "hetero/Dialect/Hetero/IR/DeviceKind.h"
#include "hetero/Dialect/Hetero/IR/HeteroLibraryOps.h"
#include "hetero/Dialect/Hetero/IR/HeteroStreamOps.h"
#include "hetero/Dialect/Hetero/IR/SummaryRemark.h"
#include "hetero/Transforms/Copies/CopySitePlan.h"
#include "hetero/Transforms/Passes.h"
#include "hetero/Transforms/Schedule/Streams.h"

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
#include "llvm/ADT/SetVector.h"
#include <map>

namespace mlir::hetero {
#define GEN_PASS_DEF_SCHEDULEPASS
#include "hetero/Transforms/Passes.h.inc"
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

namespace {
/// A buffer that a device still works on, on the stream that a schedule before
/// chose.
struct Access {
  Value root;
  Attribute stream;
  bool writes;

  std::tuple<Value, Attribute, unsigned> getKey() const {
    return {root, stream, writes};
  }
};

/// What one device has under way.
struct Pending {
  /// Buffers of the host that it sends to: these have it after the wait only.
  SmallVector<Access> sends;
  /// Buffers that others have, too.
  SmallVector<Access> shared;
  llvm::DenseSet<std::tuple<Value, Attribute, unsigned>> known;
};

/// Inserts the waits of one block.
class BlockWaits {
public:
  BlockWaits(Block &block, const SharedBuffers &shared,
             llvm::DenseSet<Operation *> &waits)
      : block(block), shared(shared), waits(waits) {}

  void run();

private:
  /// By device.
  using OfNode = llvm::MapVector<Attribute, Pending>;

  Pending &getPending(DeviceAttr device) {
    return pending[device.getNode()][device];
  }
  bool conflicts(Operation &op, const Pending &accesses) const;
  bool waitsForSend(Operation &op, BufferUse use, const Access &send) const;
  bool waitsForShared(BufferUse use, const Access &access) const;
  void insertWaits(Operation &op, Operation *before);
  void insertWaits(Operation &op, Operation *before, OfNode &devices);
  void removeAwaited(WaitOp wait);
  void note(Operation &op);
  void addShared(Value buffer, Attribute stream, bool writes);

  Block &block;
  const SharedBuffers &shared;
  /// Those that wait for copies only.
  llvm::DenseSet<Operation *> &waits;
  /// By node: what an operation does is of few of them, and its host waits for
  /// no device of another.
  std::map<int64_t, OfNode> pending;
};
} // namespace

/// True if all that operations inside of control flow do is enqueued, so that
/// who waits for it may wait after it. It neither allocates nor passes what
/// is shared, which may be freed inside.
static bool isEnqueued(Operation *op, const SharedBuffers &shared) {
  auto isShared = [&](Value value) { return bool(shared.getSharer(value)); };
  if (!isa<RegionBranchOpInterface>(op) || !touchesNoHostMemory(*op))
    return false;
  return !op->walk([&](Operation *inner) {
              bool handsOn = inner == op || isa<memref::AllocOp>(inner);
              bool stops =
                  handsOn && (llvm::any_of(inner->getOperands(), isShared) ||
                              llvm::any_of(inner->getResults(), isShared));
              return stops ? WalkResult::interrupt() : WalkResult::advance();
            }).wasInterrupted();
}

/// True if the use waits for what a device sends to the host. A copy to there
/// arrives at a later wait, which does not matter unless others see the buffer.
bool BlockWaits::waitsForSend(Operation &op, BufferUse use,
                              const Access &send) const {
  auto [buffer, writes] = use;
  bool isShared = shared.isOfHost(buffer);
  bool isSent = writes && getHostTarget(&op);
  return (isShared || (isOnHost(buffer) && !isSent)) &&
         !areDistinct(getRootBuffer(buffer), send.root, &block);
}

/// True if the host's use waits for what a device does with the buffer.
bool BlockWaits::waitsForShared(BufferUse use, const Access &access) const {
  auto [buffer, writes] = use;
  return shared.isOfHost(buffer) && (writes || access.writes) &&
         !areDistinct(getRootBuffer(buffer), access.root, &block);
}

/// True if the operation must wait for what a device has under way.
bool BlockWaits::conflicts(Operation &op, const Pending &accesses) const {
  bool isEnqueuedOnly = touchesNoHostMemory(op);
  if (isEnqueuedOnly && (shared.empty() || isMemoryEffectFree(&op)))
    return false;
  if (!isEnqueuedOnly && !namesBuffers(&op))
    return true;
  // A copy to the host writes there when the host waits. Inside of control flow
  // the host may have another name for a device's buffer.
  bool isByHost = !isEnqueuedOnly || getHostTarget(&op);
  bool isAnyName = !isEnqueuedOnly && op.getNumRegions() != 0;
  for (BufferUse use : getBufferUses(&op)) {
    if (isInside(use.first, &op))
      continue;
    if (llvm::any_of(accesses.sends, [&](const Access &send) {
          return waitsForSend(op, use, send);
        }))
      return true;
    if (isByHost && (isAnyName || isOnHost(use.first)) &&
        llvm::any_of(accesses.shared, [&](const Access &access) {
          return waitsForShared(use, access);
        }))
      return true;
  }
  return false;
}

/// The nodes whose memory the operation touches; none if that is not known.
static std::optional<llvm::SmallSetVector<int64_t, 2>>
findNodes(Operation &op) {
  if (op.hasTrait<OpTrait::IsTerminator>() || !namesBuffers(&op))
    return std::nullopt;
  llvm::SmallSetVector<int64_t, 2> nodes;
  for (auto [buffer, writes] : getBufferUses(&op)) {
    DeviceAttr device = getTypeDevice(buffer.getType());
    if (!device)
      return std::nullopt;
    nodes.insert(device.getNode());
  }
  return nodes;
}

/// Waits before an operation for all devices with whose work it conflicts, and
/// at the end of a block for all that is left.
void BlockWaits::insertWaits(Operation &op, Operation *before) {
  if (auto nodes = findNodes(op)) {
    for (int64_t node : *nodes)
      if (auto devices = pending.find(node); devices != pending.end())
        insertWaits(op, before, devices->second);
    return;
  }
  for (auto &[node, devices] : pending)
    insertWaits(op, before, devices);
}

void BlockWaits::insertWaits(Operation &op, Operation *before,
                             OfNode &devices) {
  bool isEnd = op.hasTrait<OpTrait::IsTerminator>();
  bool isParentEnqueued =
      isEnd && !shared.empty() && isEnqueued(op.getParentOp(), shared);
  devices.remove_if([&](auto &entry) {
    auto &[device, accesses] = entry;
    if (isEnd ? isParentEnqueued && accesses.sends.empty()
              : !conflicts(op, accesses))
      return false;
    OpBuilder builder(before);
    auto wait = WaitOp::create(builder, op.getLoc(), cast<DeviceAttr>(device));
    if (accesses.shared.empty())
      waits.insert(wait);
    return true;
  });
}

/// What is left when the host has waited.
void BlockWaits::removeAwaited(WaitOp wait) {
  DeviceAttr device = wait.getDevice();
  OfNode &devices = pending[device.getNode()];
  auto accesses = devices.find(device.getBare());
  if (accesses == devices.end())
    return;
  auto isDone = [&](const Access &access) {
    return device.getUnit().empty() || access.stream == device;
  };
  for (const Access &access : accesses->second.shared)
    if (isDone(access))
      accesses->second.known.erase(access.getKey());
  llvm::erase_if(accesses->second.sends, isDone);
  llvm::erase_if(accesses->second.shared, isDone);
  if (accesses->second.sends.empty() && accesses->second.shared.empty())
    devices.erase(accesses);
}

void BlockWaits::addShared(Value buffer, Attribute stream, bool writes) {
  DeviceAttr device = getBufferDevice(buffer);
  if (!device || !shared.getSharer(buffer))
    return;
  Pending &accesses = getPending(device);
  Access access{getRootBuffer(buffer), stream, writes};
  if (accesses.known.insert(access.getKey()).second)
    accesses.shared.push_back(access);
}

/// Notes what the operation leaves under way.
void BlockWaits::note(Operation &op) {
  auto copy = dyn_cast<memref::CopyOp>(op);
  if (Value target = getHostTarget(&op))
    getPending(getTypeDevice(copy.getSource().getType()))
        .sends.push_back({target, op.getAttr(kFromAttrName), /*writes=*/true});
  if (shared.empty())
    return;
  DeviceAttr stream = getKernelStream(&op);
  if (!copy && !stream && (op.getNumRegions() == 0 || !isEnqueued(&op, shared)))
    return;
  for (auto [buffer, writes] : getBufferUses(&op))
    if (!isInside(buffer, &op))
      addShared(buffer,
                copy ? op.getAttr(writes ? kToAttrName : kFromAttrName)
                     : Attribute(stream),
                writes);
}

void BlockWaits::run() {
  // The host region that has not touched memory yet: its waits are before it.
  Operation *region = nullptr;
  for (Operation &op : llvm::make_early_inc_range(block)) {
    if (isa<HostRegionOp>(op))
      region = &op;
    if (auto wait = dyn_cast<WaitOp>(op))
      removeAwaited(wait);
    insertWaits(op, region ? region : &op);
    if (isa<EndHostRegionOp>(op) || !touchesNoHostMemory(op))
      region = nullptr;
    note(op);
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
  /// By block: of one execution.
  SmallVector<std::pair<Block *, OrderedWork>, 0> work;
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

/// Lets a block refer to each state once, so that all accesses there are known
/// to be to the same memory.
static void mergeReferences(Block &block, const StateNames &states) {
  llvm::DenseMap<Attribute, memref::GetGlobalOp> first;
  for (auto op :
       llvm::make_early_inc_range(block.getOps<memref::GetGlobalOp>())) {
    StringAttr name = getState(op, states);
    memref::GetGlobalOp known =
        name ? first.try_emplace(name, op).first->second : op;
    if (known == op)
      continue;
    op.replaceAllUsesWith(known.getResult());
    op.erase();
  }
}

static Counts schedule(ModuleOp module, Effort effort) {
  SmallVector<Block *> blocks = collectBlocks(module);
  Counts counts;
  StateNames states = collectStateNames(module);
  for (Block *block : blocks)
    mergeReferences(*block, states);
  if (effort.reorders) {
    Topology topology = Topology::get(module);
    TensorSizes sizes(module);
    for (Block *block : blocks) {
      if (effort.lead != kAnyLead)
        counts.moved += sinkCopies(*block);
      OrderedWork work = orderWork(*block, topology, sizes, effort.lead);
      counts.moved += work.moved + sendEarly(*block);
      counts.work.push_back({block, work});
    }
  }
  llvm::DenseSet<Operation *> waits;
  SharedBuffers shared(module);
  int64_t before = countOperations<WaitOp>(module);
  for (Block *block : blocks)
    BlockWaits(*block, shared, waits).run();
  counts.waits = countOperations<WaitOp>(module) - before;
  counts.orders = orderUnits(module, blocks, effort.overlapsCopies, waits,
                             shared.getPeers());
  return counts;
}

void mlir::hetero::scheduleLeanly(ModuleOp module, bool overlapsCopies) {
  bool keepsPlaces = module->hasAttr(kLateCopiesAttrName);
  if (keepsPlaces)
    schedule(module, {false, kAnyLead, false});
  else
    schedule(module, {true, 0, overlapsCopies});
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

/// How long all blocks take by their schedules, each as often as it runs, or at
/// least by their bounds. That is what placement for latency makes small.
static int64_t sumTimes(ModuleOp module, const Counts &counts,
                        int64_t OrderedWork::*time) {
  BlockTree tree(module);
  int64_t sum = 0;
  for (const auto &[block, work] : counts.work)
    sum = addTimes(sum, tree.scale(work.*time, tree.lookup(block)));
  return sum;
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
    if (!isHeard(remark::analysis(
            module.getLoc(),
            remark::RemarkOpts::name("summary").category(getArgument()))))
      return;
    remarkSummary(
        module, getArgument(),
        {{"moved", counts.moved},
         {"waits", counts.waits},
         {"orders", counts.orders},
         {"makespan_ps", sumTimes(module, counts, &OrderedWork::makespan)},
         {"bound_ps", sumTimes(module, counts, &OrderedWork::bound)}});
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
