//===- Replicas.h - Who needs what is made again ----------------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_ANALYSIS_PLACEMENT_PRICE_REPLICAS_H
#define HETERO_ANALYSIS_PLACEMENT_PRICE_REPLICAS_H

#include "Analysis/Placement/Graph/Assignment.h"
#include <vector>

namespace mlir::hetero {

/// How many need each node or value on each device, of which few need any.
class CountsByDevice {
public:
  struct Entry {
    DeviceIndex device;
    unsigned count;
  };

  explicit CountsByDevice(size_t size) : rows(size, kNone) {}

  unsigned get(unsigned index, DeviceIndex device) const;
  /// The devices that need it, by number; each has a count, which may be 0.
  ArrayRef<Entry> get(unsigned index) const {
    return rows[index] == kNone ? ArrayRef<Entry>() : entries[rows[index]];
  }
  /// Changes a count, and returns what it is then.
  unsigned add(unsigned index, DeviceIndex device, int change);

private:
  /// By node or value: its entries.
  SmallVector<unsigned, 0> rows;
  std::vector<SmallVector<Entry, 2>> entries;
};

/// By replicated node.
using ReplicaCounts = CountsByDevice;

/// Counts who needs replicas of what is replicable, given the devices of
/// everything else.
ReplicaCounts countReplicas(const Assignment &assignment);

/// Gives every replicable node that has no device one that needs it, the host
/// first.
void placeReplicas(Assignment &assignment);

} // namespace mlir::hetero

#endif // HETERO_ANALYSIS_PLACEMENT_PRICE_REPLICAS_H
