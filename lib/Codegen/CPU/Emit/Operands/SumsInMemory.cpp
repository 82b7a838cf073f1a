//===- SumsInMemory.cpp - Sums between blocks -----------------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SumsInMemory.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mlir::hetero;

SmallVector<Value> SumsInMemory::create(Values results,
                                        ArrayRef<unsigned> along) {
  loops = llvm::to_vector(along);
  SmallVector<OpFoldResult> sizes;
  for (unsigned loop : loops)
    sizes.push_back(nest.sizes[loop]);
  for (auto [result, tensor] : llvm::enumerate(results)) {
    Type type = getElementTypeOrSelf(tensor.getType());
    tensor = tensor::EmptyOp::create(nest.rewriter, nest.loc, sizes,
                                     sums.getWideType(result, type));
  }
  return results;
}

SmallVector<Value> SumsInMemory::getPlace(const Cell &cell) {
  Values place;
  for (unsigned loop : loops)
    place.push_back(nest.createIndex(nest.getIndex(loop, cell)));
  return place;
}

SmallVector<Value> SumsInMemory::load(Values tensors, ArrayRef<Cell> cells) {
  Values values;
  for (const Cell &cell : cells)
    for (Value tensor : tensors) {
      Type element = getElementTypeOrSelf(tensor.getType());
      values.push_back(
          cell.lanes == 1
              ? tensor::ExtractOp::create(nest.rewriter, nest.loc, tensor,
                                          getPlace(cell))
                    .getResult()
              : nest.readVector(VectorType::get(cell.lanes, element), tensor,
                                getPlace(cell), cell.mask));
    }
  return values;
}

SmallVector<Value> SumsInMemory::store(Values values, Values tensors,
                                       ArrayRef<Cell> cells) {
  for (auto [index, value] : llvm::enumerate(values)) {
    Value &tensor = tensors[index % tensors.size()];
    const Cell &cell = cells[index / tensors.size()];
    tensor = cell.lanes == 1
                 ? tensor::InsertOp::create(nest.rewriter, nest.loc, value,
                                            tensor, getPlace(cell))
                       .getResult()
                 : nest.writeVector(nest.broadcast(value, cell.lanes), tensor,
                                    getPlace(cell), cell.mask);
  }
  return tensors;
}
