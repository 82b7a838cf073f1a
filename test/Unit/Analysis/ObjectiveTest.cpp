//===- ObjectiveTest.cpp - Random programs for an objective ---------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ObjectiveTest.h"

#include "../TestRegistry.h"
#include "hetero/Analysis/Placement/Export/Certificate.h"
#include <cstdlib>

using namespace mlir;
using namespace mlir::hetero;
using namespace mlir::hetero::test;

ObjectiveTest::ObjectiveTest()
    : context(getTestRegistry(), MLIRContext::Threading::DISABLED) {
  context.loadAllAvailableDialects();
}

RandomProgramOptions ObjectiveTest::drawOptions(unsigned seed) {
  RandomProgramOptions options;
  options.numDevices = 2 + seed % 3;
  options.maxOpen = options.numDevices == 2   ? 9
                    : options.numDevices == 3 ? 8
                                              : 6;
  options.hasRegions = seed % 4 != 0;
  options.hasDearLinks = seed % 5 >= 3;
  return options;
}

PlacementPrice ObjectiveTest::place(ModuleOp module, const Topology &topology,
                                    PlacementObjective objective,
                                    const std::string &name) {
  PlacementOptions options;
  options.workLimit = 0;
  options.wantsPrice = true;
  options.objective = objective;
  if (const char *folder = std::getenv("HETERO_CERTIFICATES"))
    options.onDecided = [&, folder](const PlacementSolution &solution,
                                    const PlacementPrice &price) {
      std::error_code error;
      llvm::raw_fd_ostream file(std::string(folder) + "/" + name, error);
      ASSERT_FALSE(error);
      printCertificate(solution, price, file);
    };
  FailureOr<Placement> placement =
      computePlacement(module, topology, BlockTree(module), options);
  EXPECT_TRUE(succeeded(placement));
  return succeeded(placement) ? placement->price : PlacementPrice();
}
