//===- DotPlan.h - Sums of products of narrow elements ----------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Finds the operations that add several products of narrow elements to a wide
// lane at a time, and which steps of the reduction these are. Processors have
// instructions for them; those of pairs of bf16 are worth it without, for a
// pair is two f32 but for a shift or a mask. Changes no IR.
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_CODEGEN_CPU_PLAN_DOTPLAN_H
#define HETERO_CODEGEN_CPU_PLAN_DOTPLAN_H

#include "VectorPlan.h"

namespace mlir::hetero {

/// A sum of products of two inputs of one narrow type.
struct NarrowProduct {
  OpOperand *lhs = nullptr, *rhs = nullptr;
  /// How integers are made wider: with their sign, or without.
  bool lhsSigned = false, rhsSigned = false;
  /// Elements that one wide lane takes up at a time.
  int64_t group = 1;

  bool isFloat() const { return group == 2; }
  /// Of integers, hetero.dot takes one with and one without a sign.
  bool isDot() const { return isFloat() || lhsSigned != rhsSigned; }
};

/// The product that `op` sums up if its elements are bf16 summed up in f32, or
/// i8 in i32. Of integers one with and one without sign, that without is lhs.
std::optional<NarrowProduct> matchNarrowProduct(linalg::GenericOp op);

/// True if the target has an instruction for such products.
bool hasInstruction(const NarrowProduct &product, const CPUTarget &target);

/// Lets the plan, which has a vector loop and nothing else yet, sum up along
/// lanes in groups.
void planLaneDots(linalg::GenericOp op, const CPUTarget &target,
                  VectorPlan &plan);

/// Lets the plan, which has its register tile, take the steps of a reduction in
/// groups.
void planRowDots(linalg::GenericOp op, const CPUTarget &target,
                 VectorPlan &plan);

} // namespace mlir::hetero

#endif // HETERO_CODEGEN_CPU_PLAN_DOTPLAN_H
