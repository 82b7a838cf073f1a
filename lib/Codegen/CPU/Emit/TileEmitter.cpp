//===- TileEmitter.cpp - Emits the register tile of an operation ----------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TileEmitter.h"

#include "Codegen/CPU/Emit/Operands/PanelPacker.h"

using namespace mlir;
using namespace mlir::hetero;

TileEmitter::TileEmitter(EmitContext &context, const Epilogue *of)
    : context(context), nest(context.nest), body(context), correction(context),
      prefetcher(context) {
  if (of)
    epilogue.emplace(context, *of);
}

SmallVector<Value> TileEmitter::emit(Values tensors, const TileShape &shape) {
  SmallVector<Cell> cells = getCells(shape);
  nest.tileRows = shape.rows;
  SmallVector<Prefetcher::Ahead> ahead = prefetcher.plan(shape);
  if (epilogue)
    epilogue->prefetch(cells);
  Values accumulators = context.reductions.emitSums(
      context.sums.widen(load(tensors, cells)), [&](Values inner) {
        context.loads.clear();
        prefetcher.emit(ahead);
        return accumulate(inner, cells);
      });
  accumulators = context.sums.narrow(accumulators);
  return store(correction.correctTile(accumulators, cells), tensors, cells);
}

SmallVector<Value> TileEmitter::emitPacking(Values tensors, TileShape shape) {
  PanelPacker packer(context);
  TileShape step = shape;
  shape.rows = nest.plan.rows->count;
  nest.indices[nest.plan.rows->loop] = nest.index(0);
  SmallVector<Cell> cells = getCells(shape);
  if (epilogue)
    epilogue->prefetch(cells);
  Values carried = context.sums.widen(load(tensors, cells));
  size_t sums = carried.size();
  SmallVector<OpOperand *> inputs;
  for (unsigned number : nest.plan.panels.packed) {
    inputs.push_back(&nest.op->getOpOperand(number));
    carried.push_back(context.packed.createEmpty(inputs.back(), shape));
  }
  carried = context.reductions.emitSums(carried, [&](Values inner) {
    Values accumulators(inner.begin(), inner.begin() + sums);
    context.loads.clear();
    for (auto [input, panel] :
         llvm::zip_equal(inputs, MutableArrayRef(inner).drop_front(sums)))
      panel = packer.storeStep(input, panel, step);
    llvm::copy(accumulate(accumulators, cells), inner.begin());
    return inner;
  });
  for (auto [input, panel] :
       llvm::zip_equal(inputs, ArrayRef(carried).drop_front(sums)))
    context.packed.set(input, panel);
  carried.truncate(sums);
  carried = context.sums.narrow(carried);
  return store(correction.correctTile(carried, cells), tensors, cells);
}

SmallVector<Value> TileEmitter::load(Values tensors, ArrayRef<Cell> cells) {
  Values accumulators;
  for (const Cell &cell : cells)
    for (auto [result, init] : llvm::enumerate(nest.op.getDpsInitsMutable()))
      accumulators.push_back(
          nest.op.payloadUsesValueFromOperand(&init) ||
                  !nest.reductionLoops.empty()
              ? context.results.loadStart(result, tensors[result], cell,
                                          context.vectors)
              : Value());
  return accumulators;
}

SmallVector<Value> TileEmitter::store(Values accumulators, Values tensors,
                                      ArrayRef<Cell> cells) {
  if (epilogue)
    return epilogue->store(accumulators, tensors, cells);
  unsigned results = nest.op.getNumDpsInits();
  for (auto [index, value] : llvm::enumerate(accumulators)) {
    unsigned result = index % results;
    tensors[result] =
        context.results.store(nest.op.getDpsInitOperand(result), value,
                              tensors[result], cells[index / results]);
  }
  return tensors;
}

/// One step of the accumulators of cell number `index`.
void TileEmitter::accumulateCell(Values &accumulators, size_t index,
                                 const Cell &cell) {
  unsigned results = nest.op.getNumDpsInits();
  MutableArrayRef<Value> old =
      MutableArrayRef(accumulators).slice(index * results, results);
  for (auto [result, value] : llvm::enumerate(body.emit(cell, old)))
    old[result] = nest.broadcast(value, cell.lanes);
}

SmallVector<Value> TileEmitter::accumulate(Values accumulators,
                                           ArrayRef<Cell> cells) {
  if (!context.reductions.getWindowSteps().empty())
    return accumulateWindow(accumulators, cells);
  for (auto [index, cell] : llvm::enumerate(cells))
    if (context.reductions.isInside(cell.row))
      accumulateCell(accumulators, index, cell);
  return accumulators;
}

/// All steps of a window for every accumulator, in the order of the places that
/// they read, so that each is loaded once for all windows that it is in, and
/// needs no register afterwards.
SmallVector<Value> TileEmitter::accumulateWindow(Values accumulators,
                                                 ArrayRef<Cell> cells) {
  struct Step {
    int64_t place, number;
    size_t cell;
  };
  const WindowRows &window = *nest.plan.getWindow();
  ImageBorder &border = context.border;
  SmallVector<Step> steps;
  for (int64_t number : context.reductions.getWindowSteps())
    for (auto [index, cell] : llvm::enumerate(cells))
      steps.push_back(
          {cell.row * window.stride + number * window.dilation, number, index});
  llvm::stable_sort(steps, [](const Step &first, const Step &second) {
    return first.place < second.place;
  });
  llvm::DenseMap<int64_t, CellLoads::Loaded> loadsOf;
  bool areOutside = border.isOutside();
  for (const Step &step : steps) {
    border.setOutside(areOutside || border.isKnownOutside(step.place));
    if (border.isOutside() && !areOutside && border.isNeutral())
      continue;
    nest.indices[window.loop] = nest.index(step.number);
    context.loads.swap(loadsOf[step.number]);
    accumulateCell(accumulators, step.cell, cells[step.cell]);
    context.loads.swap(loadsOf[step.number]);
  }
  border.setOutside(areOutside);
  return accumulators;
}
