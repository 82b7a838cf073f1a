//===- ObjectiveTest.h - Random programs for an objective -------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_TEST_UNIT_ANALYSIS_OBJECTIVETEST_H
#define HETERO_TEST_UNIT_ANALYSIS_OBJECTIVETEST_H

#include "RandomPrograms.h"
#include "hetero/Analysis/Placement/Decide/ComputePlacement.h"
#include "gtest/gtest.h"

namespace mlir::hetero::test {

/// Random programs that are placed for an objective.
class ObjectiveTest : public ::testing::Test {
protected:
  ObjectiveTest();

  /// Two to four devices, of which some have more placements than the solver
  /// enumerates.
  static RandomProgramOptions drawOptions(unsigned seed);
  /// The price of the best placement. With HETERO_CERTIFICATES=FOLDER its
  /// certificate is written there under this name.
  PlacementPrice place(ModuleOp module, const Topology &topology,
                       PlacementObjective objective, const std::string &name);

  MLIRContext context;
};

} // namespace mlir::hetero::test

#endif // HETERO_TEST_UNIT_ANALYSIS_OBJECTIVETEST_H
