//===- Epilogue.h - Elementwise work on what a product yields ---*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Decides whether an elementwise operation is part of the register tiles of the
// contraction that it reads. Changes no IR.
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_CODEGEN_CPU_PLAN_EPILOGUE_H
#define HETERO_CODEGEN_CPU_PLAN_EPILOGUE_H

#include "VectorPlan.h"

namespace mlir::hetero {

/// An elementwise operation that is the only one to read a contraction.
struct Epilogue {
  linalg::GenericOp contraction;
  /// How the contraction is vectorized.
  VectorPlan plan;
  /// The operand of the elementwise operation that is the contraction's result.
  OpOperand *operand = nullptr;
  /// For each loop of the contraction, the loop of the elementwise operation
  /// that follows it, if one does.
  SmallVector<std::optional<unsigned>> loops;
  /// It is computed on accumulators before they are stored. Otherwise on a tile
  /// that has just been stored: its code would be too long to be repeated for
  /// each accumulator.
  bool inRegisters = false;
};

/// The epilogue that `op` is, or none.
std::optional<Epilogue> findEpilogue(linalg::GenericOp op,
                                     const CPUTarget &target);

} // namespace mlir::hetero

#endif // HETERO_CODEGEN_CPU_PLAN_EPILOGUE_H
