//===- VectorPlan.h - How one operation is vectorized -----------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Decides which loop of a linalg.generic runs over the lanes of vectors and
// which tile of the iteration space is held in registers. Changes no IR.
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_CODEGEN_CPU_PLAN_VECTORPLAN_H
#define HETERO_CODEGEN_CPU_PLAN_VECTORPLAN_H

#include "PanelPlan.h"
#include "hetero/Codegen/CPU/Target/CPUTarget.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include <optional>
#include <variant>

namespace llvm {
class raw_ostream;
} // namespace llvm

namespace mlir::hetero {

/// A loop of which the register tile has `count` iterations.
struct TiledLoop {
  unsigned loop = 0;
  int64_t count = 1;
};

/// Steps of a reduction loop that one instruction does for narrow elements.
/// Where the lanes are along that loop, they count elements, and groups of them
/// are a lane of the sums.
struct NarrowSteps {
  unsigned loop = 0;
  int64_t size = 1;
  /// An input of integers that are 128 more or less where the instruction reads
  /// them, because it takes one operand with and one without a sign.
  std::optional<unsigned> flipped;
};

/// Long sums of f32: so many steps of `loop`, the vector loop's being those of
/// the register tile, are added up in f32, and their sums in f64.
struct SumBlocks {
  unsigned loop = 0;
  int64_t steps = 1;
};

/// The vector loop is parallel. Rows, if there are any, share what is loaded.
struct PlainTile {};
/// The vector loop is a reduction: lanes hold partial results.
struct LaneSums {};
/// One pass over all vectors does some steps of the reduction. The results are
/// in memory in between.
struct Passes {
  int64_t steps = 1;
};
/// Neighbouring rows share what they read along `loop`, the innermost of a
/// window: its steps are all in the innermost body, and the vectors inside the
/// row loop.
struct WindowRows {
  unsigned loop = 0;
  /// How far apart the places of neighbouring rows, and of steps, are.
  int64_t stride = 1, dilation = 1;
};
/// Rows are pixels of a convolution whose filters are along the vectors, which
/// may do without the border of the image.
struct PixelRows {};

/// The vectorized form of an operation: some iterations of the row loop times
/// `vectors` vectors of `lanes` iterations of `vectorLoop` per innermost body.
struct VectorPlan {
  unsigned vectorLoop = 0;
  int64_t lanes = 1;
  int64_t vectors = 1;
  /// Ragged ends are scalar loops and not masked vectors: some access is
  /// scattered, or a lane without an element could trap.
  bool scalarTail = false;
  std::optional<TiledLoop> rows;
  /// A parallel loop inside the row loop: what the rows of a block do not share
  /// is then read for all of its iterations at once.
  std::optional<TiledLoop> inner;
  std::optional<NarrowSteps> narrow;
  std::optional<SumBlocks> sums;
  PanelPlan panels;
  std::variant<PlainTile, LaneSums, Passes, WindowRows, PixelRows> form;

  template <typename Form> bool is() const {
    return std::holds_alternative<Form>(form);
  }
  /// The window; null for another form.
  const WindowRows *getWindow() const { return std::get_if<WindowRows>(&form); }
  /// Steps of the reduction that one pass over all vectors does; 1: each vector
  /// does all of them.
  int64_t getPassSteps() const;

  /// The loops that the plan names; none where it names none.
  std::optional<unsigned> getRowLoop() const;
  std::optional<unsigned> getInnerLoop() const;
  std::optional<unsigned> getNarrowLoop() const;
  std::optional<unsigned> getWindowLoop() const;

  /// Steps of the narrow loop that are done at a time; 1 if there is none.
  int64_t getGroup() const { return narrow ? narrow->size : 1; }
  bool isFlipped(unsigned input) const;
  bool isPacked(unsigned input) const;
  bool isTransposed(unsigned input) const;
  bool isPrepared(unsigned input) const;

  /// What is wrong with the plan for `op`; empty if it can be emitted.
  StringRef findFault(linalg::GenericOp op) const;
};

/// True if the body may stop at some numbers, as divisions of integers and
/// assertions do: lanes past the end hold zeros.
bool mayTrap(linalg::GenericOp op);

/// The operation that combines partial results of reduction `result`, or null.
Operation *getCombiner(linalg::GenericOp op, unsigned result);

/// One line with the tile, the form and what is in panels.
llvm::raw_ostream &operator<<(llvm::raw_ostream &os, const VectorPlan &plan);

/// The best plan for `op`, or none when scalar loops are as good.
std::optional<VectorPlan> planVectorLoops(linalg::GenericOp op,
                                          const CPUTarget &target);

} // namespace mlir::hetero

#endif // HETERO_CODEGEN_CPU_PLAN_VECTORPLAN_H
