//===- PayingChanges.h - What would make a device pay -----------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_ANALYSIS_PLACEMENT_EXPLAIN_PAYINGCHANGES_H
#define HETERO_ANALYSIS_PLACEMENT_EXPLAIN_PAYINGCHANGES_H

#include "hetero/Analysis/Placement/Placement.h"

namespace mlir::hetero {

/// What of a machine is faster.
enum class MachinePart { Device, Links, Both };

/// The least change of a machine that makes cost place something on a device.
struct PayingChange {
  DeviceIndex device;
  MachinePart part;
  /// How many times as fast, to a few percent; 1 where the device is used as it
  /// is, nothing where no factor up to kMostPaying suffices.
  std::optional<double> factor;
  /// Operations that cost places on the device then.
  int64_t ops = 0;
};

inline constexpr double kMostPaying = 1024;

/// The changes of each device but the host, for a module after hetero-place.
/// What annotations and rules decide is kept. Measured times do not scale.
SmallVector<PayingChange> findPayingChanges(ModuleOp module,
                                            const Topology &topology,
                                            const BlockTree &tree);

} // namespace mlir::hetero

#endif // HETERO_ANALYSIS_PLACEMENT_EXPLAIN_PAYINGCHANGES_H
