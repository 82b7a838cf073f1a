//===- EngineSchedule.h - When engines do their work ------------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Tasks that need each other and take one or more engines for a time: when each
// starts, so that the last ends early.
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_SUPPORT_SOLVERS_ENGINESCHEDULE_H
#define HETERO_SUPPORT_SOLVERS_ENGINESCHEDULE_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include <cstdint>

namespace mlir::hetero {

/// Takes all of its engines at once. Needs only tasks before it.
struct EngineTask {
  llvm::SmallVector<unsigned, 2> engines;
  int64_t time;
  llvm::SmallVector<unsigned, 4> needs = {};
};

struct EngineSchedule {
  /// Of each task.
  llvm::SmallVector<int64_t, 0> starts;
  /// When the last one ends.
  int64_t makespan = 0;
  /// What boundEngines() says of the tasks.
  int64_t bound = 0;
};

/// How hard a schedule is looked for.
enum class ScheduleEffort {
  /// From one order of tasks that are alike.
  One,
  /// From several, if there are not too many tasks.
  Several
};

/// A list schedule by upward rank, improved from both ends; the best of several
/// orders of tasks that are alike. The times add up to less than INT64_MAX.
EngineSchedule scheduleEngines(llvm::ArrayRef<EngineTask> tasks,
                               ScheduleEffort effort = ScheduleEffort::Several);

/// What no schedule ends before: the longest way, and of each engine by itself
/// Jackson's preemptive schedule (always the task with the longest way after it
/// of those whose needs can have ended; J. Carlier, "The one-machine sequencing
/// problem", 1982).
int64_t boundEngines(llvm::ArrayRef<EngineTask> tasks);

} // namespace mlir::hetero

#endif // HETERO_SUPPORT_SOLVERS_ENGINESCHEDULE_H
