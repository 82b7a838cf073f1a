//===- TensorCorePlan.h - How tensor cores multiply -------------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Any sum of products of two operands is a product of matrices, or a batch of
// them, as far as its loops are concerned: those of the left operand and the
// result count rows, those of the right one and the result columns. A
// convolution over images whose channels are the fastest dimension is one, too:
//
//   out(n, y, x, f) += in(n, y + p, x + q, c) * window(p, q, c, f)
//   rows n, y, x; columns f; depth c; taps p, q
//
// The depth is what a tile walks along; it is walked once per tap.
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_LIB_CONVERSION_HETEROTOGPU_TENSORCOREPLAN_H
#define HETERO_LIB_CONVERSION_HETEROTOGPU_TENSORCOREPLAN_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include <optional>

namespace mlir::hetero {

/// Loops that an operand walks as one, the last of which stands for them.
using LoopGroups = SmallVector<SmallVector<unsigned>>;

/// An operand's matrix in a plan.
struct TensorCoreOperand {
  OpOperand *operand = nullptr;
  /// Its loops that count rows (of the left operand) or columns.
  LoopGroups lines;
  /// Elements next to each other are those along the depth, else those along
  /// the only group of `lines`. Tiles lie in shared memory the same way.
  bool alongDepth = true;
  /// False if its elements are nowhere next to each other, or never at
  /// multiples of 16 bytes.
  bool mayBeAligned = true;
};

struct TensorCorePlan {
  TensorCoreOperand lhs, rhs;
  SmallVector<unsigned> batch, rows, columns;
  LoopGroups taps;
  SmallVector<unsigned> depth;
  /// A block's part of the result.
  int64_t tileRows = 0, tileColumns = 0;
};

/// The change of the operand's position, in elements, per step of `loop`; none
/// if it is not known.
std::optional<int64_t> getStaticStep(linalg::LinalgOp op, OpOperand &operand,
                                     unsigned loop);

/// True if the body adds the product of its two inputs, floats, to the old
/// result.
bool addsProduct(linalg::LinalgOp op);

/// How far a result of the map moves per step of `loop`; none if that differs
/// from step to step.
std::optional<int64_t> getCoefficient(AffineMap map, AffineExpr result,
                                      unsigned loop);

/// The plan for `op`; none if it is no sum of products of f16 or bf16.
std::optional<TensorCorePlan> planTensorCores(linalg::LinalgOp op);

} // namespace mlir::hetero

#endif // HETERO_LIB_CONVERSION_HETEROTOGPU_TENSORCOREPLAN_H
