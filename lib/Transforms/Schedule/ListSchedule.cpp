//===- ListSchedule.cpp - The order of a block's work ---------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Kernels, copies and the host's own work get a list schedule with the times of
// the topology (lib/Support/Solvers/EngineSchedule.cpp). All of it stands in
// the order of its starts, where an event between streams waits for little that
// it need not:
//
//   memref.copy %h0, %a        memref.copy %h0, %a
//   memref.copy %h1, %b        linalg.exp ins(%a) ...
//   linalg.exp ins(%a) ...     memref.copy %h1, %b
//   linalg.exp ins(%b) ...     linalg.exp ins(%b) ...
//
// A host region, from hetero.host_region to hetero.end_host_region, is one
// piece of work, so that its marks stay where its loops are. Nothing crosses an
// operation that is neither work, nor free of effects, nor an allocation, nor a
// host region with such an operation in it. Allocations and views stand before
// their first use, so that buffers do not live longer than they must.
//
//===----------------------------------------------------------------------===//

#include "ListSchedule.h"

#include "ScheduledWork.h"
#include "Transforms/Buffers/Buffers.h"
#include "Transforms/Buffers/Fills.h"
#include "hetero/Support/Assert.h"
#include "hetero/Support/Solvers/EngineSchedule.h"
#include "hetero/Transforms/Schedule/Streams.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Interfaces/ViewLikeInterface.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/Sequence.h"
#include "llvm/ADT/SmallBitVector.h"
#include <queue>

using namespace mlir;
using namespace mlir::hetero;

namespace {
/// Orders what stands between two operations that nothing crosses.
class Segment {
public:
  Segment(const Topology &topology, TensorSizes &sizes, unsigned lead)
      : maker(topology, sizes), lead(lead) {}

  /// False if nothing crosses the operation.
  bool add(Operation *op);
  /// The same for a host region, which is added whole or not at all.
  bool addRegion(ArrayRef<Operation *> ops);
  /// Orders what was added, all of it before `end`.
  OrderedWork finish(Operation *end);

private:
  void addHelper(Operation *op);
  Value getOwner(Value buffer) const;
  /// What tells buffers apart. What is not known is one on each node.
  std::pair<Value, int64_t> getKey(Value buffer) const {
    return {getOwner(buffer), getBufferPlace(buffer).getNode()};
  }
  int64_t joinFills();
  void findNeeds();
  EngineSchedule findStarts();
  static bool isStreamedCopy(const Work &work);
  SmallVector<unsigned, 0> placeStreamedCopies(ArrayRef<unsigned> order) const;
  SmallVector<unsigned, 0> findOrder();
  SmallVector<unsigned, 0> findLeanOrder() const;
  /// True for work of a host itself.
  bool isHost(unsigned index) const { return bool(works[index].host); }
  void place(Operation *op, Operation *end);

  WorkMaker maker;
  unsigned lead;
  SmallVector<Work, 0> works;
  /// Allocations, views and values, which stand before their first use.
  SmallVector<Operation *> helperOrder;
  /// Those that have no place yet.
  llvm::DenseSet<Operation *> helpers;
};
} // namespace

//===----------------------------------------------------------------------===//
// Work
//===----------------------------------------------------------------------===//

static bool isBuffer(Value value) {
  return isa<BaseMemRefType>(value.getType());
}

static bool isWork(Operation *op) {
  return isa<linalg::LinalgOp, memref::CopyOp>(op) || getKernelStream(op) ||
         isHostWork(op);
}

/// True for an allocation, a view, or a value.
static bool isHelper(Operation *op) {
  bool hasBuffers = llvm::any_of(op->getOperands(), isBuffer) ||
                    llvm::any_of(op->getResults(), isBuffer);
  bool isKnown = isa<memref::AllocOp, memref::GetGlobalOp, memref::DimOp>(op) ||
                 isa<ViewLikeOpInterface>(op) ||
                 (!hasBuffers && isMemoryEffectFree(op));
  return isKnown && op->getNumRegions() == 0 &&
         !op->hasTrait<OpTrait::IsTerminator>();
}

void Segment::addHelper(Operation *op) {
  helpers.insert(op);
  helperOrder.push_back(op);
}

bool Segment::add(Operation *op) {
  if (isWork(op)) {
    works.push_back(maker.make(op));
    return true;
  }
  if (!isHelper(op))
    return false;
  addHelper(op);
  return true;
}

bool Segment::addRegion(ArrayRef<Operation *> ops) {
  if (!llvm::all_of(ops,
                    [](Operation *op) { return isWork(op) || isHelper(op); }))
    return false;
  SmallVector<Operation *> inside;
  for (Operation *op : ops)
    if (isWork(op))
      inside.push_back(op);
    else
      addHelper(op);
  works.push_back(maker.makeRegion(inside));
  return true;
}

//===----------------------------------------------------------------------===//
// Order
//===----------------------------------------------------------------------===//

/// What tells buffers of a node apart: their allocation, if that is in the
/// segment, or the constant on a device; all others may be one, as two
/// references to state of the host are.
Value Segment::getOwner(Value buffer) const {
  Value root = getRootBuffer(buffer);
  Operation *op = root.getDefiningOp();
  if (isStreamed(root))
    return root;
  if (isa_and_nonnull<memref::GetGlobalOp>(op))
    return getBufferDevice(root) ? root : Value();
  return op && helpers.contains(op) ? root : Value();
}

/// The buffer that the work only fills, on a device, or null.
static Value getFilled(const Work &work) {
  if (work.ops.size() != 1)
    return {};
  auto op = dyn_cast<linalg::LinalgOp>(work.ops.front());
  return op && isFill(op) && getKernelStream(op) ? op.getDpsInits().front()
                                                 : Value();
}

/// Makes a fill and the first operation that uses what it fills one piece of
/// work. Nothing has to be there for the fill, so that it would stand before
/// all that waits for something, and its buffer would live from there. Returns
/// how many fills get another place for that.
int64_t Segment::joinFills() {
  /// By buffer the work that has filled it, until something uses it.
  llvm::DenseMap<Value, unsigned> filled;
  llvm::SmallDenseSet<unsigned> joined;
  int64_t moved = 0;
  for (auto [index, work] : llvm::enumerate(works)) {
    SmallVector<unsigned> fills;
    for (Operation *op : work.ops)
      for (auto [buffer, writes] : getBufferUses(op))
        if (auto it = filled.find(getRootBuffer(buffer)); it != filled.end()) {
          if (works[it->second].engines == work.engines)
            fills.push_back(it->second);
          filled.erase(it);
        }
    for (unsigned fill : fills) {
      llvm::append_range(works[fill].ops, work.ops);
      work.ops = std::move(works[fill].ops);
      work.time = std::min(work.time + works[fill].time, kMostWorkTime);
      joined.insert(fill);
      moved += fill + 1 != index;
    }
    if (Value buffer = getFilled(work))
      if (Value key = getOwner(buffer);
          key && key.getDefiningOp<memref::AllocOp>())
        filled[key] = index;
  }
  SmallVector<Work, 0> rest;
  for (auto [index, work] : llvm::enumerate(works))
    if (!joined.contains(index))
      rest.push_back(std::move(work));
  works = std::move(rest);
  return moved;
}

void Segment::findNeeds() {
  struct Accesses {
    std::optional<unsigned> writer;
    SmallVector<unsigned, 4> readers;
  };
  llvm::DenseMap<std::pair<Value, int64_t>, Accesses> accesses;
  /// By host: its last work.
  llvm::DenseMap<Attribute, unsigned> hosts;
  for (auto [index, work] : llvm::enumerate(works)) {
    SmallVector<BufferUse> uses;
    for (Operation *op : work.ops)
      llvm::copy_if(getBufferUses(op), std::back_inserter(uses),
                    [op](BufferUse use) { return !isInside(use.first, op); });
    for (auto [buffer, writes] : uses) {
      Accesses &known = accesses[getKey(buffer)];
      if (known.writer)
        work.needs.push_back(*known.writer);
      if (writes)
        llvm::append_range(work.needs, known.readers);
    }
    for (auto [buffer, writes] : uses) {
      Accesses &known = accesses[getKey(buffer)];
      if (writes)
        known = {index, {}};
      else
        known.readers.push_back(index);
    }
    // A host does one thing after the other.
    if (work.host) {
      auto [last, isFirst] = hosts.try_emplace(work.host, index);
      if (!isFirst)
        work.needs.push_back(std::exchange(last->second, index));
    }
    llvm::erase(work.needs, index);
  }
}

/// Sets the starts of all work.
EngineSchedule Segment::findStarts() {
  llvm::DenseMap<EngineKey, unsigned> numbers;
  SmallVector<EngineTask, 0> tasks;
  for (const Work &work : works) {
    EngineTask &task = tasks.emplace_back();
    task.time = work.time;
    task.needs = work.needs;
    for (EngineKey engine : work.engines)
      task.engines.push_back(
          numbers.try_emplace(engine, numbers.size()).first->second);
  }
  EngineSchedule schedule = scheduleEngines(tasks);
  for (auto [work, start] : llvm::zip(works, schedule.starts))
    work.start = start;
  return schedule;
}

/// All work in the order of the starts, each engine's in that of its own. What
/// is issued on another stream before an operation then starts before it, too,
/// so that an event between the two waits for little else.
SmallVector<unsigned, 0> Segment::findOrder() {
  SmallVector<unsigned, 0> byStart(
      llvm::to_vector_of<unsigned, 0>(llvm::seq<unsigned>(0, works.size())));
  llvm::stable_sort(byStart, [&](unsigned a, unsigned b) {
    return works[a].start < works[b].start;
  });
  llvm::DenseMap<EngineKey, unsigned> last;
  SmallVector<SmallVector<unsigned, 4>, 0> next(works.size());
  SmallVector<unsigned, 0> missing(works.size(), 0), order;
  for (unsigned index : byStart) {
    Work &work = works[index];
    for (EngineKey engine : work.engines) {
      if (auto it = last.find(engine); it != last.end())
        next[it->second].push_back(index);
      last[engine] = index;
    }
  }
  for (auto [index, work] : llvm::enumerate(works))
    for (unsigned other : work.needs)
      next[other].push_back(index);
  for (ArrayRef<unsigned> others : next)
    for (unsigned other : others)
      ++missing[other];
  // The host blocks: what starts before its work is enqueued first, and nothing
  // else. Else what is ready last goes first, right after what it needs.
  using Entry = std::tuple<int64_t, bool, int64_t, unsigned>;
  std::priority_queue<Entry, std::vector<Entry>, std::greater<>> ready;
  int64_t count = 0;
  auto add = [&](unsigned index) {
    // A region blocks the host for long: what could start with it goes first.
    bool isRegion = isa<HostRegionOp>(works[index].ops.front());
    ready.push(
        {works[index].start + isRegion, !isHost(index), -count++, index});
  };
  for (unsigned index : llvm::reverse(byStart))
    if (missing[index] == 0)
      add(index);
  while (!ready.empty()) {
    unsigned index = std::get<3>(ready.top());
    ready.pop();
    order.push_back(index);
    for (unsigned other : next[index])
      if (--missing[other] == 0)
        add(other);
  }
  return order;
}

/// Work as in the program, but copies to devices before what needs them
/// and copies from devices as early as they can be: so buffers of devices live
/// for the least time.
SmallVector<unsigned, 0> Segment::findLeanOrder() const {
  SmallVector<SmallVector<unsigned, 2>, 0> copiesOut(works.size());
  llvm::SmallBitVector isTaken(works.size()), isLate(works.size());
  for (auto [index, work] : llvm::enumerate(works)) {
    auto copy = dyn_cast<memref::CopyOp>(work.ops.front());
    bool isFromHost = copy && !getBufferDevice(copy.getSource());
    bool isToHost = copy && !getBufferDevice(copy.getTarget());
    isLate[index] = copy && isFromHost && !isToHost;
    if (copy && isToHost && !isFromHost)
      for (unsigned other : work.needs)
        copiesOut[other].push_back(index);
  }
  SmallVector<unsigned, 0> order, stack;
  auto isReady = [&](unsigned index) {
    return llvm::all_of(works[index].needs,
                        [&](unsigned other) { return isTaken[other]; });
  };
  auto take = [&](unsigned wanted) {
    stack.push_back(wanted);
    while (!stack.empty()) {
      unsigned index = stack.back();
      if (!isTaken[index] && !isReady(index)) {
        // Needs are earlier in the program, so this ends.
        for (unsigned other : llvm::reverse(works[index].needs))
          if (!isTaken[other])
            stack.push_back(other);
        continue;
      }
      stack.pop_back();
      if (isTaken[index])
        continue;
      isTaken.set(index);
      order.push_back(index);
      for (unsigned copy : llvm::reverse(copiesOut[index]))
        if (!isTaken[copy] && isReady(copy))
          stack.push_back(copy);
    }
  };
  for (unsigned index = 0; index < works.size(); ++index)
    if (!isLate[index])
      take(index);
  for (unsigned index = 0; index < works.size(); ++index)
    take(index);
  return order;
}

/// The first order, in which nothing is more than `lead` positions of the
/// second order ahead of what that has next.
static SmallVector<unsigned, 0>
limitLead(ArrayRef<unsigned> order, ArrayRef<unsigned> lean, unsigned lead) {
  SmallVector<unsigned, 0> position(order.size()), limited;
  for (auto [index, work] : llvm::enumerate(order))
    position[work] = index;
  llvm::SmallBitVector isTaken(order.size());
  std::priority_queue<unsigned, std::vector<unsigned>, std::greater<>> open;
  size_t first = 0, end = 0;
  while (first < lean.size()) {
    for (; end < lean.size() && end - first <= lead; ++end)
      open.push(position[lean[end]]);
    // What it needs is before it in both orders, so that is taken.
    limited.push_back(order[open.top()]);
    isTaken.set(limited.back());
    open.pop();
    while (first < lean.size() && isTaken[lean[first]])
      ++first;
  }
  return limited;
}

/// True for the copy of a constant into its slot.
bool Segment::isStreamedCopy(const Work &work) {
  auto copy = dyn_cast<memref::CopyOp>(work.ops.front());
  return copy && isStreamed(getRootBuffer(copy.getTarget()));
}

/// The same order, but that constants are copied right before a kernel that
/// reads such ones, as many as there are free slots: the copies of the next
/// kernels, too. Events tell one stream what another has got, so that this one
/// then waits for its own constants alone, and the copies only for the kernels
/// before:
///
///   copy 0, copy 1, kernel 0, copy 2, kernel 1, copy 3, kernel 2, ...
SmallVector<unsigned, 0>
Segment::placeStreamedCopies(ArrayRef<unsigned> order) const {
  SmallVector<unsigned, 0> missing(works.size(), 0), placed;
  SmallVector<SmallVector<unsigned, 4>, 0> next(works.size());
  // In the order of the program.
  std::priority_queue<unsigned, std::vector<unsigned>, std::greater<>> ready;
  for (auto [index, work] : llvm::enumerate(works)) {
    if (!isStreamedCopy(work))
      continue;
    missing[index] = work.needs.size();
    for (unsigned other : work.needs)
      next[other].push_back(index);
    if (missing[index] == 0)
      ready.push(index);
  }
  auto place = [&](unsigned index) {
    placed.push_back(index);
    for (unsigned other : next[index])
      if (--missing[other] == 0)
        ready.push(other);
  };
  for (unsigned index : order) {
    const Work &work = works[index];
    if (isStreamedCopy(work))
      continue;
    bool reads = llvm::any_of(work.needs, [&](unsigned other) {
      return isStreamedCopy(works[other]);
    });
    while (reads && !ready.empty()) {
      unsigned copy = ready.top();
      ready.pop();
      place(copy);
    }
    place(index);
  }
  HETERO_ASSERT(placed.size() == works.size(),
                "each constant that is streamed has a reader");
  return placed;
}

/// Moves the operation to the end, after those helpers that it needs.
void Segment::place(Operation *op, Operation *end) {
  SmallVector<Operation *> stack{op};
  while (!stack.empty()) {
    Operation *top = stack.back();
    size_t size = stack.size();
    top->walk([&](Operation *inner) {
      for (Value value : inner->getOperands())
        if (Operation *helper = value.getDefiningOp();
            helper && helper != top && helpers.contains(helper))
          stack.push_back(helper);
    });
    if (stack.size() != size)
      continue;
    stack.pop_back();
    if (top != op && !helpers.erase(top))
      continue;
    top->moveBefore(end);
  }
}

OrderedWork Segment::finish(Operation *end) {
  llvm::SmallDenseSet<EngineKey> engines;
  OrderedWork result;
  for (const Work &work : works) {
    engines.insert(work.engines.begin(), work.engines.end());
    result.makespan = addTimes(result.makespan, work.time);
  }
  result.bound = result.makespan;
  int64_t &moved = result.moved;
  // On one engine no order is better than another.
  if (engines.size() > 1 || lead != kAnyLead) {
    moved = joinFills();
    findNeeds();
    EngineSchedule schedule = findStarts();
    result.makespan = schedule.makespan;
    result.bound = schedule.bound;
    SmallVector<unsigned, 0> order = findOrder();
    if (lead != kAnyLead)
      order = limitLead(order, findLeanOrder(), lead);
    if (llvm::any_of(works, isStreamedCopy))
      order = placeStreamedCopies(order);
    for (auto [position, index] : llvm::enumerate(order))
      moved += index != position;
    // A buffer may live from where it stands.
    if (moved || lead != kAnyLead) {
      for (unsigned index : order)
        for (Operation *op : works[index].ops)
          place(op, end);
      for (Operation *helper : helperOrder)
        if (helpers.contains(helper))
          helper->moveBefore(end);
    }
  }
  works.clear();
  helpers.clear();
  helperOrder.clear();
  return result;
}

/// The operations from `it` on that stay together, and moves past them: those
/// of a host region, else one.
static SmallVector<Operation *> takeRegion(Block::iterator &it) {
  SmallVector<Operation *> ops{&*it++};
  if (!isa<HostRegionOp>(ops.front()))
    return ops;
  Block *block = ops.front()->getBlock();
  while (it != block->end() && !isa<EndHostRegionOp>(ops.back()))
    ops.push_back(&*it++);
  return ops;
}

OrderedWork mlir::hetero::orderWork(Block &block, const Topology &topology,
                                    TensorSizes &sizes, unsigned lead) {
  Segment segment(topology, sizes, lead);
  OrderedWork result;
  for (auto it = block.begin(); it != block.end();) {
    // What is added moves later, and what is not stays.
    SmallVector<Operation *> ops = takeRegion(it);
    bool isRegion = isa<HostRegionOp>(ops.front());
    if (isRegion ? segment.addRegion(ops) : segment.add(ops.front()))
      continue;
    OrderedWork part = segment.finish(ops.front());
    result.moved += part.moved;
    result.makespan = addTimes(result.makespan, part.makespan);
    result.bound = addTimes(result.bound, part.bound);
  }
  return result;
}
