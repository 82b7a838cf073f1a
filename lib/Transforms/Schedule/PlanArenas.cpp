//===- PlanArenas.cpp - Buffers at fixed offsets of arenas ----------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   %a = memref.alloc() : memref<4xf32, #gpu>       // 0 to 2
//   %b = memref.alloc() : memref<8xf32, #gpu>       // 1 to 4
//   memref.dealloc %a                               // 2
//   %c = memref.alloc() : memref<2xf32, #gpu>       // 3 to 5
//
// becomes, with %a and %c at one place,
//
//   %arena = memref.alloc() : memref<512xi8, #gpu>
//   %a = memref.view %arena[%c0][] : ... to memref<4xf32, #gpu>
//   %b = memref.view %arena[%c256][] : ... to memref<8xf32, #gpu>
//   %c = memref.view %arena[%c0][] : ... to memref<2xf32, #gpu>
//
// A buffer is freed in the block that allocates it, so that the order of the
// operations in the text, what is inside of control flow included, tells which
// buffers live at once. A device does its work in that order where all of it is
// on one stream. With several, a buffer has an end for each: from there on the
// stream runs after all of its uses, and may write another buffer there.
//
//   memref.copy %b, %h                              // copy out
//   memref.dealloc %b
//   hetero.order <gpu> after <gpu, "copy out">      // the end of %b for <gpu>
//
// No order is added for that. Sizes that are known at run time only are those
// of the arena and its places, too (ArenaSizes.cpp).
//
//===----------------------------------------------------------------------===//

#include "PlanArenas.h"
#include "ArenaSizes.h"
#include "Transforms/Buffers/Buffers.h"
#include "Transforms/Buffers/SharedBuffers.h"
#include "hetero/Analysis/Placement/PlacementQueries.h"

#include "hetero/Analysis/Machine/Topology.h"
#include "hetero/Dialect/Hetero/IR/DeviceKind.h"
#include "hetero/Dialect/Hetero/IR/HeteroStreamOps.h"
#include "hetero/Dialect/Hetero/IR/PlacementModels.h"
#include "hetero/Dialect/Hetero/IR/TensorSizes.h"
#include "hetero/Support/Solvers/ArenaLayout.h"
#include "hetero/Transforms/Schedule/Streams.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/ViewLikeInterface.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace mlir::hetero;

//===----------------------------------------------------------------------===//
// Buffers
//===----------------------------------------------------------------------===//

namespace {
/// Where a buffer is used.
struct BufferUses {
  /// By stream the last step; null for a stream that is not known.
  llvm::MapVector<Attribute, int64_t> last;
  /// The first operation that uses it, and when.
  Operation *first = nullptr;
  int64_t firstStep = INT64_MAX;
};

/// A buffer and when it lives. Where its size is known at run time only, the
/// one that the compiler assumes counts.
struct Buffer {
  memref::AllocOp alloc;
  memref::DeallocOp dealloc;
  BufferLifetime life;
  /// Of a device with several streams.
  BufferUses uses;

  MemRefType getType() const {
    return cast<MemRefType>(alloc->getResult(0).getType());
  }
  bool isStatic() const { return getType().hasStaticShape(); }
};

/// The buffers of one function that may share memory, and their arena.
struct Arena {
  DeviceAttr device;
  /// With which a buffer of the device is shared, or null.
  DeviceAttr sharer;
  SmallVector<Buffer> buffers;
  /// That write a buffer first; null where the device has but one.
  llvm::SetVector<Attribute> streams;
  ArenaLayout layout;
  LivePeak peak;
  /// Bytes that it has whatever the sizes are that are not known.
  int64_t leastBytes = 0;

  bool isStatic() const {
    return llvm::all_of(buffers,
                        [](const Buffer &buffer) { return buffer.isStatic(); });
  }
};
} // namespace

/// The one operation that frees the buffer, if that is in its block.
static memref::DeallocOp getDealloc(memref::AllocOp alloc) {
  memref::DeallocOp dealloc;
  for (Operation *user : alloc.getResult().getUsers()) {
    auto found = dyn_cast<memref::DeallocOp>(user);
    if (found && (dealloc || found->getBlock() != alloc->getBlock()))
      return {};
    if (found)
      dealloc = found;
  }
  return dealloc;
}

/// The stream, or streams, on which the operation touches the buffer; null in
/// the list for one that is not known.
static void collectStreams(Operation *op, DeviceAttr device,
                           llvm::SetVector<Attribute> &streams) {
  if (isa<memref::DeallocOp>(op))
    return;
  if (auto copy = dyn_cast<memref::CopyOp>(op)) {
    auto add = [&](Value buffer, StringRef name) {
      auto stream = op->getAttrOfType<DeviceAttr>(name);
      DeviceAttr own = getBufferDevice(buffer);
      if (own && own.isSameDevice(device))
        streams.insert(stream ? stream : own.getBare());
    };
    add(copy.getSource(), kFromAttrName);
    add(copy.getTarget(), kToAttrName);
    return;
  }
  DeviceAttr stream = getKernelStream(op);
  bool isKnown = stream && stream.isSameDevice(device);
  streams.insert(isKnown ? Attribute(stream) : Attribute());
}

namespace {
/// Which streams a block orders after others, and from which step on.
class StreamOrder {
public:
  StreamOrder(Block &block, const llvm::DenseMap<Operation *, int64_t> &steps);

  /// The first step from which on the stream runs after what the other got up
  /// to `step`.
  int64_t findOrdered(Attribute stream, Attribute other, int64_t step) const;

private:
  void note(Attribute stream, Attribute other, int64_t step, int64_t until);
  void noteOrder(Attribute stream, Attribute after, int64_t step);

  llvm::SetVector<Attribute> streams;
  using Pair = std::pair<Attribute, Attribute>;
  /// Steps, and up to which step of the other stream it is ordered since.
  llvm::DenseMap<Pair, SmallVector<std::pair<int64_t, int64_t>>> history;
};
} // namespace

void StreamOrder::note(Attribute stream, Attribute other, int64_t step,
                       int64_t until) {
  auto &known = history[{stream, other}];
  if (stream != other && (known.empty() || known.back().second < until))
    known.push_back({step, until});
}

void StreamOrder::noteOrder(Attribute stream, Attribute after, int64_t step) {
  note(stream, after, step, step);
  // Through the other stream it is also after what that one is after.
  for (Attribute third : streams)
    if (auto &known = history[{after, third}]; !known.empty()) {
      int64_t until = known.back().second;
      note(stream, third, step, until);
    }
}

StreamOrder::StreamOrder(Block &block,
                         const llvm::DenseMap<Operation *, int64_t> &steps) {
  for (Operation &op : block)
    if (auto order = dyn_cast<OrderOp>(op)) {
      streams.insert(order.getDevice());
      streams.insert(order.getAfter());
    }
  for (Operation &op : block) {
    int64_t step = steps.lookup(&op);
    if (auto order = dyn_cast<OrderOp>(op))
      noteOrder(order.getDevice(), order.getAfter(), step);
    auto wait = dyn_cast<WaitOp>(op);
    for (Attribute stream : streams)
      for (Attribute other : streams)
        if (wait && isAwaited(cast<DeviceAttr>(other), wait.getDevice()))
          noteOrder(stream, other, step);
  }
}

int64_t StreamOrder::findOrdered(Attribute stream, Attribute other,
                                 int64_t step) const {
  if (stream == other)
    return 0;
  auto found = history.find({stream, other});
  if (found == history.end())
    return INT64_MAX;
  auto it = llvm::partition_point(
      found->second, [&](auto entry) { return entry.second <= step; });
  return it == found->second.end() ? INT64_MAX : it->first;
}

static BufferUses findUses(memref::AllocOp alloc, DeviceAttr device,
                           const llvm::DenseMap<Operation *, int64_t> &steps) {
  BufferUses uses;
  for (Operation *user : getBufferUsers(alloc.getResult())) {
    llvm::SetVector<Attribute> streams;
    collectStreams(user, device, streams);
    int64_t step = steps.lookup(user);
    for (Attribute stream : streams)
      uses.last[stream] = std::max(uses.last[stream], step);
    if (!streams.empty() && step < uses.firstStep) {
      uses.first = user;
      uses.firstStep = step;
    }
  }
  return uses;
}

/// The stream that writes the buffer before any other touches it, if that is in
/// the block of the allocation; else null.
static Attribute getFirstStream(memref::AllocOp alloc, DeviceAttr device,
                                const BufferUses &uses) {
  if (!uses.first || uses.last.contains(Attribute()))
    return {};
  if (uses.last.size() == 1)
    return uses.last.front().first;
  llvm::SetVector<Attribute> streams;
  collectStreams(uses.first, device, streams);
  bool isWrite = llvm::any_of(getBufferUses(uses.first), [&](BufferUse use) {
    return use.second && getRootBuffer(use.first) == alloc.getResult();
  });
  // What a loop does again is not ordered after the last time.
  bool isOnce = alloc->getBlock()->isEntryBlock() &&
                isa<FunctionOpInterface>(alloc->getParentOp()) &&
                uses.first->getBlock() == alloc->getBlock();
  return streams.size() == 1 && isWrite && isOnce ? streams.front()
                                                  : Attribute();
}

/// Numbers what a function does, in the order of the text.
static llvm::DenseMap<Operation *, int64_t>
numberSteps(FunctionOpInterface function) {
  llvm::DenseMap<Operation *, int64_t> steps;
  function->walk<WalkOrder::PreOrder>([&](Operation *op) {
    int64_t step = steps.size() + 1;
    steps[op] = step;
  });
  return steps;
}

/// For each stream that writes buffers of the arena first: from when on it runs
/// after all that touches a buffer.
static void findEnds(Arena &arena, const StreamOrder &order, int64_t never) {
  for (Buffer &buffer : arena.buffers)
    for (Attribute stream : arena.streams) {
      int64_t end = buffer.life.end;
      for (auto [other, last] : buffer.uses.last)
        end = std::max(end, order.findOrdered(stream, other, last));
      buffer.life.ends.push_back(std::min(end, never));
    }
}

/// The bytes of a buffer, assumed where they are not known; none if that is not
/// for an arena.
static std::optional<int64_t> getPlannedBytes(memref::AllocOp alloc,
                                              TensorSizes &sizes) {
  if (std::optional<int64_t> bytes = getBufferBytes(alloc.getType()))
    return bytes;
  if (alloc.getType().hasStaticShape() || !isSizedAtEntry(alloc))
    return std::nullopt;
  return std::max<int64_t>(sizes.getBytes(alloc), 1);
}

/// The buffers of a function by device.
static SmallVector<Arena, 0> collectArenas(FunctionOpInterface function,
                                           TensorSizes &sizes, bool hasUnits) {
  llvm::MapVector<std::pair<Attribute, Attribute>, Arena> arenas;
  llvm::DenseMap<Operation *, int64_t> steps = numberSteps(function);
  function->walk<WalkOrder::PreOrder>([&](memref::AllocOp alloc) {
    memref::DeallocOp dealloc = getDealloc(alloc);
    DeviceAttr device = getTypeDevice(alloc.getType());
    if (!dealloc || isInParallelRegion(alloc) ||
        int64_t(alloc.getAlignment().value_or(1)) > getAlignment(device))
      return;
    std::optional<int64_t> bytes = getPlannedBytes(alloc, sizes);
    if (!bytes)
      return;
    BufferLifetime life = {steps[alloc], steps[dealloc], *bytes};
    BufferUses uses;
    Attribute stream;
    // What is shared is freed when the host has waited.
    DeviceAttr sharer = getSharer(alloc);
    if (isStreamed(alloc)) {
      // Loops come back to it.
      life.begin = 0;
      life.end = steps.size() + 1;
    } else if (hasUnits && !isHostAccessible(device) && !sharer) {
      uses = findUses(alloc, device, steps);
      stream = getFirstStream(alloc, device, uses);
      if (!stream)
        return;
      // Orders may stand between the allocation and what needs them.
      if (uses.first->getBlock() == alloc->getBlock())
        life.begin = uses.firstStep;
    }
    Arena &arena = arenas[{device, sharer}];
    arena.device = device;
    arena.sharer = sharer;
    arena.streams.insert(stream);
    life.stream = llvm::find(arena.streams, stream) - arena.streams.begin();
    arena.buffers.push_back({alloc, dealloc, life, std::move(uses)});
  });
  StreamOrder order(function.getFunctionBody().front(), steps);
  SmallVector<Arena, 0> result;
  for (auto &[device, arena] : arenas) {
    findEnds(arena, order, /*never=*/steps.size() + 1);
    result.push_back(std::move(arena));
  }
  return result;
}

//===----------------------------------------------------------------------===//
// Capacity
//===----------------------------------------------------------------------===//

/// Names the largest buffers that live when the arena is full.
static void noteLargest(InFlightDiagnostic &error, const Arena &arena) {
  constexpr size_t kMost = 3;
  SmallVector<const Buffer *> live;
  for (const Buffer &buffer : arena.buffers)
    if (buffer.life.begin <= arena.peak.step &&
        arena.peak.step < buffer.life.end)
      live.push_back(&buffer);
  llvm::stable_sort(live, [](const Buffer *a, const Buffer *b) {
    return a->life.bytes > b->life.bytes;
  });
  for (const Buffer *buffer : ArrayRef(live).take_front(kMost)) {
    memref::AllocOp alloc = buffer->alloc;
    error.attachNote(alloc.getLoc())
        << buffer->life.bytes << " bytes for this value live at the peak";
  }
}

/// What a device holds of which no topology says how much: sums of bytes that
/// saturate exceed it.
static constexpr int64_t kMostBytes = std::numeric_limits<int64_t>::max() - 1;

namespace {
/// A device that has less memory than a function needs.
struct Excess {
  DeviceAttr device;
  /// Of values, and what there is.
  int64_t bytes, capacity;
  ResidentBytes resident;
};
} // namespace

/// The first device on which values of so many bytes, and what stays there, do
/// not fit.
static std::optional<Excess>
findExcess(llvm::MapVector<Attribute, int64_t> needed, const Topology &topology,
           const ResidentByDevice &resident) {
  // What stays may be too much by itself.
  for (const auto &entry : resident)
    needed.try_emplace(entry.first, 0);
  for (auto [attr, bytes] : needed) {
    auto device = cast<DeviceAttr>(attr);
    std::optional<DeviceIndex> index = topology.lookup(device);
    if (isHostAccessible(device) || !index)
      continue;
    int64_t capacity = topology.getCapacity(*index).value_or(kMostBytes);
    ResidentBytes kept = resident.lookup(device);
    if (addTimes(bytes, kept.getSum()) > capacity)
      return Excess{device, bytes, capacity, kept};
  }
  return std::nullopt;
}

static std::optional<Excess> findExcess(ArrayRef<Arena> arenas,
                                        const Topology &topology,
                                        const ResidentByDevice &resident) {
  llvm::MapVector<Attribute, int64_t> needed;
  for (const Arena &arena : arenas)
    if (!arena.sharer) // Else it is memory of the host.
      needed[arena.device] = addTimes(needed[arena.device], arena.leastBytes);
  return findExcess(needed, topology, resident);
}

static LogicalResult refuse(FunctionOpInterface function,
                            ArrayRef<Arena> arenas, const Excess &excess) {
  InFlightDiagnostic error = function->emitError()
                             << "'" << function.getName() << "' needs "
                             << addTimes(excess.bytes, excess.resident.getSum())
                             << " bytes on " << excess.device.str() << " ("
                             << excess.bytes << " of values, "
                             << excess.resident.constants << " of constants, "
                             << excess.resident.states << " of state), ";
  if (excess.capacity == kMostBytes)
    error << "more than can be addressed; use smaller tensors";
  else
    error << "which has " << excess.capacity
          << "; place fewer operations there, use smaller tensors, or correct "
             "the topology";
  for (const Arena &arena : arenas)
    if (arena.device == excess.device)
      noteLargest(error, arena);
  return error;
}

//===----------------------------------------------------------------------===//
// Rewriting
//===----------------------------------------------------------------------===//

static void freeAtEnd(FunctionOpInterface function, Value arena) {
  for (Block &block : function.getFunctionBody()) {
    Operation *end = block.getTerminator();
    if (!end->hasTrait<OpTrait::ReturnLike>())
      continue;
    OpBuilder builder(end);
    memref::DeallocOp::create(builder, arena.getLoc(), arena);
  }
}

/// Where the buffers of the arena are, if its size is known at run time only.
static ArenaOffsets computeOffsets(OpBuilder &builder, Location loc,
                                   const Arena &arena) {
  int64_t alignment = getAlignment(arena.device);
  SmallVector<ArenaPlace> places;
  for (auto [buffer, offset] : llvm::zip(arena.buffers, arena.layout.offsets))
    places.push_back(
        {buffer.alloc, buffer.life, offset,
         offset + int64_t(llvm::alignTo(buffer.life.bytes, alignment))});
  return computeArena(builder, loc, places, alignment);
}

/// The memory of the arena.
static Value allocate(OpBuilder &builder, Location loc, const Arena &arena,
                      Value bytes) {
  Attribute space = arena.buffers.front().getType().getMemorySpace();
  int64_t size = bytes ? ShapedType::kDynamic : arena.layout.bytes;
  auto type = MemRefType::get({size}, builder.getI8Type(),
                              MemRefLayoutAttrInterface(), space);
  auto whole = memref::AllocOp::create(
      builder, loc, type, bytes ? ValueRange(bytes) : ValueRange());
  whole.setAlignment(getAlignment(arena.device));
  if (arena.sharer)
    whole->setAttr(kSharedAttrName, arena.sharer);
  return whole;
}

/// Makes the buffers views of one allocation.
static void rewrite(FunctionOpInterface function, Arena &arena) {
  auto builder = OpBuilder::atBlockBegin(&function.getFunctionBody().front());
  bool isStatic = arena.isStatic();
  ArenaOffsets computed;
  if (!isStatic)
    computed = computeOffsets(builder, function.getLoc(), arena);
  Value whole = allocate(builder, function.getLoc(), arena, computed.bytes);
  freeAtEnd(function, whole);
  for (auto [index, buffer] : llvm::enumerate(arena.buffers)) {
    builder.setInsertionPoint(buffer.alloc);
    Location loc = buffer.alloc.getLoc();
    Value shift = isStatic ? arith::ConstantIndexOp::create(
                                 builder, loc, arena.layout.offsets[index])
                           : computed.offsets[index];
    Value view = memref::ViewOp::create(
        builder, loc, buffer.alloc.getType(), whole, shift,
        isStatic ? ValueRange() : ValueRange(computed.sizes[index]));
    buffer.dealloc.erase();
    buffer.alloc.replaceAllUsesWith(view);
    buffer.alloc.erase();
  }
}

static void layOut(Arena &arena) {
  SmallVector<BufferLifetime, 0> lives, known;
  for (const Buffer &buffer : arena.buffers) {
    lives.push_back(buffer.life);
    if (buffer.isStatic())
      known.push_back(buffer.life);
  }
  int64_t alignment = getAlignment(arena.device);
  arena.layout = layOutArena(lives, alignment);
  arena.peak = findLivePeak(lives, alignment);
  arena.leastBytes = known.size() == lives.size()
                         ? arena.layout.bytes
                         : layOutArena(known, alignment).bytes;
}

static SmallVector<Arena, 0> layOutArenas(FunctionOpInterface function,
                                          bool hasUnits) {
  TensorSizes sizes(function->getParentOfType<ModuleOp>());
  SmallVector<Arena, 0> arenas = collectArenas(function, sizes, hasUnits);
  for (Arena &arena : arenas)
    layOut(arena);
  return arenas;
}

/// What the function needs besides its arenas.
static void addOwnMemory(FunctionOpInterface function, ArrayRef<Arena> arenas,
                         llvm::MapVector<Attribute, int64_t> &bytes) {
  llvm::DenseSet<Operation *> planned;
  for (const Arena &arena : arenas)
    for (const Buffer &buffer : arena.buffers)
      planned.insert(buffer.alloc);
  function->walk([&](memref::AllocOp alloc) {
    if (!planned.contains(alloc) && !getSharer(alloc))
      addBuffer(alloc.getType(), bytes);
  });
  addArguments(function, bytes);
  addPackedCopies(function, bytes);
}

SmallVector<FunctionMemory, 0> mlir::hetero::measureMemory(ModuleOp module) {
  bool hasUnits = module->hasAttr(kUnitsAttrName);
  SmallVector<FunctionMemory, 0> result;
  for (auto function : module.getOps<FunctionOpInterface>()) {
    if (function.isExternal())
      continue;
    FunctionMemory &memory = result.emplace_back();
    memory.name = function.getNameAttr();
    SmallVector<Arena, 0> arenas = layOutArenas(function, hasUnits);
    for (const Arena &arena : arenas)
      if (arena.device && !arena.sharer)
        memory.arenas[arena.device] =
            addTimes(memory.arenas[arena.device], arena.leastBytes);
    addOwnMemory(function, arenas, memory.others);
  }
  return result;
}

bool mlir::hetero::fitsArenas(ModuleOp module) {
  return fitsTogether(module, measureMemory(module),
                      countResidentBytes(module));
}

bool mlir::hetero::fitsWithoutReuse(ModuleOp module) {
  Topology topology = Topology::get(module);
  llvm::MapVector<Attribute, int64_t> needed;
  module.walk([&](memref::AllocOp alloc) {
    DeviceAttr device = getTypeDevice(alloc.getType());
    if (std::optional<int64_t> bytes = getBufferBytes(alloc.getType()))
      needed[device] =
          addTimes(needed[device], llvm::alignTo(*bytes, getAlignment(device)));
  });
  for (auto function : module.getOps<FunctionOpInterface>())
    addArguments(function, needed);
  return !findExcess(needed, topology, countResidentBytes(module));
}

FailureOr<SmallVector<ArenaSummary>> mlir::hetero::planArenas(ModuleOp module) {
  Topology topology = Topology::get(module);
  ResidentByDevice resident = countResidentBytes(module);
  bool hasUnits = module->hasAttr(kUnitsAttrName);
  SmallVector<ArenaSummary> summaries;
  for (auto function : module.getOps<FunctionOpInterface>()) {
    if (function.isExternal())
      continue;
    SmallVector<Arena, 0> arenas = layOutArenas(function, hasUnits);
    if (std::optional<Excess> excess = findExcess(arenas, topology, resident))
      return refuse(function, arenas, *excess);
    for (Arena &arena : arenas) {
      summaries.push_back({function.getLoc(), arena.device,
                           int64_t(arena.buffers.size()), arena.layout.bytes,
                           arena.peak.bytes});
      // A single buffer is an arena by itself.
      if (arena.buffers.size() > 1 && arena.layout.bytes > 0)
        rewrite(function, arena);
    }
  }
  return summaries;
}
