//===- InsertFrees.cpp - Frees every buffer once --------------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Gives every buffer an owner and frees it exactly once, through upstream's
// ownership-based deallocation, which follows buffers through control flow and
// calls; what never leaves its block is freed there without its analysis of
// aliases. Buffers in device memory are freed in stream order, so that a free
// needs no wait; buffers of the host after their last use, and after the wait
// for what a device sends there. Buffers that several devices share, which only
// now, with all copies there, are known, are freed at the end of a block.
//
//===----------------------------------------------------------------------===//

#include "InsertFrees.h"

#include "LiftControlFlow.h"
#include "PlanArenas.h"
#include "Transforms/Buffers/Buffers.h"
#include "Transforms/Buffers/SharedBuffers.h"
#include "hetero/Dialect/Hetero/IR/DeviceKind.h"
#include "hetero/Dialect/Hetero/IR/HeteroBufferOps.h"
#include "hetero/Dialect/Hetero/IR/HeteroStreamOps.h"
#include "hetero/Transforms/Copies/CopySitePlan.h"
#include "hetero/Transforms/Schedule/Streams.h"
#include "mlir/Conversion/BufferizationToMemRef/BufferizationToMemRef.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Bufferization/Transforms/Passes.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/MemRef/Transforms/Passes.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace mlir::hetero;

/// The device of a memref value, the host included.
static DeviceAttr deviceOf(Value buffer) {
  return getTypeDevice(buffer.getType());
}

namespace {
/// Finds out how early buffers can be freed.
class LastUses {
public:
  explicit LastUses(ModuleOp module) {
    module.walk([&](WaitOp wait) { waits[wait->getBlock()].push_back(wait); });
  }

  /// The last operation of `block` that uses `buffer`, a view of it, or what
  /// control flow makes of these, before `end`; null when a use is hidden from
  /// this simple search.
  Operation *find(Value buffer, Block *block, Operation *end) const;

private:
  Operation *findEnd(Operation *user, Value buffer, Block *block) const;
  Operation *findArrival(memref::CopyOp copy) const;

  llvm::DenseMap<Block *, SmallVector<WaitOp>> waits;
};
} // namespace

/// What a copy from a device sends to memory of the host is there when the host
/// has waited for its stream: the first such wait after the copy, or null.
Operation *LastUses::findArrival(memref::CopyOp copy) const {
  auto stream = copy->getAttrOfType<DeviceAttr>(kFromAttrName);
  if (!stream)
    stream = deviceOf(copy.getSource()).getBare();
  auto known = waits.find(copy->getBlock());
  if (known == waits.end())
    return nullptr;
  ArrayRef<WaitOp> later = known->second;
  later = later.drop_front(
      llvm::partition_point(
          later, [&](WaitOp wait) { return wait->isBeforeInBlock(copy); }) -
      later.begin());
  const auto *found = llvm::find_if(
      later, [&](WaitOp wait) { return isAwaited(stream, wait.getDevice()); });
  return found == later.end() ? nullptr : *found;
}

/// The operation of `block` with which a use of the buffer is over, or null. A
/// block waits for all that it sends to the host, so that only copies in
/// `block` itself may still be under way.
Operation *LastUses::findEnd(Operation *user, Value buffer,
                             Block *block) const {
  Operation *ancestor = block->findAncestorOpInBlock(*user);
  if (!ancestor || ancestor->hasTrait<OpTrait::IsTerminator>())
    return nullptr;
  auto copy = dyn_cast<memref::CopyOp>(user);
  bool isSent = copy && ancestor == user && copy.getTarget() == buffer &&
                isHostAccessible(deviceOf(buffer)) &&
                !isHostAccessible(deviceOf(copy.getSource()));
  return isSent ? findArrival(copy) : ancestor;
}

Operation *LastUses::find(Value buffer, Block *block, Operation *end) const {
  Operation *last = buffer.getDefiningOp();
  llvm::SetVector<Value> names;
  names.insert(buffer);
  for (unsigned i = 0; i < names.size(); ++i) {
    Value name = names[i];
    for (Operation *user : name.getUsers()) {
      if (user == end)
        continue;
      Operation *over = findEnd(user, name, block);
      if (!over)
        return nullptr;
      if (last->isBeforeInBlock(over))
        last = over;
      // What a branch or a loop yields is a result of it.
      Operation *owner =
          user->hasTrait<OpTrait::IsTerminator>() ? user->getParentOp() : user;
      for (Value result : owner->getResults())
        if (isa<BaseMemRefType>(result.getType()))
          names.insert(result);
    }
  }
  return last;
}

/// Allocates memory right before its first use.
static void allocateLate(ModuleOp module) {
  SmallVector<std::pair<memref::AllocOp, Operation *>> late;
  module.walk([&](memref::AllocOp op) {
    SmallVector<Operation *> users(op->getUsers());
    if (users.empty())
      return;
    if (Operation *first = findFirstUser(op->getBlock(), users);
        first && first != op->getNextNode())
      late.push_back({op, first});
  });
  for (auto [op, first] : late)
    op->moveBefore(first);
}

/// Frees memory right after its last use: streams keep the order of devices,
/// and the host has done what is before. Returns how many buffers are freed
/// earlier than at the end of their block.
static int64_t freeEarly(ModuleOp module) {
  // All of them are found before any is moved: the order of a block is then
  // counted once.
  LastUses uses(module);
  SmallVector<std::pair<memref::DeallocOp, Operation *>> early;
  module.walk([&](memref::DeallocOp op) {
    Operation *alloc = op.getMemref().getDefiningOp();
    if (!alloc || !isa<memref::AllocOp>(alloc) || getSharer(alloc) ||
        alloc->getBlock() != op->getBlock())
      return;
    if (Operation *last = uses.find(op.getMemref(), op->getBlock(), op);
        last && last != op->getPrevNode())
      early.push_back({op, last});
  });
  for (auto [op, last] : early)
    op->moveAfter(last);
  return early.size();
}

/// The streams of units, and of copies, on which the schedule has put work.
static llvm::SetVector<DeviceAttr> collectUnitStreams(ModuleOp module) {
  llvm::SetVector<DeviceAttr> streams;
  auto add = [&](DeviceAttr stream) {
    if (stream && !stream.getUnit().empty())
      streams.insert(stream);
  };
  module.walk([&](Operation *op) {
    add(getKernelStream(op));
    for (StringRef name : {kFromAttrName, kToAttrName})
      add(op->getAttrOfType<DeviceAttr>(name));
  });
  return streams;
}

/// Deallocation copies what a function returns and does not own. The schedule
/// has not seen these copies: they come after all that the device's streams
/// have got, and before all that they get.
static void orderClones(ModuleOp module) {
  llvm::SetVector<DeviceAttr> streams = collectUnitStreams(module);
  SmallVector<memref::CopyOp> clones;
  module.walk([&](memref::CopyOp op) {
    if (!streams.empty() && getBufferDevice(op.getSource()) &&
        !op->hasAttr(kFromAttrName) && !op->hasAttr(kToAttrName))
      clones.push_back(op);
  });
  for (memref::CopyOp clone : clones) {
    DeviceAttr device = getBufferDevice(clone.getSource()).getBare();
    for (DeviceAttr stream : streams) {
      if (!stream.isSameDevice(device))
        continue;
      OpBuilder builder(clone);
      OrderOp::create(builder, clone.getLoc(), device, stream);
      builder.setInsertionPointAfter(clone);
      OrderOp::create(builder, clone.getLoc(), stream, device);
    }
  }
}

/// True if the operation may make an alias of a buffer that it uses and is no
/// view, or takes part in who owns it.
static bool mayMakeAlias(Operation *op) {
  return op->hasTrait<OpTrait::IsTerminator>() ||
         isa<RegionBranchOpInterface, BranchOpInterface, memref::DeallocOp,
             memref::ReallocOp, bufferization::CloneOp, AdoptOp>(op) ||
         (!isa<CallOpInterface>(op) &&
          llvm::any_of(op->getResultTypes(), llvm::IsaPred<BaseMemRefType>));
}

/// True if the block that makes the buffer, and what is inside of it, sees all
/// of its uses, and nothing gets the buffer under another name but views. What
/// a call returns is its caller's alone.
static bool isLocal(Value buffer, Block *block) {
  Operation *op = buffer.getDefiningOp();
  return isa_and_present<memref::AllocOp, CallOpInterface>(op) &&
         op->getBlock() == block &&
         llvm::none_of(getBufferUsers(buffer), [&](Operation *user) {
           return mayMakeAlias(user) || !block->findAncestorOpInBlock(*user);
         });
}

/// Frees what stays in the block, and leaves the rest to the operation.
static void freeLocalBuffers(bufferization::DeallocOp op) {
  SmallVector<Value> local, memrefs, conditions;
  for (auto [memref, condition] :
       llvm::zip_equal(op.getMemrefs(), op.getConditions())) {
    if (matchPattern(condition, m_One()) &&
        isLocal(getRootBuffer(memref), op->getBlock())) {
      local.push_back(memref);
    } else {
      memrefs.push_back(memref);
      conditions.push_back(condition);
    }
  }
  op.getMemrefsMutable().assign(memrefs);
  op.getConditionsMutable().assign(conditions);
  OpBuilder builder(op);
  for (Value memref : local)
    memref::DeallocOp::create(builder, memref.getLoc(), memref);
}

/// Frees buffers that stay in their block, which needs no analysis of aliases.
/// Upstream's compares each buffer that a block frees with each other one, so
/// that it gets only those that are left.
static void freeLocalBuffers(ModuleOp module) {
  module.walk([](bufferization::DeallocOp op) { freeLocalBuffers(op); });
}

/// The passes of upstream's pipeline up to where it says what is freed, and
/// those after that.
static void addOwnershipPasses(OpPassManager &pipeline) {
  pipeline.addPass(memref::createExpandReallocPass());
  pipeline.addPass(createCanonicalizerPass());
  pipeline.addPass(bufferization::createOwnershipBasedBufferDeallocationPass());
  pipeline.addPass(createCanonicalizerPass());
}

static void addDeallocationPasses(OpPassManager &pipeline) {
  pipeline.addPass(bufferization::createBufferDeallocationSimplificationPass());
  pipeline.addPass(bufferization::createLowerDeallocationsPass());
  pipeline.addPass(createCSEPass());
  pipeline.addPass(createCanonicalizerPass());
}

/// What deallocation copies, the schedule has not seen: where devices share it,
/// the host waits for them before and after.
static void waitForClones(ModuleOp module) {
  SharedBuffers shared(module);
  if (shared.empty())
    return;
  SmallVector<bufferization::CloneOp> clones;
  module.walk([&](bufferization::CloneOp op) { clones.push_back(op); });
  for (bufferization::CloneOp clone : clones)
    for (DeviceAttr device : shared.getDevices(clone.getOutput())) {
      OpBuilder builder(clone);
      WaitOp::create(builder, clone.getLoc(), device);
      builder.setInsertionPointAfter(clone);
      WaitOp::create(builder, clone.getLoc(), device);
    }
}

FailureOr<int64_t>
mlir::hetero::insertFrees(ModuleOp module,
                          function_ref<LogicalResult(OpPassManager &)> run) {
  if (failed(liftControlFlow(module)))
    return failure();
  OpPassManager owners("builtin.module"), frees("builtin.module"),
      clones("builtin.module");
  addOwnershipPasses(owners);
  addDeallocationPasses(frees);
  clones.addPass(createConvertBufferizationToMemRefPass());
  if (failed(run(owners)))
    return failure();
  freeLocalBuffers(module);
  if (failed(run(frees)))
    return failure();
  waitForClones(module);
  if (failed(run(clones)))
    return failure();
  orderClones(module);
  markSharedBuffers(module);
  allocateLate(module);
  return freeEarly(module);
}

LogicalResult mlir::hetero::insertFreesQuietly(ModuleOp module) {
  MLIRContext *context = module.getContext();
  // What does not work is said when it counts.
  ScopedDiagnosticHandler quiet(context, [](Diagnostic &) {});
  FailureOr<int64_t> freed = insertFrees(module, [&](OpPassManager &pipeline) {
    PassManager manager(context, ModuleOp::getOperationName());
    static_cast<OpPassManager &>(manager) = pipeline;
    return manager.run(module);
  });
  return success(succeeded(freed));
}

bool mlir::hetero::fitsMemory(ModuleOp module) {
  return succeeded(insertFreesQuietly(module)) && fitsArenas(module);
}
