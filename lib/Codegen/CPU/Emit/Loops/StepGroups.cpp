//===- StepGroups.cpp - Steps of a reduction in groups --------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "StepGroups.h"

using namespace mlir;
using namespace mlir::hetero;

SmallVector<Value> StepGroups::emit(OpFoldResult first, OpFoldResult end,
                                    Values carried, LoopBodyFn body) {
  const NarrowSteps &narrow = *nest.plan.narrow;
  AffineExpr symbol = nest.symbol(0);
  setFull();
  // By group, so that places in panels need no division.
  OpFoldResult lower = nest.apply(symbol.floorDiv(narrow.size), {first});
  OpFoldResult upper = nest.apply(symbol.floorDiv(narrow.size), {end});
  carried = sums.emitLoop(
      narrow.loop, lower, upper, 1, carried, [&](Value index, Values inner) {
        Value step = nest.createIndex(
            nest.apply(symbol * narrow.size, OpFoldResult(index)));
        return body(step, inner);
      });
  if (nest.isSplit(narrow.loop))
    return carried;
  std::optional<int64_t> size = getConstantIntValue(end);
  steps = size ? *size % narrow.size : 1;
  if (steps != 0)
    carried = sums.emitLoop(narrow.loop, nest.roundDown(end, narrow.size), end,
                            steps, carried, body);
  setFull();
  return carried;
}

OpFoldResult StepGroups::count(unsigned loop, OpFoldResult count) {
  if (loop != nest.plan.getNarrowLoop())
    return count;
  int64_t size = nest.plan.narrow->size;
  AffineExpr groups = nest.symbol(0).ceilDiv(size);
  if (!getConstantIntValue(count))
    groups = nest.symbol(0).floorDiv(size) + nest.symbol(0) % size;
  return nest.apply(groups, {count});
}

OpFoldResult StepGroups::getPlace(unsigned loop, OpFoldResult step) {
  if (loop != nest.plan.getNarrowLoop())
    return step;
  int64_t size = nest.plan.narrow->size;
  AffineExpr place = nest.symbol(0).floorDiv(size);
  if (!isFull())
    place = nest.symbol(0) - nest.symbol(1).floorDiv(size) * (size - 1);
  return nest.apply(place, {step, nest.sizes[loop]});
}

SmallVector<Value> StepGroups::forEach(llvm::function_ref<Value()> load) {
  OpFoldResult &index = nest.indices[nest.plan.narrow->loop];
  OpFoldResult first = index;
  Values values;
  for (int64_t step = 0; step < steps; ++step) {
    index = nest.apply(nest.symbol(0) + step, {first});
    values.push_back(load());
  }
  index = first;
  return values;
}
