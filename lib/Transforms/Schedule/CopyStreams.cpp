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

/// True if `later` waits for `earlier`, directly or through what stands
/// between; `ifFar` if that is too much to tell.
static bool isOrdered(Operation *earlier, Operation *later, bool ifFar) {
  llvm::DenseSet<Value> read, written;
  unsigned count = 0;
  for (Operation *op = earlier;; op = op->getNextNode()) {
    if (isa<ViewLikeOpInterface, memref::AllocOp, OrderOp>(op))
      continue;
    if (++count > kMaxBetween)
      return ifFar;
    SmallVector<BufferUse> uses = getBufferUses(op);
    bool isAfter = llvm::any_of(uses, [&](BufferUse use) {
      Value root = getKey(use.first, op->getBlock());
      return written.contains(root) || (use.second && read.contains(root));
    });
    if (op == later)
      return isAfter;
    if (isAfter || op == earlier)
      for (auto [buffer, writes] : uses)
        (writes ? written : read).insert(getKey(buffer, op->getBlock()));
  }
}

namespace {
/// What stands before or after an operation on the device's other engines;
/// null where a barrier comes first.
struct Neighbours {
  Operation *nearest = nullptr, *other = nullptr;
};
} // namespace

template <typename Range>
static llvm::DenseMap<Operation *, Neighbours>
findNeighbours(Range &&operations, DeviceAttr device) {
  llvm::DenseMap<Operation *, Neighbours> neighbours;
  // By engine, the nearest first.
  SmallVector<std::pair<Engine, Operation *>, 3> newest;
  for (Operation &op : operations) {
    if (isBarrier(&op, device))
      newest.clear();
    Engine engine = getEngine(&op, device);
    if (engine == Engine::None)
      continue;
    llvm::erase_if(newest, [&](auto entry) { return entry.first == engine; });
    Neighbours &found = neighbours[&op];
    if (!newest.empty())
      found.nearest = newest[0].second;
    if (newest.size() > 1)
      found.other = newest[1].second;
    newest.insert(newest.begin(), {engine, &op});
  }
  return neighbours;
}

/// True if the copy cannot run together with what stands before and after it.
/// A neighbour that is far away is done by then, unless there is none closer.
static bool isInOrder(Operation *copy, Neighbours before, Neighbours after) {
  return (!before.nearest || isOrdered(before.nearest, copy, false)) &&
         (!before.other || isOrdered(before.other, copy, true)) &&
         (!after.nearest || isOrdered(copy, after.nearest, false)) &&
         (!after.other || isOrdered(copy, after.other, true));
}

/// The devices that the block copies from or to.
static SmallVector<DeviceAttr> collectCopyDevices(Block &block) {
  llvm::SetVector<Attribute> devices;
  for (auto copy : block.getOps<memref::CopyOp>())
    for (Value buffer : {copy.getSource(), copy.getTarget()})
      if (DeviceAttr device = getBufferDevice(buffer))
        devices.insert(device);
  return llvm::map_to_vector(
      devices, [](Attribute device) { return cast<DeviceAttr>(device); });
}

llvm::DenseSet<CopyEnd> mlir::hetero::findOverlappingCopies(Block &block) {
  llvm::DenseSet<CopyEnd> overlapping;
  for (DeviceAttr device : collectCopyDevices(block)) {
    auto before = findNeighbours(block, device);
    auto after = findNeighbours(llvm::reverse(block), device);
    for (auto copy : block.getOps<memref::CopyOp>()) {
      Engine engine = getEngine(copy, device);
      if (engine != Engine::CopyIn && engine != Engine::CopyOut)
        continue;
      if (!isInOrder(copy, before.lookup(copy), after.lookup(copy)))
        overlapping.insert(CopyEnd(copy, engine == Engine::CopyIn));
    }
  }
  return overlapping;
}
