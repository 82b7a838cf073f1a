//===- CollapseLoops.cpp - Loops that all operands walk as one ------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A thread that has a linear position needs a division for each loop but the
// outermost to know its point. Where every operand lays the elements of two
// loops out one row after the other, their position stands for both:
//
//   (i, j) -> (i, j) on memref<?x?xf32> and again for the result: one group
//   (i, j, k) -> (k) besides: i and j are one group, k is another
//
// Shapes may be dynamic, since a layout without strides of its own is
// contiguous whatever the sizes are.
//
//===----------------------------------------------------------------------===//

#include "CollapseLoops.h"

using namespace mlir;
using namespace mlir::hetero;

SmallVector<unsigned> mlir::hetero::orderParallelLoops(linalg::LinalgOp op) {
  SmallVector<unsigned> parallel;
  op.getParallelDims(parallel);
  SmallVector<unsigned> order;
  AffineMap map = op.getMatchingIndexingMap(op.getDpsInitOperand(0));
  for (AffineExpr result : map.getResults())
    if (auto dim = dyn_cast<AffineDimExpr>(result))
      if (llvm::is_contained(parallel, dim.getPosition()) &&
          !llvm::is_contained(order, dim.getPosition()))
        order.push_back(dim.getPosition());
  SmallVector<unsigned> result;
  for (unsigned loop : parallel)
    if (!llvm::is_contained(order, loop))
      result.push_back(loop);
  result.append(order);
  return result;
}

/// Where an operand is indexed by `loop` and nothing else; none if it is not
/// once and alone.
static std::optional<unsigned> findDimension(AffineMap map, unsigned loop) {
  std::optional<unsigned> position;
  for (auto [index, result] : llvm::enumerate(map.getResults())) {
    if (!result.isFunctionOfDim(loop))
      continue;
    if (position || !isa<AffineDimExpr>(result))
      return std::nullopt;
    position = index;
  }
  return position;
}

/// True if a step along `outer` equals all steps along `inner`.
static bool isContiguous(MemRefType type, unsigned outer, unsigned inner) {
  if (outer >= inner)
    return false;
  if (type.getLayout().isIdentity()) {
    ArrayRef<int64_t> between =
        type.getShape().slice(outer + 1, inner - outer - 1);
    return llvm::all_of(between, [](int64_t size) { return size == 1; });
  }
  SmallVector<int64_t> strides;
  int64_t offset;
  if (failed(type.getStridesAndOffset(strides, offset)))
    return false;
  return !ShapedType::isDynamic(strides[outer]) &&
         !ShapedType::isDynamic(strides[inner]) && !type.isDynamicDim(inner) &&
         strides[outer] == strides[inner] * type.getDimSize(inner);
}

/// True if the operand walks through `outer` and `inner` as through one loop.
static bool walksAsOne(linalg::LinalgOp op, OpOperand &operand, unsigned outer,
                       unsigned inner) {
  auto type = dyn_cast<MemRefType>(operand.get().getType());
  AffineMap map = op.getMatchingIndexingMap(&operand);
  if (!type || (!map.isFunctionOfDim(outer) && !map.isFunctionOfDim(inner)))
    return true;
  std::optional<unsigned> first = findDimension(map, outer);
  std::optional<unsigned> second = findDimension(map, inner);
  return first && second && isContiguous(type, *first, *second);
}

bool mlir::hetero::walksAsOneLoop(linalg::LinalgOp op, OpOperand &operand,
                                  ArrayRef<SmallVector<unsigned>> groups) {
  for (size_t i = 1; i < groups.size(); ++i)
    if (!walksAsOne(op, operand, groups[i - 1].back(), groups[i].front()))
      return false;
  return true;
}

/// The loops whose index the body asks for.
static llvm::SmallDenseSet<unsigned> getIndexedLoops(linalg::LinalgOp op) {
  llvm::SmallDenseSet<unsigned> indexed;
  op.getBlock()->walk(
      [&](linalg::IndexOp index) { indexed.insert(index.getDim()); });
  return indexed;
}

LoopGroups mlir::hetero::collapseLoops(linalg::LinalgOp op,
                                       ArrayRef<unsigned> order) {
  SmallVector<int64_t> sizes = op.getStaticLoopRanges();
  llvm::SmallDenseSet<unsigned> indexed = getIndexedLoops(op);
  LoopGroups groups;
  for (unsigned loop : order) {
    if (sizes[loop] == 1)
      continue;
    bool joins = !groups.empty() && !indexed.contains(loop) &&
                 !indexed.contains(groups.back().back()) &&
                 llvm::all_of(op->getOpOperands(), [&](OpOperand &operand) {
                   return walksAsOne(op, operand, groups.back().back(), loop);
                 });
    if (!joins)
      groups.emplace_back();
    groups.back().push_back(loop);
  }
  return groups;
}
