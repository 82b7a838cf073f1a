//===- CopyCosts.h - What the copies of one value cost ----------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The price of a value's copies as CopySites chooses them, kept per block, so
// that the change that one more or one less use makes is found along the way
// from the use to the definition, however many uses there are.
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_ANALYSIS_PLACEMENT_PRICE_COPYCOSTS_H
#define HETERO_ANALYSIS_PLACEMENT_PRICE_COPYCOSTS_H

#include "Replicas.h"
#include "llvm/ADT/SetVector.h"

namespace mlir::hetero {

/// A sum of times that does not saturate, so that it can be taken back.
using WideTime = __int128;

/// A use that appears (1) or goes away (-1).
struct UseChange {
  ValueIndex value;
  DeviceIndex device;
  BlockIndex block;
  int count;
};

/// The copies of one value that is not replicable.
class CopyCosts {
public:
  CopyCosts(const Assignment &assignment, ValueIndex value,
            const ReplicaCounts &replicas);

  /// The price of all copies if the value stood there.
  WideTime getPrice(DeviceIndex from) const;
  /// The change of the price by these changes of uses on `to`, for a value that
  /// stays where it is.
  WideTime getChange(DeviceIndex to, ArrayRef<UseChange> changes) const;

private:
  /// The least cost of what a copy stop's subtree needs, and of what is below
  /// the stop itself.
  struct Subtree {
    WideTime best = 0, below = 0;
  };

  void addUse(unsigned stop, DeviceIndex device);
  WideTime getBest(unsigned stop, int64_t time, unsigned uses,
                   WideTime below) const;
  SmallVector<Subtree, 1> compute(DeviceIndex from, DeviceIndex to) const;

  const Assignment &assignment;
  const PlacementGraph &graph;
  ValueIndex value;
  SmallVector<CopyStop, 1> stops;
  /// Numbers of uses by stop and device, and the devices that need it.
  llvm::SmallDenseMap<std::pair<unsigned, DeviceIndex>, unsigned, 4> uses;
  llvm::SmallSetVector<DeviceIndex, 4> needed;
  /// By destination that needs it, for the value where it is; none there.
  llvm::SmallDenseMap<DeviceIndex, SmallVector<Subtree, 1>, 4> subtrees;
};

} // namespace mlir::hetero

#endif // HETERO_ANALYSIS_PLACEMENT_PRICE_COPYCOSTS_H
