//===- GroupLoads.h - Loads of groups of steps ------------------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_CODEGEN_CPU_EMIT_OPERANDS_GROUPLOADS_H
#define HETERO_CODEGEN_CPU_EMIT_OPERANDS_GROUPLOADS_H

#include "VectorLoads.h"

namespace mlir::hetero {

/// Loads what a cell takes of an input for a group of steps. For two steps of a
/// product of bf16:
///
///   %b = B[k, n], B[k + 1, n], B[k, n + 1], B[k + 1, n + 1], ...
///   %a = A[m, k], A[m, k + 1], A[m, k], A[m, k + 1], ...
///
/// A word is the elements of a group.
class GroupLoads {
public:
  GroupLoads(LoopNest &nest, StepGroups &groups, VectorLoads &loads)
      : nest(nest), groups(groups), loads(loads) {}

  Value load(OpOperand *input, const Cell &cell);
  /// The vector as the instruction for dot products takes it: with the
  /// uppermost bits inverted if the plan says so.
  Value flip(OpOperand *input, Value vector);

private:
  Value loadInterleaved(OpOperand *input, const Cell &cell);
  Value readWord(OpOperand *input, const Cell &cell);
  Value broadcastWord(OpOperand *input, const Cell &cell);
  Value collectWords(OpOperand *input, const Cell &cell);

  LoopNest &nest;
  StepGroups &groups;
  VectorLoads &loads;
};

} // namespace mlir::hetero

#endif // HETERO_CODEGEN_CPU_EMIT_OPERANDS_GROUPLOADS_H
