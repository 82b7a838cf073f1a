//===- BLAS.cpp - Products as calls of a BLAS -----------------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "BLAS.h"

#include "Codegen/Match/ConvolutionLoops.h"
#include "Codegen/Match/MultiplyAdd.h"

#include "mlir/Dialect/Linalg/IR/LinalgInterfaces.h"

using namespace mlir;
using namespace mlir::hetero;

/// A BLAS needs one dimension of each matrix to be contiguous: the last one of
/// the tensor has to be one of the matrix, not of the batch.
static bool endsInMatrix(ArrayRef<int64_t> order, int64_t rank) {
  return rank == 0 || llvm::is_contained(order.take_back(2), rank - 1);
}

namespace {
/// What the loops are to a product; -1 for none.
struct Roles {
  SmallVector<int64_t> batch;
  int64_t row, column, k;
};
} // namespace

/// The dimensions as the batch's, rows, columns; false if a BLAS cannot walk
/// them.
static bool setOrders(Candidate &product, const Roles &roles) {
  int64_t rows[] = {roles.row, roles.k, roles.row};
  int64_t columns[] = {roles.k, roles.column, roles.column};
  auto op = cast<linalg::GenericOp>(product.getRoot());
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  product.orders.assign(3, {});
  for (unsigned i = 0; i < 3; ++i) {
    SmallVector<int64_t> &order = product.orders[i];
    for (int64_t loop : roles.batch)
      order.push_back(findDimension(maps[i], loop));
    order.push_back(findDimension(maps[i], rows[i]));
    order.push_back(findDimension(maps[i], columns[i]));
    if (!endsInMatrix(order, maps[i].getNumResults()))
      return false;
  }
  return true;
}

/// What may be the rows: the innermost loop first, none if there is no loop.
static SmallVector<int64_t> getChoices(ArrayRef<unsigned> loops) {
  SmallVector<int64_t> choices(llvm::reverse(loops));
  if (choices.empty())
    choices.push_back(-1);
  return choices;
}

std::optional<Candidate> mlir::hetero::matchProduct(linalg::GenericOp op) {
  if (op.getNumDpsInits() != 1 || !linalg::isaContractionOpInterface(op) ||
      !multipliesAndAdds(op))
    return std::nullopt;
  FailureOr<linalg::ContractionDimensions> dims =
      linalg::inferContractionDims(op);
  // A reduction that moves only one of the factors has no part in a product.
  if (failed(dims) || dims->k.size() != 1 || op.getNumReductionLoops() != 1)
    return std::nullopt;
  Candidate product;
  product.function = "gemm";
  product.inputs = op.getDpsInputs();
  setInit(product, op);
  for (int64_t row : getChoices(dims->m))
    for (int64_t column : getChoices(dims->n)) {
      Roles roles{{}, row, column, dims->k[0]};
      for (ArrayRef<unsigned> loops :
           {ArrayRef<unsigned>(dims->batch), ArrayRef<unsigned>(dims->m),
            ArrayRef<unsigned>(dims->n)})
        for (int64_t loop : loops)
          if (loop != row && loop != column)
            roles.batch.push_back(loop);
      if (setOrders(product, roles))
        return product;
    }
  return std::nullopt;
}
