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
#include "ModuleStreams.h"
#include "hetero/Dialect/Hetero/IR/DeviceKind.h"
#include "hetero/Dialect/Hetero/IR/HeteroStreamOps.h"
#include "hetero/Transforms/Schedule/Streams.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

using namespace mlir;
using namespace mlir::hetero;

namespace {
/// By stream, the last accesses to memory that may have several names.
struct AliasedAccesses {
  SmallVector<unsigned, 0> reads, writes;

  /// Leaves out what the host knows to be done.
  void settle(const StreamClocks &clocks);
};

/// Checks one function.
class OrderVerifier {
public:
  OrderVerifier(func::FuncOp function, const ModuleStreams &program)
      : function(function), program(program), clocks(program.count()),
        unknown(program.count()), lastSent(program.count()),
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

  std::optional<MemoryRange> locate(Value buffer);
  LogicalResult access(Operation *op, Value buffer, bool writes,
                       StreamEvent event);
  std::optional<MemoryAccess> findUnknown(const MemoryRange &range,
                                          DeviceAttr device, unsigned stream);
  std::optional<MemoryAccess> findAliased(const AliasedAccesses &accesses,
                                          unsigned stream, bool writes) const;
  void note(Operation *op, const MemoryRange &range, Value buffer, bool writes,
            StreamEvent event);
  bool isOwn(const MemoryRange &range, Operation *op, Value buffer) const;
  struct Escapes {
    bool hasAliases = false, isPassed = false;
  };
  Escapes findEscapes(Value alloc);
  void forget();
  void settle(size_t first);
  LogicalResult checkJoined(Operation *op);
  LogicalResult checkArrived(Operation *op);
  InFlightDiagnostic report(Operation *op);
  LogicalResult refuse(Operation *op, StringRef what, unsigned stream,
                       MemoryAccess earlier);

  func::FuncOp function;
  const ModuleStreams &program;
  StreamClocks clocks;
  MemoryHistory memory;
  /// By device: all memory that may have another name, and those names.
  llvm::DenseMap<Attribute, AliasedAccesses> outer, aliases;
  unsigned generation = 0;
  /// By stream: the work that is not known, and the last operation that the
  /// host has to wait for.
  Clock unknown, lastSent;
  /// Accesses that the host may have to wait for.
  SmallVector<std::pair<MemoryRange, StreamEvent>, 0> sent;
  /// Roots that are freed, and by whom.
  llvm::DenseMap<const void *, Operation *> freed;
  SmallVector<const void *> freedOrder;
  /// By allocation.
  llvm::DenseMap<Value, Escapes> escapes;
  bool isEntry;
  /// In a loop that has been visited once.
  bool isRepeated = false;
};
} // namespace

void AliasedAccesses::settle(const StreamClocks &clocks) {
  for (auto *list : {&reads, &writes})
    for (unsigned stream = 0; stream < list->size(); ++stream)
      if (clocks.isAfter(StreamClocks::kHost, {stream, (*list)[stream]}))
        (*list)[stream] = 0;
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

/// The view that a buffer is, or is part of, at an offset of an arena.
static memref::ViewOp findArenaView(Value buffer) {
  memref::ViewOp arena;
  while (auto view = buffer.getDefiningOp<ViewLikeOpInterface>()) {
    if (auto found = dyn_cast<memref::ViewOp>(view.getOperation()))
      arena = found;
    buffer = view.getViewSource();
  }
  return arena;
}

static void narrow(MemoryRange &range, memref::ViewOp view) {
  APInt shift;
  bool isKnown = matchPattern(view.getByteShift(), m_ConstantInt(&shift));
  std::optional<int64_t> bytes = getBufferBytes(view.getType());
  auto arena = cast<MemRefType>(view.getSource().getType());
  if (isKnown && bytes && arena.hasStaticShape()) {
    range.begin = shift.getSExtValue();
    range.end = range.begin + *bytes;
  } else if (!arena.hasStaticShape()) {
    // Places whose sizes are known at run time only are those of one offset.
    Type type = view.getByteShift().getType();
    range.slot = isKnown ? IntegerAttr::get(type, shift).getAsOpaquePointer()
                         : view.getByteShift().getAsOpaquePointer();
  }
}

/// Says of an allocation whether values may be aliases that do not lead back to
/// it, and whether callees have it.
OrderVerifier::Escapes OrderVerifier::findEscapes(Value alloc) {
  auto [known, isNew] = escapes.try_emplace(alloc);
  if (!isNew)
    return known->second;
  for (Operation *user : getBufferUsers(alloc)) {
    known->second.hasAliases |=
        user->hasTrait<OpTrait::IsTerminator>() ||
        isa<RegionBranchOpInterface>(user) ||
        llvm::any_of(user->getResultTypes(), llvm::IsaPred<BaseMemRefType>);
    known->second.isPassed |= isa<CallOpInterface>(user) && !isHostWork(user);
  }
  return known->second;
}

/// None for constants.
std::optional<MemoryRange> OrderVerifier::locate(Value buffer) {
  Value root = getRootBuffer(buffer);
  MemoryRange range;
  range.root = root.getAsOpaquePointer();
  if (root.getDefiningOp<memref::GetGlobalOp>()) {
    StringAttr state = getState(root, program.states);
    if (!state)
      return std::nullopt;
    range.root = state.getAsOpaquePointer();
    range.hasNoAlias = true;
    return range;
  }
  if (isa_and_present<memref::AllocOp, memref::AllocaOp>(
          root.getDefiningOp())) {
    Escapes found = findEscapes(root);
    range.hasNoAlias = !found.hasAliases;
    range.isLocal = !found.hasAliases && !found.isPassed;
    if (memref::ViewOp view = findArenaView(buffer))
      narrow(range, view);
    return range;
  }
  bool isArgument = isEntry && isa<BlockArgument>(root) &&
                    root.getParentBlock() == &function.getBody().front();
  range.isAlias = !isArgument;
  return range;
}

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
OrderVerifier::findAliased(const AliasedAccesses &accesses, unsigned stream,
                           bool writes) const {
  for (auto [list, isWrite] :
       {std::pair(&accesses.writes, true), std::pair(&accesses.reads, false)})
    for (unsigned other = 1; other < list->size(); ++other)
      if (StreamEvent event{other, (*list)[other]};
          (isWrite || writes) && event.number && !clocks.isAfter(stream, event))
        return MemoryAccess{event, isWrite};
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
    add(outer[device]);
  if (range.isAlias)
    add(aliases[device]);
  if (!getBufferDevice(buffer) || program.shared.isOfHost(buffer)) {
    sent.push_back({range, event});
    lastSent[event.stream] = event.number;
  }
}

/// Checks an access, which the host does itself if there is no event.
LogicalResult OrderVerifier::access(Operation *op, Value buffer, bool writes,
                                    StreamEvent event) {
  std::optional<MemoryRange> range = locate(buffer);
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
    earlier = findAliased(others[device], stream, writes);
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
LogicalResult OrderVerifier::checkArrived(Operation *op) {
  for (unsigned stream = 1; stream < program.count(); ++stream)
    if (StreamEvent last{stream, lastSent[stream]};
        last.number && !clocks.isAfter(StreamClocks::kHost, last))
      return refuse(op, "lets others use", StreamClocks::kHost, {last, true});
  return success();
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
  std::optional<MemoryRange> range = locate(op.getMemref());
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
    if (failed(checkArrived(op)))
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

/// Ends transfers that began since and that the host has waited for.
void OrderVerifier::settle(size_t first) {
  using Sent = std::pair<MemoryRange, StreamEvent>;
  auto isOver = [&](const Sent &access) {
    StreamEvent event = access.second;
    if (!clocks.isAfter(StreamClocks::kHost, event))
      return false;
    memory.visit(access.first,
                 [&](AccessHistory &history) { history.forget(event); });
    return true;
  };
  sent.erase(std::remove_if(sent.begin() + first, sent.end(), isOver),
             sent.end());
  for (auto *all : {&outer, &aliases})
    for (auto &entry : *all)
      entry.second.settle(clocks);
}

LogicalResult OrderVerifier::visitInside(Block &block, bool isBusy) {
  size_t firstSent = sent.size(), firstFreed = freedOrder.size();
  if (isBusy)
    forget();
  lastSent.assign(program.count(), 0);
  if (failed(visit(block)))
    return failure();
  settle(firstSent);
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
  Clock sentBefore = lastSent;
  auto branch = dyn_cast<RegionBranchOpInterface>(op);
  bool isLoop = isBusy && (!branch || branch.hasLoop());
  bool wasRepeated = isRepeated;
  for (int visits = isLoop && !isRepeated ? 2 : 1; visits > 0; --visits) {
    for (Region &region : op->getRegions())
      for (Block &block : region) {
        if (failed(visitInside(block, isBusy)))
          return failure();
        if (!isLoop)
          clocks.restore(known);
      }
    isRepeated = true;
  }
  isRepeated = wasRepeated;
  clocks.restore(std::move(known));
  lastSent = std::move(sentBefore);
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
    return checkArrived(op);
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
    size_t firstSent = sent.size();
    if (failed(visit(block)))
      return failure();
    settle(firstSent);
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
