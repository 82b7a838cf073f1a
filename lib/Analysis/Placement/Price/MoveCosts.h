//===- MoveCosts.h - What moving one operation would cost -------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The difference of two prices, found from what surrounds the operation alone:
// its own times, the copies of its operands and results, and the replicas that
// it needs.
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_ANALYSIS_PLACEMENT_PRICE_MOVECOSTS_H
#define HETERO_ANALYSIS_PLACEMENT_PRICE_MOVECOSTS_H

#include "CopyCosts.h"

namespace mlir::hetero {

/// The change of the price by a move, in picoseconds.
struct MoveCost {
  int64_t compute = 0, copies = 0;
};

/// Moves where all nodes are decided. The assignment outlives this.
class MoveCosts {
public:
  explicit MoveCosts(const Assignment &assignment);

  /// The change if this node alone stood on `device`. None if it cannot run or
  /// its values cannot get there, and for what is replicable.
  std::optional<MoveCost> get(NodeIndex node, DeviceIndex device);

  /// True if some operation needs this replica.
  bool hasReplica(NodeIndex node, DeviceIndex device) const {
    return replicas.get(node, device) != 0;
  }

private:
  /// What one move changes.
  struct Changes {
    WideTime compute = 0;
    SmallVector<UseChange, 8> uses;
    /// Changes of the numbers of users of replicas.
    llvm::SmallDenseMap<std::pair<NodeIndex, DeviceIndex>, int, 4> replicas;
  };

  /// The change if the part that a node makes were needed on `device` instead
  /// of where the program has it.
  std::optional<MoveCost> getStated(NodeIndex node, DeviceIndex device);
  void changeReads(NodeIndex node, DeviceIndex device, int count,
                   Changes &changes);
  std::optional<WideTime> priceUses(NodeIndex node, Changes &changes);
  CopyCosts &getCopies(ValueIndex value);

  const Assignment &assignment;
  const PlacementGraph &graph;
  ReplicaCounts replicas;
  SmallVector<std::unique_ptr<CopyCosts>, 0> copies;
};

} // namespace mlir::hetero

#endif // HETERO_ANALYSIS_PLACEMENT_PRICE_MOVECOSTS_H
