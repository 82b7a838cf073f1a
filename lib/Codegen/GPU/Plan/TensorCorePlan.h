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
// The depth is what a tile walks along; it is walked once per tap. Products
// whose elements tensor cores do not take are planned alike; threads multiply
// them one by one.
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_CODEGEN_GPU_PLAN_TENSORCOREPLAN_H
#define HETERO_CODEGEN_GPU_PLAN_TENSORCOREPLAN_H

#include "CollapseLoops.h"
#include "KernelLimits.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include <optional>

namespace mlir::hetero {

/// Of a row of a tile along the depth.
inline constexpr int64_t kTileRowBytes = 64;

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
  /// What tensor cores take its elements for.
  NVVM::MMATypes element = NVVM::MMATypes::f16;
};

struct TensorCorePlan {
  TensorCoreOperand lhs, rhs;
  SmallVector<unsigned> batch, rows, columns;
  LoopGroups taps;
  SmallVector<unsigned> depth;
  /// Threads multiply and add, one product at a time, in f32.
  bool usesThreads = false;
  /// Elements of an operand may be nowhere 16 bytes that are copied at once.
  bool copiesElements = false;
  /// Of an element of either operand.
  int64_t bytes = 2;
  /// A block's part of the result, and its rows and columns of warps.
  int64_t tileRows = 0, tileColumns = 0;
  int64_t warpRows = 2, warpColumns = 2;
  /// So many blocks share the steps along depth and taps of a part of the
  /// result. Their sums are added afterwards.
  int64_t splits = 1;

  int64_t getThreads() const { return warpRows * warpColumns * 32; }
  /// Blocks that a multiprocessor holds at once, by the registers that its
  /// threads need; none where the assembler's own choice is good.
  std::optional<int64_t> getResidentBlocks() const;
  /// Elements of a chunk, and the depth of a tile and of an instruction.
  int64_t getChunk() const { return kVectorBytes / bytes; }
  int64_t getTileDepth() const { return kTileRowBytes / bytes; }
  int64_t getMatrixDepth() const { return 2 * getChunk(); }
  /// True if sums are of integers, of 32 bits.
  bool isInteger() const { return bytes == 1; }
};

/// True if the body adds the product of its two inputs, floats, to the old
/// result; widening aside.
bool addsProduct(linalg::LinalgOp op);

/// The plan for `op`; none if it is no sum of products of f16, bf16, f32 or of
/// i8 in i32. Products of f32 are for tensor cores, as tf32, where an attribute
/// allows that; where none says anything, if `allowsTF32`; else for threads.
std::optional<TensorCorePlan> planTensorCores(linalg::LinalgOp op,
                                              bool allowsTF32 = false);

} // namespace mlir::hetero

#endif // HETERO_CODEGEN_GPU_PLAN_TENSORCOREPLAN_H
