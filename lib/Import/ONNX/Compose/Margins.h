//===- Margins.h - What is added to both ends of axes -----------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// Elements that are added to both ends of axes, or cut where they are negative.
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_LIB_IMPORT_ONNX_COMPOSE_MARGINS_H
#define HETERO_LIB_IMPORT_ONNX_COMPOSE_MARGINS_H

#include "Formulas.h"

namespace mlir::hetero::onnx {

struct Margins {
  Margins(NodeBuilder &n, int64_t rank)
      : low(rank, n.ix.constant(0)), high(low) {}
  Sizes low, high;
};

/// Cuts what is negative, which is 0 then.
Tensor cutMargins(NodeBuilder &n, const Tensor &x, Margins &margins);
/// Cuts what is negative, and pads what is positive with a scalar.
Tensor applyMargins(NodeBuilder &n, const Tensor &x, Margins margins,
                    Value value);

} // namespace mlir::hetero::onnx

#endif // HETERO_LIB_IMPORT_ONNX_COMPOSE_MARGINS_H
