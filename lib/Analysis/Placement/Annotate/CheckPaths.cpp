//===- CheckPaths.cpp - Values reach where they are needed ----------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A topology need not join all devices. What cost decides avoids transfers that
// it has no path for; annotations may ask for them.
//
//===----------------------------------------------------------------------===//

#include "CheckPaths.h"

#include "Causes.h"

using namespace mlir;
using namespace mlir::hetero;

namespace {
/// Checks one graph whose nodes are decided.
class PathChecker {
public:
  explicit PathChecker(const Assignment &assignment)
      : assignment(assignment), graph(assignment.getGraph()),
        topology(graph.topology) {}

  LogicalResult run();

private:
  void check(ValueIndex value, DeviceIndex to, NodeIndex user,
             BlockIndex block);
  Operation *getAround(BlockIndex block) const {
    return graph.tree.getBlock(block)->getParentOp();
  }

  const Assignment &assignment;
  const PlacementGraph &graph;
  const Topology &topology;
  bool hasErrors = false;
};
} // namespace

/// `user` is kNone where control flow, a call or a return needs the value.
void PathChecker::check(ValueIndex value, DeviceIndex to, NodeIndex user,
                        BlockIndex block) {
  DeviceIndex from = assignment.getValueDevice(value);
  if (from == to || assignment.isValueReplicated(value) ||
      topology.isReachable(from, to))
    return;
  hasErrors = true;
  std::string source = topology.getDevice(from).str();
  std::string destination = topology.getDevice(to).str();
  Operation *op = user == kNone ? nullptr : graph.nodes[user].op;
  if (!op)
    op = getAround(block);
  InFlightDiagnostic error =
      emitError(op->getLoc())
      << "'" << op->getName() << "' op needs a tensor on " << destination
      << " that is on " << source << ", and the topology has no path from "
      << source << " to " << destination
      << "; add links or place one of the two elsewhere";
  if (user != kNone)
    attachCause(error, assignment, user, "needs it", from);
  attachCauses(error, assignment, value, to);
}

LogicalResult PathChecker::run() {
  bool areAllLinked = true;
  for (DeviceIndex from = 0; from < topology.size(); ++from)
    for (DeviceIndex to = 0; to < topology.size(); ++to)
      areAllLinked &= from == to || topology.isReachable(from, to);
  if (areAllLinked)
    return success();
  for (const PlacementRead &read : graph.reads)
    if (!assignment.isReplicated(read.node))
      check(read.value, assignment.getDevice(read.node), read.node, read.block);
  for (const FixedUse &use : graph.fixedUses)
    check(use.value, use.device, kNone, use.block);
  for (const PartialRead &read : graph.partialReads)
    check(read.value, Topology::kHost, kNone, read.block);
  return failure(hasErrors);
}

LogicalResult mlir::hetero::checkPaths(const Assignment &assignment) {
  return PathChecker(assignment).run();
}
