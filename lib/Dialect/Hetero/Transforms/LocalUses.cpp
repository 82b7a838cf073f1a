//===- LocalUses.cpp - Uses that share a copy behind a value --------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What is left is for those who place operations one by one, in the order of
// the program: operands of control flow and calls, captures, copies by the
// user, elements, unread destinations, and values that several devices want.
//
//===----------------------------------------------------------------------===//

#include "hetero/Dialect/Hetero/Transforms/LocalUses.h"

#include "hetero/Dialect/Hetero/IR/PlacementModels.h"
#include "hetero/Dialect/Hetero/IR/Prefetch.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"

#include <numeric>

using namespace mlir;
using namespace mlir::hetero;

void LocalUses::add(OpOperand &use, unsigned user) {
  if (devices.isSurelyNoTensor(use.get()))
    return;
  DeviceAttr device = constraints.getOperandDevice(use);
  if (device && devices.isSurelyOn(use.get(), device))
    return;
  wanted.push_back({use.get(), &use, use.getOwner()->getBlock(), device, user,
                    readsOperand(use)});
}

void LocalUses::gather(Operation *op, unsigned number) {
  if (!constraints.getDevice(op) || isa<CopyOp, tensor::ExtractOp>(op)) {
    left.set(number);
    return;
  }
  for (OpOperand &use : op->getOpOperands())
    add(use, number);
  if (op->getNumRegions() != 0 && !constraints.hasPlacedRegions(op) &&
      captures.contains(op))
    left.set(number);
}

/// True if one copy behind the value's definition serves all the uses.
static bool canShare(SharedUses uses) {
  Operation *producer = uses.front().value.getDefiningOp();
  return llvm::all_of(uses,
                      [&](const WantedUse &wanted) {
                        return wanted.isRead &&
                               wanted.device == uses.front().device;
                      }) &&
         !(producer && canBeReplicated(producer));
}

/// True if nothing else has the same definition.
static bool standsAlone(Value value) {
  Operation *producer = value.getDefiningOp();
  return producer && producer->getNumResults() == 1;
}

void LocalUses::leave(SharedUses uses) {
  for (const WantedUse &wanted : uses)
    left.set(wanted.user);
}

static uintptr_t getAddress(const WantedUse &wanted) {
  return reinterpret_cast<uintptr_t>(wanted.value.getAsOpaquePointer());
}

/// Spreads uses over ranges of addresses of a few uses each, in which they keep
/// their order. Returns where the ranges end.
static SmallVector<size_t, 0> spread(MutableArrayRef<WantedUse> uses,
                                     uintptr_t lowest, uintptr_t highest,
                                     MutableArrayRef<WantedUse> buffer) {
  constexpr size_t kUsesPerRange = 32;
  size_t numRanges = uses.size() / kUsesPerRange + 1;
  uintptr_t size = (highest - lowest) / numRanges + 1;
  auto getRange = [&](const WantedUse &use) {
    return (getAddress(use) - lowest) / size;
  };
  SmallVector<size_t, 0> ends(numRanges + 1, 0);
  for (const WantedUse &use : uses)
    ++ends[getRange(use) + 1];
  std::partial_sum(ends.begin(), ends.end(), ends.begin());
  for (const WantedUse &use : uses)
    buffer[ends[getRange(use)]++] = use;
  llvm::copy(buffer.take_front(uses.size()), uses.begin());
  ends.pop_back();
  return ends;
}

/// Sorts uses, which are in the order of the program, by the addresses of their
/// values, in linear time unless addresses are very uneven. The buffer is as
/// large.
static void sortByAddress(MutableArrayRef<WantedUse> uses,
                          MutableArrayRef<WantedUse> buffer) {
  constexpr size_t kFewUses = 128;
  auto isBefore = [](const WantedUse &a, const WantedUse &b) {
    return getAddress(a) < getAddress(b);
  };
  if (uses.size() <= kFewUses)
    return llvm::stable_sort(uses, isBefore);
  auto [first, last] = std::minmax_element(uses.begin(), uses.end(), isBefore);
  uintptr_t lowest = getAddress(*first), highest = getAddress(*last);
  if (lowest == highest) // One value with many uses.
    return;
  size_t begin = 0;
  for (size_t end : spread(uses, lowest, highest, buffer)) {
    sortByAddress(uses.slice(begin, end - begin), buffer);
    begin = end;
  }
}

/// The uses of each value, in the order of their addresses.
static SmallVector<SharedUses, 0> splitByValue(ArrayRef<WantedUse> wanted) {
  SmallVector<SharedUses, 0> values;
  while (!wanted.empty()) {
    values.push_back(wanted.take_while([&](const WantedUse &use) {
      return use.value == wanted.front().value;
    }));
    wanted = wanted.drop_front(values.back().size());
  }
  return values;
}

/// Loads the producers of the values behind `i`, the values first.
static void prefetchProducers(ArrayRef<SharedUses> values, size_t i) {
  constexpr size_t kValues = 24, kProducers = 16;
  if (i + kValues < values.size())
    __builtin_prefetch(values[i + kValues].front().value.getAsOpaquePointer());
  if (i + kProducers < values.size())
    if (Operation *producer =
            values[i + kProducers].front().value.getDefiningOp())
      prefetch(producer);
}

/// True if a copy behind the definition may serve the use. Others are left.
bool LocalUses::isWanted(const WantedUse &use, DeviceAttr actual) {
  Value value = use.value;
  if (!isa<TensorType>(value.getType()) ||
      (actual && (!use.device || use.device == actual)))
    return false;
  if (actual && use.block == value.getParentBlock())
    return true;
  left.set(use.user);
  return false;
}

/// By address: values that follow each other in the program tend to do so in
/// memory, and what is near is soon placed.
void LocalUses::group() {
  {
    SmallVector<WantedUse, 0> buffer(wanted.size());
    sortByAddress(wanted, buffer);
  }
  SmallVector<SharedUses, 0> values = splitByValue(wanted), siblings;
  size_t kept = 0;
  for (size_t i = 0; i < values.size(); ++i) {
    prefetchProducers(values, i);
    Value value = values[i].front().value;
    DeviceAttr actual = getRankedDevice(value.getType());
    size_t first = kept;
    for (const WantedUse &use : values[i])
      if (isWanted(use, actual))
        wanted[kept++] = use;
    if (first == kept)
      continue;
    SharedUses uses = ArrayRef(wanted).slice(first, kept - first);
    if (!canShare(uses))
      leave(uses);
    else
      (standsAlone(value) ? shared : siblings).push_back(uses);
  }
  llvm::sort(siblings, [](SharedUses a, SharedUses b) {
    return std::pair(a.front().user, a.front().use) <
           std::pair(b.front().user, b.front().use);
  });
  llvm::append_range(shared, siblings);
}

LocalUses::LocalUses(DeviceConstraints &constraints, ValueDevices &devices,
                     const TensorCaptures &captures, ArrayRef<Operation *> ops)
    : constraints(constraints), devices(devices), captures(captures),
      left(ops.size()) {
  constexpr size_t kOperations = 16, kAhead = 6;
  for (auto [i, op] : llvm::enumerate(ops)) {
    if (!captures.areKnown())
      prefetchBodies(ops, i);
    else if (i + kOperations < ops.size())
      prefetch(ops[i + kOperations]);
    if (i + kAhead < ops.size())
      for (Value value : ops[i + kAhead]->getOperands())
        devices.prefetch(value);
    gather(op, i);
  }
  group();
}

SmallVector<Operation *, 0>
LocalUses::getLeft(ArrayRef<Operation *> ops) const {
  SmallVector<Operation *, 0> others;
  others.reserve(left.count());
  for (unsigned number : left.set_bits())
    others.push_back(ops[number]);
  return others;
}

void mlir::hetero::prefetchPlacing(ArrayRef<SharedUses> values, size_t i) {
  constexpr size_t kValues = 32, kUses = 16, kNextUses = 8;
  if (i + kValues < values.size())
    __builtin_prefetch(values[i + kValues].front().value.getAsOpaquePointer());
  if (i + kUses < values.size()) {
    const WantedUse &first = values[i + kUses].front();
    if (Operation *producer = first.value.getDefiningOp())
      prefetch(producer);
    for (const WantedUse &wanted : values[i + kUses].take_front(4))
      __builtin_prefetch(wanted.use, /*rw=*/1);
  }
  if (i + kNextUses < values.size()) {
    if (Operation *producer =
            values[i + kNextUses].front().value.getDefiningOp()) {
      prefetchNext(producer);
      __builtin_prefetch(producer->getLoc().getAsOpaquePointer());
    }
    for (const WantedUse &wanted : values[i + kNextUses].take_front(4))
      __builtin_prefetch(wanted.use->getNextOperandUsingThisValue(), /*rw=*/1);
  }
}

void mlir::hetero::prefetchUses(SharedUses uses, size_t i) {
  constexpr size_t kUses = 16, kNextUses = 8;
  if (i + kUses < uses.size())
    __builtin_prefetch(uses[i + kUses].use, /*rw=*/1);
  if (i + kNextUses < uses.size())
    __builtin_prefetch(uses[i + kNextUses].use->getNextOperandUsingThisValue(),
                       /*rw=*/1);
}
