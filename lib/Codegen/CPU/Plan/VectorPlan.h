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

#include "hetero/Codegen/CPU/CPUCodegen.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include <optional>

namespace mlir::hetero {

/// How an operand's address changes from one iteration of a loop to the next.
enum class AccessKind {
  /// Not at all.
  Invariant,
  /// By one element, so that a vector is one load.
  Contiguous,
  /// By a few elements, so that a vector is a longer load and a shuffle.
  Strided,
  /// In any other way: each lane is a load of its own.
  Scattered
};

/// The vectorized form of an operation: `rows` iterations of `rowLoop` times
/// `vectors` vectors of `lanes` iterations of `vectorLoop` per innermost body.
struct VectorPlan {
  int vectorLoop = -1;
  bool reducesLanes = false; // vectorLoop is a reduction
  int64_t lanes = 1;
  int64_t vectors = 1;
  /// Steps of the reduction that one pass over all vectors does; 1: each
  /// vector does all of them. Then the results are in memory in between.
  int64_t steps = 1;
  int rowLoop = -1; // -1: none
  int64_t rows = 1;
  /// A parallel loop inside the row loop, -1 for none: what the rows of a block
  /// do not share is then read for all of its iterations at once.
  int innerLoop = -1;
  /// How many of its iterations are in the register tile.
  int64_t innerCount = 1;
  /// Ragged ends are scalar loops and not masked vectors: some access is
  /// scattered, or a lane without an element could trap.
  bool scalarTail = false;
  /// Inputs that all rows read: the part that a block of vectors needs is
  /// copied into a panel first, in the order in which the rows read it.
  SmallVector<unsigned> packed;
  /// Those of them that are transposed: their panels are made of blocks, not
  /// vector by vector.
  SmallVector<unsigned> transposed;
  /// Rows below which sums along lanes would be better than that; 0: none.
  int64_t leastRows = 0;
  /// Inputs that are constants of the program: the compiler makes the panels.
  SmallVector<unsigned> prepared;
  /// Steps of the outermost reduction loop that all rows do before the next are
  /// done, so that their part of the panels stays in the second-level cache; 0:
  /// all. The results are in memory in between.
  int64_t depth = 0;
  /// Iterations of a reduction loop that one instruction does for narrow
  /// elements; 1: each takes some of its own. Where the lanes are along that
  /// loop, they count elements, and groups of them are a lane of the sums.
  int64_t group = 1;
  int groupLoop = -1;
  /// An input of integers that are 128 more or less where the instruction reads
  /// them, because it takes one operand with and one without a sign; -1: none.
  int flipped = -1;
  /// The innermost loop of a window, along which neighbouring rows share what
  /// they read: its steps are all in the innermost body, and the vectors inside
  /// the row loop; -1: none.
  int windowLoop = -1;
  /// How far apart the places of neighbouring rows, and of steps, are.
  int64_t windowStride = 1, windowDilation = 1;
  /// True if the rows are pixels of a convolution whose filters are along the
  /// vectors, which may do without the border of the image.
  bool arePixels = false;
  /// Inputs of an epilogue of which the register tile's rows are asked for
  /// before the sums that it follows.
  SmallVector<unsigned> prefetched;
};

/// True if elements lie in a vector as in memory, where each takes a power of
/// two of bytes: an i1 a byte, an i24 four.
bool isWholeInVectors(Type element);

/// How `operand` of `op` is accessed along `loop`.
AccessKind classifyAccess(linalg::GenericOp op, OpOperand *operand,
                          unsigned loop);

/// How many elements apart a strided operand's accesses are.
int64_t getAccessStride(linalg::GenericOp op, OpOperand *operand,
                        unsigned loop);

/// The reduction loops that the place of `operand` depends on.
SmallVector<unsigned> getReductionLoops(linalg::GenericOp op,
                                        OpOperand *operand);

/// A parallel loop whose iterations share what some input loads, so that a tile
/// of several in registers saves loads: of vectors, or else of scalars; -1 for
/// none.
int findRowLoop(linalg::GenericOp op, int vectorLoop, bool ofVectors);

/// True for inputs that the body reads element by element.
bool readsTensor(linalg::GenericOp op, OpOperand *input);

/// True if the body may stop at some numbers, as divisions of integers and
/// assertions do: lanes past the end hold zeros.
bool mayTrap(linalg::GenericOp op);

/// The operation that combines partial results of reduction `result`, or null.
Operation *getCombiner(linalg::GenericOp op, unsigned result);

/// The best plan for `op`, or none when scalar loops are as good.
std::optional<VectorPlan> planVectorLoops(linalg::GenericOp op,
                                          const CPUTarget &target);

} // namespace mlir::hetero

#endif // HETERO_CODEGEN_CPU_PLAN_VECTORPLAN_H
