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

/// True if the body of an operation that is placed as a whole reads tensors
/// from outside.
static bool capturesTensors(Operation *op) {
  auto isCaptured = [&](Operation *inner, Value value) {
    return value.getParentBlock() != inner->getBlock() &&
           isa<TensorType>(value.getType()) &&
           !op->isAncestor(value.getParentBlock()->getParentOp());
  };
  auto captures = [&](Operation *inner) {
    return llvm::any_of(inner->getOperands(),
                        [&](Value value) { return isCaptured(inner, value); });
  };
  for (Region &region : op->getRegions())
    for (Operation &inner : region.getOps())
      if (captures(&inner) || (inner.getNumRegions() != 0 &&
                               inner
                                   .walk([&](Operation *nested) {
                                     return captures(nested)
                                                ? WalkResult::interrupt()
                                                : WalkResult::advance();
                                   })
                                   .wasInterrupted()))
        return true;
  return false;
}

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
      !op->hasTrait<OpTrait::IsIsolatedFromAbove>() && capturesTensors(op))
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

/// Loads the producers of the values behind `i`, the values first.
static void prefetchProducers(ArrayRef<WantedUse> wanted, size_t i) {
  constexpr size_t kValues = 48, kProducers = 24;
  if (i + kValues < wanted.size())
    __builtin_prefetch(wanted[i + kValues].value.getAsOpaquePointer());
  if (i + kProducers < wanted.size())
    if (Operation *producer = wanted[i + kProducers].value.getDefiningOp())
      prefetch(producer);
}

static uintptr_t getAddress(const WantedUse &wanted) {
  return reinterpret_cast<uintptr_t>(wanted.value.getAsOpaquePointer());
}

/// Sorts uses, which are in the order of the program, by the addresses of their
/// values. First they are spread over ranges of addresses of a few uses each,
/// so that the time is linear.
static SmallVector<WantedUse, 0> sortByAddress(ArrayRef<WantedUse> wanted) {
  constexpr size_t kUsesPerRange = 32;
  auto [lowest, highest] = std::minmax_element(
      wanted.begin(), wanted.end(), [](const WantedUse &a, const WantedUse &b) {
        return getAddress(a) < getAddress(b);
      });
  uintptr_t first = getAddress(*lowest);
  size_t numRanges = wanted.size() / kUsesPerRange + 1;
  uintptr_t size = (getAddress(*highest) - first) / numRanges + 1;
  auto getRange = [&](const WantedUse &use) {
    return (getAddress(use) - first) / size;
  };
  SmallVector<size_t, 0> ends(numRanges + 1, 0);
  for (const WantedUse &use : wanted)
    ++ends[getRange(use) + 1];
  std::partial_sum(ends.begin(), ends.end(), ends.begin());
  SmallVector<WantedUse, 0> sorted(wanted.size());
  for (const WantedUse &use : wanted)
    sorted[ends[getRange(use)]++] = use;
  size_t begin = 0;
  for (size_t end : ArrayRef(ends).drop_back()) {
    llvm::sort(sorted.begin() + begin, sorted.begin() + end,
               [](const WantedUse &a, const WantedUse &b) {
                 return std::tuple(getAddress(a), a.user, a.use) <
                        std::tuple(getAddress(b), b.user, b.use);
               });
    begin = end;
  }
  return sorted;
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
  if (wanted.empty())
    return;
  wanted = sortByAddress(wanted);
  SmallVector<SharedUses, 0> siblings;
  size_t kept = 0;
  for (size_t begin = 0, end = 0; begin < wanted.size(); begin = end) {
    prefetchProducers(wanted, begin);
    Value value = wanted[begin].value;
    DeviceAttr actual = getRankedDevice(value.getType());
    size_t first = kept;
    for (; end < wanted.size() && wanted[end].value == value; ++end)
      if (isWanted(wanted[end], actual))
        wanted[kept++] = wanted[end];
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
                     ArrayRef<Operation *> ops)
    : constraints(constraints), devices(devices), left(ops.size()) {
  for (auto [i, op] : llvm::enumerate(ops)) {
    prefetchBodies(ops, i);
    constexpr size_t kAhead = 6;
    if (i + kAhead < ops.size())
      for (Value value : ops[i + kAhead]->getOperands())
        devices.prefetch(value);
    gather(op, i);
  }
  group();
}

void LocalUses::keepLeft(SmallVectorImpl<Operation *> &ops) const {
  size_t numLeft = 0;
  for (unsigned number : left.set_bits())
    ops[numLeft++] = ops[number];
  ops.truncate(numLeft);
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
            values[i + kNextUses].front().value.getDefiningOp())
      prefetchNext(producer);
    for (const WantedUse &wanted : values[i + kNextUses].take_front(4))
      __builtin_prefetch(wanted.use->getNextOperandUsingThisValue(), /*rw=*/1);
  }
}
