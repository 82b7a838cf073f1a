//===- LaneEmitter.cpp - Emits sums along lanes ---------------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LaneEmitter.h"

#include "Codegen/CPU/Emit/Loops/LoopBlocks.h"
#include "Codegen/Match/NeutralElement.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Dialect/Vector/Utils/VectorUtils.h"

using namespace mlir;
using namespace mlir::hetero;

SmallVector<Value> LaneEmitter::emit(Values tensors, const TileShape &tile) {
  Values partial = context.reductions.emit(
      nest.reductionLoops, createNeutral(tile), [&](Values outer) {
        return emitVectorBlocks(
            nest, outer, [&](Values inner, const TileShape &shape) {
              return shape.lanes == 1 ? inner : accumulate(inner, tile, shape);
            });
      });
  tensors = reduce(correction.correctLanes(partial, tile), tensors, tile);
  return nest.plan.scalarTail ? emitScalarEnd(tensors, tile) : tensors;
}

/// What partial results start from.
SmallVector<Value> LaneEmitter::createNeutral(const TileShape &tile) {
  Values partial;
  size_t numCells = getCells(tile).size();
  for (size_t cell = 0; cell < numCells; ++cell)
    for (unsigned result = 0; result < nest.op.getNumDpsInits(); ++result) {
      TypedAttr neutral = getNeutralElement(getCombiner(nest.op, result));
      auto type = VectorType::get(nest.plan.lanes / nest.plan.getGroup(),
                                  neutral.getType());
      partial.push_back(arith::ConstantOp::create(
          nest.rewriter, nest.loc,
          DenseElementsAttr::get(type, Attribute(neutral))));
    }
  return partial;
}

/// One step of the partial results of the tile, of as many vectors as `shape`
/// has. Lanes past the end keep theirs.
SmallVector<Value> LaneEmitter::accumulate(Values accumulators,
                                           const TileShape &tile,
                                           const TileShape &shape) {
  context.loads.clear();
  unsigned results = nest.op.getNumDpsInits();
  for (auto [index, cell] : llvm::enumerate(getCells(tile))) {
    if (cell.vector >= shape.vectors)
      continue;
    MutableArrayRef<Value> old =
        MutableArrayRef(accumulators).slice(index * results, results);
    cell.lanes = shape.lanes;
    cell.mask = shape.mask;
    for (auto [result, value] : llvm::enumerate(body.emit(cell, old))) {
      Value next = nest.broadcast(value, shape.lanes);
      // Groups past the end are zeros.
      if (shape.mask && !nest.plan.narrow)
        next = arith::SelectOp::create(nest.rewriter, nest.loc, shape.mask,
                                       next, old[result]);
      old[result] = next;
    }
  }
  return accumulators;
}

/// The ragged end, accumulated in memory.
SmallVector<Value> LaneEmitter::emitScalarEnd(Values tensors,
                                              const TileShape &tile) {
  unsigned loop = nest.plan.vectorLoop;
  OpFoldResult size = nest.sizes[loop];
  return context.reductions.emit(
      nest.reductionLoops, tensors, [&](Values outer) {
        return nest.emitLoop(nest.roundDown(size, nest.plan.lanes), size, 1,
                             outer, [&](Value index, Values inner) {
                               nest.indices[loop] = index;
                               return emitScalarStep(inner, tile);
                             });
      });
}

/// One element of every row.
SmallVector<Value> LaneEmitter::emitScalarStep(Values tensors,
                                               const TileShape &tile) {
  context.loads.clear();
  for (const Cell &cell : getCells({tile.rows, 1, 1, {}, tile.inner})) {
    Values old;
    for (auto [init, tensor] :
         llvm::zip_equal(nest.op.getDpsInitsMutable(), tensors))
      old.push_back(context.vectors.load(&init, tensor, cell));
    Values values = body.emit(cell, old);
    for (auto [result, init] : llvm::enumerate(nest.op.getDpsInitsMutable()))
      tensors[result] =
          context.results.store(&init, values[result], tensors[result], cell);
  }
  return tensors;
}

static arith::FastMathFlags getFlags(Operation *combiner) {
  auto math = dyn_cast<arith::ArithFastMathInterface>(combiner);
  return math ? math.getFastMathFlagsAttr().getValue()
              : arith::FastMathFlags::none;
}

/// One vector of the partial results of an element.
Value LaneEmitter::addVectors(unsigned result, ArrayRef<Value> vectors) {
  Operation *combiner = getCombiner(nest.op, result);
  vector::CombiningKind kind = *linalg::getCombinerOpKind(combiner);
  auto flags =
      arith::FastMathFlagsAttr::get(combiner->getContext(), getFlags(combiner));
  Value sum = vectors.front();
  for (Value vector : vectors.drop_front())
    sum = vector::makeArithReduction(nest.rewriter, nest.loc, kind, sum, vector,
                                     flags);
  return sum;
}

/// The lanes of `sum` added to `old`, in any order.
Value LaneEmitter::addLanes(unsigned result, Value sum, Value old) {
  Operation *combiner = getCombiner(nest.op, result);
  return vector::ReductionOp::create(
      nest.rewriter, nest.loc, *linalg::getCombinerOpKind(combiner), sum, old,
      isa<FloatType>(old.getType())
          ? getFlags(combiner) | arith::FastMathFlags::reassoc
          : arith::FastMathFlags::none);
}

/// Adds the partial results of each element of the result to it.
SmallVector<Value> LaneEmitter::reduce(Values accumulators, Values tensors,
                                       const TileShape &tile) {
  unsigned results = nest.op.getNumDpsInits();
  for (auto [index, cell] : llvm::enumerate(getCells(tile))) {
    if (cell.vector != 0)
      continue;
    for (auto [result, init] : llvm::enumerate(nest.op.getDpsInitsMutable())) {
      Values vectors;
      for (int64_t vector = 0; vector < nest.plan.vectors; ++vector)
        vectors.push_back(
            accumulators[(index + vector * tile.inner) * results + result]);
      Value sum = addVectors(result, vectors);
      Cell element{cell.row, 0, 1, {}, cell.inner};
      Value old = context.results.loadStart(result, tensors[result], element,
                                            context.vectors);
      tensors[result] = context.results.store(&init, addLanes(result, sum, old),
                                              tensors[result], element);
    }
  }
  return tensors;
}
