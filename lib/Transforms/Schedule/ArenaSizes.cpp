//===- ArenaSizes.cpp - Arenas whose size is known at run time ------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An arena is laid out for the sizes that the compiler assumes. That says which
// of two buffers that live at once is before the other; where they are follows
// from sizes at run time: each begins where the last one ends that is before
// it. For
//
//   a: 0 to 512    b: 512 to 1024    c: 0 to 768    d: 1024 to 1280
//
// of which all but a and c live at once, d begins at max(end of b, end of c).
// Buffers whose sizes grow alike thus have the layout that was found, scaled.
//
//===----------------------------------------------------------------------===//

#include "ArenaSizes.h"

#include "hetero/Dialect/Hetero/IR/TensorSizes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/SetVector.h"
#include <map>

using namespace mlir;
using namespace mlir::hetero;

/// The most operations that compute one size.
static constexpr unsigned kMostSteps = 32;

//===----------------------------------------------------------------------===//
// Sizes
//===----------------------------------------------------------------------===//

/// True for the entry's argument of a function.
static bool isFunctionArgument(Value value) {
  auto argument = dyn_cast<BlockArgument>(value);
  return argument && argument.getOwner()->isEntryBlock() &&
         isa<FunctionOpInterface>(argument.getOwner()->getParentOp());
}

/// True if the operation says the same at the entry, where its operands are
/// there.
static bool mayMoveToEntry(Operation *op) {
  if (auto dim = dyn_cast<memref::DimOp>(op))
    return isFunctionArgument(dim.getSource()) &&
           dim.getConstantIndex().has_value();
  return op->getNumRegions() == 0 && isMemoryEffectFree(op) &&
         isSpeculatable(op) &&
         llvm::none_of(op->getOperandTypes(), llvm::IsaPred<ShapedType>);
}

/// The operations that compute the value from what the entry has, in their
/// order; none if there are others.
static std::optional<SmallVector<Operation *>> findSteps(Value value) {
  SmallVector<Operation *> order, stack;
  llvm::SmallPtrSet<Operation *, 8> seen;
  auto visit = [&](Value operand) {
    if (Operation *op = operand.getDefiningOp()) {
      stack.push_back(op);
      return true;
    }
    return isFunctionArgument(operand);
  };
  if (!visit(value))
    return std::nullopt;
  while (!stack.empty()) {
    Operation *op = stack.back();
    if (seen.contains(op)) {
      stack.pop_back();
      if (!llvm::is_contained(order, op))
        order.push_back(op);
      continue;
    }
    seen.insert(op);
    if (seen.size() > kMostSteps || !mayMoveToEntry(op) ||
        !llvm::all_of(op->getOperands(), visit))
      return std::nullopt;
  }
  return order;
}

bool mlir::hetero::isSizedAtEntry(memref::AllocOp alloc) {
  return alloc.getType().getLayout().isIdentity() &&
         alloc.getSymbolOperands().empty() &&
         llvm::all_of(alloc.getDynamicSizes(),
                      [](Value size) { return findSteps(size).has_value(); });
}

/// True if the size is no less than zero wherever it comes from.
static bool isNonNegative(Value size) {
  std::optional<int64_t> constant = getConstantIntValue(size);
  return size.getDefiningOp<memref::DimOp>() || (constant && *constant >= 0);
}

//===----------------------------------------------------------------------===//
// Offsets
//===----------------------------------------------------------------------===//

namespace {
/// The bytes of a buffer: a number times sizes that are not known, which are
/// numbered.
struct Bytes {
  int64_t factor;
  SmallVector<unsigned, 2> sizes;

  bool operator<(const Bytes &other) const {
    return std::tie(factor, sizes) < std::tie(other.factor, other.sizes);
  }
};

/// A buffer, its size, where it begins and where it ends.
struct Slot {
  ArenaPlace place;
  Value size, offset = {}, stop = {};
  /// No other begins where this one ends.
  bool isLast = true;
};

/// Computes the offsets of one arena.
class OffsetBuilder {
public:
  OffsetBuilder(OpBuilder &builder, Location loc, int64_t alignment)
      : builder(builder), loc(loc), alignment(alignment) {}

  ArenaOffsets run(ArrayRef<ArenaPlace> places);

private:
  Value getSize(memref::AllocOp alloc, ArrayRef<Value> sizes);
  Value computeSize(const Bytes &bytes);
  Value moveToEntry(Value value);
  void place(Slot &slot, ArrayRef<Slot *> before);
  Value getMaximum(ArrayRef<Value> values);
  Value getConstant(int64_t value) {
    return arith::ConstantIndexOp::create(builder, loc, value);
  }

  OpBuilder &builder;
  Location loc;
  int64_t alignment;
  Value zero;
  /// What was computed at the entry before.
  IRMapping atEntry;
  llvm::SetVector<Value> unknown;
  std::map<Bytes, Value> known;
  /// By what they are the maximum of.
  llvm::DenseMap<std::pair<Value, Value>, Value> maxima;
  llvm::DenseMap<std::pair<Value, Value>, Value> sums;
};
} // namespace

Value OffsetBuilder::moveToEntry(Value value) {
  auto steps = *findSteps(value);
  for (Operation *op : steps)
    if (!atEntry.contains(op->getResult(0)))
      builder.clone(*op, atEntry);
  return atEntry.lookupOrDefault(value);
}

/// Padded. Programs check sizes before they use them, but perhaps not before
/// their entry is through: less than none are none.
Value OffsetBuilder::computeSize(const Bytes &bytes) {
  Value size = getConstant(bytes.factor);
  bool mayBeNegative = false;
  for (unsigned number : bytes.sizes) {
    size = builder.createOrFold<arith::MulIOp>(loc, unknown[number], size);
    mayBeNegative |= !isNonNegative(unknown[number]);
  }
  if (mayBeNegative)
    size = builder.createOrFold<arith::MaxSIOp>(loc, size, getConstant(0));
  if (bytes.factor % alignment == 0)
    return size;
  size = builder.createOrFold<arith::AddIOp>(loc, size,
                                             getConstant(alignment - 1));
  return builder.createOrFold<arith::AndIOp>(loc, size,
                                             getConstant(-alignment));
}

/// The same value for the same sizes.
Value OffsetBuilder::getSize(memref::AllocOp alloc, ArrayRef<Value> sizes) {
  Bytes bytes{getStaticBytes(alloc.getType()), {}};
  for (Value size : sizes) {
    unknown.insert(size);
    bytes.sizes.push_back(llvm::find(unknown, size) - unknown.begin());
  }
  llvm::sort(bytes.sizes);
  Value &size = known[bytes];
  if (!size)
    size = computeSize(bytes);
  return size;
}

/// Zero if there is none.
Value OffsetBuilder::getMaximum(ArrayRef<Value> values) {
  if (values.empty())
    return zero;
  Value most = values.front();
  for (Value next : values.drop_front()) {
    if (next == most)
      continue;
    Value &known = maxima[{most, next}];
    if (!known)
      known = builder.createOrFold<arith::MaxSIOp>(loc, most, next);
    most = known;
  }
  return most;
}

/// Right before a buffer are those before it that live at the same time as it,
/// unless another one of these is between. `before` is in the order of begins.
void OffsetBuilder::place(Slot &slot, ArrayRef<Slot *> before) {
  SmallVector<Slot *> below;
  for (Slot *other : llvm::reverse(before)) {
    auto isBelow = [&](const Slot &next) {
      return other->place.end <= next.place.begin &&
             liveAtOnce(other->place.life, next.place.life);
    };
    if (isBelow(slot) &&
        llvm::none_of(below, [&](Slot *between) { return isBelow(*between); }))
      below.push_back(other);
  }
  SmallVector<Value> stops;
  for (Slot *other : llvm::reverse(below)) {
    other->isLast = false;
    stops.push_back(other->stop);
  }
  slot.offset = getMaximum(stops);
  Value &sum = sums[{slot.offset, slot.size}];
  if (!sum)
    sum = builder.createOrFold<arith::AddIOp>(loc, slot.offset, slot.size);
  slot.stop = sum;
}

ArenaOffsets OffsetBuilder::run(ArrayRef<ArenaPlace> places) {
  ArenaOffsets result;
  SmallVector<Slot, 0> slots;
  for (ArenaPlace place : places) {
    SmallVector<Value> sizes =
        llvm::map_to_vector(place.alloc.getDynamicSizes(),
                            [&](Value size) { return moveToEntry(size); });
    slots.push_back({place, getSize(place.alloc, sizes)});
    result.sizes.push_back(sizes);
  }
  zero = getConstant(0);
  SmallVector<Slot *> order;
  for (Slot &slot : slots)
    order.push_back(&slot);
  llvm::stable_sort(order, [](const Slot *a, const Slot *b) {
    return a->place.begin < b->place.begin;
  });
  for (auto [index, slot] : llvm::enumerate(order))
    place(*slot, ArrayRef(order).take_front(index));
  SmallVector<Value> stops;
  for (const Slot &slot : slots) {
    if (slot.isLast)
      stops.push_back(slot.stop);
    result.offsets.push_back(slot.offset);
  }
  result.bytes = getMaximum(stops);
  return result;
}

ArenaOffsets mlir::hetero::computeArena(OpBuilder &builder, Location loc,
                                        ArrayRef<ArenaPlace> places,
                                        int64_t alignment) {
  return OffsetBuilder(builder, loc, alignment).run(places);
}
