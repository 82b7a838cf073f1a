//===- LoopEmitter.cpp - Emits loops over vectors for one operation -------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The loop structure. For a contraction (m, n, k) with rows along m and vectors
// along n:
//
//   for n in blocks of vectors * lanes, then of lanes, then masked
//     for m in blocks of rows, then what is left
//       load rows * vectors accumulators
//       for k: accumulators += broadcast(A[m, k]) * B[k, n]
//       store
//
// The first block of rows copies B[:, n] to a panel where reading it in place
// costs more.
//
//===----------------------------------------------------------------------===//

#include "LoopEmitter.h"

#include "Codegen/CPU/Emit/Loops/LoopBlocks.h"
#include "Codegen/CPU/Emit/Operands/PanelPacker.h"
#include "PixelEmitter.h"
#include "WindowEmitter.h"

using namespace mlir;
using namespace mlir::hetero;

SmallVector<Value> LoopEmitter::emit() {
  Values tensors =
      emitParallel(nest.parallelLoops, context.results.getDestinations());
  if (!nest.plan.panels.depth)
    return tensors;
  // What the first steps have started is in memory now.
  context.results.startFromMemory();
  int64_t depth = *nest.plan.panels.depth;
  return nest.emitLoop(nest.index(depth),
                       nest.sizes[nest.reductionLoops.front()], depth, tensors,
                       [&](Value index, Values carried) {
                         nest.firstStep = index;
                         return emitParallel(nest.parallelLoops, carried);
                       });
}

/// Nested loops over `loops`, and the blocks in them.
SmallVector<Value> LoopEmitter::emitParallel(ArrayRef<unsigned> loops,
                                             Values tensors) {
  if (loops.empty())
    return emitBlocks(tensors);
  unsigned loop = loops.front();
  return nest.emitLoop(nest.index(0), nest.sizes[loop], 1, tensors,
                       [&](Value index, Values carried) {
                         nest.indices[loop] = index;
                         return emitParallel(loops.drop_front(), carried);
                       });
}

/// The loops of the vectors and of the register tile.
SmallVector<Value> LoopEmitter::emitBlocks(Values tensors) {
  const VectorPlan &plan = nest.plan;
  if (plan.is<Passes>())
    return emitPasses(tensors);
  if (plan.is<WindowRows>())
    return WindowEmitter(context, tile).emit(tensors);
  if (plan.is<LaneSums>())
    return emitLaneRows(tensors);
  return emitVectorBlocks(nest, tensors,
                          [&](Values carried, const TileShape &shape) {
                            return emitRows(carried, shape);
                          });
}

/// Adds some steps of the reduction to the accumulators of a pass.
SmallVector<Value> LoopEmitter::addSteps(Value first, int64_t steps,
                                         Values accumulators,
                                         ArrayRef<Cell> cells) {
  for (int64_t step = 0; step < steps; ++step) {
    nest.indices[nest.reductionLoops.front()] =
        nest.apply(nest.symbol(0) + step, OpFoldResult(first));
    context.loads.clear();
    accumulators = tile.accumulate(accumulators, cells);
  }
  return accumulators;
}

/// Passes over all vectors, each of some steps of the reduction.
SmallVector<Value> LoopEmitter::emitPasses(Values tensors) {
  if (nest.plan.sums)
    return emitBlockedPasses(tensors);
  auto pass = [&](Value first, Values all, int64_t steps) {
    return emitVectorBlocks(
        nest, all, [&](Values inner, const TileShape &shape) {
          SmallVector<Cell> cells = getCells(shape);
          return tile.store(
              addSteps(first, steps, tile.load(inner, cells), cells), inner,
              cells);
        });
  };
  return emitPassBlocks(nest, tensors, pass);
}

/// The same of sums of which each pass is a block, and which are in memory of
/// their own in between. Where the number of steps is known, the first pass
/// begins with the results, and the last one writes them.
SmallVector<Value> LoopEmitter::emitBlockedPasses(Values tensors) {
  enum Place { Results, Sums };
  Values sums = wide.create(tensors, nest.plan.vectorLoop);
  auto pass = [&](Value first, Values all, int64_t steps, Place from,
                  Place to) {
    auto vectors = [&](Values inner, const TileShape &shape) {
      SmallVector<Cell> cells = getCells(shape);
      Values old = from == Results
                       ? context.sums.widen(tile.load(tensors, cells))
                       : wide.load(to == Sums ? inner : sums, cells);
      Values next = context.sums.emitBlock(old, [&](Values block) {
        return addSteps(first, steps, block, cells);
      });
      return to == Sums ? wide.store(next, inner, cells)
                        : tile.store(context.sums.narrow(next), inner, cells);
    };
    return emitVectorBlocks(nest, all, vectors);
  };
  int64_t steps = nest.plan.getPassSteps(), atEnds = 0, last = 0;
  OpFoldResult size = nest.sizes[nest.reductionLoops.front()];
  if (std::optional<int64_t> count = getConstantIntValue(size)) {
    atEnds = steps;
    last = (*count - 1) % steps + 1;
  }
  OpFoldResult end = nest.apply(nest.symbol(0) - last, {size});
  sums = pass(nest.createIndex(nest.index(0)), sums, atEnds, Results, Sums);
  auto middle = [&](Value first, Values all, int64_t count) {
    return pass(first, all, count, Sums, Sums);
  };
  sums = emitPassBlocks(nest, sums, middle, nest.index(atEnds), end);
  return pass(nest.createIndex(end), tensors, last, Sums, Results);
}

/// The rows whose sums are in lanes.
SmallVector<Value> LoopEmitter::emitLaneRows(Values tensors) {
  const VectorPlan &plan = nest.plan;
  OpFoldResult end = plan.rows ? nest.sizes[plan.rows->loop] : OpFoldResult();
  return emitRowBlocks(
      nest, tensors, nest.index(0), end, [&](Values carried, int64_t rows) {
        TileShape shape{rows, plan.vectors, plan.lanes, {}};
        if (!plan.inner)
          return lanes.emit(carried, shape);
        return emitInnerBlocks(nest, carried, [&](Values inner, int64_t count) {
          shape.inner = count;
          return lanes.emit(inner, shape);
        });
      });
}

/// The rows of one block of vectors, which share its panels.
SmallVector<Value> LoopEmitter::emitRows(Values tensors,
                                         const TileShape &shape) {
  const VectorPlan &plan = nest.plan;
  context.packed.clear();
  context.prepared.enterBlock(shape);
  PanelPacker packer(context);
  bool packs = packer.canPackWithRows();
  if (packs)
    tensors = tile.emitPacking(tensors, shape);
  else
    for (unsigned number : plan.panels.packed) {
      OpOperand *input = &nest.op->getOpOperand(number);
      context.packed.set(input, packer.pack(input, shape));
    }
  auto block = [&](Values carried, int64_t rows) {
    TileShape ofRows = shape;
    ofRows.rows = rows;
    if (!plan.inner)
      return tile.emit(carried, ofRows);
    return emitInnerBlocks(nest, carried, [&](Values inner, int64_t count) {
      ofRows.inner = count;
      return tile.emit(inner, ofRows);
    });
  };
  if (const WindowSide *side = context.border.findPixelSide())
    return emitPixelRows(context, tensors, *side, block);
  OpFoldResult first = nest.index(packs ? plan.rows->count : 0);
  OpFoldResult end = plan.rows ? nest.sizes[plan.rows->loop] : OpFoldResult();
  return emitRowBlocks(nest, tensors, first, end, block);
}
