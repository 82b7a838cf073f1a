//===- ExportedPlacement.h - A placement for other programs -----*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The problem that placement solves, and its solution, as numbers without IR:
// whoever reads them finds the same price, of this placement or of another one.
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_ANALYSIS_PLACEMENT_EXPORT_EXPORTEDPLACEMENT_H
#define HETERO_ANALYSIS_PLACEMENT_EXPORT_EXPORTEDPLACEMENT_H

#include "hetero/Analysis/Placement/Placement.h"
#include "hetero/Placement/PlacementProblem.h"

namespace mlir::hetero {

/// A copy, where it stands.
struct PricedSite {
  unsigned value;
  DeviceIndex from, to;
  BlockIndex block;
  int64_t bytes, time;
  /// Of the few bytes that the host needs.
  bool isPart;
};

struct PricedSolution {
  /// By node.
  SmallVector<DeviceIndex, 0> devices;
  SmallVector<uint8_t, 0> replicated;
  PlacementPrice price;
  SmallVector<PricedSite, 0> sites;
};

/// What makes a carried value.
enum class CarriedBy : uint8_t { Nothing, Call, Block, Branch, Loop };

/// A placed module as it is priced.
struct ExportedPlacement {
  PlacementProblem problem;
  PricedSolution solution;
  /// By node; null for carried values.
  SmallVector<Operation *, 0> operations;
  SmallVector<CarriedBy, 0> carriers;
  /// The values of function arguments that are tensors, in program order.
  SmallVector<unsigned, 0> arguments;
  BlockTree tree;
};

/// Exports a module after hetero-place. What cost decided is open in the
/// problem, and the bound is that of the problem. The module is in phase
/// `placed`.
FailureOr<ExportedPlacement> exportPlacement(ModuleOp module,
                                             Profile *profile = nullptr);

} // namespace mlir::hetero

#endif // HETERO_ANALYSIS_PLACEMENT_EXPORT_EXPORTEDPLACEMENT_H
