//===- TensorCoreTile.h - A tile of an operand in shared memory -*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A tile has `lines` rows or columns of a matrix, 64 bytes of depth each. It
// lies in shared memory as in global memory, in chunks of 16 bytes whose place
// in their row depends on the row, so that neither the copy nor a read meets a
// bank twice.
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_CODEGEN_GPU_PRODUCTS_TENSORCORETILE_H
#define HETERO_CODEGEN_GPU_PRODUCTS_TENSORCORETILE_H

#include "Codegen/GPU/Kernels/IndexMath.h"
#include "Codegen/GPU/Kernels/KernelOperands.h"
#include "Codegen/GPU/Plan/TensorCorePlan.h"

namespace mlir::hetero {

class TensorCoreTile : IndexMath {
public:
  TensorCoreTile(KernelBuilder &kernel, const TensorCorePlan &plan,
                 const TensorCoreOperand &side, int64_t lines)
      : IndexMath(kernel), plan(plan), side(side), lines(lines),
        threads(plan.getThreads()) {}

  int64_t getBytes() const { return lines * kTileRowBytes; }

  /// Computes what all copies share: the thread's chunks of the tile that
  /// begins at `firstLine`, of the batch at `point`.
  void placeCopies(Value thread, Value firstLine, ArrayRef<Value> point);

  /// Copies the tile at `tap` and `depth` to shared memory. Elements that do
  /// not exist are zero there.
  void copy(Value shared, ArrayRef<Value> tap, Value depth);

  /// Computes where the lane reads the matrices of its warp, whose lines begin
  /// at `warpLine`.
  void placeReads(Value lane, Value warpLine, int64_t warpLines);

  /// Per 16 lines the registers of four 8x8 matrices, of 4 bytes each: the
  /// first and the second eight lines of the first half of the depth, then of
  /// the second.
  SmallVector<SmallVector<Value>> read(Value shared, int64_t part);

  /// Where the lines of a matrix are in the warp's part of the tile: the first
  /// one of its eight, and the distance to the next.
  int64_t getFirstLine(int64_t matrix) const;
  int64_t getLineStep() const { return isInterleaved() ? 4 : 1; }

  /// Computes where a thread reads its lines: it is the `index`-th of `count`
  /// in a warp.
  void placeThreadReads(Value index, int64_t count, Value warpLine);

  /// Four elements of depth of each of the thread's lines.
  SmallVector<SmallVector<Value>> readLines(Value shared, int64_t quarter,
                                            int64_t linesPerThread);

  /// Where a thread's lines are: that of the thread `index`, and of its line.
  int64_t getThreadStep() const { return side.alongDepth ? 1 : 4; }
  int64_t getThreadLine(int64_t line, int64_t count) const;

private:
  unsigned innerLoop() const {
    return side.alongDepth ? plan.depth.back() : side.lines.back().back();
  }
  int64_t chunksPerRow() const {
    return (side.alongDepth ? plan.getTileDepth() : lines) / plan.getChunk();
  }
  int64_t rowBytes() const { return chunksPerRow() * kVectorBytes; }
  int64_t rowsPerStep() const { return threads / chunksPerRow(); }
  int64_t steps() const { return getBytes() / kVectorBytes / threads; }
  /// Lanes get matrices whose lines are four apart, from words of four lines:
  /// ldmatrix transposes elements of 16 bits only.
  bool isInterleaved() const { return !side.alongDepth && plan.bytes != 2; }
  /// True if a thread copies elements of one line, whose neighbours are
  /// neighbouring threads'.
  bool copiesByLine() const {
    return !side.alongDepth && side.lines.size() != 1;
  }

  Value swizzle(Value row, Value chunk);
  Value lineOffset(Value line);
  Value step(unsigned loop) { return getStep(kernel, *side.operand, loop); }
  void placeLine(Value thread, Value firstLine);
  std::pair<Value, Value> locate(int64_t step, Value depth);
  void copyAsync(Value shared, Value offset, Value bytes, int64_t most);
  void copyChunk(Value shared, Value offset, Value valid);
  void copyElements(Value shared, Value offset, Value valid);
  void copyLine(Value shared, Value depth, Value tapOffset);
  Value loadExisting(Value offset, Value exists);
  SmallVector<Value> loadMatrices(Value address);
  SmallVector<SmallVector<Value>> readInterleaved(Value shared, int64_t part);
  SmallVector<Value> readWords(Value shared, int64_t group, int64_t row);
  SmallVector<Value> transposeBytes(ArrayRef<Value> words);
  SmallVector<Value> loadWords(Value address, Type type);
  Value round(Value value);

  const TensorCorePlan &plan;
  const TensorCoreOperand &side;
  int64_t lines, threads;
  /// Of the thread's first chunk.
  Value row, chunk, sharedOffset;
  /// Of each chunk: its line's offset in global memory, and how many elements
  /// are valid along the lines, or how far the depth is.
  SmallVector<Value> offsets, limits;
  Value batchOffset, lineCount, depthCount, aligned;
  /// The lane's addresses by block and part; of interleaved lines by group of
  /// 32 of them.
  SmallVector<SmallVector<Value>> reads;
  int64_t warpLines = 0;
  /// The thread's addresses: of each chunk along the depth, else of rows by
  /// their number modulo four; how many threads share the warp's lines.
  SmallVector<Value> threadReads;
  int64_t threadCount = 0;
};

} // namespace mlir::hetero

#endif // HETERO_CODEGEN_GPU_PRODUCTS_TENSORCORETILE_H
