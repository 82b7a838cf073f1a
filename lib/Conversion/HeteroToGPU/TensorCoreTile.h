//===- TensorCoreTile.h - A tile of an operand in shared memory -*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A tile has `lines` rows or columns of a matrix, 32 elements of depth each. It
// lies in shared memory as in global memory, in chunks of 16 bytes whose place
// in their row depends on the row, so that neither the copy nor ldmatrix meets
// a bank twice.
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_LIB_CONVERSION_HETEROTOGPU_TENSORCORETILE_H
#define HETERO_LIB_CONVERSION_HETEROTOGPU_TENSORCORETILE_H

#include "IndexMath.h"
#include "TensorCorePlan.h"

namespace mlir::hetero {

/// The depth of a tile, and of one instruction.
inline constexpr int64_t kTileDepth = 32, kMatrixDepth = 16;

/// Elements of 16 bits in 16 bytes.
inline constexpr int64_t kChunk = 8;

class TensorCoreTile : IndexMath {
public:
  TensorCoreTile(KernelBuilder &kernel, const TensorCorePlan &plan,
                 const TensorCoreOperand &side, int64_t lines, int64_t threads)
      : IndexMath(kernel), plan(plan), side(side), lines(lines),
        threads(threads) {}

  int64_t getBytes() const { return lines * kTileDepth * 2; }

  /// Computes what all copies share: the thread's chunks of the tile that
  /// begins at `firstLine`, of the batch at `point`.
  void placeCopies(Value thread, Value firstLine, ArrayRef<Value> point);

  /// Copies the tile at `tap` and `depth` to shared memory. Elements that do
  /// not exist are zero there.
  void copy(Value shared, ArrayRef<Value> tap, Value depth);

  /// Computes where the lane reads the matrices of its warp, whose lines begin
  /// at `warpLine`.
  void placeReads(Value lane, Value warpLine, int64_t warpLines);

  /// The four 8x8 matrices of 16 lines and 16 elements of depth: lines 0-7 and
  /// 8-15 of the first half of the depth, then of the second.
  SmallVector<Value> read(Value shared, int64_t block, int64_t part);

private:
  unsigned innerLoop() const {
    return side.alongDepth ? plan.depth.back() : side.lines[0].back();
  }
  int64_t chunksPerRow() const {
    return (side.alongDepth ? kTileDepth : lines) / kChunk;
  }
  int64_t rowBytes() const { return chunksPerRow() * kVectorBytes; }
  int64_t rowsPerStep() const { return threads / chunksPerRow(); }
  int64_t steps() const { return getBytes() / kVectorBytes / threads; }

  Value swizzle(Value row, Value chunk);
  Value lineOffset(Value line);
  Value step(unsigned loop) { return kernel.getStep(*side.operand, loop); }
  std::pair<Value, Value> locate(int64_t step, Value depth);
  void copyChunk(Value shared, Value offset, Value valid);
  void copyElements(Value shared, Value offset, Value valid);

  const TensorCorePlan &plan;
  const TensorCoreOperand &side;
  int64_t lines, threads;
  /// Of the thread's first chunk.
  Value row, chunk, sharedOffset;
  /// Of each chunk: its line's offset in global memory, and how many elements
  /// are valid along the lines, or how far the depth is.
  SmallVector<Value> offsets, limits;
  Value batchOffset, lineCount, depthCount, aligned;
  /// The lane's addresses by block and part.
  SmallVector<SmallVector<Value>> reads;
};

} // namespace mlir::hetero

#endif // HETERO_LIB_CONVERSION_HETEROTOGPU_TENSORCORETILE_H
