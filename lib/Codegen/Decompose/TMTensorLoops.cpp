//===- TMTensorLoops.cpp - Loops over single elements ---------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TMTensorLoops.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace mlir::hetero;
using namespace mlir::hetero::tm_tensor;

SmallVector<Value> mlir::hetero::tm_tensor::cloneBody(OpBuilder &builder,
                                                      Operation *op,
                                                      ValueRange arguments) {
  Block &body = op->getRegion(0).front();
  IRMapping mapping;
  mapping.map(body.getArguments(), arguments);
  for (Operation &inner : body.without_terminator())
    builder.clone(inner, mapping);
  return llvm::map_to_vector(
      body.getTerminator()->getOperands(),
      [&](Value value) { return mapping.lookupOrDefault(value); });
}

SmallVector<Value>
mlir::hetero::tm_tensor::buildRows(OpBuilder &builder, Operation *op,
                                   Value tensor, int64_t except,
                                   ValueRange carried, BodyBuilder body) {
  Elements elements(builder, op);
  int64_t rank = cast<RankedTensorType>(tensor.getType()).getRank();
  SmallVector<Value> sizes;
  for (int64_t dim = 0; dim < rank; ++dim)
    if (dim != except)
      sizes.push_back(elements.size(tensor, dim));
  Value zero = elements.constant(0), one = elements.constant(1);
  scf::LoopNest nest = scf::buildLoopNest(
      builder, op->getLoc(), SmallVector<Value>(sizes.size(), zero), sizes,
      SmallVector<Value>(sizes.size(), one), carried,
      [&](OpBuilder &inner, Location, ValueRange loops, ValueRange values) {
        SmallVector<Value> place(loops);
        if (except >= 0)
          place.insert(place.begin() + except, Value());
        return body(inner, place, values);
      });
  return nest.results;
}
