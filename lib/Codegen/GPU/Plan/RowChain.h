//===- RowChain.h - Reductions of rows and their neighbours -----*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A softmax is six operations and a normalization five, all of which work on
// one row at a time: reductions of rows, what they fill their results with, and
// elementwise work before, between and after. A chain is such operations as
// one kernel computes them, which reads a row once.
//
// Loops of all operations are matched with those of one reduction, the anchor.
// Its parallel loops are the rows, its reduction loops the columns.
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_CODEGEN_GPU_PLAN_ROWCHAIN_H
#define HETERO_CODEGEN_GPU_PLAN_ROWCHAIN_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "llvm/ADT/DenseSet.h"
#include <optional>
#include <vector>

namespace mlir::hetero {

/// Where an operation of a chain has a value from.
struct RowSource {
  enum Kind { Scalar, Loaded, Computed, Unused };
  Kind kind = Unused;
  /// Of Loaded: the index in RowChain::loads. Of Computed: the operation's.
  unsigned index = 0;
  /// Of Computed.
  unsigned result = 0;
};

/// One operation of a chain.
struct RowMember {
  linalg::LinalgOp op;
  /// The anchor's loop for each of the operation's; none for those of one
  /// iteration.
  SmallVector<std::optional<unsigned>> loops;
  /// The operation runs along the columns; its results do as well, unless it is
  /// a reduction.
  bool isFull = false;
  /// Of reductions: what adds an element, its neutral element, and the
  /// operation that fills the result before, with what.
  Operation *combiner = nullptr;
  TypedAttr neutral;
  linalg::LinalgOp fill;
  Value filler;
  /// For each operand.
  SmallVector<RowSource> sources;
  /// For each result: something reads it that is not in the chain.
  SmallVector<bool> isStored;

  /// The results are one per row.
  bool hasRowResult() const { return !isFull || combiner; }
};

/// A value that a chain reads from memory, at the operand of a member.
struct RowLoad {
  unsigned member;
  OpOperand *operand;
  /// The position as a function of the anchor's loops.
  AffineMap map;
  /// It differs from column to column, and from row to row.
  bool isFull, movesAlongRows;
};

/// Operations that one kernel computes, in order.
struct RowChain {
  std::vector<RowMember> members;
  SmallVector<RowLoad> loads;
  /// The index of the reduction whose loops are those of the chain.
  unsigned anchor = 0;
  /// The anchor's loops, in groups that all operands walk as one; the columns
  /// are one group.
  SmallVector<SmallVector<unsigned>> rows;
  SmallVector<unsigned> columns;
};

/// The chain around a reduction; none if its rows are not next to each other in
/// memory, or if it has no neighbour to share a kernel with. Leaves out the
/// operations in `taken`. Changes nothing.
std::optional<RowChain>
findRowChain(linalg::LinalgOp reduction,
             const llvm::SmallPtrSetImpl<Operation *> &taken);

} // namespace mlir::hetero

#endif // HETERO_CODEGEN_GPU_PLAN_ROWCHAIN_H
