//===- ProductResults.h - What becomes of sums of products ------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Sums that a kernel has computed are added to the old results, go through the
// epilogue and are stored, 16 bytes at a time where neighbours in a row lie
// next to each other, else one by one.
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_CODEGEN_GPU_PRODUCTS_PRODUCTRESULTS_H
#define HETERO_CODEGEN_GPU_PRODUCTS_PRODUCTRESULTS_H

#include "Codegen/GPU/Kernels/IndexMath.h"
#include "Codegen/GPU/Plan/TensorCorePlan.h"

namespace mlir::hetero {

class ProductResults : IndexMath {
public:
  /// `filler`, if there is one, stands for all old results; the epilogue may be
  /// null. Both are part of the kernel already.
  ProductResults(KernelBuilder &kernel, const TensorCorePlan &plan,
                 Value filler, linalg::LinalgOp epilogue)
      : IndexMath(kernel), op(kernel.getOp()), epilogue(epilogue),
        filler(filler), plan(plan), init(*op.getDpsInitOperand(0)),
        point(kernel.getOrigin()) {}

  /// Computes what all results of the batch at `batchPoint` share.
  void place(ArrayRef<Value> batchPoint);

  /// As many results as are 16 bytes.
  int64_t getChunk();

  /// Gives `count` sums from a place in the chunk on.
  using LoadSums = llvm::function_ref<SmallVector<Value>(Value, int64_t)>;

  /// Stores those results of a chunk that exist.
  void store(Value row, Value column, LoadSums load);

private:
  bool walkAsOne(unsigned outer, unsigned inner);
  LoopGroups collapse(ArrayRef<unsigned> loops);
  bool keepsChunks();
  SmallVector<Value> loadFor(OpOperand &operand, int64_t count,
                             ArrayRef<Value> loops, bool moves);
  void storeSums(ValueRange sums);
  void runEpilogue(MutableArrayRef<Value> results);
  unsigned getEpilogueLoop(unsigned loop);
  SmallVector<Value> getEpiloguePoint();
  bool isRead(OpOperand &operand);
  bool movesAlong(OpOperand &operand, unsigned loop);
  Value isVectorizable();
  Value combine(Value old, Value sum);

  linalg::LinalgOp op, epilogue;
  Value filler;
  const TensorCorePlan &plan;
  OpOperand &init;
  /// The current point.
  SmallVector<Value> point;
  /// The loops of rows and columns, in groups that results are walked by.
  LoopGroups rows, columns;
  Value rowCount, columnCount;
  /// True if results are stored 16 bytes at a time; null if never.
  Value storesVectors;
};

} // namespace mlir::hetero

#endif // HETERO_CODEGEN_GPU_PRODUCTS_PRODUCTRESULTS_H
