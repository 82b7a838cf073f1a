//===- MachineCosts.h - What operations and copies cost ---------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The numbers that placement goes by, for passes of others: how long an
// operation takes on a device, how long a copy takes over a link, how much work
// an operation is, and how often it runs.
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_ANALYSIS_PLACEMENT_MACHINECOSTS_H
#define HETERO_ANALYSIS_PLACEMENT_MACHINECOSTS_H

#include "hetero/Analysis/Blocks/BlockTree.h"
#include "hetero/Analysis/Machine/Topology.h"
#include "hetero/Dialect/Hetero/IR/TensorSizes.h"
#include "mlir/IR/BuiltinOps.h"

namespace mlir::hetero {
class Profile;

/// Where a time comes from.
enum class TimeSource : uint8_t {
  /// The topology's numbers, or the kind of the device.
  Model,
  /// A measurement of such an operation.
  Measured,
  /// A roofline that was fitted to measurements of other operations.
  Fitted
};

/// How long one execution takes.
struct TimeEstimate {
  int64_t picoseconds;
  TimeSource source;
};

/// One execution of the operation on a device that can run it: as the profile,
/// which may be null, has measured it, by what was fitted to its measurements,
/// else by the topology.
TimeEstimate estimateTime(Operation *op, const Topology &topology,
                          DeviceIndex device, PlacementCost cost,
                          Profile *profile);

/// " (measured)" or the like, for what is not the model's; else empty.
StringRef describeSource(TimeSource source);

/// The costs of one module, which must not change while they are asked for. An
/// analysis: a pass gets it by `getAnalysis<hetero::MachineCosts>()`. All times
/// are picoseconds that saturate at INT64_MAX.
class MachineCosts {
public:
  /// By the module's own topology, or the default one.
  explicit MachineCosts(Operation *module) : MachineCosts(module, nullptr) {}
  /// By measured times, too; the profile, which may be null, must outlive it.
  MachineCosts(Operation *module, Profile *profile);

  const Topology &getTopology() const { return topology; }

  /// Operations on numbers, and bytes read and written, of one execution.
  /// Dynamic sizes count as docs/Design/Placement.md says. Zero of what has no
  /// PlacementOpInterface.
  PlacementCost getWork(Operation *op) const;

  /// One execution on a device with an ordinal. Nothing where the topology
  /// lacks the device or the device cannot run it; then `reason`, if it is not
  /// null, says why.
  std::optional<TimeEstimate> getTime(Operation *op, DeviceAttr device,
                                      std::string *reason = nullptr) const;

  /// One copy of the tensor from a device to another, on the way that the
  /// topology has. Nothing if there is none.
  std::optional<int64_t> getCopyTime(Value tensor, DeviceAttr from,
                                     DeviceAttr to) const;

  /// How often the operation runs for each call of the module's entry points,
  /// as far as trip counts and weights of branches say.
  double getExecutions(Operation *op) const;

private:
  Profile *profile;
  Topology topology;
  /// Remembers what it was asked for.
  mutable TensorSizes sizes;
  BlockTree tree;
};

} // namespace mlir::hetero

#endif // HETERO_ANALYSIS_PLACEMENT_MACHINECOSTS_H
