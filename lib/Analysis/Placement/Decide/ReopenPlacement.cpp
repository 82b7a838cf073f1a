//===- ReopenPlacement.cpp - What a placed module left open ---------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ReopenPlacement.h"

#include "PlacementResult.h"
#include "hetero/Analysis/Placement/Decide/ComputePlacement.h"
#include "mlir/IR/Diagnostics.h"

using namespace mlir;
using namespace mlir::hetero;

std::optional<ReopenedPlacement>
mlir::hetero::reopenPlacement(ModuleOp module, const PlacementGraph &graph) {
  // What it says was said when the module was placed.
  ScopedDiagnosticHandler quiet(module.getContext(),
                                [](Diagnostic &) { return success(); });
  ReopenedPlacement result{graph, 0};
  PlacementOptions options;
  options.reopensCosts = true;
  FailureOr<PlacementSolution> best =
      decidePlacement(module, result.graph, options);
  if (failed(best))
    return std::nullopt;
  result.lowerBound = getLowerBound(*best, options.workLimit);
  return result;
}
