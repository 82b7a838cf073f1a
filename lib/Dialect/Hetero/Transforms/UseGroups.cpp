//===- UseGroups.cpp - Uses that share a copy behind a value --------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What is left is for those who place operations one by one, in the order of
// the program: captures, copies by the user, elements, unread destinations,
// what is repeated instead of copied, and values whose copies may stand in
// other blocks.
//
//===----------------------------------------------------------------------===//

#include "hetero/Dialect/Hetero/Transforms/UseGroups.h"

#include "hetero/Analysis/TensorCaptures.h"
#include "hetero/Dialect/Hetero/IR/PlacementModels.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/RegionKindInterface.h"

#include <numeric>

using namespace mlir;
using namespace mlir::hetero;

bool mlir::hetero::startsWindow(Operation *op) {
  Operation *parent = op->getParentOp();
  while (Operation *above = parent->getParentOp()) {
    Region &region = *op->getParentRegion();
    if (!region.hasOneBlock() || !mayHaveSSADominance(region))
      return false;
    op = parent;
    parent = above;
  }
  // Now one of those of the module, which nothing orders.
  return op->hasTrait<OpTrait::IsIsolatedFromAbove>();
}

void UseGroups::add(OpOperand &use, unsigned user) {
  if (devices.isSurelyNoTensor(use.get()))
    return;
  DeviceAttr device = constraints.getOperandDevice(use);
  if (device && devices.isSurelyOn(use.get(), device))
    return;
  wanted.push_back({use.get(), &use, use.getOwner()->getBlock(), device, user,
                    readsOperand(use)});
}

void UseGroups::gather(Operation *op, unsigned number) {
  if (isa<CopyOp, tensor::ExtractOp>(op)) {
    left.set(number);
    return;
  }
  for (OpOperand &use : op->getOpOperands())
    add(use, number);
  if (op->getNumRegions() != 0 && !constraints.hasPlacedRegions(op) &&
      capturesTensors(op))
    left.set(number);
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

/// True if a copy behind the definition is the one for the use. Others are
/// left.
bool UseGroups::wantsCopy(const WantedUse &use, DeviceAttr actual) {
  Value value = use.value;
  if (!isa<TensorType>(value.getType()) ||
      (actual && (!use.device || use.device == actual)))
    return false;
  if (actual && use.isRead &&
      (use.block == value.getParentBlock() ||
       sites.isBehindDefinition(value, use.block)))
    return true;
  left.set(use.user);
  return false;
}

void UseGroups::groupUses(MutableArrayRef<WantedUse> uses) {
  Value value = uses.front().value;
  DeviceAttr actual = getRankedDevice(value.getType());
  auto *end = llvm::remove_if(
      uses, [&](const WantedUse &use) { return !wantsCopy(use, actual); });
  uses = uses.take_front(end - uses.begin());
  if (uses.empty())
    return;
  Operation *producer = value.getDefiningOp();
  if (producer && canBeReplicated(producer)) {
    for (const WantedUse &use : uses)
      left.set(use.user);
    return;
  }
  bool standsAlone = producer && producer->getNumResults() == 1;
  while (!uses.empty()) {
    DeviceAttr device = uses.front().device;
    end = std::stable_partition(
        uses.begin(), uses.end(),
        [&](const WantedUse &use) { return use.device == device; });
    size_t size = end - uses.begin();
    (standsAlone ? groups : siblings).push_back(uses.take_front(size));
    uses = uses.drop_front(size);
  }
}

/// By address: values that follow each other in the program tend to do so in
/// memory, and what is near is soon placed.
void UseGroups::sort() {
  buffer.resize_for_overwrite(wanted.size());
  sortByAddress(wanted, buffer);
  values.clear();
  for (MutableArrayRef<WantedUse> rest = wanted; !rest.empty();) {
    values.push_back(rest.take_while(
        [&](const WantedUse &use) { return use.value == rest.front().value; }));
    rest = rest.drop_front(values.back().size());
  }
}

bool UseGroups::areNear() const {
  // Large enough for a few weights that the whole program reads.
  constexpr size_t kOperationsPerFarValue = 32;
  size_t numFar = llvm::count_if(values, [&](ArrayRef<WantedUse> uses) {
    uintptr_t address = getAddress(uses.front());
    return address < lowest || address > highest;
  });
  return numFar * kOperationsPerFarValue <= windowSize;
}

ArrayRef<UseGroup> UseGroups::groupNear() {
  if (waits)
    return {};
  sort();
  if (areNear())
    return groupSorted();
  waits = true;
  wanted.reserve(numOperations); // What is not used costs nothing.
  return {};
}

ArrayRef<UseGroup> UseGroups::group() {
  sort();
  return groupSorted();
}

ArrayRef<UseGroup> UseGroups::groupSorted() {
  groups.clear();
  siblings.clear();
  for (MutableArrayRef<WantedUse> uses : values)
    groupUses(uses);
  llvm::sort(siblings, [](UseGroup a, UseGroup b) {
    return std::pair(a.front().user, a.front().use) <
           std::pair(b.front().user, b.front().use);
  });
  llvm::append_range(groups, siblings);
  std::swap(wanted, buffer); // The groups stay, but nothing is wanted any more.
  wanted.clear();
  return groups;
}

void UseGroups::gather(ArrayRef<Operation *> ops) {
  lowest = UINTPTR_MAX, highest = 0;
  size_t begin = left.size();
  windowSize = ops.size() - begin;
  left.resize(ops.size());
  for (size_t i = begin; i < ops.size(); ++i) {
    auto address = reinterpret_cast<uintptr_t>(ops[i]);
    lowest = std::min(lowest, address);
    highest = std::max(highest, address);
    gather(ops[i], i);
  }
}

SmallVector<Operation *, 0>
UseGroups::getLeft(ArrayRef<Operation *> ops) const {
  SmallVector<Operation *, 0> others;
  others.reserve(left.count());
  for (unsigned number : left.set_bits())
    others.push_back(ops[number]);
  return others;
}
