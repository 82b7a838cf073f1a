//===- GroupPlan.cpp - Which operations of a block run together -----------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// First the block is listed in an order in which each device runs everything
// that is ready before another one gets its turn; a turn is a group. Groups are
// contiguous in that order, so none can wait for itself. Then a group joins the
// next group of its device unless something between them needs the first and is
// needed by the second. If two neighbours cannot join there is a path from one
// to the other through something else, and such paths compose: so no two groups
// that are further apart can join either, and the groups are maximal.
//
//===----------------------------------------------------------------------===//

#include "GroupPlan.h"

#include "hetero/Dialect/Hetero/IR/PlacementModels.h"
#include "hetero/Dialect/Hetero/IR/Repeatable.h"
#include "hetero/Transforms/Placement/DeviceConstraints.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Interfaces/CallInterfaces.h"
#include <queue>

using namespace mlir;
using namespace mlir::hetero;

/// The device that runs an operation; the host if nothing says.
static DeviceAttr getGroupDevice(Operation *op) {
  DeviceAttr device = getRunDevice(op);
  return device ? device : DeviceAttr::getHost(op->getContext());
}

/// True if running an operation has no effect but its results. Assertions do
/// not count: front ends put them into the bodies that read elements. Nor does
/// linalg say of all its operations what they do to tensors, which is nothing.
static bool isWithoutEffects(Operation *op) {
  if (isMemoryEffectFree(op))
    return true;
  auto structured = dyn_cast<linalg::LinalgOp>(op);
  if (!structured) {
    auto style = dyn_cast<DestinationStyleOpInterface>(op);
    return style && isa<linalg::LinalgDialect>(op->getDialect()) &&
           style.hasPureTensorSemantics();
  }
  return llvm::all_of(*structured.getBlock(), [](Operation &inner) {
    return isa<cf::AssertOp>(inner) || isMemoryEffectFree(&inner);
  });
}

bool mlir::hetero::canBeGrouped(Operation *op) {
  Operation *parent = op->getParentOp();
  if (hasPlacedRegions(op) || op->hasTrait<OpTrait::IsTerminator>() ||
      isa<CallOpInterface, CopyOp, ExecuteOp>(op) || isNoWork(op) ||
      (parent && parent->hasTrait<OpTrait::IsTerminator>()))
    return false;
  auto isTensor = [](Type type) { return isa<TensorType>(type); };
  if (op->getNumResults() == 0 ||
      !llvm::all_of(op->getResultTypes(), isTensor) || !isWithoutEffects(op))
    return false;
  DeviceAttr device = getGroupDevice(op).getBare();
  DeviceConstraints constraints(op->getContext());
  for (OpOperand &operand : op->getOpOperands())
    if (isTensor(operand.get().getType()) &&
        (constraints.getOperandDevice(operand) != device ||
         getTypeDevice(operand.get().getType()) != device))
      return false;
  return llvm::all_of(op->getResultTypes(),
                      [&](Type type) { return getTypeDevice(type) == device; });
}

namespace {
/// Orders and groups the operations of one block.
class Planner {
public:
  explicit Planner(Block &block) : block(block) {
    findSunk();
    numberOperations();
    connect();
    list();
    for (unsigned device = 0; device != devices.size(); ++device)
      joinGroups(device);
  }

  SmallVector<GroupPlan::Item, 0> takeItems();

private:
  /// Items that are not groups have one of these instead of a device.
  enum : int { Light = -1, Heavy = -2 };
  static constexpr unsigned kEnd = ~0u;
  using Queue = std::priority_queue<unsigned, std::vector<unsigned>,
                                    std::greater<unsigned>>;

  void findSunk();
  void numberOperations();
  void connect();
  void connectReads(Operation *op, unsigned node);
  void list();
  void append(int device, unsigned node);
  void joinGroups(int device);
  bool canJoin(unsigned first, unsigned second,
               SmallVectorImpl<unsigned> &later);
  void join(unsigned first, unsigned second, ArrayRef<unsigned> later);
  void unlink(unsigned item);
  void linkAfter(unsigned item, unsigned position);

  struct Item {
    int device;
    SmallVector<unsigned, 1> nodes;
    unsigned previous = kEnd, next = kEnd;
  };

  Block &block;
  /// Cheap producers that only groups read: repeated inside, not listed.
  llvm::DenseSet<Operation *> sunk;
  SmallVector<Operation *, 0> nodes;
  llvm::DenseMap<Operation *, unsigned> numbers;
  SmallVector<int, 0> kinds;
  SmallVector<DeviceAttr> devices;
  SmallVector<SmallVector<unsigned, 2>, 0> predecessors, successors;
  SmallVector<Item, 0> items;
  SmallVector<unsigned, 0> itemOf;
  unsigned head = kEnd, tail = kEnd;
  /// Items marked in the current search have the current stamp.
  SmallVector<unsigned, 0> stamps;
  unsigned stamp = 0;
};
} // namespace

void Planner::findSunk() {
  for (Operation &op : llvm::reverse(block.without_terminator())) {
    if (!isRepeatable(&op))
      continue;
    bool onlyGroups = llvm::all_of(op.getUsers(), [&](Operation *user) {
      Operation *ancestor = block.findAncestorOpInBlock(*user);
      return ancestor && (sunk.contains(ancestor) || canBeGrouped(ancestor));
    });
    if (onlyGroups)
      sunk.insert(&op);
  }
}

void Planner::numberOperations() {
  llvm::DenseMap<DeviceAttr, int> known;
  for (Operation &op : block.without_terminator()) {
    if (sunk.contains(&op))
      continue;
    numbers[&op] = nodes.size();
    nodes.push_back(&op);
    if (canBeGrouped(&op)) {
      DeviceAttr device = getGroupDevice(&op);
      auto [it, isNew] = known.try_emplace(device, devices.size());
      if (isNew)
        devices.push_back(device);
      kinds.push_back(it->second);
      continue;
    }
    // Assertions are light, too: what they say is known before a region runs.
    bool isLight = op.getNumRegions() == 0 &&
                   (isMemoryEffectFree(&op) ||
                    (!hasTensors(&op) && !isa<CallOpInterface>(op)));
    kinds.push_back(isLight ? Light : Heavy);
  }
}

void Planner::connectReads(Operation *op, unsigned node) {
  visitReads(op, [&](Value value) {
    Operation *producer = value.getDefiningOp();
    if (!producer || producer->getBlock() != &block)
      return;
    if (sunk.contains(producer))
      return connectReads(producer, node);
    unsigned from = numbers.lookup(producer);
    predecessors[node].push_back(from);
    successors[from].push_back(node);
  });
}

void Planner::connect() {
  predecessors.resize(nodes.size());
  successors.resize(nodes.size());
  unsigned lastEffect = kEnd;
  for (auto [node, op] : llvm::enumerate(nodes)) {
    connectReads(op, node);
    if (isMemoryEffectFree(op))
      continue;
    if (lastEffect != kEnd) {
      predecessors[node].push_back(lastEffect);
      successors[lastEffect].push_back(node);
    }
    lastEffect = node;
  }
}

/// Puts a node after everything listed so far, in the last item if that is a
/// group of the node's device.
void Planner::append(int device, unsigned node) {
  if (device < 0 || tail == kEnd || items[tail].device != device) {
    items.push_back(Item{device, {}, tail, kEnd});
    unsigned item = items.size() - 1;
    (tail == kEnd ? head : items[tail].next) = item;
    tail = item;
  }
  items[tail].nodes.push_back(node);
  itemOf[node] = tail;
}

/// Copies and scalars first, so that transfers start early; then devices other
/// than the host, which work while the host goes on.
void Planner::list() {
  itemOf.assign(nodes.size(), kEnd);
  SmallVector<unsigned> missing;
  std::vector<Queue> queues(devices.size() + 2);
  auto getQueue = [&](unsigned node) -> Queue & {
    return queues[kinds[node] + 2];
  };
  for (auto [node, list] : llvm::enumerate(predecessors)) {
    missing.push_back(list.size());
    if (list.empty())
      getQueue(node).push(node);
  }
  auto run = [&](Queue &queue) {
    unsigned node = queue.top();
    queue.pop();
    append(kinds[node], node);
    for (unsigned successor : successors[node])
      if (--missing[successor] == 0)
        getQueue(successor).push(successor);
  };
  auto drain = [&](Queue &queue) {
    if (queue.empty())
      return false;
    while (!queue.empty())
      run(queue);
    return true;
  };
  auto runDevice = [&](bool isHost) {
    for (auto [index, device] : llvm::enumerate(devices))
      if (device.isHostOfNode() == isHost && drain(queues[index + 2]))
        return true;
    return false;
  };
  Queue &light = queues[Light + 2], &heavy = queues[Heavy + 2];
  while (true)
    if (drain(light) || runDevice(/*isHost=*/false) || runDevice(true))
      continue;
    else if (!heavy.empty())
      run(heavy);
    else
      return;
}

//===----------------------------------------------------------------------===//
// Joining
//===----------------------------------------------------------------------===//

void Planner::unlink(unsigned item) {
  auto [previous, next] = std::pair(items[item].previous, items[item].next);
  (previous == kEnd ? head : items[previous].next) = next;
  (next == kEnd ? tail : items[next].previous) = previous;
}

void Planner::linkAfter(unsigned item, unsigned position) {
  unsigned next = items[position].next;
  items[item].previous = position;
  items[item].next = next;
  items[position].next = item;
  (next == kEnd ? tail : items[next].previous) = item;
}

/// Collects in `later` what needs `first` on the way to `second`; false if
/// `second` needs one of them.
bool Planner::canJoin(unsigned first, unsigned second,
                      SmallVectorImpl<unsigned> &later) {
  ++stamp;
  auto needsLater = [&](unsigned item, bool orFirst) {
    for (unsigned node : items[item].nodes)
      for (unsigned predecessor : predecessors[node]) {
        unsigned other = itemOf[predecessor];
        if (stamps[other] == stamp || (orFirst && other == first))
          return true;
      }
    return false;
  };
  for (unsigned item = items[first].next; item != second;
       item = items[item].next)
    if (needsLater(item, /*orFirst=*/true)) {
      stamps[item] = stamp;
      later.push_back(item);
    }
  return !needsLater(second, /*orFirst=*/false);
}

void Planner::join(unsigned first, unsigned second, ArrayRef<unsigned> later) {
  auto &target = items[second].nodes;
  target.insert(target.begin(), items[first].nodes.begin(),
                items[first].nodes.end());
  for (unsigned node : items[first].nodes)
    itemOf[node] = second;
  items[first].nodes.clear();
  unlink(first);
  unsigned position = second;
  for (unsigned item : later) {
    unlink(item);
    linkAfter(item, position);
    position = item;
  }
}

void Planner::joinGroups(int device) {
  stamps.resize(items.size(), 0);
  unsigned first = kEnd;
  for (unsigned item = head; item != kEnd; item = items[item].next) {
    if (items[item].device != device)
      continue;
    SmallVector<unsigned> later;
    if (first != kEnd && canJoin(first, item, later))
      join(first, item, later);
    first = item;
  }
}

SmallVector<GroupPlan::Item, 0> Planner::takeItems() {
  SmallVector<GroupPlan::Item, 0> result;
  for (unsigned item = head; item != kEnd; item = items[item].next) {
    GroupPlan::Item &out = result.emplace_back();
    if (items[item].device >= 0)
      out.device = devices[items[item].device];
    for (unsigned node : items[item].nodes)
      out.ops.push_back(nodes[node]);
  }
  return result;
}

GroupPlan::GroupPlan(Block &block) : items(Planner(block).takeItems()) {}
