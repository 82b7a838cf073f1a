//===- StepGroups.h - Steps of a reduction in groups ------------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_CODEGEN_CPU_EMIT_LOOPS_STEPGROUPS_H
#define HETERO_CODEGEN_CPU_EMIT_LOOPS_STEPGROUPS_H

#include "BlockedSums.h"

namespace mlir::hetero {

/// The loop of a reduction whose steps are done in groups, for narrow elements.
/// Steps that are left over are a group with zeros, of which nothing is read;
/// where their number is not known, and may be more than one, each is a group
/// of its own.
class StepGroups {
public:
  StepGroups(LoopNest &nest, BlockedSums &sums)
      : nest(nest), sums(sums), steps(nest.plan.getGroup()) {}

  /// The loop of the groups from `first` to `end`: full ones, then what is
  /// left. Parts of a reduction are made of full ones.
  Values emit(OpFoldResult first, OpFoldResult end, Values carried,
              LoopBodyFn body);

  /// How many groups `count` steps of a loop make, or the steps that they are
  /// if they are not done in groups.
  OpFoldResult count(unsigned loop, OpFoldResult count);
  /// Where among them the group of step `step` is.
  OpFoldResult getPlace(unsigned loop, OpFoldResult step);

  /// True if the current group has all of its steps; the others are zeros.
  bool isFull() const { return steps == nest.plan.getGroup(); }
  /// The groups that are emitted next have so many steps, or all.
  void setSteps(int64_t count) { steps = count; }
  void setFull() { steps = nest.plan.getGroup(); }

  /// Calls `load` for each step of the current group.
  Values forEach(llvm::function_ref<Value()> load);

private:
  LoopNest &nest;
  BlockedSums &sums;
  /// Steps of the current group.
  int64_t steps;
};

} // namespace mlir::hetero

#endif // HETERO_CODEGEN_CPU_EMIT_LOOPS_STEPGROUPS_H
