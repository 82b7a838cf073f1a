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
// Those that a device sends to the host lie in one buffer there from the start,
// and the host unpacks them where it first needs each.
//
//===----------------------------------------------------------------------===//

#include "Buffers.h"
#include "hetero/Analysis/Machine/Topology.h"
#include "hetero/Dialect/Hetero/IR/DeviceKind.h"
#include "hetero/Dialect/Hetero/IR/Machine/SystemSpec.h"
#include "hetero/Dialect/Hetero/IR/SummaryRemark.h"
#include "hetero/Transforms/Copies/CopySitePlan.h"
#include "hetero/Transforms/Passes.h"

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
#include "hetero/Transforms/Passes.h.inc"
} // namespace mlir::hetero

using namespace mlir;
using namespace mlir::hetero;

/// What codegen takes allocations to be aligned to.
static constexpr int64_t kAlignment = 64;

/// A value is small if it takes at most this part of a latency: then those
/// before it in a batch hardly wait for it.
static constexpr int64_t kSmallPart = 4;

namespace {
/// A copy that may be packed, and what the others wait for it: until it is
/// packed, and has crossed.
struct Candidate {
  memref::CopyOp copy;
  /// On the device.
  memref::AllocOp buffer;
  int64_t bytes, cost;
};

/// Where the copies between the host and a device go.
struct Direction {
  DeviceAttr device;
  bool isIn;
};

/// Packs the copies of one block.
class BlockBatcher {
public:
  BlockBatcher(Block &block, const Topology &topology)
      : block(block), topology(topology) {}

  void run();

  int64_t numBatches = 0, numCopies = 0;

private:
  void add(memref::CopyOp copy);
  std::optional<Candidate> getCandidate(memref::CopyOp copy, bool isIn);
  bool mayStayOpen(Operation *op);
  void close();
  void packSmall(Direction direction, ArrayRef<Candidate> candidates);
  void pack(Direction direction, MutableArrayRef<Candidate> batch);

  Block &block;
  const Topology &topology;
  /// By device: to it, and from it.
  llvm::MapVector<DeviceAttr, SmallVector<Candidate>> in, out;
  /// Buffers that the open copies read and fill.
  llvm::SmallDenseSet<Value> read, filled;
};
} // namespace

/// True if all that uses the buffer, or a view of it, does so in place: nobody
/// gets hold of it.
static bool staysHere(memref::AllocOp alloc) {
  return llvm::none_of(getBufferUsers(alloc), [](Operation *user) {
    return isa<CallOpInterface, RegionBranchOpInterface, memref::DeallocOp>(
               user) ||
           user->hasTrait<OpTrait::IsTerminator>() ||
           llvm::any_of(user->getResultTypes(), llvm::IsaPred<BaseMemRefType>);
  });
}

/// True if the copy fills the buffer before anything uses it.
static bool fillsFirst(memref::CopyOp copy, memref::AllocOp alloc) {
  return llvm::all_of(alloc->getUsers(), [&](Operation *user) {
    Operation *ancestor = copy->getBlock()->findAncestorOpInBlock(*user);
    return user == copy || (ancestor && copy->isBeforeInBlock(ancestor));
  });
}

/// A buffer that may be a part of another one.
static bool isPart(memref::AllocOp alloc) {
  return getBufferBytes(alloc.getType()) && staysHere(alloc);
}

std::optional<Candidate> BlockBatcher::getCandidate(memref::CopyOp copy,
                                                    bool isIn) {
  Value here = isIn ? copy.getSource() : copy.getTarget();
  Value there = isIn ? copy.getTarget() : copy.getSource();
  auto buffer = there.getDefiningOp<memref::AllocOp>();
  auto result = here.getDefiningOp<memref::AllocOp>();
  // What comes back waits in the packed buffer for its first use.
  auto target = isIn ? buffer : result;
  if (!buffer || buffer->getBlock() != &block || !isPart(buffer) || !target ||
      target->getBlock() != &block || !fillsFirst(copy, target))
    return std::nullopt;
  MemRefType type = buffer.getType();
  DeviceIndex device = *topology.lookup(getTypeDevice(type)),
              from = isIn ? Topology::kHost : device,
              to = isIn ? device : Topology::kHost;
  int64_t bytes = *getBufferBytes(type);
  int64_t cost =
      addTimes(topology.getRooflineTime(Topology::kHost, {0, 2 * bytes}),
               topology.getTransferTime(from, to, bytes) -
                   topology.getTransferTime(from, to, 0));
  return Candidate{copy, buffer, bytes, cost};
}

/// Adds a copy between the host and a device to what is open, if it may be
/// packed.
void BlockBatcher::add(memref::CopyOp copy) {
  auto source = dyn_cast<MemRefType>(copy.getSource().getType());
  auto target = dyn_cast<MemRefType>(copy.getTarget().getType());
  if (!source || !target)
    return;
  DeviceAttr from = getTypeDevice(source), to = getTypeDevice(target);
  if (!from || !to || from.isHost() == to.isHost())
    return;
  bool isIn = from.isHost();
  DeviceAttr device = isIn ? to : from;
  std::optional<DeviceIndex> index = topology.lookup(device);
  if (isHostAccessible(device) || !index ||
      !topology.isReachable(isIn ? Topology::kHost : *index,
                            isIn ? *index : Topology::kHost) ||
      (!isIn && read.contains(copy.getSource())))
    return;
  if (std::optional<Candidate> candidate = getCandidate(copy, isIn)) {
    (isIn ? in : out)[device].push_back(*candidate);
    read.insert(getRootBuffer(copy.getSource()));
    filled.insert(copy.getTarget());
  }
}

/// True if copies before the operation may as well stand after it.
bool BlockBatcher::mayStayOpen(Operation *op) {
  for (Value operand : op->getOperands())
    if (filled.contains(operand))
      return false;
  auto copy = dyn_cast<memref::CopyOp>(op);
  if (!copy)
    return isa<memref::AllocOp>(op) || isMemoryEffectFree(op);
  Value written = getRootBuffer(copy.getTarget());
  return filled.empty() ||
         (written.getDefiningOp<memref::AllocOp>() && !read.contains(written));
}

/// Packs the small ones, in batches that take no longer than one latency.
void BlockBatcher::packSmall(Direction direction,
                             ArrayRef<Candidate> candidates) {
  DeviceIndex device = *topology.lookup(direction.device);
  int64_t cost = 0,
          latency = direction.isIn
                        ? topology.getTransferTime(Topology::kHost, device, 0)
                        : topology.getTransferTime(device, Topology::kHost, 0);
  SmallVector<Candidate> batch;
  auto finish = [&] {
    if (batch.size() > 1)
      pack(direction, batch);
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

/// The operation of the block that first uses what the copy fills.
static Operation *findFirstUse(memref::CopyOp copy) {
  SmallVector<Operation *> users(copy.getTarget().getUsers());
  llvm::erase(users, copy);
  return findFirstUser(copy->getBlock(), users);
}

namespace {
/// The places of values in a packed buffer, on the host and on the device.
struct Packing {
  SmallVector<int64_t> offsets;
  int64_t bytes = 0;

  explicit Packing(ArrayRef<Candidate> batch) {
    for (const Candidate &candidate : batch) {
      offsets.push_back(llvm::alignTo(bytes, kAlignment));
      bytes = offsets.back() + candidate.bytes;
    }
  }

  Value allocate(OpBuilder &builder, Location loc, Attribute space) const {
    auto type = MemRefType::get({bytes}, builder.getI8Type(),
                                MemRefLayoutAttrInterface(), space);
    return memref::AllocOp::create(builder, loc, type,
                                   builder.getI64IntegerAttr(kAlignment));
  }

  /// The value of that number, of the type of its buffer.
  Value view(OpBuilder &builder, Location loc, Value packed, unsigned index,
             MemRefType like) const {
    auto type = MemRefType::get(
        like.getShape(), like.getElementType(), MemRefLayoutAttrInterface(),
        cast<MemRefType>(packed.getType()).getMemorySpace());
    Value offset = arith::ConstantIndexOp::create(builder, loc, offsets[index]);
    return memref::ViewOp::create(builder, loc, type, packed, offset,
                                  ValueRange());
  }
};
} // namespace

/// Lets the values be views of one buffer on the device, which is made before
/// the operation.
static Value packBuffers(MutableArrayRef<Candidate> batch,
                         const Packing &packing, Operation *before) {
  OpBuilder builder(before);
  Location loc = before->getLoc();
  Value packed = packing.allocate(
      builder, loc, batch.front().buffer.getType().getMemorySpace());
  for (auto [index, candidate] : llvm::enumerate(batch)) {
    Value view =
        packing.view(builder, loc, packed, index, candidate.buffer.getType());
    candidate.buffer.replaceAllUsesWith(view);
  }
  return packed;
}

/// Packs the copies where the last of them stands.
void BlockBatcher::pack(Direction direction, MutableArrayRef<Candidate> batch) {
  memref::CopyOp last = batch.back().copy;
  Location loc = last.getLoc();
  Packing packing(batch);
  Operation *first = last;
  for (Candidate &candidate : batch)
    if (!direction.isIn && candidate.buffer->isBeforeInBlock(first))
      first = candidate.buffer;
  Attribute name = joinNames(batch);
  OpBuilder builder(last);
  Value here = packing.allocate(builder, loc, {});
  Value there = packBuffers(batch, packing, first);
  for (auto [index, candidate] : llvm::enumerate(batch)) {
    memref::CopyOp copy = candidate.copy;
    if (!direction.isIn)
      builder.setInsertionPoint(findFirstUse(copy));
    Value view =
        packing.view(builder, loc, here, index, candidate.buffer.getType());
    memref::CopyOp::create(builder, copy.getLoc(),
                           direction.isIn ? copy.getSource() : view,
                           direction.isIn ? view : copy.getTarget());
  }
  builder.setInsertionPoint(last);
  auto transfer =
      memref::CopyOp::create(builder, loc, direction.isIn ? here : there,
                             direction.isIn ? there : here);
  transfer->setAttr(kValueAttrName, name);
  auto passed = remark::passed(
      loc, remark::RemarkOpts::name("batched").category("hetero-batch-copies"));
  if (passed)
    passed << remark::add("{0} copies {1} {2} are one of {3} bytes",
                          batch.size(), direction.isIn ? "to" : "from",
                          direction.device.str(), packing.bytes);
  for (Candidate &candidate : batch) {
    candidate.copy.erase();
    candidate.buffer.erase();
  }
  ++numBatches;
  numCopies += batch.size();
}

void BlockBatcher::close() {
  for (auto &[device, candidates] : in)
    packSmall({device, /*isIn=*/true}, candidates);
  for (auto &[device, candidates] : out)
    packSmall({device, /*isIn=*/false}, candidates);
  in.clear();
  out.clear();
  read.clear();
  filled.clear();
}

void BlockBatcher::run() {
  // What is packed is before the operation that closes.
  for (Operation &op : llvm::make_early_inc_range(block)) {
    if (!mayStayOpen(&op))
      close();
    if (auto copy = dyn_cast<memref::CopyOp>(op))
      add(copy);
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
    if (getTopologyAttr(module))
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
