//===- PlacementExplanation.h - Why operations stand there ------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The origin of each operation of a placed module, what the operation costs,
// and what the program would cost more if it alone stood elsewhere.
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_ANALYSIS_PLACEMENT_EXPLAIN_PLACEMENTEXPLANATION_H
#define HETERO_ANALYSIS_PLACEMENT_EXPLAIN_PLACEMENTEXPLANATION_H

#include "hetero/Analysis/Placement/MachineCosts.h"
#include "mlir/IR/BuiltinOps.h"

namespace mlir::hetero {
class Profile;

/// The change of the price if one operation alone stood elsewhere.
struct PlacementAlternative {
  DeviceAttr device;
  /// Picoseconds, of all executions.
  int64_t compute = 0, copies = 0;

  int64_t getTotal() const { return compute + copies; }
};

struct OperationExplanation {
  Operation *op;
  DeviceAttr device;
  /// As `hetero.origin` has it.
  StringAttr origin;
  /// Takes time, on this device or, if replicable, on each of `replicas`.
  bool isTimed = false;
  bool isReplicable = false;
  /// Picoseconds, of all executions.
  int64_t time = 0;
  /// Where that comes from; of what is not replicable.
  TimeSource source = TimeSource::Model;
  SmallVector<DeviceAttr, 1> replicas;
  /// The cheapest other device; of equals the first. None if there is none.
  std::optional<PlacementAlternative> alternative;
};

/// Explains the operations of a placed module, in program order. Fails with an
/// error if one of them is not placed.
FailureOr<SmallVector<OperationExplanation, 0>>
explainPlacement(ModuleOp module, const Topology &topology,
                 Profile *profile = nullptr);

/// One sentence: "cost; 1.2 us on gpu:0 (measured); cpu:0 would cost 3 us more
/// (compute +5 us, copies -2 us)".
std::string describe(const OperationExplanation &explanation);

/// "1.234 us": a time with up to three decimals, those after that cut off.
std::string describeTime(int64_t picoseconds);

} // namespace mlir::hetero

#endif // HETERO_ANALYSIS_PLACEMENT_EXPLAIN_PLACEMENTEXPLANATION_H
