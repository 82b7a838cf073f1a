//===- PlainSchedule.h - The best schedules of few tasks ------ -*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Tasks that need each other and take engines for a time, scheduled the best
// way there is: for tests, and few tasks.
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_TEST_UNIT_ANALYSIS_PLAINSCHEDULE_H
#define HETERO_TEST_UNIT_ANALYSIS_PLAINSCHEDULE_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include <cstdint>

namespace mlir::hetero::test {

struct PlainTask {
  int64_t time;
  llvm::SmallVector<unsigned, 2> engines;
  /// Any others, but in no circle.
  llvm::SmallVector<unsigned, 4> needs;
};

struct PlainMakespan {
  /// INT64_MAX if nothing is below the limit.
  int64_t makespan;
  /// False if the search was given up.
  bool isExact;
};

/// The longest way, and what the busiest engine has to do.
int64_t boundPlainly(llvm::ArrayRef<PlainTask> tasks);
/// The least makespan, if it is below the limit.
PlainMakespan scheduleExactly(llvm::ArrayRef<PlainTask> tasks, int64_t limit);

} // namespace mlir::hetero::test

#endif // HETERO_TEST_UNIT_ANALYSIS_PLAINSCHEDULE_H
