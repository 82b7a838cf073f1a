//===- AccessChecks.cpp - Run-time checks of memory accesses --------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A program's own loads and stores are compared with the sizes of what they
// access, where they are:
//
//   %n = memref.dim %m, %c0
//   %p = arith.cmpi ult, %i, %n
//   cf.assert %p, "expected memref.load at f.mlir:5:8 to stay inside ..."
//   %x = memref.load %m[%i] : memref<?xf32>
//
// What a compiler that follows this phase accesses, it has proven.
//
//===----------------------------------------------------------------------===//

#include "hetero/Transforms/Checks/AccessChecks.h"

#include "MaskLanes.h"
#include "ValueRanges.h"
#include "hetero/Transforms/Checks/SizeChecks.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::hetero;

namespace {
/// What an access asks of one index: to be 0 or more, and, unless `count` is 0,
/// that so many elements from there on are inside of the dimension.
struct Demand {
  int64_t dim;
  Value index;
  OpFoldResult count;
};

/// Inserts the assertions before one access and counts them.
class AccessChecker {
public:
  explicit AccessChecker(Operation *op)
      : op(op), loc(op->getLoc()), builder(op) {}

  void check();
  int64_t getNumChecks() const { return count; }

private:
  /// One element, or a vector along the last dimensions.
  void checkElements(Value base, ValueRange indices, Type accessed);
  void checkMapped(Value base, AffineMap map, ValueRange operands,
                   Type accessed);
  void checkTransfer(VectorTransferOpInterface transfer);
  /// What `on` selects of a vector along the last dimensions.
  void checkMasked(Value base, ValueRange indices, Value on);
  /// As many elements along the last dimension as `on` has.
  void checkPacked(Value base, ValueRange indices, Value on);
  /// An element of the last dimension for each lane.
  void checkLanes(Value base, ValueRange indices, Value places, Value on);

  void checkDemand(Value base, const Demand &demand);
  Value getSize(Value base, int64_t dim);
  Value emitHolds(Value base, const Demand &demand);
  void assertInside(Value base, int64_t dim, Value holds);
  OpFoldResult number(int64_t value) { return builder.getIndexAttr(value); }

  Operation *op;
  Location loc;
  OpBuilder builder;
  /// Set where nothing may be accessed at all, and nothing is demanded then.
  Value idle;
  int64_t count = 0;
};
} // namespace

/// True if a loop's variable is below the size of a dimension, as that or what
/// was allocated with it is the loop's bound.
static bool followsLoop(Value index, Value base, int64_t dim) {
  auto argument = dyn_cast<BlockArgument>(index);
  auto loop = argument ? dyn_cast_or_null<LoopLikeOpInterface>(
                             argument.getOwner()->getParentOp())
                       : LoopLikeOpInterface();
  auto variables = loop ? loop.getLoopInductionVars() : std::nullopt;
  auto bounds = loop ? loop.getLoopUpperBounds() : std::nullopt;
  if (!variables || !bounds)
    return false;
  auto found = llvm::find(*variables, index);
  if (found == variables->end())
    return false;
  Value bound =
      dyn_cast<Value>((*bounds)[std::distance(variables->begin(), found)]);
  if (!bound)
    return false;
  if (auto size = bound.getDefiningOp<ShapedDimOpInterface>())
    if (size.getShapedValue() == base &&
        getConstantIntValue(size.getDimension()) == dim)
      return true;
  auto alloc = base.getDefiningOp<memref::AllocOp>();
  return alloc && alloc.getType().isDynamicDim(dim) &&
         alloc.getDynamicSizes()[alloc.getType().getDynamicDimIndex(dim)] ==
             bound;
}

static bool isProven(Value base, const Demand &demand) {
  ConstantIntRanges range = getRange(demand.index);
  if (range.smin().isNegative())
    return false;
  int64_t size = cast<ShapedType>(base.getType()).getDimSize(demand.dim);
  std::optional<int64_t> count = getConstantIntValue(demand.count);
  if (count == 0 || (count == 1 && followsLoop(demand.index, base, demand.dim)))
    return true;
  int64_t most =
      count ? *count
            : getRange(cast<Value>(demand.count)).smax().getSExtValue();
  return !ShapedType::isDynamic(size) && size >= most &&
         range.smax().sle(size - most);
}

Value AccessChecker::getSize(Value base, int64_t dim) {
  int64_t size = cast<ShapedType>(base.getType()).getDimSize(dim);
  if (!ShapedType::isDynamic(size))
    return arith::ConstantIndexOp::create(builder, loc, size);
  if (isa<MemRefType>(base.getType()))
    return memref::DimOp::create(builder, loc, base, dim);
  return tensor::DimOp::create(builder, loc, base, dim);
}

/// 0 <= index <= size - count, of which no part overflows.
Value AccessChecker::emitHolds(Value base, const Demand &demand) {
  Value zero = arith::ConstantIndexOp::create(builder, loc, 0);
  Value isLeast = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::sge,
                                        demand.index, zero);
  if (getConstantIntValue(demand.count) == 0)
    return isLeast;
  Value end = getSize(base, demand.dim);
  Value number = getValueOrCreateConstantIndexOp(builder, loc, demand.count);
  Value last = arith::SubIOp::create(builder, loc, end, number);
  Value isInside = arith::CmpIOp::create(
      builder, loc, arith::CmpIPredicate::sle, demand.index, last);
  return arith::AndIOp::create(builder, loc, isLeast, isInside);
}

void AccessChecker::assertInside(Value base, int64_t dim, Value holds) {
  bool isMemory = isa<MemRefType>(base.getType());
  std::string message =
      ("expected " + describe(op) + " to stay inside dimension " + Twine(dim) +
       " of its " + (isMemory ? "memory" : "tensor") +
       "; pass indices that fit")
          .str();
  cf::AssertOp::create(builder, loc, holds, message);
  ++count;
}

void AccessChecker::checkDemand(Value base, const Demand &demand) {
  if (isProven(base, demand))
    return;
  Value holds = emitHolds(base, demand);
  if (idle)
    holds = arith::OrIOp::create(builder, loc, idle, holds);
  assertInside(base, demand.dim, holds);
}

void AccessChecker::checkElements(Value base, ValueRange indices,
                                  Type accessed) {
  auto type = dyn_cast<MemRefType>(base.getType());
  if (!type)
    return;
  auto vector = dyn_cast<VectorType>(accessed);
  // Elements may be vectors themselves.
  if (accessed == type.getElementType())
    vector = {};
  int64_t outer = type.getRank() - (vector ? vector.getRank() : 0);
  for (auto [dim, index] : llvm::enumerate(indices)) {
    int64_t place = static_cast<int64_t>(dim);
    checkDemand(base,
                {place, index,
                 number(place < outer ? 1 : vector.getDimSize(place - outer))});
  }
}

void AccessChecker::checkMapped(Value base, AffineMap map, ValueRange operands,
                                Type accessed) {
  SmallVector<Value> indices;
  for (AffineExpr expr : map.getResults()) {
    auto dim = dyn_cast<AffineDimExpr>(expr);
    indices.push_back(
        dim ? operands[dim.getPosition()]
            : affine::AffineApplyOp::create(
                  builder, loc,
                  AffineMap::get(map.getNumDims(), map.getNumSymbols(), expr),
                  operands)
                  .getResult());
  }
  checkElements(base, indices, accessed);
}

/// What is masked out is not accessed.
void AccessChecker::checkTransfer(VectorTransferOpInterface transfer) {
  Value base = transfer.getBase();
  if (!isa<MemRefType, RankedTensorType>(base.getType()))
    return;
  Value on = transfer.getMask();
  MaskLanes lanes(builder, loc, on);
  if (on)
    idle = lanes.isIdle();
  SmallVector<Demand> demands;
  for (auto [dim, index] : llvm::enumerate(transfer.getIndices()))
    demands.push_back({static_cast<int64_t>(dim), index, number(1)});
  AffineMap map = transfer.getPermutationMap();
  VectorType vector = transfer.getVectorType();
  for (auto [lane, expr] : llvm::enumerate(map.getResults()))
    if (auto dim = dyn_cast<AffineDimExpr>(expr))
      demands[dim.getPosition()].count =
          number(transfer.isDimInBounds(lane) ? vector.getDimSize(lane) : 0);
  // A mask has the dimensions that are accessed in the order of memory.
  int64_t maskDim = 0;
  for (Demand &demand : demands)
    if (on && map.isFunctionOfDim(demand.dim)) {
      if (getConstantIntValue(demand.count) != 0)
        demand.count = lanes.countToLast(maskDim);
      ++maskDim;
    }
  for (const Demand &demand : demands)
    checkDemand(base, demand);
}

void AccessChecker::checkMasked(Value base, ValueRange indices, Value on) {
  MaskLanes lanes(builder, loc, on);
  idle = lanes.isIdle();
  int64_t outer = indices.size() - cast<VectorType>(on.getType()).getRank();
  for (auto [dim, index] : llvm::enumerate(indices)) {
    int64_t place = static_cast<int64_t>(dim);
    checkDemand(base,
                {place, index,
                 place < outer ? number(1) : lanes.countToLast(place - outer)});
  }
}

void AccessChecker::checkPacked(Value base, ValueRange indices, Value on) {
  MaskLanes lanes(builder, loc, on);
  idle = lanes.isIdle();
  int64_t last = indices.size() - 1;
  for (auto [dim, index] : llvm::enumerate(indices)) {
    int64_t place = static_cast<int64_t>(dim);
    checkDemand(base,
                {place, index,
                 place < last ? number(1) : OpFoldResult(lanes.countOn())});
  }
}

/// True if each lane's place is inside of the last dimension.
static bool areProven(Value base, Value index, Value places) {
  ConstantIntRanges first = getRange(index), more = getRange(places);
  unsigned width = first.smin().getBitWidth();
  if (more.smin().getBitWidth() > width)
    return false;
  int64_t size = cast<ShapedType>(base.getType()).getShape().back();
  bool overflows = false, overflowsToo = false;
  APInt least = first.smin().sadd_ov(more.smin().sext(width), overflows);
  APInt most = first.smax().sadd_ov(more.smax().sext(width), overflowsToo);
  return !ShapedType::isDynamic(size) && !overflows && !overflowsToo &&
         least.isNonNegative() && most.slt(size);
}

void AccessChecker::checkLanes(Value base, ValueRange indices, Value places,
                               Value on) {
  if (!isa<MemRefType, RankedTensorType>(base.getType()))
    return;
  idle = MaskLanes(builder, loc, on).isIdle();
  for (auto [dim, index] : llvm::enumerate(indices.drop_back()))
    checkDemand(base, {static_cast<int64_t>(dim), index, number(1)});
  int64_t last = indices.size() - 1;
  if (areProven(base, indices.back(), places))
    return;
  auto type = VectorType::get(cast<VectorType>(places.getType()).getShape(),
                              builder.getIndexType());
  auto repeat = [&](Value value) {
    return vector::BroadcastOp::create(builder, loc, type, value);
  };
  if (places.getType() != type)
    places = arith::IndexCastOp::create(builder, loc, type, places);
  Value place =
      arith::AddIOp::create(builder, loc, repeat(indices.back()), places);
  Value isInside =
      arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ult, place,
                            repeat(getSize(base, last)));
  Value all = arith::ConstantOp::create(
      builder, loc,
      DenseElementsAttr::get(cast<ShapedType>(on.getType()), true));
  Value isOff = arith::XOrIOp::create(builder, loc, on, all);
  Value holds = arith::OrIOp::create(builder, loc, isOff, isInside);
  auto flat = VectorType::get(type.getNumElements(), builder.getI1Type());
  if (holds.getType() != flat)
    holds = vector::ShapeCastOp::create(builder, loc, flat, holds);
  assertInside(base, last,
               vector::ReductionOp::create(builder, loc,
                                           vector::CombiningKind::AND, holds));
}

/// A mask whose lanes cannot be counted before the processor is known.
static bool hasScalableMask(Operation *op) {
  return llvm::any_of(op->getOperandTypes(), [](Type type) {
    auto vector = dyn_cast<VectorType>(type);
    return vector && vector.isScalable() &&
           vector.getElementType().isInteger(1);
  });
}

void AccessChecker::check() {
  if (hasScalableMask(op))
    return;
  llvm::TypeSwitch<Operation *>(op)
      .Case([&](memref::LoadOp load) {
        checkElements(load.getMemRef(), load.getIndices(), load.getType());
      })
      .Case([&](memref::StoreOp store) {
        checkElements(store.getMemRef(), store.getIndices(),
                      store.getValueToStore().getType());
      })
      .Case([&](memref::AtomicRMWOp update) {
        checkElements(update.getMemref(), update.getIndices(),
                      update.getType());
      })
      .Case([&](vector::LoadOp load) {
        checkElements(load.getBase(), load.getIndices(), load.getType());
      })
      .Case([&](vector::StoreOp store) {
        checkElements(store.getBase(), store.getIndices(),
                      store.getValueToStore().getType());
      })
      .Case<vector::MaskedLoadOp, vector::MaskedStoreOp>([&](auto access) {
        checkMasked(access.getBase(), access.getIndices(), access.getMask());
      })
      .Case<vector::ExpandLoadOp, vector::CompressStoreOp>([&](auto access) {
        checkPacked(access.getBase(), access.getIndices(), access.getMask());
      })
      .Case<vector::GatherOp, vector::ScatterOp>([&](auto access) {
        checkLanes(access.getBase(), access.getOffsets(), access.getIndices(),
                   access.getMask());
      })
      .Case([&](affine::AffineReadOpInterface load) {
        checkMapped(load.getMemRef(), load.getAffineMap(),
                    load.getMapOperands(), load.getValue().getType());
      })
      .Case([&](affine::AffineWriteOpInterface store) {
        checkMapped(store.getMemRef(), store.getAffineMap(),
                    store.getMapOperands(), store.getValueToStore().getType());
      })
      .Case(
          [&](VectorTransferOpInterface transfer) { checkTransfer(transfer); });
}

int64_t mlir::hetero::insertAccessChecks(ModuleOp module) {
  SmallVector<Operation *> ops;
  module.walk([&](func::FuncOp function) {
    function.walk([&](Operation *op) { ops.push_back(op); });
  });
  int64_t count = 0;
  for (Operation *op : ops) {
    AccessChecker checker(op);
    checker.check();
    count += checker.getNumChecks();
  }
  return count;
}
