//===- ExactSchedule.h - The best schedule of few tasks ------- -*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_SUPPORT_SOLVERS_EXACTSCHEDULE_H
#define HETERO_SUPPORT_SOLVERS_EXACTSCHEDULE_H

#include "hetero/Support/Solvers/EngineSchedule.h"

namespace mlir::hetero {

/// A schedule that ends before `best`, if there is one: by branch and bound
/// over active schedules (Giffler and Thompson, "Algorithms for Solving
/// Production- Scheduling Problems", 1960), as far as a fixed amount of work
/// goes. `ranks` are the longest ways from the start of each task to the end.
void improveExactly(llvm::ArrayRef<EngineTask> tasks,
                    llvm::ArrayRef<int64_t> ranks, int64_t bound,
                    EngineSchedule &best);

} // namespace mlir::hetero

#endif // HETERO_SUPPORT_SOLVERS_EXACTSCHEDULE_H
