//===- MultiplyAdd.cpp - Bodies that multiply and add ---------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MultiplyAdd.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/LinalgInterfaces.h"

using namespace mlir;
using namespace mlir::hetero;

bool mlir::hetero::multipliesAndAdds(linalg::GenericOp op) {
  // Upstream's test looks through any operation with one operand.
  bool isPlain =
      llvm::all_of(op.getBody()->without_terminator(), [](Operation &inner) {
        return isa<arith::MulFOp, arith::AddFOp, arith::ExtFOp>(inner);
      });
  return isPlain && linalg::detail::isContractionBody(
                        *op.getBody(), [](Operation *multiply, Operation *add) {
                          return isa<arith::MulFOp>(multiply) &&
                                 isa<arith::AddFOp>(add);
                        });
}
