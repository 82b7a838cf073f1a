//===- OrderUnits.cpp - Streams of units, and events between --------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each unit of a device has a stream of its own, so that only operations of one
// unit are in order. Where one stream reads or writes what another has written,
// or writes what another has read, it waits for that one:
//
//   linalg.matmul ... outs(%b) {gpu:0, unit = "a"}
//   hetero.order <gpu:0, unit = "b"> after <gpu:0, unit = "a">     // inserted
//   linalg.matmul ins(%b) ...  {gpu:0, unit = "b"}
//
// It stands right after the operation that is waited for, unless that would
// hold up more than it saves. What a block gets from outside may have been
// touched by every stream, state too, which callers and callees have. What it
// allocates is touched by none: the runtime gives out memory that no stream
// uses any more.
//
// Devices that share buffers over a `unified` link are ordered in the same way.
//
// Copies that overlap with others (CopyStreams.cpp) are on two more streams of
// each device. At the end of a block, and before anything that is not known,
// the device's own stream waits for these.
//
//===----------------------------------------------------------------------===//

#include "OrderUnits.h"

#include "CopyStreams.h"
#include "Transforms/Buffers/Buffers.h"
#include "Transforms/Buffers/Fills.h"
#include "hetero/Dialect/Hetero/IR/DeviceKind.h"
#include "hetero/Dialect/Hetero/IR/DeviceLattice.h"
#include "hetero/Dialect/Hetero/IR/HeteroStreamOps.h"
#include "hetero/Transforms/Schedule/Streams.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "llvm/ADT/SetVector.h"
#include <vector>

using namespace mlir;
using namespace mlir::hetero;

namespace {
/// What happened so far on the streams, within one block.
struct Timeline {
  /// What each stream has got; null for what came before, unknown.
  SmallVector<SmallVector<Operation *>> issued;
  /// By stream and other stream: how many operations of the other are known to
  /// be done before what the stream gets next.
  SmallVector<SmallVector<unsigned>> known;
  /// When operations were enqueued.
  llvm::DenseMap<Operation *, unsigned> when;
};

/// The last accesses to one buffer, by stream: 0 for none.
struct Accesses {
  SmallVector<unsigned> reads, writes;
  std::optional<unsigned> lastWriter = std::nullopt;
};

/// Orders streams that may work on one buffer: those of one device, or of the
/// devices that share buffers.
class UnitOrderer {
public:
  UnitOrderer(ArrayRef<DeviceAttr> streams,
              const llvm::DenseSet<Operation *> &waits,
              const StateNames &states)
      : streams(streams), narrowed(waits), states(states) {}

  /// In a block, of which these operations matter to the streams.
  int64_t run(ArrayRef<Operation *> operations,
              const llvm::DenseSet<CopyEnd> &copies);

private:
  /// The number of a stream, or that of all where the device has no units.
  unsigned getStream(DeviceAttr stream) const {
    return llvm::find(streams, stream) - streams.begin();
  }
  Accesses &getAccesses(Value buffer);
  unsigned findGroupEnd(unsigned stream, unsigned until) const;
  Operation *findGap(unsigned stream, unsigned other, unsigned until);
  void await(Operation *op, unsigned stream, ArrayRef<BufferUse> buffers);
  void note(unsigned stream, Value buffer, bool writes);
  void order(Operation *op, unsigned stream, unsigned other, unsigned until);
  bool isBetterEarly(unsigned stream, unsigned other, unsigned until);
  void enqueue(Operation *op, unsigned stream);
  void visit(Operation *op);
  void visitKernel(Operation *op, unsigned stream);
  void visitCopy(memref::CopyOp op);
  void visitWait(WaitOp op);
  void noteWait(unsigned waited);
  void visitOrder(OrderOp op);
  void noteOrder(unsigned stream, unsigned other);
  void findReaders(ArrayRef<Operation *> operations);
  void join(Operation *op);
  void forget();

  ArrayRef<DeviceAttr> streams;
  /// Waits that are for copies to the host.
  const llvm::DenseSet<Operation *> &narrowed;
  const StateNames &states;
  /// By device: streams with copies to the host since the last wait for them.
  llvm::DenseMap<Attribute, llvm::SmallSetVector<unsigned, 2>> pending;
  Timeline time;
  /// Buffers of the block's own, and all others as one.
  llvm::DenseMap<Value, Accesses> fresh;
  Accesses others;
  /// What the block has not touched, but what was before may have.
  Accesses unknown;
  llvm::DenseMap<Operation *, DeviceAttr> readers;
  const llvm::DenseSet<CopyEnd> *overlapping = nullptr;
  int64_t orders = 0;
};
} // namespace

static bool isForCopies(DeviceAttr stream) {
  return stream.getUnit() == kCopyInUnit || stream.getUnit() == kCopyOutUnit;
}

static DeviceAttr withUnit(DeviceAttr device, StringRef unit) {
  return device.with(unit, "");
}

//===----------------------------------------------------------------------===//
// Order
//===----------------------------------------------------------------------===//

/// The stream gets the operation, which is null for what is unknown.
void UnitOrderer::enqueue(Operation *op, unsigned stream) {
  time.issued[stream].push_back(op);
  if (op)
    time.when.try_emplace(op, time.when.size());
}

/// The streams of kernels wait for those of copies, so that no block needs to
/// know of copies outside.
void UnitOrderer::join(Operation *op) {
  for (unsigned copies = 0; copies < streams.size(); ++copies) {
    unsigned kernels = getStream(streams[copies].getBare());
    if (!isForCopies(streams[copies]) ||
        time.known[kernels][copies] >= time.issued[copies].size())
      continue;
    OpBuilder builder(op);
    OrderOp::create(builder, op->getLoc(), streams[kernels], streams[copies]);
    noteOrder(kernels, copies);
    ++orders;
  }
}

/// From here on every stream of kernels may have touched every buffer.
void UnitOrderer::forget() {
  fresh.clear();
  others = {};
  for (unsigned stream = 0; stream < streams.size(); ++stream) {
    bool isJoined = isForCopies(streams[stream]);
    if (!isJoined)
      enqueue(nullptr, stream);
    others.reads.push_back(isJoined ? 0 : time.issued[stream].size());
  }
  others.writes = others.reads;
  unknown = others;
}

Accesses &UnitOrderer::getAccesses(Value buffer) {
  Value root = getRootBuffer(buffer);
  auto it = fresh.find(root);
  if (it != fresh.end())
    return it->second;
  return isStreamed(root) ? fresh[root] = unknown : others;
}

/// The stream waits for all that another has got, and what that waited for.
void UnitOrderer::noteOrder(unsigned stream, unsigned other) {
  SmallVector<unsigned> &known = time.known[stream];
  known[other] = time.issued[other].size();
  for (auto [mine, theirs] : llvm::zip(known, time.known[other]))
    mine = std::max(mine, theirs);
}

/// True if the stream rather waits right after operation number `until` of the
/// other than here: what it got since is less than what the other got since, of
/// which it need not wait for any.
bool UnitOrderer::isBetterEarly(unsigned stream, unsigned other,
                                unsigned until) {
  Operation *awaited = time.issued[other][until - 1];
  if (!awaited)
    return false;
  unsigned now = time.when.lookup(awaited);
  unsigned others = time.issued[other].size() - until, own = 0;
  for (Operation *op : llvm::reverse(time.issued[stream])) {
    // What is unknown is older than what is not.
    if (!op || time.when.lookup(op) < now)
      break;
    if (++own > others)
      return false;
  }
  return true;
}

/// The last operation of the stream, but for fills, if what the other has got
/// up to then is what the stream has to wait for, and the other has got more
/// since: after it the wait holds up no work and takes no longer than it must.
Operation *UnitOrderer::findGap(unsigned stream, unsigned other,
                                unsigned until) {
  ArrayRef<Operation *> theirs = time.issued[other], own = time.issued[stream];
  if (until == theirs.size() || !theirs[until - 1] || !theirs[until])
    return nullptr;
  unsigned awaited = time.when.lookup(theirs[until - 1]),
           next = time.when.lookup(theirs[until]);
  for (; !own.empty() && own.back(); own = own.drop_back()) {
    Operation *last = own.back();
    unsigned now = time.when.lookup(last);
    if (now < next)
      return awaited < now ? last : nullptr;
    auto op = dyn_cast<linalg::LinalgOp>(last);
    if (!op || !isFill(op))
      return nullptr;
  }
  return nullptr;
}

/// How many operations the stream has got with those elementwise ones that
/// follow number `until`.
unsigned UnitOrderer::findGroupEnd(unsigned stream, unsigned until) const {
  ArrayRef<Operation *> issued = time.issued[stream];
  auto isFollower = [](Operation *op) {
    auto work = dyn_cast_if_present<linalg::LinalgOp>(op);
    return work && !isFill(work) && work.getNumReductionLoops() == 0;
  };
  while (until < issued.size() && isFollower(issued[until]))
    ++until;
  return until;
}

/// Lets the stream of `op` wait for the first `until` operations of another.
void UnitOrderer::order(Operation *op, unsigned stream, unsigned other,
                        unsigned until) {
  OpBuilder builder(op);
  auto copy = dyn_cast<memref::CopyOp>(op);
  // What becomes one kernel with a reader of constants stays together.
  if (copy && isStreamed(getRootBuffer(copy.getTarget())))
    until = findGroupEnd(other, until);
  if (Operation *last = findGap(stream, other, until)) {
    builder.setInsertionPointAfter(last);
    time.known[stream][other] = until;
  } else if (isBetterEarly(stream, other, until)) {
    builder.setInsertionPointAfter(time.issued[other][until - 1]);
    time.known[stream][other] = until;
  } else {
    noteOrder(stream, other);
  }
  OrderOp::create(builder, op->getLoc(), streams[stream], streams[other]);
  ++orders;
}

/// Lets the stream of `op` wait for those that it must not overtake, once for
/// all buffers.
void UnitOrderer::await(Operation *op, unsigned stream,
                        ArrayRef<BufferUse> buffers) {
  for (unsigned other = 0; other < streams.size(); ++other) {
    unsigned until = 0;
    for (auto [buffer, writes] : buffers) {
      const Accesses &accesses = getAccesses(buffer);
      until = std::max(until, accesses.writes[other]);
      if (writes)
        until = std::max(until, accesses.reads[other]);
    }
    if (other != stream && time.known[stream][other] < until)
      order(op, stream, other, until);
  }
}

void UnitOrderer::note(unsigned stream, Value buffer, bool writes) {
  Accesses &accesses = getAccesses(buffer);
  (writes ? accesses.writes : accesses.reads)[stream] =
      time.issued[stream].size();
  if (writes)
    accesses.lastWriter = stream;
}

/// The device's buffers that a kernel touches.
static SmallVector<BufferUse> getBuffers(Operation *op) {
  SmallVector<BufferUse> buffers = getBufferUses(op);
  llvm::erase_if(buffers,
                 [](BufferUse use) { return !getBufferDevice(use.first); });
  return buffers;
}

void UnitOrderer::visitKernel(Operation *op, unsigned stream) {
  SmallVector<BufferUse> buffers = getBuffers(op);
  await(op, stream, buffers);
  enqueue(op, stream);
  for (auto [buffer, writes] : buffers)
    note(stream, buffer, writes);
}

/// A copy that overlaps with its neighbours is on a stream for copies.
/// Otherwise one from a device is on the stream that wrote its source last, one
/// to a device on the stream that reads its target first. One between devices
/// is on a stream of each.
void UnitOrderer::visitCopy(memref::CopyOp op) {
  DeviceAttr from = getBufferDevice(op.getSource());
  DeviceAttr to = getBufferDevice(op.getTarget());
  unsigned source = from ? getStream(from) : streams.size();
  if (source != streams.size())
    if (std::optional<unsigned> writer = getAccesses(op.getSource()).lastWriter;
        writer && streams[*writer].isSameDevice(from))
      source = *writer;
  unsigned target = to ? getStream(to) : streams.size();
  if (DeviceAttr reader = readers.lookup(op))
    target = getStream(reader);
  if (from == to)
    target = source;
  if (overlapping->contains(CopyEnd(op, false)))
    source = getStream(withUnit(from, kCopyOutUnit));
  if (overlapping->contains(CopyEnd(op, true)))
    target = getStream(withUnit(to, kCopyInUnit));
  auto add = [&](unsigned stream, Value buffer, bool writes, StringRef attr) {
    if (stream == streams.size())
      return;
    await(op, stream, BufferUse{buffer, writes});
    enqueue(op, stream);
    note(stream, buffer, writes);
    op->setAttr(attr, streams[stream]);
  };
  add(source, op.getSource(), false, kFromAttrName);
  if (from && !to)
    pending[from.getBare()].insert(source);
  add(target, op.getTarget(), true, kToAttrName);
}

/// After the host has waited for a stream, all that it has got is done, and
/// what that waited for.
void UnitOrderer::noteWait(unsigned waited) {
  for (unsigned stream = 0; stream < streams.size(); ++stream)
    noteOrder(stream, waited);
}

/// A wait for copies to the host is one for their streams, unless one of them
/// is the device's own: its wait is one for the whole device.
void UnitOrderer::visitWait(WaitOp op) {
  DeviceAttr device = op.getDevice();
  SmallVector<unsigned> waited;
  auto copying = pending.find(device.getBare());
  if (copying != pending.end() && narrowed.contains(op) &&
      llvm::none_of(copying->second, [&](unsigned stream) {
        return stream == streams.size() || streams[stream].getUnit().empty();
      }))
    waited.assign(copying->second.begin(), copying->second.end());
  if (copying != pending.end() && device.getUnit().empty())
    pending.erase(copying);
  OpBuilder builder(op);
  for (unsigned stream : waited) {
    WaitOp::create(builder, op.getLoc(), streams[stream]);
    noteWait(stream);
  }
  if (!waited.empty())
    return op.erase();
  for (unsigned stream = 0; stream < streams.size(); ++stream)
    if (device.getUnit().empty() ? streams[stream].isSameDevice(device)
                                 : streams[stream] == device)
      noteWait(stream);
}

/// One that a schedule before inserted.
void UnitOrderer::visitOrder(OrderOp op) {
  unsigned stream = getStream(op.getDevice()), other = getStream(op.getAfter());
  if (stream != streams.size() && other != streams.size())
    noteOrder(stream, other);
}

void UnitOrderer::visit(Operation *op) {
  if (DeviceAttr device = getKernelStream(op)) {
    if (unsigned stream = getStream(device); stream != streams.size())
      visitKernel(op, stream);
  } else if (auto copy = dyn_cast<memref::CopyOp>(op)) {
    visitCopy(copy);
  } else if (auto wait = dyn_cast<WaitOp>(op)) {
    visitWait(wait);
  } else if (auto order = dyn_cast<OrderOp>(op)) {
    visitOrder(order);
  } else if (isa<memref::AllocOp, memref::GetGlobalOp>(op)) {
    Value buffer = op->getResult(0);
    SmallVector<unsigned> none(streams.size(), 0);
    fresh[buffer] =
        getState(buffer, states) ? unknown : Accesses{none, none, std::nullopt};
  } else if (mayTouchDevices(op)) {
    join(op);
    forget();
  } else if (op->hasTrait<OpTrait::IsTerminator>()) {
    join(op);
  }
}

/// For each copy to a device the stream of the kernel that reads it first.
void UnitOrderer::findReaders(ArrayRef<Operation *> operations) {
  llvm::DenseMap<Value, DeviceAttr> next;
  for (Operation *op : llvm::reverse(operations)) {
    if (DeviceAttr stream = getKernelStream(op))
      for (auto [buffer, writes] : getBuffers(op))
        next[getRootBuffer(buffer)] = stream;
    if (auto copy = dyn_cast<memref::CopyOp>(op))
      if (DeviceAttr device = getBufferDevice(copy.getTarget());
          device && getStream(device) != streams.size())
        readers[op] = next.lookup(getRootBuffer(copy.getTarget()));
  }
}

int64_t UnitOrderer::run(ArrayRef<Operation *> operations,
                         const llvm::DenseSet<CopyEnd> &copies) {
  overlapping = &copies;
  unsigned count = streams.size();
  time = Timeline();
  time.issued.resize(count);
  time.known.assign(count, SmallVector<unsigned>(count, 0));
  forget();
  findReaders(operations);
  for (Operation *op : operations)
    visit(op);
  return orders;
}

//===----------------------------------------------------------------------===//
// Module
//===----------------------------------------------------------------------===//

/// Every device that has units or copies on streams of their own: itself and
/// each stream, in a fixed order.
static SmallVector<DeviceAttr>
collectStreams(ArrayRef<Block *> blocks,
               ArrayRef<llvm::DenseSet<CopyEnd>> copies,
               ArrayRef<DeviceAttr> peers, SmallVectorImpl<StringRef> &units) {
  llvm::SetVector<DeviceAttr> found(peers.begin(), peers.end());
  auto add = [&](DeviceAttr stream) {
    found.insert(stream.getBare());
    found.insert(stream);
    units.push_back(stream.getUnit());
  };
  for (auto [block, ends] : llvm::zip(blocks, copies))
    for (Operation &op : *block) {
      if (DeviceAttr stream = getKernelStream(&op);
          stream && !stream.getUnit().empty())
        add(stream);
      auto copy = dyn_cast<memref::CopyOp>(op);
      if (copy && ends.contains(CopyEnd(&op, false)))
        add(withUnit(getBufferDevice(copy.getSource()), kCopyOutUnit));
      if (copy && ends.contains(CopyEnd(&op, true)))
        add(withUnit(getBufferDevice(copy.getTarget()), kCopyInUnit));
    }
  llvm::sort(units);
  units.erase(llvm::unique(units), units.end());
  SmallVector<DeviceAttr> streams = found.takeVector();
  llvm::sort(streams, DeviceAttr::comesBefore);
  return streams;
}

namespace {
/// Streams that may work on one buffer, and what of a block matters to them.
struct StreamGroup {
  SmallVector<DeviceAttr> streams;
  SmallVector<Operation *, 0> operations;
};

/// All streams of a module in groups, so that each is asked about operations of
/// its own alone.
class StreamGroups {
public:
  StreamGroups(ArrayRef<DeviceAttr> streams, ArrayRef<DeviceAttr> peers);

  /// Gives the groups the operations of a block.
  void enter(Block &block);
  ArrayRef<StreamGroup> get() const { return groups; }

private:
  void add(Operation &op);
  void add(Operation &op, DeviceAttr device);

  std::vector<StreamGroup> groups;
  /// By device.
  llvm::DenseMap<Attribute, unsigned> numbers;
};
} // namespace

StreamGroups::StreamGroups(ArrayRef<DeviceAttr> streams,
                           ArrayRef<DeviceAttr> peers) {
  for (DeviceAttr stream : streams) {
    // Devices that share buffers have the group of the first of them.
    DeviceAttr device = stream.getBare();
    DeviceAttr key = llvm::is_contained(peers, device) ? peers.front() : device;
    unsigned number = numbers.try_emplace(key, groups.size()).first->second;
    numbers[device] = number;
    if (number == groups.size())
      groups.emplace_back();
    groups[number].streams.push_back(stream);
  }
}

void StreamGroups::add(Operation &op, DeviceAttr device) {
  auto number = device ? numbers.find(device.getBare()) : numbers.end();
  if (number == numbers.end())
    return;
  auto &operations = groups[number->second].operations;
  if (operations.empty() || operations.back() != &op)
    operations.push_back(&op);
}

void StreamGroups::add(Operation &op) {
  if (DeviceAttr stream = getKernelStream(&op))
    return add(op, stream);
  if (auto copy = dyn_cast<memref::CopyOp>(op)) {
    add(op, getBufferDevice(copy.getSource()));
    return add(op, getBufferDevice(copy.getTarget()));
  }
  if (auto wait = dyn_cast<WaitOp>(op))
    return add(op, wait.getDevice());
  if (auto order = dyn_cast<OrderOp>(op))
    return add(op, order.getDevice());
  if (isa<memref::AllocOp, memref::GetGlobalOp>(op))
    return add(op, getBufferDevice(op.getResult(0)));
  if (mayTouchDevices(&op) || op.hasTrait<OpTrait::IsTerminator>())
    for (StreamGroup &group : groups)
      group.operations.push_back(&op);
}

void StreamGroups::enter(Block &block) {
  for (StreamGroup &group : groups)
    group.operations.clear();
  for (Operation &op : block)
    add(op);
}

int64_t mlir::hetero::orderUnits(ModuleOp module, ArrayRef<Block *> blocks,
                                 bool overlapsCopies,
                                 const llvm::DenseSet<Operation *> &waits,
                                 ArrayRef<DeviceAttr> peers) {
  SmallVector<llvm::DenseSet<CopyEnd>> copies(blocks.size());
  if (overlapsCopies)
    for (auto [block, ends] : llvm::zip(blocks, copies))
      ends = findOverlappingCopies(*block);
  SmallVector<StringRef> units;
  SmallVector<DeviceAttr> streams =
      collectStreams(blocks, copies, peers, units);
  if (streams.empty())
    return 0;
  OpBuilder builder(module.getContext());
  if (!units.empty())
    module->setAttr(kUnitsAttrName, builder.getStrArrayAttr(units));
  int64_t orders = 0;
  StreamGroups groups(streams, peers);
  StateNames states = collectStateNames(module);
  for (auto [block, ends] : llvm::zip(blocks, copies)) {
    groups.enter(*block);
    for (const StreamGroup &group : groups.get())
      orders +=
          UnitOrderer(group.streams, waits, states).run(group.operations, ends);
  }
  return orders;
}
