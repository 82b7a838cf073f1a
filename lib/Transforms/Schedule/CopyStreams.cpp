//===- CopyStreams.cpp - Which copies get a stream of their own -----------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A device copies in, copies out and computes at the same time, if these are on
// different streams. Events between streams cost time, so a copy stays on the
// stream of the kernels if what stands before it and after it on each of the
// device's other engines is in order with it anyway:
//
//   memref.copy %h, %a       // in order with what comes next
//   linalg.exp ins(%a) outs(%b)
//   memref.copy %g, %c       // may run with linalg.exp: a stream of its own
//   linalg.add ins(%b, %c) ...
//
//===----------------------------------------------------------------------===//

#include "CopyStreams.h"

#include "Transforms/Buffers/Buffers.h"
#include "hetero/Dialect/Hetero/IR/DeviceKind.h"
#include "hetero/Dialect/Hetero/IR/DeviceLattice.h"
#include "hetero/Dialect/Hetero/IR/HeteroKernelOps.h"
#include "hetero/Dialect/Hetero/IR/HeteroLibraryOps.h"
#include "hetero/Dialect/Hetero/IR/HeteroStreamOps.h"
#include "hetero/Transforms/Schedule/Streams.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Interfaces/CallInterfaces.h"
#include "mlir/Interfaces/ViewLikeInterface.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/Sequence.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace mlir::hetero;

/// Operations between two neighbours that are looked at for a dependence.
static constexpr unsigned kMaxBetween = 64;

//===----------------------------------------------------------------------===//
// Neighbours
//===----------------------------------------------------------------------===//

namespace {
/// What works on a device; a copy between devices does on two.
enum class Engine { None, Compute, CopyIn, CopyOut };
} // namespace

/// The device's engine that the operation takes.
static Engine getEngine(Operation *op, DeviceAttr device) {
  if (auto copy = dyn_cast<memref::CopyOp>(op)) {
    bool isFrom = getBufferDevice(copy.getSource()) == device;
    bool isTo = getBufferDevice(copy.getTarget()) == device;
    if (isFrom && isTo)
      return Engine::Compute;
    return isFrom ? Engine::CopyOut : isTo ? Engine::CopyIn : Engine::None;
  }
  DeviceAttr stream = getKernelStream(op);
  return stream && stream.isSameDevice(device) ? Engine::Compute : Engine::None;
}

/// True if nothing after the operation runs on the device before what stands
/// before it is done, or if that is not known.
static bool isBarrier(Operation *op, DeviceAttr device) {
  if (auto wait = dyn_cast<WaitOp>(op))
    return wait.getDevice() == device;
  return !isa<linalg::LinalgOp>(op) &&
         (op->getNumRegions() != 0 || isa<CallOpInterface>(op)) &&
         !isHostWork(op);
}

/// What tells buffers apart, as the streams' order does: all of a device that
/// come from outside of the block may be one.
static Value getKey(Value buffer, Block *block) {
  Value root = getRootBuffer(buffer);
  Operation *op = root.getDefiningOp();
  bool isOwn = op && op->getBlock() == block &&
               isa<memref::AllocOp, memref::GetGlobalOp>(op);
  return isOwn || isStreamed(root) || !getBufferDevice(buffer) ? root : Value();
}

/// What of a block matters to the devices of one node.
using NodeWork = ArrayRef<Operation *>;

/// True if the operation of number `later` waits for that of number `earlier`,
/// directly or through what stands between; `ifFar` if that is too much to
/// tell.
static bool isOrdered(NodeWork work, unsigned earlier, unsigned later,
                      bool ifFar) {
  llvm::DenseSet<Value> read, written;
  unsigned count = 0;
  for (unsigned index = earlier;; ++index) {
    Operation *op = work[index];
    if (isa<ViewLikeOpInterface, memref::AllocOp, OrderOp>(op))
      continue;
    if (++count > kMaxBetween)
      return ifFar;
    SmallVector<BufferUse> uses = getBufferUses(op);
    bool isAfter = llvm::any_of(uses, [&](BufferUse use) {
      Value root = getKey(use.first, op->getBlock());
      return written.contains(root) || (use.second && read.contains(root));
    });
    if (index == later)
      return isAfter;
    if (isAfter || index == earlier)
      for (auto [buffer, writes] : uses)
        (writes ? written : read).insert(getKey(buffer, op->getBlock()));
  }
}

namespace {
/// The numbers of what stands before or after an operation on the device's
/// other engines; none where a barrier comes first.
struct Neighbours {
  std::optional<unsigned> nearest = std::nullopt, other = std::nullopt;
};
} // namespace

/// Of the operations in a list of numbers, by number.
template <typename Range>
static SmallVector<Neighbours, 0> findNeighbours(NodeWork work, Range &&numbers,
                                                 DeviceAttr device) {
  SmallVector<Neighbours, 0> neighbours(work.size());
  // By engine, the nearest first.
  SmallVector<std::pair<Engine, unsigned>, 3> newest;
  for (unsigned index : numbers) {
    if (isBarrier(work[index], device))
      newest.clear();
    Engine engine = getEngine(work[index], device);
    if (engine == Engine::None)
      continue;
    llvm::erase_if(newest, [&](auto entry) { return entry.first == engine; });
    if (!newest.empty())
      neighbours[index].nearest = newest[0].second;
    if (newest.size() > 1)
      neighbours[index].other = newest[1].second;
    newest.insert(newest.begin(), {engine, index});
  }
  return neighbours;
}

/// True if the copy cannot run together with what stands before and after it.
/// A neighbour that is far away is done by then, unless there is none closer.
static bool isInOrder(NodeWork work, unsigned copy, Neighbours before,
                      Neighbours after) {
  return (!before.nearest || isOrdered(work, *before.nearest, copy, false)) &&
         (!before.other || isOrdered(work, *before.other, copy, true)) &&
         (!after.nearest || isOrdered(work, copy, *after.nearest, false)) &&
         (!after.other || isOrdered(work, copy, *after.other, true));
}

/// The copies that overlap with others of a device.
static void findOverlappingCopies(NodeWork work, DeviceAttr device,
                                  llvm::DenseSet<CopyEnd> &overlapping) {
  auto numbers = llvm::seq<unsigned>(0, work.size());
  auto before = findNeighbours(work, numbers, device);
  auto after = findNeighbours(work, llvm::reverse(numbers), device);
  for (unsigned index : numbers) {
    auto copy = dyn_cast<memref::CopyOp>(work[index]);
    Engine engine = copy ? getEngine(copy, device) : Engine::None;
    if (engine != Engine::CopyIn && engine != Engine::CopyOut)
      continue;
    if (!isInOrder(work, index, before[index], after[index]))
      overlapping.insert(CopyEnd(copy, engine == Engine::CopyIn));
  }
}

namespace {
/// A block by nodes, so that each device is looked for in what its own does.
class NodesOfBlock {
public:
  explicit NodesOfBlock(Block &block);

  void findOverlappingCopies(llvm::DenseSet<CopyEnd> &overlapping) const;

private:
  struct Node {
    /// Devices that are copied from or to.
    llvm::SmallSetVector<DeviceAttr, 4> devices;
    SmallVector<Operation *, 0> work;
  };

  void addDevices(memref::CopyOp copy);
  void addWork(Operation &op);

  llvm::MapVector<int64_t, Node> nodes;
};
} // namespace

NodesOfBlock::NodesOfBlock(Block &block) {
  for (auto copy : block.getOps<memref::CopyOp>())
    addDevices(copy);
  for (Operation &op : block)
    addWork(op);
}

void NodesOfBlock::addDevices(memref::CopyOp copy) {
  for (Value buffer : {copy.getSource(), copy.getTarget()})
    if (DeviceAttr device = getBufferDevice(buffer))
      nodes[device.getNode()].devices.insert(device);
}

/// What names no buffers, or has regions, may be of any node.
void NodesOfBlock::addWork(Operation &op) {
  auto add = [&](Node &node) {
    if (node.work.empty() || node.work.back() != &op)
      node.work.push_back(&op);
  };
  bool isKnown = false;
  auto addNode = [&](DeviceAttr device) {
    isKnown = true;
    if (auto node = nodes.find(device.getNode()); node != nodes.end())
      add(node->second);
  };
  if (auto wait = dyn_cast<WaitOp>(op))
    addNode(wait.getDevice());
  else if (op.getNumRegions() == 0 || isa<linalg::LinalgOp>(op))
    for (TypeRange types :
         {TypeRange(op.getOperandTypes()), TypeRange(op.getResultTypes())})
      for (Type type : types)
        if (auto memref = dyn_cast<MemRefType>(type))
          if (DeviceAttr device = getTypeDevice(memref))
            addNode(device);
  if (isKnown && !isa<CallOpInterface>(op))
    return;
  for (auto &[number, node] : nodes)
    add(node);
}

void NodesOfBlock::findOverlappingCopies(
    llvm::DenseSet<CopyEnd> &overlapping) const {
  for (const auto &[number, node] : nodes)
    for (DeviceAttr device : node.devices)
      ::findOverlappingCopies(node.work, device, overlapping);
}

llvm::DenseSet<CopyEnd> mlir::hetero::findOverlappingCopies(Block &block) {
  llvm::DenseSet<CopyEnd> overlapping;
  NodesOfBlock(block).findOverlappingCopies(overlapping);
  return overlapping;
}
