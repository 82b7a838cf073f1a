//===- ReportTies.cpp - Choices that cost nothing -------------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ReportTies.h"

#include "Analysis/Placement/Price/MoveCosts.h"
#include "mlir/IR/Diagnostics.h"

using namespace mlir;
using namespace mlir::hetero;

/// What takes no time is no choice that anybody would miss.
static bool isChoice(const Assignment &decided, NodeIndex index) {
  const PlacementNode &node = decided.getGraph().nodes[index];
  return node.op && node.isTimed && node.open && !node.spec &&
         node.reason == PlacementReason::Cost && !decided.isReplicated(index) &&
         decided.getGraph().getTime(index, decided.getDevice(index)) != 0;
}

/// Another device on which the node alone would cost the same, or kNone.
static DeviceIndex findTie(const Assignment &decided, NodeIndex node,
                           MoveCosts &moves) {
  for (DeviceIndex device = 0; device < decided.getGraph().topology.size();
       ++device) {
    std::optional<MoveCost> cost = moves.get(node, device);
    if (device != decided.getDevice(node) && cost &&
        cost->compute + cost->copies == 0)
      return device;
  }
  return kNone;
}

LogicalResult mlir::hetero::reportTies(const Assignment &decided,
                                       ConflictMode mode) {
  const PlacementGraph &graph = decided.getGraph();
  MoveCosts moves(decided);
  bool hasErrors = false;
  for (NodeIndex node = 0; node < graph.nodes.size(); ++node) {
    if (!isChoice(decided, node))
      continue;
    Operation *op = graph.nodes[node].op;
    ConflictMode own = getConflictMode(op, mode);
    bool isError = own == ConflictMode::Error;
    if (!isError && own != ConflictMode::Warn)
      continue;
    DeviceIndex other = findTie(decided, node, moves);
    if (other == kNone)
      continue;
    hasErrors |= isError;
    (isError ? emitError(op->getLoc()) : emitWarning(op->getLoc()))
        << "'" << op->getName() << "' op costs the same on "
        << graph.topology.getDevice(decided.getDevice(node)).str() << " and "
        << graph.topology.getDevice(other).str()
        << "; annotate it, or use conflict=copy to take the first";
  }
  return failure(hasErrors);
}
