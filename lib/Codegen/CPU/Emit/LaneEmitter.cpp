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
  Values partial = context.reductions.emitSums(
      context.sums.widen(createNeutral(tile)), [&](Values outer) {
        return emitVectorBlocks(
            nest, outer,
            [&](Values inner, const TileShape &shape) {
              return shape.lanes == 1 ? inner : accumulate(inner, tile, shape);
            },
            &context.sums);
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

/// The ragged end, element by element.
SmallVector<Value> LaneEmitter::emitScalarEnd(Values tensors,
                                              const TileShape &tile) {
  unsigned loop = nest.plan.vectorLoop;
  OpFoldResult size = nest.sizes[loop];
  SmallVector<Cell> cells = getCells({tile.rows, 1, 1, {}, tile.inner});
  Values sums;
  for (const Cell &cell : cells)
    for (auto [init, tensor] :
         llvm::zip_equal(nest.op.getDpsInitsMutable(), tensors))
      sums.push_back(context.vectors.load(&init, tensor, cell));
  sums =
      context.reductions.emitSums(context.sums.widen(sums), [&](Values outer) {
        return context.sums.emitLoop(
            loop, nest.roundDown(size, nest.plan.lanes), size, 1, outer,
            [&](Value index, Values inner) {
              nest.indices[loop] = index;
              return emitScalarStep(inner, cells);
            });
      });
  sums = context.sums.narrow(sums);
  for (auto [index, sum] : llvm::enumerate(sums)) {
    unsigned result = index % tensors.size();
    tensors[result] =
        context.results.store(nest.op.getDpsInitOperand(result), sum,
                              tensors[result], cells[index / tensors.size()]);
  }
  return tensors;
}

/// One element of every row.
SmallVector<Value> LaneEmitter::emitScalarStep(Values sums,
                                               ArrayRef<Cell> cells) {
  context.loads.clear();
  size_t results = nest.op.getNumDpsInits();
  for (auto [index, cell] : llvm::enumerate(cells)) {
    MutableArrayRef<Value> old =
        MutableArrayRef(sums).slice(index * results, results);
    llvm::copy(body.emit(cell, old), old.begin());
  }
  return sums;
}

static arith::FastMathFlags getFlags(Operation *combiner) {
  auto math = dyn_cast<arith::ArithFastMathInterface>(combiner);
  return math ? math.getFastMathFlagsAttr().getValue()
              : arith::FastMathFlags::none;
}

/// One vector of the partial results of an element, added in pairs.
Value LaneEmitter::addVectors(unsigned result, ArrayRef<Value> vectors) {
  Operation *combiner = getCombiner(nest.op, result);
  vector::CombiningKind kind = *linalg::getCombinerOpKind(combiner);
  auto flags =
      arith::FastMathFlagsAttr::get(combiner->getContext(), getFlags(combiner));
  Values sums(vectors);
  for (; sums.size() > 1; sums.resize(llvm::divideCeil(sums.size(), 2)))
    for (size_t pair = 0; pair < sums.size() / 2; ++pair)
      sums[pair] =
          vector::makeArithReduction(nest.rewriter, nest.loc, kind, sums[pair],
                                     sums[sums.size() - 1 - pair], flags);
  return sums.front();
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
    Cell element{cell.row, 0, 1, {}, cell.inner};
    Values sums;
    for (unsigned result = 0; result < results; ++result)
      sums.push_back(context.results.loadStart(result, tensors[result], element,
                                               context.vectors));
    sums = context.sums.widen(sums);
    for (unsigned result = 0; result < results; ++result) {
      Values vectors;
      for (int64_t vector = 0; vector < nest.plan.vectors; ++vector)
        vectors.push_back(
            accumulators[(index + vector * tile.inner) * results + result]);
      sums[result] =
          addLanes(result, addVectors(result, vectors), sums[result]);
    }
    sums = context.sums.narrow(sums);
    for (auto [result, init] : llvm::enumerate(nest.op.getDpsInitsMutable()))
      tensors[result] =
          context.results.store(&init, sums[result], tensors[result], element);
  }
  return tensors;
}
