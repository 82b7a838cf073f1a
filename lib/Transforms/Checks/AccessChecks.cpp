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

#include "ValueRanges.h"
#include "hetero/Transforms/Checks/SizeChecks.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Interfaces/LoopLikeInterface.h"

using namespace mlir;
using namespace mlir::hetero;

namespace {
/// What an access asks of one index: to be 0 or more, and, unless `count` is 0,
/// that so many elements from there on are inside of the dimension.
struct Demand {
  int64_t dim;
  Value index;
  int64_t count;
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
  void checkDemand(Value base, const Demand &demand);
  Value emitHolds(Value base, const Demand &demand);

  Operation *op;
  Location loc;
  OpBuilder builder;
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
  if (demand.count == 0 ||
      (demand.count == 1 && followsLoop(demand.index, base, demand.dim)))
    return true;
  return !ShapedType::isDynamic(size) && size >= demand.count &&
         range.smax().sle(size - demand.count);
}

/// 0 <= index <= size - count, of which no part overflows.
Value AccessChecker::emitHolds(Value base, const Demand &demand) {
  Value zero = arith::ConstantIndexOp::create(builder, loc, 0);
  Value isLeast = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::sge,
                                        demand.index, zero);
  if (demand.count == 0)
    return isLeast;
  int64_t size = cast<ShapedType>(base.getType()).getDimSize(demand.dim);
  Value end;
  if (!ShapedType::isDynamic(size))
    end = arith::ConstantIndexOp::create(builder, loc, size);
  else if (isa<MemRefType>(base.getType()))
    end = memref::DimOp::create(builder, loc, base, demand.dim);
  else
    end = tensor::DimOp::create(builder, loc, base, demand.dim);
  Value number = arith::ConstantIndexOp::create(builder, loc, demand.count);
  Value last = arith::SubIOp::create(builder, loc, end, number);
  Value isInside = arith::CmpIOp::create(
      builder, loc, arith::CmpIPredicate::sle, demand.index, last);
  return arith::AndIOp::create(builder, loc, isLeast, isInside);
}

void AccessChecker::checkDemand(Value base, const Demand &demand) {
  if (isProven(base, demand))
    return;
  bool isMemory = isa<MemRefType>(base.getType());
  std::string message =
      ("expected " + describe(op) + " to stay inside dimension " +
       Twine(demand.dim) + " of its " + (isMemory ? "memory" : "tensor") +
       "; pass indices that fit")
          .str();
  cf::AssertOp::create(builder, loc, emitHolds(base, demand), message);
  ++count;
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
    checkDemand(base, {place, index,
                       place < outer ? 1 : vector.getDimSize(place - outer)});
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
  if (transfer.getMask() || !isa<MemRefType, RankedTensorType>(base.getType()))
    return;
  VectorType vector = transfer.getVectorType();
  SmallVector<Demand> demands;
  for (auto [dim, index] : llvm::enumerate(transfer.getIndices()))
    demands.push_back({static_cast<int64_t>(dim), index, 1});
  for (auto [lane, expr] :
       llvm::enumerate(transfer.getPermutationMap().getResults()))
    if (auto dim = dyn_cast<AffineDimExpr>(expr))
      demands[dim.getPosition()].count =
          transfer.isDimInBounds(lane) ? vector.getDimSize(lane) : 0;
  for (const Demand &demand : demands)
    checkDemand(base, demand);
}

void AccessChecker::check() {
  if (auto load = dyn_cast<memref::LoadOp>(op))
    return checkElements(load.getMemRef(), load.getIndices(), load.getType());
  if (auto store = dyn_cast<memref::StoreOp>(op))
    return checkElements(store.getMemRef(), store.getIndices(),
                         store.getValueToStore().getType());
  if (auto update = dyn_cast<memref::AtomicRMWOp>(op))
    return checkElements(update.getMemref(), update.getIndices(),
                         update.getType());
  if (auto load = dyn_cast<vector::LoadOp>(op))
    return checkElements(load.getBase(), load.getIndices(), load.getType());
  if (auto store = dyn_cast<vector::StoreOp>(op))
    return checkElements(store.getBase(), store.getIndices(),
                         store.getValueToStore().getType());
  if (auto load = dyn_cast<affine::AffineReadOpInterface>(op))
    return checkMapped(load.getMemRef(), load.getAffineMap(),
                       load.getMapOperands(), load.getValue().getType());
  if (auto store = dyn_cast<affine::AffineWriteOpInterface>(op))
    return checkMapped(store.getMemRef(), store.getAffineMap(),
                       store.getMapOperands(),
                       store.getValueToStore().getType());
  checkTransfer(cast<VectorTransferOpInterface>(op));
}

int64_t mlir::hetero::insertAccessChecks(ModuleOp module) {
  SmallVector<Operation *> ops;
  module.walk([&](func::FuncOp function) {
    function.walk([&](Operation *op) {
      if (isa<memref::LoadOp, memref::StoreOp, memref::AtomicRMWOp,
              vector::LoadOp, vector::StoreOp, affine::AffineReadOpInterface,
              affine::AffineWriteOpInterface, VectorTransferOpInterface>(op))
        ops.push_back(op);
    });
  });
  int64_t count = 0;
  for (Operation *op : ops) {
    AccessChecker checker(op);
    checker.check();
    count += checker.getNumChecks();
  }
  return count;
}
