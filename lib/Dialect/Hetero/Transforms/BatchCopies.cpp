//===- BatchCopies.cpp - Packs small copies into one transfer -------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Small values that the host sends to a device one after the other are packed
// into one buffer, which crosses in one transfer; on the device they stay where
// they lie in it:
//
//   memref.copy %a, %0                  // host -> gpu
//   memref.copy %b, %1                  // host -> gpu
//     ->
//   memref.copy %a, view of %packed
//   memref.copy %b, view of %packed
//   memref.copy %packed, %there         // host -> gpu
//   %0, %1 = views of %there
//
//===----------------------------------------------------------------------===//

#include "hetero/Analysis/Topology.h"
#include "hetero/Dialect/Hetero/IR/DeviceKind.h"
#include "hetero/Dialect/Hetero/IR/PlacementModels.h"
#include "hetero/Dialect/Hetero/IR/SummaryRemark.h"
#include "hetero/Dialect/Hetero/IR/TensorSizes.h"
#include "hetero/Dialect/Hetero/Transforms/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Interfaces/CallInterfaces.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Interfaces/ViewLikeInterface.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Support/MathExtras.h"

namespace mlir::hetero {
#define GEN_PASS_DEF_BATCHCOPIESPASS
#include "hetero/Dialect/Hetero/Transforms/Passes.h.inc"
} // namespace mlir::hetero

using namespace mlir;
using namespace mlir::hetero;

/// What codegen takes allocations to be aligned to.
static constexpr int64_t kAlignment = 64;

/// A value is small if it takes at most this part of a latency: then those in
/// front of it in a batch hardly wait for it.
static constexpr int64_t kSmallPart = 4;

namespace {
/// A copy that may be packed, and what the others wait for it: until it is
/// packed, and has crossed.
struct Candidate {
  memref::CopyOp copy;
  memref::AllocOp target;
  int64_t bytes, cost;
};

/// Packs the copies of one block.
class BlockBatcher {
public:
  BlockBatcher(Block &block, const Topology &topology)
      : block(block), topology(topology) {}

  void run();

  int64_t numBatches = 0, numCopies = 0;

private:
  std::optional<Candidate> getCandidate(memref::CopyOp copy);
  bool mayStayOpen(Operation *op);
  void close();
  void packSmall(DeviceAttr device, ArrayRef<Candidate> candidates);
  void pack(DeviceAttr device, MutableArrayRef<Candidate> batch);

  Block &block;
  const Topology &topology;
  llvm::MapVector<DeviceAttr, SmallVector<Candidate>> open;
};
} // namespace

static Value getRoot(Value buffer) {
  while (auto view = buffer.getDefiningOp<ViewLikeOpInterface>())
    buffer = view.getViewSource();
  return buffer;
}

/// True if the copy fills the buffer before anything uses it, and all that uses
/// it, or a view of it, does so in place: nobody gets hold of the buffer.
static bool fillsFirst(memref::CopyOp copy, memref::AllocOp alloc) {
  SmallVector<Value> views{alloc.getResult()};
  while (!views.empty()) {
    for (Operation *user : views.pop_back_val().getUsers()) {
      Operation *ancestor = copy->getBlock()->findAncestorOpInBlock(*user);
      if (!ancestor ||
          isa<CallOpInterface, RegionBranchOpInterface,
              RegionBranchTerminatorOpInterface, BranchOpInterface>(user) ||
          user->hasTrait<OpTrait::IsTerminator>())
        return false;
      bool isView = isa<ViewLikeOpInterface>(user);
      if (isView)
        llvm::append_range(views, user->getResults());
      if (user != copy && ancestor->isBeforeInBlock(copy))
        return false;
      // Bufferization and reshapes may hide the buffer in another value.
      if (!isView &&
          llvm::any_of(user->getResultTypes(), llvm::IsaPred<BaseMemRefType>))
        return false;
    }
  }
  return true;
}

std::optional<Candidate> BlockBatcher::getCandidate(memref::CopyOp copy) {
  auto target = copy.getTarget().getDefiningOp<memref::AllocOp>();
  auto sourceType = dyn_cast<MemRefType>(copy.getSource().getType());
  if (!target || !sourceType || target->getBlock() != &block ||
      !sourceType.hasStaticShape())
    return std::nullopt;
  MemRefType type = target.getType();
  DeviceAttr from = getTypeDevice(sourceType), to = getTypeDevice(type);
  if (!from || !from.isHost() || !to || isHostAccessible(to) ||
      !type.hasStaticShape() || !type.getLayout().isIdentity() ||
      !type.getElementType().isIntOrIndexOrFloat() || !topology.lookup(to) ||
      !fillsFirst(copy, target))
    return std::nullopt;
  int64_t bytes = getTensorBytes(
      RankedTensorType::get(type.getShape(), type.getElementType()));
  DeviceIndex device = *topology.lookup(to);
  int64_t cost =
      addTimes(topology.getRooflineTime(Topology::kHost, {0, 2 * bytes}),
               topology.getTransferTime(Topology::kHost, device, bytes) -
                   topology.getTransferTime(Topology::kHost, device, 0));
  return Candidate{copy, target, bytes, cost};
}

/// True if copies in front of the operation may as well stand behind it.
bool BlockBatcher::mayStayOpen(Operation *op) {
  for (auto &[device, candidates] : open)
    for (Candidate &candidate : candidates)
      if (llvm::is_contained(op->getOperands(), candidate.target.getResult()))
        return false;
  auto copy = dyn_cast<memref::CopyOp>(op);
  if (!copy)
    return isa<memref::AllocOp>(op) || isMemoryEffectFree(op);
  Value written = getRoot(copy.getTarget());
  for (auto &[device, candidates] : open)
    for (Candidate &candidate : candidates)
      if (!isa_and_nonnull<memref::AllocOp>(written.getDefiningOp()) ||
          written == getRoot(candidate.copy.getSource()))
        return false;
  return true;
}

/// Packs the small ones, in batches that take no longer than one latency.
void BlockBatcher::packSmall(DeviceAttr device,
                             ArrayRef<Candidate> candidates) {
  DeviceIndex to = *topology.lookup(device);
  int64_t latency = topology.getTransferTime(Topology::kHost, to, 0), cost = 0;
  SmallVector<Candidate> batch;
  auto finish = [&] {
    if (batch.size() > 1)
      pack(device, batch);
    batch.clear();
    cost = 0;
  };
  for (const Candidate &candidate : candidates) {
    if (candidate.cost > latency / kSmallPart)
      continue;
    if (addTimes(cost, candidate.cost) > latency)
      finish();
    batch.push_back(candidate);
    cost = addTimes(cost, candidate.cost);
  }
  finish();
}

/// "a, b": what the packed copy is called in reports.
static StringAttr joinNames(MutableArrayRef<Candidate> batch) {
  std::string names;
  for (Candidate &candidate : batch) {
    auto name = candidate.copy->getAttrOfType<StringAttr>(kValueAttrName);
    names += (names.empty() ? "" : ", ") + (name ? name.str() : "value");
  }
  return StringAttr::get(batch.front().copy.getContext(), names);
}

/// Packs the copies where the last of them stands.
void BlockBatcher::pack(DeviceAttr device, MutableArrayRef<Candidate> batch) {
  memref::CopyOp last = batch.back().copy;
  OpBuilder builder(last);
  Location loc = last.getLoc();
  SmallVector<Value> offsets;
  int64_t bytes = 0;
  for (const Candidate &candidate : batch) {
    bytes = llvm::alignTo(bytes, kAlignment);
    offsets.push_back(arith::ConstantIndexOp::create(builder, loc, bytes));
    bytes += candidate.bytes;
  }
  auto allocate = [&](Attribute space) {
    auto type = MemRefType::get({bytes}, builder.getI8Type(),
                                MemRefLayoutAttrInterface(), space);
    return memref::AllocOp::create(builder, loc, type,
                                   builder.getI64IntegerAttr(kAlignment));
  };
  auto view = [&](Value packed, Value offset, MemRefType like) {
    auto type = MemRefType::get(
        like.getShape(), like.getElementType(), MemRefLayoutAttrInterface(),
        cast<MemRefType>(packed.getType()).getMemorySpace());
    return memref::ViewOp::create(builder, loc, type, packed, offset,
                                  ValueRange());
  };
  Value here = allocate({}), there = allocate(device);
  for (auto [candidate, offset] : llvm::zip(batch, offsets))
    memref::CopyOp::create(builder, candidate.copy.getLoc(),
                           candidate.copy.getSource(),
                           view(here, offset, candidate.target.getType()));
  auto transfer = memref::CopyOp::create(builder, loc, here, there);
  transfer->setAttr(kValueAttrName, joinNames(batch));
  auto passed = remark::passed(
      loc, remark::RemarkOpts::name("batched").category("hetero-batch-copies"));
  if (passed)
    passed << remark::add("{0} copies to {1} are one of {2} bytes",
                          batch.size(), device.str(), bytes);
  for (auto [candidate, offset] : llvm::zip(batch, offsets)) {
    Value value = view(there, offset, candidate.target.getType());
    candidate.target.replaceAllUsesWith(value);
    candidate.copy.erase();
    candidate.target.erase();
  }
  ++numBatches;
  numCopies += batch.size();
}

void BlockBatcher::close() {
  for (auto &[device, candidates] : open)
    packSmall(device, candidates);
  open.clear();
}

void BlockBatcher::run() {
  // What is packed is in front of the operation that closes.
  for (Operation &op : llvm::make_early_inc_range(block)) {
    if (!mayStayOpen(&op))
      close();
    if (auto copy = dyn_cast<memref::CopyOp>(op))
      if (std::optional<Candidate> candidate = getCandidate(copy))
        open[getTypeDevice(candidate->target.getType())].push_back(*candidate);
  }
  close();
}

namespace {
struct BatchCopiesPass
    : public mlir::hetero::impl::BatchCopiesPassBase<BatchCopiesPass> {
  using Base::Base;

  void runOnOperation() override {
    ModuleOp module = getOperation();
    Topology topology = Topology::get(module);
    llvm::SetVector<Block *> blocks;
    // The latencies of the default topology are guesses.
    if (module->hasAttr(kTopologyAttrName))
      module.walk([&](memref::CopyOp op) { blocks.insert(op->getBlock()); });
    int64_t batches = 0, copies = 0;
    for (Block *block : blocks) {
      BlockBatcher batcher(*block, topology);
      batcher.run();
      batches += batcher.numBatches;
      copies += batcher.numCopies;
    }
    remarkSummary(module, getArgument(),
                  {{"batches", batches}, {"copies", copies}});
  }
};
} // namespace
