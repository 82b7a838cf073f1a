//===- Results.cpp - Where results begin and end --------------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Results.h"

#include "Codegen/Match/FillValue.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mlir::hetero;

Results::Results(LoopNest &nest) : nest(nest) {
  for (OpOperand &init : nest.op.getDpsInitsMutable()) {
    destinations.push_back(init.get());
    starts.push_back({});
    auto producer = init.get().getDefiningOp<linalg::GenericOp>();
    if (nest.op.getNumReductionLoops() == 0 || nest.plan.is<Passes>() ||
        !producer)
      continue;
    unsigned result = cast<OpResult>(init.get()).getResultNumber();
    Value value = getFillValue(producer, result);
    Value destination = producer.getDpsInits()[result];
    nest.rewriter.replaceUsesWithIf(
        init.get(), destination,
        [](OpOperand &use) { return isa<tensor::DimOp>(use.getOwner()); });
    if (!value || !init.get().hasOneUse())
      continue;
    starts.back() = value;
    destinations.back() = destination;
  }
}

Value Results::loadStart(unsigned result, Value tensor, const Cell &cell,
                         VectorLoads &loads) {
  if (Value start = starts[result])
    return nest.broadcast(start, cell.lanes);
  return loads.load(nest.op.getDpsInitOperand(result), tensor, cell);
}

void Results::startFromMemory() { starts.assign(starts.size(), Value()); }

Value Results::store(OpOperand *init, Value value, Value tensor,
                     const Cell &cell) {
  Values place = nest.getIndices(init, cell);
  if (cell.lanes == 1)
    return tensor::InsertOp::create(nest.rewriter, nest.loc, value, tensor,
                                    place);
  return nest.writeVector(nest.broadcast(value, cell.lanes), tensor, place,
                          cell.mask);
}
