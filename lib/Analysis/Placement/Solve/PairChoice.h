//===- PairChoice.h - What is open between two devices ----------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Which nodes may stand on either of two devices, while everything else stays
// where it is. Settling decides some of them, the problem of the pair the rest.
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_ANALYSIS_PLACEMENT_SOLVE_PAIRCHOICE_H
#define HETERO_ANALYSIS_PLACEMENT_SOLVE_PAIRCHOICE_H

#include "Analysis/Placement/Graph/Assignment.h"

namespace mlir::hetero {

class PairChoice {
public:
  /// Open nodes that can stand on one of the two only get that device, unless
  /// they have one.
  PairChoice(Assignment start, DeviceIndex first, DeviceIndex second);

  DeviceIndex getDevice(bool isSecond) const { return devices[isSecond]; }
  /// True if the node is to be decided.
  bool isOpen(NodeIndex node) const {
    return node != kNone && openNodes[node] != 0;
  }
  /// Decides an open node.
  void settle(NodeIndex node, bool isSecond) {
    assignment.setDevice(node, devices[isSecond]);
    openNodes[node] = false;
  }
  /// True if something needs this replicated node, whatever is decided, and
  /// copies of its results may replace it on one of the two devices.
  bool isCopiable(NodeIndex node) const { return copiable[node] != 0; }
  bool hasCopiable() const { return llvm::is_contained(copiable, true); }

  const PlacementGraph &graph;
  /// Of open nodes it means nothing yet.
  Assignment assignment;

private:
  void findOpen();
  bool isUsed(NodeIndex replicated) const;
  void findCopiable();

  DeviceIndex devices[2];
  /// By node.
  SmallVector<uint8_t, 0> openNodes, copiable;
};

} // namespace mlir::hetero

#endif // HETERO_ANALYSIS_PLACEMENT_SOLVE_PAIRCHOICE_H
