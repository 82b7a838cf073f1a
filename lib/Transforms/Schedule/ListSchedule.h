//===- ListSchedule.h - The order of a block's work -------------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Part of hetero-schedule: the order in which the host issues kernels, copies
// and its own work.
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_TRANSFORMS_SCHEDULE_LISTSCHEDULE_H
#define HETERO_TRANSFORMS_SCHEDULE_LISTSCHEDULE_H

#include "hetero/Analysis/Machine/Topology.h"
#include "hetero/Dialect/Hetero/IR/TensorSizes.h"
#include "mlir/IR/Block.h"

namespace mlir::hetero {

/// Work may run ahead of other work as time says, whatever memory that takes.
inline constexpr unsigned kAnyLead = ~0u;

/// What became of a block.
struct OrderedWork {
  /// How many operations stand elsewhere.
  int64_t moved = 0;
  /// Picoseconds until all of it has ended, for one execution, as the topology
  /// says; what cannot be ordered takes none.
  int64_t makespan = 0;
  /// What no order of this work ends before.
  int64_t bound = 0;
};

/// Puts the work of a block in the order in which it would start if each engine
/// of each device took what has the longest way to the end first. What is more
/// than `lead` operations ahead waits for an order that needs little memory:
/// that of the program, with copies late to a device and early from it.
OrderedWork orderWork(Block &block, const Topology &topology,
                      TensorSizes &sizes, unsigned lead = kAnyLead);

} // namespace mlir::hetero

#endif // HETERO_TRANSFORMS_SCHEDULE_LISTSCHEDULE_H
