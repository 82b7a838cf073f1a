//===- PlacementExplanation.cpp - Why operations stand there --------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "hetero/Analysis/Placement/Explain/PlacementExplanation.h"

#include "Analysis/Placement/Graph/GraphBuilder.h"
#include "Analysis/Placement/Price/MoveCosts.h"
#include "hetero/Analysis/Placement/Decide/ComputePlacement.h"
#include "hetero/Analysis/Placement/PlacementQueries.h"
#include "hetero/Dialect/Hetero/IR/PlacementModels.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace mlir::hetero;

//===----------------------------------------------------------------------===//
// Explanations
//===----------------------------------------------------------------------===//

/// Every operation says where it is and why.
static LogicalResult checkIsPlaced(ModuleOp module) {
  bool isPlaced = true;
  walkPlacedOperations(module, [&](Operation *op) {
    if (!isPlaced || (getDevice(op) && getDevice(op).hasOrdinal() &&
                      op->getAttrOfType<StringAttr>(kOriginAttrName)))
      return;
    isPlaced = false;
    op->emitOpError("expected a device with an ordinal and an origin, as "
                    "hetero-place writes them; run it first");
  });
  return success(isPlaced);
}

/// The place of the operation in the program.
static DeviceIndex getHome(const Assignment &assignment, NodeIndex index) {
  const PlacementGraph &graph = assignment.getGraph();
  DeviceAttr stated = graph.nodes[index].stated;
  return stated ? *graph.topology.lookup(stated.getBare())
                : assignment.getDevice(index);
}

static OperationExplanation explain(const Assignment &assignment,
                                    NodeIndex index, MoveCosts &moves) {
  const PlacementGraph &graph = assignment.getGraph();
  const PlacementNode &node = graph.nodes[index];
  DeviceIndex home = getHome(assignment, index);
  bool isReplicated = assignment.isReplicated(index);
  OperationExplanation result;
  result.op = node.op;
  result.device = graph.topology.getDevice(home);
  result.origin = node.origin;
  result.isTimed = node.isTimed;
  result.isReplicable = isReplicated;
  if (!node.isTimed)
    return result;
  if (!isReplicated)
    result.time = graph.getTime(index, home);
  for (DeviceIndex device = 0; device < graph.topology.size(); ++device) {
    if (isReplicated) {
      if (!moves.hasReplica(index, device))
        continue;
      result.replicas.push_back(graph.topology.getDevice(device));
      result.time = addTimes(result.time, graph.getTime(index, device));
      continue;
    }
    std::optional<MoveCost> cost = moves.get(index, device);
    if (device == home || !cost)
      continue;
    PlacementAlternative other{graph.topology.getDevice(device), cost->compute,
                               cost->copies};
    if (!result.alternative ||
        other.getTotal() < result.alternative->getTotal())
      result.alternative = other;
  }
  return result;
}

static TimeSource findSource(const OperationExplanation &explanation,
                             const Topology &topology, TensorSizes &sizes,
                             Profile &profile) {
  Operation *op = explanation.op;
  std::optional<DeviceIndex> device = topology.lookup(explanation.device);
  return estimateTime(op, topology, *device, getPlacementCost(op, sizes),
                      &profile)
      .source;
}

FailureOr<SmallVector<OperationExplanation, 0>>
mlir::hetero::explainPlacement(ModuleOp module, const Topology &topology,
                               Profile *profile) {
  if (failed(checkIsPlaced(module)))
    return failure();
  BlockTree tree(module);
  PlacementGraph graph = buildPlacementGraph(module, topology, tree, profile);
  FailureOr<PlacementSolution> solution = decidePlacement(module, graph, {});
  if (failed(solution))
    return failure();
  MoveCosts moves(solution->assignment);
  TensorSizes sizes(module);
  SmallVector<OperationExplanation, 0> result;
  for (NodeIndex index = 0; index < graph.nodes.size(); ++index) {
    if (!graph.nodes[index].op)
      continue;
    result.push_back(explain(solution->assignment, index, moves));
    if (profile && result.back().isTimed)
      result.back().source =
          findSource(result.back(), topology, sizes, *profile);
  }
  return result;
}

//===----------------------------------------------------------------------===//
// Text
//===----------------------------------------------------------------------===//

std::string mlir::hetero::describeTime(int64_t picoseconds) {
  constexpr llvm::StringLiteral units[] = {"ps", "ns", "us", "ms", "s"};
  bool isNegative = picoseconds < 0;
  uint64_t time = isNegative ? -uint64_t(picoseconds) : picoseconds;
  uint64_t scale = 1;
  unsigned unit = 0;
  for (; unit + 1 < std::size(units) && time / scale >= 1000; ++unit)
    scale *= 1000;
  std::string text = (isNegative ? "-" : "") + std::to_string(time / scale);
  // Three decimals, without zeros at the end.
  uint64_t decimals = scale == 1 ? 0 : time % scale / (scale / 1000);
  if (decimals != 0) {
    std::string digits = std::to_string(1000 + decimals).substr(1);
    text += "." + StringRef(digits).rtrim('0').str();
  }
  return text + " " + units[unit].str();
}

/// With a sign, for changes.
static std::string describeChange(int64_t picoseconds) {
  return (picoseconds < 0 ? "" : "+") + describeTime(picoseconds);
}

static std::string describeAlternative(const PlacementAlternative &other) {
  int64_t total = other.getTotal();
  std::string text = other.device.str() + " would cost ";
  if (total == 0)
    text += "the same";
  else
    text += describeTime(std::abs(total)) + (total < 0 ? " less" : " more");
  return text + " (compute " + describeChange(other.compute) + ", copies " +
         describeChange(other.copies) + ")";
}

std::string mlir::hetero::describe(const OperationExplanation &explanation) {
  std::string text = explanation.origin.getValue().str();
  // The host's own operations have no times to compare.
  if (!explanation.isTimed)
    return text;
  text += "; " + describeTime(explanation.time);
  if (explanation.isReplicable) {
    if (explanation.replicas.empty())
      return text + ", which nothing reads";
    return text + " on " +
           llvm::join(
               llvm::map_range(explanation.replicas,
                               [](DeviceAttr device) { return device.str(); }),
               " and ") +
           ", made on each device that needs it";
  }
  text += " on " + explanation.device.str() +
          describeSource(explanation.source).str() + "; ";
  if (!explanation.alternative)
    return text + "no other device can run it";
  return text + describeAlternative(*explanation.alternative);
}
