//===- ProductResults.cpp - What becomes of sums of products --------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ProductResults.h"

#include "Codegen/Arithmetic/WidenSums.h"
#include "Codegen/GPU/Kernels/KernelOperands.h"
#include "Codegen/GPU/Kernels/KernelVectors.h"
#include "Codegen/GPU/Plan/LoopSteps.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace mlir::hetero;

int64_t ProductResults::getChunk() {
  Type type = getElementTypeOrSelf(init.get().getType());
  return kVectorBytes * 8 / type.getIntOrFloatBitWidth();
}

/// The epilogue's loop for one of the product's, which is a dimension of the
/// result.
unsigned ProductResults::getEpilogueLoop(unsigned loop) {
  AffineMap map = op.getMatchingIndexingMap(&init);
  return *map.getResultPosition(getAffineDimExpr(loop, builder.getContext()));
}

/// True if the result, and the epilogue, walk through two loops as one.
bool ProductResults::walkAsOne(unsigned outer, unsigned inner) {
  SmallVector<unsigned> loops[] = {{outer}, {inner}};
  if (!walksAsOneLoop(op, init, loops))
    return false;
  if (!epilogue)
    return true;
  SmallVector<unsigned> own[] = {{getEpilogueLoop(outer)},
                                 {getEpilogueLoop(inner)}};
  return !epilogue.hasIndexSemantics() &&
         llvm::all_of(epilogue->getOpOperands(), [&](OpOperand &operand) {
           return walksAsOneLoop(epilogue, operand, own);
         });
}

LoopGroups ProductResults::collapse(ArrayRef<unsigned> loops) {
  LoopGroups groups;
  for (unsigned loop : loops) {
    if (op.getStaticLoopRanges()[loop] == 1)
      continue;
    if (groups.empty() || !walkAsOne(groups.back().back(), loop))
      groups.emplace_back();
    groups.back().push_back(loop);
  }
  return groups;
}

/// True if no chunk of a row goes from one step of outer loops to the next.
bool ProductResults::keepsChunks() {
  if (columns.size() < 2)
    return !columns.empty();
  std::optional<int64_t> inner =
      getConstantIntValue(kernel.countIterations(columns.back()));
  return inner && *inner % getChunk() == 0;
}

/// The point of the epilogue's loops, which are the dimensions of the result.
SmallVector<Value> ProductResults::getEpiloguePoint() {
  SmallVector<Value> result;
  for (AffineExpr dim : op.getMatchingIndexingMap(&init).getResults())
    result.push_back(point[cast<AffineDimExpr>(dim).getPosition()]);
  return result;
}

/// True where the results along a row may be stored as vectors; null if not.
Value ProductResults::isVectorizable() {
  if (!keepsChunks() || !isContiguousAlong(op, init, columns.back().back()))
    return nullptr;
  Value rests = getMisalignment(kernel, init, columns.back());
  if (!epilogue)
    return isAligned(rests);
  SmallVector<unsigned> group;
  for (unsigned loop : columns.back())
    group.push_back(getEpilogueLoop(loop));
  unsigned loop = group.back();
  for (OpOperand *input : epilogue.getDpsInputOperands()) {
    if (!isRead(*input) || !movesAlong(*input, loop))
      continue;
    if (!isContiguousAlong(epilogue, *input, loop))
      return nullptr;
    rests = fold<arith::OrIOp>(rests, getMisalignment(kernel, *input, group));
  }
  return isAligned(rests);
}

/// True for the epilogue's operands other than the product's result.
bool ProductResults::isRead(OpOperand &operand) {
  return operand.get() != init.get();
}

bool ProductResults::movesAlong(OpOperand &operand, unsigned loop) {
  return isa<MemRefType>(operand.get().getType()) &&
         epilogue.getMatchingIndexingMap(&operand).isFunctionOfDim(loop);
}

void ProductResults::place(ArrayRef<Value> batchPoint) {
  point.assign(batchPoint.begin(), batchPoint.end());
  rows = collapse(plan.rows);
  columns = collapse(plan.columns);
  rowCount = kernel.importIndex(kernel.countIterations(plan.rows));
  columnCount = kernel.importIndex(kernel.countIterations(plan.columns));
  storesVectors = isVectorizable();
}

void ProductResults::store(Value row, Value column, LoadSums load) {
  auto storeEach = [&] {
    repeat(constant(getChunk()), [&](Value i) {
      Value position = add(column, i);
      onlyIf(less(position, columnCount), [&] {
        kernel.moveTo(position, columns, point);
        storeSums(load(i, 1));
      });
    });
  };
  auto storeRow = [&] {
    kernel.moveTo(row, rows, point);
    if (!storesVectors)
      return storeEach();
    Value fits = atMost(add(column, getChunk()), columnCount);
    auto storeAll = [&] {
      kernel.moveTo(column, columns, point);
      storeSums(load(constant(0), getChunk()));
    };
    onlyIf(both(storesVectors, fits), storeAll, storeEach);
  };
  onlyIf(less(row, rowCount), storeRow);
}

/// The operand's elements for `count` results from the current point on, or the
/// one that they share.
SmallVector<Value> ProductResults::loadFor(OpOperand &operand, int64_t count,
                                           ArrayRef<Value> loops, bool moves) {
  if (count > 1 && moves)
    return loadElements(kernel, operand, loops, count);
  return SmallVector<Value>(count, loadOperand(kernel, operand, loops));
}

/// Stores one result, or a chunk, at the current point.
void ProductResults::storeSums(ValueRange sums) {
  int64_t count = sums.size();
  SmallVector<Value> results;
  SmallVector<Value> olds = filler ? SmallVector<Value>(count, filler)
                                   : loadFor(init, count, point, true);
  for (auto [old, sum] : llvm::zip_equal(olds, sums))
    results.push_back(combine(old, sum));
  if (epilogue)
    runEpilogue(results);
  if (count > 1)
    return storeElements(kernel, init, point, results);
  storeOperand(kernel, init, point, results[0]);
}

void ProductResults::runEpilogue(MutableArrayRef<Value> results) {
  SmallVector<Value> loops = getEpiloguePoint();
  unsigned loop = columns.empty() ? 0 : getEpilogueLoop(columns.back().back());
  SmallVector<SmallVector<Value>> inputs;
  for (OpOperand &operand : epilogue->getOpOperands())
    inputs.push_back(isRead(operand) ? loadFor(operand, results.size(), loops,
                                               movesAlong(operand, loop))
                                     : SmallVector<Value>(results));
  for (auto [i, result] : llvm::enumerate(results)) {
    SmallVector<Value> arguments, own(loops);
    for (ArrayRef<Value> values : inputs)
      arguments.push_back(values[i]);
    own[loop] = add(loops[loop], i);
    result = cloneBodyOf(kernel, epilogue, arguments, own)[0];
  }
}

/// Adds in the type of the sums and rounds once.
Value ProductResults::combine(Value old, Value sum) {
  if (plan.isInteger())
    return arith::AddIOp::create(builder, loc, old, sum);
  old = convertFloat(builder, loc, old, sum.getType());
  Value result = arith::AddFOp::create(builder, loc, old, sum);
  return convertFloat(builder, loc, result,
                      getElementTypeOrSelf(init.get().getType()));
}
