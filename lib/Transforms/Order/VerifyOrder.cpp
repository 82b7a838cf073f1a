//===- VerifyOrder.cpp - Nobody is too early ------------------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One walk in program order, in which the host enqueues. Accesses of the host
// need no record, since all that comes later comes after them: it copies what
// it sends before it goes on. What a device sends to the host arrives at some
// time before the host has waited.
//
// After work that is not known a new generation begins: memory that was not
// written in it may have been touched on all streams of kernels.
//
//===----------------------------------------------------------------------===//

#include "VerifyOrder.h"

#include "MemoryHistory.h"
#include "MemoryRanges.h"
#include "ModuleStreams.h"
#include "hetero/Dialect/Hetero/IR/DeviceKind.h"
#include "hetero/Dialect/Hetero/IR/HeteroStreamOps.h"
#include "hetero/Transforms/Schedule/Streams.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/MapVector.h"

using namespace mlir;
using namespace mlir::hetero;

namespace {
/// By stream, the last accesses to memory that may have several names.
struct AliasedAccesses {
  SmallVector<unsigned, 0> reads, writes;

  /// Leaves out what the host knows to be done; true if nothing is left.
  bool settle(const StreamClocks &clocks);
};

/// Checks one function.
class OrderVerifier {
public:
  OrderVerifier(func::FuncOp function, const ModuleStreams &program)
      : function(function), program(program), clocks(program.count()),
        unknown(program.count()), lastSent(program.count()),
        lastShared(program.count()), locator(function, program),
        isEntry(program.isEntry(function)) {}

  LogicalResult run();

private:
  using Clock = SmallVector<unsigned, 0>;

  LogicalResult visit(Block &block);
  LogicalResult visit(Operation *op);
  LogicalResult visitKernel(Operation *op, unsigned stream);
  LogicalResult visitCopy(memref::CopyOp op);
  LogicalResult visitHost(Operation *op);
  LogicalResult visitFree(memref::DeallocOp op);
  LogicalResult visitCall(Operation *op);
  LogicalResult visitRegions(Operation *op);
  LogicalResult visitInside(Block &block, bool isBusy);
  LogicalResult visitEnd(Operation *op);
  void visitWait(WaitOp op);

  LogicalResult access(Operation *op, Value buffer, bool writes,
                       StreamEvent event);
  std::optional<MemoryAccess> findUnknown(const MemoryRange &range,
                                          DeviceAttr device, unsigned stream);
  /// Accesses by place.
  using AliasedPlaces = llvm::MapVector<const void *, AliasedAccesses>;
  std::optional<MemoryAccess> findAliased(const AliasedPlaces &others,
                                          const MemoryRange &range,
                                          unsigned stream, bool writes);
  void note(Operation *op, const MemoryRange &range, Value buffer, bool writes,
            StreamEvent event);
  bool isOwn(const MemoryRange &range, Operation *op, Value buffer) const;
  void forget();
  void settle(size_t first);
  LogicalResult checkJoined(Operation *op);
  LogicalResult checkArrived(Operation *op, ArrayRef<unsigned> last);
  bool passesShared(Operation *op) const;
  InFlightDiagnostic report(Operation *op);
  LogicalResult refuse(Operation *op, StringRef what, unsigned stream,
                       MemoryAccess earlier);

  func::FuncOp function;
  const ModuleStreams &program;
  StreamClocks clocks;
  MemoryHistory memory;
  /// By device: all memory that may have another name, and those names.
  llvm::DenseMap<Attribute, AliasedPlaces> outer, aliases;
  unsigned generation = 0;
  /// By stream: the work that is not known, and the last operations that send
  /// to the host and that use memory which it shares.
  Clock unknown, lastSent, lastShared;
  /// Accesses inside the blocks that are being visited.
  SmallVector<std::pair<MemoryRange, StreamEvent>, 0> begun;
  /// Roots that are freed, and by whom.
  llvm::DenseMap<const void *, Operation *> freed;
  SmallVector<const void *> freedOrder;
  MemoryLocator locator;
  bool isEntry;
  /// In a loop that has been visited once.
  bool isRepeated = false;
};
} // namespace

bool AliasedAccesses::settle(const StreamClocks &clocks) {
  bool isOver = true;
  for (auto *list : {&reads, &writes})
    for (unsigned stream = 0; stream < list->size(); ++stream) {
      if (clocks.isAfter(StreamClocks::kHost, {stream, (*list)[stream]}))
        (*list)[stream] = 0;
      isOver &= (*list)[stream] == 0;
    }
  return isOver;
}

/// An access that is not known to be done before the stream's next one.
static std::optional<MemoryAccess> findConflict(const AliasedAccesses &accesses,
                                                const StreamClocks &clocks,
                                                unsigned stream, bool writes) {
  for (auto [list, isWrite] :
       {std::pair(&accesses.writes, true), std::pair(&accesses.reads, false)})
    for (unsigned other = 1; other < list->size(); ++other)
      if (StreamEvent event{other, (*list)[other]};
          (isWrite || writes) && event.number && !clocks.isAfter(stream, event))
        return MemoryAccess{event, isWrite};
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

/// Work that is not known and may still use the memory.
std::optional<MemoryAccess> OrderVerifier::findUnknown(const MemoryRange &range,
                                                       DeviceAttr device,
                                                       unsigned stream) {
  bool mayBeOld = range.isAlias;
  if (range.isLocal)
    return std::nullopt;
  memory.visit(range, [&](AccessHistory &history) {
    mayBeOld |= history.generation < generation;
  });
  if (mayBeOld && device)
    for (unsigned other : program.getKernelStreams(device.getBare()))
      if (StreamEvent event{other, unknown[other]};
          event.number && !clocks.isAfter(stream, event))
        return MemoryAccess{event, true};
  return std::nullopt;
}

std::optional<MemoryAccess>
OrderVerifier::findAliased(const AliasedPlaces &others,
                           const MemoryRange &range, unsigned stream,
                           bool writes) {
  for (const auto &[place, accesses] : others)
    if (auto earlier = findConflict(accesses, clocks, stream, writes))
      if (locator.mayBeSame(place, range.place))
        return earlier;
  return std::nullopt;
}

/// True if no alias is the memory: it is new, and for the host that of the
/// operation's block, which the block's arguments are not.
bool OrderVerifier::isOwn(const MemoryRange &range, Operation *op,
                          Value buffer) const {
  if (range.hasNoAlias || range.isAlias)
    return range.hasNoAlias;
  Operation *alloc = getRootBuffer(buffer).getDefiningOp();
  return memory.getGeneration(range.root) == generation ||
         (!getBufferDevice(buffer) && alloc &&
          alloc->getBlock() == op->getBlock());
}

void OrderVerifier::note(Operation *op, const MemoryRange &range, Value buffer,
                         bool writes, StreamEvent event) {
  memory.note(range, event, writes, generation);
  auto add = [&](AliasedAccesses &accesses) {
    auto &list = writes ? accesses.writes : accesses.reads;
    list.resize(program.count());
    list[event.stream] = event.number;
  };
  Attribute device = getTypeDevice(buffer.getType());
  if (!isOwn(range, op, buffer))
    add(outer[device][range.place]);
  if (range.isAlias)
    add(aliases[device][range.place]);
  begun.push_back({range, event});
  if (!getBufferDevice(buffer))
    lastSent[event.stream] = event.number;
  else if (program.shared.isOfHost(buffer))
    lastShared[event.stream] = event.number;
}

/// Checks an access, which the host does itself if there is no event.
LogicalResult OrderVerifier::access(Operation *op, Value buffer, bool writes,
                                    StreamEvent event) {
  std::optional<MemoryRange> range = locator.locate(buffer);
  if (!range)
    return success();
  if (Operation *free = freed.lookup(range->root))
    return (report(op) << "uses memory that is freed before; free it after "
                          "its last use")
               .attachNote(free->getLoc())
           << "'" << free->getName() << "' frees it here";
  unsigned stream = event.stream;
  std::optional<MemoryAccess> earlier;
  memory.visit(*range, [&](AccessHistory &history) {
    if (!earlier)
      earlier = history.findConflict(clocks, stream, writes);
  });
  bool isHost = stream == StreamClocks::kHost;
  if (!earlier && !isHost)
    earlier = findUnknown(*range, getBufferDevice(buffer), stream);
  if (!earlier && !isOwn(*range, op, buffer)) {
    Attribute device = getTypeDevice(buffer.getType());
    auto &others = range->isAlias ? outer : aliases;
    earlier = findAliased(others[device], *range, stream, writes);
  }
  if (earlier)
    return refuse(op, writes ? "writes" : "reads", stream, *earlier);
  if (!isHost)
    note(op, *range, buffer, writes, event);
  return success();
}

//===----------------------------------------------------------------------===//
// Errors
//===----------------------------------------------------------------------===//

InFlightDiagnostic OrderVerifier::report(Operation *op) {
  Phase phase = getPhase(function->getParentOfType<ModuleOp>());
  return op->emitOpError("breaks the contract of phase '")
         << stringifyPhase(phase) << "': ";
}

LogicalResult OrderVerifier::refuse(Operation *op, StringRef what,
                                    unsigned stream, MemoryAccess earlier) {
  DeviceAttr other = program.get(earlier.event.stream);
  Operation *cause = clocks.getOperation(earlier.event);
  InFlightDiagnostic error = report(op) << "expected ";
  if (cause)
    error << "'" << cause->getName() << "'";
  else
    error << "work from before";
  error << " on " << other << " to be done before it " << what
        << " the same memory; insert ";
  if (stream == StreamClocks::kHost)
    error << WaitOp::getOperationName() << " on " << other;
  else
    error << OrderOp::getOperationName() << " " << program.get(stream)
          << " after " << other;
  if (cause)
    error.attachNote(cause->getLoc())
        << "'" << cause->getName() << "' "
        << (earlier.writes ? "writes" : "reads") << " it here";
  return error;
}

/// C3: who does not know the streams for copies needs not wait for them.
LogicalResult OrderVerifier::checkJoined(Operation *op) {
  for (unsigned copies = 1; copies < program.count(); ++copies) {
    StreamEvent last{copies, clocks.countIssued(copies)};
    unsigned own = program.getOwn(copies);
    if (program.isForCopies(copies) && last.number &&
        !clocks.isAfter(own, last))
      return refuse(op, "lets others use", own, {last, true});
  }
  return success();
}

/// C3: who does not know what is sent to the host needs not wait for it.
LogicalResult OrderVerifier::checkArrived(Operation *op,
                                          ArrayRef<unsigned> last) {
  for (unsigned stream = 1; stream < program.count(); ++stream)
    if (StreamEvent event{stream, last[stream]};
        event.number && !clocks.isAfter(StreamClocks::kHost, event))
      return refuse(op, "lets others use", StreamClocks::kHost, {event, true});
  return success();
}

/// True if control flow allocates memory that the host shares, or gives it
/// other names.
bool OrderVerifier::passesShared(Operation *op) const {
  auto isShared = [&](Value value) { return program.shared.isOfHost(value); };
  auto names = [&](Operation *inner) {
    bool isNew = isa<memref::AllocOp, memref::AllocaOp>(inner);
    bool passes = isNew || inner->hasTrait<OpTrait::IsTerminator>() ||
                  isa<RegionBranchOpInterface>(inner);
    return passes && (llvm::any_of(inner->getOperands(), isShared) ||
                      llvm::any_of(inner->getResults(), isShared));
  };
  return op
      ->walk([&](Operation *inner) {
        return names(inner) ? WalkResult::interrupt() : WalkResult::advance();
      })
      .wasInterrupted();
}

//===----------------------------------------------------------------------===//
// Operations
//===----------------------------------------------------------------------===//

LogicalResult OrderVerifier::visitKernel(Operation *op, unsigned stream) {
  StreamEvent event = clocks.issue(stream, op);
  for (auto [buffer, writes] : getBufferUses(op))
    if (!isInside(buffer, op) &&
        failed(access(op, buffer, writes,
                      getBufferDevice(buffer) ? event : StreamEvent())))
      return failure();
  return success();
}

/// A copy between devices begins and ends on the streams of both at once.
LogicalResult OrderVerifier::visitCopy(memref::CopyOp op) {
  auto [source, target] = program.getStreams(op);
  if (source == 0 && target == 0)
    return visitHost(op);
  StreamEvent read, write;
  if (source != 0 && target != 0 && source != target) {
    clocks.orderBoth(source, target);
    read = clocks.issue(source, op);
    write = clocks.issue(target, op);
    clocks.orderBoth(source, target);
  } else {
    write = clocks.issue(target ? target : source, op);
    read = source ? write : StreamEvent();
  }
  return failure(failed(access(op, op.getSource(), /*writes=*/false, read)) ||
                 failed(access(op, op.getTarget(), /*writes=*/true, write)));
}

static bool onlyReads(Operation *op, Value buffer) {
  auto known = dyn_cast<MemoryEffectOpInterface>(op);
  SmallVector<MemoryEffects::EffectInstance> effects;
  if (known && op->getNumRegions() == 0)
    known.getEffectsOnValue(buffer, effects);
  return !effects.empty() && llvm::all_of(effects, [](auto &effect) {
    return isa<MemoryEffects::Read>(effect.getEffect());
  });
}

LogicalResult OrderVerifier::visitHost(Operation *op) {
  if (isMemoryEffectFree(op))
    return success();
  for (auto [buffer, writes] : getBufferUses(op))
    if (!getBufferDevice(buffer) && !isInside(buffer, op) &&
        isa<MemRefType>(buffer.getType()) &&
        failed(access(op, buffer, writes && !onlyReads(op, buffer),
                      StreamEvent())))
      return failure();
  return success();
}

/// C2.
LogicalResult OrderVerifier::visitFree(memref::DeallocOp op) {
  std::optional<MemoryRange> range = locator.locate(op.getMemref());
  if (!range)
    return success();
  Operation *alloc = getRootBuffer(op.getMemref()).getDefiningOp();
  std::optional<MemoryAccess> earlier;
  if (!getBufferDevice(op.getMemref()) || (alloc && getSharer(alloc)))
    memory.visitAll(range->root, [&](AccessHistory &history) {
      if (!earlier)
        earlier = history.findConflict(clocks, StreamClocks::kHost,
                                       /*writes=*/true);
    });
  if (earlier)
    return refuse(op, "frees", StreamClocks::kHost, *earlier);
  freed[range->root] = op;
  freedOrder.push_back(range->root);
  return success();
}

/// After it, all that the device has got is done, or its unit.
void OrderVerifier::visitWait(WaitOp op) {
  for (unsigned stream = 1; stream < program.count(); ++stream)
    if (isAwaited(program.get(stream), op.getDevice()))
      clocks.order(StreamClocks::kHost, stream);
}

/// From here on all streams of kernels may have touched all that is not new,
/// each after all that it has got, and the device's own after copies.
void OrderVerifier::forget() {
  ++generation;
  for (unsigned stream = 1; stream < program.count(); ++stream)
    if (program.isForCopies(stream))
      clocks.order(program.getOwn(stream), stream);
  for (unsigned stream = 1; stream < program.count(); ++stream)
    if (!program.isForCopies(stream))
      unknown[stream] = clocks.issue(stream, nullptr).number;
}

LogicalResult OrderVerifier::visitCall(Operation *op) {
  if (program.usesState(op) || program.isBusy(op))
    if (failed(checkArrived(op, lastSent)) ||
        failed(checkArrived(op, lastShared)))
      return failure();
  if (failed(visitHost(op)))
    return failure();
  if (!program.isBusy(op))
    return success();
  if (failed(checkJoined(op)))
    return failure();
  forget();
  return success();
}

/// Ends accesses that began since and that the host has waited for.
void OrderVerifier::settle(size_t first) {
  auto isOver = [&](const std::pair<MemoryRange, StreamEvent> &access) {
    StreamEvent event = access.second;
    if (!clocks.isAfter(StreamClocks::kHost, event))
      return false;
    memory.visit(access.first,
                 [&](AccessHistory &history) { history.forget(event); });
    return true;
  };
  begun.erase(std::remove_if(begun.begin() + first, begun.end(), isOver),
              begun.end());
  for (auto *all : {&outer, &aliases})
    for (auto &[device, places] : *all)
      places.remove_if(
          [&](auto &place) { return place.second.settle(clocks); });
}

LogicalResult OrderVerifier::visitInside(Block &block, bool isBusy) {
  size_t first = begun.size(), firstFreed = freedOrder.size();
  if (isBusy)
    forget();
  lastSent.assign(program.count(), 0);
  lastShared.assign(program.count(), 0);
  if (failed(visit(block)))
    return failure();
  settle(first);
  for (const void *root : ArrayRef(freedOrder).drop_front(firstFreed))
    freed.erase(root);
  freedOrder.resize(firstFreed);
  return success();
}

/// Branches begin with what is known before the operation, and after it nothing
/// more is known. The second visit of a loop comes after the first one; in it,
/// inner loops have been visited twice already.
LogicalResult OrderVerifier::visitRegions(Operation *op) {
  bool isBusy = program.isBusy(op);
  if (isBusy && failed(checkJoined(op)))
    return failure();
  auto known = clocks.save();
  Clock sentBefore = lastSent, inFlight = lastShared;
  auto branch = dyn_cast<RegionBranchOpInterface>(op);
  bool isLoop = isBusy && (!branch || branch.hasLoop());
  bool wasRepeated = isRepeated;
  for (int visits = isLoop && !isRepeated ? 2 : 1; visits > 0; --visits) {
    for (Region &region : op->getRegions())
      for (Block &block : region) {
        if (failed(visitInside(block, isBusy)))
          return failure();
        for (unsigned stream = 1; stream < program.count(); ++stream)
          if (StreamEvent last{stream, lastShared[stream]};
              !clocks.isAfter(StreamClocks::kHost, last))
            inFlight[stream] = std::max(inFlight[stream], last.number);
        if (!isLoop)
          clocks.restore(known);
      }
    isRepeated = true;
  }
  isRepeated = wasRepeated;
  clocks.restore(std::move(known));
  lastSent = std::move(sentBefore);
  lastShared = std::move(inFlight);
  if (isBusy)
    forget();
  return success();
}

/// An entry point returns when its devices are idle, but what it returns is
/// there before.
LogicalResult OrderVerifier::visitEnd(Operation *op) {
  Operation *parent = op->getParentOp();
  if (parent != function || !op->hasTrait<OpTrait::ReturnLike>() || !isEntry) {
    if (program.isBusy(parent) && failed(checkJoined(op)))
      return failure();
    if (failed(checkArrived(op, lastSent)))
      return failure();
    bool mayShare =
        llvm::any_of(lastShared, [](unsigned number) { return number != 0; }) &&
        (parent == function || passesShared(parent));
    return mayShare ? checkArrived(op, lastShared) : success();
  }
  for (Value value : op->getOperands())
    if (isa<MemRefType>(value.getType()) && !getBufferDevice(value) &&
        failed(access(op, value, /*writes=*/false, StreamEvent())))
      return failure();
  return success();
}

/// True if a buffer of a device gets another name, and the schedule has taken
/// it for work that is not known.
static bool renames(Operation *op) {
  return mayTouchDevices(op) && op->getNumRegions() == 0 &&
         !isa<memref::GetGlobalOp, memref::ExtractStridedMetadataOp>(op);
}

LogicalResult OrderVerifier::visit(Operation *op) {
  if (DeviceAttr stream = getKernelStream(op))
    return visitKernel(op, program.getNumber(stream));
  if (auto copy = dyn_cast<memref::CopyOp>(op))
    return visitCopy(copy);
  if (isa<memref::AllocOp, memref::AllocaOp>(op)) {
    const void *root = op->getResult(0).getAsOpaquePointer();
    memory.allocate(root, generation);
    freed.erase(root);
    return success();
  }
  if (auto free = dyn_cast<memref::DeallocOp>(op))
    return visitFree(free);
  if (auto wait = dyn_cast<WaitOp>(op))
    return visitWait(wait), success();
  if (auto order = dyn_cast<OrderOp>(op)) {
    clocks.order(program.getNumber(order.getDevice()),
                 program.getNumber(order.getAfter()));
    return success();
  }
  if (op->hasTrait<OpTrait::IsTerminator>())
    return visitEnd(op);
  if (isa<CallOpInterface>(op) && !isHostWork(op))
    return visitCall(op);
  if (op->getNumRegions() != 0 && !isHostWork(op) && !isa<linalg::LinalgOp>(op))
    return visitRegions(op);
  if (renames(op))
    forget();
  return visitHost(op);
}

LogicalResult OrderVerifier::visit(Block &block) {
  for (Operation &op : block)
    if (failed(visit(&op)))
      return failure();
  return success();
}

LogicalResult OrderVerifier::run() {
  for (Block &block : function.getBody()) {
    if (!isEntry || !block.isEntryBlock())
      forget();
    lastSent.assign(program.count(), 0);
    lastShared.assign(program.count(), 0);
    size_t first = begun.size();
    if (failed(visit(block)))
      return failure();
    settle(first);
  }
  return success();
}

LogicalResult mlir::hetero::verifyOrder(ModuleOp module) {
  ModuleStreams program(module);
  for (auto function : module.getOps<func::FuncOp>())
    if (!function.isExternal() && !function->hasAttr(kKernelAttrName) &&
        failed(OrderVerifier(function, program).run()))
      return failure();
  return success();
}
