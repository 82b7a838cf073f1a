//===- MemoryRanges.cpp - The bytes that a buffer names -------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MemoryRanges.h"

#include "hetero/Dialect/Hetero/IR/DeviceKind.h"
#include "hetero/Transforms/Schedule/Streams.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/CallInterfaces.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

using namespace mlir;
using namespace mlir::hetero;

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
MemoryLocator::Escapes MemoryLocator::findEscapes(Value alloc) {
  auto [known, isNew] = escapes.try_emplace(alloc);
  if (!isNew)
    return known->second;
  for (Operation *user : getBufferUsers(alloc)) {
    known->second.hasAliases |= mayRename(user);
    known->second.isPassed |= isa<CallOpInterface>(user) && !isHostWork(user);
  }
  return known->second;
}

std::optional<MemoryRange> MemoryLocator::locate(Value buffer) {
  Value root = getRootBuffer(buffer);
  MemoryRange range;
  range.root = range.place = root.getAsOpaquePointer();
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
    if (memref::ViewOp view = findArenaView(buffer)) {
      range.place = Value(view).getAsOpaquePointer();
      narrow(range, view);
    }
    return range;
  }
  bool isArgument = isEntry && isa<BlockArgument>(root) &&
                    root.getParentBlock() == &function.getBody().front();
  range.isAlias = !isArgument;
  return range;
}

/// True for memory that is only used by views of parts of it.
static bool isArena(Value buffer) {
  return llvm::all_of(buffer.getUsers(),
                      llvm::IsaPred<memref::ViewOp, memref::DeallocOp>);
}

const MemoryLocator::Origins &MemoryLocator::findOrigins(const void *place) {
  auto [known, isNew] = origins.try_emplace(place);
  Origins &found = known->second;
  if (!isNew)
    return found;
  if (!flow)
    flow.emplace(function);
  for (Value value : flow->resolveReverse(Value::getFromOpaquePointer(place))) {
    Value root = getRootBuffer(value);
    Operation *source = root.getDefiningOp();
    if (isa_and_present<memref::AllocOp, memref::AllocaOp>(source)) {
      if (value != root || !isArena(root))
        found.ranges.push_back(*locate(value));
    } else if (root.getParentBlock() == &function.front() && !source) {
      MemoryRange argument = *locate(root);
      // Callers may pass the same memory twice, but nothing that is new here.
      if (!isEntry)
        argument.root = function.getOperation();
      found.ranges.push_back(argument);
    } else {
      Operation *parent =
          source ? source : root.getParentBlock()->getParentOp();
      found.isKnown &= isa<RegionBranchOpInterface>(parent);
    }
  }
  return found;
}

bool MemoryLocator::mayBeSame(const void *place, const void *other) {
  const Origins &a = findOrigins(place), &b = findOrigins(other);
  return !a.isKnown || !b.isKnown ||
         llvm::any_of(a.ranges, [&](const MemoryRange &range) {
           return llvm::any_of(b.ranges, [&](const MemoryRange &origin) {
             return range.overlaps(origin);
           });
         });
}
