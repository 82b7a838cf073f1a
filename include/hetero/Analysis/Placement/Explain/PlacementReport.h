//===- PlacementReport.h - Prints the price of a placement ------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The JSON report of `--hetero-place="report=FILE"`.
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_ANALYSIS_PLACEMENT_EXPLAIN_PLACEMENTREPORT_H
#define HETERO_ANALYSIS_PLACEMENT_EXPLAIN_PLACEMENTREPORT_H

#include "hetero/Analysis/Placement/Placement.h"
#include "llvm/Support/raw_ostream.h"

namespace mlir::hetero {

/// The shape that costs take an argument with dynamic dimensions to have.
struct AssumedShape {
  /// As getValueName() has it.
  std::string argument;
  SmallVector<int64_t> shape;
};

/// Prints `cost_seconds`, `lower_bound_seconds`, `gap`, `optimal`, `copies`,
/// `links` and `devices`, and what was assumed of dynamic arguments
/// (`assumed_shapes`). Links without traffic are left out.
void printPlacementReport(const PlacementPrice &price, const Topology &topology,
                          ArrayRef<AssumedShape> shapes,
                          llvm::raw_ostream &stream);

} // namespace mlir::hetero

#endif // HETERO_ANALYSIS_PLACEMENT_EXPLAIN_PLACEMENTREPORT_H
